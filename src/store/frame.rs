//! Frames: how one record stands in a segment file, so that a torn or changed one is recognised.
//!
//! ```text
//! 0   magic `FFjl`
//! 4   length of the payload, u32 little-endian
//! 8   group, u64 little-endian
//! 16  kind, one byte, then three zeros
//! 20  CRC32C of bytes 4..20 and the payload, u32 little-endian
//! 24  payload, then zeros up to a multiple of 8
//! ```

const MAGIC: [u8; 4] = *b"FFjl";
const HEAD: usize = 24;
const ALIGN: usize = 8;
const ZEROS: [u8; 4096] = [0; 4096];

/// What a frame holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum FrameKind {
    SegmentHeader = 1,
    Entry = 2,
    GroupEnd = 3,
    SegmentEnd = 4,
    Block = 5,
}

impl FrameKind {
    fn from_byte(byte: u8) -> Option<FrameKind> {
        match byte {
            1 => Some(FrameKind::SegmentHeader),
            2 => Some(FrameKind::Entry),
            3 => Some(FrameKind::GroupEnd),
            4 => Some(FrameKind::SegmentEnd),
            5 => Some(FrameKind::Block),
            _ => None,
        }
    }
}

/// A whole frame, found good.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    pub(super) kind: FrameKind,
    /// Groups are numbered over the whole journal. The end of a segment has a number of its own.
    pub(super) group: u64,
    pub(super) payload: &'a [u8],
    /// Where the next frame begins.
    pub(super) end: usize,
}

/// The size of a frame with such a payload.
pub(super) fn size(payload: usize) -> usize {
    HEAD + payload.next_multiple_of(ALIGN)
}

/// Appends a frame.
pub(super) fn write(out: &mut Vec<u8>, kind: FrameKind, group: u64, payload: &[u8]) {
    let mut head = [0; HEAD];
    head[..4].copy_from_slice(&MAGIC);
    // A commit is far smaller than u32 can say; the committer refuses a larger one.
    head[4..8].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    head[8..16].copy_from_slice(&group.to_le_bytes());
    head[16] = kind as u8;
    let crc = checksum(&head, payload);
    head[20..].copy_from_slice(&crc.to_le_bytes());
    out.extend_from_slice(&head);
    out.extend_from_slice(payload);
    out.resize(out.len().next_multiple_of(ALIGN), 0);
}

fn checksum(head: &[u8; HEAD], payload: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(&head[4..20]), payload)
}

/// The frame at this place, if a good one is there.
pub(super) fn read(bytes: &[u8], at: usize) -> Option<Frame<'_>> {
    let head: &[u8; HEAD] = bytes.get(at..at.checked_add(HEAD)?)?.try_into().ok()?;
    let word = |from: usize| Some(u32::from_le_bytes(head[from..from + 4].try_into().ok()?));
    if head[..4] != MAGIC {
        return None;
    }
    let len = usize::try_from(word(4)?).ok()?;
    let start = at + HEAD;
    let payload = bytes.get(start..start.checked_add(len)?)?;
    if checksum(head, payload) != word(20)? {
        return None;
    }
    let end = start + len.next_multiple_of(ALIGN);
    if bytes.get(start + len..end)?.iter().any(|byte| *byte != 0) {
        return None;
    }
    let kind = FrameKind::from_byte(head[16])?;
    let group = u64::from_le_bytes(head[8..16].try_into().ok()?);
    Some(Frame {
        kind,
        group,
        payload,
        end,
    })
}

/// The bytes up to the last that is not zero.
pub(super) fn without_zeros(bytes: &[u8]) -> &[u8] {
    let mut bytes = bytes;
    while let Some((rest, last)) = bytes.split_last_chunk::<4096>()
        && *last == ZEROS
    {
        bytes = rest;
    }
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &bytes[..end]
}

/// The next place at or after `at` where a good frame stands.
pub(super) fn find(bytes: &[u8], at: usize) -> Option<(usize, Frame<'_>)> {
    let mut at = at.next_multiple_of(ALIGN);
    while at + HEAD <= bytes.len() {
        // What is prepared and not yet written is passed over quickly.
        while bytes.get(at..at + ZEROS.len()) == Some(&ZEROS[..]) {
            at += ZEROS.len();
        }
        if bytes.get(at..at + 4) == Some(&MAGIC[..])
            && let Some(frame) = read(bytes, at)
        {
            return Some((at, frame));
        }
        at += ALIGN;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_back_and_a_flipped_bit_in_it_is_seen() {
        let mut bytes = Vec::new();
        write(&mut bytes, FrameKind::Entry, 7, b"hello");
        assert_eq!(bytes.len(), size(5));
        let frame = read(&bytes, 0).unwrap();
        assert_eq!(
            (frame.kind, frame.group, frame.payload, frame.end),
            (FrameKind::Entry, 7, &b"hello"[..], 32)
        );
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                assert!(read(&flipped, 0).is_none(), "byte {at} bit {bit}");
            }
        }
        for len in 0..bytes.len() {
            assert!(read(&bytes[..len], 0).is_none());
        }
    }

    #[test]
    fn the_next_frame_is_found_behind_rubbish() {
        let mut bytes = vec![0xff; 40];
        write(&mut bytes, FrameKind::GroupEnd, 9, b"x");
        let (at, frame) = find(&bytes, 3).unwrap();
        assert_eq!((at, frame.group), (40, 9));
        assert!(find(&bytes, 41).is_none());
    }
}

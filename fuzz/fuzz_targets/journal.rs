//! A journal segment with any records in it, each with the right checksum: read, or refused with what is missing.
//!
//! Checksums keep accidents out; this is what an intruder, or another version, could write.
#![no_main]

use std::path::Path;
use std::sync::Arc;

use flagfall::store::{FileJournal, Journal as _, JournalError, JournalOptions, JournalReader, Known, SimDisk};
use libfuzzer_sys::fuzz_target;
use uuid::Uuid;

const FOLDER: &str = "/hall/journal";
const SEGMENT: &str = "/hall/journal/00000001.journal";
const ROOM: usize = 16 << 10;

fn options() -> JournalOptions {
    JournalOptions {
        segment_bytes: ROOM as u64,
        new_hall_id: Uuid::from_u128(7),
    }
}

fn frame(kind: u8, group: u64, payload: &[u8]) -> Vec<u8> {
    let mut head = [0_u8; 24];
    head[..4].copy_from_slice(b"FFjl");
    head[4..8].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    head[8..16].copy_from_slice(&group.to_le_bytes());
    head[16] = kind;
    let crc = crc32c::crc32c_append(crc32c::crc32c(&head[4..20]), payload);
    head[20..].copy_from_slice(&crc.to_le_bytes());
    let mut bytes = [&head[..], payload].concat();
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// A Block as protobuf: first group, first position, size, content, hash.
fn block(group: u8, content: &[u8]) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec(content, 1);
    let varint = |mut value: usize| {
        let mut bytes = Vec::new();
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    };
    let mut bytes = vec![0x08, group & 0x7f, 0x10, 1, 0x18];
    bytes.extend(varint(content.len()));
    bytes.push(0x22);
    bytes.extend(varint(packed.len()));
    bytes.extend(packed);
    bytes.extend([0x2a, 32]);
    bytes.extend([7; 32]);
    bytes
}

fuzz_target!(|bytes: &[u8]| {
    let disk = Arc::new(SimDisk::new());
    let folder = Path::new(FOLDER);
    let opened = FileJournal::open(disk.clone(), folder, options(), Known::default(), 0, &mut |_| {});
    drop(opened.expect("an empty disk takes a journal"));
    disk.damage(Path::new(SEGMENT), |file| {
        // After the header, frames as the input has them: kind, group, length, payload.
        // In every second run of a packed segment.
        if let Some(first) = bytes.first()
            && first & 1 == 1
        {
            let length = u32::from_le_bytes([file[4], file[5], file[6], file[7]]) as usize;
            let mut header = file[24..24 + length].to_vec();
            // Its first field is the format.
            header[1] = 2;
            let packed = frame(1, 0, &header);
            file[..packed.len()].copy_from_slice(&packed);
        }
        let mut at = 24 + (u32::from_le_bytes([file[4], file[5], file[6], file[7]]) as usize).next_multiple_of(8);
        let mut rest = bytes.get(1..).unwrap_or_default();
        while let Some((&[kind, group, length, more], after)) = rest.split_first_chunk::<4>() {
            let length = (usize::from(length) | usize::from(more % 4) << 8).min(after.len());
            let (payload, after) = after.split_at(length);
            rest = after;
            // Zero takes the place of a whole header, so that this too is tried.
            let frame = match kind {
                0 => payload.to_vec(),
                // The content of a packed block, which it would not guess compressed.
                6 => frame(5, u64::from(group), &block(group, payload)),
                kind => frame(kind, u64::from(group), payload),
            };
            let room = file.len() - at;
            let fits = frame.len().min(room);
            file[at..at + fits].copy_from_slice(&frame[..fits]);
            at = (at + fits).next_multiple_of(8).min(ROOM);
        }
    })
    .expect("the segment is there");
    let mut seen = 0;
    let mut each = |entry: flagfall::store::Entry| {
        seen += 1;
        assert_eq!(entry.position, seen);
    };
    match FileJournal::open(disk.clone(), folder, options(), Known::default(), 0, &mut each) {
        Ok(opened) => {
            assert!(opened.end == seen && opened.journal.head().position >= seen);
            let read = JournalReader::new(disk, folder).entries(1).expect("it opened");
            let read: Result<Vec<_>, _> = read.collect();
            assert_eq!(read.expect("it opened").len() as u64, opened.journal.head().position);
        }
        Err(JournalError::Damaged(damage)) => assert!(damage.first_missing <= seen + 1),
        Err(JournalError::Newer { .. }) => {}
        Err(other) => panic!("{other}"),
    }
    // Reading without opening must hold as well.
    if let Ok(entries) = JournalReader::new(Arc::new(SimDisk::new()), folder).entries(0) {
        assert_eq!(entries.count(), 0);
    }
});

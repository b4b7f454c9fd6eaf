//! gzip in members of their own, each of which says how long it is (as BGZF does): written and read piece by piece, and read by
//! every other gzip as well.

use std::io::{self, Write};

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// So much goes into one member.
const MEMBER: usize = 1 << 20;
const LEVEL: u8 = 6;
/// magic, deflate, "extra field", no time, no flags, no system; the extra field: 8 bytes, `FF`, 4 bytes.
const HEAD: [u8; 16] = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 8, 0, b'F', b'F', 4, 0];
/// The same, and the length of what is compressed; after that: CRC-32 and size of what it was.
const BEFORE: usize = HEAD.len() + 4;
const AFTER: usize = 8;

pub(super) struct GzipWriter<W: Write> {
    out: W,
    waiting: Vec<u8>,
}

impl<W: Write> GzipWriter<W> {
    pub(super) fn new(out: W) -> GzipWriter<W> {
        GzipWriter {
            out,
            waiting: Vec::new(),
        }
    }

    /// Writes what waits.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.member()?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn member(&mut self) -> io::Result<()> {
        let plain = std::mem::take(&mut self.waiting);
        let packed = compress_to_vec(&plain, LEVEL);
        let size = |bytes: &[u8]| u32::try_from(bytes.len()).map_err(io::Error::other);
        self.out.write_all(&HEAD)?;
        self.out.write_all(&size(&packed)?.to_le_bytes())?;
        self.out.write_all(&packed)?;
        self.out.write_all(&crc32fast::hash(&plain).to_le_bytes())?;
        self.out.write_all(&size(&plain)?.to_le_bytes())
    }
}

impl<W: Write> Write for GzipWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= MEMBER {
            self.member()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Reads lines.
pub(super) struct GzipReader<'a> {
    bytes: &'a [u8],
    ready: Vec<u8>,
    at: usize,
    longest: usize,
}

impl<'a> GzipReader<'a> {
    /// No line, and nothing compressed together, may be longer than `longest`.
    pub(super) fn new(bytes: &'a [u8], longest: usize) -> GzipReader<'a> {
        GzipReader {
            bytes,
            ready: Vec::new(),
            at: 0,
            longest,
        }
    }

    /// The next line, without its end; none at the end of everything.
    pub(super) fn line(&mut self) -> Result<Option<String>, String> {
        loop {
            let rest = &self.ready[self.at..];
            if let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let line = String::from_utf8(rest[..end].to_vec()).map_err(|_| "it is no text")?;
                self.at += end + 1;
                return Ok(Some(line));
            }
            if rest.len() > self.longest {
                return Err("a line is too long".into());
            }
            if self.bytes.is_empty() {
                return if rest.is_empty() {
                    Ok(None)
                } else {
                    Err("it ends early".into())
                };
            }
            self.ready.drain(..self.at);
            self.at = 0;
            self.member()?;
        }
    }

    fn member(&mut self) -> Result<(), String> {
        let early = "it ends early";
        let head = self.bytes.get(..BEFORE).ok_or(early)?;
        if head[..HEAD.len()] != HEAD {
            return Err("it is not compressed as flagfall does".into());
        }
        let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let end = BEFORE + word(&head[HEAD.len()..]) as usize;
        let packed = self.bytes.get(BEFORE..end).ok_or(early)?;
        let check = self.bytes.get(end..end + AFTER).ok_or(early)?;
        let size = word(&check[4..]) as usize;
        if size > self.longest {
            return Err("a part is too large".into());
        }
        let plain = decompress_to_vec_with_limit(packed, size).map_err(|error| error.to_string())?;
        if plain.len() != size || crc32fast::hash(&plain) != word(check) {
            return Err("a part is not as it was written".into());
        }
        self.ready.extend_from_slice(&plain);
        self.bytes = &self.bytes[end + AFTER..];
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Result<Vec<String>, String> {
        let mut reader = GzipReader::new(bytes, 8 << 20);
        let mut lines = Vec::new();
        while let Some(line) = reader.line()? {
            lines.push(line);
        }
        Ok(lines)
    }

    #[test]
    fn lines_are_read_back_over_many_members_and_anything_cut_or_changed_is_seen() {
        let mut writer = GzipWriter::new(Vec::new());
        let written: Vec<String> = (0..40_u32)
            .map(|n| format!("line {n} {}", "x".repeat(70_000)))
            .collect();
        for line in &written {
            writer.write_all(line.as_bytes()).expect("writes");
            writer.write_all(b"\n").expect("writes");
        }
        let bytes = writer.finish().expect("writes");
        assert_eq!(lines(&bytes).expect("reads"), written);
        for at in (0..bytes.len()).step_by(11) {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert!(lines(&changed).is_err(), "byte {at}");
            assert_ne!(lines(&bytes[..at]).unwrap_or_default(), written, "cut at {at}");
        }
        // Another gzip's file is refused, and does not fill the memory.
        assert!(lines(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1]).is_err());
    }
}

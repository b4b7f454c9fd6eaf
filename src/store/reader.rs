//! Reading entries back, in order, from any position; also while the journal is being written.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::{Disk, RealDisk};
use super::entry::Entry;
use super::error::{Damage, JournalError};
use super::frame::{self, FrameKind};
use super::pack::Block;
use super::record::{self, Chains, proto};
use super::segment::{self, HEADER_ROOM, SegmentPath};

/// Reads a journal's folder. Takes no lock and changes nothing.
#[derive(Clone)]
pub struct JournalReader {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
}

impl JournalReader {
    /// Of the journal in the hub's data folder.
    pub fn of_data(data: &Path) -> JournalReader {
        JournalReader::new(Arc::new(RealDisk), &super::opening::journal_folder(data))
    }

    /// Of the journal in this folder.
    pub fn new(disk: Arc<dyn Disk>, folder: &Path) -> JournalReader {
        JournalReader {
            disk,
            folder: folder.to_owned(),
        }
    }

    /// All entries from this position on, up to the last whole group there is now.
    pub fn entries(&self, from: u64) -> Result<Entries, JournalError> {
        let mut segments: VecDeque<u64> = VecDeque::new();
        for number in segment::numbers(&*self.disk, &self.folder)? {
            let header = self.header(number)?;
            // What is wanted begins in the last segment that does not begin after it.
            if header.first_position <= from.max(1) {
                segments.clear();
            }
            segments.push_back(number);
        }
        Ok(Entries {
            reader: self.clone(),
            segments,
            ready: VecDeque::new(),
            from,
            next: None,
        })
    }

    fn header(&self, number: u64) -> Result<proto::SegmentHeader, JournalError> {
        let path = SegmentPath::whole(&self.folder, number);
        let file = self.disk.open(&path).map_err(JournalError::io("opening", &path))?;
        let start = file.read(0, HEADER_ROOM).map_err(JournalError::io("reading", &path))?;
        let damaged = |what| {
            JournalError::Damaged(Damage {
                first_missing: 1,
                file: path.clone(),
                what,
            })
        };
        Ok(segment::read_header(&path, &start)?.map_err(damaged)?.0)
    }

    fn segment(&self, number: u64, next: Option<u64>) -> Result<VecDeque<Entry>, JournalError> {
        let path = SegmentPath::whole(&self.folder, number);
        let file = self.disk.open(&path).map_err(JournalError::io("opening", &path))?;
        let bytes = file.read_all().map_err(JournalError::io("reading", &path))?;
        let (header, mut at) = segment::read_header(&path, &bytes)?.map_err(|what| {
            JournalError::Damaged(Damage {
                first_missing: next.unwrap_or(1),
                file: path.clone(),
                what,
            })
        })?;
        let damaged = |what| {
            let first_missing = next.unwrap_or(header.first_position);
            JournalError::Damaged(Damage {
                first_missing,
                file: path.clone(),
                what,
            })
        };
        if next.is_some_and(|next| next != header.first_position) {
            return Err(damaged(format!("it begins at position {}", header.first_position)));
        }
        let mut entries = VecDeque::new();
        let mut chains = Chains::before(&header).map_err(damaged)?;
        let mut group = Vec::new();
        while let Some(frame) = frame::read(&bytes, at) {
            at = frame.end;
            match frame.kind {
                FrameKind::Entry => group.push(frame.payload),
                FrameKind::GroupEnd => {
                    for payload in group.drain(..) {
                        entries.push_back(record::decode(payload).map_err(damaged)?.entry);
                    }
                }
                FrameKind::Block => {
                    let read = Block::read(frame.payload).and_then(|block| block.entries(&mut chains, false));
                    entries.extend(read.map_err(damaged)?);
                }
                FrameKind::SegmentEnd | FrameKind::SegmentHeader => break,
            }
        }
        Ok(entries)
    }
}

/// Entries in order.
pub struct Entries {
    reader: JournalReader,
    segments: VecDeque<u64>,
    ready: VecDeque<Entry>,
    from: u64,
    next: Option<u64>,
}

impl Entries {
    fn advance(&mut self) -> Result<Option<Entry>, JournalError> {
        loop {
            while let Some(entry) = self.ready.pop_front() {
                self.next = Some(entry.position + 1);
                if entry.position >= self.from {
                    return Ok(Some(entry));
                }
            }
            let Some(number) = self.segments.pop_front() else {
                return Ok(None);
            };
            self.ready = self.reader.segment(number, self.next)?;
        }
    }
}

impl Iterator for Entries {
    type Item = Result<Entry, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.advance();
        if entry.is_err() {
            // Nothing after it can be trusted.
            self.segments.clear();
            self.ready.clear();
        }
        entry.transpose()
    }
}

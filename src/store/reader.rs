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

    /// All entries from this position on, as they come: see [`Follow::read`].
    pub fn follow(&self, from: u64) -> Follow {
        Follow {
            reader: self.clone(),
            next: from.max(1),
            segment: None,
        }
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

/// So much is read of the segment that is written, at first; a group that is larger is read in a larger piece.
const PIECE: usize = 1 << 20;

/// No group is larger, with its frames.
const LARGEST_GROUP: usize = 128 << 20;

/// Follows a journal while it is written.
pub struct Follow {
    reader: JournalReader,
    /// The position that is wanted next.
    next: u64,
    /// The segment that was the last one when it was looked at, and where its next group begins.
    segment: Option<(u64, u64)>,
}

impl Follow {
    /// What has come since, up to this position, which is durable; so much at a time that memory stays small. Nothing: all that
    /// is wanted has been read.
    ///
    /// # Errors
    /// The journal cannot be read. The same can be asked again.
    pub fn read(&mut self, through: u64) -> Result<Vec<Entry>, JournalError> {
        if self.next > through {
            return Ok(Vec::new());
        }
        let numbers = segment::numbers(&*self.reader.disk, &self.reader.folder)?;
        let Some(last) = numbers.last().copied() else {
            return Ok(Vec::new());
        };
        let current = match self.segment {
            Some((number, at)) if number == last => Some((number, at)),
            _ => self.closed(&numbers)?,
        };
        let entries = match current {
            // A closed one is read whole: it may be packed meanwhile, and then nothing is where it was.
            Some((number, _)) if number != last => {
                let found = self.reader.segment(number, None)?;
                self.segment = numbers.iter().find(|other| **other > number).map(|other| (*other, 0));
                found.into_iter().filter(|entry| entry.position >= self.next).collect()
            }
            Some((number, at)) => self.written(number, at, through)?,
            None => Vec::new(),
        };
        if let Some(entry) = entries.last() {
            self.next = entry.position + 1;
            return Ok(entries);
        }
        // A closed segment had nothing that is wanted; the next one may.
        match self.segment {
            Some((number, 0)) if current.is_some_and(|(before, _)| before != number) => self.read(through),
            _ => Ok(entries),
        }
    }

    /// The segment in which the next position is, and that nothing of it has been read where it is.
    fn closed(&self, numbers: &[u64]) -> Result<Option<(u64, u64)>, JournalError> {
        if let Some((number, at)) = self.segment {
            return Ok(Some((number, at)));
        }
        let mut found = None;
        for number in numbers {
            if self.reader.header(*number)?.first_position <= self.next || found.is_none() {
                found = Some((*number, 0));
            }
        }
        Ok(found)
    }

    /// Whole groups of the segment that is being written.
    fn written(&mut self, number: u64, at: u64, through: u64) -> Result<Vec<Entry>, JournalError> {
        let reader = &self.reader;
        let path = SegmentPath::whole(&reader.folder, number);
        let file = reader.disk.open(&path).map_err(JournalError::io("opening", &path))?;
        let damaged = |what| {
            JournalError::Damaged(Damage {
                first_missing: self.next,
                file: path.clone(),
                what,
            })
        };
        let mut begin = at;
        if at == 0 {
            let start = file.read(0, HEADER_ROOM).map_err(JournalError::io("reading", &path))?;
            begin = segment::read_header(&path, &start)?.map_err(damaged)?.1 as u64;
        }
        let mut piece = PIECE;
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let bytes = file.read(begin, piece).map_err(JournalError::io("reading", &path))?;
            let (mut at, mut group, mut whole) = (0, Vec::new(), 0);
            while let Some(frame) = frame::read(&bytes, at) {
                at = frame.end;
                match frame.kind {
                    FrameKind::Entry => group.push(record::decode(frame.payload).map_err(damaged)?.entry),
                    FrameKind::GroupEnd => {
                        // What is not durable yet is left for the next time.
                        if group.last().is_some_and(|entry| entry.position > through) {
                            break;
                        }
                        entries.extend(group.drain(..).filter(|entry| entry.position >= self.next));
                        whole = at;
                    }
                    FrameKind::SegmentEnd | FrameKind::SegmentHeader | FrameKind::Block => break,
                }
            }
            if whole > 0 || bytes.len() < piece || piece >= LARGEST_GROUP {
                self.segment = Some((number, begin + whole as u64));
                return Ok(entries);
            }
            piece *= 2;
        }
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

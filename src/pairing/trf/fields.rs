//! Columns of a line, as bytes of the file.

use std::ops::Range;

use crate::pairing::encoding::Encoding;

/// Columns that the document leaves blank in a player's row, counted from 0.
const BLANK: [usize; 8] = [3, 8, 13, 47, 52, 56, 68, 79];

/// Where each column of a line stands among its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    /// Where each begins, and at last where the line ends.
    begins: Vec<usize>,
}

impl Cells {
    /// Of a line; and whether its columns are counted in bytes though its characters have more than one.
    pub fn of(line: &[u8], encoding: Encoding) -> (Cells, bool) {
        let bytes = Cells {
            begins: (0..=line.len()).collect(),
        };
        let text = match encoding {
            Encoding::Utf8 if !line.is_ascii() => std::str::from_utf8(line).ok(),
            _ => None,
        };
        let Some(text) = text else { return (bytes, false) };
        let begins = text.char_indices().map(|(at, _)| at).chain([line.len()]).collect();
        let chars = Cells { begins };
        if bytes.misfits(line) < chars.misfits(line) {
            (bytes, true)
        } else {
            (chars, false)
        }
    }

    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// The bytes of these columns, as far as the line goes.
    pub fn bytes<'a>(&self, line: &'a [u8], columns: Range<usize>) -> &'a [u8] {
        let at = |column: usize| self.begins[column.min(self.len())];
        &line[at(columns.start)..at(columns.end)]
    }

    fn misfits(&self, line: &[u8]) -> usize {
        let rounds = (91..self.len())
            .step_by(10)
            .flat_map(|begin| [begin + 4, begin + 6, begin + 8]);
        BLANK
            .into_iter()
            .chain(rounds)
            .filter(|column| !matches!(self.bytes(line, *column..column + 1), b" " | b""))
            .count()
    }
}

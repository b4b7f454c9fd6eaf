//! Where a round's pairings come from: the pairing program's file, kept as it was, so that the results go back into it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use serde::{Deserialize, Serialize};

use super::ids::TableNo;

/// A file of a pairing program is far smaller.
pub const LARGEST_FILE: usize = 8 << 20;
const LEVEL: u8 = 9;

/// What a round was imported from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// What kind of file it is.
    pub format: ImportFormat,
    /// The file with the pairings.
    pub file: KeptFile,
    /// The file with the players, where they came apart.
    #[serde(default)]
    pub players: Option<KeptFile>,
    /// The starting numbers of those who play, table by table.
    #[serde(default)]
    pub numbers: Vec<Numbers>,
    /// Those who play no game.
    #[serde(default)]
    pub unpaired: Vec<Unpaired>,
    /// What the players had before the round, table by table, where the file tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Before>,
}

/// What a table's players had before the round, in tenths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Before {
    /// Where they play.
    pub table: TableNo,
    /// White's, as paired.
    pub white: Option<i64>,
    /// Black's.
    pub black: Option<i64>,
}

/// What kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImportFormat {
    /// FIDE's tournament report of 2016.
    Trf16,
    /// The same of 2026.
    Trf26,
    /// A count, and starting numbers in pairs, as bbpPairings and JaVaFo write them.
    PairList,
    /// A table with named columns.
    Csv,
}

impl ImportFormat {
    /// As it is told.
    pub fn name(self) -> &'static str {
        match self {
            ImportFormat::Trf16 => "TRF16",
            ImportFormat::Trf26 => "TRF26",
            ImportFormat::PairList => "pair list",
            ImportFormat::Csv => "CSV",
        }
    }
}

/// The starting numbers of a game's players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// Where they play.
    pub table: TableNo,
    /// White's, as paired.
    pub white: u32,
    /// Black's.
    pub black: u32,
}

/// A player without a game: a bye, a forfeit, or an absence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unpaired {
    /// His starting number, where the file has them.
    #[serde(default)]
    pub number: Option<u32>,
    /// His name.
    pub name: String,
    /// `U H F Z + -`.
    pub code: char,
    /// Whom a forfeit is against.
    #[serde(default)]
    pub opponent: Option<u32>,
    /// What he had before the round, in tenths of a point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i64>,
}

/// A file, byte for byte.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptFile {
    /// Its name, without folders.
    pub name: String,
    /// How its bytes are letters: `utf-8`, `windows-1250`, …
    pub encoding: String,
    /// Deflate, base64.
    packed: String,
}

impl std::fmt::Debug for KeptFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KeptFile({:?}, {})", self.name, self.encoding)
    }
}

impl KeptFile {
    /// Of these bytes.
    pub fn new(name: &str, encoding: &str, bytes: &[u8]) -> KeptFile {
        KeptFile {
            name: name.to_owned(),
            encoding: encoding.to_owned(),
            packed: STANDARD.encode(compress_to_vec(bytes, LEVEL)),
        }
    }

    /// Its bytes; `None` where what is kept is damaged.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let packed = STANDARD.decode(&self.packed).ok()?;
        decompress_to_vec_with_limit(&packed, LARGEST_FILE).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_back_byte_for_byte() {
        let bytes = b"001 \xff\x00\r\n\r".repeat(1000);
        let kept = KeptFile::new("a.trf", "windows-1252", &bytes);
        assert!(kept.packed.len() < bytes.len() / 10);
        assert_eq!(kept.bytes(), Some(bytes));
        let mut damaged = kept;
        damaged.packed.truncate(5);
        assert_eq!(damaged.bytes(), None);
    }
}

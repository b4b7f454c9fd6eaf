//! The encodings in which pairing programs write names, and the lines of their files.
//!
//! The bytes of a file are never changed by being read: text is made of them only to be shown.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::remark::Remark;

const MARK: &[u8] = b"\xef\xbb\xbf";

/// How a file's bytes are letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// With or without a byte order mark.
    #[default]
    Utf8,
    /// Western Europe; what is called Latin-1 is read as this, its superset.
    Windows1252,
    /// Central Europe: Polish, Czech, Hungarian, Croatian.
    Windows1250,
    /// Cyrillic.
    Windows1251,
}

/// Not an encoding that is known here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no encoding known here: write utf-8, latin-1, windows-1250, windows-1251 or windows-1252")]
pub struct NoEncoding(String);

impl FromStr for Encoding {
    type Err = NoEncoding;

    fn from_str(text: &str) -> Result<Encoding, NoEncoding> {
        let plain: String = text
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        match plain.as_str() {
            "utf8" => Ok(Encoding::Utf8),
            "latin1" | "iso88591" | "windows1252" | "cp1252" => Ok(Encoding::Windows1252),
            "windows1250" | "cp1250" => Ok(Encoding::Windows1250),
            "windows1251" | "cp1251" => Ok(Encoding::Windows1251),
            _ => Err(NoEncoding(super::remark::shown(text))),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Windows1252 => "windows-1252",
            Encoding::Windows1250 => "windows-1250",
            Encoding::Windows1251 => "windows-1251",
        })
    }
}

impl Encoding {
    /// The encoding of a file: the one that is given, or what its bytes say; where they say nothing certain, a warning.
    ///
    /// # Errors
    /// The bytes are of none of these, or not of the one that was given.
    pub fn of(bytes: &[u8], given: Option<Encoding>) -> Result<(Encoding, Option<Remark>), Remark> {
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || bytes.contains(&0) {
            return Err(Remark::file(
                "it is UTF-16 or no text at all: save it as plain text in UTF-8, or give the file that the pairing program wrote",
            ));
        }
        let wrong = |error: std::str::Utf8Error| {
            let before = &bytes[..error.valid_up_to()];
            let line = lines(before).len().max(1) as u64;
            let text = &bytes[before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)..];
            let text = &text[..text
                .iter()
                .position(|b| matches!(b, b'\n' | b'\r'))
                .unwrap_or(text.len())];
            (line, text.to_vec())
        };
        match (std::str::from_utf8(bytes), given) {
            (Ok(_), None) => Ok((Encoding::Utf8, None)),
            (Ok(_), Some(given)) if bytes.starts_with(MARK) && given != Encoding::Utf8 => Err(Remark::file(format!(
                "it begins with the mark of UTF-8 and cannot be {given}: leave `--encoding` out"
            ))),
            (_, Some(given)) if given != Encoding::Utf8 => Ok((given, None)),
            (Ok(_), Some(given)) => Ok((given, None)),
            (Err(error), Some(_)) => {
                let (line, _) = wrong(error);
                Err(Remark::line(
                    line,
                    "this line is not UTF-8: give another `--encoding`, windows-1250, windows-1251 or windows-1252",
                ))
            }
            (Err(error), None) => {
                let (line, text) = wrong(error);
                let guess = Encoding::Windows1252;
                let read = guess.text(&text);
                let words = read.split("  ").map(str::trim);
                let word = words.filter(|word| !word.is_ascii()).max_by_key(|word| word.len());
                let warning = Remark::line(
                    line,
                    format!(
                        "the file is not UTF-8 and was read as {guess}, so that it says `{}`: if that is not the name, give \
                         `--encoding windows-1250` (Central Europe) or `windows-1251` (Cyrillic)",
                        super::remark::shown(word.unwrap_or_default())
                    ),
                );
                Ok((guess, Some(warning)))
            }
        }
    }

    /// These bytes as text.
    pub fn text(self, bytes: &[u8]) -> Cow<'_, str> {
        let encoding = match self {
            Encoding::Utf8 => encoding_rs::UTF_8,
            Encoding::Windows1252 => encoding_rs::WINDOWS_1252,
            Encoding::Windows1250 => encoding_rs::WINDOWS_1250,
            Encoding::Windows1251 => encoding_rs::WINDOWS_1251,
        };
        encoding.decode_without_bom_handling(bytes).0
    }

    /// A whole file as text, without its byte order mark.
    pub fn whole(self, bytes: &[u8]) -> Cow<'_, str> {
        self.text(bytes.strip_prefix(MARK).unwrap_or(bytes))
    }
}

/// Where each line is, without its end: CR LF, LF or CR, mixed as they may be. A byte order mark belongs to no line.
pub fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut begin = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
    let mut at = begin;
    while at < bytes.len() {
        match bytes[at] {
            b'\n' | b'\r' => {
                found.push(begin..at);
                at += if bytes[at..].starts_with(b"\r\n") { 2 } else { 1 };
                begin = at;
            }
            _ => at += 1,
        }
    }
    if begin < bytes.len() {
        found.push(begin..bytes.len());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_utf8_is_read_so_and_anything_else_with_a_warning() {
        assert_eq!(Encoding::of("Müller".as_bytes(), None), Ok((Encoding::Utf8, None)));
        let (encoding, warning) = Encoding::of(b"001\n001  M\xfcller\n", None).expect("read");
        assert_eq!(encoding, Encoding::Windows1252);
        let warning = warning.expect("a warning");
        assert_eq!(warning.line, 2);
        assert!(warning.message.contains("`Müller`"), "{warning}");
    }

    #[test]
    fn the_given_encoding_decides() {
        let polish = b"Wo\x9fniak, \x8cwie\xbf";
        let (encoding, warning) = Encoding::of(polish, Some(Encoding::Windows1250)).expect("read");
        assert_eq!((&*encoding.text(polish), warning), ("Woźniak, Śwież", None));
        let russian = b"\xca\xe0\xf0\xff\xea\xe8\xed";
        assert_eq!("cp1251".parse::<Encoding>().expect("known").text(russian), "Карякин");
        assert!(Encoding::of(polish, Some(Encoding::Utf8)).is_err());
        assert!(Encoding::of(b"\xff\xfe0\x000\x00", None).is_err());
        assert!("koi8-r".parse::<Encoding>().is_err());
    }

    #[test]
    fn lines_end_as_they_end() {
        let text = b"\xef\xbb\xbfa\r\nb\rc\n\nd";
        let found: Vec<_> = lines(text).into_iter().map(|line| &text[line]).collect();
        assert_eq!(found, [&b"a"[..], b"b", b"c", b"", b"d"]);
        assert!(lines(b"").is_empty());
    }
}

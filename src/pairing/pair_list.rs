//! What bbpPairings and JaVaFo answer with: how many pairs, and then a line a pair with two starting numbers, White's first; 0 is
//! the bye.

use std::collections::BTreeMap;

use super::encoding::lines;
use super::remark::{Remark, shown};

/// A pair list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairList {
    /// White's number and Black's, each with its line, in the order of boards.
    pub games: Vec<(u64, u32, u32)>,
    /// Who has the bye, with the line.
    pub byes: Vec<(u64, u32)>,
}

/// Whether a file looks like one: nothing but numbers.
pub fn is_one(bytes: &[u8]) -> bool {
    let plain = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let is_number = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_whitespace();
    plain.iter().any(u8::is_ascii_digit) && plain.iter().all(is_number)
}

/// Reads one.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read(bytes: &[u8]) -> Result<PairList, Vec<Remark>> {
    let mut list = PairList::default();
    let mut errors = Vec::new();
    let mut count = None;
    let mut seen: BTreeMap<u32, u64> = BTreeMap::new();
    for (index, at) in lines(bytes).into_iter().enumerate() {
        let line = index as u64 + 1;
        let text = String::from_utf8_lossy(&bytes[at]);
        let words: Vec<&str> = text.split_whitespace().collect();
        let numbers: Option<Vec<u32>> = words.iter().map(|word| word.parse().ok()).collect();
        match (numbers.as_deref(), count) {
            (Some([]), _) => continue,
            (Some([pairs]), None) => {
                count = Some((line, *pairs));
                continue;
            }
            (Some([white, black]), Some(_)) => {
                let mut is_new = true;
                for (at, number) in [white, black].into_iter().enumerate() {
                    if *number == 0 {
                        continue;
                    }
                    if at == 1 && white == black {
                        errors.push(Remark::line(line, format!("player {number} is paired against himself")));
                        is_new = false;
                    } else if let Some(before) = seen.insert(*number, line) {
                        let message = format!("player {number} is paired in line {before} already");
                        errors.push(Remark::line(line, message));
                        is_new = false;
                    }
                }
                match (*white, *black) {
                    _ if !is_new => {}
                    (0, 0) => errors.push(Remark::line(line, "nobody is paired with nobody: take the line out")),
                    (one, 0) | (0, one) => list.byes.push((line, one)),
                    (white, black) => list.games.push((line, white, black)),
                }
            }
            _ => errors.push(Remark::line(
                line,
                format!(
                    "`{}` cannot be read: the first line is the number of pairs, and every other has two starting numbers, White's first",
                    shown(text.trim())
                ),
            )),
        }
    }
    let pairs = list.games.len() + list.byes.len();
    match count {
        None if errors.is_empty() => errors.push(Remark::file(
            "there is nothing in it: a pair list begins with the number of pairs",
        )),
        Some((line, count)) if errors.is_empty() && count as usize != pairs => {
            errors.push(Remark::line(
                line,
                format!("it says {count} pairs, and {pairs} follow: is the file whole? Export it again"),
            ));
        }
        _ => {}
    }
    if errors.is_empty() { Ok(list) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_the_bye_are_read() {
        let list = read(b"3\r\n4 1\r\n2 5\r\n3 0\r\n").expect("read");
        assert_eq!(list.games, [(2, 4, 1), (3, 2, 5)]);
        assert_eq!(list.byes, [(4, 3)]);
    }

    #[test]
    fn what_cannot_be_is_told_with_its_line() {
        let told = |text: &str| {
            let errors = read(text.as_bytes()).expect_err("refused");
            errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(told("1\n3 3\n"), "line 2: player 3 is paired against himself");
        assert!(told("2\n1 2\n3 1\n").starts_with("line 3: player 1 is paired in line 2 already"));
        assert!(told("3\n1 2\n").contains("line 1: it says 3 pairs, and 1 follow"));
        assert!(told("1\n1 2 3\n").contains("line 2: `1 2 3` cannot be read"));
        assert!(told("").contains("nothing in it"));
    }
}

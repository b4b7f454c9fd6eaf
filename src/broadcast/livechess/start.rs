//! The number of a Chess960 starting position, as Scharnagl counted them: 518 is the usual one.

/// The number of the usual starting position.
pub const USUAL: u16 = 518;

/// The number of the position that this FEN begins from; `None` where it is no starting position.
pub fn number(fen: &str) -> Option<u16> {
    let mut fields = fen.split_whitespace();
    let ranks: Vec<&str> = fields.next()?.split('/').collect();
    let [black, "pppppppp", "8", "8", "8", "8", "PPPPPPPP", white] = ranks[..] else {
        return None;
    };
    if fields.next().is_some_and(|turn| turn != "w") || black.to_ascii_uppercase() != white {
        return None;
    }
    let rank: Vec<char> = white.chars().collect();
    let of = |piece: char| -> Vec<usize> {
        let files = rank.iter().enumerate();
        files.filter(|(_, one)| **one == piece).map(|(file, _)| file).collect()
    };
    let two = |piece: char| <[usize; 2]>::try_from(of(piece)).ok();
    let one = |piece: char| <[usize; 1]>::try_from(of(piece)).ok().map(|[file]| file);
    let ([left, right], [knight, other], [rook, far]) = (two('B')?, two('N')?, two('R')?);
    let (queen, king) = (one('Q')?, one('K')?);
    if left % 2 == right % 2 || !(rook..far).contains(&king) {
        return None;
    }
    // b1 is light: bishops on odd files stand on light squares.
    let (light, dark) = if left % 2 == 1 { (left, right) } else { (right, left) };
    let before = |file: usize, taken: &[usize]| file - taken.iter().filter(|one| **one < file).count();
    let queen_at = before(queen, &[left, right]);
    let taken = [left, right, queen];
    let (near, away) = (before(knight, &taken), before(other, &taken));
    // The pairs of five squares in order: 0-1, 0-2, … 3-4.
    let pairs = [0, 4, 7, 9];
    let knights = pairs[near] + (away - near - 1);
    u16::try_from(light / 2 + 4 * (dark / 2) + 16 * queen_at + 96 * knights).ok()
}

#[cfg(test)]
mod tests {
    use super::number;

    fn of(rank: &str) -> Option<u16> {
        let black = rank.to_lowercase();
        number(&format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1"))
    }

    #[test]
    fn positions_have_the_numbers_of_the_published_table() {
        for (rank, known) in [("RNBQKBNR", 518), ("BBQNNRKR", 0), ("RKRNNQBB", 959), ("BQNBNRKR", 1)] {
            assert_eq!(of(rank), Some(known), "{rank}");
        }
    }

    #[test]
    fn every_starting_position_has_a_number_of_its_own() {
        let mut seen = std::collections::BTreeSet::new();
        let mut rank = ['B', 'B', 'K', 'N', 'N', 'Q', 'R', 'R'];
        permute(&mut rank, 0, &mut |rank| {
            if let Some(number) = of(&rank.iter().collect::<String>()) {
                seen.insert(number);
            }
        });
        assert_eq!(seen.len(), 960);
        assert_eq!((seen.first(), seen.last()), (Some(&0), Some(&959)));
    }

    fn permute(rank: &mut [char; 8], at: usize, each: &mut dyn FnMut(&[char; 8])) {
        if at == rank.len() {
            return each(rank);
        }
        for other in at..rank.len() {
            rank.swap(at, other);
            permute(rank, at + 1, each);
            rank.swap(at, other);
        }
    }

    #[test]
    fn what_is_no_starting_position_has_none() {
        for fen in [
            "",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBRN w KQkq - 0 1",
            "bnbqrknr/pppppppp/8/8/8/8/PPPPPPPP/BNBQRKNR w KQkq - 0 1",
        ] {
            assert_eq!(number(fen), None, "{fen}");
        }
    }
}

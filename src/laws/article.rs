//! The articles on which findings and rulings of this house rest, each with what it is about. `docs/laws.md` says of every one what the hub
//! sees and proposes, and what only an arbiter can see.

/// One article of the FIDE Laws of Chess in force from [`EDITION`], an Appendix or a Guideline among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Article {
    /// As the Laws number it: `7.5.5`, `A.5.2`, `Guidelines III.5`.
    pub number: &'static str,
    /// What it is about.
    pub subject: &'static str,
}

/// The edition of the Laws that is administered.
pub const EDITION: &str = "1 January 2023";

const fn article(number: &'static str, subject: &'static str) -> Article {
    Article { number, subject }
}

/// All that are used, in the order of the Laws.
pub const ALL: &[Article] = &[
    article("1.3", "Who has the move"),
    article("1.4.1", "The king is never captured"),
    article("2.3", "The initial position"),
    article("3.1", "No piece goes where one of its own colour stands"),
    article("3.1.1", "What a capture takes off"),
    article("3.1.2", "What attacks a square"),
    article("3.2", "The bishop's moves"),
    article("3.3", "The rook's moves"),
    article("3.4", "The queen's moves"),
    article("3.5", "Nothing in between"),
    article("3.6", "The knight's moves"),
    article("3.7", "The pawn's moves"),
    article("3.7.1", "One square forward"),
    article("3.7.3", "Diagonal captures, en passant"),
    article("3.7.3.1", "En passant"),
    article("3.7.3.2", "En passant at once or never"),
    article("3.7.3.3", "Promotion"),
    article("3.7.3.5", "Promotion takes effect at once"),
    article("3.8.1", "The king's moves"),
    article("3.8.2", "Castling"),
    article("3.8.2.1", "Castling rights"),
    article("3.8.2.2", "Castling prevented for a time"),
    article("3.9.1", "When a king is in check"),
    article("3.9.2", "No move leaves the own king in check"),
    article("3.10.2", "What an illegal move is"),
    article("3.10.3", "A position that no legal moves lead to"),
    article("4.1", "One hand"),
    article("4.2.1", "Adjusting"),
    article("4.3", "Touched is moved"),
    article("4.3.1", "An own piece touched moves"),
    article("4.3.2", "An opponent's piece touched is captured"),
    article("4.3.3", "Pieces of both colours touched"),
    article("4.4.2", "The rook touched before the king"),
    article("4.4.3", "King or rook touched to castle"),
    article("4.4.4", "The promoted piece is chosen when it touches the square"),
    article("4.5", "Nothing touched can move: any legal move"),
    article("4.7", "When a move has been made"),
    article("4.7.1", "A capture is made"),
    article("4.7.2", "Castling is made"),
    article("4.7.3", "A promotion is made"),
    article("5.1.1", "Checkmate"),
    article("5.1.2", "Resignation"),
    article("5.2.1", "Stalemate"),
    article("5.2.2", "Dead position"),
    article("5.2.3", "Draw by agreement"),
    article("6.1", "The flag"),
    article("6.2.1", "The press completes the move"),
    article("6.2.1.1", "A move that ends the game needs no press"),
    article("6.2.1.2", "A move never pressed is completed by the next one"),
    article("6.2.2", "A player may always press"),
    article("6.2.4", "No press before the move"),
    article("6.3", "Periods and what moves add"),
    article("6.3.1", "Moves to be made in a period"),
    article("6.3.2", "Increment, delay, Bronstein"),
    article("6.4", "The requirement is checked when a flag falls"),
    article("6.6", "White's clock starts"),
    article("6.7.1", "Default time"),
    article("6.7.2", "Neither player there"),
    article("6.8", "When a flag is considered to have fallen"),
    article("6.9", "Loss on time, unless the opponent cannot mate"),
    article("6.10.1", "The clock is conclusive"),
    article("6.10.2", "A wrong setting"),
    article("6.11", "Pausing the clocks"),
    article("6.11.1", "The arbiter pauses"),
    article("6.11.2", "A player pauses to call the arbiter"),
    article("6.11.3", "The arbiter says when play goes on"),
    article("6.11.4", "A pause without a reason"),
    article("6.12.2", "Screens prove no claim"),
    article("7.1", "The position before the irregularity"),
    article("7.2.1", "The initial position was wrong"),
    article("7.3", "Colours reversed"),
    article("7.4.1", "Pieces displaced"),
    article("7.5.1", "An illegal move completed"),
    article("7.5.2", "A pawn left on its last rank"),
    article("7.5.3", "A press without a move"),
    article("7.5.4", "Two hands"),
    article("7.5.5", "What illegal moves cost"),
    article("7.6", "Pieces off their squares"),
    article("8.5", "Scoresheets after a flag"),
    article("8.5.1", "Scoresheets after a flag, neither kept"),
    article("8.5.3", "Reconstruction"),
    article("8.6", "Overstepping that cannot be proved"),
    article("8.7", "The result"),
    article("9.1.1", "No draw before so many moves"),
    article("9.1.2.1", "Draw offers"),
    article("9.1.2.3", "A claim is an offer"),
    article("9.2", "The third occurrence"),
    article("9.2.1", "With an intended move"),
    article("9.2.2", "As it stands"),
    article("9.2.3", "When positions are the same"),
    article("9.2.3.1", "En passant makes another position"),
    article("9.2.3.2", "Castling rights make another position"),
    article("9.3", "Fifty moves"),
    article("9.3.1", "With an intended move"),
    article("9.3.2", "As it stands"),
    article("9.4", "No claim after touching"),
    article("9.5", "Claims are checked"),
    article("9.5.1", "A claim cannot be withdrawn"),
    article("9.5.2", "A right claim draws"),
    article("9.5.3", "A wrong claim"),
    article("9.6.1", "The fifth occurrence"),
    article("9.6.2", "Seventy-five moves"),
    article("11.3.2", "Devices in the playing venue"),
    article("11.3.2.1", "Devices, where the regulations are milder"),
    article("11.3.2.2", "An electronic device"),
    article("11.5", "Disturbing the opponent"),
    article("11.7", "Persistent refusal"),
    article("11.8", "Both guilty"),
    article("11.10", "Appeals"),
    article("12.6", "The arbiter does not help"),
    article("12.9", "Penalties"),
    article("12.9.1", "Warning"),
    article("12.9.2", "More time for the opponent"),
    article("12.9.3", "Less time for the offender"),
    article("12.9.5", "Fewer points for the offender"),
    article("12.9.6", "Loss of the game"),
    article("A.1", "What is rapid"),
    article("A.3", "Rapid: one minute"),
    article("A.4", "Rapid with adequate supervision"),
    article("A.5.1.1", "A wrong setting after ten moves"),
    article("A.5.1.2", "A wrong initial position after ten moves"),
    article("A.5.2", "What is not claimed or seen before the reply stands"),
    article("A.5.3", "Claiming a flag"),
    article("A.5.4", "Both kings in check, a pawn on its last rank"),
    article("A.5.5", "The arbiter calls a flag that he sees"),
    article("B.1", "What is blitz"),
    article("B.2", "Blitz with adequate supervision"),
    article("B.3", "Blitz otherwise"),
    article("Guidelines II.3", "Castling in Chess960"),
    article("Guidelines III.1", "What a quickplay finish is"),
    article("Guidelines III.2.1", "Only where it was announced"),
    article("Guidelines III.2.2", "Not in blitz, and not with increments"),
    article("Guidelines III.3.1", "Two flags, and nobody knows which fell first"),
    article("Guidelines III.4", "Five seconds a move for both"),
    article("Guidelines III.5", "No effort to win, or no way to"),
];

/// The article of this number; `None` where nothing rests on it.
pub fn find(number: &str) -> Option<&'static Article> {
    ALL.iter().find(|article| article.number == number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::{Finding, OpenPoints};

    #[test]
    fn what_is_left_open_and_what_is_enforced_rests_on_known_articles() {
        for (at, article) in ALL.iter().enumerate() {
            assert!(!article.subject.is_empty());
            assert!(
                ALL[..at].iter().all(|other| other.number != article.number),
                "{}",
                article.number
            );
        }
        let open = OpenPoints::ALL.iter().flat_map(|point| point.articles).copied();
        for number in open.chain(Finding::ALL.map(Finding::article)) {
            assert!(find(number).is_some(), "{number} is not among the articles");
        }
        assert_eq!(
            find("7.5.5").map(|article| article.subject),
            Some("What illegal moves cost")
        );
        assert!(find("99").is_none());
    }
}

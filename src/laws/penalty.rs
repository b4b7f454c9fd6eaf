//! What an offence costs in time.

use super::Category;
use crate::time::Millis;

/// The time that an illegal move or a wrong draw claim gives the opponent: two minutes, in rapid and blitz one (7.5.5, 9.5.3,
/// A.3, B.3). B.2 read literally would give two in blitz under adequate supervision; all published practice gives one.
pub fn opponents_time(category: Category) -> Millis {
    match category {
        Category::Standard => Millis::mins(2),
        Category::Rapid | Category::Blitz => Millis::mins(1),
    }
}

/// The illegal move that loses the game (7.5.5).
pub const ILLEGAL_MOVES_THAT_LOSE: u32 = 2;

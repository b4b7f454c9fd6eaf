//! What an offence costs in time.

use super::open_points::BlitzSupervisedPenalty;
use super::{Category, OpenPoints, Supervision};
use crate::time::Millis;

/// The time that an illegal move or a wrong draw claim gives the opponent: two minutes, in rapid and blitz one (7.5.5, 9.5.3,
/// A.3, B.3). For blitz under adequate supervision the event decides (B.2).
pub fn opponents_time(category: Category, supervision: Supervision, points: &OpenPoints) -> Millis {
    match (category, supervision, points.blitz_supervised_penalty) {
        (Category::Standard, _, _) => Millis::mins(2),
        (Category::Blitz, Supervision::Adequate, BlitzSupervisedPenalty::TwoMinutes) => Millis::mins(2),
        (Category::Rapid | Category::Blitz, _, _) => Millis::mins(1),
    }
}

/// The illegal move that loses the game (7.5.5).
pub const ILLEGAL_MOVES_THAT_LOSE: u32 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_standard_costs_two_minutes_unless_supervised_blitz_is_said_to() {
        let mut points = OpenPoints::default();
        let cost = |category, supervision, points: &OpenPoints| opponents_time(category, supervision, points);
        for supervision in [Supervision::Limited, Supervision::Adequate] {
            assert_eq!(cost(Category::Standard, supervision, &points), Millis::mins(2));
            assert_eq!(cost(Category::Rapid, supervision, &points), Millis::mins(1));
            assert_eq!(cost(Category::Blitz, supervision, &points), Millis::mins(1));
        }
        points.blitz_supervised_penalty = BlitzSupervisedPenalty::TwoMinutes;
        assert_eq!(cost(Category::Blitz, Supervision::Adequate, &points), Millis::mins(2));
        assert_eq!(cost(Category::Blitz, Supervision::Limited, &points), Millis::mins(1));
        assert_eq!(cost(Category::Rapid, Supervision::Adequate, &points), Millis::mins(1));
    }
}

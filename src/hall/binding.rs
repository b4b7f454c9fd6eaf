//! The three facts of a table about its devices: which clock and board serve it, at which side of the clock White sits, and
//! which way round the board lies. What devices say by side and square becomes facts by colour and square here, and what the
//! game wants of its clock becomes orders by side.

use super::model::{Side, Table};
use super::report::{
    Button, Control, ControlBonus, ControlPeriod, DeviceOrderKind, Face, Occupant, Outcome, ReportKind,
};
use crate::chess::{Color, Picture, Square};
use crate::game::GameSetup;
use crate::game::audience::OrderKind;
use crate::game::input::{ByHand, Claim, Fact, OrderAnswer, Reading};
use crate::laws::{Bonus, PeriodRule};
use crate::mutation::{self, Mutation};

/// Which way round things are at one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The side of the clock at which White sits.
    pub white_side: Side,
    /// The board's own a1 lies at h8.
    pub board_turned: bool,
}

impl From<&Table> for Binding {
    fn from(table: &Table) -> Binding {
        Binding {
            white_side: table.white_side,
            board_turned: table.board_turned,
        }
    }
}

impl Binding {
    /// Who sits at this side.
    pub fn color(&self, side: Side) -> Color {
        let white = if mutation::on(Mutation::LeftIsWhite) {
            Side::Left
        } else {
            self.white_side
        };
        if side == white { Color::White } else { Color::Black }
    }

    /// Where this player sits.
    pub fn side(&self, color: Color) -> Side {
        match color {
            Color::White => self.white_side,
            Color::Black => self.white_side.other(),
        }
    }

    /// What the clock shows, by colour.
    pub fn reading(&self, face: &Face) -> Reading {
        let (white, black) = match self.white_side {
            Side::Left => (face.left, face.right),
            Side::Right => (face.right, face.left),
        };
        Reading {
            white,
            black,
            running: face.running.map(|side| self.color(side)),
        }
    }

    fn square(&self, square: Square) -> Square {
        if self.board_turned { square.turned() } else { square }
    }

    /// A whole picture in the table's own coordinates; `None` where it cannot be read.
    pub fn placement(&self, picture: &str) -> Option<String> {
        let picture: Picture = picture.parse().ok()?;
        Some(if self.board_turned { picture.turned() } else { picture }.to_string())
    }

    /// What a report says of the game. A press comes before what the clock showed after it.
    pub fn facts(&self, report: &ReportKind) -> Vec<Fact> {
        let reading = |face: &Option<Face>| face.as_ref().map(|face| Fact::Reading(self.reading(face)));
        match report {
            ReportKind::Press { side, face } => {
                let press = Fact::Pressed { by: self.color(*side) };
                std::iter::once(press).chain(reading(face)).collect()
            }
            ReportKind::Squares(changes) => changes.iter().map(|change| self.change(change)).collect(),
            ReportKind::Placement(picture) => self
                .placement(picture)
                .map(|placement| Fact::Placed { placement })
                .into_iter()
                .collect(),
            ReportKind::Reading(face) => vec![Fact::Reading(self.reading(face))],
            ReportKind::Flag { side, face } => {
                let reading = face.as_ref().map(|face| self.reading(face));
                vec![Fact::FlagShown {
                    of: self.color(*side),
                    reading,
                }]
            }
            ReportKind::Button { button, side, face } => {
                // What only one player can say needs his side; without it the arbiter is called all the same.
                let by = side.map(|side| self.color(side));
                let fact = match (button, by) {
                    (Button::Claim(what), Some(by)) => Fact::Claimed {
                        by,
                        what: what.unwrap_or(Claim::Unspecified),
                        intends: None,
                    },
                    (Button::DrawOffered, Some(by)) => Fact::DrawOffered { by },
                    (Button::DrawAccepted, Some(by)) => Fact::DrawAccepted { by },
                    (Button::DrawDeclined, Some(by)) => Fact::DrawDeclined { by },
                    (Button::Result(result), Some(by)) => Fact::ResultEntered {
                        by,
                        result: result.clone(),
                    },
                    // A board that knows result pieces does not know who has put them there.
                    (Button::Result(result), None) => Fact::ResultShown { result: result.clone() },
                    (_, by) => Fact::Paused { by },
                };
                std::iter::once(fact).chain(reading(face)).collect()
            }
            ReportKind::StartedByHand(face) => {
                vec![Fact::ByHand {
                    what: ByHand::Started,
                    reading: self.reading(face),
                }]
            }
            ReportKind::StoppedByHand(face) => {
                vec![Fact::ByHand {
                    what: ByHand::Stopped,
                    reading: self.reading(face),
                }]
            }
            ReportKind::AdjustedByHand {
                before: Some(before),
                after,
            } => {
                let what = ByHand::Adjusted {
                    before: self.reading(before),
                };
                vec![Fact::ByHand {
                    what,
                    reading: self.reading(after),
                }]
            }
            ReportKind::AdjustedByHand { before: None, after } => vec![Fact::Reading(self.reading(after))],
            ReportKind::Lost { count } => vec![Fact::ReportsLost { count: *count }],
        }
    }

    fn change(&self, (square, now): &(Square, Occupant)) -> Fact {
        let square = self.square(*square);
        match now {
            Occupant::Nothing => Fact::Lifted { square },
            Occupant::Something => Fact::Put { square, piece: None },
            Occupant::Piece(color, role) => Fact::Put {
                square,
                piece: Some((*color, *role)),
            },
        }
    }

    /// An order of the game, as the clock understands it.
    pub fn order(&self, order: &OrderKind, setup: &GameSetup) -> DeviceOrderKind {
        match order {
            OrderKind::Control => DeviceOrderKind::Control(self.control(setup)),
            OrderKind::Add { white, black } => {
                let (left, right) = self.by_side(*white, *black);
                DeviceOrderKind::Add { left, right }
            }
            OrderKind::Set { white, black, moves } => {
                let (left, right) = self.by_side(*white, *black);
                let moves = moves.map(|(white, black)| self.by_side(white, black));
                DeviceOrderKind::Set { left, right, moves }
            }
            OrderKind::Run(color) => DeviceOrderKind::Run(self.side(*color)),
            OrderKind::Stop => DeviceOrderKind::Stop,
        }
    }

    /// The game's time control, and what the clock shows before the start.
    pub fn control(&self, setup: &GameSetup) -> Control {
        let start = setup.time_control.start(setup.first_increment);
        let (left, right) = self.by_side(setup.white_time.unwrap_or(start), setup.black_time.unwrap_or(start));
        let periods = setup.time_control.periods();
        Control {
            periods: periods
                .iter()
                .enumerate()
                .map(|(at, period)| ControlPeriod {
                    moves: period.moves.filter(|_| at + 1 < periods.len()),
                    time: period.time,
                    bonus: match period.bonus {
                        Bonus::None => ControlBonus::None,
                        Bonus::Increment(span) => ControlBonus::Increment(span),
                        Bonus::Delay(span) => ControlBonus::Delay(span),
                        Bonus::Bronstein(span) => ControlBonus::Bronstein(span),
                    },
                })
                .collect(),
            added_on_moves: setup.period_rule == PeriodRule::OnMoves,
            white: self.white_side,
            left,
            right,
            freeze: true,
        }
    }

    /// Left, then right.
    pub fn by_side<T>(&self, white: T, black: T) -> (T, T) {
        match self.white_side {
            Side::Left => (white, black),
            Side::Right => (black, white),
        }
    }
}

impl From<&Outcome> for OrderAnswer {
    fn from(outcome: &Outcome) -> OrderAnswer {
        match outcome {
            Outcome::Done => OrderAnswer::Done,
            Outcome::MovedOn if mutation::on(Mutation::MovedOnIsDone) => OrderAnswer::Done,
            Outcome::MovedOn => OrderAnswer::MovedOn,
            Outcome::Expired => OrderAnswer::Refused {
                why: "the order reached the clock too late".into(),
            },
            Outcome::OldEpoch => OrderAnswer::Refused {
                why: "the clock obeys a newer hub".into(),
            },
            Outcome::Cannot(why) => OrderAnswer::Refused { why: why.clone() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Role;
    use crate::time::Millis;

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    #[test]
    fn sides_colours_and_the_boards_way_round_are_three_facts() {
        let face = Face {
            left: Millis(1000),
            right: Millis(2000),
            running: Some(Side::Left),
        };
        for white_side in [Side::Left, Side::Right] {
            for board_turned in [false, true] {
                let binding = Binding {
                    white_side,
                    board_turned,
                };
                let facts = binding.facts(&ReportKind::Press {
                    side: Side::Left,
                    face: Some(face),
                });
                let by = if white_side == Side::Left {
                    Color::White
                } else {
                    Color::Black
                };
                assert_eq!(facts[0], Fact::Pressed { by });
                let Fact::Reading(reading) = facts[1] else {
                    panic!("{facts:?}")
                };
                assert_eq!(
                    (reading.white, reading.running),
                    (if by == Color::White { Millis(1000) } else { Millis(2000) }, Some(by))
                );
                let change = (square("e2"), Occupant::Piece(Color::White, Role::Pawn));
                let seen = binding.facts(&ReportKind::Squares(vec![change]));
                let at = square(if board_turned { "d7" } else { "e2" });
                assert_eq!(
                    seen,
                    [Fact::Put {
                        square: at,
                        piece: Some((Color::White, Role::Pawn))
                    }]
                );
                let set = OrderKind::Set {
                    white: Millis(1),
                    black: Millis(2),
                    moves: Some((3, 4)),
                };
                let DeviceOrderKind::Set { left, moves, .. } = binding.order(&set, &GameSetup::default()) else {
                    panic!()
                };
                let white_left = white_side == Side::Left;
                assert_eq!(
                    (left, moves),
                    if white_left {
                        (Millis(1), Some((3, 4)))
                    } else {
                        (Millis(2), Some((4, 3)))
                    }
                );
            }
        }
    }

    #[test]
    fn a_turned_picture_is_turned_back() {
        let binding = Binding {
            white_side: Side::Left,
            board_turned: true,
        };
        assert_eq!(
            binding.placement("8/8/8/8/8/8/8/K7").as_deref(),
            Some("7K/8/8/8/8/8/8/8")
        );
        assert_eq!(
            binding.placement("7x/8/8/8/8/8/8/8").as_deref(),
            Some("8/8/8/8/8/8/8/x7")
        );
        assert_eq!(binding.placement("nonsense"), None);
    }

    #[test]
    fn a_button_in_the_middle_calls_the_arbiter() {
        let binding = Binding {
            white_side: Side::Left,
            board_turned: false,
        };
        let press = |button, side| {
            binding.facts(&ReportKind::Button {
                button,
                side,
                face: None,
            })
        };
        assert_eq!(press(Button::Pause, None), [Fact::Paused { by: None }]);
        assert_eq!(press(Button::DrawOffered, None), [Fact::Paused { by: None }]);
        assert_eq!(
            press(Button::DrawOffered, Some(Side::Right)),
            [Fact::DrawOffered { by: Color::Black }]
        );
    }
}

//! What an arbiter has seen himself: each observation joins what the hub has found already, opens an item with the ruling proposed for
//! it, or is refused with the reason why there is nothing that it could be about.

use std::sync::Arc;

use super::input::Observation;
use super::item::{Kind, Matter, Offence, OpenItem};
use super::setup::{BoardKind, ClockKind, GameSetup};
use super::state::State;
use super::table::Table;
use crate::chess::{Color, Illegality, Square};
use crate::laws::category::limited;

impl State {
    /// Why there is nothing that this observation could be about, and what to do instead; `None` where there is.
    pub(super) fn nothing_to_see(&self, what: Observation, of: Option<Color>, setup: &GameSetup) -> Option<String> {
        if let Some(ending) = &self.ending {
            return Some(format!(
                "the game is over, {} ({}), and what is seen now does not change it (8.7); set another result, or have it reopened",
                ending.result,
                ending.termination.name()
            ));
        }
        if self.started.is_none() {
            return Some("the game has not begun; put it right, and start it then".to_owned());
        }
        match what {
            Observation::Flag => {
                let open = self.items.iter().any(|item| item.key.kind == Kind::Flag);
                (of.or(self.clock.running()).is_none() && !open)
                    .then(|| "nobody's time runs and no flag is known of; say whose flag has fallen".to_owned())
            }
            Observation::IllegalMove | Observation::TwoHands => {
                let Some(of) = self.offender(of) else {
                    return Some("no move is known of; say whose it was".to_owned());
                };
                let open = self.open_offence(of).is_some();
                if open || self.last_offence(of, what == Observation::TwoHands, setup).is_some() {
                    return None;
                }
                Some(match (self.board_kind(setup), setup.clock) {
                    (BoardKind::None, ClockKind::None) => format!(
                        "neither clock nor board tells of this table, and no move of {of} has been entered; enter the moves first, or \
                         restore, adjust and penalise by hand"
                    ),
                    (_, ClockKind::None) => format!("{of} has made no move"),
                    _ => format!(
                        "{of} has completed no move: it is illegal once he has pressed the clock (7.5.1), and until then he may put it \
                         right himself"
                    ),
                })
            }
            Observation::IllegalPosition
            | Observation::ColoursReversed
            | Observation::WrongSetup
            | Observation::WrongClock
            | Observation::Device => None,
        }
    }

    /// Whose move is meant: the player named, or whoever has moved last.
    fn offender(&self, of: Option<Color>) -> Option<Color> {
        of.or(self.record.last().map(|ply| ply.by))
            .or(self.clock.running().map(Color::other))
    }

    fn open_offence(&self, of: Color) -> Option<&Arc<OpenItem>> {
        let open = |item: &&Arc<OpenItem>| item.key.kind == Kind::IllegalMove && item.key.of == Some(of);
        self.items.iter().rev().find(open)
    }

    /// The offence that an arbiter has seen in a player's last completed move.
    fn last_offence(&self, of: Color, two_hands: bool, setup: &GameSetup) -> Option<Offence> {
        let limited = limited(setup.category, setup.supervision);
        if self.board_kind(setup) == BoardKind::None && setup.clock != ClockKind::None {
            return self.pressed_offence(of, two_hands, setup);
        }
        // Where no clock is heard nobody but the arbiter can tell that the last move was completed.
        let unheard = setup.clock == ClockKind::None;
        let last = self.record.iter().rposition(|ply| ply.by == of);
        let completed = |at: &usize| {
            let ply = &self.record[*at];
            ply.by == of && (ply.completed || unheard && Some(*at) == last)
        };
        let mut his = (0..self.record.len()).rev().filter(completed);
        let last = his.next()?;
        // The one that really was illegal, where there is one; with limited supervision only the last is looked at.
        let illegal = |at: &usize| self.record[*at].illegal.is_some();
        let at = if two_hands || limited || illegal(&last) {
            last
        } else {
            his.find(illegal).unwrap_or(last)
        };
        let ply = &self.record[at];
        let answered = self.record[at + 1..].iter().any(|later| later.by != of);
        let unpromoted = not_promoted(ply.illegal);
        Some(Offence {
            of,
            ply: Some(at),
            keep: at,
            mv: Some(ply.mv),
            why: ply.illegal,
            unpromoted,
            two_hands,
            gain: ply
                .pressed
                .map(|pressed| Offence::taken_back(pressed.gain, unpromoted, setup)),
            completed: ply.pressed.map_or(ply.before, |pressed| pressed.before),
            stands: limited && answered,
        })
    }

    /// The same of a player's last press, where no board tells which move it completed; it may have been entered.
    fn pressed_offence(&self, of: Color, two_hands: bool, setup: &GameSetup) -> Option<Offence> {
        let at = self.bare_presses.iter().rposition(|press| press.by == of)?;
        let pressed = self.bare_presses[at];
        let answered = self.bare_presses[at + 1..].iter().any(|later| later.by != of);
        let ply = self.ply_of(at);
        let entered = ply.filter(|ply| self.record.get(*ply).is_some_and(|entered| entered.by == of));
        let known = entered.and_then(|ply| self.record.get(ply));
        let why = known.and_then(|known| known.illegal);
        let unpromoted = not_promoted(why);
        Some(Offence {
            of,
            ply: entered,
            keep: ply.unwrap_or(self.record.len()).min(self.record.len()),
            mv: known.map(|known| known.mv),
            why,
            unpromoted,
            two_hands,
            gain: Some(Offence::taken_back(pressed.gain, unpromoted, setup)),
            completed: pressed.before,
            stands: limited(setup.category, setup.supervision) && answered,
        })
    }
}

fn not_promoted(why: Option<Illegality>) -> Option<Square> {
    match why {
        Some(Illegality::NotPromoted { square }) => Some(square),
        _ => None,
    }
}

impl Table<'_> {
    /// The arbiter has seen it himself.
    pub fn observe(&mut self, what: Observation, of: Option<Color>) {
        if !self.in_play() {
            return;
        }
        match what {
            Observation::Flag => {
                let meant =
                    |item: &OpenItem| item.key.kind == Kind::Flag && of.is_none_or(|of| item.key.of == Some(of));
                if !self.join(meant) {
                    self.flag_seen(of);
                }
            }
            Observation::IllegalMove | Observation::TwoHands => self.offence_seen(of, what == Observation::TwoHands),
            Observation::IllegalPosition => self.illegal_position_seen(),
            Observation::ColoursReversed => {
                let moves = self.s.moves_made(Color::Black);
                self.bring(Kind::ColoursReversed, None, Matter::WrongStart { moves });
            }
            Observation::WrongSetup => {
                let moves = self.s.completed().into_iter().min().unwrap_or(0);
                self.bring(Kind::WrongSetup, None, Matter::WrongStart { moves });
            }
            Observation::WrongClock => self.bring(Kind::WrongClock, of, Matter::WrongClock),
            Observation::Device => self.bring(Kind::Device, of, Matter::Device),
        }
    }

    /// A flag that the hub's count does not show: the arbiter's eyes on the clock decide (6.8, 6.10.1).
    fn flag_seen(&mut self, of: Option<Color>) {
        let Some(of) = of.or(self.s.clock.running()) else {
            return;
        };
        let period = self.s.clock.half(of).period;
        let missing = self
            .setup
            .time_control
            .moves_required(period)
            .map(|required| required.saturating_sub(self.s.clock.half(of).completed));
        self.bring(
            Kind::Flag,
            Some(of),
            Matter::Flag {
                period,
                frozen: true,
                missing,
                by_clock: false,
                unordered: None,
                seen_only: true,
            },
        );
    }

    fn offence_seen(&mut self, of: Option<Color>, two_hands: bool) {
        let Some(of) = self.s.offender(of) else { return };
        if let Some(item) = self.s.open_offence(of).cloned() {
            // Two faults in one move are one offence.
            let last = self.s.record.iter().rposition(|ply| ply.by == of);
            let same = matches!(&item.matter, Matter::Offence(offence) if offence.ply.is_none() || offence.ply == last);
            if !two_hands || same {
                self.join(|open| open.number == item.number);
                self.edit_item(item.number, |item| {
                    if let Matter::Offence(offence) = &mut item.matter {
                        offence.two_hands |= two_hands;
                    }
                });
                return;
            }
        }
        if let Some(offence) = self.s.last_offence(of, two_hands, self.setup) {
            self.bring(Kind::IllegalMove, Some(of), Matter::Offence(offence));
        }
    }

    /// Both kings in check, a pawn on its last rank, or another position that cannot be.
    fn illegal_position_seen(&mut self) {
        let completed = self.completed_by_both();
        if self.limited() {
            self.bring(
                Kind::IllegalPosition,
                None,
                Matter::IllegalPosition {
                    completed,
                    offence: None,
                },
            );
            return;
        }
        if self.join(|item| item.key.kind == Kind::IllegalMove) {
            return;
        }
        let first = self
            .s
            .record
            .iter()
            .position(|ply| ply.illegal.is_some() && ply.completed);
        let offence = first.and_then(|at| {
            let ply = &self.s.record[at];
            Some(Offence {
                ply: Some(at),
                keep: at,
                ..self.s.last_offence(ply.by, false, self.setup)?
            })
            .map(|offence| Offence {
                mv: Some(ply.mv),
                why: ply.illegal,
                unpromoted: not_promoted(ply.illegal),
                gain: ply
                    .pressed
                    .map(|pressed| Offence::taken_back(pressed.gain, not_promoted(ply.illegal), self.setup)),
                completed: ply.pressed.map_or(ply.before, |pressed| pressed.before),
                ..offence
            })
        });
        let of = offence.as_ref().map(|offence| offence.of);
        self.bring(
            Kind::IllegalPosition,
            of,
            Matter::IllegalPosition { completed, offence },
        );
    }
}

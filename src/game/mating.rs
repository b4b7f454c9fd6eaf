//! Whether a side can still mate by any series of legal moves (5.1.2, 5.2.2, 6.9, 7.5.5): what the bounded search says at once, what
//! a fuller one outside is asked, and what its answer changes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Game;
use super::input::Fact;
use super::item::{Kind, Matter, Offence, OpenItem, Ruling};
use super::setup::GameSetup;
use super::state::{Ending, SearchVerdict, State};
use super::table::Table;
use crate::chess::mates::{self, Bound, Verdict};
use crate::chess::{Color, Move, Piece, Position, Role, Square};
use crate::laws::{GameResult, Termination};
use crate::time::HallTime;

/// So many answers and questions are kept at most.
const KEPT: usize = 64;

/// Something that the bounded search has not decided: a fuller one is to say it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The position.
    pub position: Arc<Position>,
    /// Who would have to mate.
    pub winner: Color,
    /// When the position came about: the answer belongs there.
    pub at: HallTime,
}

impl Question {
    /// The fact of this answer.
    pub fn answered(&self, verdict: &Verdict) -> Fact {
        let line = match verdict {
            Verdict::CanMate { line } => line.clone(),
            _ => Vec::new(),
        };
        self.fact(verdict.can_mate(), mates::explain(&self.position, verdict), line)
    }

    /// The fact that there is no answer, and why.
    pub fn given_up(&self, why: &str) -> Fact {
        let can = if mates::material_can_mate(&self.position, self.winner) {
            "can"
        } else {
            "cannot"
        };
        let evidence = format!("undecided, {why}; by the material alone it {can}");
        self.fact(None, evidence, Vec::new())
    }

    fn fact(&self, can_mate: Option<bool>, evidence: String, line: Vec<Move>) -> Fact {
        Fact::Verdict {
            fen: self.position.full_fen(),
            winner: self.winner,
            can_mate,
            evidence,
            line,
        }
    }

    fn is(&self, fen4: &str, winner: Color) -> bool {
        self.winner == winner && self.position.fen4() == fen4
    }
}

/// A position on which a proposal rests.
pub(super) struct RestsOn {
    pub position: Arc<Position>,
    /// It is that after so many half-moves of the record, where it is.
    pub plies: Option<usize>,
    /// Who would have to mate.
    pub winner: Color,
    /// When it came about.
    pub at: HallTime,
}

/// Whether a position is dead (5.2.2).
pub(super) enum Dead {
    Yes,
    No,
    /// It is not known whether these sides can mate, and the others cannot.
    Undecided(Vec<Color>),
}

impl Game {
    /// What a fuller search is to say: whether a mate is possible where an open proposal, an end on the board or a resignation rests
    /// on it and the bounded search has not decided it. What was answered, also "undecided", is not asked again.
    pub fn questions(&self) -> Vec<Question> {
        let state = self.state();
        let undecided = |item: &&Arc<OpenItem>| item.proposal.is_by_material();
        let rests = state.items.iter().filter(undecided);
        let rests = rests.filter_map(|item| state.rests_on(item, self.setup()));
        let items = rests.map(|rests| Question {
            position: rests.position,
            winner: rests.winner,
            at: rests.at,
        });
        let mut questions: Vec<Question> = Vec::new();
        for question in state.asks.iter().cloned().chain(items) {
            let fen4 = question.position.fen4();
            let answered = state.verdicts.iter().any(|verdict| verdict.is(&fen4, question.winner));
            if !answered && !questions.iter().any(|other| other.is(&fen4, question.winner)) {
                questions.push(question);
            }
        }
        questions
    }

    /// Why the proposal for an item takes a mate to be possible or not, for the arbiter: in words, and the mating line as moves.
    pub(super) fn mating_evidence(&self, item: &OpenItem) -> Vec<(String, String)> {
        let state = self.state();
        let Some(rests) = state.rests_on(item, self.setup()) else {
            return Vec::new();
        };
        let fen4 = rests.position.fen4();
        let exactly = state.verdicts.iter().find(|verdict| verdict.is(&fen4, rests.winner));
        let heard = state.heard(&rests.position, rests.plies, rests.winner);
        let mut evidence = Vec::new();
        let mut line: Vec<Move> = Vec::new();
        match heard {
            Some(verdict) => {
                evidence.push(("mate".to_owned(), verdict.evidence.clone()));
                line.clone_from(&verdict.line);
            }
            None => {
                let verdict = mates::can_mate(&rests.position, rests.winner, Bound::GAME);
                evidence.push(("mate".to_owned(), mates::explain(&rests.position, &verdict)));
                if let Verdict::CanMate { line: moves } = verdict {
                    line = moves;
                } else if let Some(given_up) = exactly {
                    evidence.push(("fuller search".to_owned(), given_up.evidence.clone()));
                } else if item.proposal.is_by_material() {
                    evidence.push(("fuller search".to_owned(), "has been asked".to_owned()));
                }
            }
        }
        if !line.is_empty() {
            evidence.push(("mate from".to_owned(), rests.position.full_fen()));
            let moves: Vec<String> = line.iter().map(Move::to_string).collect();
            evidence.push(("mating line".to_owned(), moves.join(" ")));
        }
        evidence
    }
}

impl Ruling {
    /// Whether it could not be decided from the position, and the material speaks.
    pub fn is_by_material(&self) -> bool {
        matches!(
            self,
            Ruling::End { by_material: true, .. } | Ruling::Offence { by_material: true, .. }
        )
    }
}

impl SearchVerdict {
    fn is(&self, fen4: &str, winner: Color) -> bool {
        self.winner == winner && self.fen4 == fen4
    }
}

impl State {
    /// The position on which an item's proposal rests, where it rests on whether a mate is possible.
    pub(super) fn rests_on(&self, item: &OpenItem, setup: &GameSetup) -> Option<RestsOn> {
        match (&item.matter, &item.proposal) {
            (Matter::Flag { .. }, Ruling::End { .. }) if self.knows_the_position(setup) => {
                let plies = self.plies_at_flag(item);
                Some(RestsOn {
                    position: Arc::clone(self.position_after(plies)),
                    plies: Some(plies),
                    winner: item.key.of?.other(),
                    at: self.came_about(plies),
                })
            }
            (_, Ruling::Offence { offence, ends, .. })
                if ends.is_some() && offence.is_placed(self.board_kind(setup)) =>
            {
                let (position, legal) = self.position_restored(offence);
                let keep = offence.keep.min(self.record.len());
                Some(RestsOn {
                    position,
                    plies: legal.then_some(keep),
                    winner: offence.of.other(),
                    at: self.came_about(keep),
                })
            }
            _ => None,
        }
    }

    /// A flag is judged by the position of the moment it was claimed or seen (6.8, 6.9).
    pub(super) fn plies_at_flag(&self, item: &OpenItem) -> usize {
        let plies = if item.observed.is_some() {
            item.observed_after
        } else {
            self.record.len()
        };
        plies.min(self.record.len())
    }

    /// The position after the ruling on an illegal move, and whether it is one of the record with the offender on move.
    pub(super) fn position_restored(&self, offence: &Offence) -> (Arc<Position>, bool) {
        if let (Some(square), Some(ply)) = (offence.unpromoted, offence.ply.and_then(|ply| self.record.get(ply))) {
            let queen = Piece {
                color: offence.of,
                role: Role::Queen,
            };
            return (Arc::new(ply.after.with_piece(square, Some(queen))), false);
        }
        (
            Arc::clone(self.position_after(offence.keep.min(self.record.len()))),
            true,
        )
    }

    /// When the position after so many half-moves came about.
    fn came_about(&self, plies: usize) -> HallTime {
        match plies.checked_sub(1).and_then(|last| self.record.get(last)) {
            Some(ply) if plies > self.base.0 => ply.made,
            _ => self.started.unwrap_or(self.time),
        }
    }

    /// What a fuller search has decided about this position: itself, or an earlier one from which only legal moves led to it, since
    /// what is unwinnable stays so until a position is restored.
    pub(super) fn heard(&self, position: &Position, plies: Option<usize>, winner: Color) -> Option<&SearchVerdict> {
        if self.verdicts.is_empty() {
            return None;
        }
        let fen4 = position.fen4();
        let decided = || self.verdicts.iter().filter(|verdict| verdict.can_mate.is_some());
        decided().find(|verdict| verdict.is(&fen4, winner)).or_else(|| {
            decided()
                .filter(|verdict| verdict.winner == winner && verdict.can_mate == Some(false))
                .find(|verdict| plies.is_some_and(|plies| self.led_from(&verdict.fen4, plies).is_some()))
        })
    }

    /// After how many half-moves there was this position, if only legal moves led from it to that after `plies`.
    fn led_from(&self, fen4: &str, plies: usize) -> Option<usize> {
        let plies = plies.min(self.record.len());
        let first = (self.base.0..=plies).find(|&from| self.position_after(from).fen4() == fen4)?;
        let legal = self.record.get(first..plies)?.iter().all(|ply| ply.illegal.is_none());
        legal.then_some(first)
    }
}

impl Table<'_> {
    /// Whether this side can mate from a position (`plies`: it is that after so many half-moves), and whether only its material says so.
    pub fn can_mate(&self, position: &Position, plies: Option<usize>, winner: Color) -> (bool, bool) {
        if let Some(decided) = self.s.heard(position, plies, winner).and_then(|heard| heard.can_mate) {
            return (decided, false);
        }
        super::known::can_mate(position, winner)
    }

    /// 5.2.2.
    pub fn dead(&self, position: &Position, plies: Option<usize>) -> Dead {
        if !may_be_dead(position) {
            return Dead::No;
        }
        let mut undecided = Vec::new();
        for color in Color::BOTH {
            match self.can_mate(position, plies, color) {
                (_, true) => undecided.push(color),
                (true, false) => return Dead::No,
                (false, false) => {}
            }
        }
        if undecided.is_empty() {
            Dead::Yes
        } else {
            Dead::Undecided(undecided)
        }
    }

    /// A fuller search is to say whether this side can mate from the position of record.
    pub fn ask(&mut self, winner: Color) {
        let question = Question {
            position: Arc::clone(self.s.position()),
            winner,
            at: self.s.came_about(self.s.record.len()),
        };
        let fen4 = question.position.fen4();
        if self.s.verdicts.iter().any(|verdict| verdict.is(&fen4, winner))
            || self.s.asks.iter().any(|asked| asked.is(&fen4, winner))
        {
            return;
        }
        let asks = Arc::make_mut(&mut self.s.asks);
        asks.push(question);
        if asks.len() > KEPT {
            asks.remove(0);
        }
    }

    /// A fuller search has answered.
    pub fn searched(&mut self, fen: &str, winner: Color, can_mate: Option<bool>, evidence: &str, line: &[Move]) {
        let fen4 = fen.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        let verdicts = Arc::make_mut(&mut self.s.verdicts);
        verdicts.retain(|known| !known.is(&fen4, winner));
        verdicts.push(SearchVerdict {
            fen4: fen4.clone(),
            winner,
            can_mate,
            evidence: evidence.to_owned(),
            line: line.to_vec(),
        });
        if verdicts.len() > KEPT {
            verdicts.remove(0);
        }
        if self.s.asks.iter().any(|asked| asked.is(&fen4, winner)) {
            Arc::make_mut(&mut self.s.asks).retain(|asked| !asked.is(&fen4, winner));
        }
        if can_mate == Some(false) {
            let dead = |ending: &Arc<Ending>| ending.termination == Termination::DeadPosition;
            if self.in_play() || self.s.ending.as_ref().is_some_and(dead) {
                self.dead_since(&fen4);
            } else {
                self.ended_otherwise(winner);
            }
        }
    }

    /// Both sides hopeless: the game was over when that position came about (5.2.2).
    fn dead_since(&mut self, fen4: &str) {
        let last = self.s.record.len();
        let hopeless = |table: &Self, plies: usize| {
            let position = table.s.position_after(plies);
            Color::BOTH
                .iter()
                .all(|&color| table.can_mate(position, Some(plies), color) == (false, false))
        };
        let Some(first) = self.s.led_from(fen4, last) else {
            return;
        };
        // What the last one allows the earlier ones do.
        if self.flag_decides() || !hopeless(self, last) {
            return;
        }
        let dead = (first..=last).find(|&plies| hopeless(self, plies)).unwrap_or(last);
        let at = self.s.came_about(dead);
        let after = self.s.record.truncate(dead);
        let Some(ending) = self.s.ending.clone() else {
            self.end(GameResult::Draw, Termination::DeadPosition, at, false);
            return;
        };
        // It was found dead before, but not as early.
        let mut earlier = Ending {
            at,
            ..(*ending).clone()
        };
        if dead < earlier.keep {
            let mut tail = after[..earlier.keep.min(last) - dead].to_vec();
            tail.append(&mut earlier.tail);
            (earlier.keep, earlier.tail) = (dead, tail);
        }
        self.s.ending = Some(Arc::new(earlier));
    }

    /// The game is over, and it turns out that this side could not have mated. A resignation then drew (5.1.2); a ruling stays, and an
    /// arbiter is told.
    fn ended_otherwise(&mut self, winner: Color) {
        let Some(ending) = self.s.ending.clone() else { return };
        let last = self.s.record.len();
        if ending.termination == Termination::Resignation && ending.result == GameResult::win(winner) {
            if self.can_mate(self.s.position(), Some(last), winner) == (false, false) {
                let mut changed = (*ending).clone();
                (changed.result, changed.termination) = (GameResult::Draw, Termination::ResignationNoMate);
                self.s.ending = Some(Arc::new(changed));
            }
            return;
        }
        let ruled = ending.before.items.iter().find(|item| {
            item.proposal.is_by_material()
                && self.s.rests_on(item, self.setup).is_some_and(|rests| {
                    rests.winner == winner && self.can_mate(&rests.position, rests.plies, winner) == (false, false)
                })
        });
        if let Some(item) = ruled
            && ending.result == GameResult::win(winner)
        {
            let matter = Matter::LateNews {
                ruled: item.number,
                kind: item.key.kind,
            };
            self.bring(Kind::LateNews, item.key.of, matter);
        }
    }
}

/// Not even looked for where it cannot be: dead positions are forced ones, barren ones, or ones with the pawns locked.
fn may_be_dead(position: &Position) -> bool {
    let placement = position.placement();
    let pieces = placement
        .pieces()
        .filter(|(_, piece)| !matches!(piece.role, Role::Pawn | Role::King))
        .count();
    let locked = placement.pieces().filter(|&(square, piece)| {
        let white = piece.color == Color::White && piece.role == Role::Pawn;
        let before = Square::from_index(square.index() as u32 + 8).filter(|_| white);
        before
            .and_then(|before| placement.at(before))
            .is_some_and(|other| other.role == Role::Pawn && other.color == Color::Black)
    });
    pieces < 5 || locked.count() >= 3 || position.legal_moves().len() < 12
}

//! Rounds of the registry: put, armed, and how each game is set up.

use super::*;
use crate::hall::call::TableAnswer;

/// No chess clock shows more.
const LONGEST_TIME: Millis = Millis(360_000_000);

impl Registry {
    pub(super) fn put_round(
        &self,
        event: &EventId,
        round: RoundNo,
        time_control: &str,
        pairings: &[Pairing],
    ) -> Result<HallEvent, CallError> {
        let found = self.events.get(event).ok_or_else(|| CallError {
            field: Some("event".into()),
            ..not_found(format!("there is no event {event}; make it first"))
        })?;
        in_range("round", round.0)?;
        if let Some(known) = found
            .rounds
            .get(&round)
            .filter(|known| known.status != RoundStatus::Prepared)
        {
            let what_to_do = match known.status {
                RoundStatus::Ended => "it is over",
                _ => "add a late game by itself (`flagfall round pair`), or import the pairing program's file again",
            };
            return Err(wrong_state(format!(
                "round {round} of {event} is {}, and its pairings cannot be put anew: {what_to_do}",
                how_far(known.status)
            )));
        }
        check_round(time_control, pairings)?;
        let pairings = pairings
            .iter()
            .map(|pairing| Pairing {
                game: None,
                ..pairing.clone()
            })
            .collect();
        Ok(HallEvent::RoundPut(Round {
            event: event.clone(),
            number: round,
            time_control: time_control.to_owned(),
            status: RoundStatus::Prepared,
            pairings,
        }))
    }

    /// Games for the tables that are free; where another round is still played is answered as a refusal, and left for another call.
    pub(super) fn arm(&self, event: &EventId, number: RoundNo, context: &Context<'_>) -> Result<Decided, CallError> {
        let round = self.round(event, number)?;
        let left = round.pairings.iter().any(|pairing| pairing.game.is_none());
        if round.status == RoundStatus::Ended || round.status != RoundStatus::Prepared && !left {
            let rest = match round.status {
                RoundStatus::Ended => "",
                _ => ": every table has its game",
            };
            return Err(wrong_state(format!(
                "round {number} of {event} is {} already{rest}",
                how_far(round.status)
            )));
        }
        if round.pairings.is_empty() {
            return Err(wrong_state(format!(
                "round {number} of {event} has no pairings: import them from the pairing program's file, or put them, and arm it then"
            )));
        }
        let mut seats = Vec::with_capacity(round.pairings.len());
        let mut tables = Vec::with_capacity(round.pairings.len());
        for (at, pairing) in (0u64..).zip(&round.pairings) {
            let error = if pairing.game.is_some() {
                None
            } else if let Some(error) = self.still_played(round, at, pairing, context) {
                Some(error)
            } else {
                seats.push(self.new_seat(round, at, pairing, context)?);
                None
            };
            tables.push(TableAnswer {
                table: pairing.table,
                error,
            });
        }
        if seats.is_empty()
            && let Some(error) = tables.iter().find_map(|table| table.error.clone())
        {
            return Err(error);
        }
        let refused = tables.iter().filter(|table| table.error.is_some()).count();
        let note = if refused == 0 {
            String::new()
        } else {
            format!(
                "{refused} of {} tables still have a game of another round: arm again when it is over",
                tables.len()
            )
        };
        Ok(Decided {
            event: HallEvent::RoundArmed {
                event: event.clone(),
                round: number,
                seats,
            },
            answer: Answer {
                note,
                tables,
                ..Answer::default()
            },
        })
    }

    /// One more game in a round that is armed or called, with the times that an arbiter sets.
    pub(super) fn add_pairing(
        &self,
        (event, number): (&EventId, RoundNo),
        pairing: &Pairing,
        [white, black]: [Option<Millis>; 2],
        context: &Context<'_>,
    ) -> Result<HallEvent, CallError> {
        let round = self.round(event, number)?;
        match round.status {
            RoundStatus::Prepared => {
                return Err(wrong_state(format!(
                    "round {number} of {event} is not armed yet: put its pairings again with this one among them, or arm it first"
                )));
            }
            RoundStatus::Ended => {
                return Err(wrong_state(format!(
                    "round {number} of {event} is over, and nobody can be paired in it"
                )));
            }
            RoundStatus::Armed | RoundStatus::Started => {}
        }
        for (field, time) in [("white_ms", white), ("black_ms", black)] {
            if time.is_some_and(|time| time <= Millis::ZERO || time > LONGEST_TIME) {
                return Err(CallError::field(
                    field,
                    "a clock begins with more than nothing and less than 100 hours",
                ));
            }
        }
        let mut pairing = Pairing {
            game: None,
            ..pairing.clone()
        };
        if pairing.board == 0 {
            let highest = round.pairings.iter().map(|pairing| pairing.board).max().unwrap_or(0);
            pairing.board = highest + 1;
        }
        if let Some(there) = round.pairings.iter().find(|there| there.table == pairing.table) {
            let what = format!(
                "table {} has a game of this round: {}; seat this one at a table that is free",
                pairing.table,
                names(there)
            );
            return Err(CallError::field("pairing.table", what));
        }
        let mut all = round.pairings.clone();
        all.push(pairing.clone());
        let at = round.pairings.len() as u64;
        // Whoever asks gave one pairing, and knows nothing of its place among the others.
        let own = |error: CallError| CallError {
            field: error
                .field
                .map(|field| field.replacen(&format!("pairings[{at}]"), "pairing", 1)),
            ..error
        };
        check_round(&round.time_control, &all).map_err(own)?;
        let mut seat = self.new_seat(round, at, &pairing, context).map_err(own)?;
        let setup = &mut Arc::make_mut(&mut seat).setup;
        (setup.white_time, setup.black_time) = (white, black);
        pairing.game = Some(seat.game);
        Ok(HallEvent::PairingAdded {
            event: event.clone(),
            round: number,
            pairing: Box::new(pairing),
            seat,
        })
    }

    /// That the pairing's table has a game of another round, or of another event, which is not over.
    fn still_played(&self, round: &Round, at: u64, pairing: &Pairing, context: &Context<'_>) -> Option<CallError> {
        let place = self.tables.get(&pairing.table)?;
        let other = self
            .unfinished(place)
            .filter(|other| other.event != round.event || other.round != round.number)
            .filter(|other| !context.over.contains(&other.game))?;
        let pairings = self.round(&other.event, other.round).ok().map(|round| &round.pairings);
        let there = pairings
            .into_iter()
            .flatten()
            .find(|pairing| pairing.game == Some(other.game));
        let who = there
            .map(|pairing| format!(" ({})", names(pairing)))
            .unwrap_or_default();
        Some(CallError {
            field: Some(format!("pairings[{at}].table")),
            ..wrong_state(format!(
                "table {} still has a game of round {} of {}{who}; end that round first, or arm this table again when it is over",
                pairing.table, other.round, other.event
            ))
        })
    }

    /// A round from a pairing program's file. What is armed gets new games where others are paired; what was called stays.
    pub(super) fn import_round(
        &self,
        (event, number): (&EventId, RoundNo),
        time_control: &str,
        pairings: &[Pairing],
        imported: &Arc<Imported>,
        context: &Context<'_>,
    ) -> Result<HallEvent, CallError> {
        let found = self.events.get(event).ok_or_else(|| CallError {
            field: Some("event".into()),
            ..not_found(format!("there is no event {event}; make it first"))
        })?;
        in_range("round", number.0)?;
        check_round(time_control, pairings)?;
        let known = found.rounds.get(&number);
        let mut round = Round {
            event: event.clone(),
            number,
            time_control: time_control.to_owned(),
            status: known.map_or(RoundStatus::Prepared, |known| known.status),
            pairings: pairings.to_vec(),
        };
        for pairing in &mut round.pairings {
            pairing.game = None;
        }
        let mut seats = Vec::new();
        match known {
            Some(known) if known.status == RoundStatus::Ended => {
                return Err(wrong_state(format!(
                    "round {number} of {event} is over and its pairings cannot change any more"
                )));
            }
            Some(known) if known.status != RoundStatus::Prepared => {
                if known.time_control != time_control {
                    return Err(CallError::field(
                        "time_control",
                        format!(
                            "round {number} of {event} is armed with {}, which cannot change any more",
                            known.time_control
                        ),
                    ));
                }
                for pairing in &mut round.pairings {
                    let before = known.pairings.iter().find(|before| before.table == pairing.table);
                    if let Some(before) = before.filter(|before| is_same_game(before, pairing)) {
                        // The game goes on with what it was set up with; names may be corrected.
                        *pairing = Pairing {
                            white: pairing.white.clone(),
                            black: pairing.black.clone(),
                            ..before.clone()
                        };
                    }
                }
                if known.status == RoundStatus::Started {
                    let stays = |before: &&Pairing| round.pairings.iter().all(|pairing| pairing.game != before.game);
                    if let Some(lost) = known.pairings.iter().filter(|before| before.game.is_some()).find(stays) {
                        return Err(wrong_state(format!(
                            "table {}: {:?} – {:?} was called and stays; import the round with it at this table",
                            lost.table, lost.white.name, lost.black.name
                        )));
                    }
                }
                let plan = round.clone();
                for (at, pairing) in (0u64..).zip(&mut round.pairings) {
                    if pairing.game.is_none() {
                        let seat = self.new_seat(&plan, at, pairing, context)?;
                        pairing.game = Some(seat.game);
                        seats.push(seat);
                    }
                }
            }
            _ => {}
        }
        Ok(HallEvent::RoundImported {
            round,
            imported: Arc::clone(imported),
            seats,
        })
    }

    /// A game for a pairing of this round, at a table that no other round has.
    fn new_seat(
        &self,
        round: &Round,
        at: u64,
        pairing: &Pairing,
        context: &Context<'_>,
    ) -> Result<Arc<Seat>, CallError> {
        let regulations = self
            .events
            .get(&round.event)
            .map(|event| event.regulations.clone())
            .unwrap_or_default();
        let common = control("time_control", &round.time_control)?;
        let category = regulations.category.unwrap_or_else(|| Category::of(&common));
        let bare = bare_table(pairing.table);
        let place = match self.tables.get(&pairing.table) {
            Some(place) => place,
            // One that comes with the round itself.
            None if round.status != RoundStatus::Prepared => &bare,
            None => return Err(no_table(pairing.table)),
        };
        if let Some(error) = self.still_played(round, at, pairing, context) {
            return Err(error);
        }
        let time_control = match &pairing.time_control {
            Some(own) => control(&format!("pairings[{at}].time_control"), own)?,
            None => common,
        };
        Ok(Arc::new(Seat {
            game: context.chance.game(at),
            table: pairing.table,
            event: round.event.clone(),
            round: round.number,
            board: pairing.board,
            setup: setup(pairing, place, &regulations, category, time_control, context),
        }))
    }

    /// The game at this table, if its round is not over.
    pub fn unfinished(&self, table: &Table) -> Option<&Seat> {
        let seat = self.games.get(&table.game?)?;
        let round = self.events.get(&seat.event)?.rounds.get(&seat.round)?;
        (round.status != RoundStatus::Ended).then_some(seat.as_ref())
    }
}

/// Whether a round can be so: its time control, its tables, boards and players.
///
/// # Errors
/// The first thing that cannot.
pub fn check_round(time_control: &str, pairings: &[Pairing]) -> Result<(), CallError> {
    control("time_control", time_control)?;
    let mut tables: HashMap<TableNo, &Pairing> = HashMap::new();
    let mut boards: HashMap<u32, &Pairing> = HashMap::new();
    let mut players: HashMap<String, &Pairing> = HashMap::new();
    for (at, pairing) in pairings.iter().enumerate() {
        let path = |field: &str| format!("pairings[{at}].{field}");
        in_range(&path("table"), pairing.table.0)?;
        if let Some(before) = tables.insert(pairing.table, pairing) {
            let what = format!(
                "two games at table {}: {} is there already; give one of them another table",
                pairing.table,
                names(before)
            );
            return Err(CallError::field(path("table"), what));
        }
        if let Some(before) = boards.insert(pairing.board, pairing) {
            let what = format!(
                "two games on board {}: {} at table {} has it already; give one of them another number",
                pairing.board,
                names(before),
                before.table
            );
            return Err(CallError::field(path("board"), what));
        }
        for (color, player) in [("white", &pairing.white), ("black", &pairing.black)] {
            check_player(&path(color), player)?;
            if let Some(before) = players.insert(identity(player), pairing) {
                let name = player.name.trim();
                let what = if std::ptr::eq(before, pairing) {
                    format!("{name} is paired against himself: correct one of the two")
                } else {
                    let other = if identity(&before.white) == identity(player) {
                        &before.black
                    } else {
                        &before.white
                    };
                    format!(
                        "{name} plays {} at table {} already: a player has one game a round; correct one of the two pairings",
                        other.name.trim(),
                        before.table
                    )
                };
                return Err(CallError::field(path(color), what));
            }
        }
        if let Some(own) = &pairing.time_control {
            control(&path("time_control"), own)?;
        }
        if let Some(fen) = &pairing.fen {
            check_fen(&path("fen"), fen)?;
        }
    }
    Ok(())
}

/// White and Black.
fn names(pairing: &Pairing) -> String {
    format!("{} – {}", pairing.white.name.trim(), pairing.black.name.trim())
}

/// In an arbiter's words.
fn how_far(status: RoundStatus) -> &'static str {
    match status {
        RoundStatus::Prepared => "prepared",
        RoundStatus::Armed => "armed",
        RoundStatus::Started => "called",
        RoundStatus::Ended => "over",
    }
}

/// The same two with the same colours: the same FIDE numbers, or the same names where one has none.
fn is_same_game(one: &Pairing, other: &Pairing) -> bool {
    let is_same = |one: &Player, other: &Player| match (one.fide_id, other.fide_id) {
        (Some(one), Some(other)) => one == other,
        _ => one.name.trim().to_lowercase() == other.name.trim().to_lowercase(),
    };
    is_same(&one.white, &other.white) && is_same(&one.black, &other.black)
}

/// Whether the same two play at this table.
pub(super) fn is_unchanged(before: &Round, after: &Round, table: TableNo) -> bool {
    let at = |round: &Round| round.pairings.iter().find(|pairing| pairing.table == table).cloned();
    at(before)
        .zip(at(after))
        .is_some_and(|(before, after)| is_same_game(&before, &after))
}

fn setup(
    pairing: &Pairing,
    table: &Table,
    regulations: &Regulations,
    category: Category,
    time_control: TimeControl,
    context: &Context<'_>,
) -> GameSetup {
    let clock = table.clock.as_ref().map(|clock| context.abilities.get(clock));
    let board = table.board.as_ref().map(|board| context.abilities.get(board));
    let kind_of_board = match board {
        None => BoardKind::None,
        Some(Some(able)) if !able.tells_pieces => BoardKind::Occupancy,
        // One that has not spoken yet is taken for the better kind; the pairing can say otherwise.
        Some(_) => BoardKind::Pieces,
    };
    GameSetup {
        category,
        time_control,
        supervision: regulations.supervision,
        enforcement: regulations.enforcement,
        open_points: regulations.open_points,
        default_time: regulations.default_time_ms,
        period_rule: regulations.period_added,
        first_increment: regulations.first_increment,
        board: pairing.board_kind.unwrap_or(kind_of_board),
        chess960: pairing.variant == Variant::Chess960,
        fen: pairing.fen.clone(),
        min_moves_for_draw: regulations.min_moves_for_draw,
        clock: match clock {
            None => ClockKind::None,
            Some(Some(able)) if !able.counts => ClockKind::Button,
            Some(_) => ClockKind::Counting,
        },
        clock_resolution: clock.flatten().map_or(Millis(1), |able| able.resolution),
        sensing_lag: board.flatten().map_or(Millis::ZERO, |able| able.sensing_lag),
        two_devices: table.clock.is_some() && table.board.is_some() && table.clock != table.board,
        told_by_hand: board.flatten().is_some_and(|able| able.by_hand),
        endings_at_once: regulations.endings_shown_at_once,
        opened: context.now,
        ..GameSetup::default()
    }
}

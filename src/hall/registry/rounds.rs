//! Rounds of the registry: put, armed, and how each game is set up.

use super::*;

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
            return Err(wrong_state(format!(
                "round {round} of {event} is {} and its pairings cannot change any more",
                format!("{:?}", known.status).to_lowercase()
            )));
        }
        control("time_control", time_control)?;
        let mut tables = HashMap::new();
        let mut boards = HashMap::new();
        let mut players: HashMap<String, String> = HashMap::new();
        for (at, pairing) in pairings.iter().enumerate() {
            let path = |field: &str| format!("pairings[{at}].{field}");
            in_range(&path("table"), pairing.table.0)?;
            if let Some(before) = tables.insert(pairing.table, at) {
                let what = format!(
                    "table {} has pairings[{before}] already: one game at a table",
                    pairing.table
                );
                return Err(CallError::field(path("table"), what));
            }
            if let Some(before) = boards.insert(pairing.board, at) {
                let what = format!("board {} is pairings[{before}] already", pairing.board);
                return Err(CallError::field(path("board"), what));
            }
            for (color, player) in [("white", &pairing.white), ("black", &pairing.black)] {
                check_player(&path(color), player)?;
                let here = path(color);
                if let Some(before) = players.insert(identity(player), here.clone()) {
                    let what = format!("{:?} plays at {before} already", player.name);
                    return Err(CallError::field(here, what));
                }
            }
            if let Some(own) = &pairing.time_control {
                control(&path("time_control"), own)?;
            }
            if let Some(fen) = &pairing.fen {
                check_fen(&path("fen"), fen)?;
            }
        }
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

    pub(super) fn arm(&self, event: &EventId, number: RoundNo, context: &Context<'_>) -> Result<HallEvent, CallError> {
        let round = self.round(event, number)?;
        if round.status != RoundStatus::Prepared {
            return Err(wrong_state(format!(
                "round {number} of {event} is {} already",
                format!("{:?}", round.status).to_lowercase()
            )));
        }
        if round.pairings.is_empty() {
            return Err(wrong_state(format!("round {number} of {event} has no pairings")));
        }
        let regulations = self
            .events
            .get(event)
            .map(|event| event.regulations.clone())
            .unwrap_or_default();
        let common = control("time_control", &round.time_control)?;
        let category = regulations.category.unwrap_or_else(|| Category::of(&common));
        let mut seats = Vec::with_capacity(round.pairings.len());
        for (at, pairing) in (0u64..).zip(&round.pairings) {
            let place = self.tables.get(&pairing.table).ok_or_else(|| no_table(pairing.table))?;
            if let Some(other) = self.unfinished(place) {
                return Err(CallError {
                    field: Some(format!("pairings[{at}].table")),
                    ..wrong_state(format!(
                        "table {} still has a game of round {} of {}; end that round first",
                        pairing.table, other.round, other.event
                    ))
                });
            }
            let time_control = match &pairing.time_control {
                Some(own) => control(&format!("pairings[{at}].time_control"), own)?,
                None => common.clone(),
            };
            let setup = setup(pairing, place, &regulations, category, time_control, context);
            seats.push(Arc::new(Seat {
                game: context.chance.game(at),
                table: pairing.table,
                event: event.clone(),
                round: number,
                board: pairing.board,
                setup,
            }));
        }
        Ok(HallEvent::RoundArmed {
            event: event.clone(),
            round: number,
            seats,
        })
    }

    /// The game at this table, if its round is not over.
    pub(super) fn unfinished(&self, table: &Table) -> Option<&Seat> {
        let seat = self.games.get(&table.game?)?;
        let round = self.events.get(&seat.event)?.rounds.get(&seat.round)?;
        (round.status != RoundStatus::Ended).then_some(seat.as_ref())
    }
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
        endings_at_once: regulations.endings_shown_at_once,
        opened: context.now,
        ..GameSetup::default()
    }
}

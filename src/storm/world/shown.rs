//! What the hub shows and answers, held against the journal and against what was played.

use super::*;

impl World<'_> {
    pub(super) fn published(&mut self, position: u64, state: ArbiterTable) {
        let table = state.card.table.0;
        self.figures.views += 1;
        if position > self.record.durable() {
            self.fail(
                "durable",
                format!("table {table} is shown as of position {position} before that is durable"),
            );
            return;
        }
        let Some(kept) = self.record.at_table(table) else {
            self.fail(
                "views",
                format!("table {table} is shown, but has no game in the journal"),
            );
            return;
        };
        if let Some(game) = kept.as_of(position) {
            let own = essence(&game.arbiter_view(state.view.clocks.as_of));
            let shown = essence(&state.view);
            if own != shown {
                let what = difference(&own, &shown);
                self.fail(
                    "views",
                    format!("table {table} at position {position} is shown otherwise than the journal has it: {what}"),
                );
                return;
            }
        }
        self.findings(&state);
        if self.story.is_some() {
            let items: Vec<String> = state
                .view
                .items
                .iter()
                .map(|item| format!("{}{} {}", item.kind, if item.certain { "" } else { "?" }, item.number))
                .collect();
            let moves: Vec<&str> = state.view.moves.iter().map(|mv| mv.uci.as_str()).collect();
            let clocks = &state.view.clocks;
            let words = format!(
                "table {table} is shown: {} [{}] {} {} {:?} orders {:?} items {items:?}",
                state.view.result,
                moves.join(" "),
                clocks.white.0,
                clocks.black.0,
                clocks.running,
                state
                    .view
                    .orders
                    .iter()
                    .map(|order| format!("{:?} {:?}", order.what, order.status))
                    .collect::<Vec<_>>(),
            );
            let before = self.shown.get(&table).map(|before| essence(&before.view));
            if before.is_none_or(|before| before != essence(&state.view)) {
                self.tell(words);
            }
        }
        // What the hub counts as done by hand is counted from the ruling, whoever may have walked over there: no clock's milliseconds.
        let by_hand = |order: &crate::game::audience::Order| {
            matches!(order.status, OrderStatus::ByHand | OrderStatus::Refused(_))
        };
        if state.view.orders.iter().any(by_hand)
            && let Some(truth) = self.tables.iter_mut().find(|truth| truth.number == table)
        {
            truth.exact = false;
        }
        if state.view.result == "*"
            && let Some(truth) = self.tables.iter_mut().find(|truth| truth.number == table)
        {
            // Nor does one picture of a board that does not tell pieces apart say what was captured while it was off, nor any of three moves
            // and more; nor does a board that was off accuse a player of what it shows, or make up for the picture that died with the hub.
            let blind = self.plan.kinds.contains(&Kind::BlindBoard);
            let quick = self.plan.kinds.contains(&Kind::QuickApart);
            let told = self.devices[truth.board].nature.tells_pieces && !quick;
            let told = told && truth.offences.is_empty() && self.figures.starts < 2;
            // What was played while it was off is not known to an arbiter who ends the game before it is heard again.
            let untold = |kind: &str| match kind {
                "order-unknown" => true,
                "silent-device" => blind,
                "board-disagrees" => blind && !told,
                _ => false,
            };
            truth.unordered = state.view.items.iter().any(|item| untold(&item.kind));
        }
        self.shown.insert(table, state);
    }

    /// What the hub has found must be so.
    pub(super) fn findings(&mut self, state: &ArbiterTable) {
        let Some(table) = self.tables.iter().find(|table| table.number == state.card.table.0) else {
            return;
        };
        let mut wrong = None;
        for item in &state.view.items {
            let of = item.of;
            match item.kind.as_str() {
                "flag" if item.certain && !table.fallen.iter().any(|fallen| Some(Color::from(*fallen)) == of) => {
                    wrong = Some(format!(
                        "table {}: {of:?}'s flag is certain, and did not fall",
                        table.number
                    ));
                }
                "illegal-move" if !table.offences.iter().any(|(_, by)| Some(Color::from(*by)) == of) => {
                    wrong = Some(format!(
                        "table {}: {of:?} made no illegal move: {}",
                        table.number, item.what
                    ));
                }
                // Where nothing keeps a device from being heard it is not silent.
                "silent-device" if !self.plan.kinds.iter().any(|kind| kind.silences()) => {
                    wrong = Some(format!("table {}: {}, which is not so", table.number, item.what));
                }
                _ => {}
            }
        }
        let view = &state.view;
        if view.result != "*" && wrong.is_none() {
            wrong = self.wrong_end(table, &view.result, view.termination.as_deref());
        }
        if let Some(wrong) = wrong {
            self.fail("finding", wrong);
        }
    }

    pub(super) fn wrong_end(&self, table: &Table, result: &str, termination: Option<&str>) -> Option<String> {
        let fine = match termination {
            Some("flag") => table
                .fell
                .is_some_and(|fell| result == if fell.is_white() { "0-1" } else { "1-0" } || result == "1/2-1/2"),
            Some("checkmate") => table.chess.is_checkmate(),
            Some("stalemate") => table.chess.is_stalemate(),
            Some("dead-position") => true,
            _ => {
                let asked = |ask: &Ask| {
                    ask.table.is_some_and(|at| self.tables[at].number == table.number)
                        && ask.purpose == Purpose::Result(result.to_owned())
                };
                self.asks.iter().any(asked)
            }
        };
        (!fine).then(|| {
            format!(
                "table {} ended {result} ({termination:?}), which is not so",
                table.number
            )
        })
    }

    /// Findings and rulings as the journal has them.
    pub(super) fn notes(&mut self, notes: Vec<(TableNo, Note)>) {
        for (_, note) in notes {
            match note {
                Note::Opened { .. } => self.figures.findings += 1,
                Note::Ruled { .. } | Note::Acted { .. } => self.figures.rulings += 1,
                _ => {}
            }
        }
    }

    pub(super) fn screened(&mut self, position: u64, card: TableCard) {
        let table = card.table.0;
        if position > self.record.durable() {
            self.fail(
                "durable",
                format!("screens show table {table} as of position {position} before that is durable"),
            );
        }
        let Some(game) = self.record.at_table(table).and_then(|kept| kept.as_of(position)) else {
            return;
        };
        let own = game.hall_view(card.view.clocks.as_of);
        if own.moves != card.view.moves || own.fen != card.view.fen || own.result != card.view.result {
            self.fail(
                "views",
                format!("screens show table {table} otherwise than the journal has it"),
            );
        }
        self.cards.insert(table, card);
    }

    pub(super) fn answered(&mut self, ticket: u64, answer: Result<Answer, CallError>) {
        let Some(id) = self.tickets.remove(&ticket) else { return };
        let ask = &self.asks[id];
        if answer.is_ok() && ask.purpose == (Purpose::Set { stale: true }) {
            let what = format!(
                "request {} names a revision that never was, and was done",
                ask.call.request
            );
            self.fail("answered", what);
            return;
        }
        if let Ok(given) = &answer {
            let (author, request) = (&ask.call.author.name, ask.call.request.as_str());
            let stands = self.record.request(author, request);
            let nothing = ask.purpose == Purpose::Call && given.tables.iter().all(|table| table.error.is_some());
            if stands != Some(given.position) && !nothing {
                let what = format!(
                    "request {request} was answered at {}, but stands at {stands:?}",
                    given.position
                );
                self.fail("answered", what);
                return;
            }
        }
        match (&ask.answer, &answer) {
            (Some(Ok(before)), Ok(now)) if before.position != now.position => {
                let what = format!(
                    "request {} was answered {} and then {}",
                    ask.call.request, before.position, now.position
                );
                self.fail("answered", what);
                return;
            }
            (Some(Ok(_)), Err(error)) if !matches!(error.reason, CallReason::JournalDown | CallReason::Busy) => {
                let what = format!("request {} was done, and then refused: {error}", ask.call.request);
                self.fail("answered", what);
                return;
            }
            _ => {}
        }
        if self.started {
            let wait = self.dice.between(1, 60);
            self.after(wait, Event::Told { id, answer });
        } else {
            if let Err(error) = &answer {
                self.fail("storm", format!("the hall could not be set up: {error}"));
            }
            self.asks[id].answer = Some(answer);
        }
    }
}

/// What a view says that follows from the journal alone. What has been heard but not written down (up to where devices have told
/// everything, what a clock showed lately, its pace) and the words for it are left out.
fn essence(view: &ArbiterView) -> Vec<(&'static str, String)> {
    let clocks = &view.clocks;
    let shows = |of: Color, left: Millis| (clocks.running != Some(of)).then_some(left.0);
    let standing = (
        clocks.running,
        shows(Color::White, clocks.white),
        shows(Color::Black, clocks.black),
    );
    let items: Vec<_> = view
        .items
        .iter()
        .map(|item| (item.number, item.revision, &item.kind, item.of, item.certain))
        .collect();
    let orders: Vec<_> = view
        .orders
        .iter()
        .map(|order| (order.number, &order.what, &order.status))
        .collect();
    let rulings: Vec<_> = view
        .rulings
        .iter()
        .map(|ruling| (ruling.at.0, &ruling.author, ruling.item))
        .collect();
    vec![
        ("position", format!("{} {:?}", view.fen, view.turn)),
        ("moves", format!("{:?}", view.moves)),
        ("clocks", format!("{standing:?}")),
        (
            "completed",
            format!("{:?} {:?} {:?}", view.completed, view.period, view.illegal),
        ),
        ("result", format!("{} {:?}", view.result, view.termination)),
        ("revision", view.revision.to_string()),
        ("items", format!("{items:?}")),
        ("orders", format!("{orders:?}")),
        ("rulings", format!("{rulings:?}")),
        (
            "started",
            format!("{:?} {:?} {}", view.started, view.draw_offer, view.must_play),
        ),
    ]
}

/// Where two views differ first, in words.
fn difference(own: &[(&'static str, String)], shown: &[(&'static str, String)]) -> String {
    let first = own.iter().zip(shown).find(|(own, shown)| own != shown);
    first.map_or_else(String::new, |((name, own), (_, shown))| {
        format!("{name}: {own} in the journal, {shown} shown")
    })
}

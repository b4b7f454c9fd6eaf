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
            let mut own = game.arbiter_view(state.view.clocks.as_of);
            let mut shown = state.view.clone();
            shown.clocks.no_signal = own.clocks.no_signal;
            // Up to where devices have been heard, and what they last showed, is in no journal.
            (own.check, shown.check) = (None, None);
            // What the running side has by now follows the clock's own pace, which is not in the journal either.
            for clocks in [&mut own.clocks, &mut shown.clocks] {
                match clocks.running {
                    Some(Color::White) => clocks.white = Millis::ZERO,
                    Some(Color::Black) => clocks.black = Millis::ZERO,
                    None => {}
                }
                clocks.delay_until = None;
            }
            for item in own.items.iter_mut().chain(&mut shown.items) {
                item.evidence.retain(|(key, _)| key != "not certain");
                if let Some(account) = &mut item.account {
                    account.doubt = None;
                }
            }
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
            let essence = |view: &ArbiterView| {
                let mut view = view.clone();
                view.clocks.as_of = crate::time::HallTime(0);
                match view.clocks.running {
                    Some(Color::White) => view.clocks.white = Millis::ZERO,
                    Some(Color::Black) => view.clocks.black = Millis::ZERO,
                    None => {}
                }
                view.check = None;
                view
            };
            let before = self.shown.get(&table).map(|before| essence(&before.view));
            if before.is_none_or(|before| before != essence(&state.view)) {
                self.tell(words);
            }
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
                "flag" if item.certain && table.fell.map(Color::from) != of => {
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

/// Where two views differ first, in words.
fn difference(own: &ArbiterView, shown: &ArbiterView) -> String {
    let (own, shown) = (serde_json::to_value(own), serde_json::to_value(shown));
    let (Ok(serde_json::Value::Object(own)), Ok(serde_json::Value::Object(shown))) = (own, shown) else {
        return "they cannot be written".into();
    };
    for (name, value) in &own {
        if shown.get(name) != Some(value) {
            return format!("{name}: {value} in the journal, {:?} shown", shown.get(name));
        }
    }
    "nothing".into()
}

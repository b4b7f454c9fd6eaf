//! What the public may know: the fold of the journal as it was a while ago.
//!
//! Everything in the journal waits here until the public may know it: what happened at a board for the board's delay, what became of
//! a round (its pairings, its call, its end, corrected names) for the round's, an event's name for the event's. An entry is released
//! when it was *heard* before now less the delay, so that reports which come late are held back like all others. What was released
//! stays released: a longer delay freezes a board where it is, a shorter one lets it catch up.
//!
//! All this follows from the journal and the time alone: when a delay was changed stands there too, and so does what ends a game or
//! a round. Whoever folds the same journal at the same time has released the same, after a restart as before it.
//!
//! It is a state machine: entries and time in, what is new to the public out. Whatever is told to anybody outside comes from here.
//!
//! A season is more than need be in memory. When a round is closed and all of a game is told, only what is shown of it stays. If something
//! is heard of it after that (a result is corrected), its entries are asked for again ([`Delayed::missing`]).

mod line;
mod shown;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use self::line::Line;
use self::shown::Shown;
use super::published::{Published, PublishedBoard, PublishedEvent, PublishedRound};
use crate::hall::ids::{EventId, GameId, RoundNo, TableNo};
use crate::hall::model::{ChessEvent, Registry, Releases, Round, RoundStatus, Seat, TableCard};
use crate::hall::record::{KeptGame, TableRecord, Unreadable, read};
use crate::hall::registry::HallEvent;
use crate::store::{Entry, EntryKind};
use crate::time::{HallTime, Millis};

/// What happens to a game, unread until it is needed: most of it waits for a long time.
type Payload = Box<[u8]>;
type RoundKey = (EventId, RoundNo);

/// What waits, and what is shown.
#[derive(Default)]
pub struct Delayed {
    /// As far as time has come.
    now: HallTime,
    /// As it is in the hall now.
    releases: BTreeMap<EventId, Releases>,
    ended: BTreeMap<RoundKey, u64>,
    events: BTreeMap<EventId, Line<HallEvent>>,
    rounds: BTreeMap<RoundKey, Line<HallEvent>>,
    games: BTreeMap<GameId, GameLine>,
    /// As the public knows it: no people, no devices.
    registry: Registry,
    /// The games that the public sees at the tables.
    at_tables: BTreeMap<TableNo, GameId>,
    /// The boards of each round in the order of their files: who has a place there keeps it.
    places: BTreeMap<RoundKey, Vec<u32>>,
    changed_rounds: BTreeSet<RoundKey>,
    changed_games: BTreeSet<GameId>,
    /// Rounds that the public knows to be closed, with games that are not put aside yet.
    closing: BTreeSet<RoundKey>,
    /// Games that were drawn before they were put aside, and are not told yet.
    redrawn: BTreeSet<GameId>,
    published: Arc<Published>,
}

/// What waits of one game, and what is shown of it.
struct GameLine {
    line: Line<Payload>,
    seat: Arc<Seat>,
    /// Nothing of it is in the journal before this.
    since: u64,
    /// With everything that was released.
    game: Kept,
    /// With everything that waits, too; kept only where a result is not held back.
    ahead: Option<Box<KeptGame>>,
    /// Where it has to be looked whether the game is over by what waits, when it has been read again: position, time, and what was heard
    /// before may be known then anyway.
    to_look: Vec<(u64, HallTime, HallTime)>,
    /// It has been put aside once.
    was_aside: bool,
    /// So much later all of it is for the public, whatever becomes of the delay: it is over, and was put aside.
    fixed: Option<Shift>,
    shown: Option<Shown>,
}

/// A game in memory.
enum Kept {
    /// Whole.
    Here(Box<KeptGame>),
    /// Not: what is shown of it is all that is needed.
    Aside,
    /// Being read again: nothing of it is released until it is whole.
    Again(Box<KeptGame>),
}

/// What is new to the public.
#[derive(Debug, Default)]
pub struct News {
    /// Tables that look different; `None`: nothing is shown there any more.
    pub tables: Vec<(TableNo, Option<TableCard>)>,
    /// Events and rounds, where they are different.
    pub registry: Option<Arc<Registry>>,
    /// The whole, where anything in it is different.
    pub published: Option<Arc<Published>>,
}

/// When it is, for those who make a calendar's time of the hall's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moment {
    /// Hall time.
    pub hall: HallTime,
    /// Milliseconds since 1970.
    pub unix_ms: i64,
}

impl Delayed {
    /// Of a hall in which nothing has happened. Positions of what is published begin after `first`.
    pub fn new(first: u64) -> Delayed {
        let published = Published {
            position: first,
            ..Published::default()
        };
        Delayed {
            published: Arc::new(published),
            ..Delayed::default()
        }
    }

    /// What is published now.
    pub fn published(&self) -> &Arc<Published> {
        &self.published
    }

    /// Takes the journal's next entry.
    ///
    /// # Errors
    /// It cannot be read by this version.
    pub fn take(&mut self, entry: &Entry) -> Result<(), Unreadable> {
        let content = &entry.content;
        let (position, heard) = (entry.position, content.heard);
        match content.kind {
            EntryKind::Hall => {
                let event: HallEvent = read("a change of the hall", &content.payload)?;
                self.hall(position, heard, event);
            }
            EntryKind::Table => {
                if let Some(game) = content.game {
                    self.at_table(position, heard, GameId(game), &content.payload);
                }
            }
            EntryKind::Sessions | EntryKind::Clock | EntryKind::Note => {}
        }
        Ok(())
    }

    fn hall(&mut self, position: u64, heard: HallTime, event: HallEvent) {
        match &event {
            HallEvent::EventPut { event: id, .. } => {
                let delay = self.releases.entry(id.clone()).or_default().all.delay_ms;
                let line = self.events.entry(id.clone()).or_insert_with(|| Line::new(delay));
                line.push(position, heard, event);
            }
            HallEvent::EventImported { event: given, seats } => {
                self.releases.insert(given.id.clone(), given.releases.clone());
                seats.iter().for_each(|seat| self.armed(position, seat));
                let delay = given.releases.all.delay_ms;
                let line = self.events.entry(given.id.clone()).or_insert_with(|| Line::new(delay));
                line.push(position, heard, event);
            }
            HallEvent::ReleaseSet { event, round, release } => {
                let releases = self.releases.entry(event.clone()).or_default();
                match (round, release) {
                    (None, release) => releases.all = release.clone().unwrap_or_default(),
                    (Some(round), Some(release)) => {
                        releases.rounds.insert(*round, release.clone());
                    }
                    (Some(round), None) => {
                        releases.rounds.remove(round);
                    }
                }
                self.delays_changed(position, heard, event);
            }
            HallEvent::RoundPut(Round { event: id, number, .. })
            | HallEvent::RoundStarted {
                event: id,
                round: number,
            } => {
                let key = (id.clone(), *number);
                self.of_round(key, position, heard, event);
            }
            HallEvent::RoundImported { round, seats, .. } => {
                seats.iter().for_each(|seat| self.armed(position, seat));
                let key = (round.event.clone(), round.number);
                self.of_round(key, position, heard, event);
            }
            HallEvent::RoundArmed {
                event: id,
                round,
                seats,
            } => {
                seats.iter().for_each(|seat| self.armed(position, seat));
                let key = (id.clone(), *round);
                self.of_round(key, position, heard, event);
            }
            HallEvent::PairingAdded {
                event: id, round, seat, ..
            } => {
                self.armed(position, seat);
                let key = (id.clone(), *round);
                self.of_round(key, position, heard, event);
            }
            HallEvent::RoundEnded { event: id, round } => {
                let key = (id.clone(), *round);
                self.of_round(key.clone(), position, heard, event);
                self.ended.insert(key.clone(), position);
                self.let_ended_go(&key, heard, position);
            }
            // Who works in the hall, and with what, is nothing for the public.
            HallEvent::DevicePut(_)
            | HallEvent::DeviceRotated { .. }
            | HallEvent::DeviceRemoved { .. }
            | HallEvent::DeviceBound { .. }
            | HallEvent::DeviceUnbound { .. }
            | HallEvent::DeviceReplaced { .. }
            | HallEvent::TablePut { .. }
            | HallEvent::PersonPut(_)
            | HallEvent::SectorHandedOver { .. }
            | HallEvent::PersonRevoked { .. } => {}
        }
    }

    fn of_round(&mut self, key: RoundKey, position: u64, heard: HallTime, event: HallEvent) {
        let delay = self.releases.entry(key.0.clone()).or_default().of(key.1).delay_ms;
        let line = self.rounds.entry(key).or_insert_with(|| Line::new(delay));
        line.push(position, heard, event);
    }

    fn armed(&mut self, position: u64, seat: &Arc<Seat>) {
        let releases = self.releases.entry(seat.event.clone()).or_default();
        let delay = releases.of(seat.round).delay(seat.board);
        self.games.entry(seat.game).or_insert_with(|| GameLine {
            line: Line::new(delay),
            since: position,
            game: Kept::Here(Box::new(KeptGame::new(seat))),
            seat: Arc::clone(seat),
            ahead: None,
            to_look: Vec::new(),
            was_aside: false,
            fixed: None,
            shown: None,
        });
    }

    fn at_table(&mut self, position: u64, heard: HallTime, id: GameId, payload: &[u8]) {
        let Some(seat) = self.games.get(&id).map(|line| &line.seat) else {
            return;
        };
        if self.ended.contains_key(&(seat.event.clone(), seat.round)) {
            // Whether it was put aside before this came does not hang on how much is read at once.
            self.advance(heard);
        }
        let Some(line) = self.games.get_mut(&id) else {
            return;
        };
        let release = self.releases.get(&line.seat.event).map(|all| all.of(line.seat.round));
        line.line.push(position, heard, payload.into());
        if matches!(line.game, Kept::Aside) {
            line.game = Kept::Again(Box::new(KeptGame::new(&line.seat)));
        }
        if release.is_some_and(|release| release.finished_at_once) {
            line.look_ahead(position, heard, Some(payload));
        }
    }

    /// From `heard` on there are other delays; until then the former ones held.
    fn delays_changed(&mut self, position: u64, heard: HallTime, event: &EventId) {
        // What is known by then is known by the former delays, and so are its times: also to whoever reads all of this at once.
        self.advance(heard);
        let Some(releases) = self.releases.get(event) else {
            return;
        };
        if let Some(line) = self.events.get_mut(event) {
            line.set_delay(heard, releases.all.delay_ms);
        }
        let rounds = self.rounds.iter_mut().filter(|((of, _), _)| of == event);
        for ((_, round), line) in rounds {
            line.set_delay(heard, releases.of(*round).delay_ms);
        }
        for (id, game) in self.games.iter_mut().filter(|(_, game)| game.seat.event == *event) {
            let release = releases.of(game.seat.round);
            game.line.set_delay(heard, release.delay(game.seat.board));
            if !release.finished_at_once {
                game.ahead = None;
            } else {
                game.look_ahead(position, heard, None);
            }
            // When it was, for the public, is another time now.
            self.changed_games.insert(*id);
        }
        let ended: Vec<RoundKey> = self.ended.keys().filter(|(of, _)| of == event).cloned().collect();
        for key in ended {
            self.let_ended_go(&key, heard, position);
        }
    }

    /// What waits of a round that is over is told, where it is to be so.
    fn let_ended_go(&mut self, key: &RoundKey, heard: HallTime, position: u64) {
        if !self.releases.get(&key.0).is_some_and(|all| all.of(key.1).ended_at_once) {
            return;
        }
        if let Some(line) = self.rounds.get_mut(key) {
            line.let_go(position, line.cutoff(heard));
        }
        let games = self.games.values_mut();
        for game in games.filter(|game| game.seat.event == key.0 && game.seat.round == key.1) {
            game.line.let_go(position, game.line.cutoff(heard));
        }
    }

    /// Time has come so far: what may be known now is taken over. [`Delayed::news`] says what is new by that.
    pub fn advance(&mut self, now: HallTime) {
        self.now = self.now.max(now);
        let now = self.now;
        let mut due: Vec<(u64, HallEvent)> = Vec::new();
        for (id, line) in &mut self.events {
            line.settle(now);
            while let Some((position, _, event)) = line.pop() {
                let rounds = self.rounds.keys().filter(|(of, _)| of == id).cloned();
                self.changed_rounds.extend(rounds);
                if let HallEvent::EventImported { event, .. } = &event {
                    let rounds = event.rounds.keys().map(|round| (event.id.clone(), *round));
                    self.changed_rounds.extend(rounds);
                }
                due.push((position, event));
            }
        }
        self.fold(&mut due);
        for (key, line) in &mut self.rounds {
            line.settle(now);
            // A round is nothing before its event is known.
            if !self.registry.events.contains_key(&key.0) {
                continue;
            }
            while let Some((position, _, event)) = line.pop() {
                self.changed_rounds.insert(key.clone());
                due.push((position, event));
            }
        }
        self.fold(&mut due);
        for (id, game) in &mut self.games {
            if game.advance(now) {
                self.changed_games.insert(*id);
            }
        }
        self.put_aside();
    }

    /// Of games of closed rounds that are over and told, nothing need be kept but what is shown.
    fn put_aside(&mut self) {
        let (games, registry, redrawn, now) = (&mut self.games, &self.registry, &mut self.redrawn, self.now);
        self.closing.retain(|(event, number)| {
            let round = registry.round(event, *number).ok();
            let mut some_left = false;
            for id in round
                .into_iter()
                .flat_map(|round| &round.pairings)
                .filter_map(|pairing| pairing.game)
            {
                let Some(line) = games.get_mut(&id) else { continue };
                let Kept::Here(game) = &line.game else { continue };
                if !line.line.is_empty() || !has_ended(game) {
                    some_left = true;
                    continue;
                }
                if line.redraw(now, registry) {
                    redrawn.insert(id);
                }
                if line.shown.is_some() {
                    (line.game, line.ahead) = (Kept::Aside, None);
                    line.was_aside = true;
                    line.fixed = line.fixed.or(Some(line.line.shift()));
                }
            }
            some_left
        });
    }

    /// From where on the journal has to be read again, each entry to [`Delayed::again`], and [`Delayed::restored`] in the end: something
    /// was heard of games that were put aside. What was read of them before, and not to the end, is void.
    pub fn missing(&mut self) -> Option<u64> {
        let mut from = None;
        for line in self.games.values_mut() {
            if let Kept::Again(game) = &mut line.game {
                **game = KeptGame::new(&line.seat);
                from = Some(from.map_or(line.since, |from: u64| from.min(line.since)));
            }
        }
        from
    }

    /// Takes an entry that was taken before, for the games that were put aside.
    pub fn again(&mut self, entry: &Entry) {
        let content = &entry.content;
        let id = content.game.filter(|_| content.kind == EntryKind::Table).map(GameId);
        let Some(line) = id.and_then(|id| self.games.get_mut(&id)) else {
            return;
        };
        // What waits is taken when it is released.
        let waits = line
            .line
            .waiting()
            .next()
            .is_some_and(|(position, _)| position <= entry.position);
        if let (Kept::Again(game), false) = (&mut line.game, waits) {
            take(game, entry.position, &content.payload);
        }
    }

    /// The journal was read again, up to where it has been taken.
    pub fn restored(&mut self) {
        for line in self.games.values_mut() {
            match std::mem::replace(&mut line.game, Kept::Aside) {
                Kept::Again(game) => line.game = Kept::Here(game),
                other => {
                    line.game = other;
                    continue;
                }
            }
            line.look_back();
            self.closing.insert((line.seat.event.clone(), line.seat.round));
        }
    }

    /// In the order of the journal, whatever round it is of.
    fn fold(&mut self, due: &mut Vec<(u64, HallEvent)>) {
        due.sort_by_key(|(position, _)| *position);
        for (position, event) in due.drain(..) {
            if let Err(error) = self.registry.fold(&event) {
                tracing::warn!(position, %error, "a change of the hall is not shown to the public");
            }
            self.place(&event);
        }
    }

    /// Gives the boards that are new in a round their places, after those that have one. It follows from the changes in their order, so
    /// that it is the same after a restart.
    fn place(&mut self, event: &HallEvent) {
        let (id, numbers) = match event {
            HallEvent::RoundPut(round) | HallEvent::RoundImported { round, .. } => (&round.event, vec![round.number]),
            HallEvent::RoundArmed { event, round, .. } | HallEvent::PairingAdded { event, round, .. } => {
                (event, vec![*round])
            }
            HallEvent::EventImported { event, .. } => {
                let closed = event.rounds.values().filter(|round| round.status == RoundStatus::Ended);
                let closed = closed.map(|round| (event.id.clone(), round.number));
                self.closing.extend(closed);
                (&event.id, event.rounds.keys().copied().collect())
            }
            HallEvent::RoundEnded { event, round } => {
                self.closing.insert((event.clone(), *round));
                return;
            }
            _ => return,
        };
        for number in numbers {
            let Some((_, round)) = self.round(id, number) else {
                continue;
            };
            let with_games = round.pairings.iter().filter(|pairing| pairing.game.is_some());
            let mut boards: Vec<u32> = with_games.map(|pairing| pairing.board).collect();
            boards.sort_unstable();
            let places = self.places.entry((id.clone(), number)).or_default();
            // Only before the call can a board go. There is nothing in the files then, and they are counted anew.
            if places.iter().any(|board| !boards.contains(board)) {
                places.clear();
            }
            boards.retain(|board| !places.contains(board));
            places.append(&mut boards);
        }
    }

    /// What is new to the public since this was asked last.
    pub fn news(&mut self, moment: Moment) -> News {
        let mut news = News::default();
        let rounds = std::mem::take(&mut self.changed_rounds);
        let mut games = std::mem::take(&mut self.changed_games);
        if rounds.is_empty() && games.is_empty() && self.redrawn.is_empty() {
            return news;
        }
        if !rounds.is_empty() {
            news.registry = Some(Arc::new(self.registry.clone()));
        }
        for (event, number) in &rounds {
            games.extend(self.round(event, *number).into_iter().flat_map(|(_, round)| {
                let games = round.pairings.iter().filter_map(|pairing| pairing.game);
                games.collect::<Vec<_>>()
            }));
        }
        let mut touched = rounds;
        let mut redrawn = std::mem::take(&mut self.redrawn);
        let seats = redrawn
            .iter()
            .filter_map(|id| self.games.get(id))
            .map(|game| &game.seat);
        touched.extend(seats.map(|seat| (seat.event.clone(), seat.round)));
        for id in games {
            let Some(game) = self.games.get_mut(&id) else { continue };
            if !self.registry.games.contains_key(&id) {
                continue;
            }
            if game.redraw(self.now, &self.registry) {
                touched.insert((game.seat.event.clone(), game.seat.round));
                redrawn.insert(id);
            }
        }
        let at_tables: BTreeMap<TableNo, GameId> = self
            .registry
            .tables
            .values()
            .filter_map(|table| Some((table.number, table.game?)))
            .collect();
        for (table, id) in &at_tables {
            if redrawn.contains(id) || self.at_tables.get(table) != Some(id) {
                let shown = self.games.get(id).and_then(|game| game.shown.as_ref());
                news.tables
                    .extend(shown.map(|shown| (*table, Some(shown.card.clone()))));
            }
        }
        let gone = self.at_tables.keys().filter(|table| !at_tables.contains_key(table));
        news.tables.extend(gone.map(|table| (*table, None)));
        self.at_tables = at_tables;
        news.published = self.publish(&touched, moment);
        news
    }

    fn publish(&mut self, touched: &BTreeSet<RoundKey>, moment: Moment) -> Option<Arc<Published>> {
        let mut rounds = Vec::new();
        let mut differs = false;
        for event in self.registry.events.values() {
            for round in event
                .rounds
                .values()
                .filter(|round| round.status > RoundStatus::Prepared)
            {
                let before = self.published.round(&event.id, round.number);
                let is_touched = touched.contains(&(event.id.clone(), round.number));
                match before.filter(|_| !is_touched) {
                    Some(before) => rounds.push(Arc::clone(before)),
                    None => {
                        let now = self.publish_round(event, round);
                        match before.filter(|before| ***before == now) {
                            Some(before) => rounds.push(Arc::clone(before)),
                            None => {
                                differs = true;
                                rounds.push(Arc::new(now));
                            }
                        }
                    }
                }
            }
        }
        if !differs && rounds.len() == self.published.rounds.len() {
            return None;
        }
        self.published = Arc::new(Published {
            position: self.published.position + 1,
            as_of: moment.hall,
            unix_ms: moment.unix_ms,
            rounds,
        });
        Some(Arc::clone(&self.published))
    }

    fn publish_round(&self, event: &ChessEvent, round: &Round) -> PublishedRound {
        let mut boards: Vec<Arc<PublishedBoard>> = round
            .pairings
            .iter()
            .filter_map(|pairing| self.games.get(&pairing.game?)?.shown.as_ref())
            .map(|shown| Arc::clone(&shown.board))
            .collect();
        let places = self.places.get(&(event.id.clone(), round.number));
        let place = |board: u32| places?.iter().position(|placed| *placed == board);
        boards.sort_by_cached_key(|board| (place(board.board).unwrap_or(usize::MAX), board.board));
        PublishedRound {
            event: PublishedEvent {
                id: event.id.clone(),
                name: event.name.clone(),
                site: event.site.clone(),
                date: event.date.clone(),
            },
            number: round.number,
            status: round.status,
            control: round.time_control.parse().ok(),
            boards,
        }
    }

    fn round(&self, event: &EventId, number: RoundNo) -> Option<(&ChessEvent, &Round)> {
        let event = self.registry.events.get(event)?;
        Some((event, event.rounds.get(&number)?))
    }
}

impl GameLine {
    /// Takes over what may be known now; whether anything looks different by that.
    fn advance(&mut self, now: HallTime) -> bool {
        let was_frozen = self.line.is_frozen();
        self.line.settle(now);
        let Kept::Here(game) = &mut self.game else { return false };
        let mut released = false;
        while let Some((position, _, payload)) = self.line.pop() {
            released = true;
            take(game, position, &payload);
        }
        if released && self.was_aside {
            self.fixed = has_ended(game).then(|| self.line.shift_of_last());
        }
        if self.line.is_empty() {
            self.ahead = None;
        }
        released || was_frozen != self.line.is_frozen()
    }

    /// Looks at what waits: where the game is over by it, all of it may be known.
    fn look_ahead(&mut self, position: u64, heard: HallTime, came: Option<&[u8]>) {
        let game = match &self.game {
            Kept::Here(game) => game,
            Kept::Aside => return,
            Kept::Again(_) => return self.to_look.push((position, heard, self.line.cutoff(heard))),
        };
        match (&mut self.ahead, came) {
            (Some(ahead), Some(payload)) => take(ahead, position, payload),
            (Some(_), None) => {}
            (ahead @ None, _) => {
                let mut game = game.clone();
                for (position, payload) in self.line.waiting() {
                    take(&mut game, position, payload);
                }
                *ahead = Some(game);
            }
        }
        if self.ahead.as_ref().is_some_and(|ahead| shown::is_over(ahead, heard)) {
            self.line.let_go(position, self.line.cutoff(heard));
        }
    }

    /// Looks where it could not be looked before the game was there again.
    fn look_back(&mut self) {
        let looks = std::mem::take(&mut self.to_look);
        let Kept::Here(game) = &self.game else { return };
        let mut ahead = game.clone();
        let mut waiting = self.line.waiting().peekable();
        let mut over = Vec::new();
        for (position, heard, cutoff) in looks {
            while let Some((at, payload)) = waiting.next_if(|(at, _)| *at <= position) {
                take(&mut ahead, at, payload);
            }
            if shown::is_over(&ahead, heard) {
                over.push((position, cutoff));
            }
        }
        drop(waiting);
        for (position, cutoff) in over {
            self.line.let_go(position, cutoff);
        }
    }

    /// Makes anew what is shown; whether it is different.
    fn redraw(&mut self, now: HallTime, registry: &Registry) -> bool {
        let shown = match (&self.game, &self.shown) {
            (Kept::Here(game), _) => {
                let shift = self.fixed.unwrap_or_else(|| self.line.shift());
                Shown::of(&self.seat, game, &self.line, shift, now, registry)
            }
            (_, Some(shown)) => shown.renamed(&self.seat, registry),
            (_, None) => None,
        };
        let Some(shown) = shown else { return false };
        if self.shown.as_ref().is_some_and(|before| before.says_the_same(&shown)) {
            return false;
        }
        self.shown = Some(shown);
        true
    }
}

/// Somebody or something has ended it.
fn has_ended(game: &KeptGame) -> bool {
    game.game.state().ending.is_some() || game.result_by_hand.is_some()
}

/// A payload that cannot be read or replayed leaves the game as it was.
fn take(game: &mut KeptGame, position: u64, payload: &[u8]) {
    let taken = read::<TableRecord>("what happened at a table", payload)
        .map_err(|error| error.to_string())
        .and_then(|record| game.fold(&record));
    if let Err(why) = taken {
        tracing::error!(position, game = %game.id, %why, "what happened cannot be shown to the public");
    }
}

/// The span that all times of a board are later for the public.
type Shift = Millis;

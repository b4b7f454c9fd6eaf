//! A whole simulation against a running hub: sets the hall up through `admin/v1`, plays, and asks what was recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures::stream::{self, StreamExt, TryStreamExt};
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::api::proto::admin::v1 as admin;
use crate::api::proto::arbiter::v1 as wire;
use crate::api::proto::feed::v1 as feed;
use crate::device::codec::Format;

use super::arbiter::Arbiter;
use super::clock::Side;
use super::dice::Dice;
use super::judge::{self, Latency, Verdict};
use super::link::Login;
use super::office::{Office, Trouble, request_id};
use super::pgn::Name;
use super::plan::{Ending, Game};
use super::progress::Progress;
use super::seat::{self, Seat, Word};
use super::table::{BoardKind, Equipment, Notice, Table};

/// What is simulated, and where.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The hub's inside address: `http://127.0.0.1:7878`.
    pub hub: String,
    /// A chief arbiter's token.
    pub token: String,
    /// The broker, where it is not the one that the hub names.
    pub mqtt: Option<String>,
    /// How many tables.
    pub tables: u32,
    /// The first one's number.
    pub first_table: u32,
    /// Their boards.
    pub board: BoardKind,
    /// Clock and board are two devices.
    pub split: bool,
    /// How often boards look, in ms of their time; 0: they see everything at once.
    pub scan_ms: i64,
    /// The broker keeps the devices' sessions.
    pub persistent: bool,
    /// Chance.
    pub seed: u64,
    /// Who plays what when.
    pub order: Order,
    /// The event's name.
    pub event_name: String,
    /// Whose token it is, where that is known: games in which somebody else has ruled are not held against the plan.
    pub name: Option<String>,
    /// A hub that is away for so long is gone.
    pub patience: Duration,
}

/// Who plays what when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One event; all tables play a round together, and the next one begins when all have ended.
    Rounds,
    /// Every table has an event of its own and plays on and on, until it is stopped.
    EachOnItsOwn {
        /// How a game ended is left to be seen for so long of real time.
        shown: Duration,
    },
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Games played.
    pub games: usize,
    /// Half-moves planned.
    pub plies_planned: usize,
    /// Half-moves in the hub's record.
    pub plies_recorded: usize,
    /// Games whose moves differ.
    pub san_differs: usize,
    /// Presses whose time differs by more than 0 ms.
    pub presses_time_differs: usize,
    /// Games whose result differs.
    pub results_differ: usize,
    /// Reports that the devices have made.
    pub reports_sent: u64,
    /// Reports that the hub never had.
    pub reports_lost: u64,
    /// Half-moves recorded twice, or that nobody made.
    pub reports_twice: usize,
    /// Reports that went out more than once, as the contract asks of a device; none may count twice.
    pub reports_resent: u64,
    /// Connections that the devices have made.
    pub connections: u64,
    /// Items that nobody expected, in words.
    pub unexpected_items: Vec<String>,
    /// From press to feed, in ms of real time.
    pub latency: Latency,
    /// Real seconds.
    pub wall_seconds: f64,
    /// Chance.
    pub seed: u64,
    /// The hall's speed.
    pub speed: f64,
    /// What differs, game by game.
    pub differences: Vec<String>,
    /// The same where another arbiter has ruled in the game, so that nothing was planned.
    pub ruled_otherwise: Vec<String>,
    /// What the scores say that nobody can play.
    pub remarks: Vec<String>,
}

impl Report {
    /// Everything is as planned.
    pub fn holds(&self) -> bool {
        self.san_differs == 0
            && self.presses_time_differs == 0
            && self.results_differ == 0
            && self.reports_lost == 0
            && self.reports_twice == 0
            && self.plies_planned == self.plies_recorded
            && self.unexpected_items.is_empty()
    }
}

/// A table that is set up.
struct Place {
    table: u32,
    seat: Seat,
}

/// Played and judged.
struct Played {
    game: usize,
    verdict: Verdict,
    /// It is not as planned, and this other arbiter has ruled in it.
    ruled_by: Option<String>,
    unexpected: Vec<String>,
}

/// Everything that the tasks of a simulation share.
struct Hall<'a> {
    settings: &'a Settings,
    office: Office,
    games: Vec<Arc<Game>>,
    progress: Arc<Progress>,
    /// Tables with open items, as last seen.
    items: watch::Receiver<BTreeMap<u32, wire::Game>>,
    stop: CancellationToken,
}

/// Plays `games` and reports. With [`Order::EachOnItsOwn`] it ends only when `stop` is cancelled.
pub async fn run(
    settings: &Settings,
    games: Vec<Game>,
    progress: Arc<Progress>,
    stop: &CancellationToken,
) -> Result<Report, Trouble> {
    let began = Instant::now();
    if games.is_empty() || settings.tables == 0 {
        return Err(Trouble::Stuck("there is no game, or no table, to play at".to_owned()));
    }
    let office = Office::new(&settings.hub, &settings.token, settings.patience)?;
    let hall = office
        .call("GetHall", |mut office| async move {
            office.admin.get_hall(admin::GetHallRequest {}).await
        })
        .await?;
    let tasks = TaskTracker::new();
    // The helpers' and devices' own end: games that are being played are played on until their tables are told.
    let devices_stop = CancellationToken::new();
    let (tell_items, items) = watch::channel(BTreeMap::new());
    tasks.spawn(watch_items(office.clone(), tell_items, devices_stop.clone()));
    tasks.spawn(watch_feed(office.clone(), Arc::clone(&progress), devices_stop.clone()));

    let this = Hall {
        settings,
        office,
        games: games.into_iter().map(Arc::new).collect(),
        progress,
        items,
        stop: stop.clone(),
    };
    let played = this.play_all(&hall, &tasks, &devices_stop).await;
    devices_stop.cancel();
    tasks.close();
    tasks.wait().await;
    let (played, tallies) = played?;
    Ok(this.report(&played, &tallies, hall.speed, began.elapsed()))
}

/// Reports made, lost, sent again; connections.
#[derive(Clone, Copy, Default)]
struct Tallies {
    made: u64,
    lost: u64,
    resent: u64,
    connections: u64,
}

impl Hall<'_> {
    async fn play_all(
        &self,
        hall: &admin::GetHallResponse,
        tasks: &TaskTracker,
        stop: &CancellationToken,
    ) -> Result<(Vec<Played>, Tallies), Trouble> {
        let count = match self.settings.order {
            Order::Rounds => self.settings.tables.min(self.games.len() as u32),
            Order::EachOnItsOwn { .. } => self.settings.tables,
        };
        let mark = format!("{:08x}", uuid::Uuid::new_v4().as_fields().0);
        let mut places: Vec<Place> = stream::iter(0..count)
            .map(|nth| self.set_up(nth, &mark, hall, tasks, stop))
            .buffered(16)
            .try_collect()
            .await?;
        let tallies: Vec<_> = places.iter().map(|place| Arc::clone(&place.seat.tally)).collect();
        let sum = |progress: &Progress| {
            let made: u64 = tallies.iter().map(|tally| tally.made.load(Ordering::Relaxed)).sum();
            let unseen: u64 = tallies.iter().map(|tally| tally.unseen.load(Ordering::Relaxed)).sum();
            progress.reports.store(made, Ordering::Relaxed);
            progress.unseen.store(unseen, Ordering::Relaxed);
            unseen
        };
        let counting = async {
            loop {
                sum(&self.progress);
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        };
        let playing = async {
            match self.settings.order {
                Order::Rounds => self.play_rounds(&mut places, &mark).await,
                Order::EachOnItsOwn { shown } => self.play_on(&mut places, &mark, shown).await,
            }
        };
        let played = tokio::select! {
            played = playing => played?,
            () = counting => Vec::new(),
        };
        // What is under way still may arrive.
        let began = Instant::now();
        while sum(&self.progress) > 0 && began.elapsed() < Duration::from_secs(20) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let all = |what: fn(&seat::Tally) -> u64| tallies.iter().map(|tally| what(tally)).sum::<u64>();
        let total = Tallies {
            made: all(|tally| tally.made.load(Ordering::Relaxed)),
            lost: all(|tally| tally.lost.load(Ordering::Relaxed) + tally.unseen.load(Ordering::Relaxed)),
            resent: all(|tally| tally.resent.load(Ordering::Relaxed)),
            connections: all(|tally| tally.connections.load(Ordering::Relaxed)),
        };
        Ok((played, total))
    }

    /// A table with its devices, known to the hub, bound and switched on.
    async fn set_up(
        &self,
        nth: u32,
        mark: &str,
        hall: &admin::GetHallResponse,
        tasks: &TaskTracker,
        stop: &CancellationToken,
    ) -> Result<Place, Trouble> {
        let table = self.settings.first_table + nth;
        let dice = Dice::new(self.settings.seed).fork("table", u64::from(nth));
        let equipment = self.equipment(table, &dice);
        let white_side = match equipment.white_side {
            Side::Left => admin::Side::Left,
            Side::Right => admin::Side::Right,
        };
        let request = admin::PutTableRequest {
            request_id: request_id(),
            table,
            sector: None,
            white_side: white_side.into(),
            board_turned: Some(equipment.board_turned),
        };
        self.office
            .call("PutTable", |mut office| {
                let request = request.clone();
                async move { office.admin.put_table(request).await }
            })
            .await?;
        let has_board = equipment.board != BoardKind::None;
        let kinds = match (equipment.split, has_board) {
            (false, true) => vec![("table", admin::DeviceKind::Both, true, true)],
            (_, false) => vec![("clock", admin::DeviceKind::Clock, true, false)],
            (true, true) => {
                vec![
                    ("clock", admin::DeviceKind::Clock, true, false),
                    ("board", admin::DeviceKind::Board, false, true),
                ]
            }
        };
        let mut logins = Vec::new();
        for (name, kind, as_clock, as_board) in kinds {
            let id = format!("sim-{mark}-{name}-{table}");
            logins.push(self.add_device(id.clone(), kind, hall).await?);
            let request = admin::BindDeviceRequest {
                request_id: request_id(),
                device: id,
                table,
                as_clock,
                as_board,
                white_side: white_side.into(),
                board_turned: Some(equipment.board_turned),
            };
            self.office
                .call("BindDevice", |mut office| {
                    let request = request.clone();
                    async move { office.admin.bind_device(request).await }
                })
                .await?;
        }
        let mut boots = [0_u32; 2];
        for boot in &mut boots {
            *boot = uuid::Uuid::new_v4().as_fields().0.max(1);
        }
        let seat = seat::start(Table::new(equipment, boots, dice.clone()), logins, &dice, tasks, stop);
        Ok(Place { table, seat })
    }

    fn equipment(&self, table: u32, dice: &Dice) -> Equipment {
        let mut dice = dice.fork("equipment", 0);
        let white_side = if dice.one_in(2) { Side::Left } else { Side::Right };
        let board_turned = dice.one_in(2);
        let format = if dice.one_in(8) { Format::Json } else { Format::Protobuf };
        let counter = match dice.one_in(4) {
            // A counter of 32 bits that wraps in the middle of the game.
            true => (u64::from(u32::MAX) - dice.between(60_000, 1_200_000) as u64, 32),
            false => (dice.between(0, 86_400_000) as u64, 0),
        };
        Equipment {
            table,
            board: self.settings.board,
            split: self.settings.split,
            white_side,
            board_turned,
            scan_ms: self.settings.scan_ms,
            format,
            counter,
        }
    }

    async fn add_device(
        &self,
        id: String,
        kind: admin::DeviceKind,
        hall: &admin::GetHallResponse,
    ) -> Result<Login, Trouble> {
        let request = admin::AddDeviceRequest {
            request_id: request_id(),
            id: id.clone(),
            kind: kind.into(),
            speaks_for: Vec::new(),
        };
        let added = self
            .office
            .call("AddDevice", |mut office| {
                let request = request.clone();
                async move { office.admin.add_device(request).await }
            })
            .await?;
        let credential = match added.credential {
            Some(credential) => credential,
            // The answer with the secret was lost on the way.
            None => {
                let request = admin::RotateDeviceCredentialRequest {
                    request_id: request_id(),
                    device: id.clone(),
                };
                let rotated = self.office.call("RotateDeviceCredential", |mut office| {
                    let request = request.clone();
                    async move { office.admin.rotate_device_credential(request).await }
                });
                let missing = || Trouble::Stuck(format!("device {id}: the hub gives no credential"));
                rotated.await?.credential.ok_or_else(missing)?
            }
        };
        let url = match (&self.settings.mqtt, credential.mqtt_url.as_str()) {
            (Some(given), _) => given.as_str(),
            (None, "") => hall.mqtt_url.as_str(),
            (None, url) => url,
        };
        let address = url.rsplit("://").next().unwrap_or(url);
        let (host, port) = match address.rsplit_once(':') {
            Some((host, port)) => (host, port.trim_end_matches('/').parse().ok()),
            None => (address, Some(1883)),
        };
        let Some(port) = port.filter(|_| !host.is_empty()) else {
            return Err(Trouble::Setting {
                what: "MQTT address",
                why: format!("`{url}` is not HOST:PORT"),
            });
        };
        Ok(Login {
            host: host.to_owned(),
            port,
            username: credential.username,
            password: credential.password,
            prefix: credential.topic_prefix,
            persistent: self.settings.persistent,
        })
    }

    async fn put_event(&self, id: &str) -> Result<(), Trouble> {
        let regulations = admin::Regulations {
            enforcement: admin::Enforcement::Confirm.into(),
            supervision: admin::Supervision::Limited.into(),
            default_time_ms: 3_600_000,
            period_added: admin::PeriodAdded::OnMoves.into(),
            first_increment: Some(true),
            endings_shown_at_once: true,
            ..admin::Regulations::default()
        };
        let score = self.games.first();
        let event = admin::Event {
            id: id.to_owned(),
            name: self.settings.event_name.clone(),
            site: score.map(|game| game.site.clone()).unwrap_or_default(),
            date: score
                .map(|game| game.date.replace('.', "-"))
                .filter(|date| !date.contains('?'))
                .unwrap_or_default(),
            regulations: Some(regulations),
            ..admin::Event::default()
        };
        let request = admin::PutEventRequest {
            request_id: request_id(),
            event: Some(event),
        };
        self.office
            .call("PutEvent", |mut office| {
                let request = request.clone();
                async move { office.admin.put_event(request).await }
            })
            .await?;
        Ok(())
    }

    /// All tables together, wave after wave. Long games go with long ones, so that none waits for a single one. Nobody has two
    /// games in a round: what the same players play at the same time belongs to different events.
    async fn play_rounds(&self, places: &mut [Place], mark: &str) -> Result<Vec<Played>, Trouble> {
        self.progress.games.store(self.games.len(), Ordering::Relaxed);
        let plies = self.games.iter().map(|game| game.turns.len()).sum();
        self.progress.plies.store(plies, Ordering::Relaxed);
        let mut order: Vec<usize> = (0..self.games.len()).collect();
        let length = |game: &Game| game.turns.iter().map(|turn| turn.think_ms).sum::<i64>();
        order.sort_by_key(|game| std::cmp::Reverse(length(&self.games[*game])));
        let mut events: Vec<String> = Vec::new();
        let mut played = Vec::new();
        for (number, together) in (1..).zip(order.chunks(places.len())) {
            let layers = self.layers(together);
            while events.len() < layers.len() {
                let event = format!("sim-{mark}-{}", events.len() + 1);
                self.put_event(&event).await?;
                events.push(event);
            }
            let mut free = places.iter_mut();
            let rounds = layers.into_iter().zip(&events).map(|(games, event)| {
                let tables: Vec<&mut Place> = free.by_ref().take(games.len()).collect();
                async move { self.play_round(&Round { event, number }, tables, &games).await }
            });
            let ended = tokio::select! {
                ended = futures::future::try_join_all(rounds) => ended?,
                () = self.stop.cancelled() => break,
            };
            played.extend(ended.into_iter().flatten());
        }
        Ok(played)
    }

    /// Parts games so that nobody has two in any part.
    fn layers(&self, games: &[usize]) -> Vec<Vec<usize>> {
        let mut layers: Vec<(BTreeSet<&str>, Vec<usize>)> = Vec::new();
        for &number in games {
            let players = [
                self.games[number].white.name.as_str(),
                self.games[number].black.name.as_str(),
            ];
            let free = layers
                .iter_mut()
                .find(|(busy, _)| players.iter().all(|player| !busy.contains(player)));
            match free {
                Some((busy, layer)) => {
                    busy.extend(players);
                    layer.push(number);
                }
                None => layers.push((players.into(), vec![number])),
            }
        }
        layers.into_iter().map(|(_, layer)| layer).collect()
    }

    /// Each table by itself, until it is stopped.
    async fn play_on(&self, places: &mut [Place], mark: &str, shown: Duration) -> Result<Vec<Played>, Trouble> {
        let count = places.len();
        let each = places.iter_mut().enumerate().map(|(nth, place)| async move {
            let event = format!("demo-{mark}-{}", place.table);
            self.put_event(&event).await?;
            let mut played = Vec::new();
            for number in 1.. {
                let game = (nth + count * (number as usize - 1)) % self.games.len();
                self.progress.games.fetch_add(1, Ordering::Relaxed);
                self.progress
                    .plies
                    .fetch_add(self.games[game].turns.len(), Ordering::Relaxed);
                let round = Round { event: &event, number };
                let games = [game];
                let ended = tokio::select! {
                    ended = self.play_round(&round, vec![&mut *place], &games) => ended?,
                    () = self.stop.cancelled() => break,
                };
                played.extend(ended);
                tokio::select! {
                    () = tokio::time::sleep(shown) => {}
                    () = self.stop.cancelled() => break,
                }
            }
            Ok::<_, Trouble>(played)
        });
        let all = futures::future::try_join_all(each).await?;
        Ok(all.into_iter().flatten().collect())
    }

    /// One round at these tables, from the pairings to its end.
    async fn play_round(
        &self,
        round: &Round<'_>,
        mut places: Vec<&mut Place>,
        games: &[usize],
    ) -> Result<Vec<Played>, Trouble> {
        self.put_round(round, &places, games).await?;
        for (place, &game) in places.iter_mut().zip(games) {
            let number = u64::from(round.number) << 16 | game as u64;
            self.progress.sat_down(place.table, round.event, round.number);
            while place.seat.notices.try_recv().is_ok() {}
            say(place, Word::SitDown(Arc::clone(&self.games[game]), number)).await?;
        }
        for place in &mut places {
            self.wait_for(
                place,
                &Notice::Seated,
                "nobody can sit down: its devices have not heard of the hub",
            )
            .await?;
        }
        // The pieces stand, and the hub knows it, before it is told what game it is.
        let began = Instant::now();
        while let Some(place) = places
            .iter()
            .find(|place| place.seat.tally.unseen.load(Ordering::Relaxed) > 0)
        {
            if began.elapsed() > self.settings.patience {
                let table = place.table;
                return Err(Trouble::Stuck(format!(
                    "table {table}: what its devices report is not acknowledged"
                )));
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self.arm(round, &mut places).await?;
        self.start(round, &places).await?;
        let playing = places
            .iter_mut()
            .zip(games)
            .map(|(place, &game)| self.conduct(place, game));
        let played = futures::future::try_join_all(playing).await?;
        self.end(round).await?;
        Ok(played)
    }

    async fn put_round(&self, round: &Round<'_>, places: &[&mut Place], games: &[usize]) -> Result<(), Trouble> {
        let pairings = (1..).zip(places).zip(games).map(|((board, place), &game)| {
            let game = &self.games[game];
            admin::Pairing {
                table: place.table,
                board,
                white: Some(player(&game.white)),
                black: Some(player(&game.black)),
                time_control: game.control.notation(),
                board_kind: match self.settings.board {
                    BoardKind::Pieces => admin::BoardKind::Pieces,
                    BoardKind::Occupancy => admin::BoardKind::Occupancy,
                    BoardKind::None => admin::BoardKind::None,
                }
                .into(),
                variant: String::new(),
                fen: game.fen.clone().unwrap_or_default(),
                game: String::new(),
            }
        });
        let request = admin::PutRoundRequest {
            request_id: request_id(),
            event: round.event.to_owned(),
            number: round.number,
            time_control: self.games[games[0]].control.notation(),
            source: Some(admin::put_round_request::Source::Pairings(admin::PairingList {
                pairings: pairings.collect(),
            })),
            validate_only: false,
        };
        self.office
            .call("PutRound", |mut office| {
                let request = request.clone();
                async move { office.admin.put_round(request).await }
            })
            .await?;
        Ok(())
    }

    /// Gives every clock its control, and waits until it shows it.
    async fn arm(&self, round: &Round<'_>, places: &mut [&mut Place]) -> Result<(), Trouble> {
        let request = wire::ArmRoundRequest {
            request_id: request_id(),
            event: round.event.to_owned(),
            round: round.number,
        };
        let armed = self
            .office
            .call("ArmRound", |mut office| {
                let request = request.clone();
                async move { office.arbiter.arm_round(request).await }
            })
            .await?;
        if let Some((table, refusal)) = refused(&armed.answers).first() {
            return Err(Trouble::Stuck(format!(
                "table {table} is not armed: {}",
                refusal.message
            )));
        }
        for place in places {
            self.wait_for(place, &Notice::Ready, "its clock gets no time control")
                .await?;
        }
        Ok(())
    }

    async fn wait_for(&self, place: &mut Place, wanted: &Notice, otherwise: &str) -> Result<(), Trouble> {
        let heard = async {
            while let Some((notice, _)) = place.seat.notices.recv().await {
                if notice == *wanted {
                    return true;
                }
            }
            false
        };
        match tokio::time::timeout(self.settings.patience, heard).await {
            Ok(true) => Ok(()),
            _ => Err(Trouble::Stuck(format!("table {}: {otherwise}", place.table))),
        }
    }

    async fn start(&self, round: &Round<'_>, places: &[&mut Place]) -> Result<(), Trouble> {
        let mut tables: Vec<u32> = places.iter().map(|place| place.table).collect();
        let began = Instant::now();
        loop {
            let request = wire::StartRoundRequest {
                request_id: request_id(),
                event: round.event.to_owned(),
                round: round.number,
                tables: tables.clone(),
            };
            let started = self
                .office
                .call("StartRound", |mut office| {
                    let request = request.clone();
                    async move { office.arbiter.start_round(request).await }
                })
                .await?;
            let not_yet = refused(&started.answers);
            let Some((table, refusal)) = not_yet.first() else {
                return Ok(());
            };
            if began.elapsed() > self.settings.patience {
                return Err(Trouble::Stuck(format!(
                    "table {table} does not start: {}",
                    refusal.message
                )));
            }
            // A clock that has the control may not have said so yet.
            tokio::time::sleep(Duration::from_millis(100)).await;
            tables = not_yet.iter().map(|(table, _)| *table).collect();
        }
    }

    async fn end(&self, round: &Round<'_>) -> Result<(), Trouble> {
        let request = wire::EndRoundRequest {
            request_id: request_id(),
            event: round.event.to_owned(),
            round: round.number,
        };
        let ended = self
            .office
            .call("EndRound", |mut office| {
                let request = request.clone();
                async move { office.arbiter.end_round(request).await }
            })
            .await?;
        match refused(&ended.answers).first() {
            None => Ok(()),
            Some((table, refusal)) => Err(Trouble::Stuck(format!(
                "round {} does not end: table {table}: {}",
                round.number, refusal.message
            ))),
        }
    }

    /// One game, from the running clock to the judgement.
    async fn conduct(&self, place: &mut Place, number: usize) -> Result<Played, Trouble> {
        let game = Arc::clone(&self.games[number]);
        let mut arbiter = Arbiter::new(&self.office, place.table, &game);
        let mut items = self.items.clone();
        if game.ending == Ending::Unplayed {
            arbiter.conclude().await?;
        } else {
            self.follow(place, &game, &mut arbiter, &mut items).await?;
        }
        say(place, Word::ShowResult).await?;
        let recorded = arbiter.look().await?;
        arbiter.deal_with(&recorded).await?;
        let recorded = arbiter.look().await?;
        let verdict = judge::judge(&game, self.settings.board, &recorded);
        self.progress.over.fetch_add(1, Ordering::Relaxed);
        let mut ruled_by = None;
        if !verdict.holds() {
            if let Some(own) = &self.settings.name {
                ruled_by = arbiter.ruled_by_another(own).await?;
            }
            let count = match ruled_by {
                Some(_) => &self.progress.ruled,
                None => &self.progress.differing,
            };
            count.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Played {
            game: number,
            verdict,
            ruled_by,
            unexpected: arbiter.unexpected,
        })
    }

    async fn follow(
        &self,
        place: &mut Place,
        game: &Game,
        arbiter: &mut Arbiter<'_>,
        items: &mut watch::Receiver<BTreeMap<u32, wire::Game>>,
    ) -> Result<(), Trouble> {
        let table = place.table;
        let mut late = false;
        let mut over = false;
        let mut look = tokio::time::interval(Duration::from_secs(3));
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                notice = place.seat.notices.recv() => {
                    let Some((notice, at)) = notice else {
                        return Err(Trouble::Stuck(format!("table {table} has gone")));
                    };
                    match notice {
                        Notice::Seated | Notice::Ready => {}
                        Notice::Pressed(ply) => self.progress.pressed(table, ply, at),
                        Notice::Called(call) => arbiter.correct(call).await?,
                        Notice::Flagged(of) => {
                            if !arbiter.flag_fell(of) {
                                arbiter.unexpected.push(format!("{} table {table}: {of}'s flag fell", game.source));
                                return arbiter.conclude().await;
                            }
                        }
                        Notice::Finished => return arbiter.conclude().await,
                    }
                }
                _ = look.tick() => {
                    // Somebody else can end a game: then nobody here will say that it is finished.
                    let ended = arbiter.look().await?.result != "*";
                    if ended && over && !late {
                        return Ok(());
                    }
                    over = ended;
                }
                changed = items.changed() => {
                    if changed.is_err() {
                        return Err(Trouble::Stuck("the items are not watched any more".to_owned()));
                    }
                    let seen = items.borrow_and_update().get(&table).cloned();
                    if let Some(seen) = seen {
                        arbiter.deal_with(&seen).await?;
                        // The flag is confirmed: the player makes his move all the same.
                        if matches!(game.ending, Ending::Flag { .. }) && !late && arbiter.look().await?.result != "*" {
                            late = true;
                            say(place, Word::MoveLate).await?;
                        }
                    }
                }
            }
        }
    }

    fn report(&self, played: &[Played], tallies: &Tallies, speed: f64, took: Duration) -> Report {
        let games = played.iter().map(|played| (&self.games[played.game], &played.verdict));
        let said = |played: &Played| {
            let (game, verdict) = (&self.games[played.game], &played.verdict);
            let players = format!("{} - {}", game.white.name, game.black.name);
            let details = verdict.details.join("; ");
            format!("{} (round {}, {players}): {details}", game.source, game.round)
        };
        let (ruled, differing): (Vec<&Played>, Vec<&Played>) = played
            .iter()
            .filter(|played| !played.verdict.holds())
            .partition(|played| played.ruled_by.is_some());
        let ruled = ruled.into_iter().map(|played| {
            let by = played.ruled_by.as_deref().unwrap_or_default();
            format!("ruled on by {by}: {}", said(played))
        });
        let differences = differing.into_iter().map(said);
        let count = |what: fn(&Verdict) -> usize| played.iter().map(|played| what(&played.verdict)).sum::<usize>();
        Report {
            games: played.len(),
            plies_planned: games.clone().map(|(game, _)| game.turns.len()).sum(),
            plies_recorded: count(|verdict| verdict.recorded),
            san_differs: count(|verdict| usize::from(verdict.san_differs)),
            presses_time_differs: count(|verdict| verdict.presses_differ),
            results_differ: count(|verdict| usize::from(verdict.result_differs)),
            reports_sent: tallies.made,
            reports_lost: tallies.lost,
            reports_twice: count(|verdict| verdict.too_many),
            reports_resent: tallies.resent,
            connections: tallies.connections,
            unexpected_items: played.iter().flat_map(|played| played.unexpected.clone()).collect(),
            latency: self.progress.latency(),
            wall_seconds: took.as_secs_f64(),
            seed: self.settings.seed,
            speed,
            differences: differences.collect(),
            ruled_otherwise: ruled.collect(),
            remarks: games
                .flat_map(|(game, _)| {
                    game.remarks
                        .iter()
                        .map(|remark| format!("{} ({}): {remark}", game.source, game.round))
                })
                .collect(),
        }
    }
}

/// A round of an event.
struct Round<'a> {
    event: &'a str,
    number: u32,
}

async fn say(place: &Place, word: Word) -> Result<(), Trouble> {
    let gone = |_| Trouble::Stuck(format!("table {} has gone", place.table));
    place.seat.say.send(word).await.map_err(gone)
}

fn player(name: &Name) -> feed::Player {
    feed::Player {
        name: name.name.clone(),
        title: name.title.clone(),
        fide_id: name.fide_id.map(u64::from),
        rating: name.rating,
        federation: name.federation.clone(),
        team: String::new(),
    }
}

fn refused(answers: &[wire::TableAnswer]) -> Vec<(u32, &wire::Refusal)> {
    let refused = answers.iter().filter_map(|answer| match &answer.answer {
        Some(wire::table_answer::Answer::Refused(refusal)) => Some((answer.table, refusal)),
        _ => None,
    });
    refused.collect()
}

/// Looks for tables with open items, again and again.
async fn watch_items(office: Office, tell: watch::Sender<BTreeMap<u32, wire::Game>>, stop: CancellationToken) {
    let look = async {
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let listed = office.call("ListTables", |mut office| async move {
                let request = wire::ListTablesRequest {
                    only_with_items: true,
                    page_size: 3000,
                    ..Default::default()
                };
                office.arbiter.list_tables(request).await
            });
            match listed.await {
                Ok(listed) => {
                    let tables = listed
                        .tables
                        .into_iter()
                        .filter_map(|table| Some((table.hall?.table, table.game?)));
                    let tables: BTreeMap<u32, wire::Game> = tables.collect();
                    if !tables.is_empty() {
                        tell.send_replace(tables);
                    }
                }
                Err(error) => tracing::warn!(%error, "the open items cannot be listed"),
            }
        }
    };
    tokio::select! {
        () = look => {}
        () = stop.cancelled() => {}
    }
}

/// Watches the hall's feed for when a press is shown.
async fn watch_feed(office: Office, progress: Arc<Progress>, stop: CancellationToken) {
    use feed::watch_hall_response::Update;
    let watch = async {
        let mut resume: Option<feed::Place> = None;
        loop {
            let mut client = office.feed.clone();
            let request = feed::WatchHallRequest {
                resume,
                ..feed::WatchHallRequest::default()
            };
            let Ok(answer) = client.watch_hall(request).await else {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            };
            let mut updates = answer.into_inner();
            while let Ok(Some(message)) = updates.message().await {
                let at = Instant::now();
                let table = match message.update {
                    Some(Update::Snapshot(table)) => Some(table),
                    Some(Update::Changed(changed)) => {
                        resume = changed.place;
                        changed.table
                    }
                    Some(Update::SnapshotEnd(end)) => {
                        resume = end.place;
                        None
                    }
                    Some(Update::Removed(_) | Update::Heartbeat(_)) | None => None,
                };
                if let Some(table) = table {
                    let pressed = table.moves.iter().take_while(|mv| mv.clock_ms.is_some()).count();
                    progress.shown(table.table, &table.event, table.round, pressed, at);
                }
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::select! {
        () = watch => {}
        () = stop.cancelled() => {}
    }
}

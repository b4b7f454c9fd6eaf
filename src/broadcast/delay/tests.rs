//! Halls at random, and what of them the public may know: worked out again in another way.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::chess::Color;
use crate::game::Game;
use crate::game::audience::HallView;
use crate::game::input::{Act, Deed, Fact, Happening, Input, Origin, Restoration};
use crate::hall::call::Command;
use crate::hall::model::{BoardKind, Pairing, Player, Regulations, Release};
use crate::hall::record::write;
use crate::hall::registry::Context;
use crate::hall::secrets::Chance;
use crate::store::NewEntry;

const TABLES: u32 = 3;
/// A game that can go on for ever.
const MOVES: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

fn event() -> EventId {
    "open".parse().expect("an id")
}

/// A hall that writes its journal into memory.
struct Hall {
    now: HallTime,
    registry: Registry,
    games: BTreeMap<TableNo, Game>,
    journal: Vec<Entry>,
    calls: u8,
}

impl Hall {
    fn new() -> Hall {
        let mut hall = Hall {
            now: HallTime(1_000),
            registry: Registry::default(),
            games: BTreeMap::new(),
            journal: Vec::new(),
            calls: 0,
        };
        hall.ask(Command::PutEvent {
            event: event(),
            name: "Open".into(),
            site: String::new(),
            date: String::new(),
            regulations: Regulations::default(),
        });
        hall
    }

    fn write(&mut self, entry: NewEntry) {
        let position = self.journal.len() as u64 + 1;
        self.journal.push(Entry::detached(position, 1, 0, entry));
    }

    fn ask(&mut self, command: Command) {
        self.calls = self.calls.wrapping_add(1);
        let chance = Chance {
            bytes: [self.calls; 32],
            wall_ms: 1,
        };
        let context = Context {
            chance: &chance,
            abilities: &HashMap::new(),
            now: self.now,
            over: &Default::default(),
        };
        let event = self.registry.decide(&command, &context).expect("sound").event;
        self.happened(event);
    }

    fn happened(&mut self, event: HallEvent) {
        self.registry.fold(&event).expect("fits");
        if let HallEvent::RoundArmed { seats, .. } = &event {
            for seat in seats {
                self.games.insert(seat.table, Game::new(seat.setup.clone()));
            }
        }
        self.write(NewEntry::new(EntryKind::Hall, self.now, write(&event)));
    }

    fn round(&mut self, number: u32) {
        let player = |name: String| Player {
            name,
            ..Player::default()
        };
        let pairing = |table: u32| Pairing {
            table: TableNo(table),
            board: table,
            white: player(format!("White {number}.{table}")),
            black: player(format!("Black {number}.{table}")),
            time_control: None,
            board_kind: Some(BoardKind::Pieces),
            variant: Default::default(),
            fen: None,
            game: None,
        };
        let round = RoundNo(number);
        self.ask(Command::PutRound {
            event: event(),
            round,
            time_control: "90m+30s".into(),
            pairings: (1..=TABLES).map(pairing).collect(),
        });
        self.ask(Command::ArmRound { event: event(), round });
        for table in 1..=TABLES {
            self.act(table, Deed::Start);
        }
        self.happened(HallEvent::RoundStarted { event: event(), round });
    }

    fn release(&mut self, round: Option<u32>, release: Option<Release>) {
        self.ask(Command::SetRelease {
            event: event(),
            round: round.map(RoundNo),
            release,
        });
    }

    fn act(&mut self, table: u32, what: Deed) {
        let act = Act {
            revision: self
                .games
                .get(&TableNo(table))
                .map(|game| game.arbiter_view(self.now).revision),
            reason: String::new(),
            what,
        };
        self.input(table, Happening::Act(act));
    }

    /// What is refused has not happened.
    fn input(&mut self, table: u32, what: Happening) {
        let table = TableNo(table);
        let Some(game) = self.games.get_mut(&table) else { return };
        let input = Input {
            at: self.now,
            heard: self.now,
            origin: Origin::Person {
                name: "Vera".into(),
                role: "chief-arbiter".into(),
            },
            what,
        };
        let Ok(events) = game.take(&input) else { return };
        if events.is_empty() {
            return;
        }
        let payload = write(&TableRecord::Taken { events });
        let id = self.registry.tables[&table].game.expect("armed");
        self.write(NewEntry::new(EntryKind::Table, self.now, payload).at_table(table.0, id.0));
    }

    fn moves(&mut self, table: u32) {
        let Some(game) = self.games.get(&TableNo(table)) else {
            return;
        };
        let made = game.arbiter_view(self.now).moves.len();
        let by = if made.is_multiple_of(2) {
            Color::White
        } else {
            Color::Black
        };
        let mv = MOVES[made % 4].to_owned();
        self.input(table, Happening::Fact(Fact::Moved { by, mv }));
        self.now.0 += 1;
        self.input(table, Happening::Fact(Fact::Pressed { by }));
    }
}

/// What a hall does next.
#[derive(Clone, Debug)]
enum Next {
    Pass(i64),
    Move(u32),
    Resign(u32),
    Result(u32),
    Reopen(u32),
    Restore(u32),
    Release(Option<Release>),
    Rename,
    End,
    AnotherRound,
    Restart,
}

fn release() -> impl Strategy<Value = Release> {
    let delay = prop_oneof![Just(0i64), Just(60_000), Just(900_000), 0..2_000_000i64];
    let boards = proptest::collection::btree_map(1..=TABLES, (0..2_000_000i64).prop_map(Millis), 0..2);
    (delay, boards, any::<bool>(), any::<bool>()).prop_map(|(delay, boards, finished_at_once, ended_at_once)| Release {
        delay_ms: Millis(delay),
        boards,
        finished_at_once,
        ended_at_once,
    })
}

fn next() -> impl Strategy<Value = Next> {
    let table = || 1..=TABLES;
    prop_oneof![
        6 => (0..400_000i64).prop_map(Next::Pass),
        8 => table().prop_map(Next::Move),
        1 => table().prop_map(Next::Resign),
        1 => table().prop_map(Next::Result),
        1 => table().prop_map(Next::Reopen),
        1 => table().prop_map(Next::Restore),
        2 => proptest::option::of(release()).prop_map(Next::Release),
        1 => Just(Next::Rename),
        1 => Just(Next::End),
        1 => Just(Next::AnotherRound),
        2 => Just(Next::Restart),
    ]
}

/// What may be known of a game, and the result that it has whether somebody has said so or not.
type Known = (HallView, String);

/// Worked out anew from the whole journal: up to which entry each game is known, in the plainest way.
fn known(journal: &[Entry], now: HallTime) -> BTreeMap<GameId, Known> {
    let all: Vec<HallEvent> = journal
        .iter()
        .filter(|entry| entry.content.kind == EntryKind::Hall)
        .map(|entry| read("a change", &entry.content.payload).expect("read"))
        .collect();
    let seats = all.iter().flat_map(|event| match event {
        HallEvent::RoundArmed { seats, .. } => seats.clone(),
        _ => Vec::new(),
    });
    let mut known = BTreeMap::new();
    for seat in seats {
        let mut releases = Releases::default();
        // Ever held: what was heard before this, and what stands up to there.
        let (mut cutoff, mut through) = (i64::MIN, 0);
        let mut ended = false;
        let mut ahead = KeptGame::new(&seat);
        let delay = |releases: &Releases| releases.of(seat.round).delay(seat.board);
        for entry in journal {
            let heard = entry.content.heard;
            let own = entry.content.kind == EntryKind::Table && entry.content.game == Some(seat.game.0);
            if own {
                ahead
                    .fold(&read("a game", &entry.content.payload).expect("read"))
                    .expect("folds");
            } else if entry.content.kind == EntryKind::Hall {
                match read::<HallEvent>("a change", &entry.content.payload).expect("read") {
                    HallEvent::ReleaseSet { round, release, .. } => {
                        cutoff = cutoff.max((heard - delay(&releases)).0);
                        match (round, release) {
                            (None, Some(release)) => releases.all = release,
                            (Some(round), Some(release)) => drop(releases.rounds.insert(round, release)),
                            (Some(round), None) => drop(releases.rounds.remove(&round)),
                            (None, None) => unreachable!("refused"),
                        }
                    }
                    HallEvent::RoundEnded { round, .. } if round == seat.round => ended = true,
                    _ => continue,
                }
            } else {
                continue;
            }
            let release = releases.of(seat.round);
            let over = ahead.game.hall_view(heard).result != "*";
            let looked = own || entry.content.kind == EntryKind::Hall;
            if looked && release.finished_at_once && over && (own || is_release(entry)) {
                through = entry.position;
            }
            if ended && release.ended_at_once && !own && (is_release(entry) || is_end(entry, seat.round)) {
                through = entry.position;
            }
        }
        cutoff = cutoff.max((now - delay(&releases)).0);
        let mut game = KeptGame::new(&seat);
        for entry in journal {
            let is_known = entry.content.heard.0 < cutoff || entry.position <= through;
            if is_known && entry.content.game == Some(seat.game.0) {
                game.fold(&read("a game", &entry.content.payload).expect("read"))
                    .expect("folds");
            }
        }
        let ending = game.game.state().ending.as_ref();
        let result = ending.map_or("*", |ending| ending.result.text()).to_owned();
        known.insert(seat.game, (game.game.hall_view(now), result));
    }
    known
}

fn is_release(entry: &Entry) -> bool {
    matches!(
        read("a change", &entry.content.payload),
        Ok(HallEvent::ReleaseSet { .. })
    )
}

fn is_end(entry: &Entry, of: RoundNo) -> bool {
    matches!(read("a change", &entry.content.payload), Ok(HallEvent::RoundEnded { round, .. }) if round == of)
}

/// Reads again what was put aside and is needed, as the hub does.
fn restore(delayed: &mut Delayed, journal: &[Entry], now: HallTime) {
    if let Some(from) = delayed.missing() {
        for entry in journal.iter().filter(|entry| entry.position >= from) {
            delayed.again(entry);
        }
        delayed.restored();
        delayed.advance(now);
        assert_eq!(delayed.missing(), None);
    }
}

fn moment(now: HallTime) -> Moment {
    Moment { hall: now, unix_ms: 0 }
}

/// When it was called, and when each move was made, for the public.
fn times(board: &PublishedBoard) -> (Option<HallTime>, Vec<HallTime>) {
    (board.score.started, board.score.moves.iter().map(|mv| mv.at).collect())
}

fn sans(moves: &[crate::game::audience::MoveView]) -> Vec<String> {
    moves.iter().map(|mv| mv.san.clone()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_public_knows_exactly_what_it_may_and_a_restart_changes_nothing(
        first in release(),
        doing in proptest::collection::vec(next(), 1..60),
    ) {
        let mut hall = Hall::new();
        hall.release(None, Some(first));
        let mut round = 1;
        hall.round(round);
        let mut delayed = Delayed::new(0);
        let mut taken = 0;
        let mut tables: BTreeMap<TableNo, TableCard> = BTreeMap::new();
        let mut positions = 0;
        for next in doing {
            let mut again = false;
            match next {
                Next::Pass(ms) => hall.now.0 += ms,
                Next::Move(table) => hall.moves(table),
                Next::Resign(table) => hall.input(table, Happening::Fact(Fact::Resigned { by: Color::White })),
                Next::Result(table) => hall.act(table, Deed::Decide { result: "1-0".to_owned() }),
                Next::Reopen(table) => hall.act(table, Deed::Reopen),
                Next::Restore(table) => hall.act(table, Deed::Restore { to: Restoration::Keep(1) }),
                Next::Release(release) => hall.release(Some(round), release),
                Next::Rename => hall.ask(Command::PutEvent {
                    event: event(),
                    name: format!("Open of {}", hall.now.0),
                    site: String::new(),
                    date: String::new(),
                    regulations: Regulations::default(),
                }),
                Next::End => hall.ask(Command::EndRound { event: event(), round: RoundNo(round) }),
                Next::AnotherRound => {
                    hall.ask(Command::EndRound { event: event(), round: RoundNo(round) });
                    round += 1;
                    hall.round(round);
                }
                Next::Restart => again = true,
            }
            hall.now.0 += 1;
            for entry in &hall.journal[taken..] {
                delayed.take(entry).expect("taken");
            }
            taken = hall.journal.len();
            delayed.advance(hall.now);
            restore(&mut delayed, &hall.journal, hall.now);
            let news = delayed.news(moment(hall.now));
            for (table, card) in news.tables {
                match card {
                    Some(card) => drop(tables.insert(table, card)),
                    None => drop(tables.remove(&table)),
                }
            }
            if let Some(published) = news.published {
                prop_assert_eq!(published.position, positions + 1);
                positions += 1;
            }
            let may = known(&hall.journal, hall.now);
            let closed = |number: RoundNo| {
                delayed.published().round(&event(), number).is_some_and(|round| round.status == RoundStatus::Ended)
            };
            for round in &delayed.published().rounds {
                for board in &round.boards {
                    let (view, result) = &may[&board.game.expect("armed")];
                    prop_assert_eq!(sans(&board.score.moves), sans(&view.moves), "at {:?}", hall.now);
                    let said = if closed(round.number) { result } else { &view.result };
                    prop_assert_eq!(&board.score.result, said);
                }
            }
            for (table, card) in &tables {
                let (view, result) = &may[&card.game.expect("armed")];
                prop_assert_eq!(sans(&card.view.moves), sans(&view.moves), "table {} at {:?}", table, hall.now);
                let said = if closed(card.round) { result } else { &view.result };
                prop_assert_eq!(&card.view.result, said);
            }
            if again {
                // In pieces, as a start reads it.
                let mut after = Delayed::new(positions);
                for piece in hall.journal.chunks(7) {
                    for entry in piece {
                        after.take(entry).expect("taken");
                    }
                    after.advance(piece.last().expect("some").content.heard);
                }
                after.advance(hall.now);
                restore(&mut after, &hall.journal, hall.now);
                let news = after.news(moment(hall.now));
                let at = |delayed: &Delayed| delayed.published().rounds.iter().map(|round| (
                    round.event.clone(), round.number, round.status,
                    round.boards.iter().map(|board| (
                        board.table, board.stage, board.fen.clone(), sans(&board.score.moves), times(board),
                        board.score.result.clone(), board.score.white.name.clone(),
                    )).collect::<Vec<_>>(),
                )).collect::<Vec<_>>();
                prop_assert_eq!(at(&after), at(&delayed));
                let shown: Vec<TableNo> = news.tables.iter().map(|(table, _)| *table).collect();
                prop_assert_eq!(shown, tables.keys().copied().collect::<Vec<_>>());
                positions = after.published().position;
                delayed = after;
            }
        }
    }
}

#[test]
fn what_an_event_and_a_round_are_called_is_held_back_too() {
    let mut hall = Hall::new();
    let late = Release {
        delay_ms: Millis::mins(15),
        ..Release::default()
    };
    hall.release(None, Some(late));
    hall.round(1);
    hall.moves(1);
    let mut delayed = Delayed::new(7);
    let all = hall.journal.clone();
    for entry in &all {
        delayed.take(entry).expect("taken");
    }
    let at = |delayed: &mut Delayed, ms: i64| {
        delayed.advance(HallTime(1_000 + ms));
        delayed.news(moment(HallTime(1_000 + ms)))
    };
    let news = at(&mut delayed, 15 * 60_000);
    assert!(
        news.tables.is_empty() && news.published.is_none(),
        "nothing is told before its time"
    );
    let news = at(&mut delayed, 15 * 60_000 + 1);
    assert_eq!(news.tables.len(), 3);
    let published = news.published.expect("published");
    assert_eq!((published.position, published.rounds.len()), (8, 1));
    let board = &published.rounds[0].boards[0];
    assert_eq!(board.score.moves[0].clock, None, "the press is heard a little later");
    let news = at(&mut delayed, 16 * 60_000);
    let card = news.tables[0].1.as_ref().expect("a card");
    assert_eq!(
        card.view.moves[0].at,
        HallTime(1_001) + Millis::mins(15),
        "told as if it were now"
    );
    assert_eq!(card.view.clocks.running, Some(Color::Black));
    assert_eq!(
        card.view.clocks.as_of,
        HallTime(1_000 + 16 * 60_000),
        "counted on from now"
    );
    let longer = Release {
        delay_ms: Millis::mins(30),
        ..Release::default()
    };
    hall.now = HallTime(1_000 + 17 * 60_000);
    hall.release(None, Some(longer));
    delayed.take(&hall.journal[all.len()]).expect("taken");
    let news = at(&mut delayed, 17 * 60_000 + 1);
    let card = news.tables[0].1.as_ref().expect("a card");
    assert_eq!(card.view.moves.len(), 1, "what was told stays told");
    assert!(
        card.view.clocks.no_signal,
        "nobody counts on while time stands still for the public"
    );
}

/// What is published when all of the journal is read in pieces of so many entries, and time has come this far.
fn folded(journal: &[Entry], piece: usize, now: HallTime) -> Arc<Published> {
    let mut delayed = Delayed::new(0);
    for piece in journal.chunks(piece) {
        for entry in piece {
            delayed.take(entry).expect("taken");
        }
        delayed.advance(piece.last().expect("some").content.heard);
        delayed.news(moment(now));
    }
    delayed.advance(now);
    restore(&mut delayed, journal, now);
    delayed.news(moment(now));
    Arc::clone(delayed.published())
}

#[test]
fn who_is_paired_late_comes_after_all_others_and_nobodys_file_gets_another_number() {
    let mut hall = Hall::new();
    hall.round(1);
    let late = |hall: &mut Hall, number: u32| {
        hall.now.0 += 1_000;
        let player = |color: &str| Player {
            name: format!("{color}, late, {number}"),
            ..Player::default()
        };
        hall.ask(Command::AddPairing {
            event: event(),
            round: RoundNo(1),
            pairing: Box::new(Pairing {
                table: TableNo(number),
                board: number,
                white: player("White"),
                black: player("Black"),
                time_control: None,
                board_kind: Some(BoardKind::Pieces),
                variant: Default::default(),
                fen: None,
                game: None,
            }),
            white_time: None,
            black_time: None,
        });
    };
    late(&mut hall, 9);
    hall.moves(2);
    late(&mut hall, 5);
    let now = hall.now + Millis(1);
    let boards = |published: &Published| -> Vec<u32> {
        let round = &published.rounds[0];
        round.boards.iter().map(|board| board.board).collect()
    };
    // Seen as it happened, in pieces, and all at once after a start.
    for piece in [1, 3, 1_000] {
        let published = folded(&hall.journal, piece, now);
        assert_eq!(boards(&published), [1, 2, 3, 9, 5], "in pieces of {piece}");
        let by_board: Vec<u32> = published.rounds[0].by_board().iter().map(|board| board.board).collect();
        assert_eq!(by_board, [1, 2, 3, 5, 9]);
    }
}

#[test]
fn what_the_hub_found_and_nobody_has_said_is_told_when_the_round_is_closed() {
    let mut hall = Hall::new();
    hall.round(1);
    // Five times the same position.
    for _ in 0..16 {
        hall.now.0 += 1_000;
        hall.moves(1);
    }
    let view = hall.games[&TableNo(1)].hall_view(hall.now);
    assert_eq!(view.result, "*", "no arbiter has said it");
    let result = |hall: &Hall| {
        let published = folded(&hall.journal, 5, hall.now + Millis(1));
        let board = &published.rounds[0].boards[0];
        (board.score.result.clone(), board.stage)
    };
    assert_eq!(result(&hall), ("*".to_owned(), super::super::published::Stage::Live));
    hall.now.0 += 1_000;
    hall.ask(Command::EndRound {
        event: event(),
        round: RoundNo(1),
    });
    assert_eq!(
        result(&hall),
        ("1/2-1/2".to_owned(), super::super::published::Stage::Finished)
    );
}

#[test]
fn the_games_of_a_closed_round_are_put_aside_and_read_again_for_a_correction() {
    let mut hall = Hall::new();
    let late = Release {
        delay_ms: Millis::mins(15),
        ..Release::default()
    };
    hall.release(None, Some(late));
    hall.round(1);
    for table in 1..=TABLES {
        hall.moves(table);
        hall.act(
            table,
            Deed::Decide {
                result: "1-0".to_owned(),
            },
        );
    }
    hall.now.0 += 1_000;
    let end = Command::EndRound {
        event: event(),
        round: RoundNo(1),
    };
    hall.ask(end);
    let mut delayed = Delayed::new(0);
    let mut taken = 0;
    let mut look = |hall: &Hall, delayed: &mut Delayed| {
        for entry in &hall.journal[taken..] {
            delayed.take(entry).expect("taken");
        }
        taken = hall.journal.len();
        delayed.advance(hall.now);
        restore(delayed, &hall.journal, hall.now);
        let told = delayed.news(moment(hall.now));
        let aside = delayed
            .games
            .values()
            .filter(|game| matches!(game.game, Kept::Aside))
            .count();
        let boards = delayed.published().rounds.first().map(|round| {
            let one = |board: &Arc<PublishedBoard>| {
                (
                    board.score.event.clone(),
                    board.score.result.clone(),
                    board.score.moves.len(),
                )
            };
            round.boards.iter().map(one).collect::<Vec<_>>()
        });
        (told.tables.len(), aside, boards)
    };
    let board = |name: &str, result: &str| (name.to_owned(), result.to_owned(), 1);
    assert_eq!(look(&hall, &mut delayed), (0, 0, None), "nothing is told yet");
    hall.now = hall.now + Millis::mins(15) + Millis(1);
    let all = vec![board("Open", "1-0"); 3];
    assert_eq!(look(&hall, &mut delayed), (3, 3, Some(all)));
    // Another name needs nothing but what is shown.
    hall.ask(Command::PutEvent {
        event: event(),
        name: "Closed".into(),
        site: String::new(),
        date: String::new(),
        regulations: Regulations::default(),
    });
    hall.act(
        2,
        Deed::Decide {
            result: "0-1".to_owned(),
        },
    );
    hall.now.0 += 1;
    let (_, aside, boards) = look(&hall, &mut delayed);
    assert_eq!(
        (aside, boards),
        (2, Some(vec![board("Open", "1-0"); 3])),
        "it waits, and its game is here for it"
    );
    hall.now = hall.now + Millis::mins(15) + Millis(1);
    let mut corrected = vec![board("Closed", "1-0"); 3];
    corrected[1].1 = "0-1".to_owned();
    let (told, aside, boards) = look(&hall, &mut delayed);
    assert_eq!((told, aside, boards), (3, 3, Some(corrected)));
}

/// What a reader from outside sees of a round whose delay was changed as it closed: at once, and whenever the hub is started again.
#[test]
fn the_times_of_a_closed_game_stay_whatever_becomes_of_the_delay_later() {
    let held = |minutes: i64, ended_at_once: bool| Release {
        delay_ms: Millis::mins(minutes),
        ended_at_once,
        ..Release::default()
    };
    for (first, at_the_end, ever_after) in [
        (held(15, false), None, Some(held(0, false))),
        (held(15, false), None, Some(held(60, false))),
        (held(15, true), None, Some(held(2, false))),
        (held(15, true), Some(held(40, true)), None),
        (held(0, false), Some(held(15, true)), Some(held(1, true))),
    ] {
        let mut hall = Hall::new();
        hall.release(None, Some(first));
        hall.round(1);
        for table in 1..=TABLES {
            hall.moves(table);
            hall.now = hall.now + Millis::mins(1);
            hall.act(
                table,
                Deed::Decide {
                    result: "1-0".to_owned(),
                },
            );
        }
        hall.release(Some(1), at_the_end);
        hall.now.0 += 1;
        hall.ask(Command::EndRound {
            event: event(),
            round: RoundNo(1),
        });
        // The hub follows it as it happens, and is asked for years.
        let mut live = Delayed::new(0);
        let mut taken = 0;
        for minute in 0..300 {
            if minute == 100 {
                hall.release(Some(1), ever_after.clone());
            }
            for entry in &hall.journal[taken..] {
                live.take(entry).expect("taken");
            }
            taken = hall.journal.len();
            live.advance(hall.now);
            restore(&mut live, &hall.journal, hall.now);
            live.news(moment(hall.now));
            hall.now = hall.now + Millis::mins(1);
        }
        let seen = |published: &Published| {
            published.rounds[0]
                .boards
                .iter()
                .map(|board| times(board))
                .collect::<Vec<_>>()
        };
        for piece in [1, 7, 1_000] {
            let again = folded(&hall.journal, piece, hall.now);
            assert_eq!(seen(&again), seen(live.published()), "read in pieces of {piece}");
        }
    }
}

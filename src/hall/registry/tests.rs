use super::*;
use crate::hall::ids::GameId;

struct Hall {
    registry: Registry,
    calls: u8,
}

fn event() -> EventId {
    "open".parse().expect("an id")
}

fn device(name: &str) -> DeviceId {
    name.parse().expect("an id")
}

fn pairing(table: u32, white: &str, black: &str) -> Pairing {
    let player = |name: &str| Player {
        name: name.to_owned(),
        ..Player::default()
    };
    Pairing {
        table: TableNo(table),
        board: table,
        white: player(white),
        black: player(black),
        time_control: None,
        board_kind: None,
        variant: Variant::Standard,
        fen: None,
        game: None,
    }
}

fn round(number: u32, pairings: Vec<Pairing>) -> Command {
    Command::PutRound {
        event: event(),
        round: RoundNo(number),
        time_control: "90m+30s".into(),
        pairings,
    }
}

fn arm(number: u32) -> Command {
    Command::ArmRound {
        event: event(),
        round: RoundNo(number),
    }
}

fn add(name: &str, kind: DeviceKind) -> Command {
    Command::AddDevice {
        device: device(name),
        kind,
        speaks_for: Vec::new(),
    }
}

fn bind(name: &str, table: u32) -> Command {
    Command::BindDevice {
        device: device(name),
        table: TableNo(table),
        as_clock: false,
        as_board: false,
        white_side: None,
        board_turned: None,
    }
}

impl Hall {
    fn new() -> Hall {
        let mut hall = Hall {
            registry: Registry::default(),
            calls: 0,
        };
        hall.ask(&Command::PutEvent {
            event: event(),
            name: "Open".into(),
            site: String::new(),
            date: String::new(),
            regulations: Regulations::default(),
        })
        .expect("an event");
        hall
    }

    fn ask(&mut self, command: &Command) -> Result<Decided, CallError> {
        self.calls += 1;
        let chance = Chance {
            bytes: [self.calls; 32],
            wall_ms: 1,
        };
        let able = Abilities {
            clock: true,
            ..Abilities::default()
        };
        let abilities = HashMap::from([(device("button"), able)]);
        let context = Context {
            chance: &chance,
            abilities: &abilities,
            now: HallTime(5),
            over: &BTreeSet::new(),
        };
        let decided = self.registry.decide(command, &context)?;
        // What is journalled is read again at a restart.
        let written = serde_json::to_string(&decided.event).expect("written");
        let event: HallEvent = serde_json::from_str(&written).expect("read");
        assert_eq!(event, decided.event);
        if let Some(secret) = &decided.answer.secret {
            assert!(
                !written.contains(secret.as_str()),
                "a secret never comes into the journal"
            );
        }
        self.registry.fold(&event).expect("it fits");
        Ok(decided)
    }

    fn refused(&mut self, command: &Command) -> CallError {
        let before = self.registry.clone();
        let error = self.ask(command).expect_err("must be refused");
        assert_eq!(before, self.registry, "refused whole");
        error
    }
}

#[test]
fn rated_events_leave_illegal_moves_and_defaults_to_the_arbiter() {
    use crate::laws::{Enforced, Enforcement, Finding};
    let put = |finding, rated| {
        let mut enforcement = Enforcement::CONFIRM;
        enforcement.set(finding, Enforced::Automatic);
        Command::PutEvent {
            event: event(),
            name: "Open".into(),
            site: String::new(),
            date: String::new(),
            regulations: Regulations {
                enforcement,
                rated,
                ..Regulations::default()
            },
        }
    };
    let mut hall = Hall::new();
    let refused = hall.refused(&put(Finding::Default, true));
    assert_eq!(refused.field.as_deref(), Some("regulations.enforcement[default]"));
    assert!(refused.message.contains("6.7.1"), "{refused}");
    hall.refused(&put(Finding::IllegalMove, true));
    hall.ask(&put(Finding::Flag, true)).expect("a flag is the clock's own");
    hall.ask(&put(Finding::IllegalMove, false)).expect("a house rule");
}

#[test]
fn a_player_twice_or_two_games_at_one_table_are_refused_with_the_path_of_the_field() {
    let mut hall = Hall::new();
    let twice = hall.refused(&round(
        1,
        vec![pairing(1, "Adams", "Bell"), pairing(2, "Carr", "ADAMS ")],
    ));
    assert_eq!(
        (twice.reason, twice.field.as_deref()),
        (CallReason::BadField, Some("pairings[1].black"))
    );
    assert!(
        twice.message.starts_with("ADAMS plays Bell at table 1 already:"),
        "{twice}"
    );
    let himself = hall.refused(&round(1, vec![pairing(1, "Adams", "adams")]));
    assert!(himself.message.contains("against himself"), "{himself}");
    let table = hall.refused(&round(1, vec![pairing(1, "Adams", "Bell"), pairing(1, "Carr", "Dunn")]));
    assert_eq!(table.field.as_deref(), Some("pairings[1].table"));
    assert!(
        table.message.contains("two games at table 1: Adams – Bell is there"),
        "{table}"
    );
    let mut unequal = pairing(2, "Carr", "Dunn");
    unequal.time_control = Some("90 minutes".into());
    let control = hall.refused(&round(1, vec![pairing(1, "Adams", "Bell"), unequal]));
    assert_eq!(control.field.as_deref(), Some("pairings[1].time_control"));
    let hostile = hall.refused(&round(1, vec![pairing(1, "A\u{1b}[2Jdams", "Bell")]));
    assert_eq!(hostile.field.as_deref(), Some("pairings[0].white.name"));
    let stranger = Command::ArmRound {
        event: "other".parse().expect("an id"),
        round: RoundNo(1),
    };
    assert_eq!(hall.refused(&stranger).reason, CallReason::NotFound);
}

#[test]
fn a_late_pairing_at_a_table_in_use_is_answered_with_who_sits_there() {
    let mut hall = Hall::new();
    hall.ask(&round(1, vec![pairing(1, "Adams", "Bell"), pairing(2, "Carr", "Dunn")]))
        .expect("paired");
    hall.ask(&arm(1)).expect("armed");
    let late = |table: u32, board: u32, white: &str| Command::AddPairing {
        event: event(),
        round: RoundNo(1),
        pairing: Box::new(Pairing {
            board,
            ..pairing(table, white, "Late")
        }),
        white_time: None,
        black_time: None,
    };
    for (asked, field, told) in [
        (
            late(2, 0, "Evans"),
            "pairing.table",
            "table 2 has a game of this round: Carr – Dunn; seat this one at a table that is free",
        ),
        (
            late(3, 1, "Evans"),
            "pairing.board",
            "two games on board 1: Adams – Bell at table 1 has it already; give one of them another number",
        ),
        (
            late(3, 0, "Dunn"),
            "pairing.white",
            "Dunn plays Carr at table 2 already: a player has one game a round; correct one of the two pairings",
        ),
    ] {
        let refused = hall.refused(&asked);
        assert_eq!(
            (refused.field.as_deref(), refused.message.as_str()),
            (Some(field), told)
        );
    }
    hall.ask(&round(2, vec![pairing(3, "Adams", "Carr")])).expect("paired");
    hall.ask(&arm(2)).expect("armed");
    let other = hall.refused(&late(3, 0, "Evans"));
    assert_eq!(other.field.as_deref(), Some("pairing.table"));
    assert!(
        other.message.contains("a game of round 2 of open (Adams – Carr)"),
        "{other}"
    );
    for refused in [round(1, vec![pairing(1, "Adams", "Bell")]), arm(1)] {
        let told = hall.refused(&refused).message;
        assert!(told.contains("round 1 of open is armed"), "{told}");
    }
}

#[test]
fn the_same_name_with_two_fide_numbers_is_two_players() {
    let mut hall = Hall::new();
    let mut pairing = pairing(1, "Wang, Li", "Wang, Li");
    pairing.white.fide_id = Some(1);
    pairing.black.fide_id = Some(2);
    hall.ask(&round(1, vec![pairing])).expect("two players");
}

#[test]
fn a_round_is_armed_once_and_its_pairings_stay_and_the_next_waits_for_its_end() {
    let mut hall = Hall::new();
    hall.ask(&round(1, vec![pairing(1, "Adams", "Bell"), pairing(2, "Carr", "Dunn")]))
        .expect("paired");
    hall.ask(&arm(1)).expect("armed");
    let games: BTreeSet<GameId> = hall.registry.games.keys().copied().collect();
    assert_eq!(games.len(), 2);
    assert_eq!(hall.refused(&arm(1)).reason, CallReason::WrongState);
    assert_eq!(
        hall.refused(&round(1, vec![pairing(1, "Adams", "Bell")])).reason,
        CallReason::WrongState
    );
    hall.ask(&round(2, vec![pairing(1, "Bell", "Carr")]))
        .expect("paired meanwhile");
    let early = hall.refused(&arm(2));
    assert_eq!(
        (early.reason, early.field.as_deref()),
        (CallReason::WrongState, Some("pairings[0].table"))
    );
    hall.ask(&Command::EndRound {
        event: event(),
        round: RoundNo(1),
    })
    .expect("ended");
    hall.ask(&arm(2)).expect("armed");
    assert!(
        games.iter().all(|game| hall.registry.games.contains_key(game)),
        "the games of before stay known"
    );
}

#[test]
fn a_table_has_one_clock_at_a_time_and_a_broken_one_is_replaced_in_one_call() {
    let mut hall = Hall::new();
    hall.ask(&round(1, vec![pairing(1, "Adams", "Bell")])).expect("paired");
    for name in ["clock-1", "clock-2"] {
        hall.ask(&add(name, DeviceKind::Clock)).expect("added");
    }
    hall.ask(&add("board-1", DeviceKind::Board)).expect("added");
    hall.ask(&bind("clock-1", 1)).expect("bound");
    hall.ask(&bind("board-1", 1)).expect("bound");
    assert_eq!(hall.refused(&bind("clock-2", 1)).reason, CallReason::WrongState);
    assert_eq!(hall.refused(&bind("clock-2", 9)).reason, CallReason::NoSuchTable);
    let replace = |old: &str, new: &str| Command::ReplaceDevice {
        old: device(old),
        new: device(new),
    };
    assert_eq!(
        hall.refused(&replace("board-1", "clock-2")).field.as_deref(),
        Some("new")
    );
    let decided = hall.registry.clone();
    hall.ask(&replace("clock-1", "clock-2")).expect("replaced");
    let table = &hall.registry.tables[&TableNo(1)];
    assert_eq!(
        (table.clock.as_ref(), table.board.as_ref()),
        (Some(&device("clock-2")), Some(&device("board-1")))
    );
    assert_eq!(hall.registry.devices[&device("clock-1")].bound_to, None);
    let touched = decided.touched(&HallEvent::DeviceReplaced {
        old: device("clock-1"),
        new: device("clock-2"),
    });
    assert!(touched.contains(&Part::Table(TableNo(1))) && touched.contains(&Part::Device(device("clock-2"))));
    hall.ask(&Command::UnbindDevice {
        device: device("clock-2"),
    })
    .expect("unbound");
    assert_eq!(hall.registry.tables[&TableNo(1)].clock, None);
}

#[test]
fn what_stands_at_the_table_decides_how_the_game_is_set_up() {
    let mut hall = Hall::new();
    hall.ask(&round(1, vec![pairing(1, "Adams", "Bell"), pairing(2, "Carr", "Dunn")]))
        .expect("paired");
    hall.ask(&add("button", DeviceKind::Clock)).expect("added");
    hall.ask(&bind("button", 1)).expect("bound");
    hall.ask(&arm(1)).expect("armed");
    let setup = |table: u32| {
        hall.registry
            .games
            .values()
            .find(|seat| seat.table == TableNo(table))
            .expect("armed")
            .setup
            .clone()
    };
    assert_eq!((setup(1).clock, setup(1).board), (ClockKind::Button, BoardKind::None));
    assert_eq!(setup(2).clock, ClockKind::None);
}

#[test]
fn secrets_are_shown_once_and_a_name_has_one_token() {
    let mut hall = Hall::new();
    let person = Command::AddPerson {
        name: "Vera".into(),
        role: PersonRole::Arbiter,
        sector: None,
        expires_unix_ms: None,
    };
    let token = hall.ask(&person).expect("added").answer.secret.expect("a token");
    assert_eq!(
        hall.registry.people["Vera"].token_sha256,
        crate::hall::handle::sha256_hex(&token)
    );
    assert_eq!(hall.refused(&person).reason, CallReason::AlreadyExists);
    hall.ask(&add("clock-1", DeviceKind::Clock)).expect("added");
    let before = hall.registry.devices[&device("clock-1")].credential.clone();
    let secret = hall
        .ask(&Command::RotateDevice {
            device: device("clock-1"),
        })
        .expect("rotated")
        .answer
        .secret;
    let after = &hall.registry.devices[&device("clock-1")].credential;
    assert!(after.proves(secret.expect("a secret").as_bytes()) && *after != before);
}

#[test]
fn who_may_do_what_is_told_with_the_roles_that_may() {
    let author = |role| Author {
        name: "x".into(),
        role,
        sector: None,
    };
    let table = Command::PutTable {
        table: TableNo(1),
        sector: None,
        white_side: None,
        board_turned: None,
    };
    assert!(allowed(&author(PersonRole::Technician), &table).is_ok());
    let refused = allowed(&author(PersonRole::Recorder), &table).expect_err("a recorder sets up nothing");
    assert_eq!(refused.reason, CallReason::NotAllowed);
    assert!(refused.message.contains("chief-arbiter, technician"), "{refused}");
    let reopen = Command::Act {
        table: TableNo(1),
        act: crate::game::input::Act {
            revision: None,
            reason: String::new(),
            what: Deed::Reopen,
        },
    };
    assert!(allowed(&author(PersonRole::Arbiter), &reopen).is_err());
    assert!(allowed(&author(PersonRole::ChiefArbiter), &reopen).is_ok());
    assert!(allowed(&author(PersonRole::Screen), &arm(1)).is_err());
}

fn import(number: u32, pairings: Vec<Pairing>) -> Command {
    use crate::hall::imported::{ImportFormat, Imported, KeptFile, Numbers};
    let numbers = pairings.iter().map(|pairing| Numbers {
        table: pairing.table,
        white: pairing.table.0 * 2,
        black: pairing.table.0 * 2 + 1,
    });
    Command::ImportRound {
        event: event(),
        round: RoundNo(number),
        time_control: "90m+30s".into(),
        imported: Arc::new(Imported {
            format: ImportFormat::Trf16,
            file: KeptFile::new("a.trf", "utf-8", b"012 Open\n"),
            players: None,
            numbers: numbers.collect(),
            unpaired: Vec::new(),
            points: Vec::new(),
        }),
        pairings,
    }
}

impl Hall {
    fn games(&self, number: u32) -> Vec<Option<GameId>> {
        let round = self.registry.round(&event(), RoundNo(number)).expect("a round");
        round.pairings.iter().map(|pairing| pairing.game).collect()
    }
}

#[test]
fn a_round_is_imported_and_its_file_kept() {
    let mut hall = Hall::new();
    hall.ask(&import(1, vec![pairing(1, "A", "B"), pairing(2, "C", "D")]))
        .expect("taken");
    let kept = &hall.registry.events[&event()].imports[&RoundNo(1)];
    assert_eq!(kept.file.bytes().as_deref(), Some(&b"012 Open\n"[..]));
    assert!(hall.registry.tables.contains_key(&TableNo(2)));
    hall.ask(&round(1, vec![pairing(1, "A", "B"), pairing(2, "D", "C")]))
        .expect("by hand");
    let numbers = &hall.registry.events[&event()].imports[&RoundNo(1)].numbers;
    assert_eq!(numbers.iter().map(|numbers| numbers.table.0).collect::<Vec<_>>(), [1]);
}

#[test]
fn an_armed_round_gets_new_games_only_where_others_are_paired() {
    let mut hall = Hall::new();
    hall.ask(&import(
        1,
        vec![pairing(1, "A", "B"), pairing(2, "C", "D"), pairing(3, "E", "F")],
    ))
    .expect("taken");
    hall.ask(&arm(1)).expect("armed");
    let before = hall.games(1);
    hall.ask(&import(
        1,
        vec![pairing(1, "A", "B"), pairing(2, "D", "C"), pairing(4, "G", "H")],
    ))
    .expect("again");
    let after = hall.games(1);
    assert_eq!(before[0], after[0]);
    assert_ne!(before[1], after[1]);
    assert_eq!(hall.registry.tables[&TableNo(2)].game, after[1]);
    assert_eq!(hall.registry.tables[&TableNo(3)].game, None, "its game is no more");
    assert_eq!(hall.registry.tables[&TableNo(4)].game, after[2]);
    assert!(
        after
            .iter()
            .flatten()
            .all(|game| hall.registry.games.contains_key(game))
    );
}

#[test]
fn a_round_that_was_called_keeps_its_games_and_takes_more() {
    let mut hall = Hall::new();
    hall.ask(&import(1, vec![pairing(1, "A", "B"), pairing(2, "C", "D")]))
        .expect("taken");
    hall.ask(&arm(1)).expect("armed");
    let started = HallEvent::RoundStarted {
        event: event(),
        round: RoundNo(1),
    };
    hall.registry.fold(&started).expect("started");
    let before = hall.games(1);
    let refused = hall
        .ask(&import(1, vec![pairing(1, "A", "D"), pairing(2, "C", "B")]))
        .expect_err("they play");
    assert_eq!(refused.reason, CallReason::WrongState);
    assert!(
        refused
            .message
            .starts_with("table 1: \"A\" – \"B\" was called and stays"),
        "{}",
        refused.message
    );
    let mut named = pairing(1, "A", "B");
    named.white.title = "GM".into();
    hall.ask(&import(1, vec![named, pairing(2, "C", "D"), pairing(3, "E", "F")]))
        .expect("one more");
    let after = hall.games(1);
    assert_eq!(before[..], after[..2]);
    assert_eq!(hall.registry.tables[&TableNo(3)].game, after[2]);
    assert_eq!(
        hall.registry.round(&event(), RoundNo(1)).expect("there").pairings[0]
            .white
            .title,
        "GM"
    );
    hall.ask(&Command::EndRound {
        event: event(),
        round: RoundNo(1),
    })
    .expect("ended");
    assert!(hall.ask(&import(1, vec![pairing(1, "A", "B")])).is_err());
}

//! The front with devices that speak to it over a network that a test makes: what reaches the tables, and what is said of the hall.

use super::*;
use crate::device::topics::Down;
use crate::game::input::ClockFault;
use crate::hall::call::Command;
use crate::hall::ids::RoundNo;
use crate::hall::model::{Pairing, Player, Regulations, Side};
use crate::hall::notice::NoticeKind;
use crate::hall::registry::Context;
use crate::hall::report::{Report, ReportKind};
use crate::hall::shard::{DeviceTrouble, SilenceTold};

struct World {
    front: Front,
    out: Vec<FrontEffect>,
    notices: Vec<Notice>,
}

fn id(number: u32) -> DeviceId {
    format!("clock-{number}").parse().expect("an id")
}

/// A hall with so many tables, each with its clock.
fn registry(count: u32) -> Registry {
    let mut registry = Registry::default();
    let event: crate::hall::EventId = "open".parse().expect("an event id");
    let player = |side: &str, number: u32| Player {
        name: format!("{side} {number}"),
        ..Player::default()
    };
    let pairing = |number: u32| Pairing {
        table: TableNo(number),
        board: number,
        white: player("White", number),
        black: player("Black", number),
        time_control: None,
        board_kind: None,
        variant: Default::default(),
        fen: None,
        game: None,
    };
    let mut commands = vec![
        Command::PutEvent {
            event: event.clone(),
            name: "Open".into(),
            site: String::new(),
            date: String::new(),
            regulations: Regulations::default(),
        },
        Command::PutRound {
            event,
            round: RoundNo(1),
            time_control: "5m+3s".into(),
            pairings: (1..=count).map(pairing).collect(),
        },
    ];
    for number in 1..=count {
        commands.push(Command::AddDevice {
            device: id(number),
            kind: crate::hall::model::DeviceKind::Clock,
            speaks_for: Vec::new(),
        });
        commands.push(Command::BindDevice {
            device: id(number),
            table: TableNo(number),
            as_clock: true,
            as_board: false,
            white_side: Some(Side::Left),
            board_turned: None,
        });
    }
    set_up(&mut registry, commands);
    registry
}

fn set_up(registry: &mut Registry, commands: impl IntoIterator<Item = Command>) {
    let chance = Chance {
        bytes: [3; 32],
        wall_ms: 1_000,
    };
    let context = Context {
        chance: &chance,
        abilities: &HashMap::new(),
        now: HallTime(0),
        over: &Default::default(),
    };
    for command in commands {
        let decided = registry.decide(&command, &context).expect("a hall that can be");
        registry.fold(&decided.event).expect("it fits");
    }
}

impl World {
    fn new(count: u32) -> World {
        World::of(registry(count))
    }

    fn of(registry: Registry) -> World {
        let settings = FrontSettings {
            epoch: 7,
            speed: 1.0,
            shards: 1,
            limits: Limits::at_speed(1.0),
        };
        let front = Front::new(
            settings,
            Arc::new(registry),
            Requests::default(),
            &Marks::default(),
            HallTime(0),
        );
        let mut world = World {
            front,
            out: Vec::new(),
            notices: Vec::new(),
        };
        world.tell(0, FrontInput::LinkUp);
        world
    }

    fn tell(&mut self, now: i64, input: FrontInput) {
        for effect in self.front.handle(HallTime(now), input) {
            match effect {
                FrontEffect::Notices(notices) => self.notices = notices,
                other => self.out.push(other),
            }
        }
    }

    /// Time passes, and every alarm is given.
    fn until(&mut self, now: i64) {
        while let Some(due) = self.front.next_deadline().filter(|due| due.0 <= now) {
            self.tell(due.0, FrontInput::Tick);
        }
        self.tell(now, FrontInput::Tick);
    }

    fn hear(&mut self, now: i64, number: u32, up: Up, payload: &str) {
        self.until(now);
        self.tell(
            now,
            FrontInput::Message {
                device: id(number),
                up,
                retained: false,
                payload: bytes::Bytes::copy_from_slice(payload.as_bytes()),
            },
        );
    }

    fn birth(&mut self, now: i64, number: u32, boot: u32, sent: i64, bits: u32) {
        let birth = format!(
            r#"{{"boot":{boot},"connection":1,"model":"m","firmware":"1","abilities":{{"clock":true,"counts":true,"resolution_ms":1,"counter_bits":{bits}}},"clock":{{"left_ms":300000,"right_ms":300000}},"sent_ms":{sent},"next_seq":0,"oldest_seq":0}}"#
        );
        self.hear(now, number, Up::Birth, &birth);
    }

    fn vital(&mut self, now: i64, number: u32, boot: u32, last_seq: i64, sent: i64, more: &str) {
        let vital = format!(r#"{{"boot":{boot},"last_seq":{last_seq},"sent_ms":{sent}{more}}}"#);
        self.hear(now, number, Up::Vital, &vital);
    }

    fn press(&mut self, now: i64, number: u32, boot: u32, seq: u64, event: i64, sent: i64) {
        let press = format!(
            r#"{{"boot":{boot},"seq":{seq},"event_ms":{event},"sent_ms":{sent},"press":{{"side":"SIDE_LEFT"}}}}"#
        );
        self.hear(now, number, Up::Report, &press);
    }

    /// When the presses that went to the tables happened, by the table's time.
    fn presses(&self) -> Vec<i64> {
        let report = |effect: &FrontEffect| match effect {
            FrontEffect::Shard(_, input) => match &**input {
                ShardInput::Report {
                    report:
                        Report {
                            at,
                            what: ReportKind::Press { .. },
                            ..
                        },
                    ..
                } => Some(at.0),
                _ => None,
            },
            _ => None,
        };
        self.out.iter().filter_map(report).collect()
    }

    /// The questions for the time of this device that have not been looked at.
    fn probes(&mut self, number: u32) -> Vec<u64> {
        let asks = |effect: &FrontEffect| match effect {
            FrontEffect::Send(Topic::Down(device, Down::Time), payload) if *device == id(number) => {
                let text: serde_json::Value = serde_json::from_slice(payload).expect("JSON");
                text["id"].as_str().and_then(|id| id.parse().ok())
            }
            _ => None,
        };
        let probes = self.out.iter().filter_map(asks).collect();
        self.out.retain(
            |effect| !matches!(effect, FrontEffect::Send(Topic::Down(device, Down::Time), _) if *device == id(number)),
        );
        probes
    }

    /// All that devices told the tables happened: which device, when by the table's time, and how far that may be off against the other's.
    fn moments(&self) -> Vec<(DeviceId, i64, Option<Millis>)> {
        let report = |effect: &FrontEffect| match effect {
            FrontEffect::Shard(_, input) => match &**input {
                ShardInput::Report { report, .. } => Some((report.device.clone(), report.at.0, report.apart)),
                _ => None,
            },
            _ => None,
        };
        self.out.iter().filter_map(report).collect()
    }

    fn troubles(&self) -> Vec<DeviceTrouble> {
        let trouble = |effect: &FrontEffect| match effect {
            FrontEffect::Shard(_, input) => match &**input {
                ShardInput::Trouble { trouble, .. } => Some(*trouble),
                _ => None,
            },
            _ => None,
        };
        self.out.iter().filter_map(trouble).collect()
    }

    /// The last that its table heard of a device's silence.
    fn silence(&self, number: u32) -> SilenceTold {
        let life = |effect: &FrontEffect| match effect {
            FrontEffect::Shard(_, input) => match &**input {
                ShardInput::Device { life, .. } if life.health.id == id(number) => Some(life.silence),
                _ => None,
            },
            _ => None,
        };
        self.out.iter().rev().find_map(life).expect("told")
    }

    fn said(&self) -> Vec<(NoticeKind, usize)> {
        self.notices
            .iter()
            .map(|notice| (notice.kind, notice.devices.len()))
            .collect()
    }
}

#[test]
fn a_clock_that_serves_no_table_names_itself_by_a_press() {
    let mut registry = registry(2);
    let unbound = crate::hall::registry::HallEvent::DeviceUnbound { device: id(2) };
    registry.fold(&unbound).expect("it fits");
    let mut world = World::of(registry);
    for number in [1, 2] {
        world.birth(1_000, number, 70 + number, 500, 0);
        world.press(2_000, number, 70 + number, 0, 1_400, 1_500);
    }
    let pressed = |number: u32| {
        let of = |effect: &FrontEffect| match effect {
            FrontEffect::Health(health) if health.id == id(number) => health.pressed,
            _ => None,
        };
        world
            .out
            .iter()
            .rev()
            .find_map(of)
            .map(|pressed| (pressed.at.0, pressed.side))
    };
    assert_eq!(pressed(2), Some((2_000, Side::Left)));
    assert_eq!(pressed(1), None, "at a table a press is a player's");
}

#[test]
fn a_board_that_comes_to_a_table_is_asked_what_stands_on_it_until_it_says_so() {
    let mut registry = registry(1);
    let unbound = crate::hall::registry::HallEvent::DeviceUnbound { device: id(1) };
    registry.fold(&unbound).expect("it fits");
    let mut world = World::of(registry.clone());
    let birth = |now: i64, next: u64| {
        format!(
            r#"{{"boot":7,"connection":1,"model":"m","firmware":"1","abilities":{{"board":true,"tells_pieces":true,"resolution_ms":1}},"placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR","sent_ms":{now},"next_seq":{next},"oldest_seq":0}}"#
        )
    };
    world.hear(1_000, 1, Up::Birth, &birth(1_000, 0));
    world.press(2_000, 1, 7, 0, 2_000, 2_000);
    let bound = crate::hall::registry::HallEvent::DeviceBound {
        device: id(1),
        table: TableNo(1),
        as_clock: false,
        as_board: true,
        white_side: Side::Left,
        board_turned: false,
    };
    registry.fold(&bound).expect("it fits");
    world.out.clear();
    let parts = BTreeSet::from([Part::Table(TableNo(1)), Part::Device(id(1))]);
    let registry = Arc::new(registry);
    world
        .front
        .registry_changed(HallTime(3_000), 9, &registry, &parts, &mut world.out);
    let asked = |world: &World| {
        let ask = |effect: &&FrontEffect| match effect {
            FrontEffect::Send(Topic::Down(_, Down::Seen), payload) => {
                String::from_utf8_lossy(payload).contains(r#""birth":true"#)
            }
            _ => false,
        };
        world.out.iter().filter(ask).count()
    };
    assert_eq!(asked(&world), 1);
    // What it said before it was there is no answer.
    world.vital(6_000, 1, 7, 0, 6_000, "");
    assert_eq!(asked(&world), 2);
    world.hear(6_010, 1, Up::Birth, &birth(6_009, 1));
    let placed = |effect: &FrontEffect| matches!(effect, FrontEffect::Shard(_, input) if matches!(&**input, ShardInput::State { state, .. } if state.placement.is_some()));
    assert!(world.out.iter().any(placed));
    world.vital(11_000, 1, 7, 0, 11_000, "");
    assert_eq!(asked(&world), 2, "it has said it");
}

#[test]
fn reports_of_an_outage_come_in_order_and_cost_nobody_a_millisecond() {
    let mut world = World::new(1);
    world.birth(1_000, 1, 9, 50_000, 32);
    world.press(2_003, 1, 9, 0, 51_000, 51_000);
    // Two minutes without network: ten presses are kept, and come at once, the last first.
    for seq in (1..=10_u64).rev() {
        let event = 51_000 + seq as i64 * 7_001;
        world.press(130_000 + (10 - seq as i64), 1, 9, seq, event, 179_000);
    }
    let presses = world.presses();
    assert_eq!(presses.len(), 11);
    let spans: Vec<i64> = presses.windows(2).map(|two| two[1] - two[0]).collect();
    assert_eq!(spans, [7_001; 10], "by the clock's own milliseconds");
    assert!(world.troubles().is_empty(), "{:?}", world.troubles());
}

#[test]
fn a_counter_that_wraps_in_mid_game_is_nothing() {
    let mut world = World::new(1);
    let top = 1_i64 << 32;
    world.birth(1_000, 1, 9, top - 10_000, 32);
    world.press(6_000, 1, 9, 0, top - 5_000, top - 5_000);
    world.press(16_002, 1, 9, 1, 5_000, 5_001);
    let presses = world.presses();
    assert_eq!(presses[1] - presses[0], 10_000);
    assert!(world.troubles().is_empty());
}

#[test]
fn a_fast_clock_is_counted_by_its_own_milliseconds_and_never_by_arrival() {
    let mut world = World::new(1);
    world.birth(1_000, 1, 9, 1_000, 32);
    for seq in 0..400_u64 {
        // Five per cent fast, over a network that takes up to half a second: after an hour it is three minutes ahead.
        let hall = 2_000 + seq as i64 * 9_000;
        let device = 1_000 + (hall - 1_000) * 21 / 20;
        let delay = seq as i64 * 173 % 500;
        world.press(hall + delay, 1, 9, seq, device, device);
    }
    let presses = world.presses();
    assert!(presses.windows(2).all(|two| two[1] - two[0] == 9_450), "{presses:?}");
}

#[test]
fn a_clock_that_leaps_is_bridged_once_and_told_with_the_figure() {
    let mut world = World::new(1);
    world.birth(1_000, 1, 9, 1_000, 0);
    world.press(10_000, 1, 9, 0, 10_000, 10_000);
    world.press(20_000, 1, 9, 1, 3_620_000, 3_620_000);
    world.press(25_700, 1, 9, 2, 3_625_000, 3_625_000);
    assert_eq!(world.presses(), [10_000, 20_000, 25_000]);
    let leapt = ClockFault::Jumped {
        by: Millis(3_600_000),
        bridged: true,
    };
    assert_eq!(world.troubles(), [DeviceTrouble::Time(leapt)]);
    world.until(30_000);
    assert_eq!(world.said(), [(NoticeKind::TimeOff, 1)]);
    // And back: a report that is later in number is earlier in time.
    world.press(40_000, 1, 9, 3, 40_000, 40_000);
    world.press(43_900, 1, 9, 4, 43_000, 43_000);
    let presses = world.presses();
    assert_eq!(presses[3..], [40_000, 43_000]);
    assert_eq!(world.troubles().len(), 2);
}

#[test]
fn a_slow_clock_is_told_with_its_figure_and_its_milliseconds_stay() {
    let mut world = World::new(1);
    world.birth(0, 1, 9, 0, 0);
    let mut seq = 0;
    for step in 1..=80_i64 {
        let hall = step * 15_000;
        let device = hall - hall / 20;
        world.until(hall);
        let probes = world.probes(1);
        world.out.clear();
        for probe in probes {
            let more = format!(r#","probe_id":{probe},"probe_received_ms":{device}"#);
            world.vital(hall, 1, 9, seq - 1, device, &more);
        }
        if step % 10 == 0 {
            world.press(hall, 1, 9, seq as u64, device, device);
            seq += 1;
            assert_eq!(world.presses().len(), 1);
        }
    }
    assert_eq!(world.said(), [(NoticeKind::TimeOff, 1)]);
    let detail = &world.notices[0].devices[0].detail;
    assert!(detail.starts_with("5.0") || detail.starts_with("4.9"), "{detail}");
    let health = &world.front.devices[&id(1)].health;
    assert!(
        health
            .ahead
            .is_some_and(|ahead| (-61_000..=-50_000).contains(&ahead.by.0)),
        "{health:?}"
    );
}

#[test]
fn two_hundred_devices_lost_with_the_broker_are_one_notice() {
    let mut world = World::new(200);
    for number in 1..=200 {
        world.birth(1_000, number, 9, 1_000, 0);
    }
    world.until(5_000);
    assert_eq!(world.said(), []);
    world.tell(6_000, FrontInput::LinkDown);
    assert_eq!(world.said(), [(NoticeKind::BrokerLost, 200)]);
    assert_eq!(world.front.online(), 0, "nothing is known of them");
    world.until(12_000);
    world.tell(12_000, FrontInput::LinkUp);
    for number in 1..=170 {
        world.birth(13_000, number, 9, 13_000, 0);
    }
    world.until(60_000);
    // 170 that came back and then said nothing more were lost by themselves, all at once; 30 never came back.
    assert_eq!(
        world.said(),
        [(NoticeKind::LostWithBroker, 30), (NoticeKind::LostTogether, 170)]
    );
    assert!((1..=200).all(|number| world.silence(number) == SilenceTold::Shared));
    for number in 1..=200 {
        world.vital(61_000, number, 9, -1, 61_000, "");
    }
    world.until(62_000);
    assert_eq!(world.said(), []);
    assert_eq!(world.silence(200), SilenceTold::No);
}

#[test]
fn what_the_broker_kept_proves_nothing_and_a_polite_leave_is_told_at_once() {
    let mut world = World::new(2);
    let birth =
        r#"{"boot":9,"connection":1,"abilities":{"clock":true,"counts":true},"sent_ms":5,"next_seq":0,"oldest_seq":0}"#;
    world.tell(
        1_000,
        FrontInput::Message {
            device: id(1),
            up: Up::Birth,
            retained: true,
            payload: bytes::Bytes::from_static(birth.as_bytes()),
        },
    );
    assert_eq!(world.front.online(), 0);
    world.birth(2_000, 2, 9, 1_000, 0);
    world.hear(3_000, 2, Up::Death, r#"{"boot":9,"connection":1,"polite":true}"#);
    assert_eq!(world.silence(2), SilenceTold::Alone);
    world.until(30_000);
    assert_eq!(world.said(), [(NoticeKind::NotSeenYet, 1), (NoticeKind::Silent, 1)]);
    assert_eq!(world.notices[1].devices[0].detail, "it said good-bye");
}

#[test]
fn a_battery_is_told_of_a_table_without_a_game_too() {
    let mut world = World::new(1);
    world.birth(1_000, 1, 9, 1_000, 0);
    world.vital(2_000, 1, 9, -1, 2_000, r#","battery_percent":15,"signal_dbm":-60"#);
    world.until(3_000);
    assert_eq!(world.said(), [(NoticeKind::BatteryLow, 1)]);
    assert_eq!(world.notices[0].devices[0].detail, "15 %");
    let health = world.out.iter().rev().find_map(|effect| match effect {
        FrontEffect::Health(health) => Some((health.battery, health.online)),
        _ => None,
    });
    assert_eq!(health, Some((Some(15), Online::Online)));
}

#[test]
fn a_hub_that_is_not_the_newest_gives_no_more_orders_and_says_why() {
    let mut world = World::new(1);
    let birth = r#"{"boot":9,"connection":1,"abilities":{"clock":true,"counts":true},"sent_ms":5,"next_seq":0,"oldest_seq":0,"highest_epoch":8}"#;
    world.hear(1_000, 1, Up::Birth, birth);
    world.until(2_000);
    assert_eq!(world.said(), [(NoticeKind::NewerHub, 1)]);
    assert_eq!(world.notices[0].devices[0].detail, "epoch 8");
    world.out.clear();
    let order = DeviceOrder {
        device: id(1),
        id: "o".into(),
        epoch: 7,
        boot: 9,
        decided_seq: -1,
        expires: HallTime(20_000),
        repeat: Millis(1_000),
        what: crate::hall::report::DeviceOrderKind::Stop,
    };
    world.tell(2_000, FrontInput::Order(Box::new(order)));
    assert!(world.out.is_empty());
}

/// A table with a clock and a board of its own, which is its second device.
fn two_devices() -> Registry {
    let mut registry = registry(1);
    let bind = Command::BindDevice {
        device: id(2),
        table: TableNo(1),
        as_clock: false,
        as_board: true,
        white_side: None,
        board_turned: Some(false),
    };
    let add = Command::AddDevice {
        device: id(2),
        kind: crate::hall::model::DeviceKind::Board,
        speaks_for: Vec::new(),
    };
    set_up(&mut registry, [add, bind]);
    registry
}

#[test]
fn a_board_is_put_in_order_with_its_clock_however_far_they_have_run_apart() {
    let mut world = World::of(two_devices());
    // The clock runs 5 % slow and the board 3 % fast: after an hour they are almost five minutes apart.
    let clock = |hall: i64| hall - hall / 20;
    let board = |hall: i64| hall + hall * 3 / 100;
    world.birth(0, 1, 9, 0, 0);
    world.hear(
        0,
        2,
        Up::Birth,
        r#"{"boot":5,"connection":1,"model":"m","firmware":"1","abilities":{"board":true,"resolution_ms":1},"sent_ms":0,"next_seq":0,"oldest_seq":0}"#,
    );
    let mut seq = 0;
    for step in 1..=7_200_i64 {
        let hall = step * 500;
        world.until(hall);
        for (number, boot, at) in [
            (1, 9, &clock as &dyn Fn(i64) -> i64),
            (2, 5, &board as &dyn Fn(i64) -> i64),
        ] {
            for asked in world.probes(number) {
                // It is asked at the time that is its id.
                let (received, answered) = (at(hall.min(asked as i64 + 5)), at(hall));
                let more = format!(r#","probe_id":{asked},"probe_received_ms":{received}"#);
                world.vital(hall + 4, number, boot, seq - 1, answered, &more);
            }
        }
        if step % 600 == 0 {
            // A piece is put down, and a tenth of a second later the clock is pressed; the board is heard last.
            let (put, pressed) = (hall + 100, hall + 200);
            world.press(hall + 300, 1, 9, seq as u64, clock(pressed), clock(pressed));
            let put = format!(
                r#"{{"boot":5,"seq":{seq},"event_ms":{0},"sent_ms":{0},"squares":{{"changes":[{{"square":"e4","now":"x"}}]}}}}"#,
                board(put)
            );
            world.hear(hall + 400, 2, Up::Report, &put);
            seq += 1;
        }
    }
    let moments = world.moments();
    assert_eq!(moments.len(), 24, "{moments:?}");
    for told in moments.chunks(2) {
        let [(_, pressed, by_clock), (_, put, by_board)] = told else {
            panic!("{told:?}")
        };
        let apart = by_clock.expect("known") + by_board.expect("known");
        assert!(apart < Millis(40), "{told:?}");
        // A tenth of a second of the hall is 95 ms of this clock.
        assert!((pressed - put - 95).abs() <= apart.0, "{told:?}");
    }
    let by_clock: Vec<i64> = moments.iter().step_by(2).map(|(_, at, _)| *at).collect();
    assert!(
        by_clock.windows(2).all(|two| two[1] - two[0] == 285_000),
        "{by_clock:?}"
    );
}

#[test]
fn what_a_board_tells_waits_for_the_first_exchange_with_it_and_no_longer_than_three_seconds() {
    for answers in [true, false] {
        let mut registry = two_devices();
        let arm = Command::ArmRound {
            event: "open".parse().expect("an event id"),
            round: RoundNo(1),
        };
        set_up(&mut registry, [arm]);
        let mut world = World::of(registry);
        world.birth(0, 1, 9, 0, 0);
        // The board was started at 54 seconds of the hall; what it has said since is held up until now.
        world.hear(
            60_000,
            2,
            Up::Birth,
            r#"{"boot":5,"connection":1,"model":"m","firmware":"1","abilities":{"board":true,"resolution_ms":1},"sent_ms":1000,"next_seq":0,"oldest_seq":0}"#,
        );
        for (seq, at) in [(0, 2_000), (1, 2_100)] {
            let put = format!(
                r#"{{"boot":5,"seq":{seq},"event_ms":{at},"sent_ms":{at},"squares":{{"changes":[{{"square":"e4","now":"x"}}]}}}}"#
            );
            world.hear(60_010, 2, Up::Report, &put);
        }
        assert_eq!(world.moments(), []);
        if answers {
            let asked = world.probes(2)[0];
            let more = format!(r#","probe_id":{asked},"probe_received_ms":6020"#);
            world.vital(60_040, 2, 5, 1, 6_020, &more);
            let moments = world.moments();
            let [(_, first, Some(bar)), (_, second, Some(_))] = moments[..] else {
                panic!("{moments:?}")
            };
            // By a counter of which nothing more is known, four seconds before the exchange.
            assert!((first - 56_000).abs() <= bar.0 && bar < Millis(300), "{moments:?}");
            assert!((99..=101).contains(&(second - first)), "{moments:?}");
        } else {
            world.until(62_999);
            assert_eq!(world.moments(), []);
            world.until(63_000);
            let at: Vec<i64> = world.moments().iter().map(|(_, at, _)| *at).collect();
            assert_eq!(at, [59_910, 60_010]);
        }
    }
}

use super::*;
use crate::device::message::{Abilities, AckOutcome, Kept, ProbeEcho, ReportKind, Side};

fn device() -> DeviceId {
    "clock-1".parse().expect("an id")
}

fn session() -> Session {
    Session::new(device(), None, Limits::at_speed(1.0), HallTime(0))
}

fn birth(boot: u32, oldest: u64, next: u64, sent: u64) -> Birth {
    Birth {
        boot,
        model: String::new(),
        firmware: String::new(),
        abilities: Abilities {
            clock: true,
            counts: true,
            counter_bits: 32,
            ..Abilities::default()
        },
        clock: None,
        placement: None,
        last_order: None,
        highest_epoch: 0,
        sent: DeviceTime(sent),
        next_seq: next,
        oldest_seq: oldest,
        up: None,
        kept: None,
        connection: None,
    }
}

fn press(boot: u32, seq: u64, at: u64) -> FromDevice {
    let what = ReportKind::Press {
        side: Side::Left,
        clock: None,
    };
    FromDevice::Report(Report {
        boot,
        seq,
        event: DeviceTime(at),
        sent: DeviceTime(at + 1),
        what,
    })
}

fn lost(boot: u32, first: u64, last: u64) -> FromDevice {
    let what = ReportKind::Lost { first, last };
    FromDevice::Report(Report {
        boot,
        seq: last,
        event: DeviceTime(900),
        sent: DeviceTime(900),
        what,
    })
}

fn vital(boot: u32, last_seq: i64, sent: u64) -> FromDevice {
    FromDevice::Vital(Vital {
        boot,
        last_seq,
        sent: DeviceTime(sent),
        battery_percent: None,
        signal_dbm: None,
        clock: Some(ClockState::default()),
        probe: Some(ProbeEcho {
            id: 1,
            received: DeviceTime(sent),
        }),
    })
}

fn heard(message: FromDevice) -> Heard {
    Heard {
        retained: false,
        format: Format::Json,
        message,
    }
}

impl Session {
    fn hear(&mut self, now: i64, message: FromDevice) -> Vec<SessionEffect> {
        self.take(HallTime(now), heard(message))
    }
}

fn delivered(effects: &[SessionEffect]) -> Vec<(u32, u64)> {
    let seq = |effect: &SessionEffect| match effect {
        SessionEffect::Deliver(report) => Some((report.boot, report.seq)),
        _ => None,
    };
    effects.iter().filter_map(seq).collect()
}

fn problem(effect: &SessionEffect) -> Option<&SessionProblem> {
    match effect {
        SessionEffect::Problem(problem) => Some(problem),
        _ => None,
    }
}

fn problems(effects: &[SessionEffect]) -> Vec<&SessionProblem> {
    effects.iter().filter_map(problem).collect()
}

#[test]
fn reports_are_delivered_in_order_and_once() {
    let mut session = session();
    session.hear(0, FromDevice::Birth(birth(7, 0, 0, 10)));
    assert_eq!(delivered(&session.hear(1, press(7, 0, 20))), [(7, 0)]);
    assert_eq!(delivered(&session.hear(2, press(7, 2, 40))), []);
    assert_eq!(delivered(&session.hear(3, press(7, 0, 20))), []);
    assert_eq!(delivered(&session.hear(4, press(7, 1, 30))), [(7, 1), (7, 2)]);
    assert_eq!(delivered(&session.hear(5, press(7, 2, 40))), []);
}

#[test]
fn only_what_is_durable_is_said_to_be_seen() {
    let mut session = session();
    let born = session.hear(0, FromDevice::Birth(birth(7, 0, 0, 10)));
    assert!(born.contains(&SessionEffect::SendSeen {
        boot: 7,
        seq: -1,
        resend: false,
        birth: false
    }));
    let effects = session.hear(1, press(7, 0, 20));
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, SessionEffect::SendSeen { .. }))
    );
    let seen = SessionEffect::SendSeen {
        boot: 7,
        seq: 0,
        resend: false,
        birth: false,
    };
    assert_eq!(session.durable(7, 0), std::slice::from_ref(&seen));
    assert_eq!(session.durable(7, 0), []);
    assert_eq!(session.hear(9000, press(7, 0, 20)), [seen]);
}

#[test]
fn a_gap_is_waited_for_then_asked_for_then_told() {
    let mut session = session();
    session.hear(0, FromDevice::Birth(birth(7, 0, 0, 10)));
    session.hear(1000, press(7, 1, 30));
    assert_eq!(session.next_deadline(), Some(HallTime(3000)));
    let ask = SessionEffect::SendSeen {
        boot: 7,
        seq: -1,
        resend: true,
        birth: false,
    };
    assert_eq!(session.tick(HallTime(3000)), std::slice::from_ref(&ask));
    assert_eq!(session.tick(HallTime(3001)), []);
    assert_eq!(session.tick(HallTime(5000)), [ask]);
    let effects = session.tick(HallTime(7000));
    assert_eq!(
        problems(&effects),
        [&SessionProblem::Gap {
            boot: 7,
            expected: 0,
            held: 1,
            asked: 3
        }]
    );
    assert_eq!(delivered(&session.hear(8000, press(7, 0, 20))), [(7, 0), (7, 1)]);
}

#[test]
fn a_vital_that_names_a_report_not_here_opens_a_gap_too() {
    let mut session = session();
    session.hear(0, FromDevice::Birth(birth(7, 0, 0, 10)));
    let effects = session.hear(1000, vital(7, 0, 500));
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, SessionEffect::Settled { .. } | SessionEffect::State(_)))
    );
    assert_eq!(session.next_deadline(), Some(HallTime(3000)));
    let effects = session.hear(1500, press(7, 0, 400));
    assert!(
        effects.contains(&SessionEffect::Settled {
            boot: 7,
            through: DeviceTime(500)
        }),
        "{effects:?}"
    );
}

#[test]
fn what_is_declared_lost_closes_the_gap_and_nothing_that_came_is_lost() {
    let mut session = session();
    session.hear(0, FromDevice::Birth(birth(7, 0, 0, 10)));
    session.hear(1, press(7, 2, 30));
    session.hear(2, press(7, 5, 60));
    let effects = session.hear(3, lost(7, 0, 4));
    let kinds: Vec<_> = effects
        .iter()
        .filter_map(|effect| match effect {
            SessionEffect::Deliver(report) => Some(match report.what {
                ReportKind::Lost { first, last } => (first, last, true),
                _ => (report.seq, report.seq, false),
            }),
            _ => None,
        })
        .collect();
    assert_eq!(kinds, [(0, 1, true), (2, 2, false), (3, 4, true), (5, 5, false)]);
    assert_eq!(delivered(&session.hear(4, lost(7, 0, 4))), []);
}

#[test]
fn retained_messages_prove_nothing() {
    let mut session = session();
    for message in [FromDevice::Birth(birth(7, 0, 0, 10)), press(7, 0, 20), vital(7, 0, 20)] {
        let effects = session.take(
            HallTime(1),
            Heard {
                retained: true,
                ..heard(message)
            },
        );
        assert_eq!(effects, []);
    }
    assert_eq!(session.presence(), Presence::Unknown);
}

#[test]
fn a_new_boot_ends_the_old_one_and_its_late_messages() {
    let mut session = session();
    session.hear(0, FromDevice::Birth(birth(7, 0, 0, 10)));
    session.hear(1, press(7, 0, 20));
    session.hear(2, press(7, 2, 40));
    let effects = session.hear(3, FromDevice::Birth(birth(8, 0, 0, 5)));
    assert_eq!(
        problems(&effects),
        [&SessionProblem::BootEnded {
            boot: 7,
            first: 1,
            last: 2
        }]
    );
    assert_eq!(
        problems(&session.hear(4, press(7, 1, 30))),
        [&SessionProblem::OldBoot { boot: 7, seq: 1 }]
    );
    assert_eq!(session.hear(5, FromDevice::Birth(birth(7, 0, 3, 50))), []);
    let death = Death {
        boot: 7,
        polite: false,
        connection: None,
    };
    assert_eq!(session.hear(6, FromDevice::Death(death)), []);
    assert_eq!(session.presence(), Presence::Present);
    assert_eq!(delivered(&session.hear(7, press(8, 0, 9))), [(8, 0)]);
}

#[test]
fn reports_kept_over_a_restart_come_before_the_new_boot_s_own() {
    let mut session = session();
    session.hear(0, FromDevice::Birth(birth(7, 0, 0, 10)));
    session.hear(1, press(7, 0, 20));
    let mut again = birth(8, 0, 0, 5);
    again.kept = Some(Kept {
        boot: 7,
        oldest_seq: 1,
        next_seq: 3,
    });
    let effects = session.hear(3, FromDevice::Birth(again));
    assert_eq!(problems(&effects), [] as [&SessionProblem; 0]);
    assert_eq!(delivered(&session.hear(4, press(8, 0, 9))), []);
    assert_eq!(delivered(&session.hear(5, press(7, 2, 40))), []);
    assert_eq!(delivered(&session.hear(6, press(7, 1, 30))), [(7, 1), (7, 2), (8, 0)]);
    let seen = |boot, seq| SessionEffect::SendSeen {
        boot,
        seq,
        resend: false,
        birth: false,
    };
    assert_eq!(session.durable(7, 2), [seen(7, 2)]);
    assert_eq!(session.durable(8, 0), [seen(8, 0)]);
}

#[test]
fn kept_reports_that_never_come_are_given_up_and_said() {
    let mut session = session();
    session.hear(0, FromDevice::Birth(birth(7, 0, 0, 10)));
    let mut again = birth(8, 0, 0, 5);
    again.kept = Some(Kept {
        boot: 7,
        oldest_seq: 0,
        next_seq: 2,
    });
    session.hear(1, FromDevice::Birth(again));
    session.hear(2, press(8, 0, 9));
    let effects = session.tick(HallTime(40_000));
    assert!(
        problems(&effects).contains(&&SessionProblem::BootEnded {
            boot: 7,
            first: 0,
            last: 1
        }),
        "{effects:?}"
    );
    assert_eq!(delivered(&effects), [(8, 0)]);
}

#[test]
fn a_boot_never_heard_of_is_asked_for_its_birth_not_taken() {
    let mut session = session();
    let ask = SessionEffect::SendSeen {
        boot: 7,
        seq: -1,
        resend: false,
        birth: true,
    };
    let effects = session.hear(1, press(7, 3, 20));
    assert_eq!(effects, [ask]);
    assert_eq!(session.hear(2, press(7, 4, 20)), []);
    session.hear(3, FromDevice::Birth(birth(7, 3, 5, 30)));
    assert_eq!(delivered(&session.hear(4, press(7, 3, 20))), [(7, 3)]);
}

#[test]
fn a_board_is_asked_what_stands_on_it_though_it_has_said_so_before() {
    let mut session = session();
    session.hear(1, FromDevice::Birth(birth(7, 0, 0, 20)));
    session.hear(2, press(7, 0, 30));
    let ask = SessionEffect::SendSeen {
        boot: 7,
        seq: -1,
        resend: false,
        birth: true,
    };
    assert_eq!(session.ask_state(HallTime(100)), std::slice::from_ref(&ask));
    assert_eq!(session.ask_state(HallTime(200)), [], "the answer may be on its way");
    assert_eq!(session.ask_state(HallTime(2_100)), [ask]);
    let birth = Birth {
        placement: Some("8/8/8/8/8/8/8/8".to_owned()),
        ..birth(7, 0, 1, 2_190)
    };
    let effects = session.hear(2_200, FromDevice::Birth(birth));
    let told = |effect: &SessionEffect| matches!(effect, SessionEffect::State(state) if state.after_seq == 0);
    assert!(effects.iter().any(told), "{effects:?}");
}

#[test]
fn a_restarted_hub_goes_on_from_what_was_durable() {
    let mut before = session();
    before.hear(0, FromDevice::Birth(birth(7, 0, 0, 10)));
    before.hear(1, press(7, 0, 20));
    before.hear(2, press(7, 1, 30));
    before.durable(7, 0);
    let mark = before.mark().expect("a mark");
    let kept = serde_json::to_string(&mark).expect("writes");
    let mark: Mark = serde_json::from_str(&kept).expect("reads");
    let mut after = Session::new(device(), Some(mark), Limits::at_speed(1.0), HallTime(100));
    let effects = after.hear(101, press(7, 1, 30));
    assert_eq!(delivered(&effects), [(7, 1)]);
    assert!(
        effects.contains(&SessionEffect::SendSeen {
            boot: 7,
            seq: 0,
            resend: false,
            birth: true
        }),
        "{effects:?}"
    );
    assert_eq!(delivered(&after.hear(102, press(7, 0, 20))), []);
    // With nothing but boot and sequence the birth is waited for.
    let mut bare = Session::new(device(), Some(Mark::at(7, 0)), Limits::at_speed(1.0), HallTime(100));
    assert_eq!(delivered(&bare.hear(101, press(7, 1, 30))), []);
    bare.hear(102, FromDevice::Birth(birth(7, 1, 2, 50)));
    assert_eq!(delivered(&bare.hear(103, press(7, 1, 30))), [(7, 1)]);
}

#[test]
fn a_device_is_unknown_until_it_speaks_silent_after_the_limit_and_back_when_it_speaks() {
    let mut session = session();
    assert_eq!(session.presence(), Presence::Unknown);
    let effects = session.hear(1000, FromDevice::Birth(birth(7, 0, 0, 10)));
    assert_eq!(effects.first(), Some(&SessionEffect::Back { after: None }));
    assert_eq!(session.next_deadline(), Some(HallTime(16_000)));
    assert_eq!(session.tick(HallTime(15_999)), []);
    let silent = SessionEffect::Silent {
        since: Some(HallTime(1000)),
        why: Silence::Limit,
    };
    assert_eq!(session.tick(HallTime(16_000)), [silent]);
    assert_eq!(session.next_deadline(), None);
    let effects = session.hear(20_000, vital(7, -1, 19_000));
    assert_eq!(
        effects.first(),
        Some(&SessionEffect::Back {
            after: Some(Millis(19_000))
        })
    );
}

#[test]
fn a_broken_link_of_the_hub_accuses_nobody() {
    let mut session = session();
    session.hear(1000, FromDevice::Birth(birth(7, 0, 0, 10)));
    session.link_down();
    assert_eq!((session.presence(), session.next_deadline()), (Presence::Unknown, None));
    assert_eq!(session.tick(HallTime(60_000)), []);
    session.link_up(HallTime(60_000));
    assert_eq!(session.next_deadline(), Some(HallTime(75_000)));
    assert_eq!(session.tick(HallTime(75_000)).len(), 1);
}

#[test]
fn a_will_silences_at_once_but_not_one_of_an_earlier_connection() {
    let mut session = session();
    let connected = |connection, sent| Birth {
        connection: Some(connection),
        ..birth(7, 0, 0, sent)
    };
    session.hear(0, FromDevice::Birth(connected(1, 10)));
    session.hear(100, FromDevice::Birth(connected(2, 110)));
    let death = |connection, polite| {
        FromDevice::Death(Death {
            boot: 7,
            polite,
            connection: Some(connection),
        })
    };
    assert_eq!(session.hear(200, death(1, false)), []);
    let silent = SessionEffect::Silent {
        since: Some(HallTime(100)),
        why: Silence::Will,
    };
    assert_eq!(session.hear(300, death(2, false)), [silent]);
    assert_eq!(session.hear(300, death(2, true)), []);
}

#[test]
fn a_32_bit_counter_wraps_within_a_game() {
    let top = 1_u64 << 32;
    let mut session = session();
    session.hear(0, FromDevice::Birth(birth(7, 0, 0, top - 100)));
    let time = |effects: &[SessionEffect]| match effects.first() {
        Some(SessionEffect::Deliver(report)) => report.event.0,
        other => panic!("{other:?}"),
    };
    assert_eq!(time(&session.hear(1, press(7, 0, top - 50))), top - 50);
    let what = ReportKind::Press {
        side: Side::Right,
        clock: None,
    };
    let around = Report {
        boot: 7,
        seq: 1,
        event: DeviceTime(top - 2),
        sent: DeviceTime(3),
        what,
    };
    assert_eq!(time(&session.hear(2, FromDevice::Report(around))), top - 2);
    assert_eq!(time(&session.hear(3, press(7, 2, 40))), top + 40);
}

#[test]
fn a_time_that_jumps_back_is_said_and_taken_as_it_is() {
    let mut session = session();
    session.hear(0, FromDevice::Birth(birth(7, 0, 0, 10_000)));
    session.hear(1, press(7, 0, 10_100));
    let effects = session.hear(2, press(7, 1, 9000));
    let back = SessionProblem::TimeWentBack {
        boot: 7,
        seq: 1,
        from: 10_100,
        to: 9000,
        sent: 9001,
    };
    assert_eq!(problems(&effects), [&back]);
    assert_eq!(delivered(&effects), [(7, 1)]);
}

#[test]
fn a_boot_whose_count_goes_back_is_said() {
    let mut session = session();
    session.hear(0, FromDevice::Birth(birth(7, 0, 0, 10)));
    session.hear(1, press(7, 0, 20));
    let effects = session.hear(2, FromDevice::Birth(birth(7, 0, 0, 500)));
    let back = SessionProblem::SequenceWentBack {
        boot: 7,
        claimed: 0,
        known: 1,
    };
    assert_eq!(problems(&effects), [&back]);
}

#[test]
fn an_answer_and_a_birth_s_state_come_after_the_reports_they_follow() {
    let mut session = session();
    session.hear(0, FromDevice::Birth(birth(7, 0, 0, 10)));
    let ack = Ack {
        boot: 7,
        order: "o1".to_owned(),
        outcome: AckOutcome::Done,
        effect: DeviceTime(30),
        after_seq: 0,
        clock: None,
        detail: String::new(),
        sent: DeviceTime(31),
    };
    assert_eq!(session.hear(1, FromDevice::Ack(ack.clone())), []);
    let reconnected = Birth {
        clock: Some(ClockState::default()),
        ..birth(7, 0, 2, 50)
    };
    let effects = session.hear(2, FromDevice::Birth(reconnected));
    assert!(!effects.iter().any(|effect| matches!(effect, SessionEffect::State(_))));
    let effects = session.hear(3, press(7, 0, 20));
    assert!(
        matches!(&effects[..], [SessionEffect::Deliver(_), SessionEffect::Acked(_), ..]),
        "{effects:?}"
    );
    let effects = session.hear(4, press(7, 1, 40));
    let state = effects
        .iter()
        .position(|effect| matches!(effect, SessionEffect::State(state) if state.at_birth));
    assert!(state > Some(0), "{effects:?}");
}

#[test]
fn a_person_can_give_up_a_gap() {
    let mut session = session();
    session.hear(0, FromDevice::Birth(birth(7, 0, 0, 10)));
    session.hear(1, press(7, 3, 40));
    let effects = session.give_up_gap(HallTime(2));
    assert_eq!(delivered(&effects), [(7, 2), (7, 3)]);
}

#[test]
fn the_buffer_behind_a_gap_is_bounded() {
    let mut session = session();
    session.hear(0, FromDevice::Birth(birth(7, 0, 0, 10)));
    let mut said = 0;
    for seq in 1..3000 {
        said += problems(&session.hear(1, press(7, seq, seq * 10))).len();
    }
    assert_eq!(said, 1);
    assert!(session.current.as_ref().is_some_and(|stream| stream.held() == 1024));
}

/// A device, a network that does anything, and a hub that crashes; then quiet, in which everything must come right.
mod world {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    struct Dice(u64);

    impl Dice {
        fn roll(&mut self, sides: u64) -> u64 {
            // splitmix64
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ (z >> 31)) % sides
        }

        fn chance(&mut self, percent: u64) -> bool {
            self.roll(100) < percent
        }
    }

    /// What a device keeps of one boot.
    #[derive(Clone)]
    struct Log {
        boot: u32,
        /// By sequence: when it happened, and the first lost where it stands for lost ones.
        kept: BTreeMap<u64, (u64, Option<u64>)>,
        next: u64,
    }

    impl Log {
        fn new(boot: u32) -> Log {
            Log {
                boot,
                kept: BTreeMap::new(),
                next: 0,
            }
        }

        fn oldest(&self) -> u64 {
            self.kept.keys().next().copied().unwrap_or(self.next)
        }

        fn add(&mut self, at: u64, memory: usize) {
            self.kept.insert(self.next, (at, None));
            self.next += 1;
            while self.kept.len() > memory {
                let (&first, &(_, lost)) = self.kept.iter().next().expect("not empty");
                self.kept.remove(&first);
                let (&second, &(at, _)) = self.kept.iter().next().expect("not empty");
                self.kept.insert(second, (at, Some(lost.unwrap_or(first))));
            }
        }

        fn seen(&mut self, seq: i64) {
            self.kept.retain(|&kept, _| kept as i64 > seq);
        }

        fn reports(&self, after: i64, sent: Option<u64>) -> Vec<FromDevice> {
            let later = self.kept.iter().filter(|&(&seq, _)| seq as i64 > after);
            later
                .map(|(&seq, &(at, lost))| {
                    let what = match lost {
                        Some(first) => ReportKind::Lost { first, last: seq },
                        None => ReportKind::Press {
                            side: Side::Left,
                            clock: None,
                        },
                    };
                    let sent = DeviceTime(sent.unwrap_or(at));
                    FromDevice::Report(Report {
                        boot: self.boot,
                        seq,
                        event: DeviceTime(at),
                        sent,
                        what,
                    })
                })
                .collect()
        }
    }

    struct World {
        dice: Dice,
        now: u64,
        log: Log,
        earlier: Option<Log>,
        memory: usize,
        survives: bool,
        boots: Vec<u32>,
        connection: u32,
        up: Vec<(u64, FromDevice)>,
        down: Vec<(u64, SessionEffect)>,
        session: Session,
        /// What was delivered, and how much of it is durable.
        taken: Vec<DeviceReport>,
        durable: usize,
        wild: bool,
    }

    impl World {
        fn send(&mut self, message: FromDevice) {
            let times = if !self.wild {
                1
            } else if self.dice.chance(20) {
                0
            } else {
                1 + u64::from(self.dice.chance(20))
            };
            for _ in 0..times {
                let delay = if self.wild { self.dice.roll(4000) } else { 5 };
                self.up.push((self.now + delay, message.clone()));
            }
        }

        fn connect(&mut self) {
            self.connection += 1;
            let kept = self.earlier.as_ref().filter(|log| !log.kept.is_empty());
            let birth = Birth {
                connection: Some(self.connection),
                kept: kept.map(|log| Kept {
                    boot: log.boot,
                    oldest_seq: log.oldest(),
                    next_seq: log.next,
                }),
                ..birth(self.log.boot, self.log.oldest(), self.log.next, self.now)
            };
            let mut all = vec![FromDevice::Birth(birth)];
            all.extend(self.earlier.iter().flat_map(|log| log.reports(-1, None)));
            all.extend(self.log.reports(-1, Some(self.now)));
            for message in all {
                self.send(message);
            }
        }

        fn reboot(&mut self) {
            let boot = self.dice.roll(u64::from(u32::MAX)) as u32 | 1;
            if self.boots.contains(&boot) {
                return;
            }
            let old = std::mem::replace(&mut self.log, Log::new(boot));
            self.boots.push(boot);
            self.connection = 0;
            // One earlier boot is kept, where memory survives at all.
            self.earlier = self.survives.then_some(old);
            self.connect();
        }

        fn effects(&mut self, effects: Vec<SessionEffect>) {
            for effect in effects {
                match effect {
                    SessionEffect::Deliver(report) => self.taken.push(report),
                    SessionEffect::SendSeen { .. } => {
                        let lost = self.wild && self.dice.chance(20);
                        let delay = if self.wild { self.dice.roll(4000) } else { 5 };
                        if !lost {
                            self.down.push((self.now + delay, effect));
                        }
                    }
                    _ => {}
                }
            }
        }

        fn hub_commits(&mut self) {
            let mut ends = BTreeMap::new();
            for report in &self.taken[self.durable..] {
                ends.insert(
                    (self.boots.iter().position(|&boot| boot == report.boot), report.boot),
                    report.seq,
                );
            }
            self.durable = self.taken.len();
            for ((_, boot), seq) in ends {
                let effects = self.session.durable(boot, seq as i64);
                self.effects(effects);
            }
        }

        fn hub_crashes(&mut self) {
            self.taken.truncate(self.durable);
            let mark = self.session.mark();
            let now = HallTime(self.now as i64);
            self.session = Session::new(device(), mark, Limits::at_speed(1.0), now);
        }

        fn step(&mut self) {
            self.now += 50;
            if self.wild {
                match self.dice.roll(100) {
                    0..30 => {
                        self.log.add(self.now, self.memory);
                        let last = self.log.next as i64 - 2;
                        for message in self.log.reports(last, Some(self.now)) {
                            self.send(message);
                        }
                    }
                    30..33 => self.connect(),
                    33 => self.reboot(),
                    34 => self.hub_crashes(),
                    _ => {}
                }
            }
            if self.now.is_multiple_of(2000) && !(self.wild && self.dice.chance(20)) {
                let mut answer = vital(self.log.boot, self.log.next as i64 - 1, self.now);
                if let FromDevice::Vital(vital) = &mut answer {
                    vital.probe = Some(ProbeEcho {
                        id: self.now,
                        received: DeviceTime(self.now),
                    });
                }
                self.send(answer);
            }
            if self.now.is_multiple_of(5000) {
                let vital = vital(self.log.boot, self.log.next as i64 - 1, self.now);
                self.send(vital);
            }
            let now = self.now;
            let (due, later) = std::mem::take(&mut self.up).into_iter().partition(|&(at, _)| at <= now);
            self.up = later;
            let due: Vec<(u64, FromDevice)> = due;
            for (_, message) in due {
                let effects = self.session.take(HallTime(now as i64), heard(message));
                self.effects(effects);
            }
            if self.session.next_deadline().is_some_and(|due| due.0 <= now as i64) {
                let effects = self.session.tick(HallTime(now as i64));
                self.effects(effects);
            }
            if self.dice.chance(30) {
                self.hub_commits();
            }
            let (due, later) = std::mem::take(&mut self.down)
                .into_iter()
                .partition(|&(at, _)| at <= now);
            self.down = later;
            let due: Vec<(u64, SessionEffect)> = due;
            for (_, effect) in due {
                let SessionEffect::SendSeen {
                    boot,
                    seq,
                    resend,
                    birth,
                } = effect
                else {
                    continue;
                };
                if let Some(log) = self.earlier.as_mut().filter(|log| log.boot == boot) {
                    log.seen(seq);
                    if resend {
                        for message in log.reports(seq, None) {
                            self.send(message);
                        }
                    }
                } else if boot == self.log.boot {
                    self.log.seen(seq);
                    if birth {
                        self.connect();
                    } else if resend {
                        for message in self.log.reports(seq, Some(now)) {
                            self.send(message);
                        }
                    }
                }
            }
        }
    }

    fn check(seed: u64, survives: bool, memory: usize) -> Result<(), TestCaseError> {
        let boot = 77;
        let session = Session::new(device(), None, Limits::at_speed(1.0), HallTime(0));
        let mut world = World {
            dice: Dice(seed),
            now: 0,
            log: Log::new(boot),
            earlier: None,
            memory,
            survives,
            boots: vec![boot],
            connection: 0,
            up: Vec::new(),
            down: Vec::new(),
            session,
            taken: Vec::new(),
            durable: 0,
            wild: true,
        };
        world.connect();
        for _ in 0..400 {
            world.step();
        }
        // Quiet; the device connects once more, as any does that hears nothing.
        world.wild = false;
        for _ in 0..100 {
            world.step();
        }
        world.connect();
        for _ in 0..1000 {
            world.step();
        }
        world.hub_commits();

        let mut next = BTreeMap::new();
        for report in &world.taken {
            let expected = next.entry(report.boot).or_insert(None);
            let first = match report.what {
                ReportKind::Lost { first, .. } => first,
                _ => report.seq,
            };
            if let Some(expected) = *expected {
                prop_assert_eq!(first, expected, "boot {}", report.boot);
            }
            *expected = Some(report.seq + 1);
        }
        let last = next.get(&world.log.boot).copied().flatten().unwrap_or(0);
        prop_assert_eq!(last, world.log.next, "the last boot is not told to its end");
        prop_assert!(world.log.kept.is_empty(), "the device still keeps what is durable");
        if memory > 400 {
            let lost = world
                .taken
                .iter()
                .any(|report| matches!(report.what, ReportKind::Lost { .. }));
            prop_assert!(!lost);
        }
        if survives && world.boots.len() == 2 {
            let (&first, earlier) = world.boots.first().zip(world.earlier.as_ref()).expect("two boots");
            let told = next.get(&first).copied().flatten().unwrap_or(0);
            prop_assert_eq!(told, earlier.next, "what was kept over the restart is not all told");
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn whatever_the_network_does_every_report_comes_in_order_and_once(seed: u64) {
            check(seed, false, 1000)?;
        }

        #[test]
        fn so_do_those_kept_over_a_restart_and_those_lost_by_a_small_memory(seed: u64, memory in 3_usize..40) {
            check(seed, true, 1000)?;
            check(seed, true, memory)?;
        }
    }
}

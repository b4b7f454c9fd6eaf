//! The hall is opened, in calm weather: devices and pairings made known, and the round armed.

use super::*;

impl World<'_> {
    pub(super) fn open(&mut self) {
        self.start();
        let tables: Vec<(u32, usize, usize, usize, bool)> = self
            .tables
            .iter()
            .map(|table| (table.number, table.clock, table.board, table.white_side, table.turned))
            .collect();
        for device in 0..self.devices.len() {
            let nature = &self.devices[device].nature;
            let kind = match (nature.clock, nature.board) {
                (true, true) => DeviceKind::Both,
                (false, true) => DeviceKind::Board,
                _ => DeviceKind::Clock,
            };
            let id = self.devices[device].id.clone();
            self.ask_now(Command::AddDevice {
                device: id,
                kind,
                speaks_for: Vec::new(),
            });
        }
        let regulations = Regulations {
            category: Some(Category::Standard),
            enforcement: if self.plan.automatic {
                Enforcement::AUTOMATIC
            } else {
                Enforcement::default()
            },
            endings_shown_at_once: true,
            rated: false,
            ..Regulations::default()
        };
        let event = "open".parse().expect("an event's name");
        self.ask_now(Command::PutEvent {
            event,
            name: "Open".into(),
            site: String::new(),
            date: String::new(),
            regulations,
        });
        let pairings = tables
            .iter()
            .map(|&(number, ..)| Pairing {
                table: TableNo(number),
                board: number,
                white: Player {
                    name: format!("White {number}"),
                    ..Player::default()
                },
                black: Player {
                    name: format!("Black {number}"),
                    ..Player::default()
                },
                time_control: None,
                board_kind: None,
                variant: Default::default(),
                fen: None,
                game: None,
            })
            .collect();
        let round = crate::hall::ids::RoundNo(1);
        self.ask_now(Command::PutRound {
            event: "open".parse().expect("an event's name"),
            round,
            time_control: self.plan.control.to_owned(),
            pairings,
        });
        for (number, clock, board, white_side, turned) in tables {
            let bind = |world: &mut Self, device: usize, as_clock, as_board| {
                let device = world.devices[device].id.clone();
                world.ask_now(Command::BindDevice {
                    device,
                    table: TableNo(number),
                    as_clock,
                    as_board,
                    white_side: Some(if white_side == 0 { Side::Left } else { Side::Right }),
                    board_turned: Some(turned),
                });
            };
            bind(self, clock, true, board == clock);
            if board != clock {
                bind(self, board, false, true);
            }
        }
        for device in 0..self.devices.len() {
            let wait = self.dice.between(100, 2_000);
            if self.devices[device].on {
                self.after(wait, Event::Connect { device });
            }
        }
        self.at(CALL_AT - 4_000, Event::Calm);
        for at in 0..self.plan.faults.len() {
            let when = match &self.plan.faults[at] {
                Fault::Partition { at, .. }
                | Fault::Stall { at, .. }
                | Fault::BrokerRestart { at, .. }
                | Fault::HubCut { at, .. }
                | Fault::Restart { at, .. }
                | Fault::Exchange { at, .. } => *at,
                Fault::Retained { taken, .. } => *taken,
                Fault::Kill { .. } | Fault::PowerCut { .. } | Fault::Disk { .. } => continue,
            };
            self.at(when, Event::Fault(at));
        }
        for at in 0..self.plan.acts.len() {
            let when = self.plan.acts[at].at;
            self.at(when, Event::Whim(at));
        }
        for who in 0..people::PEOPLE.len() {
            let wait = self.dice.between(500, 1_500);
            self.at(CALL_AT + wait, Event::Arbiter(who));
        }
    }

    /// Asks, and lets the hub answer at once: only while the hall is set up.
    pub(super) fn ask_now(&mut self, command: Command) {
        let Some(call) = people::call(0, self.asks.len(), command) else {
            return;
        };
        let id = self.asks.len();
        self.asks.push(Ask {
            table: None,
            purpose: Purpose::Setup,
            call,
            attempts: 1,
            answer: None,
            again: false,
        });
        self.event(Event::Ask { id });
        self.pump();
        while self.disk_waits && self.failure.is_none() {
            self.write();
            self.pump();
        }
    }

    /// The round is armed, and from here on the weather is what it is.
    pub(super) fn call_the_round(&mut self) {
        let event = || "open".parse().expect("an event's name");
        let round = crate::hall::ids::RoundNo(1);
        self.ask_now(Command::ArmRound { event: event(), round });
        self.calm = false;
        self.effects = 0;
        self.next_death();
        self.started = true;
        let command = Command::StartRound {
            event: event(),
            round,
            tables: None,
        };
        let id = self.ask(0, None, Purpose::Call, command);
        if let Some(id) = id {
            self.at(CALL_AT, Event::Ask { id });
        }
    }
}

//! One device's stream, with messages that nobody would send, in any order, and time that goes on between them.
//!
//! What is delivered comes in order and once each, whatever was sent.
#![no_main]

use flagfall::device::codec;
use flagfall::device::session::{Heard, Limits, Session, SessionEffect};
use flagfall::device::topics::{DeviceId, Up};
use flagfall::time::HallTime;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let device: DeviceId = "clock-12".parse().expect("a device's name");
    let mut now = HallTime(1_000_000);
    let mut session = Session::new(device.clone(), None, Limits::at_speed(1.0), now);
    let mut last: Option<(u32, i64)> = None;
    let mut rest = bytes;
    // Each message: what (topic, or something else that happens), how much later, its length, itself.
    while let Some((&[what, later, length], after)) = rest.split_first_chunk::<3>() {
        let length = usize::from(length).min(after.len());
        let (payload, after) = after.split_at(length);
        rest = after;
        now.0 += i64::from(later) * i64::from(later);
        let effects = match what % 16 {
            0 => {
                session.link_down();
                Vec::new()
            }
            1 => {
                session.link_up(now);
                Vec::new()
            }
            2 => session.tick(now),
            3 => session.give_up_gap(now),
            4 => match last {
                Some((boot, seq)) => session.durable(boot, seq),
                None => Vec::new(),
            },
            topic => {
                let up = Up::ALL[usize::from(topic) % Up::ALL.len()];
                match codec::decode(&device, up, payload) {
                    Ok((message, format)) => session.take(
                        now,
                        Heard {
                            retained: what & 0x80 != 0,
                            format,
                            message,
                        },
                    ),
                    Err(_) => Vec::new(),
                }
            }
        };
        for effect in effects {
            if let SessionEffect::Deliver(report) = effect {
                let (boot, seq) = (report.boot, report.seq as i64);
                if let Some((before, at)) = last
                    && before == boot
                {
                    assert!(seq > at, "report {seq} of boot {boot} after {at}");
                }
                last = Some((boot, seq));
            }
        }
        if let Some(deadline) = session.next_deadline() {
            assert!(deadline.0 > i64::MIN);
        }
    }
});

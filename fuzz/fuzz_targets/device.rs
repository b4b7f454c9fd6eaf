//! Whatever a device sends on any topic is read or refused; what is read goes on being what it was when it is written again.
#![no_main]

use flagfall::device::codec::{self, Format};
use flagfall::device::topics::{DeviceId, Up};
use flagfall::device::wire;
use libfuzzer_sys::{Corpus, fuzz_target};

macro_rules! rewritten {
    ($message:ident, $payload:expr) => {
        match codec::decode_wire::<wire::$message>($payload) {
            Ok(message) => [Format::Protobuf, Format::Json]
                .into_iter()
                .map(|format| codec::encode(&message, format))
                // JSON takes more room: what is then longer than allowed was not read so.
                .filter(|bytes| bytes.len() <= codec::MAX_PAYLOAD)
                .collect(),
            Err(_) => Vec::new(),
        }
    };
}

fuzz_target!(|bytes: &[u8]| -> Corpus {
    // The first byte chooses the topic.
    let Some((topic, payload)) = bytes.split_first() else {
        return Corpus::Reject;
    };
    let device: DeviceId = "clock-12".parse().expect("a device's name");
    let up = Up::ALL[usize::from(*topic) % Up::ALL.len()];
    match codec::decode(&device, up, payload) {
        Ok((read, _)) => {
            // The same message in either form reads the same.
            let again = match up {
                Up::Birth => rewritten!(Birth, payload),
                Up::Report => rewritten!(Report, payload),
                Up::Vital => rewritten!(Vital, payload),
                Up::Ack => rewritten!(Ack, payload),
                Up::Death => rewritten!(Death, payload),
            };
            for bytes in again {
                let (same, _) = codec::decode(&device, up, &bytes).expect("what was read reads again");
                // Debug, because a time that is no number is not equal to itself.
                assert_eq!(format!("{read:?}"), format!("{same:?}"));
            }
            Corpus::Keep
        }
        Err(refused) => {
            // The refusal is printed to logs: it must not be a place for what a device wants to print.
            assert!(!refused.to_string().chars().any(char::is_control));
            Corpus::Keep
        }
    }
});

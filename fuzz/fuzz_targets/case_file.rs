//! Case files are read or refused, and what was read is played to its end, or to where it differs.
#![no_main]

use flagfall::rehearsal;
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Corpus::Reject;
    };
    match rehearsal::Case::parse(text) {
        Ok(case) => {
            if let Err(failure) = rehearsal::play(&case) {
                // It says where.
                assert!(failure.to_string().contains("step"));
            }
        }
        Err(faulty) => assert!(!faulty.to_string().is_empty()),
    }
    Corpus::Keep
});

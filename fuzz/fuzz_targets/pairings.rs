//! A file of pairings is read, or refused with line and column of every error.
#![no_main]

use flagfall::pairing::csv;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = match csv::text(bytes) {
        Ok(text) => text,
        Err(fault) => {
            assert!(fault.line >= 1);
            return;
        }
    };
    match csv::pairings(text) {
        Ok(pairings) => {
            for pairing in pairings {
                assert!(pairing.table.0 > 0 && !pairing.white.name.is_empty() && !pairing.black.name.is_empty());
            }
        }
        Err(faults) => {
            assert!(!faults.is_empty());
            for fault in faults {
                assert!(!fault.to_string().is_empty());
            }
        }
    }
});

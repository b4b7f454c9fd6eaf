//! A PGN file is read or refused; what was read can be planned as games, whose moves can be played.
#![no_main]

use flagfall::sim::{pgn, plan};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(scores) = pgn::read("fuzz", bytes) {
        for game in plan::plan(&scores, 1) {
            assert!(game.turns.iter().all(|turn| turn.think_ms >= 0), "{game:?}");
        }
    }
});

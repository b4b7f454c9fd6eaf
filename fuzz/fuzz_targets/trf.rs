//! A file of a pairing program is imported or refused, kept byte for byte, and its round filled in without touching the rest.
#![no_main]

use flagfall::pairing::encoding::{Encoding, lines};
use flagfall::pairing::import::{self, Import, Source};
use flagfall::pairing::trf::Trf;
use flagfall::pairing::trf::results::{Scored, fill};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let file = Source {
        name: "fuzz".to_owned(),
        bytes: bytes.to_vec(),
    };
    let import = Import {
        file,
        players: None,
        round: 1,
        encoding: None,
        first_table: 1,
        known: None,
    };
    match import::read(&import) {
        Ok(proposal) => {
            assert_eq!(proposal.imported.file.bytes().as_deref(), Some(bytes));
            assert!(!proposal.pairings.is_empty());
            for pairing in &proposal.pairings {
                assert!(pairing.table.0 > 0 && pairing.board > 0);
            }
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            assert!(errors.iter().all(|error| !error.to_string().is_empty()));
        }
    }
    let Ok((trf, _)) = Trf::read(bytes.to_vec(), Encoding::Windows1252) else {
        return;
    };
    assert_eq!(trf.bytes(), bytes);
    let Ok(round) = trf.round(1) else { return };
    let scored: Vec<Scored> = round
        .games
        .iter()
        .flat_map(|game| {
            let score = |number, opponent, colour, code| Scored {
                number,
                opponent: Some(opponent),
                colour,
                code,
            };
            [
                score(game.white, game.black, 'w', '1'),
                score(game.black, game.white, 'b', '0'),
            ]
        })
        .collect();
    let (filled, _) = fill(&trf, 1, &scored).expect("they are in the file");
    let (before, after) = (lines(bytes), lines(&filled));
    assert_eq!(before.len(), after.len());
    for (before, after) in before.into_iter().zip(after) {
        assert!(bytes[before.clone()].starts_with(b"001") || bytes[before] == filled[after]);
    }
});

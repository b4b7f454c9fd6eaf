//! A round's pairings, inline or as CSV: everything that is wrong is told at once, and nothing is taken then.

use std::collections::BTreeMap;

use tonic::Status;

use super::super::convert::admin as to;
use super::super::proto::admin::v1 as wire;
use super::super::proto::admin::v1::put_round_request::Source;
use super::super::{convert, errors};
use super::refused;
use crate::hall::CallError;
use crate::hall::model::{Pairing, Round, RoundStatus};
use crate::laws::time_control::TimeControl;
use crate::pairing::csv::{self, RoundFile};
use crate::pairing::{Remark, check};
use crate::time::Millis;

/// The round that a request asks for, and how late the public sees some of its boards.
pub fn round(request: &wire::PutRoundRequest) -> Result<(Round, BTreeMap<u32, Millis>), Status> {
    let event = convert::event(&request.event, "event").map_err(refused)?;
    let number = convert::round(request.number, "number").map_err(refused)?;
    let RoundFile { pairings, delays } = match &request.source {
        Some(Source::Pairings(list)) => RoundFile {
            pairings: inline(&list.pairings)?,
            ..RoundFile::default()
        },
        Some(Source::Csv(text)) => csv::round(text).map_err(|faults| in_csv(&faults))?,
        None => {
            let message = "no pairings: give `pairings`, or a file's text as `csv`";
            return Err(refused(CallError::field("pairings", message)));
        }
    };
    let time_control = request.time_control.trim().to_owned();
    let mut wrong = Vec::new();
    if !time_control.is_empty() {
        control(&time_control, "time_control", &mut wrong);
    }
    for (index, pairing) in pairings.iter().enumerate() {
        let table = pairing.table;
        match &pairing.time_control {
            Some(own) => control(own, &format!("pairings.pairings[{index}].time_control"), &mut wrong),
            None if time_control.is_empty() => {
                let message = format!("table {table} has no time control: give the round's, `90m+30s`, or its own");
                wrong.push(("time_control".to_owned(), message));
                break;
            }
            None => {}
        }
    }
    if !wrong.is_empty() {
        let first = format!("{}: {}", wrong[0].0, wrong[0].1);
        return Err(errors::bad_fields(
            &format!("the round was not taken: a time control cannot be read: {first}"),
            wrong,
        ));
    }
    let round = Round {
        event,
        number,
        time_control,
        status: RoundStatus::Prepared,
        pairings,
    };
    Ok((round, delays))
}

fn control(text: &str, field: &str, wrong: &mut Vec<(String, String)>) {
    if let Err(error) = text.parse::<TimeControl>() {
        wrong.push((field.to_owned(), error.to_string()));
    }
}

fn inline(given: &[wire::Pairing]) -> Result<Vec<Pairing>, Status> {
    let path = |index: usize| format!("pairings.pairings[{index}]");
    let pairings: Result<Vec<_>, _> = given
        .iter()
        .enumerate()
        .map(|(index, given)| to::pairing(given, &path(index)))
        .collect();
    let pairings = pairings.map_err(refused)?;
    let faults = check::faults(&pairings);
    if faults.is_empty() {
        return Ok(pairings);
    }
    let wrong = faults
        .into_iter()
        .map(|fault| (format!("{}.{}", path(fault.pairing), fault.field), fault.message))
        .collect();
    Err(errors::bad_fields("the round was not taken: see the fields", wrong))
}

fn in_csv(faults: &[Remark]) -> Status {
    let wrong = faults
        .iter()
        .map(|fault| (format!("csv:{}:{}", fault.line, fault.column), fault.to_string()))
        .collect();
    let summary = match faults {
        [one] => format!("the file was not taken: {one}"),
        [first, rest @ ..] => format!("the file was not taken: {first} (and {} more)", rest.len()),
        [] => "the file was not taken".to_owned(),
    };
    errors::bad_fields(&summary, wrong)
}

#[cfg(test)]
mod tests {
    use tonic_types::StatusExt as _;

    use super::*;
    use crate::api::proto::feed::v1::Player;

    fn request(source: Source) -> wire::PutRoundRequest {
        wire::PutRoundRequest {
            event: "open".to_owned(),
            number: 1,
            time_control: "90m+30s".to_owned(),
            source: Some(source),
            ..Default::default()
        }
    }

    fn fields(status: &Status) -> Vec<String> {
        let bad = status.get_details_bad_request().expect("names fields");
        bad.field_violations
            .into_iter()
            .map(|violation| violation.field)
            .collect()
    }

    #[test]
    fn a_csv_with_errors_is_refused_with_line_and_column_of_each() {
        let text = "table,white,black,white_rating\n1,A,B,x\n2,C,C,\n".to_owned();
        let status = round(&request(Source::Csv(text))).expect_err("refused");
        assert_eq!(status.code(), tonic::Code::InvalidArgument);
        assert_eq!(fields(&status), ["csv:2:4", "csv:3:3"]);
    }

    #[test]
    fn inline_pairings_are_refused_by_their_paths() {
        let player = |name: &str| {
            Some(Player {
                name: name.to_owned(),
                ..Default::default()
            })
        };
        let pairing = |table, white, black| wire::Pairing {
            table,
            white: player(white),
            black: player(black),
            ..Default::default()
        };
        let list = |pairings| Source::Pairings(wire::PairingList { pairings });
        let status = round(&request(list(vec![pairing(1, "A", "B"), pairing(2, "C", "A")]))).expect_err("twice");
        assert_eq!(fields(&status), ["pairings.pairings[1].black.name"]);
        let (sound, _) = round(&request(list(vec![pairing(1, "A", "B"), pairing(2, "C", "D")]))).expect("sound");
        assert_eq!(sound.pairings.len(), 2);
    }

    #[test]
    fn a_time_control_that_cannot_be_read_or_is_missing_is_said() {
        let csv = |text: &str| Source::Csv(text.to_owned());
        let mut asked = request(csv("table,white,black,time_control\n1,A,B,soon\n"));
        // In a file it is said where: line and column.
        assert_eq!(fields(&round(&asked).expect_err("unreadable")), ["csv:2:4"]);
        asked.source = Some(csv("table,white,black\n1,A,B\n"));
        asked.time_control.clear();
        assert_eq!(fields(&round(&asked).expect_err("missing")), ["time_control"]);
        asked.source = Some(csv("table,white,black,time_control\n1,A,B,15m+10s\n"));
        assert!(round(&asked).is_ok(), "each has its own");
    }
}

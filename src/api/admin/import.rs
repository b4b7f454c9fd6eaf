//! A round from a pairing program's file: proposed, and taken when an arbiter confirms it.

use std::collections::BTreeMap;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use tonic::Status;

use super::super::convert::{self, admin as to};
use super::super::errors;
use super::super::proto::admin::v1 as wire;
use super::refused;
use crate::hall::imported::Imported;
use crate::hall::model::{ChessEvent, Pairing, Registry, RoundStatus};
use crate::hall::registry::check_round;
use crate::hall::{CallError, CallReason, Command, EventId, RoundNo};
use crate::laws::TimeControl;
use crate::pairing::difference::{Change, changes};
use crate::pairing::import::{self, Import, Proposal, Source};
use crate::pairing::remark::Remark;
use crate::time::Millis;

/// A round that is proposed, and the answer that shows it.
#[derive(Debug)]
pub struct Proposed {
    /// Whose round.
    pub event: EventId,
    /// Which.
    pub round: RoundNo,
    time_control: String,
    pairings: Vec<Pairing>,
    /// How late the public sees these boards.
    pub delays: BTreeMap<u32, Millis>,
    imported: Arc<Imported>,
    /// What is answered.
    pub answer: wire::ImportRoundResponse,
}

impl Proposed {
    /// What takes it.
    pub fn command(&self) -> Command {
        Command::ImportRound {
            event: self.event.clone(),
            round: self.round,
            time_control: self.time_control.clone(),
            pairings: self.pairings.clone(),
            imported: Arc::clone(&self.imported),
        }
    }
}

/// Reads what was sent and makes a proposal of it.
pub fn propose(asked: &wire::ImportRoundRequest, registry: &Registry) -> Result<Proposed, Status> {
    let id = convert::event(&asked.event, "event").map_err(refused)?;
    let number = convert::round(asked.round, "round").map_err(refused)?;
    let event = registry.events.get(&id).ok_or_else(|| {
        let message = format!("there is no event {id}: make it first (`flagfall event put`)");
        refused(CallError::new(CallReason::NotFound, message))
    })?;
    let file = asked.file.as_ref().ok_or_else(|| {
        refused(CallError::field(
            "file",
            "`file` is missing: send the file with the pairings",
        ))
    })?;
    let encoding =
        import::encoding(&asked.encoding).map_err(|error| refused(CallError::field("encoding", error.to_string())))?;
    let known = event.rounds.get(&number);
    let proposal = import::read(&Import {
        file: source(file),
        players: asked.players.as_ref().map(source),
        round: number.0,
        encoding,
        first_table: asked.first_table,
        known,
    })
    .map_err(|errors| in_files(&errors))?;
    let (time_control, origin) = control(asked, event, number, &proposal)?;
    check_round(&time_control, &proposal.pairings).map_err(refused)?;
    let mut warnings: Vec<_> = proposal.warnings.iter().map(remark).collect();
    warnings.extend(others(registry, &id, number, &proposal.pairings));
    if origin == wire::TimeControlSource::File {
        warnings.push(note(format!(
            "the time control {time_control} is read from the file: see that it is the event's"
        )));
    }
    if let Some(coded) = &proposal.control
        && origin != wire::TimeControlSource::File
        && coded.to_string() != time_control
    {
        warnings.push(note(format!(
            "the file codes the time control {coded}, and the round has {time_control}"
        )));
    }
    if !proposal.delays.is_empty() {
        let one = |(board, delay): (&u32, &Millis)| format!("board {board} {delay} late");
        let all: Vec<_> = proposal.delays.iter().map(one).collect();
        warnings.push(note(format!("the public sees {}", all.join(", "))));
    }
    let before = known.map(|known| known.pairings.as_slice()).unwrap_or_default();
    if known.is_some_and(|known| known.status == RoundStatus::Started) {
        warnings.push(note(format!(
            "round {number} is called: its {} games stay, and only new ones are added",
            before.len()
        )));
    }
    let changes = if known.is_some() {
        changes(before, &proposal.pairings).iter().map(change).collect()
    } else {
        Vec::new()
    };
    let imported = Arc::new(proposal.imported);
    let mut answer = wire::ImportRoundResponse {
        format: imported.format.name().to_owned(),
        encoding: imported.file.encoding.clone(),
        event_name: proposal.event_name,
        time_control: time_control.clone(),
        time_control_source: origin.into(),
        time_control_text: proposal.control_text,
        games: proposal.pairings.iter().map(to::wire_pairing).collect(),
        unpaired: imported.unpaired.iter().map(unpaired).collect(),
        warnings,
        changes,
        is_new: known.is_none(),
        proposal: String::new(),
        taken: false,
    };
    let mut proposed = Proposed {
        event: id,
        round: number,
        time_control,
        pairings: proposal.pairings,
        delays: proposal.delays,
        imported,
        answer: wire::ImportRoundResponse::default(),
    };
    answer.proposal = mark(&proposed);
    if !asked.proposal.is_empty() && asked.proposal != answer.proposal {
        let message = "what would be taken is not what was shown: the file or the round has changed since; look at the proposal again";
        return Err(refused(CallError::new(CallReason::StaleRevision, message)));
    }
    proposed.answer = answer;
    Ok(proposed)
}

/// Stands for what is proposed.
fn mark(proposed: &Proposed) -> String {
    let all = (
        &proposed.event,
        &proposed.round,
        &proposed.time_control,
        &proposed.pairings,
        &proposed.delays,
    );
    let bytes = crate::hall::record::write(&(all, &*proposed.imported));
    Sha256::digest(bytes)
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn source(file: &wire::PairingFile) -> Source {
    let name = file.name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = name.chars().filter(|c| !c.is_control()).take(120).collect();
    Source {
        name: if name.is_empty() { "the file".to_owned() } else { name },
        bytes: file.content.clone(),
    }
}

fn control(
    asked: &wire::ImportRoundRequest,
    event: &ChessEvent,
    number: RoundNo,
    proposal: &Proposal,
) -> Result<(String, wire::TimeControlSource), Status> {
    let given = asked.time_control.trim();
    if !given.is_empty() {
        let read: Result<TimeControl, _> = given.parse();
        let control = read.map_err(|error| refused(CallError::field("time_control", error.to_string())))?;
        return Ok((control.to_string(), wire::TimeControlSource::Given));
    }
    if let Some(known) = event.rounds.get(&number) {
        return Ok((known.time_control.clone(), wire::TimeControlSource::Round));
    }
    if let Some(control) = &proposal.control {
        return Ok((control.to_string(), wire::TimeControlSource::File));
    }
    let says = if proposal.control_text.is_empty() {
        "the file says nothing of it".to_owned()
    } else {
        let text = crate::pairing::remark::shown(&proposal.control_text);
        format!("the file says `{text}`, which is not for machines to read")
    };
    let message = format!("which time control? {says}: give it as 90m+30s (`--time-control`)");
    Err(refused(CallError::field("time_control", message)))
}

/// Tables that another round has.
fn others(registry: &Registry, event: &EventId, round: RoundNo, pairings: &[Pairing]) -> Vec<wire::FileRemark> {
    let others = pairings.iter().filter_map(|pairing| {
        let table = registry.tables.get(&pairing.table)?;
        let other = registry.unfinished(table)?;
        (other.event != *event || other.round != round).then(|| {
            note(format!(
                "table {} has a game of round {} of {}: end that round before this one is armed, or give `--first-table`",
                pairing.table, other.round, other.event
            ))
        })
    });
    let all: Vec<_> = others.collect();
    let more = all.len().saturating_sub(3);
    let mut told: Vec<_> = all.into_iter().take(3).collect();
    if more > 0 {
        told.push(note(format!("the same is so of {more} tables more")));
    }
    told
}

fn note(message: String) -> wire::FileRemark {
    remark(&Remark::file(message))
}

/// A remark as it is answered.
pub fn remark(remark: &Remark) -> wire::FileRemark {
    wire::FileRemark {
        file: remark.file.clone(),
        line: remark.line,
        column: u32::try_from(remark.column).unwrap_or(u32::MAX),
        field: remark.field.clone(),
        message: remark.message.clone(),
    }
}

fn unpaired(one: &crate::hall::imported::Unpaired) -> wire::UnpairedPlayer {
    wire::UnpairedPlayer {
        number: one.number.unwrap_or(0),
        name: one.name.clone(),
        code: one.code.to_string(),
        opponent: one.opponent.unwrap_or(0),
    }
}

fn change(change: &Change) -> wire::PairingChange {
    use wire::PairingChangeKind as Kind;
    let (kind, before, after) = match change {
        Change::Added(after) => (Kind::Added, None, Some(after)),
        Change::Removed(before) => (Kind::Removed, Some(before), None),
        Change::Moved { before, after } => (Kind::Moved, Some(before), Some(after)),
        Change::ColoursTurned { before, after } => (Kind::ColoursTurned, Some(before), Some(after)),
        Change::Renamed { before, after } => (Kind::Renamed, Some(before), Some(after)),
    };
    wire::PairingChange {
        kind: kind.into(),
        before: before.map(to::wire_pairing),
        after: after.map(to::wire_pairing),
    }
}

fn in_files(errors: &[Remark]) -> Status {
    let wrong = errors
        .iter()
        .map(|error| (format!("file:{}:{}", error.line, error.column), error.to_string()))
        .collect();
    let summary = match errors {
        [one] => format!("nothing was taken: {one}"),
        [first, rest @ ..] => format!("nothing was taken: {first} (and {} more)", rest.len()),
        [] => "nothing was taken".to_owned(),
    };
    errors::bad_fields(&summary, wrong)
}

#[cfg(test)]
mod tests {
    use tonic_types::StatusExt as _;

    use super::*;
    use crate::hall::model::Round;

    fn registry(rounds: Vec<Round>) -> Registry {
        let id: EventId = "open".parse().expect("an id");
        let event = ChessEvent {
            id: id.clone(),
            name: "Open".to_owned(),
            site: String::new(),
            date: String::new(),
            regulations: Default::default(),
            rounds: rounds.into_iter().map(|round| (round.number, round)).collect(),
            imports: BTreeMap::new(),
            releases: Default::default(),
        };
        Registry {
            events: BTreeMap::from([(id, event)]),
            ..Registry::default()
        }
    }

    fn asked(content: &str) -> wire::ImportRoundRequest {
        wire::ImportRoundRequest {
            event: "open".to_owned(),
            round: 1,
            file: Some(wire::PairingFile {
                name: "C:\\chess\\r1.csv".to_owned(),
                content: content.as_bytes().to_vec(),
            }),
            ..Default::default()
        }
    }

    #[test]
    fn a_file_with_errors_is_refused_with_the_place_of_each() {
        let status = propose(&asked("white,black\nA,A\nB,C\nC,D\n"), &registry(Vec::new())).expect_err("refused");
        assert_eq!(status.code(), tonic::Code::InvalidArgument);
        let bad = status.get_details_bad_request().expect("fields");
        let fields: Vec<_> = bad.field_violations.iter().map(|one| one.field.as_str()).collect();
        assert_eq!(fields, ["file:2:0", "file:4:0"]);
        assert!(
            status.message().starts_with("nothing was taken: r1.csv, line 2"),
            "{}",
            status.message()
        );
    }

    #[test]
    fn the_time_control_is_given_or_the_rounds_or_the_files() {
        let csv = "white,black\nA,B\n";
        let status = propose(&asked(csv), &registry(Vec::new())).expect_err("none");
        assert!(status.message().contains("which time control?"), "{}", status.message());
        let trf = std::fs::read_to_string("tests/pairings/sharly-example_trf26.trf").expect("a test file");
        let proposed = propose(&asked(&trf), &registry(Vec::new())).expect("proposed");
        assert_eq!(proposed.answer.time_control, "40/100m+30s,15m+30s");
        assert_eq!(proposed.answer.time_control_source(), wire::TimeControlSource::File);
        assert!(
            proposed
                .answer
                .warnings
                .iter()
                .any(|note| note.message.contains("see that it is the event's"))
        );
        let given = wire::ImportRoundRequest {
            time_control: "5m+3s".to_owned(),
            ..asked(csv)
        };
        let proposed = propose(&given, &registry(Vec::new())).expect("proposed");
        assert_eq!(proposed.answer.time_control, "5m+3s");
        assert!(proposed.answer.is_new && !proposed.answer.taken);
    }

    #[test]
    fn what_is_confirmed_is_what_was_shown() {
        let mut request = wire::ImportRoundRequest {
            time_control: "5m+3s".to_owned(),
            ..asked("white,black\nA,B\n")
        };
        let shown = propose(&request, &registry(Vec::new())).expect("proposed");
        request.proposal.clone_from(&shown.answer.proposal);
        let again = propose(&request, &registry(Vec::new())).expect("the same");
        assert_eq!(again.answer.proposal, shown.answer.proposal);
        let Command::ImportRound {
            event,
            round,
            time_control,
            pairings,
            ..
        } = again.command()
        else {
            panic!("another command");
        };
        let taken = Round {
            event,
            number: round,
            time_control,
            status: RoundStatus::Prepared,
            pairings,
        };
        let repeated = propose(&request, &registry(vec![taken])).expect("a repetition is the same");
        assert!(repeated.answer.changes.is_empty() && !repeated.answer.is_new);
        request.first_table = 5;
        assert_eq!(
            propose(&request, &registry(Vec::new())).expect_err("stale").code(),
            tonic::Code::Aborted
        );
    }
}

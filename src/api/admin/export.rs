//! An event's results and games, as files.

use std::sync::Arc;

use tonic::Status;

use super::super::Surroundings;
use super::super::convert;
use super::super::proto::admin::v1 as wire;
use super::import::remark;
use super::{not_found, record, refused};
use crate::broadcast::pgn;
use crate::game::audience::ArbiterView;
use crate::hall::imported::Imported;
use crate::hall::model::{ChessEvent, Pairing, Registry, Round, Seat};
use crate::hall::{CallError, CallReason, HallHandle, RoundNo};
use crate::laws::GameResult;
use crate::pairing::export::{self, Outcome, Results};
use crate::pairing::remark::Remark;

/// What was asked for; blocks while games of earlier rounds are read.
pub fn export(
    asked: &wire::ExportEventRequest,
    hall: &HallHandle,
    surroundings: &Surroundings,
) -> Result<wire::ExportEventResponse, Status> {
    let id = convert::event(&asked.event, "event").map_err(refused)?;
    let registry = hall.registry();
    let event = registry
        .events
        .get(&id)
        .ok_or_else(|| not_found("event", id.as_str(), "ListEvents"))?;
    let record = Record {
        hall,
        surroundings,
        registry: &registry,
        event,
    };
    let rounds = rounds(asked, event)?;
    let scope = if asked.round == 0 && asked.format() != wire::ExportFormat::Trf {
        id.to_string()
    } else {
        format!("{id}-{}", rounds.first().map_or(0, |round| round.number.0))
    };
    let (end, content, remarks) = match asked.format() {
        wire::ExportFormat::Unspecified => {
            let message = "`format` is missing: trf, csv, results or pgn";
            return Err(refused(CallError::field("format", message)));
        }
        wire::ExportFormat::Trf => {
            let Some(round) = rounds.first() else {
                let message =
                    format!("no round of {id} was imported from a file: export csv or results, or import a TRF");
                return Err(refused(CallError::new(CallReason::NotFound, message)));
            };
            let (bytes, remarks) = export::trf(&record.results(round))
                .map_err(|error| refused(CallError::new(CallReason::WrongState, error.to_string())))?;
            ("trf", bytes, remarks)
        }
        wire::ExportFormat::Csv | wire::ExportFormat::Results => {
            let all: Vec<_> = rounds.iter().map(|round| record.results(round)).collect();
            let remarks = all.iter().flat_map(Results::remarks).collect();
            let text = if asked.format() == wire::ExportFormat::Csv {
                export::csv(&all)
            } else {
                export::list(&all)
            };
            let end = if asked.format() == wire::ExportFormat::Csv {
                "csv"
            } else {
                "results.csv"
            };
            (end, text.into_bytes(), remarks)
        }
        wire::ExportFormat::Pgn => {
            let wanted = pgn::Wanted {
                elapsed: asked.elapsed_times,
            };
            let mut scores = Vec::new();
            for round in &rounds {
                for (pairing, seat, view) in record.games(round) {
                    let (seat, view) = (seat.as_deref(), view.as_deref());
                    scores.push(record::of_record(event, round.number.0, pairing, seat, view));
                }
            }
            ("pgn", pgn::games(&scores, wanted).into_bytes(), Vec::new())
        }
    };
    Ok(wire::ExportEventResponse {
        file_name: format!("{scope}.{end}"),
        content,
        warnings: remarks.iter().map(remark).collect(),
    })
}

fn rounds<'a>(asked: &wire::ExportEventRequest, event: &'a ChessEvent) -> Result<Vec<&'a Round>, Status> {
    if asked.round > 0 {
        let number = RoundNo(asked.round);
        let round = event.rounds.get(&number);
        let round = round.ok_or_else(|| not_found("round", &number.to_string(), "ListRounds"))?;
        return Ok(vec![round]);
    }
    if asked.format() == wire::ExportFormat::Trf {
        let last = event.imports.keys().next_back();
        return Ok(last.and_then(|last| event.rounds.get(last)).into_iter().collect());
    }
    Ok(event.rounds.values().collect())
}

struct Record<'a> {
    hall: &'a HallHandle,
    surroundings: &'a Surroundings,
    registry: &'a Registry,
    event: &'a ChessEvent,
}

type Found<'a> = (&'a Pairing, Option<Arc<Seat>>, Option<Arc<ArbiterView>>);

impl<'a> Record<'a> {
    /// A round's games in the order of boards.
    fn games(&self, round: &'a Round) -> Vec<Found<'a>> {
        let mut pairings: Vec<&Pairing> = round.pairings.iter().collect();
        pairings.sort_by_key(|pairing| pairing.board);
        let of = |pairing: &'a Pairing| {
            let seat = pairing.game.and_then(|game| self.registry.games.get(&game)).cloned();
            let view = seat.as_ref().and_then(|seat| self.view(seat));
            (pairing, seat, view)
        };
        pairings.into_iter().map(of).collect()
    }

    /// A game as arbiters see it: at its table, or as it was left.
    fn view(&self, seat: &Seat) -> Option<Arc<ArbiterView>> {
        let at_table = self.hall.arbiters().get(seat.table);
        match at_table.filter(|table| table.card.game == Some(seat.game)) {
            Some(table) => {
                let mut view = table.view.clone();
                if view.parked.is_some() && view.result != "*" {
                    // Nobody is asked to do anything more about a table by hand that has its result.
                    view.items.clear();
                }
                Some(Arc::new(view))
            }
            None => (self.surroundings.past_games)(seat).map(Arc::new),
        }
    }

    fn results(&self, round: &'a Round) -> Results<'a> {
        let outcomes = self.games(round).into_iter().map(|(pairing, _, view)| {
            let view = view.as_deref();
            Outcome {
                pairing: pairing.clone(),
                result: view.and_then(|view| view.result.parse::<GameResult>().ok()),
                termination: view.and_then(|view| view.ended),
                // What was written down by hand was played.
                rated: view.is_some_and(|view| view.rated || view.parked.is_some()),
                reversed: view.is_some_and(record::is_reversed),
                provisional: view.and_then(record::provisional),
            }
        });
        Results {
            round: round.number.0,
            outcomes: outcomes.collect(),
            imported: self
                .event
                .imports
                .get(&round.number)
                .map(|imported: &Arc<Imported>| &**imported),
        }
    }
}

/// Something that could not be finished.
pub fn failed(error: &tokio::task::JoinError) -> Status {
    tracing::error!(%error, "an export failed");
    let message = Remark::file("the export failed in the hub; see its log").to_string();
    Status::internal(message)
}

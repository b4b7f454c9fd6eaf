//! Everything that arbiters see and do.

mod acting;
mod noticing;
mod recording;
mod rounds;
mod seeing;

use std::sync::Arc;

use tokio::sync::Semaphore;
use tonic::{Request, Response, Status};

use super::Records;
use super::ask::{answer, ask};
use super::auth::{Caller, caller};
use super::convert::{self, deed};
use super::errors;
use super::proto::arbiter::v1 as wire;
use super::watch::{self, Watching};
use crate::game::input::{Act, Deed};
use crate::hall::{Answer, CallError, CallReason, Command, HallHandle, TableNo};
use crate::words::Language;

/// See `arbiter.proto`.
pub struct Arbiters {
    /// The hall they rule.
    pub hall: HallHandle,
    /// What is spoken to those who ask for no other language.
    pub language: Language,
    /// Finds games' records.
    pub records: Records,
    /// The journal is read for one record at a time.
    pub reading: Arc<Semaphore>,
}

type Answered<M> = Result<Response<M>, Status>;

impl Arbiters {
    /// What the caller wants to be spoken to in.
    fn language<R>(&self, request: &Request<R>) -> Language {
        convert::language(request.metadata(), self.language)
    }

    /// Whether the game that was meant is still the one at the table; an empty one is any.
    fn is_at(&self, table: u32, game: &str) -> Result<(), Status> {
        if game.is_empty() {
            return Ok(());
        }
        let number = TableNo(table);
        let refused = |error: CallError| errors::status(&error, Some(number));
        let meant = convert::game(game).map_err(refused)?;
        let registry = self.hall.registry();
        if registry.tables.get(&number).and_then(|table| table.game) == Some(meant) {
            return Ok(());
        }
        let message = format!("table {table} has another game by now: nothing was done; look again, and decide again");
        Err(refused(CallError::new(CallReason::StaleRevision, message)))
    }

    /// The call's id and table, where the caller may act.
    fn at(&self, caller: &Caller, id: &str, table: u32) -> Result<(crate::hall::RequestId, TableNo), Status> {
        let id = convert::request(id).map_err(|error| errors::status(&error, None))?;
        let table = convert::table(table).map_err(|error| errors::status(&error, None))?;
        caller
            .at(table, &self.hall.registry())
            .map_err(|error| errors::status(&error, Some(table)))?;
        Ok((id, table))
    }

    /// The same deed at many tables, one call for each under an id of its own made from the one given, so that a repetition
    /// repeats each.
    async fn at_many<R>(
        &self,
        request: &Request<R>,
        id: &str,
        tables: &[u32],
        act: &Act,
    ) -> Result<Vec<wire::TableAnswer>, Status> {
        let caller = caller(request)?;
        if tables.is_empty() {
            let error = CallError::field("tables", "`tables` is empty: name the tables that are meant");
            return Err(errors::status(&error, None));
        }
        let registry = self.hall.registry();
        let mut calls = Vec::with_capacity(tables.len());
        for number in tables {
            let own = convert::request(&format!("{id}/{number}")).map_err(|error| errors::status(&error, None))?;
            let table = convert::table(*number).map_err(|error| errors::status(&error, None))?;
            calls.push((own, table));
        }
        let (hall, caller, registry) = (&self.hall, &caller, &registry);
        let calls = calls.into_iter().map(|(id, table)| async move {
            let done = match caller.at(table, registry) {
                Ok(()) => {
                    answer(
                        hall,
                        caller,
                        id,
                        Command::Act {
                            table,
                            act: act.clone(),
                        },
                    )
                    .await
                }
                Err(error) => Err(error),
            };
            table_answer(table, done.as_ref().map(receipt))
        });
        Ok(futures::future::join_all(calls).await)
    }
}

fn receipt(answer: &Answer) -> wire::Receipt {
    wire::Receipt {
        position: answer.position,
        revision: answer.revision,
        note: answer.note.clone(),
    }
}

fn table_answer(table: TableNo, done: Result<wire::Receipt, &CallError>) -> wire::TableAnswer {
    use wire::table_answer::Answer;
    let answer = match done {
        Ok(receipt) => Answer::Done(receipt),
        Err(error) => Answer::Refused(wire::Refusal {
            reason: errors::reason(error.reason).into(),
            message: error.message.clone(),
        }),
    };
    wire::TableAnswer {
        table: table.0,
        answer: Some(answer),
    }
}

#[tonic::async_trait]
impl wire::arbiter_service_server::ArbiterService for Arbiters {
    type WatchTablesStream = Watching<wire::WatchTablesResponse>;

    async fn list_tables(&self, request: Request<wire::ListTablesRequest>) -> Answered<wire::ListTablesResponse> {
        let caller = caller(&request)?;
        seeing::list(&self.hall, &caller, self.language(&request), request.get_ref()).map(Response::new)
    }

    async fn get_game(&self, request: Request<wire::GetGameRequest>) -> Answered<wire::GetGameResponse> {
        let caller = caller(&request)?;
        seeing::game(&self.hall, &caller, self.language(&request), request.get_ref()).map(Response::new)
    }

    async fn get_record(&self, request: Request<wire::GetRecordRequest>) -> Answered<wire::GetRecordResponse> {
        let caller = caller(&request)?;
        let language = self.language(&request);
        recording::record(self, &caller, language, request.get_ref())
            .await
            .map(Response::new)
    }

    async fn watch_tables(&self, request: Request<wire::WatchTablesRequest>) -> Answered<Self::WatchTablesStream> {
        let caller = caller(&request)?;
        let language = self.language(&request);
        let request = request.into_inner();
        let place = request.resume.map(|place| (place.epoch, place.position));
        let telling = seeing::Tablet {
            tables: request.tables.into_iter().map(TableNo).collect(),
            bearer: caller.clone(),
            hall: self.hall.clone(),
            brief: request.brief,
            language,
        };
        let subscription = self.hall.arbiters().subscribe(place);
        Ok(Response::new(watch::stream(self.hall.clone(), subscription, telling)))
    }

    type WatchNoticesStream = Watching<wire::WatchNoticesResponse>;

    async fn list_notices(&self, request: Request<wire::ListNoticesRequest>) -> Answered<wire::ListNoticesResponse> {
        let caller = caller(&request)?;
        let notices = noticing::now(&self.hall, &caller);
        Ok(Response::new(wire::ListNoticesResponse { notices }))
    }

    async fn watch_notices(&self, request: Request<wire::WatchNoticesRequest>) -> Answered<Self::WatchNoticesStream> {
        let caller = caller(&request)?;
        Ok(Response::new(noticing::watch(self.hall.clone(), caller)))
    }

    async fn pause_tables(&self, request: Request<wire::PauseTablesRequest>) -> Answered<wire::PauseTablesResponse> {
        let asked = request.get_ref();
        let act = deed::act(Deed::Pause, None, &asked.reason).map_err(|error| errors::status(&error, None))?;
        let answers = self.at_many(&request, &asked.request_id, &asked.tables, &act).await?;
        Ok(Response::new(wire::PauseTablesResponse { answers }))
    }

    async fn resume_tables(&self, request: Request<wire::ResumeTablesRequest>) -> Answered<wire::ResumeTablesResponse> {
        let asked = request.get_ref();
        let act = deed::act(Deed::Resume, None, &asked.reason).map_err(|error| errors::status(&error, None))?;
        let more = deed::equal_time(asked.add_ms, &asked.reason).map_err(|error| errors::status(&error, None))?;
        let Some(more) = more else {
            let answers = self.at_many(&request, &asked.request_id, &asked.tables, &act).await?;
            return Ok(Response::new(wire::ResumeTablesResponse { answers }));
        };
        let id = format!("{}/more", asked.request_id);
        let given = self.at_many(&request, &id, &asked.tables, &more).await?;
        // Who did not get the time does not go on without it.
        let (given, mut answers): (Vec<_>, Vec<_>) = given
            .into_iter()
            .partition(|answer| matches!(answer.answer, Some(wire::table_answer::Answer::Done(_))));
        let tables: Vec<u32> = given.iter().map(|answer| answer.table).collect();
        if !tables.is_empty() {
            answers.extend(self.at_many(&request, &asked.request_id, &tables, &act).await?);
        }
        answers.sort_by_key(|answer| asked.tables.iter().position(|table| *table == answer.table));
        Ok(Response::new(wire::ResumeTablesResponse { answers }))
    }

    async fn pause_game(&self, request: Request<wire::PauseGameRequest>) -> Answered<wire::PauseGameResponse> {
        self.acts(&request, |asked| deed::act(Deed::Pause, None, &asked.reason))
            .await
    }

    async fn resume_game(&self, request: Request<wire::ResumeGameRequest>) -> Answered<wire::ResumeGameResponse> {
        self.acts(&request, |asked| deed::act(Deed::Resume, None, &asked.reason))
            .await
    }

    async fn adjust_clocks(&self, request: Request<wire::AdjustClocksRequest>) -> Answered<wire::AdjustClocksResponse> {
        self.acts(&request, deed::adjust).await
    }

    async fn confirm_item(&self, request: Request<wire::ConfirmItemRequest>) -> Answered<wire::ConfirmItemResponse> {
        self.acts(&request, deed::confirm).await
    }

    async fn dismiss_item(&self, request: Request<wire::DismissItemRequest>) -> Answered<wire::DismissItemResponse> {
        self.acts(&request, deed::dismiss).await
    }

    async fn take_item(&self, request: Request<wire::TakeItemRequest>) -> Answered<wire::TakeItemResponse> {
        self.acts(&request, deed::take).await
    }

    async fn confirm_promotion(
        &self,
        request: Request<wire::ConfirmPromotionRequest>,
    ) -> Answered<wire::ConfirmPromotionResponse> {
        self.acts(&request, deed::promoted).await
    }

    async fn set_result(&self, request: Request<wire::SetResultRequest>) -> Answered<wire::SetResultResponse> {
        self.is_at(request.get_ref().table, &request.get_ref().game)?;
        self.acts(&request, deed::decide).await
    }

    async fn enter_move(&self, request: Request<wire::EnterMoveRequest>) -> Answered<wire::EnterMoveResponse> {
        self.acts(&request, deed::enter_move).await
    }

    async fn restore_position(
        &self,
        request: Request<wire::RestorePositionRequest>,
    ) -> Answered<wire::RestorePositionResponse> {
        self.acts(&request, deed::restore).await
    }

    async fn penalise(&self, request: Request<wire::PenaliseRequest>) -> Answered<wire::PenaliseResponse> {
        self.acts(&request, deed::penalise).await
    }

    async fn observe(&self, request: Request<wire::ObserveRequest>) -> Answered<wire::ObserveResponse> {
        self.acts(&request, deed::observe).await
    }

    async fn reopen_game(&self, request: Request<wire::ReopenGameRequest>) -> Answered<wire::ReopenGameResponse> {
        self.acts(&request, |asked| {
            deed::act(Deed::Reopen, Some(asked.revision), &asked.reason)
        })
        .await
    }

    async fn set_presence(&self, request: Request<wire::SetPresenceRequest>) -> Answered<wire::SetPresenceResponse> {
        self.acts(&request, deed::presence).await
    }

    async fn set_periods(&self, request: Request<wire::SetPeriodsRequest>) -> Answered<wire::SetPeriodsResponse> {
        self.acts(&request, deed::periods).await
    }

    async fn mend_move(&self, request: Request<wire::MendMoveRequest>) -> Answered<wire::MendMoveResponse> {
        self.acts(&request, deed::mend).await
    }

    async fn enter_claimed_moves(
        &self,
        request: Request<wire::EnterClaimedMovesRequest>,
    ) -> Answered<wire::EnterClaimedMovesResponse> {
        self.acts(&request, deed::claimed_moves).await
    }

    async fn mask_squares(&self, request: Request<wire::MaskSquaresRequest>) -> Answered<wire::MaskSquaresResponse> {
        self.acts(&request, deed::mask).await
    }

    async fn use_board(&self, request: Request<wire::UseBoardRequest>) -> Answered<wire::UseBoardResponse> {
        self.acts(&request, deed::use_board).await
    }

    async fn lodge_appeal(&self, request: Request<wire::LodgeAppealRequest>) -> Answered<wire::LodgeAppealResponse> {
        self.acts(&request, deed::lodge).await
    }

    async fn add_appeal_statement(
        &self,
        request: Request<wire::AddAppealStatementRequest>,
    ) -> Answered<wire::AddAppealStatementResponse> {
        self.acts(&request, deed::appeal_statement).await
    }

    async fn close_appeal(&self, request: Request<wire::CloseAppealRequest>) -> Answered<wire::CloseAppealResponse> {
        self.acts(&request, deed::close_appeal).await
    }

    async fn hand_over_sector(
        &self,
        request: Request<wire::HandOverSectorRequest>,
    ) -> Answered<wire::HandOverSectorResponse> {
        let caller = caller(&request)?;
        let asked = request.get_ref();
        let refused = |error: CallError| errors::status(&error, None);
        let id = convert::request(&asked.request_id).map_err(refused)?;
        let sector = convert::admin::needed_text(&asked.sector, "sector").map_err(refused)?;
        let to = convert::admin::text(&asked.to, "to").map_err(refused)?;
        if !caller.has(&sector) {
            let message = format!("sector {sector:?} is not yours, and so not yours to hand over");
            return Err(refused(CallError::new(CallReason::NotAllowed, message)));
        }
        let to = (!to.is_empty()).then_some(to);
        ask(&self.hall, &caller, id, Command::HandOverSector { sector, to }, None).await?;
        Ok(Response::new(wire::HandOverSectorResponse {}))
    }

    async fn add_note(&self, request: Request<wire::AddNoteRequest>) -> Answered<wire::AddNoteResponse> {
        self.is_at(request.get_ref().table, &request.get_ref().game)?;
        self.acts(&request, deed::note).await
    }

    async fn enter_fact(&self, request: Request<wire::EnterFactRequest>) -> Answered<wire::EnterFactResponse> {
        let caller = caller(&request)?;
        let asked = request.get_ref();
        let (id, table) = self.at(&caller, &asked.request_id, asked.table)?;
        let fact = deed::fact(asked).map_err(|error| errors::status(&error, Some(table)))?;
        let answer = ask(&self.hall, &caller, id, Command::EnterFact { table, fact }, Some(table)).await?;
        Ok(Response::new(wire::EnterFactResponse {
            receipt: Some(receipt(&answer)),
        }))
    }

    async fn arm_round(&self, request: Request<wire::ArmRoundRequest>) -> Answered<wire::ArmRoundResponse> {
        let answers = rounds::arm(&self.hall, &caller(&request)?, request.get_ref()).await?;
        Ok(Response::new(wire::ArmRoundResponse { answers }))
    }

    async fn start_round(&self, request: Request<wire::StartRoundRequest>) -> Answered<wire::StartRoundResponse> {
        let answers = rounds::start(&self.hall, &caller(&request)?, request.get_ref()).await?;
        Ok(Response::new(wire::StartRoundResponse { answers }))
    }

    async fn end_round(&self, request: Request<wire::EndRoundRequest>) -> Answered<wire::EndRoundResponse> {
        let answers = rounds::end(&self.hall, &caller(&request)?, request.get_ref()).await?;
        Ok(Response::new(wire::EndRoundResponse { answers }))
    }
}

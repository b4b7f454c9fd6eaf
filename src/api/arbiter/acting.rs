//! What an arbiter does at one table: every such call asks with an id and a table, and is answered with a receipt.

use tonic::{Request, Response};

use super::{Answered, Arbiters, receipt, wire};
use crate::api::ask::ask;
use crate::api::auth::caller;
use crate::api::errors;
use crate::game::input::Act;
use crate::hall::{CallError, Command};

/// A request for one act at one table.
pub(super) trait AtATable {
    /// What it is answered with.
    type Response: From<wire::Receipt>;

    /// The call's own id.
    fn request_id(&self) -> &str;

    /// The number of the table that is meant.
    fn table(&self) -> u32;
}

macro_rules! at_a_table {
    ($($request:ident => $response:ident,)*) => {$(
        impl AtATable for wire::$request {
            type Response = wire::$response;

            fn request_id(&self) -> &str {
                &self.request_id
            }

            fn table(&self) -> u32 {
                self.table
            }
        }

        impl From<wire::Receipt> for wire::$response {
            fn from(receipt: wire::Receipt) -> wire::$response {
                wire::$response { receipt: Some(receipt) }
            }
        }
    )*};
}

at_a_table! {
    PauseGameRequest => PauseGameResponse,
    ResumeGameRequest => ResumeGameResponse,
    AdjustClocksRequest => AdjustClocksResponse,
    ConfirmItemRequest => ConfirmItemResponse,
    DismissItemRequest => DismissItemResponse,
    TakeItemRequest => TakeItemResponse,
    ConfirmPromotionRequest => ConfirmPromotionResponse,
    SetResultRequest => SetResultResponse,
    EnterMoveRequest => EnterMoveResponse,
    RestorePositionRequest => RestorePositionResponse,
    PenaliseRequest => PenaliseResponse,
    ObserveRequest => ObserveResponse,
    ReopenGameRequest => ReopenGameResponse,
    SetPresenceRequest => SetPresenceResponse,
    SetPeriodsRequest => SetPeriodsResponse,
    MendMoveRequest => MendMoveResponse,
    EnterClaimedMovesRequest => EnterClaimedMovesResponse,
    MaskSquaresRequest => MaskSquaresResponse,
    UseBoardRequest => UseBoardResponse,
    LodgeAppealRequest => LodgeAppealResponse,
    AddAppealStatementRequest => AddAppealStatementResponse,
    CloseAppealRequest => CloseAppealResponse,
    AddNoteRequest => AddNoteResponse,
}

impl Arbiters {
    /// Does what is asked for, where the caller may.
    pub(super) async fn acts<R: AtATable>(
        &self,
        request: &Request<R>,
        act: impl FnOnce(&R) -> Result<Act, CallError>,
    ) -> Answered<R::Response> {
        let (caller, asked) = (caller(request)?, request.get_ref());
        let (id, table) = self.at(&caller, asked.request_id(), asked.table())?;
        let act = act(asked).map_err(|error| errors::status(&error, Some(table)))?;
        let answer = ask(&self.hall, &caller, id, Command::Act { table, act }, Some(table)).await?;
        Ok(Response::new(receipt(&answer).into()))
    }
}

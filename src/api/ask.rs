//! Asking the hall, for whoever calls.

use std::time::Duration;

use tonic::Status;

use super::auth::Caller;
use super::errors;
use crate::hall::{Answer, Call, CallError, CallReason, Command, HallHandle, RequestId, TableNo};

/// A hall that has not answered by then has trouble with its disk.
const PATIENCE: Duration = Duration::from_secs(10);

/// Asks, and says a refusal as a status.
pub async fn ask(
    hall: &HallHandle,
    caller: &Caller,
    request: RequestId,
    command: Command,
    table: Option<TableNo>,
) -> Result<Answer, Status> {
    answer(hall, caller, request, command)
        .await
        .map_err(|error| errors::status(&error, table))
}

/// Asks.
pub async fn answer(
    hall: &HallHandle,
    caller: &Caller,
    request: RequestId,
    command: Command,
) -> Result<Answer, CallError> {
    let call = Call {
        request,
        author: caller.author(),
        command,
        until: caller.until(),
    };
    tokio::time::timeout(PATIENCE, hall.call(call))
        .await
        .unwrap_or_else(|_| {
            let message = format!(
                "the hall has not answered within {} s, and may still do it: call again with the same request id",
                PATIENCE.as_secs()
            );
            Err(CallError::new(CallReason::Busy, message))
        })
}

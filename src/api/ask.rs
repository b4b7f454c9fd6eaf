//! Asking the hall, for whoever calls.

use std::time::Duration;

use tonic::Status;

use super::auth::Caller;
use super::errors;
use crate::hall::{Answer, Call, CallError, CallReason, Command, HallHandle, RequestId, TableNo};

/// A hall that has not answered by then has trouble with its disk.
const PATIENCE: Duration = Duration::from_secs(5);

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
    // While the journal waits for room nothing new is begun: it would be done when somebody has made some, and nobody expects it then.
    if let Some(why) = hall.held_up() {
        return Err(not_durable(Some(&why)));
    }
    let call = Call {
        request,
        author: caller.author(),
        command,
        until: caller.until(),
    };
    tokio::time::timeout(PATIENCE, hall.call(call))
        .await
        .unwrap_or_else(|_| Err(not_durable(hall.held_up().as_deref())))
}

/// It is not known whether it will have been done: the same request again is told so, and is never done twice.
fn not_durable(held_up: Option<&str>) -> CallError {
    let again = "this is not known to be done: ask again with the same request id, which does nothing twice";
    match held_up {
        Some(why) => CallError::new(
            CallReason::JournalDown,
            format!("the journal cannot be written: {why}; {again}"),
        ),
        None => CallError::new(
            CallReason::Busy,
            format!(
                "the journal has not taken this within {} s; {again}",
                PATIENCE.as_secs()
            ),
        ),
    }
}

//! Refusals as gRPC says them: a status with google.rpc details. Reasons are those of `error_reason.proto`.

use std::collections::HashMap;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt as _};

use super::proto::arbiter::v1::ErrorReason;
use crate::hall::{CallError, CallReason, TableNo};

/// Whose reasons these are.
pub const DOMAIN: &str = "flagfall";
/// When to call again where there is too much to do.
const RETRY: Duration = Duration::from_secs(1);

/// A refusal of the hall, of a call about this table.
pub fn status(error: &CallError, table: Option<TableNo>) -> Status {
    let reason = error.reason.name();
    let mut metadata = HashMap::new();
    if let Some(table) = table {
        metadata.insert("table".to_owned(), table.to_string());
    }
    if let Some(field) = &error.field {
        metadata.insert("field".to_owned(), field.clone());
    }
    if let Some(revision) = error.current_revision {
        metadata.insert("current_revision".to_owned(), revision.to_string());
    }
    let mut details = ErrorDetails::with_error_info(reason, DOMAIN, metadata);
    if let Some(field) = &error.field {
        details.add_bad_request_violation(field.as_str(), error.message.as_str());
    }
    let code = code(error.reason);
    if matches!(code, Code::Aborted | Code::FailedPrecondition) {
        let subject = table.map(|table| format!("tables/{table}")).unwrap_or_default();
        details.add_precondition_failure_violation(reason, subject, error.message.as_str());
    }
    if error.reason == CallReason::Busy {
        details.set_retry_info(Some(RETRY));
    }
    Status::with_error_details(code, error.message.as_str(), details)
}

/// Every reason's code. No catch-all: a new reason forces a decision.
fn code(reason: CallReason) -> Code {
    match reason {
        CallReason::BadField => Code::InvalidArgument,
        CallReason::NoSuchTable | CallReason::NoGame | CallReason::NotFound => Code::NotFound,
        CallReason::AlreadyExists | CallReason::RequestReused => Code::AlreadyExists,
        CallReason::StaleRevision => Code::Aborted,
        CallReason::GameOver | CallReason::NotStarted | CallReason::WrongState | CallReason::Parked => {
            Code::FailedPrecondition
        }
        CallReason::NotAllowed => Code::PermissionDenied,
        CallReason::TooLate => Code::DeadlineExceeded,
        CallReason::JournalDown | CallReason::Busy | CallReason::Stopping => Code::Unavailable,
    }
}

/// The same, for one of many tables.
pub fn reason(reason: CallReason) -> ErrorReason {
    match reason {
        CallReason::StaleRevision => ErrorReason::StaleRevision,
        CallReason::NoSuchTable => ErrorReason::NoSuchTable,
        CallReason::NoGame => ErrorReason::NoGame,
        CallReason::NotFound => ErrorReason::NotFound,
        CallReason::AlreadyExists => ErrorReason::AlreadyExists,
        CallReason::GameOver => ErrorReason::GameOver,
        CallReason::NotStarted => ErrorReason::NotStarted,
        CallReason::WrongState => ErrorReason::WrongState,
        CallReason::BadField => ErrorReason::BadField,
        CallReason::Parked => ErrorReason::Parked,
        CallReason::JournalDown => ErrorReason::JournalDown,
        CallReason::RequestReused => ErrorReason::RequestReused,
        CallReason::NotAllowed => ErrorReason::NotAllowed,
        CallReason::Busy => ErrorReason::Busy,
        CallReason::Stopping => ErrorReason::Stopping,
        CallReason::TooLate => ErrorReason::TooLate,
    }
}

/// Several fields are wrong at once: each with its path and what is wrong.
pub fn bad_fields(summary: &str, fields: Vec<(String, String)>) -> Status {
    let mut details = ErrorDetails::with_error_info(CallReason::BadField.name(), DOMAIN, HashMap::new());
    let violations: Vec<_> = fields
        .into_iter()
        .map(|(field, description)| FieldViolation::new(field, description))
        .collect();
    details.set_bad_request(violations);
    Status::with_error_details(Code::InvalidArgument, summary, details)
}

/// No token, or not one that counts.
pub fn no_token(message: &str) -> Status {
    let details = ErrorDetails::with_error_info("NO_TOKEN", DOMAIN, HashMap::new());
    Status::with_error_details(Code::Unauthenticated, message, details)
}

/// A token that was refused again and again.
pub fn shut_out() -> Status {
    let details = ErrorDetails::with_error_info("NO_TOKEN", DOMAIN, HashMap::new());
    let message = "this token was refused too often: ask the chief arbiter for another; this one is not looked at before a minute of quiet";
    Status::with_error_details(Code::Unauthenticated, message, details)
}

/// Somebody may not do this.
pub fn not_allowed(message: impl Into<String>) -> Status {
    status(&CallError::new(CallReason::NotAllowed, message), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REASONS: [CallReason; 16] = [
        CallReason::StaleRevision,
        CallReason::NoSuchTable,
        CallReason::NoGame,
        CallReason::NotFound,
        CallReason::AlreadyExists,
        CallReason::GameOver,
        CallReason::NotStarted,
        CallReason::WrongState,
        CallReason::BadField,
        CallReason::Parked,
        CallReason::JournalDown,
        CallReason::RequestReused,
        CallReason::NotAllowed,
        CallReason::Busy,
        CallReason::Stopping,
        CallReason::TooLate,
    ];

    #[test]
    fn every_reason_is_told_by_the_name_that_the_proto_documents() {
        for said in REASONS {
            let status = status(&CallError::new(said, "what happened"), Some(TableNo(12)));
            let info = status.get_details_error_info().expect("has its reason");
            assert_eq!(info.domain, DOMAIN);
            assert_eq!(info.metadata.get("table").map(String::as_str), Some("12"));
            assert_eq!(format!("ERROR_REASON_{}", info.reason), reason(said).as_str_name());
            assert!(!matches!(status.code(), Code::Ok | Code::Unknown | Code::Internal));
        }
    }

    #[test]
    fn a_stale_revision_says_what_is_current() {
        let mut error = CallError::new(CallReason::StaleRevision, "table 12: Black was given +2:00 meanwhile");
        error.current_revision = Some(8);
        let status = status(&error, Some(TableNo(12)));
        assert_eq!(status.code(), Code::Aborted);
        let info = status.get_details_error_info().expect("info");
        assert_eq!(info.metadata.get("current_revision").map(String::as_str), Some("8"));
        let failure = status.get_details_precondition_failure().expect("precondition");
        assert_eq!(failure.violations[0].subject, "tables/12");
        assert_eq!(failure.violations[0].r#type, "STALE_REVISION");
    }

    #[test]
    fn a_bad_field_is_named() {
        let status = status(&CallError::field("black.set_ms", "out of range"), None);
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(
            status.get_details_bad_request().expect("bad request").field_violations[0].field,
            "black.set_ms"
        );
    }

    #[test]
    fn busy_says_when_to_call_again() {
        let status = status(&CallError::new(CallReason::Busy, "too much waits"), None);
        assert_eq!(
            status.get_details_retry_info().and_then(|info| info.retry_delay),
            Some(RETRY)
        );
    }
}

//! A refusal as people read it: what happened, and what to do.

use anyhow::anyhow;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// The error of a refused call; `id` is the id of one that changes something.
pub fn told(status: &Status, id: Option<&str>) -> anyhow::Error {
    let mut text = shown(status.message());
    let details = status.get_error_details();
    let fields = details
        .bad_request()
        .map(|bad| bad.field_violations.as_slice())
        .unwrap_or_default();
    // One field's message is the status' own.
    if fields.len() > 1 {
        for violation in fields {
            // A file's line and column are in the description already.
            let field =
                Some(shown(&violation.field)).filter(|field| !field.starts_with("csv:") && !field.starts_with("file:"));
            let field = field.map_or_else(String::new, |field| format!("{field}: "));
            text.push_str(&format!("\n  {field}{}", shown(&violation.description)));
        }
    }
    if let Some(revision) = details
        .error_info()
        .and_then(|info| info.metadata.get("current_revision"))
        // A game's own words have it already.
        .filter(|revision| !text.contains(&format!("it is at {}", shown(revision))))
    {
        text.push_str(&format!(" (the revision is {} now)", shown(revision)));
    }
    let in_doubt = matches!(
        status.code(),
        Code::Unavailable | Code::DeadlineExceeded | Code::Unknown | Code::Cancelled
    );
    if let (true, Some(id)) = (in_doubt, id) {
        text.push_str(&format!(
            "\n  It may have been done all the same: repeat the command with --request-id {id}"
        ));
    }
    if text.is_empty() {
        text = format!("the hub refused: {:?}", status.code());
    }
    anyhow!(text)
}

/// What a hub says is no reason to let it steer the terminal.
pub fn shown(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            if c.is_control() && c != '\n' {
                c.escape_default().collect()
            } else {
                vec![c]
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use tonic_types::{ErrorDetails, FieldViolation};

    use super::*;

    #[test]
    fn every_wrong_field_is_told_when_there_are_several() {
        let mut details = ErrorDetails::new();
        details.set_bad_request(vec![
            FieldViolation::new("csv:2:4", "line 2: no number"),
            FieldViolation::new("white.name", "missing"),
        ]);
        let status = Status::with_error_details(Code::InvalidArgument, "not taken", details);
        assert_eq!(
            told(&status, Some("x")).to_string(),
            "not taken\n  line 2: no number\n  white.name: missing"
        );
    }

    #[test]
    fn a_call_in_doubt_says_how_to_repeat_it() {
        let status = Status::unavailable("the hub is stopping");
        assert!(told(&status, Some("abc")).to_string().contains("--request-id abc"));
        assert!(!told(&status, None).to_string().contains("--request-id"));
        assert!(
            !told(&Status::aborted("stale"), Some("abc"))
                .to_string()
                .contains("--request-id")
        );
    }

    #[test]
    fn a_hub_does_not_steer_the_terminal() {
        assert_eq!(shown("\u{1b}[2Jhello\nthere"), "\\u{1b}[2Jhello\nthere");
    }
}

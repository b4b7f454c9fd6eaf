//! What given texts, names, numbers and positions must be like.

use super::*;

pub(super) fn in_range(path: &str, number: u32) -> Result<(), CallError> {
    if (1..=MOST).contains(&number) {
        return Ok(());
    }
    Err(CallError::field(path, format!("{number} is out of range: 1 to {MOST}")))
}

/// Names come from strangers' files: no control characters, and no end of them.
pub(super) fn text(path: &str, given: &str, needed: bool) -> Result<(), CallError> {
    if needed && given.trim().is_empty() {
        return Err(CallError::field(path, "it must not be empty"));
    }
    if given.chars().count() > LONGEST {
        return Err(CallError::field(
            path,
            format!("it is longer than {LONGEST} characters"),
        ));
    }
    if given.chars().any(char::is_control) {
        return Err(CallError::field(path, "it has control characters in it"));
    }
    Ok(())
}

pub(super) fn check_player(path: &str, player: &Player) -> Result<(), CallError> {
    text(&format!("{path}.name"), &player.name, true)?;
    text(&format!("{path}.title"), &player.title, false)?;
    text(&format!("{path}.federation"), &player.federation, false)?;
    text(&format!("{path}.team"), &player.team, false)
}

/// What makes two entries the same player: FIDE's number, or the name where there is none.
pub(super) fn identity(player: &Player) -> String {
    match player.fide_id {
        Some(id) => format!("#{id}"),
        None => player.name.trim().to_lowercase(),
    }
}

pub(super) fn control(path: &str, written: &str) -> Result<TimeControl, CallError> {
    written
        .parse()
        .map_err(|why: crate::laws::time_control::NoTimeControl| CallError::field(path, why.to_string()))
}

pub(super) fn check_fen(path: &str, fen: &str) -> Result<(), CallError> {
    let placement = fen.split(' ').next().unwrap_or_default();
    match placement.parse::<crate::chess::Placement>() {
        Ok(_) => Ok(()),
        Err(why) => Err(CallError::field(path, why.to_string())),
    }
}

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

/// A delay is at most a day: what is held back longer is not broadcast.
const LONGEST_DELAY: Millis = Millis::mins(24 * 60);

pub(super) fn check_release(release: &Release) -> Result<(), CallError> {
    let check = |path: String, delay: Millis| {
        if (Millis::ZERO..=LONGEST_DELAY).contains(&delay) {
            return Ok(());
        }
        Err(CallError::field(
            path,
            format!("{} ms is no delay: 0 to 24 hours", delay.0),
        ))
    };
    check("release.delay_ms".into(), release.delay_ms)?;
    for (board, delay) in &release.boards {
        in_range(&format!("release.boards[{board}].board"), *board)?;
        check(format!("release.boards[{board}].delay_ms"), *delay)?;
    }
    Ok(())
}

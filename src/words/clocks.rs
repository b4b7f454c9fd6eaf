//! Spans of time in words.

use super::lexicon::Lexicon;
use crate::time::Millis;

/// `2 minutes`, `1 hour 30 minutes`, `2.5 seconds`; in this form, where the language has one.
pub(super) fn span(lexicon: &Lexicon, span: Millis, form: &str) -> String {
    let ms = span.0.unsigned_abs();
    let (hours, minutes, seconds, rest) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000);
    let counted = |count: u64, unit: &str| {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        lexicon.words().count("n", count).form(unit, form)
    };
    // Time controls and penalties are said in minutes up to two hours: 90 minutes.
    let (hours, minutes) = if hours < 2 {
        (0, minutes + 60 * hours)
    } else {
        (hours, minutes)
    };
    let mut parts = Vec::new();
    if hours > 0 {
        parts.push(counted(hours, "hours"));
    }
    if minutes > 0 {
        parts.push(counted(minutes, "minutes"));
    }
    if rest > 0 {
        let fraction = format!("{seconds}.{}", format!("{rest:03}").trim_end_matches('0'));
        let fraction = fraction.replace('.', &lexicon.say("decimal-point"));
        parts.push(lexicon.words().text("n", fraction).form("seconds-and-parts", form));
    } else if seconds > 0 || parts.is_empty() {
        parts.push(counted(seconds, "seconds"));
    }
    parts.join(" ")
}

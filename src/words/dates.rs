//! Days, as each language writes them.

use jiff::civil::Date;

use super::lexicon::Lexicon;

/// `1 August 2026` for `2026-08-01`; `None` for what is no day.
pub(super) fn day(lexicon: &Lexicon, text: &str) -> Option<String> {
    let date: Date = text.trim().parse().ok()?;
    let words = lexicon
        .words()
        .text("day", date.day().to_string())
        .text("month", lexicon.form(&format!("month-{}", date.month()), "", None))
        .text("year", date.year().to_string());
    Some(words.part("date"))
}

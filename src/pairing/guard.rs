//! Fields of a CSV file that a spreadsheet would carry out as a formula.
//!
//! Such a field is written with an apostrophe before it, which spreadsheets take for "this is text"; so is one that begins with an
//! apostrophe already, and nothing else. Reading takes that one apostrophe away again, so that every text comes back as it was.

use std::borrow::Cow;

fn is_risky(first: char) -> bool {
    matches!(first, '=' | '+' | '-' | '@' | '\t' | '\r' | '\'')
}

/// As it is written.
pub fn guarded(field: &str) -> Cow<'_, str> {
    if field.starts_with(is_risky) {
        Cow::Owned(format!("'{field}"))
    } else {
        Cow::Borrowed(field)
    }
}

/// As it was meant.
pub fn meant(field: &str) -> &str {
    match field.strip_prefix('\'') {
        Some(rest) if rest.starts_with(is_risky) => rest,
        _ => field,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_formula_is_text_and_an_apostrophe_of_ones_own_stays() {
        assert_eq!(guarded("=HYPERLINK(\"x\")"), "'=HYPERLINK(\"x\")");
        assert_eq!(guarded("O'Neill"), "O'Neill");
        assert_eq!(meant("'t Hart, Jan"), "'t Hart, Jan");
        assert_eq!(meant(&guarded("'t Hart, Jan")), "'t Hart, Jan");
        assert_eq!(meant("'=1"), "=1");
    }

    proptest! {
        #[test]
        fn every_text_comes_back_and_none_begins_a_formula(text in "[=+@\\-'\t\ra ]{0,5}") {
            let written = guarded(&text);
            prop_assert_eq!(meant(&written), text.as_str());
            prop_assert!(!written.starts_with(['=', '+', '-', '@', '\t', '\r']));
        }
    }
}

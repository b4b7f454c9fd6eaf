//! Spans of time as people write them: `1h30m`, `12.5s`, `250ms`, or as a clock shows them: `1:30:20`, `5:00`.

use crate::time::Millis;

/// A span that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no span of time: {why}")]
pub struct NoSpan {
    /// What was written.
    pub text: String,
    /// What is wrong with it.
    pub why: &'static str,
}

/// The longest span taken: far beyond any time control, far below what could overflow.
const LONGEST: i64 = 1000 * 3_600_000;

/// Reads a span or a clock time.
pub fn parse(text: &str) -> Result<Millis, NoSpan> {
    let no = |why| NoSpan {
        text: text.to_owned(),
        why,
    };
    if text.is_empty() {
        return Err(no("it is empty"));
    }
    if text == "0" {
        return Ok(Millis::ZERO);
    }
    let ms = if text.contains(':') {
        as_shown(text)
    } else {
        in_units(text)
    }
    .map_err(no)?;
    if ms > LONGEST {
        return Err(no("it is longer than a thousand hours"));
    }
    Ok(Millis(ms))
}

/// `1:30:20`, `5:00`, `0:00:04.2`.
fn as_shown(text: &str) -> Result<i64, &'static str> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, thousandths(fraction)?),
        None => (text, 0),
    };
    let parts: Vec<&str> = whole.split(':').collect();
    let number = |part: &str| -> Result<i64, &'static str> {
        if part.is_empty() || part.len() > 4 || !part.bytes().all(|b| b.is_ascii_digit()) {
            return Err("hours, minutes and seconds are numbers");
        }
        part.parse().map_err(|_| "hours, minutes and seconds are numbers")
    };
    let (hours, minutes, seconds) = match parts.as_slice() {
        [m, s] => (0, number(m)?, number(s)?),
        [h, m, s] => (number(h)?, number(m)?, number(s)?),
        _ => return Err("a clock shows h:mm:ss or m:ss"),
    };
    if seconds > 59 || (parts.len() == 3 && minutes > 59) {
        return Err("minutes and seconds go to 59");
    }
    Ok(hours * 3_600_000 + minutes * 60_000 + seconds * 1000 + fraction)
}

/// `1h30m`, `90m`, `12.5s`, `250ms`; each unit once, from the greatest down.
fn in_units(text: &str) -> Result<i64, &'static str> {
    const UNITS: [(&str, i64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];
    let mut rest = text;
    let mut from = 0;
    let mut sum: i64 = 0;
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .ok_or("a number needs its unit: h, m, s or ms")?;
        let (number, after) = rest.split_at(digits);
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        let place = UNITS
            .iter()
            .position(|(name, _)| *name == unit)
            .ok_or("the units are h, m, s and ms")?;
        if place < from {
            return Err("the units come once each, from the greatest down");
        }
        from = place + 1;
        let each = UNITS[place].1;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() || whole.len() > 9 {
            return Err("a number stands before each unit");
        }
        sum += whole
            .parse::<i64>()
            .map_err(|_| "a number stands before each unit")?
            .saturating_mul(each);
        if number.contains('.') {
            let part = thousandths(fraction)? * each;
            if part % 1000 != 0 {
                return Err("nothing is measured finer than a millisecond");
            }
            sum += part / 1000;
        }
        rest = after;
    }
    Ok(sum)
}

fn thousandths(fraction: &str) -> Result<i64, &'static str> {
    if fraction.is_empty() || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return Err("after the point come digits");
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 3 {
        return Err("nothing is measured finer than a millisecond");
    }
    format!("{fraction:0<3}")
        .parse()
        .map_err(|_| "after the point come digits")
}

/// Written shortest: `1h30m`, `12.5s`, `250ms`, `0`.
pub fn print(span: Millis) -> String {
    let ms = span.0.unsigned_abs();
    if ms == 0 {
        return "0".to_owned();
    }
    let mut text = if span.0 < 0 { "-".to_owned() } else { String::new() };
    let whole_minutes = ms.is_multiple_of(60_000);
    let (h, m) = (ms / 3_600_000, ms / 60_000 % 60);
    if whole_minutes && (h == 0 || m != 0) && h < 2 {
        // Time controls say 90m, not 1h30m.
        return text + &format!("{}m", ms / 60_000);
    }
    for (count, unit) in [(h, "h"), (m, "m")] {
        if count > 0 {
            text += &format!("{count}{unit}");
        }
    }
    let (s, rest) = (ms / 1000 % 60, ms % 1000);
    match (s, rest) {
        (0, 0) => {}
        (0, rest) => text += &format!("{rest}ms"),
        (s, 0) => text += &format!("{s}s"),
        (s, rest) => text += &format!("{s}.{}s", format!("{rest:03}").trim_end_matches('0')),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_as_people_write_them() {
        for (text, ms) in [
            ("0", 0),
            ("90m", 5_400_000),
            ("1h30m", 5_400_000),
            ("12.5s", 12_500),
            ("250ms", 250),
            ("1:30:20", 5_420_000),
            ("5:00", 300_000),
            ("0:00:04.2", 4_200),
            ("1:40.5", 100_500),
            ("13.25s", 13_250),
            ("30m1s", 1_801_000),
            ("120:00", 7_200_000),
        ] {
            assert_eq!(parse(text), Ok(Millis(ms)), "{text}");
        }
        for text in [
            "",
            "5",
            "5x",
            "1m1h",
            "1:2:3:4",
            "1:60:00",
            "1:00.1234",
            "s",
            "-3s",
            "1.00005s",
            "0:99",
            "99999999999h",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_printed_is_read_again() {
        for ms in [
            0, 1, 999, 1000, 1001, 61_000, 3_600_000, 5_400_000, 5_420_500, 7_200_000, 9_000_000,
        ] {
            assert_eq!(parse(&print(Millis(ms))), Ok(Millis(ms)), "{}", print(Millis(ms)));
        }
        assert_eq!(print(Millis::mins(90)), "90m");
        assert_eq!(print(Millis::mins(120)), "2h");
        assert_eq!(print(Millis::secs(30)), "30s");
    }
}

//! TRF26's coded time control (record 222): `40/6000+30:900+30`, in seconds.

use crate::laws::TimeControl;

/// What 222 says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coded {
    /// The same time for both.
    Same(TimeControl),
    /// White's and Black's differ: `W300-B240`.
    Unequal {
        /// White's.
        white: TimeControl,
        /// Black's.
        black: TimeControl,
    },
}

/// Reads it.
///
/// # Errors
/// What it should look like.
pub fn decode(text: &str) -> Result<Coded, String> {
    let text = text.trim();
    let unequal = text.strip_prefix('W').and_then(|rest| rest.split_once("-B"));
    match unequal {
        Some((white, black)) => {
            let (white, black) = (periods(white)?, periods(black)?);
            Ok(if white == black {
                Coded::Same(white)
            } else {
                Coded::Unequal { white, black }
            })
        }
        None => periods(text).map(Coded::Same),
    }
}

fn periods(text: &str) -> Result<TimeControl, String> {
    let mut written = Vec::new();
    for period in text.split(':') {
        let (moves, rest) = match period.split_once('/') {
            Some((moves, rest)) => (format!("{}/", number(moves)?), rest),
            None => (String::new(), period),
        };
        let (time, bonus) = match rest.split_once('+') {
            Some((time, bonus)) => (number(time)?, number(bonus)?),
            None => (number(rest)?, 0),
        };
        let bonus = if bonus > 0 { format!("+{bonus}s") } else { String::new() };
        written.push(format!("{moves}{time}s{bonus}"));
    }
    written
        .join(",")
        .parse()
        .map_err(|error: crate::laws::time_control::NoTimeControl| error.why)
}

fn number(text: &str) -> Result<u32, String> {
    let text = text.trim();
    let number = text
        .parse()
        .ok()
        .filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    number.ok_or_else(|| {
        format!(
            "`{}` is no number of seconds or moves; it is written as 40/6000+30:900+30",
            super::remark::shown(text)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_of_trf26_are_read() {
        let same = |text: &str| match decode(text) {
            Ok(Coded::Same(control)) => control.to_string(),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(same("40/6000+30:900+30"), "40/100m+30s,15m+30s");
        assert_eq!(same("5400+30"), "90m+30s");
        assert_eq!(same("300"), "5m");
        assert_eq!(same("W300-B300"), "5m");
        let Ok(Coded::Unequal { white, black }) = decode("W300-B240") else {
            panic!("Armageddon is unequal");
        };
        assert_eq!((white.to_string().as_str(), black.to_string().as_str()), ("5m", "4m"));
        for wrong in ["", "90'+30\"", "40/6000", "6000:900", "x/300", "-5"] {
            assert!(decode(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_coded_is_read_again() {
        for code in ["40/6000+30:900+30", "5400+30", "300", "40/7200:20/3600:900+30"] {
            let Ok(Coded::Same(control)) = decode(code) else {
                panic!("{code}")
            };
            assert_eq!(control.coded(), code);
        }
    }
}

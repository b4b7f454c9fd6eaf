//! Words of the command line that become fields of messages.

use std::str::FromStr;

use clap::ValueEnum;

use crate::api::proto::arbiter::v1 as arbiter;
use crate::api::proto::feed::v1 as feed;
use crate::laws::span;

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Colour {
    White,
    Black,
}

impl From<Colour> for feed::Color {
    fn from(colour: Colour) -> feed::Color {
        match colour {
            Colour::White => feed::Color::White,
            Colour::Black => feed::Color::Black,
        }
    }
}

/// A table's number.
pub fn table(text: &str) -> Result<u32, String> {
    match text.trim().parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("a table is named by its number in the hall, as in `12`".to_owned()),
    }
}

/// Tables from one to another, as in `1-30`; `12` is that one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tables {
    first: u32,
    last: u32,
}

/// More than stand in any hall: `1-9999999` is a slip.
const MOST_TABLES: u32 = 10_000;

impl FromStr for Tables {
    type Err = String;

    fn from_str(text: &str) -> Result<Tables, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (table(first)?, table(last)?);
        match last.checked_sub(first) {
            Some(more) if more < MOST_TABLES => Ok(Tables { first, last }),
            Some(_) => Err(format!("more than {MOST_TABLES} tables at once")),
            None => Err(format!("the lower number comes first: {last}-{first}")),
        }
    }
}

impl Tables {
    /// Each of them.
    pub fn each(self) -> impl Iterator<Item = u32> {
        self.first..=self.last
    }
}

/// A piece a pawn can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Promotion {
    Queen,
    Rook,
    Bishop,
    Knight,
}

impl From<Promotion> for arbiter::PromotionPiece {
    fn from(piece: Promotion) -> arbiter::PromotionPiece {
        match piece {
            Promotion::Queen => arbiter::PromotionPiece::Queen,
            Promotion::Rook => arbiter::PromotionPiece::Rook,
            Promotion::Bishop => arbiter::PromotionPiece::Bishop,
            Promotion::Knight => arbiter::PromotionPiece::Knight,
        }
    }
}

/// What an arbiter has seen himself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "named as the Laws name them")]
pub enum Seen {
    Flag,
    IllegalMove,
    TwoHands,
    IllegalPosition,
    ColoursReversed,
    WrongSetup,
    WrongClock,
    Device,
}

impl From<Seen> for arbiter::Observation {
    fn from(seen: Seen) -> arbiter::Observation {
        match seen {
            Seen::Flag => arbiter::Observation::Flag,
            Seen::IllegalMove => arbiter::Observation::IllegalMove,
            Seen::TwoHands => arbiter::Observation::TwoHands,
            Seen::IllegalPosition => arbiter::Observation::IllegalPosition,
            Seen::ColoursReversed => arbiter::Observation::ColoursReversed,
            Seen::WrongSetup => arbiter::Observation::WrongSetup,
            Seen::WrongClock => arbiter::Observation::WrongClock,
            Seen::Device => arbiter::Observation::Device,
        }
    }
}

/// What a player said or did away from the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Said {
    Resigned,
    DrawAgreed,
    DrawOffered,
    DrawAccepted,
    DrawDeclined,
    Arrived,
    ClaimsThreefold,
    ClaimsFiftyMoves,
    ClaimsFlag,
    ClaimsIllegalMove,
    ClaimsQuickplay,
    CorrectionAgreed,
}

impl From<Said> for arbiter::FactKind {
    fn from(said: Said) -> arbiter::FactKind {
        match said {
            Said::Resigned => arbiter::FactKind::Resigned,
            Said::DrawAgreed => arbiter::FactKind::DrawAgreed,
            Said::DrawOffered => arbiter::FactKind::DrawOffered,
            Said::DrawAccepted => arbiter::FactKind::DrawAccepted,
            Said::DrawDeclined => arbiter::FactKind::DrawDeclined,
            Said::Arrived => arbiter::FactKind::Arrived,
            Said::ClaimsThreefold => arbiter::FactKind::ClaimedThreefold,
            Said::ClaimsFiftyMoves => arbiter::FactKind::ClaimedFiftyMoves,
            Said::ClaimsFlag => arbiter::FactKind::ClaimedFlag,
            Said::ClaimsIllegalMove => arbiter::FactKind::ClaimedIllegalMove,
            Said::ClaimsQuickplay => arbiter::FactKind::ClaimedQuickplay,
            Said::CorrectionAgreed => arbiter::FactKind::CorrectionAgreed,
        }
    }
}

/// A clock's new time, or a change of it: `5:00`, `+2:00`, `-30s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// Set to so many milliseconds.
    To(i64),
    /// So many milliseconds more, or less.
    By(i64),
}

impl FromStr for Time {
    type Err = span::NoSpan;

    fn from_str(text: &str) -> Result<Time, span::NoSpan> {
        Ok(match (text.strip_prefix('+'), text.strip_prefix(['-', '\u{2212}'])) {
            (Some(more), _) => Time::By(span::parse(more)?.0),
            (_, Some(less)) => Time::By(-span::parse(less)?.0),
            (None, None) => Time::To(span::parse(text)?.0),
        })
    }
}

impl From<Time> for arbiter::TimeChange {
    fn from(time: Time) -> arbiter::TimeChange {
        use arbiter::time_change::Change;
        let change = match time {
            Time::To(ms) => Change::SetMs(ms),
            Time::By(ms) => Change::AddMs(ms),
        };
        arbiter::TimeChange { change: Some(change) }
    }
}

/// A penalty of 12.9: `warning`, `loss`, `+2:00` for the opponent, `-30s` for the offender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// 12.9.1.
    Warning,
    /// 12.9.2, in milliseconds.
    ForOpponent(i64),
    /// 12.9.3, in milliseconds.
    OffOffender(i64),
    /// 12.9.6.
    Loss,
}

impl FromStr for Penalty {
    type Err = String;

    fn from_str(text: &str) -> Result<Penalty, String> {
        match text {
            "warning" => return Ok(Penalty::Warning),
            "loss" => return Ok(Penalty::Loss),
            _ => {}
        }
        match text
            .parse::<Time>()
            .map_err(|error| format!("{error}; or `warning`, or `loss`"))?
        {
            Time::By(ms) if ms > 0 => Ok(Penalty::ForOpponent(ms)),
            Time::By(ms) if ms < 0 => Ok(Penalty::OffOffender(-ms)),
            _ => Err("say `+2:00` for the opponent, `-2:00` off the offender's, `warning` or `loss`".to_owned()),
        }
    }
}

impl From<Penalty> for arbiter::Penalty {
    fn from(penalty: Penalty) -> arbiter::Penalty {
        use arbiter::penalty::Kind;
        let kind = match penalty {
            Penalty::Warning => Kind::Warning(arbiter::Warning {}),
            Penalty::ForOpponent(ms) => Kind::AddTimeMs(ms),
            Penalty::OffOffender(ms) => Kind::TakeTimeMs(ms),
            Penalty::Loss => Kind::Loss(arbiter::Loss {}),
        };
        arbiter::Penalty { kind: Some(kind) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_makes_a_change_of_a_time() {
        assert_eq!("5:00".parse(), Ok(Time::To(300_000)));
        assert_eq!("+2:00".parse(), Ok(Time::By(120_000)));
        assert_eq!("-30s".parse(), Ok(Time::By(-30_000)));
        assert_eq!("\u{2212}0:30".parse(), Ok(Time::By(-30_000)), "a typographer's minus");
        assert!("soon".parse::<Time>().is_err());
    }

    #[test]
    fn tables_are_named_one_by_one_or_from_one_to_another() {
        let each = |text: &str| text.parse::<Tables>().map(|tables| tables.each().collect::<Vec<_>>());
        assert_eq!(each("12"), Ok(vec![12]));
        assert_eq!(each("3-5"), Ok(vec![3, 4, 5]));
        for wrong in ["", "0", "5-3", "1-", "a-b", "1-4000000000"] {
            assert!(each(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn penalties_are_read_as_arbiters_say_them() {
        assert_eq!("warning".parse(), Ok(Penalty::Warning));
        assert_eq!("loss".parse(), Ok(Penalty::Loss));
        assert_eq!("+2:00".parse(), Ok(Penalty::ForOpponent(120_000)));
        assert_eq!("-1:00".parse(), Ok(Penalty::OffOffender(60_000)));
        assert!("2:00".parse::<Penalty>().is_err());
    }
}

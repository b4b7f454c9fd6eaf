//! Where the Laws leave a point open, or experienced arbiters read them differently: each is a named setting of an event, with a
//! default and the reason for it. An event's regulations may choose otherwise; the announcement and the arbiters' handbook print them.

use serde::{Deserialize, Serialize};

use super::Category;
use crate::time::Millis;

/// One point, for people who choose and for what prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPoint {
    /// The name of the setting: `void_claim`.
    pub name: &'static str,
    /// The articles between which it lies.
    pub articles: &'static [&'static str],
    /// What is to be decided.
    pub question: &'static str,
    /// What can be chosen, and what that means; the default first.
    pub values: &'static [(&'static str, &'static str)],
    /// Why the default is the default.
    pub reason: &'static str,
}

impl OpenPoint {
    /// What is so if an event says nothing.
    pub fn default_value(&self) -> &'static str {
        self.values[0].0
    }

    /// What a value means.
    pub fn meaning(&self, value: &str) -> Option<&'static str> {
        self.values
            .iter()
            .find(|(name, _)| *name == value)
            .map(|(_, meaning)| *meaning)
    }
}

/// A setting that there is not, or a value that it does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoOpenPoint {
    /// No such name.
    #[error("there is no open point {name:?}; there are {}", known())]
    Name {
        /// What was written.
        name: String,
    },
    /// No such value.
    #[error("{name} is not {value:?}; it is one of {}", values(name))]
    Value {
        /// The setting.
        name: &'static str,
        /// What was written.
        value: String,
    },
}

fn known() -> String {
    OpenPoints::ALL.map(|point| point.name).join(", ")
}

fn values(name: &str) -> String {
    let point = OpenPoints::ALL.iter().find(|point| point.name == name);
    let values: Vec<&str> = point
        .iter()
        .flat_map(|point| point.values)
        .map(|(value, _)| *value)
        .collect();
    values.join(", ")
}

/// The settings, each an enumeration whose first value is the default. What is written for arbiters about them is their documentation.
macro_rules! open_points {
    ($(
        $field:ident: $kind:ident [$($article:literal),+] $question:literal
        { $first:ident = $first_text:literal: $first_doc:literal, $($other:ident = $other_text:literal: $other_doc:literal),+ $(,)? }
        $reason:literal;
    )+) => {
        $(
            #[doc = $question]
            ///
            #[doc = $reason]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
            pub enum $kind {
                #[doc = $first_doc]
                #[default]
                #[serde(rename = $first_text)]
                $first,
                $(
                    #[doc = $other_doc]
                    #[serde(rename = $other_text)]
                    $other,
                )+
            }

            impl $kind {
                /// As it is written in regulations.
                pub fn name(self) -> &'static str {
                    match self {
                        $kind::$first => $first_text,
                        $($kind::$other => $other_text,)+
                    }
                }
            }
        )+

        /// What an event has decided where the Laws leave it open.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct OpenPoints {
            $(
                #[doc = $question]
                ///
                #[doc = $reason]
                pub $field: $kind,
            )+
        }

        impl OpenPoints {
            /// All of them, in the order of the Laws' parts.
            pub const ALL: [OpenPoint; [$(stringify!($field)),+].len()] = [$(
                OpenPoint {
                    name: stringify!($field),
                    articles: &[$($article),+],
                    question: $question,
                    values: &[($first_text, $first_doc), $(($other_text, $other_doc)),+],
                    reason: $reason,
                },
            )+];

            /// What a setting is; `None` where there is none of this name.
            pub fn value(&self, name: &str) -> Option<&'static str> {
                match name {
                    $(stringify!($field) => Some(self.$field.name()),)+
                    _ => None,
                }
            }

            /// Decides one point by its name and value.
            ///
            /// # Errors
            /// There is no such setting, or it has no such value.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), NoOpenPoint> {
                match name {
                    $(stringify!($field) => {
                        self.$field = match value {
                            $first_text => $kind::$first,
                            $($other_text => $kind::$other,)+
                            _ => return Err(NoOpenPoint::Value { name: stringify!($field), value: value.to_owned() }),
                        };
                        Ok(())
                    })+
                    _ => Err(NoOpenPoint::Name { name: name.to_owned() }),
                }
            }
        }
    };
}

open_points! {
    blitz_supervised_penalty: BlitzSupervisedPenalty ["B.2", "B.3", "A.3", "7.5.5", "9.5.3"]
        "What does an illegal move, or a wrong draw claim, cost in blitz with adequate supervision?"
        {
            OneMinute = "one-minute": "One minute for the opponent, as in all other blitz and rapid.",
            TwoMinutes = "two-minutes": "Two minutes, as the Competition Rules say which B.2 calls in.",
        }
        "Only B.3 names A.3, so B.2 read literally gives two minutes; the Laws before 2023 had one minute for both, and examinations and published practice still do.";
    en_passant_identity: EnPassantIdentity ["9.2.3", "9.2.3.1"]
        "Does a pawn that could be captured en passant only by a pinned pawn make the position another one?"
        {
            Legal = "legal": "No: only a capture that is legal counts.",
            AnyCapturer = "any-capturer": "Yes: a pawn of the opponent beside it is enough.",
        }
        "9.2.3 compares the possible moves, and a move that leaves the king in check is not possible; no published case treats the pin.";
    imposed_queen: ImposedQueen ["7.5.2", "5.1.1", "5.2.1"]
        "A pawn left on its last rank becomes a queen by the ruling, and that queen mates or stalemates: is the game over?"
        {
            Ends = "ends-the-game": "Yes, with the ruling.",
            Arbiter = "arbiter-decides": "The ending waits for an arbiter as a signalled result.",
        }
        "The move stands with a queen (7.5.2), and a move that mates ends the game (5.1.1); the Laws do not say that a move completed by a ruling is different.";
    unpromoted_press: UnpromotedPress ["7.5.2", "7.5.5"]
        "Does the press after a move whose pawn was not exchanged keep its increment?"
        {
            TakenBack = "increment-taken-back": "No: it is taken off with the ruling.",
            Kept = "increment-kept": "Yes: the move stands, and so does what it earned.",
        }
        "It is dealt with as an illegal move, and an illegal move earns no increment; that the move then stands with a queen is the exception.";
    unpunished_illegal_moves: UnpunishedIllegalMoves ["A.5.2", "7.5.5"]
        "Limited supervision: an illegal move that stands because the opponent has made his next move, does it count as the first?"
        {
            DoNotCount = "do-not-count": "No: what nobody claimed or saw in time has no consequence at all.",
            Count = "count": "Yes: the next one that is claimed or seen in time is the second.",
        }
        "A.5.2 lets it stand without a ruling, and 7.5.5 counts what the arbiter has dealt with; examination answers simply do not act on it.";
    moving_out_of_turn: MovingOutOfTurn ["1.3", "7.5.1", "12.9"]
        "A player moves although his opponent has the move, or twice in a row, and presses: is it an illegal move?"
        {
            IllegalMove = "illegal-move": "Yes, with increment, penalty and count of 7.5.",
            Arbiter = "arbiter-decides": "It is found and put before an arbiter, who restores and penalises under 12.9; nothing is counted.",
        }
        "It meets no requirement of Article 3, so the position has to be put back like after any illegal move; the Arbiters' Manual prefers 12.9, and an arbiter can dismiss and penalise.";
    alert: Alert ["6.8", "A.5.2", "A.5.5", "7.5.1"]
        "Does what the hub finds count as the arbiter's own observation?"
        {
            WhenAcknowledged = "when-acknowledged": "From when an arbiter takes the item (\"I am on it\"), or acts on it.",
            Never = "own-eyes-only": "No: only a claim, an arbiter's own observation or his ruling.",
            AtOnce = "at-once": "Yes, from the moment it is found.",
        }
        "The Laws give the legal effect to an arbiter who sees it, and nothing says that a device's alert is one; an arbiter who acknowledges the alert has seen it.";
    freeze: Freeze ["6.8", "6.9", "A.5.5"]
        "A clock reaches zero in the last period: does the other one stand too?"
        {
            BothStand = "both-stand": "Yes, both stand and show which was first.",
            RunsOn = "runs-on": "No: the clocks go on as they are, and both can come to zero.",
        }
        "FIDE's requirements for clocks ask for it with increments (5.4.1), and most clocks of today do it; rapid and blitz clocks may be set to run on.";
    flag_during_irregularity: FlagDuringIrregularity ["6.8", "7.5.1", "A.5.4", "6.11.3"]
        "A flag falls while an illegal move or an illegal position is still being dealt with: which comes first?"
        {
            EachByItself = "each-by-itself": "Each is ruled on by itself: a flag that is claimed or seen decides.",
            IrregularityFirst = "irregularity-first": "The flag waits until the irregularity found before it has been ruled on.",
        }
        "No article sets an order, so 6.8 applies as it stands; in discussions of the wait of A.5.4 a flag that is seen decides.";
    fivefold_and_mate: FivefoldAndMate ["9.6.1", "5.1.1"]
        "The fifth occurrence of a position is a checkmate: which is it?"
        {
            Mate = "mate": "Checkmate.",
            Fivefold = "fivefold": "A draw by the fifth occurrence.",
        }
        "9.6.2 gives mate the priority over the 75 moves; 9.6.1 says nothing, but mate ends the game the moment it is made (5.1.1). It takes a game set up by hand to ask.";
    void_claim: VoidClaim ["9.2", "9.3", "9.4", "9.5.3"]
        "What does a draw claim cost that its player has no right to make: he is not on move, or has touched a piece?"
        {
            Penalised = "penalised": "What a wrong claim costs (9.5.3).",
            Refused = "refused": "Nothing: it is refused.",
        }
        "9.5.3 speaks of every claim found incorrect, and examination answers give the opponent the time; the Manual is silent, and an arbiter can dismiss.";
    unpressed_move: UnpressedMove ["9.3.1", "9.3.2", "6.2.1"]
        "The opponent's last move is on the board and was never pressed: does it count among the fifty moves?"
        {
            Counts = "counts": "Yes, it has been made.",
            Waits = "waits": "No: 9.3.2 asks for moves completed.",
        }
        "9.3.1 and 9.6.2 count moves made, and the claimant cannot make his opponent press; only the words of 9.3.2 say otherwise.";
    device_found: DeviceFound ["11.3.2.1", "11.3.2.2"]
        "An electronic device is found on a player: what is proposed?"
        {
            Loss = "loss": "The loss of the game; the opponent wins whatever he has left.",
            Arbiter = "arbiter-decides": "Nothing: the regulations have a less severe penalty, and the arbiter gives it.",
        }
        "11.3.2.2 says so unless the regulations of the event have a different, less severe penalty.";
    both_absent: BothAbsent ["6.6", "6.7.2"]
        "Neither player is there when the round is called: whose time runs?"
        {
            White = "white": "White's, until he comes.",
            Nobody = "nobody": "Nobody's, until one of them comes; then White's.",
        }
        "6.7.2 says so unless the regulations of the event specify otherwise.";
    quickplay_finish: QuickplayFinish ["Guidelines III.2.1", "Guidelines III.2.2", "Guidelines III.3.1", "Guidelines III.5"]
        "Were the Guidelines for games without increment announced for this event?"
        {
            NotAnnounced = "not-announced": "No: Guidelines III do not apply.",
            Announced = "announced": "Yes: claims under III.5 are heard, and two fallen flags are judged by III.3.1.",
        }
        "Guidelines III apply only where it was announced beforehand (III.2.1).";
    quickplay_increment: QuickplayIncrement ["Guidelines III.4", "Guidelines III.5"]
        "The Guidelines for games without increment were announced: what can a player do who has less than two minutes left?"
        {
            ClaimAtOnce = "claim-at-once": "He claims a draw under III.5.",
            AskedFirst = "asked-first": "He asks for five seconds more with every move, for both players (III.4); that is a draw offer, and where it is refused and the arbiter agrees, the opponent gets two minutes and the game goes on.",
        }
        "III.5 applies where III.4 does not, and III.4 needs clocks that can be set anew in the middle of a game: whether an event's can, its organiser knows.";
    quickplay_penalty: QuickplayPenalty ["Guidelines III.5", "Guidelines III.4", "A.3"]
        "How much does the opponent get in rapid chess when a claim under Guidelines III is refused, or an increment granted?"
        {
            TwoMinutes = "two-minutes": "Two minutes, as the Guidelines say.",
            OneMinute = "one-minute": "One minute.",
        }
        "A.3 makes only the penalties of Articles 7 and 9 one minute, and the Guidelines are neither.";
}

impl OpenPoints {
    /// The settings that are not as they are by default: name and value.
    pub fn chosen(&self) -> Vec<(&'static str, &'static str)> {
        let value = |point: &OpenPoint| Some((point.name, self.value(point.name)?));
        OpenPoints::ALL
            .iter()
            .filter_map(|point| value(point).filter(|(_, value)| *value != point.default_value()))
            .collect()
    }

    /// What a claim under Guidelines III that is refused, or an increment that is granted, gives the opponent.
    pub fn quickplay_time(&self, category: Category) -> Millis {
        match (category, self.quickplay_penalty) {
            (Category::Standard, _) | (_, QuickplayPenalty::TwoMinutes) => Millis::mins(2),
            (_, QuickplayPenalty::OneMinute) => Millis::mins(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_set_by_its_name_and_says_what_it_is() {
        for point in OpenPoints::ALL {
            assert!(point.values.len() >= 2, "{}", point.name);
            assert_eq!(OpenPoints::default().value(point.name), Some(point.default_value()));
            for (value, meaning) in point.values {
                let mut points = OpenPoints::default();
                assert_eq!(points.set(point.name, value), Ok(()));
                assert_eq!(points.value(point.name), Some(*value));
                assert_eq!(point.meaning(value), Some(*meaning));
                let written = serde_json::to_string(&points).expect("written");
                assert_eq!(serde_json::from_str::<OpenPoints>(&written).expect("read"), points);
                let chosen: &[_] = &[(point.name, *value)];
                let default = *value == point.default_value();
                assert_eq!(points.chosen(), if default { &[] } else { chosen });
            }
        }
    }

    #[test]
    fn what_there_is_not_is_refused_with_what_there_is() {
        let mut points = OpenPoints::default();
        let why = |result: Result<(), NoOpenPoint>| result.expect_err("refused").to_string();
        assert!(why(points.set("voidclaim", "refused")).contains("void_claim"));
        assert_eq!(
            why(points.set("void_claim", "free")),
            "void_claim is not \"free\"; it is one of penalised, refused"
        );
        assert_eq!(points, OpenPoints::default());
    }
}

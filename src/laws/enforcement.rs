//! Who carries out what the hub finds: an arbiter, or the event's regulations at once. Decided for each kind of finding.

use serde::{Deserialize, Serialize};

/// A kind of finding that regulations can have carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// A completed illegal move, or a press without a move (7.5).
    IllegalMove,
    /// A flag in the last period (6.8, 6.9).
    Flag,
    /// A player who has not come within the default time (6.7.1).
    Default,
}

/// How a kind of finding is dealt with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Enforced {
    /// It waits for an arbiter.
    #[default]
    Confirm,
    /// At once, as soon as the fact is certain: a house rule, and announced as one.
    Automatic,
}

/// How each kind of finding is dealt with. Everything else always waits for an arbiter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct Enforcement {
    /// Illegal moves.
    pub illegal_move: Enforced,
    /// Flags of the last period.
    pub flag: Enforced,
    /// Players who come too late.
    pub default: Enforced,
}

/// One word for all kinds, or one for each.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    All(Enforced),
    Each {
        #[serde(default)]
        illegal_move: Enforced,
        #[serde(default)]
        flag: Enforced,
        #[serde(default)]
        default: Enforced,
    },
}

impl From<Written> for Enforcement {
    fn from(written: Written) -> Enforcement {
        match written {
            Written::All(all) => Enforcement::all(all),
            Written::Each {
                illegal_move,
                flag,
                default,
            } => Enforcement {
                illegal_move,
                flag,
                default,
            },
        }
    }
}

/// Enforcement that a rated event cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0} findings cannot be carried out automatically in a rated event: the Laws give them to the arbiter ({article}); \
     leave it at `confirm`, or say that the event is not rated",
    article = .0.article()
)]
pub struct NotInRated(pub Finding);

impl Finding {
    /// All kinds.
    pub const ALL: [Finding; 3] = [Finding::IllegalMove, Finding::Flag, Finding::Default];

    /// In the words of the cases.
    pub fn name(self) -> &'static str {
        match self {
            Finding::IllegalMove => "illegal-move",
            Finding::Flag => "flag",
            Finding::Default => "default",
        }
    }

    /// The article that gives it to an arbiter.
    pub fn article(self) -> &'static str {
        match self {
            Finding::IllegalMove => "7.5.5",
            Finding::Flag => "6.8",
            Finding::Default => "6.7.1",
        }
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Finding {
    type Err = String;

    fn from_str(text: &str) -> Result<Finding, String> {
        let found = Finding::ALL.into_iter().find(|finding| finding.name() == text);
        found.ok_or_else(|| {
            let known = Finding::ALL.map(Finding::name).join(", ");
            format!("{text:?} is no kind of finding that can be enforced; there are {known}")
        })
    }
}

impl Enforced {
    /// `confirm` or `automatic`.
    pub fn name(self) -> &'static str {
        match self {
            Enforced::Confirm => "confirm",
            Enforced::Automatic => "automatic",
        }
    }
}

impl Enforcement {
    /// Everything waits for an arbiter.
    pub const CONFIRM: Enforcement = Enforcement::all(Enforced::Confirm);
    /// Everything that can be is carried out at once.
    pub const AUTOMATIC: Enforcement = Enforcement::all(Enforced::Automatic);

    /// The same for every kind.
    pub const fn all(enforced: Enforced) -> Enforcement {
        Enforcement {
            illegal_move: enforced,
            flag: enforced,
            default: enforced,
        }
    }

    /// How this kind is dealt with.
    pub fn of(&self, finding: Finding) -> Enforced {
        match finding {
            Finding::IllegalMove => self.illegal_move,
            Finding::Flag => self.flag,
            Finding::Default => self.default,
        }
    }

    /// Decides it for one kind.
    pub fn set(&mut self, finding: Finding, enforced: Enforced) {
        match finding {
            Finding::IllegalMove => self.illegal_move = enforced,
            Finding::Flag => self.flag = enforced,
            Finding::Default => self.default = enforced,
        }
    }

    /// What is carried out at once: each to be announced as a house rule.
    pub fn house_rules(&self) -> impl Iterator<Item = Finding> + '_ {
        Finding::ALL
            .into_iter()
            .filter(|finding| self.of(*finding) == Enforced::Automatic)
    }

    /// Whether a rated event may have it: illegal moves and defaults are the arbiter's there. A flag is also the clock's own, and both
    /// clocks stand by it already.
    ///
    /// # Errors
    /// The first kind that it may not.
    pub fn check_rated(&self) -> Result<(), NotInRated> {
        match self.house_rules().find(|finding| *finding != Finding::Flag) {
            Some(finding) => Err(NotInRated(finding)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_is_for_all_kinds() {
        for (text, is) in [("confirm", Enforcement::CONFIRM), ("automatic", Enforcement::AUTOMATIC)] {
            assert_eq!(
                serde_json::from_str::<Enforcement>(&format!("{text:?}")).expect(text),
                is
            );
        }
        let flags: Enforcement = serde_json::from_str(r#"{"flag":"automatic"}"#).expect("one of them");
        assert_eq!(flags.house_rules().collect::<Vec<_>>(), [Finding::Flag]);
        let written = serde_json::to_string(&flags).expect("written");
        assert_eq!(serde_json::from_str::<Enforcement>(&written).expect("read"), flags);
    }

    #[test]
    fn rated_events_leave_illegal_moves_and_defaults_to_the_arbiter() {
        let with = |finding| {
            let mut enforcement = Enforcement::CONFIRM;
            enforcement.set(finding, Enforced::Automatic);
            enforcement.check_rated()
        };
        assert_eq!(with(Finding::Flag), Ok(()));
        assert_eq!(with(Finding::IllegalMove), Err(NotInRated(Finding::IllegalMove)));
        let why = with(Finding::Default).expect_err("refused").to_string();
        assert!(why.contains("default") && why.contains("6.7.1"), "{why}");
        assert!("flags".parse::<Finding>().is_err());
    }
}

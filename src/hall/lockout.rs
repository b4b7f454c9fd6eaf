//! Who tries again and again with what is refused: shut out for a while, each credential by itself.
//!
//! A valid token or password never comes here: it is looked up first, so that nobody can shut out another by guessing. What is
//! gained is quiet: a tablet left behind with a void token asks every second for a week, and neither log nor hub should care.

use std::collections::HashMap;

use crate::time::Millis;

/// So many refusals of one credential are answered as they are.
const TRIES: u32 = 10;
/// Within this time; and shut out for as long after the last try.
const WHILE: Millis = Millis::secs(60);
/// So many credentials are remembered; the one that was tried least lately makes room.
const REMEMBERED: usize = 1_024;

/// What a refusal comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The first of its kind in a while: worth a line in the log.
    First,
    /// Again.
    Again,
    /// Shut out from now on: worth a line as well.
    ShutOut,
    /// Still.
    StillOut,
}

impl Refused {
    /// It is not looked at any more before a minute of quiet.
    pub fn is_shut_out(self) -> bool {
        matches!(self, Refused::ShutOut | Refused::StillOut)
    }

    /// The log should have it.
    pub fn is_news(self) -> bool {
        matches!(self, Refused::First | Refused::ShutOut)
    }
}

#[derive(Clone, Copy, Debug)]
struct Tried {
    times: u32,
    last_ms: i64,
}

/// What has been refused lately.
#[derive(Clone, Default, Debug)]
pub struct Lockout {
    tried: HashMap<String, Tried>,
}

impl Lockout {
    /// One more refusal of this credential: a token's hash, a device's name. `now_ms` is any clock's that only runs forward.
    pub fn refused(&mut self, credential: &str, now_ms: i64) -> Refused {
        if !self.tried.contains_key(credential) && self.tried.len() >= REMEMBERED {
            self.make_room(now_ms);
        }
        let tried = self.tried.entry(credential.to_owned()).or_insert(Tried {
            times: 0,
            last_ms: now_ms,
        });
        if now_ms - tried.last_ms > WHILE.0 {
            tried.times = 0;
        }
        tried.last_ms = now_ms;
        tried.times = tried.times.saturating_add(1);
        match tried.times {
            1 => Refused::First,
            times if times < TRIES => Refused::Again,
            TRIES => Refused::ShutOut,
            _ => Refused::StillOut,
        }
    }

    fn make_room(&mut self, now_ms: i64) {
        self.tried.retain(|_, tried| now_ms - tried.last_ms <= WHILE.0);
        if self.tried.len() >= REMEMBERED
            && let Some(oldest) = self
                .tried
                .iter()
                .min_by_key(|(name, tried)| (tried.last_ms, name.as_str()))
                .map(|(name, _)| name.clone())
        {
            self.tried.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_credential_is_shut_out_by_itself_and_let_try_again_after_a_minute_of_quiet() {
        let mut lockout = Lockout::default();
        assert_eq!(lockout.refused("a", 0), Refused::First);
        for at in 1..9 {
            assert_eq!(lockout.refused("a", at), Refused::Again);
        }
        assert_eq!(lockout.refused("a", 9), Refused::ShutOut);
        assert_eq!(lockout.refused("a", 10), Refused::StillOut);
        assert_eq!(lockout.refused("b", 10), Refused::First, "another is not concerned");
        assert_eq!(lockout.refused("a", 50_000), Refused::StillOut, "trying on is no quiet");
        assert_eq!(lockout.refused("a", 110_001), Refused::First);
    }

    #[test]
    fn a_flood_of_credentials_is_not_remembered_without_end() {
        let mut lockout = Lockout::default();
        for n in 0..5_000 {
            lockout.refused(&n.to_string(), n);
        }
        assert!(lockout.tried.len() <= REMEMBERED);
        assert_eq!(lockout.refused("4999", 5_000), Refused::Again, "the newest is known");
    }
}

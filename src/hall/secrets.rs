//! Secrets and ids from handed-in randomness: device passwords, people's tokens, game ids.
//!
//! A secret is shown once, in the answer to the call that made it; what is stored are hashes. 256 bits of randomness need no
//! slow hash.

use sha2::{Digest as _, Sha256};

use super::credential;
use super::ids::GameId;
use super::model::Credential;

/// Randomness for one call, from outside: the hall itself draws none.
#[derive(Clone)]
pub struct Chance {
    /// 256 bits that nobody can guess.
    pub bytes: [u8; 32],
    /// Milliseconds since 1970, the first part of new ids.
    pub wall_ms: i64,
}

impl Chance {
    /// The call's secret: 256 bits in hex.
    pub fn secret(&self) -> String {
        credential::secret(self.derived(b"secret", 0))
    }

    /// The id of the `n`th game that the call makes.
    pub fn game(&self, n: u64) -> GameId {
        let random = self.derived(b"game", n);
        let mut ten = [0u8; 10];
        ten.copy_from_slice(&random[..10]);
        let ms = u64::try_from(self.wall_ms).unwrap_or(0);
        GameId(uuid::Builder::from_unix_timestamp_millis(ms, &ten).into_uuid())
    }

    /// What is stored of a device's secret.
    pub fn credential(&self, secret: &str) -> Credential {
        let mut salt = [0; credential::SALT_BYTES];
        salt.copy_from_slice(&self.derived(b"salt", 0)[..credential::SALT_BYTES]);
        Credential::of(secret, salt)
    }

    fn derived(&self, what: &[u8], n: u64) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.bytes);
        hash.update(what);
        hash.update(n.to_be_bytes());
        hash.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_games_of_one_call_differ_and_hashes_do_not_tell_the_secret() {
        let chance = Chance {
            bytes: [7; 32],
            wall_ms: 1_764_000_000_000,
        };
        let secret = chance.secret();
        assert_eq!(secret.len(), 64);
        assert_ne!(chance.game(0), chance.game(1));
        let credential = chance.credential(&secret);
        assert!(!format!("{credential:?}").contains(&secret));
        assert!(credential.proves(secret.as_bytes()));
    }
}

//! What is kept of a device's secret: hashes of it, one for the embedded broker and one for mosquitto's password file. The
//! secret itself is shown once and kept nowhere; it has 256 random bits, so that no slow hash is needed to guard it.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256, Sha512};

use super::model::Credential;

/// Bytes of a secret.
pub const SECRET_BYTES: usize = 32;
/// Bytes of salt for mosquitto.
pub const SALT_BYTES: usize = 12;
/// mosquitto's own default.
const ROUNDS: u32 = 101;
const BLOCK: usize = 128;

/// A secret as it is shown and typed: lower-case hex of random bytes.
pub fn secret(random: [u8; SECRET_BYTES]) -> String {
    hex(&random)
}

impl Credential {
    /// The hashes of `secret`, with a random salt.
    pub fn of(secret: &str, salt: [u8; SALT_BYTES]) -> Credential {
        Credential {
            sha256: hex(&Sha256::digest(secret.as_bytes())),
            mosquitto: mosquitto_hash(secret, &salt),
        }
    }

    /// Whether `secret` is the one; takes as long whatever is wrong with it.
    pub fn proves(&self, secret: &[u8]) -> bool {
        let given = hex(&Sha256::digest(secret));
        let (given, kept) = (given.as_bytes(), self.sha256.as_bytes());
        given.len() == kept.len() && given.iter().zip(kept).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}

/// `$7$rounds$salt$hash` of mosquitto 2: PBKDF2 with HMAC-SHA-512, in Base64.
fn mosquitto_hash(secret: &str, salt: &[u8]) -> String {
    // One block of output is all of it: 64 bytes.
    let mut block = salt.to_vec();
    block.extend(1_u32.to_be_bytes());
    let mut turn = hmac(secret.as_bytes(), &block);
    let mut hash = turn;
    for _ in 1..ROUNDS {
        turn = hmac(secret.as_bytes(), &turn);
        for (byte, new) in hash.iter_mut().zip(turn) {
            *byte ^= new;
        }
    }
    format!("$7${ROUNDS}${}${}", base64(salt), base64(&hash))
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 64] {
    let mut padded = [0_u8; BLOCK];
    if key.len() > BLOCK {
        padded[..64].copy_from_slice(&Sha512::digest(key));
    } else {
        padded[..key.len()].copy_from_slice(key);
    }
    let inner = Sha512::new()
        .chain_update(padded.map(|b| b ^ 0x36))
        .chain_update(message)
        .finalize();
    Sha512::new()
        .chain_update(padded.map(|b| b ^ 0x5c))
        .chain_update(inner)
        .finalize()
        .into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hmac_and_base64_give_the_values_of_their_standards() {
        // RFC 4231, test case 2, and RFC 4648, section 10.
        let mac = hmac(b"Jefe", b"what do ya want for nothing?");
        assert!(hex(&mac).starts_with("164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"));
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }

    #[test]
    fn only_the_secret_itself_proves_a_credential() {
        let secret = secret([7; SECRET_BYTES]);
        let kept = Credential::of(&secret, [1; SALT_BYTES]);
        assert!(kept.proves(secret.as_bytes()));
        assert!(!kept.proves(b"") && !kept.proves(&secret.as_bytes()[1..]));
        assert!(!Credential::default().proves(b""));
        assert!(kept.mosquitto.starts_with("$7$101$AQEBAQEBAQEBAQEB$"));
    }
}

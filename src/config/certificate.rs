//! The hub's certificate and its key: read from PEM files, checked together, and read again when the files are renewed.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

/// A certificate is named in the log when it ends within so many seconds.
const SOON: i64 = 14 * 24 * 3600;

/// Why a certificate is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateError {
    /// Which of the two files.
    pub file: PathBuf,
    /// It is the key's.
    pub is_key: bool,
    /// What is wrong, and what to do.
    pub what: String,
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.what)
    }
}

impl std::error::Error for CertificateError {}

/// A certificate that is fit to be shown, with its key.
#[derive(Clone, Debug)]
pub struct Certificate {
    shown: Arc<CertifiedKey>,
    /// From when until when it holds; `None` where it does not say so in a way that we can read.
    pub validity: Option<Validity>,
}

/// From when until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    /// Not before.
    pub from: Timestamp,
    /// Not after.
    pub until: Timestamp,
}

impl Validity {
    /// What is wrong with it at this moment, if anything is.
    pub fn warning(&self, now: Timestamp) -> Option<String> {
        if now < self.from {
            return Some(format!("holds only from {} on: is the hub's clock right?", self.from));
        }
        if now > self.until {
            return Some(format!(
                "expired at {}: browsers and commands refuse it; `flagfall tls renew` makes a new one",
                self.until
            ));
        }
        let left = self.until.as_second() - now.as_second();
        (left < SOON).then(|| {
            format!(
                "expires at {}, in {} days: `flagfall tls renew` makes a new one",
                self.until,
                left / (24 * 3600)
            )
        })
    }
}

/// Reads both files, and checks that the key is the certificate's.
///
/// # Errors
/// The file that is wrong, and how.
pub fn load(certificate: &Path, key: &Path) -> Result<Certificate, CertificateError> {
    let wrong = |file: &Path, is_key, what: String| CertificateError {
        file: file.to_owned(),
        is_key,
        what,
    };
    let chain = chain(certificate).map_err(|what| wrong(certificate, false, what))?;
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| {
        let what = match error {
            rustls::pki_types::pem::Error::Io(error) => error.to_string(),
            _ => "it holds no private key in PEM (`-----BEGIN PRIVATE KEY-----`)".to_owned(),
        };
        wrong(key, true, what)
    })?;
    let validity = chain.first().and_then(|own| validity(own));
    let provider = rustls::crypto::ring::default_provider();
    let shown = CertifiedKey::from_der(chain, private, &provider).map_err(|error| match error {
        rustls::Error::InconsistentKeys(_) => {
            let what = format!("it is not the key of the certificate in {}", certificate.display());
            wrong(key, true, what)
        }
        rustls::Error::InvalidCertificate(_) => wrong(certificate, false, error.to_string()),
        other => wrong(key, true, format!("this key cannot be used: {other}")),
    })?;
    Ok(Certificate {
        shown: Arc::new(shown),
        validity,
    })
}

/// All certificates of a PEM file.
///
/// # Errors
/// It cannot be read, or there is none in it.
pub fn chain(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let read = CertificateDer::pem_file_iter(file)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| match error {
            rustls::pki_types::pem::Error::Io(error) => error.to_string(),
            other => format!("it is no PEM file: {other}"),
        })?;
    if read.is_empty() {
        return Err("it holds no certificate in PEM (`-----BEGIN CERTIFICATE-----`)".to_owned());
    }
    Ok(read)
}

/// What is shown to whoever connects; it follows the files.
pub struct Shown {
    certificate: PathBuf,
    key: PathBuf,
    now: RwLock<(Certificate, Changed)>,
}

/// When both files were changed last.
type Changed = (Option<SystemTime>, Option<SystemTime>);

impl Shown {
    /// Reads the files.
    ///
    /// # Errors
    /// As [`load`].
    pub fn new(certificate: &Path, key: &Path) -> Result<Arc<Shown>, CertificateError> {
        let changed = changed(certificate, key);
        Ok(Arc::new(Shown {
            now: RwLock::new((load(certificate, key)?, changed)),
            certificate: certificate.to_owned(),
            key: key.to_owned(),
        }))
    }

    /// Reads the files again where they have changed; what cannot be used leaves the one before in its place.
    ///
    /// # Errors
    /// As [`load`].
    pub fn renew(&self) -> Result<bool, CertificateError> {
        let found = changed(&self.certificate, &self.key);
        if self.now.read().unwrap_or_else(PoisonError::into_inner).1 == found {
            return Ok(false);
        }
        let fresh = load(&self.certificate, &self.key);
        let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
        // Told once of each change, whatever comes of it.
        now.1 = found;
        now.0 = fresh?;
        Ok(true)
    }

    /// From when until when it holds.
    pub fn validity(&self) -> Option<Validity> {
        self.now.read().unwrap_or_else(PoisonError::into_inner).0.validity
    }

    /// For a server that speaks these protocols.
    ///
    /// # Errors
    /// Never with the protocol versions that are built in.
    pub fn server(self: &Arc<Shown>, protocols: &[&str]) -> Result<rustls::ServerConfig, rustls::Error> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(self) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        Ok(config)
    }
}

impl fmt::Debug for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shown")
            .field("certificate", &self.certificate)
            .finish_non_exhaustive()
    }
}

impl ResolvesServerCert for Shown {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let now = self.now.read().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&now.0.shown))
    }
}

fn changed(certificate: &Path, key: &Path) -> Changed {
    let of = |file: &Path| std::fs::metadata(file).and_then(|found| found.modified()).ok();
    (of(certificate), of(key))
}

/// Where a certificate says from when until when it holds (RFC 5280, 4.1). All else in it is for rustls.
fn validity(certificate: &[u8]) -> Option<Validity> {
    const SEQUENCE: u8 = 0x30;
    const VERSION: u8 = 0xa0;
    let (SEQUENCE, whole, _) = field(certificate)? else {
        return None;
    };
    let (SEQUENCE, mut rest, _) = field(whole)? else {
        return None;
    };
    if let (VERSION, _, after) = field(rest)? {
        rest = after;
    }
    // Serial number, algorithm, issuer.
    for _ in 0..3 {
        (_, _, rest) = field(rest)?;
    }
    let (SEQUENCE, times, _) = field(rest)? else {
        return None;
    };
    let (kind, from, times) = field(times)?;
    let from = time(kind, from)?;
    let (kind, until, _) = field(times)?;
    Some(Validity {
        from,
        until: time(kind, until)?,
    })
}

/// The first field of DER: its tag, what it holds, and what comes after it.
fn field(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = der.split_first()?;
    let (&first, mut rest) = rest.split_first()?;
    let mut length = usize::from(first);
    if first & 0x80 != 0 {
        let bytes = usize::from(first & 0x7f);
        if bytes > 4 {
            return None;
        }
        let (long, after) = rest.split_at_checked(bytes)?;
        length = long.iter().fold(0, |sum, &byte| sum << 8 | usize::from(byte));
        rest = after;
    }
    let (content, after) = rest.split_at_checked(length)?;
    Some((tag, content, after))
}

/// `YYMMDDHHMMSSZ` or `YYYYMMDDHHMMSSZ`.
fn time(kind: u8, text: &[u8]) -> Option<Timestamp> {
    const UTC_TIME: u8 = 0x17;
    const GENERALIZED_TIME: u8 = 0x18;
    let text = std::str::from_utf8(text).ok()?.strip_suffix('Z')?;
    let text = match kind {
        UTC_TIME if text.get(..2)? < "50" => format!("20{text}"),
        UTC_TIME => format!("19{text}"),
        GENERALIZED_TIME => text.to_owned(),
        _ => return None,
    };
    let at = DateTime::strptime("%Y%m%d%H%M%S", text).ok()?;
    TimeZone::UTC.to_timestamp(at).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(folder: &Path, until: (i32, u8, u8)) -> (PathBuf, PathBuf) {
        let key = rcgen::KeyPair::generate().expect("a key");
        let mut params = rcgen::CertificateParams::new(vec!["hub.example".to_owned()]).expect("names");
        params.not_before = rcgen::date_time_ymd(2020, 2, 29);
        params.not_after = rcgen::date_time_ymd(until.0, until.1, until.2);
        let certificate = params.self_signed(&key).expect("signed");
        let files = (folder.join("hub.pem"), folder.join("hub.key"));
        std::fs::write(&files.0, certificate.pem()).expect("written");
        std::fs::write(&files.1, key.serialize_pem()).expect("written");
        files
    }

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    #[test]
    fn validity_is_read_in_both_ways_of_writing_a_year() {
        let folder = tempfile::tempdir().expect("a folder");
        for (year, until) in [(2030, "2030-06-01T00:00:00Z"), (2060, "2060-06-01T00:00:00Z")] {
            let (certificate, key) = made(folder.path(), (year, 6, 1));
            let loaded = load(&certificate, &key).expect("fits");
            let expected = Validity {
                from: at("2020-02-29T00:00:00Z"),
                until: at(until),
            };
            assert_eq!(loaded.validity, Some(expected));
        }
        assert_eq!(validity(b"\x30\x84\xff\xff\xff\xff"), None);
        assert_eq!(validity(b""), None);
    }

    #[test]
    fn what_has_expired_or_soon_will_is_warned_of() {
        let validity = Validity {
            from: at("2026-01-01T00:00:00Z"),
            until: at("2026-12-31T00:00:00Z"),
        };
        assert_eq!(validity.warning(at("2026-06-01T00:00:00Z")), None);
        let told = |time| validity.warning(at(time)).expect("a warning");
        assert!(told("2027-01-01T00:00:00Z").starts_with("expired at 2026-12-31"));
        assert!(told("2026-12-21T00:00:00Z").contains("in 10 days"));
        assert!(told("2025-12-31T00:00:00Z").contains("only from"));
    }

    #[test]
    fn the_file_that_is_wrong_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let (certificate, key) = made(folder.path(), (2060, 1, 1));
        let other = tempfile::tempdir().expect("a folder");
        let (_, other_key) = made(other.path(), (2060, 1, 1));
        let told = load(&certificate, &other_key).expect_err("another's key");
        assert!(told.is_key && told.what.contains("not the key of"), "{told}");
        let told = load(&key, &key).expect_err("no certificate");
        assert!(!told.is_key && told.what.contains("no certificate"), "{told}");
        let told = load(&certificate, &certificate).expect_err("no key");
        assert!(told.is_key && told.what.contains("no private key"), "{told}");
        let told = load(&folder.path().join("none.pem"), &key).expect_err("no file");
        assert!(told.to_string().contains("none.pem: No such file"), "{told}");
    }

    #[test]
    fn renewed_files_are_shown_and_broken_ones_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let (certificate, key) = made(folder.path(), (2050, 1, 1));
        let shown = Shown::new(&certificate, &key).expect("fits");
        assert!(!shown.renew().expect("as before"));
        let later = |file: &Path, seconds| {
            let file = std::fs::File::options().append(true).open(file).expect("there");
            let time = file.metadata().and_then(|file| file.modified()).expect("a time");
            let time = time + std::time::Duration::from_secs(seconds);
            file.set_modified(time).expect("set");
        };
        std::fs::write(&certificate, "rubbish").expect("written");
        later(&certificate, 5);
        shown.renew().expect_err("told once");
        assert!(!shown.renew().expect("and not again"));
        assert_eq!(
            shown.validity().map(|held| held.until),
            Some(at("2050-01-01T00:00:00Z"))
        );
        made(folder.path(), (2055, 1, 1));
        later(&certificate, 10);
        assert!(shown.renew().expect("renewed"));
        assert_eq!(
            shown.validity().map(|held| held.until),
            Some(at("2055-01-01T00:00:00Z"))
        );
    }
}

//! `flagfall tls`: a hall's own certificate authority, and the certificate of its hub.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
    PublicKeyData as _,
};
use sha2::{Digest as _, Sha256};

use super::print;
use crate::hall::clock::wall_now;

/// The files of a folder.
const CA: &str = "ca.pem";
const CA_KEY: &str = "ca.key";
const HUB: &str = "hub.pem";
const HUB_KEY: &str = "hub.key";
/// Tablets are made to trust the CA by hand: it lasts.
const CA_YEARS: i16 = 10;
/// Browsers take no certificate that holds much longer.
const HUB_DAYS: i32 = 397;

/// TLS for a hall that has no public certificate.
#[derive(Clone, Debug, Args)]
pub struct TlsCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    /// Make a certificate authority for this hall, and the hub's certificate by it.
    ///
    /// Nothing that is there is written over.
    Init {
        #[command(flatten)]
        made: Made,
        /// Make everything anew, the CA too: every tablet then has to be made to trust the new one.
        #[arg(long)]
        overwrite: bool,
    },
    /// Make a new certificate for the hub by the CA that is there: before the old one expires, or for other names.
    ///
    /// Whoever trusts the CA trusts it at once. A running hub takes it within a minute.
    Renew {
        #[command(flatten)]
        made: Made,
    },
}

#[derive(Clone, Debug, Args)]
struct Made {
    /// The folder of the files.
    #[arg(long, value_name = "DIR", default_value = "flagfall-tls")]
    dir: PathBuf,
    /// A name by which tablets and devices call the hub; may be repeated. This machine's own without any.
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// An address by which they call it; may be repeated.
    #[arg(long, value_name = "ADDRESS")]
    ip: Vec<IpAddr>,
}

impl TlsCommand {
    /// Does it.
    pub fn run(self) -> anyhow::Result<()> {
        let today = today();
        match self.what {
            What::Init { made, overwrite } => made.init(today, overwrite),
            What::Renew { made } => made.renew(today),
        }
    }
}

impl Made {
    fn init(&self, today: Date, overwrite: bool) -> anyhow::Result<()> {
        if !overwrite
            && let Some(there) = [CA, CA_KEY, HUB, HUB_KEY]
                .iter()
                .find(|file| self.dir.join(file).exists())
        {
            bail!(
                "{} is there already, and nothing was written: `flagfall tls renew` makes a new certificate by the same CA; \
                 --overwrite makes everything anew, and every tablet then has to be made to trust the new CA",
                self.dir.join(there).display()
            );
        }
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.dir)
            .with_context(|| format!("{} cannot be made", self.dir.display()))?;
        let key = KeyPair::generate().context("no key could be made")?;
        let params = authority(&key, today)?;
        let ca = params
            .self_signed(&key)
            .context("the CA's certificate could not be made")?;
        let until = today.saturating_add(i32::from(CA_YEARS).years());
        self.write(CA_KEY, &key.serialize_pem(), 0o600)?;
        self.write(CA, &ca.pem(), 0o644)?;
        self.hub(today, Issuer::new(params, key))?;
        print::out(&format!(
            "The CA that tablets have to trust: {ca}, until {until}.\nIts key: {key}. Whoever has it can pass for the hub: \
             take it off this machine when you have no more certificates to make.",
            ca = self.dir.join(CA).display(),
            key = self.dir.join(CA_KEY).display(),
        ))?;
        self.told(today)
    }

    fn renew(&self, today: Date) -> anyhow::Result<()> {
        let file = self.dir.join(CA_KEY);
        let text = std::fs::read_to_string(&file)
            .with_context(|| format!("{} cannot be read: was it made by `flagfall tls init`?", file.display()))?;
        let key = KeyPair::from_pem(&text).with_context(|| format!("{} holds no key", file.display()))?;
        let params = authority(&key, today)?;
        self.hub(today, Issuer::new(params, key))?;
        self.told(today)
    }

    /// Makes the hub's key and certificate.
    fn hub(&self, today: Date, issuer: Issuer<'_, KeyPair>) -> anyhow::Result<()> {
        let names = self.names();
        let mut params = CertificateParams::new(names.clone())
            .with_context(|| format!("these names cannot stand in a certificate: {}", names.join(", ")))?;
        params.distinguished_name = Default::default();
        params
            .distinguished_name
            .push(DnType::CommonName, names.first().cloned().unwrap_or_default());
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        valid(&mut params, today, today.saturating_add(HUB_DAYS.days()))?;
        let key = KeyPair::generate().context("no key could be made")?;
        let certificate = params
            .signed_by(&key, &issuer)
            .context("the hub's certificate could not be made")?;
        self.write(HUB_KEY, &key.serialize_pem(), 0o600)?;
        self.write(HUB, &certificate.pem(), 0o644)
    }

    fn names(&self) -> Vec<String> {
        let mut names = self.name.clone();
        if names.is_empty() && self.ip.is_empty() {
            let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
            let machine = machine.trim().to_owned();
            if !machine.is_empty() && !machine.contains('.') {
                names.push(format!("{machine}.local"));
            }
            names.push(machine);
        }
        names.push("localhost".to_owned());
        let own = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        names.extend(self.ip.iter().chain(&own).map(ToString::to_string));
        names.retain(|name| !name.is_empty());
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(name.clone()));
        names
    }

    fn told(&self, today: Date) -> anyhow::Result<()> {
        let folder = std::path::absolute(&self.dir).unwrap_or_else(|_| self.dir.clone());
        let names: Vec<String> = self.names();
        let called: Vec<String> = names
            .iter()
            .filter(|name| name.parse::<IpAddr>().is_err() && *name != "localhost")
            .map(|name| format!("{name:?}"))
            .collect();
        print::out(&format!(
            "The hub's certificate: {hub}, for {names}, until {until}.\n\
             Before that: flagfall tls renew --dir {dir}, with the same names.\n\
             \n\
             In the hub's configuration:\n\
             [listen]\n\
             certificate = \"{hub}\"\n\
             key = \"{key}\"\n\
             names = [{called}]\n\
             \n\
             Commands trust it by --ca {ca} or FLAGFALL_CA, and after `flagfall login --ca …` by themselves.",
            hub = folder.join(HUB).display(),
            key = folder.join(HUB_KEY).display(),
            ca = folder.join(CA).display(),
            dir = self.dir.display(),
            names = names.join(", "),
            until = today.saturating_add(HUB_DAYS.days()),
            called = called.join(", "),
        ))
    }

    /// Writes aside and renames: a hub that reads it meanwhile finds the one or the other.
    fn write(&self, name: &str, text: &str, mode: u32) -> anyhow::Result<()> {
        use std::io::Write as _;
        let file = self.dir.join(name);
        let aside = self.dir.join(format!(".{name}.new"));
        let written = || -> std::io::Result<()> {
            let _ = std::fs::remove_file(&aside);
            let mut out = std::fs::OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(mode)
                .open(&aside)?;
            out.set_permissions(std::fs::Permissions::from_mode(mode))?;
            out.write_all(text.as_bytes())?;
            out.sync_all()?;
            std::fs::rename(&aside, &file)
        };
        written().with_context(|| format!("{} cannot be written", file.display()))
    }
}

/// The CA as its certificate names it: by its key, so that it is found again from that alone, and no two halls' are called alike.
fn authority(key: &KeyPair, today: Date) -> anyhow::Result<CertificateParams> {
    let mark: String = Sha256::digest(key.der_bytes())
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let mut params = CertificateParams::default();
    params.distinguished_name = Default::default();
    params
        .distinguished_name
        .push(DnType::CommonName, format!("Flagfall hall CA {mark}"));
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    valid(&mut params, today, today.saturating_add(i32::from(CA_YEARS).years()))?;
    Ok(params)
}

/// Everywhere the same: a day more or less is no matter.
fn today() -> Date {
    TimeZone::UTC.to_datetime(wall_now()).date()
}

/// The parts of a day, as certificates are made with.
fn day(date: Date) -> anyhow::Result<(i32, u8, u8)> {
    let month = u8::try_from(date.month()).context("a month")?;
    let of_month = u8::try_from(date.day()).context("a day")?;
    Ok((i32::from(date.year()), month, of_month))
}

/// From the day before, so that a tablet whose clock is some hours behind takes it as well.
fn valid(params: &mut CertificateParams, today: Date, until: Date) -> anyhow::Result<()> {
    let (year, month, of_month) = day(today.saturating_sub(1.day()))?;
    params.not_before = rcgen::date_time_ymd(year, month, of_month);
    let (year, month, of_month) = day(until)?;
    params.not_after = rcgen::date_time_ymd(year, month, of_month);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::certificate::load;

    fn made(dir: &Path) -> Made {
        Made {
            dir: dir.to_owned(),
            name: vec!["hub.example".to_owned()],
            ip: vec!["10.0.0.5".parse().expect("an address")],
        }
    }

    fn mode(file: &Path) -> u32 {
        std::fs::metadata(file).expect("there").permissions().mode() & 0o777
    }

    #[test]
    fn keys_are_their_owners_alone_and_the_certificate_fits() {
        let folder = tempfile::tempdir().expect("a folder");
        let dir = folder.path().join("tls");
        made(&dir).init(today(), false).expect("made");
        for key in [CA_KEY, HUB_KEY] {
            assert_eq!(mode(&dir.join(key)), 0o600, "{key}");
        }
        assert_eq!(mode(&dir), 0o700);
        let loaded = load(&dir.join(HUB), &dir.join(HUB_KEY)).expect("fits");
        let until = loaded.validity.expect("read").until;
        let days = (until.as_second() - wall_now().as_second()) / 86_400;
        assert!((395..=397).contains(&days), "{days}");
    }

    #[test]
    fn nothing_is_written_over_unasked_and_a_renewal_keeps_the_ca() {
        let folder = tempfile::tempdir().expect("a folder");
        let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).expect("there");
        let made = made(folder.path());
        made.init(today(), false).expect("made");
        let before = [CA, CA_KEY, HUB, HUB_KEY].map(read);
        let told = made.init(today(), false).expect_err("there").to_string();
        assert!(
            told.contains("ca.pem is there already") && told.contains("tls renew"),
            "{told}"
        );
        assert_eq!([CA, CA_KEY, HUB, HUB_KEY].map(read), before);
        made.renew(today()).expect("renewed");
        let after = [CA, CA_KEY, HUB, HUB_KEY].map(read);
        assert_eq!(before[..2], after[..2]);
        assert!(before[2] != after[2] && before[3] != after[3]);
        made.init(today(), true).expect("anew");
        assert_ne!(read(CA), before[0]);
    }
}

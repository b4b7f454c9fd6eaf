//! Files for a mosquitto that stands in for the embedded broker: passwords, access rules and a configuration that keeps a
//! hall's worth of messages.
//!
//! Nothing secret is in them: the hub keeps, beside the SHA-256 of every device's secret, the same secret as mosquitto's own
//! salted hash, made when the secret was. Written again after every change of devices, and mosquitto told to read them
//! (`systemctl reload mosquitto`).

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::codec::MAX_PAYLOAD;
use super::topics::{DeviceId, Down, HUB, HallId, ROOT, Topic, Up};
use crate::hall::credential::SALT_BYTES;
use crate::hall::model::{Credential, Device};

/// What was written.
#[derive(Debug)]
pub struct Written {
    /// The files: `passwords`, `acl`, `mosquitto.conf`.
    pub files: Vec<PathBuf>,
    /// Devices left out, since their credential has no hash for mosquitto: they need a new one.
    pub left_out: Vec<DeviceId>,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct CannotWrite {
    /// Which file or folder.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub error: std::io::Error,
}

/// Writes `passwords`, `acl` and `mosquitto.conf` for these devices into `folder`. `hub_secret` is the hub's own password at
/// that broker, as its configuration names it, and `salt` random.
pub fn write<'a>(
    folder: &Path,
    hall: &HallId,
    listen: SocketAddr,
    hub_secret: &str,
    salt: [u8; SALT_BYTES],
    devices: impl IntoIterator<Item = &'a Device>,
) -> Result<Written, CannotWrite> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |error| CannotWrite { path, error }
    };
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    let folder = folder.canonicalize().map_err(failed(folder))?;

    let (with_hash, without): (Vec<&Device>, Vec<&Device>) = devices
        .into_iter()
        .partition(|device| device.credential.mosquitto.starts_with("$7$"));
    let mut passwords = format!("{HUB}:{}\n", Credential::of(hub_secret, salt).mosquitto);
    for device in &with_hash {
        let _ = writeln!(passwords, "{}:{}", device.id, device.credential.mosquitto);
    }

    let mut files = Vec::new();
    for (name, content) in [
        ("passwords", passwords),
        ("acl", access(hall, &with_hash)),
        ("mosquitto.conf", configuration(&folder, listen)),
    ] {
        let path = folder.join(name);
        replace(&path, &content).map_err(failed(&path))?;
        files.push(path);
    }
    Ok(Written {
        files,
        left_out: without.into_iter().map(|device| device.id.clone()).collect(),
    })
}

/// Written aside and renamed, readable for owner and group.
fn replace(path: &Path, content: &str) -> std::io::Result<()> {
    let aside = path.with_extension("new");
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(true)
        .mode(0o640)
        .open(&aside)?;
    file.write_all(content.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&aside, path)
}

/// Patterns serve every device; only gateways need lines of their own.
fn access(hall: &HallId, devices: &[&Device]) -> String {
    let mut text =
        String::from("# Written by `flagfall device acl`. %u is the user's name, which is the device's id.\n\n");
    let _ = writeln!(text, "user {HUB}");
    let _ = writeln!(text, "topic read {ROOT}/{hall}/#");
    for down in Down::ALL {
        let _ = writeln!(text, "topic write {ROOT}/{hall}/+/{}", down.name());
    }
    let _ = writeln!(text, "topic write {}\n", Topic::HubState.name(hall));
    for gateway in devices.iter().filter(|device| !device.speaks_for.is_empty()) {
        let _ = writeln!(text, "user {}", gateway.id);
        for device in &gateway.speaks_for {
            for up in Up::ALL {
                let _ = writeln!(text, "topic readwrite {}", Topic::Up(device.clone(), up).name(hall));
            }
            for down in Down::ALL {
                let _ = writeln!(text, "topic read {}", Topic::Down(device.clone(), down).name(hall));
            }
        }
        text.push('\n');
    }
    for up in Up::ALL {
        let _ = writeln!(text, "pattern readwrite {ROOT}/{hall}/%u/{}", up.name());
    }
    for down in Down::ALL {
        let _ = writeln!(text, "pattern read {ROOT}/{hall}/%u/{}", down.name());
    }
    let _ = writeln!(text, "pattern read {}", Topic::HubState.name(hall));
    text
}

fn configuration(folder: &Path, listen: SocketAddr) -> String {
    let (host, port, folder) = (listen.ip(), listen.port(), folder.display());
    format!(
        "\
# Written by `flagfall device acl`; for mosquitto 2. The defaults would drop messages of a full hall.
listener {port} {host}
allow_anonymous false
# The client id is the user's name: two devices cannot take each other's session.
use_username_as_clientid true
password_file {folder}/passwords
acl_file {folder}/acl

max_inflight_messages 100
max_queued_messages 20000
message_size_limit {MAX_PAYLOAD}
max_packet_size {packet}
max_keepalive 120

# What a device has sent while the hub was away outlives a restart of mosquitto.
persistence true
persistence_location {folder}/
autosave_interval 30
persistent_client_expiration 1d
",
        packet = MAX_PAYLOAD + 1024,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hall::model::DeviceKind;

    #[test]
    fn the_example_in_deploy_is_what_is_written() {
        let hall: HallId = "hall".parse().expect("a name");
        assert_eq!(access(&hall, &[]), include_str!("../../deploy/mosquitto/acl"));
        let folder = Path::new("/etc/mosquitto/flagfall");
        let written = configuration(folder, SocketAddr::from(([127, 0, 0, 1], 1883)));
        assert_eq!(written, include_str!("../../deploy/mosquitto/mosquitto.conf"));
    }

    #[test]
    fn the_files_name_every_device_and_no_secret() {
        let device = |id: &str, secret: &str, speaks_for: &[&str]| Device {
            id: id.parse().expect("an id"),
            kind: DeviceKind::Both,
            speaks_for: speaks_for.iter().map(|id| id.parse().expect("an id")).collect(),
            credential: Credential::of(secret, [3; SALT_BYTES]),
            bound_to: None,
        };
        let mut devices = vec![device("clock-1", "s3cret", &[]), device("gate", "other", &["board-1"])];
        devices.push(Device {
            credential: Credential::default(),
            ..device("old", "", &[])
        });
        let folder = tempfile::tempdir().expect("a folder");
        let hall: HallId = "main".parse().expect("a name");
        let listen = SocketAddr::from(([127, 0, 0, 1], 1883));
        let written = write(folder.path(), &hall, listen, "hubs", [1; SALT_BYTES], &devices).expect("writes");
        assert_eq!(written.left_out, ["old".parse().expect("an id")]);
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
        let (passwords, acl) = (read("passwords"), read("acl"));
        let users: Vec<_> = passwords
            .lines()
            .filter_map(|line| Some(line.split_once(':')?.0))
            .collect();
        assert_eq!(users, ["hub", "clock-1", "gate"]);
        assert!(!passwords.contains("s3cret") && !passwords.contains("hubs"));
        assert!(acl.contains("user gate\ntopic readwrite flagfall/v1/main/board-1/birth\n"));
        assert!(read("mosquitto.conf").contains("listener 1883 127.0.0.1\n"));
    }
}

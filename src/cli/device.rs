//! `flagfall device`: devices, what they serve, and what they log in with.

use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use clap::{Args, Subcommand, ValueEnum};
use tokio::time::Instant;

use super::client::{Client, Hub};
use super::print::{Table, clock};
use super::words::Tables;
use crate::api::proto::admin::v1 as wire;
use crate::device::acl;
use crate::device::topics::HallId;
use crate::hall::DeviceId;
use crate::hall::credential::SALT_BYTES;
use crate::hall::model::{Credential, Device, DeviceKind};

/// Devices of a running hub.
#[derive(Clone, Debug, Args)]
pub struct DeviceCommand {
    #[command(flatten)]
    hub: Hub,
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    Clock,
    Board,
    /// Clock and board in one.
    Both,
    /// Speaks for others.
    Gateway,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    Left,
    Right,
    /// The side on which the clock is pressed next.
    ByPress,
}

/// How long a press is waited for, and how often it is looked for.
const PRESS_WITHIN: Duration = Duration::from_secs(120);
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// For a phone that is to be a clock or a recorder's board: what its code leads to.
#[derive(Clone, Debug, Args)]
struct Phone {
    /// The pages' address as phones have it; without it the one that this command uses.
    #[arg(long, value_name = "URL")]
    at: Option<String>,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    /// Make a device known, and print its credential, once.
    Add {
        /// Its id: 1 to 32 of a-z, 0-9 and -.
        id: String,
        /// What it is.
        #[arg(long)]
        kind: Kind,
        /// With a gateway: the devices it speaks for.
        #[arg(long, value_name = "ID", value_delimiter = ',')]
        speaks_for: Vec<String>,
        /// Let it serve this table at once, as what it is: the code for a phone that is the clock, or the recorder's board, is printed too.
        #[arg(long, value_parser = super::words::table)]
        table: Option<u32>,
        #[command(flatten)]
        phone: Phone,
    },
    /// Print a new credential for it; the old one is void. At a table, the code for a phone too.
    Rotate {
        /// Its id.
        id: String,
        #[command(flatten)]
        phone: Phone,
    },
    /// Know it no longer.
    Remove {
        /// Its id.
        id: String,
    },
    /// Let it serve a table.
    Bind {
        /// Its id.
        id: String,
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// As what.
        #[arg(long = "as", value_name = "WHAT")]
        serves_as: As,
        /// Which side of the clock is White's: left, right, or the one that is pressed next; as the table says without it.
        #[arg(long, value_name = "SIDE")]
        white: Option<Side>,
        /// Whether the board lies the other way round; as the table says without it.
        #[arg(long, value_name = "BOOL")]
        turned: Option<bool>,
    },
    /// Let it serve no table.
    Unbind {
        /// Its id.
        id: String,
    },
    /// Let another device take its place, in mid-game if need be.
    Replace {
        /// The one there now.
        old: String,
        /// The one that comes.
        new: String,
    },
    /// Say that tables are of this part of the hall: an arbiter of a sector acts at its tables and at no others.
    Sector {
        /// The sector's name; an empty one: of no part.
        sector: String,
        /// The tables: 1-30 41.
        #[arg(required = true)]
        tables: Vec<Tables>,
    },
    /// Write the password, access and configuration files of a mosquitto that stands in for the hub's own broker.
    ///
    /// Write them again after every change of devices, and have mosquitto read them: `systemctl reload mosquitto`.
    Acl {
        /// The folder for the files; it is made if it is not there.
        folder: PathBuf,
        /// Where mosquitto is to listen.
        #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:1883")]
        listen: SocketAddr,
        /// The file with the hub's own password at that broker, as `mqtt.password_file` names it.
        #[arg(long, value_name = "FILE")]
        hub_password_file: PathBuf,
    },
    /// All devices, and how they do.
    List {
        /// Only clocks that serve no table and were pressed, the last one first: press a clock, and it names itself.
        #[arg(long)]
        pressed: bool,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum As {
    Clock,
    Board,
    Both,
}

/// Whether a device is there, in a word.
pub fn online(online: i32) -> &'static str {
    match wire::Online::try_from(online) {
        Ok(wire::Online::Online) => "online",
        Ok(wire::Online::Silent) => "SILENT",
        Ok(wire::Online::Unknown | wire::Online::Unspecified) | Err(_) => "not heard yet",
    }
}

impl DeviceCommand {
    /// Does it.
    pub async fn run(self) -> anyhow::Result<()> {
        let client = self.hub.connect().await?;
        let request_id = client.request_id();
        let id_sent = request_id.clone();
        let sent = Some(id_sent.as_str());
        match self.what {
            What::Add {
                id,
                kind,
                speaks_for,
                table,
                phone,
            } => {
                let duty = Duty::of(
                    matches!(kind, Kind::Clock | Kind::Both),
                    matches!(kind, Kind::Board | Kind::Both),
                );
                let request = wire::AddDeviceRequest {
                    request_id,
                    id: id.clone(),
                    kind: wire::DeviceKind::from(kind).into(),
                    speaks_for,
                };
                let answer = client.answer(sent, client.admin().add_device(request)).await?;
                let refused = match table {
                    Some(table) => serve_table(&client, &id, kind, table).await.err(),
                    None => None,
                };
                let place = duty.zip(table.filter(|_| refused.is_none()));
                let page = phone.at.as_deref().unwrap_or(&self.hub.hub);
                // The credential is shown whatever becomes of the table: it is shown once.
                client.print(&answer, |answer| credential(answer.credential.as_ref(), place, page))?;
                refused.map_or(Ok(()), Err)
            }
            What::Rotate { id, phone } => {
                let request = wire::RotateDeviceCredentialRequest {
                    request_id,
                    device: id.clone(),
                };
                let answer = client
                    .answer(sent, client.admin().rotate_device_credential(request))
                    .await?;
                let known = find(&client, &id).await?;
                let place = known
                    .and_then(|device| Duty::of(device.as_clock, device.as_board).map(|duty| (duty, device.table)));
                let page = phone.at.as_deref().unwrap_or(&self.hub.hub);
                client.print(&answer, |answer| credential(answer.credential.as_ref(), place, page))
            }
            What::Remove { id } => {
                let request = wire::RemoveDeviceRequest {
                    request_id,
                    device: id.clone(),
                };
                let answer = client.answer(sent, client.admin().remove_device(request)).await?;
                client.print(&answer, |_| format!("{id} is known no longer."))
            }
            What::Bind {
                id,
                table,
                serves_as,
                white,
                turned,
            } => {
                let white = match white {
                    Some(Side::ByPress) => pressed_side(&client, &id).await?,
                    Some(Side::Left) => wire::Side::Left,
                    Some(Side::Right) => wire::Side::Right,
                    None => wire::Side::Unspecified,
                };
                let request = wire::BindDeviceRequest {
                    request_id,
                    device: id.clone(),
                    table,
                    as_clock: matches!(serves_as, As::Clock | As::Both),
                    as_board: matches!(serves_as, As::Board | As::Both),
                    white_side: white.into(),
                    board_turned: turned,
                };
                let answer = client.answer(sent, client.admin().bind_device(request)).await?;
                let sides = match white {
                    wire::Side::Left => " White's side of the clock is the left one.",
                    wire::Side::Right => " White's side of the clock is the right one.",
                    wire::Side::Unspecified => "",
                };
                client.print(&answer, |_| format!("{id} serves table {table}.{sides}"))
            }
            What::Unbind { id } => {
                let request = wire::UnbindDeviceRequest {
                    request_id,
                    device: id.clone(),
                };
                let answer = client.answer(sent, client.admin().unbind_device(request)).await?;
                client.print(&answer, |_| format!("{id} serves no table."))
            }
            What::Replace { old, new } => {
                let request = wire::ReplaceDeviceRequest {
                    request_id,
                    old_device: old.clone(),
                    new_device: new.clone(),
                };
                let answer = client.answer(sent, client.admin().replace_device(request)).await?;
                client.print(&answer, |_| format!("{new} has taken the place of {old}."))
            }
            What::Sector { sector, tables } => {
                let mut put = wire::ListTablesResponse::default();
                for table in tables.iter().flat_map(|tables| tables.each()) {
                    // An id of its own for each, so that the whole command can be repeated with the one that it was given.
                    let request_id = format!("{request_id}-{table}");
                    let request = wire::PutTableRequest {
                        request_id,
                        table,
                        sector: Some(sector.clone()),
                        ..Default::default()
                    };
                    let answer = client.answer(sent, client.admin().put_table(request)).await?;
                    put.tables.extend(answer.table);
                }
                client.print(&put, |put| {
                    let of = match sector.as_str() {
                        "" => "no sector".to_owned(),
                        sector => format!("sector {sector}"),
                    };
                    match &put.tables[..] {
                        [one] => format!("Table {} is of {of}.", one.number),
                        many => format!("{} tables are of {of}.", many.len()),
                    }
                })
            }
            What::Acl {
                folder,
                listen,
                hub_password_file,
            } => {
                let request = wire::ListDeviceAccessRequest {};
                let answer = client.answer(None, client.admin().list_device_access(request)).await?;
                super::print::out(&access_files(&answer, &folder, listen, &hub_password_file)?)
            }
            What::List { pressed } => {
                let mut answer = client
                    .answer(None, client.admin().list_devices(wire::ListDevicesRequest {}))
                    .await?;
                if pressed {
                    answer.devices.retain(|device| device.pressed_ms.is_some());
                    answer
                        .devices
                        .sort_by_key(|device| std::cmp::Reverse(device.pressed_ms));
                    if answer.devices.is_empty() {
                        return super::print::out(
                            "No clock that serves no table has been pressed since the hub was started.",
                        );
                    }
                }
                client.print(&answer, list)
            }
        }
    }
}

/// Writes what mosquitto reads, and says what was written.
fn access_files(
    answer: &wire::ListDeviceAccessResponse,
    folder: &Path,
    listen: SocketAddr,
    hub_password_file: &Path,
) -> anyhow::Result<String> {
    let password = std::fs::read_to_string(hub_password_file)
        .with_context(|| format!("{} cannot be read", hub_password_file.display()))?;
    let hall: HallId = answer.hall.parse().context("the hub's name cannot stand in topics")?;
    let mut devices = Vec::with_capacity(answer.devices.len());
    for device in &answer.devices {
        let speaks_for: Result<Vec<DeviceId>, _> = device.speaks_for.iter().map(|id| id.parse()).collect();
        devices.push(Device {
            id: device.id.parse()?,
            kind: DeviceKind::Both,
            speaks_for: speaks_for?,
            credential: Credential {
                sha256: String::new(),
                mosquitto: device.mosquitto_hash.clone(),
            },
            bound_to: None,
        });
    }
    let mut salt = [0; SALT_BYTES];
    getrandom::fill(&mut salt).map_err(|error| anyhow!("the system gives no random numbers: {error}"))?;
    let written = acl::write(folder, &hall, listen, password.trim(), salt, &devices)?;
    let mut text = String::new();
    for file in &written.files {
        text.push_str(&format!("{}\n", file.display()));
    }
    for device in &written.left_out {
        text.push_str(&format!(
            "left out: {device}, whose credential is of an older kind; `flagfall device rotate {device}`\n"
        ));
    }
    Ok(text)
}

fn list(answer: &wire::ListDevicesResponse) -> String {
    if answer.devices.is_empty() {
        return "No devices: make one known with `flagfall device add`.".to_owned();
    }
    let mut table = Table::new(&[
        "DEVICE",
        "KIND",
        "TABLE",
        "AS",
        "STATE",
        "LAST HEARD",
        "BATTERY",
        "TIME +/-",
        "PRESSED",
    ]);
    for device in &answer.devices {
        let kind = match device.kind() {
            wire::DeviceKind::Unspecified => "?",
            wire::DeviceKind::Clock => "clock",
            wire::DeviceKind::Board => "board",
            wire::DeviceKind::Both => "both",
            wire::DeviceKind::Gateway => "gateway",
        };
        let serves_as = match (device.as_clock, device.as_board) {
            (true, true) => "both",
            (true, false) => "clock",
            (false, true) => "board",
            (false, false) => "-",
        };
        let none = || "-".to_owned();
        table.row([
            device.id.clone(),
            kind.to_owned(),
            if device.table == 0 {
                none()
            } else {
                device.table.to_string()
            },
            serves_as.to_owned(),
            online(device.online).to_owned(),
            device.last_heard_ms.map_or_else(none, clock),
            device.battery.map_or_else(none, |percent| format!("{percent} %")),
            device.bar_ms.map_or_else(none, |bar| format!("{bar} ms")),
            device.pressed_ms.map_or_else(none, |at| {
                let side = match device.pressed_side() {
                    wire::Side::Left => "left",
                    wire::Side::Right => "right",
                    wire::Side::Unspecified => "?",
                };
                format!("{side} {}", clock(at))
            }),
        ]);
    }
    table.text()
}

/// What a phone can be at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duty {
    Clock,
    /// The board on which a recorder taps the moves.
    Board,
}

impl Duty {
    fn of(clock: bool, board: bool) -> Option<Duty> {
        if clock {
            Some(Duty::Clock)
        } else {
            board.then_some(Duty::Board)
        }
    }
}

/// What a device logs in with; and, where it is a table's, the code that makes a phone its clock, or its recorder's board.
fn credential(credential: Option<&wire::Credential>, place: Option<(Duty, u32)>, page: &str) -> String {
    match credential {
        Some(credential) => {
            let mut said = format!(
                "Shown once, and kept nowhere else:\n  broker    {}\n  user      {}\n  password  {}\n  topics    {}/…\n",
                credential.mqtt_url, credential.username, credential.password, credential.topic_prefix
            );
            if let Some((duty, table)) = place {
                said += &phone_code(credential, duty, table, page);
            }
            said
        }
        None => {
            "It was made before, and its password shown then. If that is lost: `flagfall device rotate`.".to_owned()
        }
    }
}

/// The link that makes a phone this clock or board. What stands behind the `#` is sent to no server.
fn link(credential: &wire::Credential, duty: Duty, table: u32, page: &str) -> String {
    let (page, id) = (page.trim_end_matches('/'), &credential.username);
    let at = match duty {
        Duty::Clock => "",
        Duty::Board => "/board",
    };
    format!("{page}/table/{table}{at}#{id}:{}", credential.password)
}

fn phone_code(credential: &wire::Credential, duty: Duty, table: u32, page: &str) -> String {
    let link = link(credential, duty, table, page);
    let what = match duty {
        Duty::Clock => "clock",
        Duty::Board => "board, for a recorder who taps the moves",
    };
    let mut said = format!("\nFor a phone as this {what}: open once on it, or scan:\n{link}\n");
    if std::io::stdout().is_terminal() {
        said += &super::qr::lines(&link);
    }
    if ["//127.", "//localhost", "//[::1]"]
        .iter()
        .any(|own| page.contains(own))
    {
        said += "\nThis address leads to the hub on its own machine only: name the one that phones have with --at.";
    }
    said
}

async fn find(client: &Client, id: &str) -> anyhow::Result<Option<wire::Device>> {
    let request = wire::ListDevicesRequest {};
    let answer = client.answer(None, client.admin().list_devices(request)).await?;
    Ok(answer.devices.into_iter().find(|device| device.id == id))
}

/// As what it is.
async fn serve_table(client: &Client, id: &str, kind: Kind, table: u32) -> anyhow::Result<()> {
    // A second call of one command: a repetition of the command repeats both.
    let request_id = format!("{}-table", client.request_id());
    let sent = request_id.clone();
    let request = wire::BindDeviceRequest {
        request_id,
        device: id.to_owned(),
        table,
        as_clock: matches!(kind, Kind::Clock | Kind::Both),
        as_board: matches!(kind, Kind::Board | Kind::Both),
        ..Default::default()
    };
    let bound = client.answer(Some(&sent), client.admin().bind_device(request)).await;
    bound
        .map(|_| ())
        .with_context(|| format!("{id} was added, and does not serve table {table} yet"))
}

/// Waits for one press of this clock: whoever sets up the table presses on White's side.
async fn pressed_side(client: &Client, id: &str) -> anyhow::Result<wire::Side> {
    let known = |device: Option<wire::Device>| {
        device.ok_or_else(|| anyhow!("the hall does not know a device {id}; add it first"))
    };
    let before = known(find(client, id).await?)?;
    if before.table != 0 {
        return Err(anyhow!(
            "{id} serves table {}: a press there is a player's; unbind it first, or say left or right",
            before.table
        ));
    }
    eprintln!("Press {id} once, on White's side.");
    let begun = Instant::now();
    while begun.elapsed() < PRESS_WITHIN {
        let now = known(find(client, id).await?)?;
        if now.pressed_ms > before.pressed_ms {
            return Ok(now.pressed_side());
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Err(anyhow!(
        "{id} was not pressed within {} s; is it online? `flagfall device list`",
        PRESS_WITHIN.as_secs()
    ))
}

impl From<Kind> for wire::DeviceKind {
    fn from(kind: Kind) -> wire::DeviceKind {
        match kind {
            Kind::Clock => wire::DeviceKind::Clock,
            Kind::Board => wire::DeviceKind::Board,
            Kind::Both => wire::DeviceKind::Both,
            Kind::Gateway => wire::DeviceKind::Gateway,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phones_link_carries_the_secret_behind_the_hash_only() {
        let credential = wire::Credential {
            username: "phone-12".to_owned(),
            password: "secret".to_owned(),
            ..Default::default()
        };
        assert_eq!(
            link(&credential, Duty::Clock, 12, "https://hub.example:7878/"),
            "https://hub.example:7878/table/12#phone-12:secret"
        );
        assert_eq!(
            link(&credential, Duty::Board, 12, "https://hub.example:7878"),
            "https://hub.example:7878/table/12/board#phone-12:secret"
        );
        assert!(phone_code(&credential, Duty::Clock, 12, "http://127.0.0.1:7878").contains("--at"));
        assert!(!phone_code(&credential, Duty::Board, 12, "http://10.0.0.5:7878").contains("--at"));
    }

    #[test]
    fn mosquittos_files_are_written_from_what_the_hub_says() {
        let folder = tempfile::tempdir().expect("a folder");
        let password = folder.path().join("hub.password");
        std::fs::write(&password, "secret\n").expect("written");
        let device = |id: &str, hash: &str| wire::DeviceAccess {
            id: id.to_owned(),
            speaks_for: Vec::new(),
            mosquitto_hash: hash.to_owned(),
        };
        let answer = wire::ListDeviceAccessResponse {
            hall: "hall".to_owned(),
            devices: vec![device("clock-1", "$7$101$c2FsdA==$aGFzaA=="), device("clock-2", "")],
        };
        let to = folder.path().join("mosquitto");
        let listen = SocketAddr::from(([127, 0, 0, 1], 1884));
        let told = access_files(&answer, &to, listen, &password).expect("written");
        assert!(told.contains("left out: clock-2"), "{told}");
        let passwords = std::fs::read_to_string(to.join("passwords")).expect("there");
        assert!(passwords.contains("clock-1:$7$101$c2FsdA==$aGFzaA=="), "{passwords}");
        assert!(!passwords.contains("secret"));
    }
}

//! `flagfall person`: who has a token, and for what; `flagfall login`: keep one's own.

use std::io::{IsTerminal as _, Read as _};

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, Subcommand, ValueEnum};
use jiff::{SignedDuration, Timestamp};

use super::client::{Hub, keep_token, token_file};
use super::print::Table;
use super::qr;
use crate::api::proto::admin::v1 as wire;
use crate::hall::clock::wall_now;

/// People of a running hub.
#[derive(Clone, Debug, Args)]
pub struct PersonCommand {
    #[command(flatten)]
    hub: Hub,
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Role {
    ChiefArbiter,
    Arbiter,
    Technician,
    Recorder,
    Screen,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    /// Give somebody a token, and print it, once.
    Add {
        /// As the journal writes it.
        name: String,
        /// What the token is for.
        #[arg(long)]
        role: Role,
        /// Arbiters: only this part of the hall.
        #[arg(long, value_name = "NAME", default_value = "")]
        sector: String,
        /// When the token becomes void: 2026-08-09T20:00Z, or how long it is good: 12h, 3d.
        #[arg(long, value_name = "TIME", value_parser = expiry)]
        expires: Option<Timestamp>,
        /// The hub's address as his tablet has it, for the link and the code to scan; that of --hub without it.
        #[arg(long, value_name = "URL")]
        at: Option<String>,
    },
    /// Make somebody's token void.
    Revoke {
        /// As the journal writes it.
        name: String,
    },
    /// Everybody with a token.
    List,
}

impl PersonCommand {
    /// Does it.
    pub async fn run(self) -> anyhow::Result<()> {
        let client = self.hub.connect().await?;
        let request_id = client.request_id();
        let id = request_id.clone();
        let id = Some(id.as_str());
        match self.what {
            What::Add {
                name,
                role,
                sector,
                expires,
                at,
            } => {
                let person = wire::Person {
                    name,
                    role: wire::Role::from(role).into(),
                    sector,
                    expires_ms: expires.map(Timestamp::as_millisecond),
                    also: Vec::new(),
                };
                let request = wire::AddPersonRequest {
                    request_id,
                    person: Some(person),
                };
                let answer = client.answer(id, client.admin().add_person(request)).await?;
                client.print(&answer, |answer| match answer.token.as_str() {
                    "" => "Made before, and the token shown then. If that is lost: revoke, and add again.".to_owned(),
                    token => shown_once(token, role, at.as_deref().unwrap_or(&self.hub.hub)),
                })
            }
            What::Revoke { name } => {
                let request = wire::RevokePersonRequest {
                    request_id,
                    name: name.clone(),
                };
                let answer = client.answer(id, client.admin().revoke_person(request)).await?;
                client.print(&answer, |_| format!("The token of {name} is void."))
            }
            What::List => {
                let answer = client
                    .answer(None, client.admin().list_people(wire::ListPeopleRequest {}))
                    .await?;
                client.print(&answer, list)
            }
        }
    }
}

/// The token, the link that carries it, and the link as a code to scan.
fn shown_once(token: &str, role: Role, hub: &str) -> String {
    let mut said = format!("Shown once, and kept nowhere else:\n{token}");
    let page = match role {
        Role::Screen => "hall",
        // He has no page: his is the command line, or a program of his own.
        Role::Technician | Role::Recorder | Role::ChiefArbiter | Role::Arbiter => "arbiter",
    };
    // What stands behind the `#` is sent to no server, and gone from the address as soon as the page has read it.
    let link = format!("{}/{page}#token={token}", hub.trim_end_matches('/'));
    said += &format!("\n\nOpen once on his device, or scan:\n{link}\n");
    if std::io::stdout().is_terminal() {
        said += &qr::lines(&link);
    }
    if hub.contains("//127.") || hub.contains("//localhost") || hub.contains("//[::1]") {
        said += "\nThis address leads to the hub on its own machine only: name the one that tablets have with --at.";
    }
    said
}

/// A moment, or how long from now.
fn expiry(text: &str) -> Result<Timestamp, String> {
    let bad = || format!("`{text}` is no time: write 2026-08-09T20:00Z, or how long: 12h, 3d, 90m");
    if let Ok(time) = text.parse() {
        return Ok(time);
    }
    let unit = text.chars().last().ok_or_else(bad)?;
    let many: i64 = text[..text.len() - unit.len_utf8()].parse().map_err(|_| bad())?;
    let minutes = match unit {
        'm' => Some(many),
        'h' => many.checked_mul(60),
        'd' => many.checked_mul(24 * 60),
        _ => None,
    };
    let minutes = minutes
        .filter(|minutes| (1..=366 * 24 * 60).contains(minutes))
        .ok_or_else(bad)?;
    wall_now()
        .checked_add(SignedDuration::from_mins(minutes))
        .map_err(|_| bad())
}

fn list(answer: &wire::ListPeopleResponse) -> String {
    let mut table = Table::new(&["NAME", "ROLE", "SECTOR", "EXPIRES"]);
    for person in &answer.people {
        let role = match person.role() {
            wire::Role::Unspecified => "?",
            wire::Role::ChiefArbiter => "chief arbiter",
            wire::Role::Arbiter => "arbiter",
            wire::Role::Technician => "technician",
            wire::Role::Recorder => "recorder",
            wire::Role::Screen => "screen",
        };
        let expires = person.expires_ms.and_then(|ms| Timestamp::from_millisecond(ms).ok());
        table.row([
            person.name.clone(),
            role.to_owned(),
            if person.sector.is_empty() {
                "all".to_owned()
            } else {
                person.sector.clone()
            },
            expires.map_or_else(|| "never".to_owned(), |time| time.to_string()),
        ]);
    }
    table.text()
}

/// Keep your token where the other commands look for it. It is read from standard input, and tried first.
#[derive(Clone, Debug, Args)]
pub struct LoginCommand {
    #[command(flatten)]
    hub: Hub,
}

impl LoginCommand {
    /// Does it.
    pub async fn run(self) -> anyhow::Result<()> {
        eprintln!("Paste the token, then Enter and Ctrl-D:");
        let mut text = String::new();
        std::io::stdin()
            .take(4096)
            .read_to_string(&mut text)
            .context("the token cannot be read")?;
        let token = text.trim();
        if token.is_empty() {
            bail!("no token was given");
        }
        let client = self.hub.connect_with(token).await?;
        let hall = client
            .answer(None, client.admin().get_hall(wire::GetHallRequest {}))
            .await?;
        let file = match &self.hub.token_file {
            Some(file) => file.clone(),
            None => token_file().ok_or_else(|| anyhow!("no home folder: say where with --token-file"))?,
        };
        keep_token(&file, token)?;
        self.hub.keep_ca()?;
        client.print(&hall, |hall| {
            format!(
                "The token is good for the hall {}. Kept in {}.",
                hall.name,
                file.display()
            )
        })
    }
}

impl From<Role> for wire::Role {
    fn from(role: Role) -> wire::Role {
        match role {
            Role::ChiefArbiter => wire::Role::ChiefArbiter,
            Role::Arbiter => wire::Role::Arbiter,
            Role::Technician => wire::Role::Technician,
            Role::Recorder => wire::Role::Recorder,
            Role::Screen => wire::Role::Screen,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expiry_is_a_moment_or_a_length() {
        assert_eq!(
            expiry("2026-08-09T20:00Z").expect("a time").to_string(),
            "2026-08-09T20:00:00Z"
        );
        let from_now = |text: &str| expiry(text).expect("a length").as_second() - wall_now().as_second();
        for (text, seconds) in [("90m", 5_400), ("12h", 43_200), ("3d", 259_200)] {
            assert!((from_now(text) - seconds).abs() <= 2, "{text}");
        }
        for bad in [
            "",
            "h",
            "-1h",
            "0d",
            "9999999999999999999d",
            "99999d",
            "12w",
            "soon",
            "ж",
        ] {
            assert!(expiry(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_token_stands_behind_the_sign_that_keeps_it_from_servers() {
        let said = shown_once("abc", Role::Screen, "https://hub.example:7878/");
        assert!(said.contains("https://hub.example:7878/hall#token=abc"), "{said}");
        assert!(!said.contains("--at"), "{said}");
        let said = shown_once("abc", Role::Arbiter, "http://127.0.0.1:7878");
        assert!(
            said.contains("http://127.0.0.1:7878/arbiter#token=abc") && said.contains("--at"),
            "{said}"
        );
    }
}

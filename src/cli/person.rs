//! `flagfall person`: who has a token, and for what; `flagfall login`: keep one's own.

use std::io::Read as _;

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;

use super::client::{Hub, keep_token, token_file};
use super::print::Table;
use crate::api::proto::admin::v1 as wire;

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
        /// When the token becomes void: 2026-08-09T20:00Z.
        #[arg(long, value_name = "TIME")]
        expires: Option<Timestamp>,
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
            } => {
                let person = wire::Person {
                    name,
                    role: wire::Role::from(role).into(),
                    sector,
                    expires_ms: expires.map(Timestamp::as_millisecond),
                };
                let request = wire::AddPersonRequest {
                    request_id,
                    person: Some(person),
                };
                let answer = client.answer(id, client.admin().add_person(request)).await?;
                client.print(&answer, |answer| match answer.token.as_str() {
                    "" => "Made before, and the token shown then. If that is lost: revoke, and add again.".to_owned(),
                    token => format!("Shown once, and kept nowhere else:\n{token}"),
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

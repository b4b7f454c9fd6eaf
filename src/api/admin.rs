//! Setting up a hall.

mod export;
mod import;
mod pairings;
mod record;

use std::collections::BTreeMap;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use tonic::{Request, Response, Status};

use super::Surroundings;
use super::ask::ask;
use super::auth::{Caller, caller};
use super::convert::{self, admin as to};
use super::errors;
use super::proto::admin::v1 as wire;
use crate::game::audience::ArbiterView;
use crate::hall::model::{PersonRole, RoundStatus, Seat, Table};
use crate::hall::{Answer, CallError, CallReason, Command, DeviceId, EventId, HallHandle, RoundNo, TableNo};
use crate::time::Millis;
use crate::words::Announcement;

/// See `admin.proto`.
pub struct Admin {
    /// The hall that is set up.
    pub hall: HallHandle,
    /// What the hall does not know of itself.
    pub surroundings: Surroundings,
}

type Answered<M> = Result<Response<M>, Status>;

impl Admin {
    async fn ask<R>(&self, request: &Request<R>, id: &str, command: Command) -> Result<Answer, Status> {
        self.ask_about(&caller(request)?, id, command, None).await
    }

    /// Boards that a round's file holds back for a time of their own: before their pairings are there.
    async fn hold_back<R>(
        &self,
        request: &Request<R>,
        id: &str,
        (event, round): (&EventId, RoundNo),
        delays: BTreeMap<u32, Millis>,
    ) -> Result<(), Status> {
        let registry = self.hall.registry();
        let now = registry.events.get(event).map(|event| event.releases.of(round));
        let mut release = now.cloned().unwrap_or_default();
        release.boards.extend(delays);
        if now.is_none_or(|now| *now == release) {
            return Ok(());
        }
        let command = Command::SetRelease {
            event: event.clone(),
            round: Some(round),
            release: Some(release),
        };
        // An id of its own, which a repetition of the call has again.
        let id = Sha256::digest(format!("delays of {id}"));
        let id: String = id.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        self.ask(request, &id, command).await.map(drop)
    }

    async fn ask_about(
        &self,
        caller: &Caller,
        id: &str,
        command: Command,
        table: Option<TableNo>,
    ) -> Result<Answer, Status> {
        let id = convert::request(id).map_err(refused)?;
        ask(&self.hall, caller, id, command, table).await
    }

    fn device(&self, id: &DeviceId) -> Result<wire::Device, Status> {
        let registry = self.hall.registry();
        let device = registry
            .devices
            .get(id)
            .ok_or_else(|| not_found("device", id.as_str(), "ListDevices"))?;
        let serves = device.bound_to.and_then(|table| registry.tables.get(&table));
        Ok(to::device(device, serves, self.hall.devices().get(id)))
    }

    fn credential(&self, device: &DeviceId, answer: Answer) -> Option<wire::Credential> {
        Some(wire::Credential {
            username: device.to_string(),
            password: answer.secret?,
            mqtt_url: self.surroundings.mqtt_url.clone(),
            topic_prefix: format!("flagfall/v1/{}/{device}", self.hall.info().name),
        })
    }

    fn table(&self, number: TableNo) -> Result<wire::Table, Status> {
        let registry = self.hall.registry();
        let table = registry.tables.get(&number);
        table
            .map(to::table)
            .ok_or_else(|| not_found("table", &number.to_string(), "ListTables"))
    }

    /// The parts of the hall with who has them, and who could; for arbiters only.
    fn watch(&self, caller: &Caller) -> (Vec<wire::Sector>, Vec<String>) {
        let is_arbiter = |role| matches!(role, PersonRole::ChiefArbiter | PersonRole::Arbiter);
        if !is_arbiter(caller.person().role) {
            return Default::default();
        }
        let registry = self.hall.registry();
        let mut sectors: BTreeMap<&str, wire::Sector> = BTreeMap::new();
        for table in registry.tables.values().filter(|table| !table.sector.is_empty()) {
            let sector = sectors.entry(&table.sector).or_insert_with(|| wire::Sector {
                name: table.sector.clone(),
                ..wire::Sector::default()
            });
            sector.tables += 1;
        }
        let mut names = Vec::new();
        for person in registry.people.values().filter(|person| is_arbiter(person.role)) {
            names.push(person.name.clone());
            let own = person.sector.as_deref().and_then(|own| sectors.get_mut(own));
            if let Some(own) = own {
                own.arbiters.push(person.name.clone());
            }
            for also in &person.also {
                if let Some(sector) = sectors.get_mut(also.as_str()) {
                    sector.handed_to.clone_from(&person.name);
                }
            }
        }
        (sectors.into_values().collect(), names)
    }

    /// The table that a device serves, where the caller may act.
    fn serving(&self, caller: &Caller, device: &DeviceId) -> Result<Option<TableNo>, Status> {
        let registry = self.hall.registry();
        let table = registry.devices.get(device).and_then(|device| device.bound_to);
        if let Some(table) = table {
            caller
                .at(table, &registry)
                .map_err(|error| errors::status(&error, Some(table)))?;
        }
        Ok(table)
    }
}

fn refused(error: CallError) -> Status {
    errors::status(&error, None)
}

fn not_found(what: &str, name: &str, see: &str) -> Status {
    let message = format!(
        "there is no {what} {}: see `{see}` for those there are",
        name.escape_debug()
    );
    errors::status(&CallError::new(CallReason::NotFound, message), None)
}

#[tonic::async_trait]
impl wire::admin_service_server::AdminService for Admin {
    async fn get_hall(&self, request: Request<wire::GetHallRequest>) -> Answered<wire::GetHallResponse> {
        let caller = caller(&request)?;
        let you = to::person(caller.person());
        let (sectors, arbiters) = self.watch(&caller);
        let info = self.hall.info();
        let (position, hash) = (self.surroundings.journal_head)();
        Ok(Response::new(wire::GetHallResponse {
            name: info.name,
            epoch: info.epoch,
            speed: info.speed,
            now_ms: info.now.0,
            mqtt_url: self.surroundings.mqtt_url.clone(),
            journal_head: Some(wire::JournalHead { position, hash }),
            insecure: info.insecure,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            you: Some(you),
            room_warning: self.hall.room_warning().unwrap_or_default(),
            sectors,
            arbiters,
        }))
    }

    async fn put_event(&self, request: Request<wire::PutEventRequest>) -> Answered<wire::PutEventResponse> {
        let asked = request.get_ref();
        let given = asked
            .event
            .as_ref()
            .ok_or_else(|| refused(CallError::field("event", "`event` is missing")))?;
        let event = convert::event(&given.id, "event.id").map_err(refused)?;
        let command = Command::PutEvent {
            event: event.clone(),
            name: to::needed_text(&given.name, "event.name").map_err(refused)?,
            site: to::text(&given.site, "event.site").map_err(refused)?,
            date: to::text(&given.date, "event.date").map_err(refused)?,
            regulations: to::regulations(given.regulations.as_ref()).map_err(refused)?,
        };
        self.ask(&request, &asked.request_id, command).await?;
        let event = self.hall.registry().events.get(&event).map(to::event);
        Ok(Response::new(wire::PutEventResponse { event }))
    }

    async fn get_event(&self, request: Request<wire::GetEventRequest>) -> Answered<wire::GetEventResponse> {
        let id = convert::event(&request.get_ref().event, "event").map_err(refused)?;
        let event = self.hall.registry().events.get(&id).map(to::event);
        let event = event.ok_or_else(|| not_found("event", id.as_str(), "ListEvents"))?;
        Ok(Response::new(wire::GetEventResponse { event: Some(event) }))
    }

    async fn get_announcement(
        &self,
        request: Request<wire::GetAnnouncementRequest>,
    ) -> Answered<wire::GetAnnouncementResponse> {
        let asked = request.get_ref();
        let id = convert::event(&asked.event, "event").map_err(refused)?;
        let registry = self.hall.registry();
        let event = registry
            .events
            .get(&id)
            .ok_or_else(|| not_found("event", id.as_str(), "ListEvents"))?;
        let round = (asked.round > 0).then_some(RoundNo(asked.round));
        let announcement = Announcement::of(event, round, &registry)
            .map_err(|error| refused(CallError::field("round", error.to_string())))?;
        let language = convert::language(request.metadata(), self.surroundings.language);
        Ok(Response::new(wire::GetAnnouncementResponse {
            text: announcement.text(language),
            language: language.to_string(),
        }))
    }

    async fn list_events(&self, _: Request<wire::ListEventsRequest>) -> Answered<wire::ListEventsResponse> {
        let events = self.hall.registry().events.values().map(to::event).collect();
        Ok(Response::new(wire::ListEventsResponse { events }))
    }

    async fn put_round(&self, request: Request<wire::PutRoundRequest>) -> Answered<wire::PutRoundResponse> {
        let asked = request.get_ref();
        let (round, delays) = pairings::round(asked)?;
        if asked.validate_only {
            return Ok(Response::new(wire::PutRoundResponse {
                round: Some(to::round(&round)),
            }));
        }
        let (event, number) = (round.event.clone(), round.number);
        let command = Command::PutRound {
            event: round.event,
            round: round.number,
            time_control: round.time_control,
            pairings: round.pairings,
        };
        let known = self.hall.registry();
        let known = known.round(&event, number).ok().map(|round| round.status);
        // What is armed is refused anyway, and its boards keep their delays.
        if known.is_none_or(|status| status == RoundStatus::Prepared) {
            self.hold_back(&request, &asked.request_id, (&event, number), delays)
                .await?;
        }
        self.ask(&request, &asked.request_id, command).await?;
        let registry = self.hall.registry();
        let round = registry
            .events
            .get(&event)
            .and_then(|event| event.rounds.get(&number))
            .map(to::round);
        Ok(Response::new(wire::PutRoundResponse { round }))
    }

    async fn set_release(&self, request: Request<wire::SetReleaseRequest>) -> Answered<wire::SetReleaseResponse> {
        let asked = request.get_ref();
        let event = convert::event(&asked.event, "event").map_err(refused)?;
        let command = Command::SetRelease {
            event: event.clone(),
            round: (asked.round > 0).then_some(RoundNo(asked.round)),
            release: asked.release.as_ref().map(to::release),
        };
        self.ask(&request, &asked.request_id, command).await?;
        let event = self.hall.registry().events.get(&event).map(to::event);
        Ok(Response::new(wire::SetReleaseResponse { event }))
    }

    async fn import_round(&self, request: Request<wire::ImportRoundRequest>) -> Answered<wire::ImportRoundResponse> {
        let asked = request.get_ref();
        let mut proposed = import::propose(asked, &self.hall.registry())?;
        if asked.confirm {
            let round = (&proposed.event, proposed.round);
            self.hold_back(&request, &asked.request_id, round, proposed.delays.clone())
                .await?;
            self.ask(&request, &asked.request_id, proposed.command()).await?;
            proposed.answer.taken = true;
        }
        Ok(Response::new(proposed.answer))
    }

    async fn export_event(&self, request: Request<wire::ExportEventRequest>) -> Answered<wire::ExportEventResponse> {
        caller(&request)?.everywhere().map_err(refused)?;
        let (asked, hall, surroundings) = (request.into_inner(), self.hall.clone(), self.surroundings.clone());
        let written = tokio::task::spawn_blocking(move || export::export(&asked, &hall, &surroundings)).await;
        written.map_err(|error| export::failed(&error))?.map(Response::new)
    }

    async fn add_pairing(&self, request: Request<wire::AddPairingRequest>) -> Answered<wire::AddPairingResponse> {
        let caller = caller(&request)?;
        let asked = request.get_ref();
        let table = convert::table(asked.table).map_err(refused)?;
        let at = |error: CallError| errors::status(&error, Some(table));
        caller.at(table, &self.hall.registry()).map_err(at)?;
        let event = convert::event(&asked.event, "event").map_err(refused)?;
        let round = convert::round(asked.round, "round").map_err(refused)?;
        let given = asked
            .pairing
            .as_ref()
            .ok_or_else(|| refused(CallError::field("pairing", "`pairing` is missing: say who plays whom")))?;
        let mut pairing = to::pairing(given, "pairing").map_err(refused)?;
        if pairing.table != table {
            return Err(refused(CallError::field(
                "pairing.table",
                "it is another table than `table`",
            )));
        }
        if given.board == 0 {
            // The next one, which the hall knows.
            pairing.board = 0;
        }
        let command = Command::AddPairing {
            event: event.clone(),
            round,
            pairing: Box::new(pairing),
            white_time: asked.white_ms.map(Millis),
            black_time: asked.black_ms.map(Millis),
        };
        self.ask_about(&caller, &asked.request_id, command, Some(table)).await?;
        let registry = self.hall.registry();
        let round = registry.round(&event, round).ok().map(to::round);
        Ok(Response::new(wire::AddPairingResponse { round }))
    }

    async fn list_rounds(&self, request: Request<wire::ListRoundsRequest>) -> Answered<wire::ListRoundsResponse> {
        let id = convert::event(&request.get_ref().event, "event").map_err(refused)?;
        let registry = self.hall.registry();
        let event = registry
            .events
            .get(&id)
            .ok_or_else(|| not_found("event", id.as_str(), "ListEvents"))?;
        Ok(Response::new(wire::ListRoundsResponse {
            rounds: event.rounds.values().map(to::round).collect(),
        }))
    }

    async fn put_table(&self, request: Request<wire::PutTableRequest>) -> Answered<wire::PutTableResponse> {
        let asked = request.get_ref();
        let table = convert::table(asked.table).map_err(refused)?;
        caller(&request)?
            .at(table, &self.hall.registry())
            .map_err(|error| errors::status(&error, Some(table)))?;
        let sector = asked
            .sector
            .as_deref()
            .map(|sector| to::text(sector, "sector"))
            .transpose()
            .map_err(refused)?;
        let command = Command::PutTable {
            table,
            sector,
            white_side: to::side(asked.white_side()),
            board_turned: asked.board_turned,
        };
        self.ask(&request, &asked.request_id, command).await?;
        Ok(Response::new(wire::PutTableResponse {
            table: Some(self.table(table)?),
        }))
    }

    async fn list_tables(&self, _: Request<wire::ListTablesRequest>) -> Answered<wire::ListTablesResponse> {
        let tables = self.hall.registry().tables.values().map(to::table).collect();
        Ok(Response::new(wire::ListTablesResponse { tables }))
    }

    async fn add_device(&self, request: Request<wire::AddDeviceRequest>) -> Answered<wire::AddDeviceResponse> {
        let asked = request.get_ref();
        let device = to::device_id(&asked.id, "id").map_err(refused)?;
        let speaks_for: Result<Vec<_>, _> = asked
            .speaks_for
            .iter()
            .map(|id| to::device_id(id, "speaks_for"))
            .collect();
        let command = Command::AddDevice {
            device: device.clone(),
            kind: to::device_kind(asked.kind()).map_err(refused)?,
            speaks_for: speaks_for.map_err(refused)?,
        };
        let answer = self.ask(&request, &asked.request_id, command).await?;
        Ok(Response::new(wire::AddDeviceResponse {
            device: Some(self.device(&device)?),
            credential: self.credential(&device, answer),
        }))
    }

    async fn rotate_device_credential(
        &self,
        request: Request<wire::RotateDeviceCredentialRequest>,
    ) -> Answered<wire::RotateDeviceCredentialResponse> {
        let asked = request.get_ref();
        let device = to::device_id(&asked.device, "device").map_err(refused)?;
        self.serving(&caller(&request)?, &device)?;
        let answer = self
            .ask(
                &request,
                &asked.request_id,
                Command::RotateDevice { device: device.clone() },
            )
            .await?;
        let credential = self.credential(&device, answer);
        Ok(Response::new(wire::RotateDeviceCredentialResponse { credential }))
    }

    async fn remove_device(&self, request: Request<wire::RemoveDeviceRequest>) -> Answered<wire::RemoveDeviceResponse> {
        let asked = request.get_ref();
        let device = to::device_id(&asked.device, "device").map_err(refused)?;
        self.serving(&caller(&request)?, &device)?;
        self.ask(&request, &asked.request_id, Command::RemoveDevice { device })
            .await?;
        Ok(Response::new(wire::RemoveDeviceResponse {}))
    }

    async fn list_devices(&self, _: Request<wire::ListDevicesRequest>) -> Answered<wire::ListDevicesResponse> {
        let registry = self.hall.registry();
        let health = self.hall.devices();
        let serves = |table: Option<TableNo>| -> Option<&Table> { registry.tables.get(&table?) };
        let devices = registry
            .devices
            .values()
            .map(|device| to::device(device, serves(device.bound_to), health.get(&device.id)))
            .collect();
        Ok(Response::new(wire::ListDevicesResponse { devices }))
    }

    async fn list_device_access(
        &self,
        _: Request<wire::ListDeviceAccessRequest>,
    ) -> Answered<wire::ListDeviceAccessResponse> {
        let devices = self.hall.registry().devices.values().map(to::device_access).collect();
        let hall = self.hall.info().name;
        Ok(Response::new(wire::ListDeviceAccessResponse { hall, devices }))
    }

    async fn bind_device(&self, request: Request<wire::BindDeviceRequest>) -> Answered<wire::BindDeviceResponse> {
        let caller = caller(&request)?;
        let asked = request.get_ref();
        let device = to::device_id(&asked.device, "device").map_err(refused)?;
        let table = convert::table(asked.table).map_err(refused)?;
        if !asked.as_clock && !asked.as_board {
            let message = "as what? Set `as_clock`, `as_board` or both";
            return Err(refused(CallError::field("as_clock", message)));
        }
        caller
            .at(table, &self.hall.registry())
            .map_err(|error| errors::status(&error, Some(table)))?;
        self.serving(&caller, &device)?;
        let command = Command::BindDevice {
            device,
            table,
            as_clock: asked.as_clock,
            as_board: asked.as_board,
            white_side: to::side(asked.white_side()),
            board_turned: asked.board_turned,
        };
        self.ask_about(&caller, &asked.request_id, command, Some(table)).await?;
        Ok(Response::new(wire::BindDeviceResponse {
            table: Some(self.table(table)?),
        }))
    }

    async fn unbind_device(&self, request: Request<wire::UnbindDeviceRequest>) -> Answered<wire::UnbindDeviceResponse> {
        let caller = caller(&request)?;
        let asked = request.get_ref();
        let device = to::device_id(&asked.device, "device").map_err(refused)?;
        let table = self.serving(&caller, &device)?;
        self.ask_about(&caller, &asked.request_id, Command::UnbindDevice { device }, table)
            .await?;
        Ok(Response::new(wire::UnbindDeviceResponse {}))
    }

    async fn replace_device(
        &self,
        request: Request<wire::ReplaceDeviceRequest>,
    ) -> Answered<wire::ReplaceDeviceResponse> {
        let caller = caller(&request)?;
        let asked = request.get_ref();
        let old = to::device_id(&asked.old_device, "old_device").map_err(refused)?;
        let new = to::device_id(&asked.new_device, "new_device").map_err(refused)?;
        let table = self.serving(&caller, &old)?;
        self.serving(&caller, &new)?;
        let command = Command::ReplaceDevice { old, new: new.clone() };
        self.ask_about(&caller, &asked.request_id, command, table).await?;
        let serves = self
            .hall
            .registry()
            .devices
            .get(&new)
            .and_then(|device| device.bound_to);
        let table = serves.map(|table| self.table(table)).transpose()?;
        Ok(Response::new(wire::ReplaceDeviceResponse { table }))
    }

    async fn add_person(&self, request: Request<wire::AddPersonRequest>) -> Answered<wire::AddPersonResponse> {
        let asked = request.get_ref();
        let given = asked
            .person
            .as_ref()
            .ok_or_else(|| refused(CallError::field("person", "`person` is missing")))?;
        let name = to::needed_text(&given.name, "person.name").map_err(refused)?;
        let sector = to::text(&given.sector, "person.sector").map_err(refused)?;
        let command = Command::AddPerson {
            name: name.clone(),
            role: to::role(given.role()).map_err(refused)?,
            sector: (!sector.is_empty()).then_some(sector),
            expires_unix_ms: given.expires_ms,
        };
        let answer = self.ask(&request, &asked.request_id, command).await?;
        let person = self.hall.registry().people.get(&name).map(to::person);
        Ok(Response::new(wire::AddPersonResponse {
            person,
            token: answer.secret.unwrap_or_default(),
        }))
    }

    async fn revoke_person(&self, request: Request<wire::RevokePersonRequest>) -> Answered<wire::RevokePersonResponse> {
        let asked = request.get_ref();
        let name = to::needed_text(&asked.name, "name").map_err(refused)?;
        self.ask(&request, &asked.request_id, Command::RevokePerson { name })
            .await?;
        Ok(Response::new(wire::RevokePersonResponse {}))
    }

    async fn list_people(&self, _: Request<wire::ListPeopleRequest>) -> Answered<wire::ListPeopleResponse> {
        let people = self.hall.registry().people.values().map(to::person).collect();
        Ok(Response::new(wire::ListPeopleResponse { people }))
    }
}

/// How a game that is at no table any more is found.
pub type PastGames = Arc<dyn Fn(&Seat) -> Option<ArbiterView> + Send + Sync>;

/// How the position and the chain hash of the journal's last durable entry are found.
pub type JournalHead = Arc<dyn Fn() -> (u64, String) + Send + Sync>;

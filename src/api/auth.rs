//! Who may call what: one table, and everything that is not in it is refused.
//!
//! `docs/security.md` shows it to people, and `tests/security.rs` calls everything as everybody and compares. A token that is made
//! void ends what is under way with it at once: the answer's body is cut, whichever method it is of (`Cut`).
//!
//! The token is looked up before a request is read, by the door that stands before all services ([`door`]). A sector is
//! looked at where the tables are known, by [`Caller::at`].

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tonic::Status;

use super::errors;
use crate::hall::model::{Person, PersonRole, Registry};
use crate::hall::{Author, CallError, CallReason, HallHandle, TableNo};
use crate::time::HallTime;

use PersonRole::{Arbiter, ChiefArbiter, Recorder, Screen, Technician};

/// Who may call a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Anybody, without a token.
    Anyone,
    /// Whoever has a token with one of these roles.
    Roles(&'static [PersonRole]),
}

const CHIEF: Audience = Audience::Roles(&[ChiefArbiter]);
const ARBITERS: Audience = Audience::Roles(&[ChiefArbiter, Arbiter]);
const ENTRIES: Audience = Audience::Roles(&[ChiefArbiter, Arbiter, Recorder]);
const DEVICES: Audience = Audience::Roles(&[ChiefArbiter, Technician]);
const AT_TABLES: Audience = Audience::Roles(&[ChiefArbiter, Arbiter, Technician]);
const EVERYBODY: Audience = Audience::Roles(&[ChiefArbiter, Arbiter, Technician, Recorder, Screen]);

/// The table. A recorder and a screen see no more than the hall does (12.6).
const METHODS: &[(&str, Audience)] = &[
    ("/flagfall.arbiter.v1.ArbiterService/ListTables", AT_TABLES),
    ("/flagfall.arbiter.v1.ArbiterService/GetGame", AT_TABLES),
    ("/flagfall.arbiter.v1.ArbiterService/GetRecord", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/WatchTables", AT_TABLES),
    ("/flagfall.arbiter.v1.ArbiterService/ListNotices", AT_TABLES),
    ("/flagfall.arbiter.v1.ArbiterService/WatchNotices", AT_TABLES),
    ("/flagfall.arbiter.v1.ArbiterService/PauseGame", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/ResumeGame", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/PauseTables", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/ResumeTables", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/AdjustClocks", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/ConfirmItem", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/DismissItem", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/TakeItem", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/ConfirmPromotion", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/SetResult", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/EnterMove", ENTRIES),
    ("/flagfall.arbiter.v1.ArbiterService/EnterFact", ENTRIES),
    ("/flagfall.arbiter.v1.ArbiterService/RestorePosition", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/Penalise", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/Observe", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/ReopenGame", CHIEF),
    ("/flagfall.arbiter.v1.ArbiterService/SetPresence", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/SetPeriods", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/MendMove", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/EnterClaimedMoves", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/MaskSquares", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/UseBoard", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/LodgeAppeal", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/AddAppealStatement", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/HandOverSector", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/CloseAppeal", CHIEF),
    ("/flagfall.arbiter.v1.ArbiterService/AddNote", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/ArmRound", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/StartRound", ARBITERS),
    ("/flagfall.arbiter.v1.ArbiterService/EndRound", ARBITERS),
    ("/flagfall.admin.v1.AdminService/GetHall", EVERYBODY),
    ("/flagfall.admin.v1.AdminService/PutEvent", CHIEF),
    ("/flagfall.admin.v1.AdminService/GetEvent", EVERYBODY),
    ("/flagfall.admin.v1.AdminService/GetAnnouncement", EVERYBODY),
    ("/flagfall.admin.v1.AdminService/ListEvents", EVERYBODY),
    ("/flagfall.admin.v1.AdminService/PutRound", CHIEF),
    ("/flagfall.admin.v1.AdminService/SetRelease", CHIEF),
    ("/flagfall.admin.v1.AdminService/ImportRound", CHIEF),
    ("/flagfall.admin.v1.AdminService/ExportEvent", ARBITERS),
    ("/flagfall.admin.v1.AdminService/AddPairing", ARBITERS),
    ("/flagfall.admin.v1.AdminService/ListRounds", EVERYBODY),
    ("/flagfall.admin.v1.AdminService/PutTable", DEVICES),
    ("/flagfall.admin.v1.AdminService/ListTables", AT_TABLES),
    ("/flagfall.admin.v1.AdminService/AddDevice", DEVICES),
    ("/flagfall.admin.v1.AdminService/RotateDeviceCredential", DEVICES),
    ("/flagfall.admin.v1.AdminService/RemoveDevice", DEVICES),
    ("/flagfall.admin.v1.AdminService/ListDevices", AT_TABLES),
    ("/flagfall.admin.v1.AdminService/ListDeviceAccess", DEVICES),
    ("/flagfall.admin.v1.AdminService/BindDevice", AT_TABLES),
    ("/flagfall.admin.v1.AdminService/UnbindDevice", AT_TABLES),
    ("/flagfall.admin.v1.AdminService/ReplaceDevice", AT_TABLES),
    ("/flagfall.admin.v1.AdminService/AddPerson", CHIEF),
    ("/flagfall.admin.v1.AdminService/RevokePerson", CHIEF),
    ("/flagfall.admin.v1.AdminService/ListPeople", CHIEF),
    ("/flagfall.feed.v1.FeedService/GetTable", EVERYBODY),
    ("/flagfall.feed.v1.FeedService/WatchHall", EVERYBODY),
    // They say nothing of the hall but that it is up, and what the published proto files say.
    ("/grpc.health.v1.Health/Check", Audience::Anyone),
    ("/grpc.health.v1.Health/Watch", Audience::Anyone),
    (
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        Audience::Anyone,
    ),
    (
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        Audience::Anyone,
    ),
];

/// Who may call the method at this path; `None`: nobody.
pub fn audience(path: &str) -> Option<Audience> {
    METHODS
        .iter()
        .find(|(method, _)| *method == path)
        .map(|(_, audience)| *audience)
}

/// Where a call says until when it may be begun, in hall time.
const UNTIL: &str = "flagfall-until-ms";

/// Somebody with a token that was good when the call came in.
#[derive(Clone)]
pub struct Caller {
    person: Person,
    token: String,
    until: Option<HallTime>,
}

impl Caller {
    /// Who stands in the journal.
    pub fn author(&self) -> Author {
        Author {
            name: self.person.name.clone(),
            role: self.person.role,
            sector: self.person.sector.clone(),
        }
    }

    /// Himself.
    pub fn person(&self) -> &Person {
        &self.person
    }

    /// Until when what he asks may be begun.
    pub fn until(&self) -> Option<HallTime> {
        self.until
    }

    /// Whether he sees, and acts in, this part of the hall.
    pub fn has(&self, sector: &str) -> bool {
        self.person.has(sector)
    }

    /// The part of the hall he is bound to.
    pub fn sector(&self) -> Option<&str> {
        self.person.sector.as_deref()
    }

    /// May he act at this table?
    pub fn at(&self, table: TableNo, registry: &Registry) -> Result<(), CallError> {
        let Some(sector) = self.sector() else { return Ok(()) };
        let theirs = registry.tables.get(&table).map(|table| table.sector.as_str());
        // A table that is not there is for the hall to refuse.
        if theirs.is_none_or(|theirs| self.has(theirs)) {
            return Ok(());
        }
        let message =
            format!("table {table} is not in sector {sector}, for which your token is: ask the chief arbiter");
        Err(CallError::new(CallReason::NotAllowed, message))
    }

    /// May he act on the whole hall?
    pub fn everywhere(&self) -> Result<(), CallError> {
        let Some(sector) = self.sector() else { return Ok(()) };
        let message = format!("your token is for sector {sector} only: name its tables, or ask the chief arbiter");
        Err(CallError::new(CallReason::NotAllowed, message))
    }
}

/// Stands before every service: lets a call through with its [`Caller`], or refuses it.
pub async fn door(State(hall): State<HallHandle>, mut request: Request, next: Next) -> Response {
    match enter(&hall, request.uri().path(), request.headers()) {
        Ok(caller) => {
            let Some(caller) = caller else {
                return next.run(request).await;
            };
            let void = Box::pin(hall.until_void(&caller.token));
            request.extensions_mut().insert(caller);
            next.run(request).await.map(|answer| {
                Body::new(Cut {
                    answer,
                    void,
                    ended: false,
                })
            })
        }
        Err(status) => status.into_http(),
    }
}

/// An answer that ends with its caller's token.
struct Cut {
    answer: Body,
    void: Pin<Box<dyn Future<Output = ()> + Send>>,
    ended: bool,
}

impl HttpBody for Cut {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        if self.void.as_mut().poll(context).is_ready() {
            self.ended = true;
            let mut trailers = HeaderMap::new();
            let void = errors::no_token("the token was revoked or has expired while you watched");
            // Where the status cannot be written as headers, the stream ends without one, which is an error as well.
            let _ = void.add_header(&mut trailers);
            return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
        }
        Pin::new(&mut self.answer).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.ended || self.answer.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.answer.size_hint()
    }
}

fn enter(hall: &HallHandle, path: &str, headers: &HeaderMap) -> Result<Option<Caller>, Status> {
    let Some(audience) = audience(path) else {
        return Err(errors::not_allowed(format!("no role may call {}", path.escape_debug())));
    };
    let Audience::Roles(roles) = audience else {
        return Ok(None);
    };
    let token = bearer(headers).ok_or_else(|| {
        errors::no_token(
            "no token: send `authorization: Bearer TOKEN`; the first one is made by `flagfall token first`",
        )
    })?;
    let person = hall.admit(token).map_err(|refused| {
        if refused.is_news() {
            let shut_out = refused.is_shut_out();
            tracing::warn!(
                method = path.rsplit('/').next(),
                shut_out,
                "a token was refused: not known, revoked or expired"
            );
        }
        if refused.is_shut_out() {
            errors::shut_out()
        } else {
            errors::no_token("this token is not known, was revoked or has expired: ask the chief arbiter for another")
        }
    })?;
    if !roles.contains(&person.role) {
        let method = path.rsplit('/').next().unwrap_or_default();
        let wanted: Vec<_> = roles.iter().map(|role| role.name()).collect();
        return Err(errors::not_allowed(format!(
            "{method} is for {}: your token has the role {}",
            wanted.join(", "),
            person.role.name()
        )));
    }
    Ok(Some(Caller {
        person,
        token: token.to_owned(),
        until: until(headers)?,
    }))
}

/// The hall time that a call names as its last.
fn until(headers: &HeaderMap) -> Result<Option<HallTime>, Status> {
    let Some(value) = headers.get(UNTIL) else {
        return Ok(None);
    };
    let read = value.to_str().ok().and_then(|text| text.trim().parse().ok());
    let bad = || {
        CallError::field(
            UNTIL,
            format!("`{UNTIL}` is hall time in milliseconds, as `GetHall` tells it"),
        )
    };
    read.map(|ms| Some(HallTime(ms)))
        .ok_or_else(|| errors::status(&bad(), None))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// Who calls; there is somebody wherever the door asks for a token.
pub fn caller<T>(request: &tonic::Request<T>) -> Result<Caller, Status> {
    request
        .extensions()
        .get::<Caller>()
        .cloned()
        .ok_or_else(|| errors::no_token("no token"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use prost::Message as _;

    use super::*;

    /// Every method that the descriptor set has a service for.
    fn methods() -> BTreeSet<String> {
        let set = prost_types::FileDescriptorSet::decode(crate::api::proto::DESCRIPTORS).expect("descriptors");
        let mut methods = BTreeSet::new();
        for file in &set.file {
            for service in &file.service {
                for method in &service.method {
                    methods.insert(format!("/{}.{}/{}", file.package(), service.name(), method.name()));
                }
            }
        }
        methods
    }

    #[test]
    fn every_method_is_in_the_table_once_and_nothing_else_is() {
        let methods = methods();
        assert!(methods.len() > 40, "{methods:?}");
        for method in &methods {
            assert!(
                audience(method).is_some(),
                "{method} is in no role's reach: decide who may call it"
            );
        }
        let named: BTreeSet<_> = METHODS.iter().map(|(method, _)| *method).collect();
        assert_eq!(named.len(), METHODS.len(), "a method is there twice");
        for method in named.iter().filter(|method| method.starts_with("/flagfall.")) {
            assert!(methods.contains(*method), "{method} is no method any more");
        }
    }

    #[test]
    fn nothing_of_flagfall_is_open_and_the_chief_arbiter_may_call_everything() {
        for method in methods() {
            let Some(Audience::Roles(roles)) = audience(&method) else {
                panic!("{method} is open")
            };
            assert!(roles.contains(&ChiefArbiter), "{method}");
        }
    }

    #[test]
    fn screens_and_recorders_see_no_items() {
        for method in ["ListTables", "GetGame", "WatchTables"] {
            let path = format!("/flagfall.arbiter.v1.ArbiterService/{method}");
            let Some(Audience::Roles(roles)) = audience(&path) else {
                panic!("{path}")
            };
            assert!(!roles.contains(&Screen) && !roles.contains(&Recorder), "{path}");
        }
    }

    #[test]
    fn what_is_not_in_the_table_is_refused() {
        assert_eq!(audience("/flagfall.arbiter.v1.ArbiterService/Checkmate"), None);
        assert_eq!(audience("/flagfall.arbiter.v1.ArbiterService/PauseGame/"), None);
    }

    #[test]
    fn until_is_hall_time_and_nothing_else() {
        let read = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(UNTIL, value.parse().expect("a header"));
            until(&headers)
        };
        assert_eq!(until(&HeaderMap::new()).expect("none needed"), None);
        assert_eq!(read("1500").expect("a time"), Some(HallTime(1_500)));
        for bad in ["", "soon", "1.5", "99999999999999999999"] {
            assert_eq!(
                read(bad).expect_err("no time").code(),
                tonic::Code::InvalidArgument,
                "{bad}"
            );
        }
    }

    #[test]
    fn a_bearer_token_is_read_whatever_the_case_of_its_scheme() {
        let read = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(AUTHORIZATION, value.parse().expect("a header"));
            bearer(&headers).map(str::to_owned)
        };
        assert_eq!(read("Bearer abc").as_deref(), Some("abc"));
        assert_eq!(read("bearer  abc").as_deref(), Some("abc"));
        assert_eq!(read("Basic abc"), None);
        assert_eq!(read("Bearer "), None);
        assert_eq!(read("abc"), None);
    }
}

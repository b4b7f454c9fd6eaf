//! Who may do what: every call and every page, as every role and as nobody, against the table in `docs/security.md`; and what
//! else that page promises.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

use common::calls::{by as with, put_event};
use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::arbiter::v1::arbiter_service_client::ArbiterServiceClient;
use flagfall::api::proto::feed::v1 as feed;
use flagfall::api::proto::feed::v1::feed_service_client::FeedServiceClient;
use flagfall::config::Config;
use flagfall::hall::PersonRole;
use flagfall::hub::{Hub, RunningHub};
use http_body::Body as _;
use prost::Message as _;
use prost_types::{DescriptorProto, FileDescriptorSet};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tonic::Code;
use tonic::transport::Channel;
use tower::ServiceExt as _;

const PAGE: &str = include_str!("../docs/security.md");
const ROLES: [&str; 7] = [
    "nobody",
    "chief arbiter",
    "arbiter",
    "arbiter of a sector",
    "technician",
    "recorder",
    "screen",
];
const SECTORED: &str = "arbiter of a sector";
/// Not described by our own proto files.
const OPEN: [&str; 4] = [
    "/grpc.health.v1.Health/Check",
    "/grpc.health.v1.Health/Watch",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum May {
    Yes,
    No,
    Own,
}

/// The table's rows below this heading: what, and for each role whether.
fn table(heading: &str) -> BTreeMap<String, Vec<May>> {
    let (_, part) = PAGE.split_once(heading).expect("the heading is there");
    let part = part.split_once("\n## ").map_or(part, |(part, _)| part);
    let mut rows = BTreeMap::new();
    for line in part.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        match cells[0] {
            "call" | "page" => assert_eq!(cells[1..], ROLES, "the roles of the table"),
            "---" => {}
            name => {
                let may = |cell: &&str| match *cell {
                    "yes" => May::Yes,
                    "no" => May::No,
                    "own" => May::Own,
                    other => panic!("{name}: `{other}` says neither yes nor no"),
                };
                let row: Vec<May> = cells[1..].iter().map(may).collect();
                assert_eq!(row.len(), ROLES.len(), "{name}");
                assert!(rows.insert(name.to_owned(), row).is_none(), "{name} is there twice");
            }
        }
    }
    rows
}

struct House {
    hub: RunningHub,
    chief: String,
    data: TempDir,
    address: String,
}

impl House {
    /// On a listener off loopback, where screens need tokens.
    async fn open() -> House {
        let data = TempDir::new().expect("a folder");
        let mut config = common::config(data.path());
        config.listen.http = ([0, 0, 0, 0], 0).into();
        config.listen.insecure = true;
        let hub = common::start(config).await;
        let chief = hub.grant("Chief", PersonRole::ChiefArbiter).await.expect("a token");
        let address = format!("127.0.0.1:{}", hub.http_addr.port());
        House {
            hub,
            chief,
            data,
            address,
        }
    }

    async fn channel(&self) -> Channel {
        common::channel(format!("http://{}", self.address)).await
    }

    async fn admin(&self) -> AdminServiceClient<Channel> {
        AdminServiceClient::new(self.channel().await)
    }

    async fn person(&self, name: &str, role: admin::Role, sector: &str, expires_ms: Option<i64>) -> String {
        let person = admin::Person {
            name: name.to_owned(),
            role: role.into(),
            sector: sector.to_owned(),
            expires_ms,
            also: Vec::new(),
        };
        let request = admin::AddPersonRequest {
            request_id: format!("person-{}", name.replace(' ', "-")),
            person: Some(person),
        };
        let answer = self.admin().await.add_person(with(&self.chief, request)).await;
        answer.expect("added").into_inner().token
    }

    async fn revoke(&self, name: &str) {
        let request = admin::RevokePersonRequest {
            request_id: format!("revoke-{name}"),
            name: name.to_owned(),
        };
        let answer = self.admin().await.revoke_person(with(&self.chief, request)).await;
        answer.expect("revoked");
    }

    /// Tables 1 in sector A and 2 in sector B, each with a clock, a game begun at both.
    async fn play(&self) {
        let mut admin = self.admin().await;
        let event = admin::Event {
            id: "open".to_owned(),
            name: "Open".to_owned(),
            ..Default::default()
        };
        put_event(self.channel().await, &self.chief, event).await;
        let csv = "table,white,black,board_kind\n1,A,B,none\n2,C,D,none\n".to_owned();
        let request = admin::PutRoundRequest {
            request_id: "round".to_owned(),
            event: "open".to_owned(),
            number: 1,
            time_control: "90m+30s".to_owned(),
            source: Some(admin::put_round_request::Source::Csv(csv)),
            validate_only: false,
        };
        admin.put_round(with(&self.chief, request)).await.expect("the round");
        for (number, sector) in [(1, "A"), (2, "B")] {
            let request = admin::PutTableRequest {
                request_id: format!("table-{number}"),
                table: number,
                sector: Some(sector.to_owned()),
                ..Default::default()
            };
            admin.put_table(with(&self.chief, request)).await.expect("the table");
            let id = format!("clock-{number}");
            let request = admin::AddDeviceRequest {
                request_id: id.clone(),
                id: id.clone(),
                kind: admin::DeviceKind::Clock.into(),
                speaks_for: vec![],
            };
            admin.add_device(with(&self.chief, request)).await.expect("the clock");
            let request = admin::BindDeviceRequest {
                request_id: format!("bind-{number}"),
                device: id,
                table: number,
                as_clock: true,
                white_side: admin::Side::Left.into(),
                ..Default::default()
            };
            admin.bind_device(with(&self.chief, request)).await.expect("bound");
        }
        let request = arbiter::ArmRoundRequest {
            request_id: "arm".to_owned(),
            event: "open".to_owned(),
            round: 1,
        };
        let mut arbiters = ArbiterServiceClient::new(self.channel().await);
        arbiters.arm_round(with(&self.chief, request)).await.expect("armed");
    }
}

/// A method, and its request's fields.
struct Method {
    path: String,
    request: DescriptorProto,
}

impl Method {
    /// `AdminService/GetHall`.
    fn name(&self) -> &str {
        let service = self.path.rfind('/').expect("a method's path");
        let package = self.path[..service].rfind('.').expect("a package");
        &self.path[package + 1..]
    }

    /// A request about this table and what stands at it, as far as the request has such fields.
    fn about(&self, id: &str, table: u32) -> Vec<u8> {
        let mut message = Vec::new();
        for field in self.request.field.iter().filter(|field| field.type_name.is_none()) {
            let number = field.number.expect("a number");
            let text: Option<String> = match field.name() {
                "request_id" => Some(id.to_owned()),
                "device" | "old_device" => Some(format!("clock-{table}")),
                "new_device" => Some("spare".to_owned()),
                "event" => Some("open".to_owned()),
                _ => None,
            };
            let value: Option<u64> = match field.name() {
                "table" | "tables" => Some(table.into()),
                "round" | "as_clock" => Some(1),
                _ => None,
            };
            if let Some(text) = text {
                prost::encoding::string::encode(number as u32, &text, &mut message);
            } else if let Some(value) = value {
                prost::encoding::uint64::encode(number as u32, &value, &mut message);
            }
        }
        message
    }
}

/// Every method that there is.
fn methods() -> Vec<Method> {
    let set = FileDescriptorSet::decode(flagfall::api::proto::DESCRIPTORS).expect("descriptors");
    let messages: BTreeMap<String, DescriptorProto> = set
        .file
        .iter()
        .flat_map(|file| {
            let name = |message: &DescriptorProto| format!(".{}.{}", file.package(), message.name());
            file.message_type
                .iter()
                .map(move |message| (name(message), message.clone()))
        })
        .collect();
    let mut methods = Vec::new();
    for file in &set.file {
        for service in &file.service {
            for method in &service.method {
                methods.push(Method {
                    path: format!("/{}.{}/{}", file.package(), service.name(), method.name()),
                    request: messages[method.input_type()].clone(),
                });
            }
        }
    }
    methods.extend(OPEN.iter().map(|path| Method {
        path: (*path).to_owned(),
        request: DescriptorProto::default(),
    }));
    methods
}

/// Calls, and says the status; of a stream that begins well, that it does. With the answer's first message.
async fn call(channel: &Channel, path: &str, token: Option<&str>, message: &[u8]) -> (Code, Vec<u8>) {
    let mut framed = vec![0];
    framed.extend(u32::try_from(message.len()).expect("short").to_be_bytes());
    framed.extend(message);
    let mut request = http::Request::post(format!("http://hub{path}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
        .body(tonic::body::Body::new(axum::body::Body::from(framed)))
        .expect("a request");
    if let Some(token) = token {
        let value = format!("Bearer {token}").parse().expect("a header");
        request.headers_mut().insert("authorization", value);
    }
    let answer = channel.clone().oneshot(request).await.expect("answers");
    let status = |headers: &http::HeaderMap| {
        let text = headers.get("grpc-status")?.to_str().ok()?.to_owned();
        Some(Code::from(text.parse::<i32>().expect("a number")))
    };
    if let Some(code) = status(answer.headers()) {
        return (code, Vec::new());
    }
    let mut body = std::pin::pin!(answer.into_body());
    let mut first = Vec::new();
    let wait = async {
        loop {
            let frame = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await;
            let Some(frame) = frame else { return Code::Unknown };
            match frame.expect("a frame").into_data() {
                Ok(data) => {
                    // A refusal is in the trailers of an answer without messages.
                    first.extend_from_slice(&data);
                    if first.len() >= 5 {
                        return Code::Ok;
                    }
                }
                Err(frame) => {
                    let trailers = frame.into_trailers().unwrap_or_default();
                    return status(&trailers).unwrap_or(Code::Unknown);
                }
            }
        }
    };
    // A stream that is silent and open is one that is allowed.
    let code = tokio::time::timeout(Duration::from_secs(3), wait)
        .await
        .unwrap_or(Code::Ok);
    (code, first.split_off(first.len().min(5)))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_is_allowed_exactly_as_the_page_says() {
    let house = House::open().await;
    house.play().await;
    let mut tokens: BTreeMap<&str, Vec<Option<String>>> = BTreeMap::new();
    let expired = house.person("late", admin::Role::ChiefArbiter, "", Some(1)).await;
    let revoked = house.person("gone", admin::Role::ChiefArbiter, "", None).await;
    house.revoke("gone").await;
    let guessed = "0".repeat(64);
    tokens.insert("nobody", vec![None, Some(guessed), Some(expired), Some(revoked)]);
    tokens.insert("chief arbiter", vec![Some(house.chief.clone())]);
    for (name, role, sector) in [
        ("arbiter", admin::Role::Arbiter, ""),
        (SECTORED, admin::Role::Arbiter, "A"),
        ("technician", admin::Role::Technician, ""),
        ("recorder", admin::Role::Recorder, ""),
        ("screen", admin::Role::Screen, ""),
    ] {
        tokens.insert(name, vec![Some(house.person(name, role, sector, None).await)]);
    }

    let page = table("## Calls");
    let mut left: BTreeSet<String> = page.keys().cloned().collect();
    let channel = house.channel().await;
    let mut wrong = Vec::new();
    let mut done: BTreeMap<String, &str> = BTreeMap::new();
    for method in methods() {
        let name = method.name();
        left.remove(name);
        let Some(row) = page.get(name) else {
            wrong.push(format!("{name} is not in docs/security.md"));
            continue;
        };
        // The one with the least rights comes first: what he must not do has then not been done by another.
        for (at, role) in ROLES.iter().enumerate().rev() {
            for (nth, token) in tokens[role].iter().enumerate() {
                let id = format!("matrix-{name}-{role}-{nth}").replace(' ', "-");
                let changes = method.request.field.iter().any(|field| field.name() == "request_id");
                let (code, answer) = call(&channel, &method.path, token.as_deref(), &method.about(&id, 1)).await;
                let refused = if *role == "nobody" {
                    code == Code::Unauthenticated
                } else {
                    code == Code::PermissionDenied
                };
                if refused != (row[at] == May::No) {
                    wrong.push(format!("{name} as {role}: {code:?}, and the page says {:?}", row[at]));
                }
                // A round that is not over, or that another has called before, is answered table by table, and nothing is done.
                let nothing_done =
                    name == "ArbiterService/EndRound" || (name == "ArbiterService/StartRound" && *role != SECTORED);
                if changes && code == Code::Ok && !nothing_done {
                    done.insert(id.clone(), role);
                }
                if row[at] != May::Own {
                    continue;
                }
                assert_eq!(*role, SECTORED, "{name}");
                let (code, others) = call(
                    &channel,
                    &method.path,
                    token.as_deref(),
                    &method.about(&format!("{id}-B"), 2),
                )
                .await;
                let kept_out = match name {
                    "ArbiterService/PauseTables" | "ArbiterService/ResumeTables" => {
                        // Both answers are of one shape.
                        let answers = arbiter::PauseTablesResponse::decode(&others[..])
                            .expect("answers")
                            .answers;
                        answers.iter().all(|answer| match &answer.answer {
                            Some(arbiter::table_answer::Answer::Refused(refusal)) => {
                                refusal.reason() == arbiter::ErrorReason::NotAllowed
                            }
                            _ => false,
                        }) && answers.len() == 1
                    }
                    "ArbiterService/ListTables" => {
                        let shown = arbiter::ListTablesResponse::decode(&answer[..]).expect("tables").tables;
                        shown.len() == 1 && shown[0].sector == "A"
                    }
                    // Looked at below, and by the API's own tests.
                    "ArbiterService/WatchTables" | "ArbiterService/ListNotices" | "ArbiterService/WatchNotices" => true,
                    _ => code == Code::PermissionDenied,
                };
                if !kept_out {
                    wrong.push(format!("{name} as {role}, at a table of another sector: {code:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(left.is_empty(), "no such call: {left:?}");
    assert!(done.len() > 10, "{done:?}");

    // Every one that was done is in the journal, with its author.
    house.hub.stop().await;
    let mut authors: BTreeMap<String, String> = BTreeMap::new();
    let mut lines = Vec::new();
    let filter = flagfall::store::ShowFilter {
        table: None,
        game: None,
        from: 1,
        json: true,
    };
    flagfall::store::show(house.data.path(), &filter, &mut lines).expect("shown");
    for line in String::from_utf8(lines).expect("text").lines() {
        let entry: serde_json::Value = serde_json::from_str(line).expect("JSON");
        if let (Some(id), Some(author)) = (entry["request"]["id"].as_str(), entry["request"]["author"].as_str()) {
            authors.insert(id.to_owned(), author.to_owned());
        }
    }
    for (id, role) in done {
        let author = if role == "chief arbiter" { "Chief" } else { role };
        // What is done at several tables has an entry at each, under an id made from the call's.
        let found = authors.iter().find(|(known, _)| {
            known
                .strip_prefix(&id)
                .is_some_and(|rest| matches!(rest, "" | "/1" | " 1"))
        });
        assert_eq!(found.map(|(_, author)| author.as_str()), Some(author), "{id}");
    }
}

/// Every route of `src/web`, as its source names it, so that a new one without a row fails.
fn routes() -> Vec<(String, String)> {
    fn below(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                below(&path, found);
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("a source");
            for part in source.split(".route(").skip(1) {
                let Some((route, rest)) = part
                    .trim_start()
                    .strip_prefix('"')
                    .and_then(|rest| rest.split_once('"'))
                else {
                    continue;
                };
                // `get(…)`, `axum::routing::any(…)`.
                let method = rest
                    .trim_start_matches([',', ' ', '\n'])
                    .split('(')
                    .next()
                    .unwrap_or_default();
                let method = method.rsplit("::").next().unwrap_or_default();
                let method = if method == "any" { "get" } else { method };
                found.push((method.to_uppercase(), route.to_owned()));
            }
        }
    }
    let mut found = Vec::new();
    below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web"), &mut found);
    found.sort();
    found.dedup();
    found
}

/// The files that pages are made of.
fn files() -> Vec<String> {
    let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web/assets.rs"));
    let source = source.expect("the source");
    let (_, list) = source.split_once("ALL: &[Asset]").expect("the list");
    let (list, _) = list.split_once("};").expect("its end");
    let paths = list
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.split_once('"').map(|(path, _)| path));
    paths
        .filter(|path| !path.ends_with(".html"))
        .map(str::to_owned)
        .collect()
}

struct Said {
    status: u16,
    headers: Vec<(String, String)>,
}

impl Said {
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// One HTTP/1.1 request, and as much of the answer as comes within a moment.
async fn http(address: &str, method: &str, path: &str, headers: &[(&str, &str)]) -> Said {
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("connects");
    let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        request += &format!("Host: {address}\r\n");
    }
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    request += "Content-Length: 0\r\n\r\n";
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    // A feed never ends.
    let read = async {
        while !answer.windows(4).any(|four| four == b"\r\n\r\n") {
            if stream.read_buf(&mut answer).await.expect("read") == 0 {
                break;
            }
        }
        let _ = tokio::time::timeout(Duration::from_millis(200), stream.read_to_end(&mut answer)).await;
    };
    tokio::time::timeout(Duration::from_secs(10), read)
        .await
        .expect("answers");
    let text = String::from_utf8_lossy(&answer).into_owned();
    let (head, _) = text.split_once("\r\n\r\n").expect("a head");
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
    Said {
        status: status.expect("a status"),
        headers: lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_allowed_exactly_as_the_page_says() {
    let house = House::open().await;
    let mut tokens: Vec<Option<String>> = vec![None, Some(house.chief.clone())];
    for (name, role, sector) in [
        ("arbiter", admin::Role::Arbiter, ""),
        (SECTORED, admin::Role::Arbiter, "A"),
        ("technician", admin::Role::Technician, ""),
        ("recorder", admin::Role::Recorder, ""),
        ("screen", admin::Role::Screen, ""),
    ] {
        tokens.push(Some(house.person(name, role, sector, None).await));
    }
    let page = table("## Pages");
    let mut left: BTreeSet<String> = page.keys().cloned().collect();
    let mut asked: Vec<(String, String, String)> = routes()
        .into_iter()
        .map(|(method, path)| {
            (
                format!("{method} {path}"),
                method,
                path.replace("{n}", "1").replace("{table}", "1"),
            )
        })
        .collect();
    let files = files();
    assert!(files.len() > 20, "{files:?}");
    asked.extend(
        files
            .into_iter()
            .map(|file| ("GET files of the pages".to_owned(), "GET".to_owned(), file)),
    );
    let mut wrong = Vec::new();
    for (row, method, path) in asked {
        left.remove(&row);
        let Some(may) = page.get(&row) else {
            wrong.push(format!("{row} is not in docs/security.md"));
            continue;
        };
        for (at, token) in tokens.iter().enumerate() {
            let bearer = token.as_ref().map(|token| format!("Bearer {token}"));
            let headers: Vec<(&str, &str)> = bearer.iter().map(|value| ("Authorization", value.as_str())).collect();
            let said = http(&house.address, &method, &path, &headers).await;
            let refused = matches!(said.status, 401 | 403);
            if refused != (may[at] == May::No) || said.status == 404 {
                wrong.push(format!(
                    "{method} {path} as {}: {}, and the page says {:?}",
                    ROLES[at], said.status, may[at]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(left.is_empty(), "no such page: {left:?}");
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::disallowed_methods, reason = "measures how soon")]
async fn a_revoked_token_ends_its_streams_at_once() {
    let house = House::open().await;
    house.play().await;
    let anna = house.person("Anna", admin::Role::Arbiter, "", None).await;
    let mut arbiters = ArbiterServiceClient::new(house.channel().await);
    let request = arbiter::WatchTablesRequest::default();
    let tables = arbiters.watch_tables(with(&anna, request)).await.expect("watches");
    let request = arbiter::WatchNoticesRequest::default();
    let notices = arbiters.watch_notices(with(&anna, request)).await.expect("watches");
    let mut feeds = FeedServiceClient::new(house.channel().await);
    let request = feed::WatchHallRequest::default();
    let hall = feeds.watch_hall(with(&anna, request)).await.expect("watches");
    let mut sse = tokio::net::TcpStream::connect(&house.address).await.expect("connects");
    let request = format!(
        "GET /api/hall/feed HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {anna}\r\n\r\n",
        house.address
    );
    sse.write_all(request.as_bytes()).await.expect("sent");

    /// Reads to the end, and says how it was.
    async fn ended<M: Send + 'static>(mut stream: tonic::Streaming<M>) -> Code {
        loop {
            match stream.message().await {
                Ok(Some(_)) => {}
                Ok(None) => return Code::Ok,
                Err(status) => return status.code(),
            }
        }
    }
    let streams: [Pin<Box<dyn Future<Output = Code> + Send>>; 3] = [
        Box::pin(ended(tables.into_inner())),
        Box::pin(ended(notices.into_inner())),
        Box::pin(ended(hall.into_inner())),
    ];
    let streams = streams.map(tokio::spawn);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(streams.iter().all(|stream| !stream.is_finished()));

    house.revoke("Anna").await;
    let revoked = std::time::Instant::now();
    for stream in streams {
        let code = tokio::time::timeout(Duration::from_secs(2), stream)
            .await
            .expect("at once")
            .expect("reads");
        assert_eq!(code, Code::Unauthenticated);
    }
    let mut rest = Vec::new();
    // The connection may be used again; the feed's last chunk says that it is over.
    let over = async {
        while !rest.ends_with(b"0\r\n\r\n") {
            assert_ne!(sse.read_buf(&mut rest).await.expect("read"), 0, "closed before its end");
        }
    };
    tokio::time::timeout(Duration::from_secs(2), over)
        .await
        .expect("at once");
    assert!(revoked.elapsed() < Duration::from_secs(1), "{:?}", revoked.elapsed());
    let again = http(
        &house.address,
        "GET",
        "/api/hall/feed",
        &[("Authorization", &format!("Bearer {anna}"))],
    )
    .await;
    assert_eq!(again.status, 401);
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_when_its_token_expires() {
    let house = House::open().await;
    let end = flagfall::hall::clock::wall_ms() + 1_200;
    let lobby = house.person("lobby", admin::Role::Screen, "", Some(end)).await;
    let mut feeds = FeedServiceClient::new(house.channel().await);
    let request = feed::WatchHallRequest::default();
    let mut hall = feeds
        .watch_hall(with(&lobby, request))
        .await
        .expect("watches")
        .into_inner();
    let ended = async {
        loop {
            if let Err(status) = hall.message().await.map(|message| message.expect("not without a word")) {
                return status;
            }
        }
    };
    let status = tokio::time::timeout(Duration::from_secs(4), ended).await.expect("ends");
    assert_eq!(status.code(), Code::Unauthenticated);
    assert!(flagfall::hall::clock::wall_ms() >= end);
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_shuts_out_what_is_guessed_and_nothing_that_is_valid() {
    let house = House::open().await;
    let mut admin = house.admin().await;
    let mut messages = BTreeSet::new();
    for _ in 0..30 {
        let refused = admin
            .get_hall(with("guessed", admin::GetHallRequest {}))
            .await
            .expect_err("wrong");
        assert_eq!(refused.code(), Code::Unauthenticated);
        messages.insert(refused.message().to_owned());
        let good = admin.get_hall(with(&house.chief, admin::GetHallRequest {})).await;
        good.expect("a valid token is never shut out");
    }
    assert!(
        messages.iter().any(|message| message.contains("refused too often")),
        "{messages:?}"
    );
    let wrong = [("Authorization", "Bearer guessed")];
    assert_eq!(
        http(&house.address, "GET", "/api/hall/tables", &wrong).await.status,
        429
    );
    let other = [("Authorization", "Bearer another")];
    assert_eq!(
        http(&house.address, "GET", "/api/hall/tables", &other).await.status,
        401
    );
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn browsers_are_answered_for_our_own_pages_only() {
    let house = House::open().await;
    let grpc_web = "/flagfall.admin.v1.AdminService/GetHall";
    let bearer = format!("Bearer {}", house.chief);
    let web = ("Content-Type", "application/grpc-web+proto");
    let own = format!("http://{}", house.address);
    for path in ["/arbiter", "/hall", "/api/hall/tables", "/arbiter/console.js", grpc_web] {
        let method = if path == grpc_web { "POST" } else { "GET" };
        let ask = |extra: Vec<(&'static str, String)>| {
            let (address, bearer) = (house.address.clone(), bearer.clone());
            async move {
                let mut headers = vec![("Authorization", bearer.as_str()), web];
                headers.extend(extra.iter().map(|(name, value)| (*name, value.as_str())));
                http(&address, method, path, &headers).await
            }
        };
        let said = ask(vec![("Origin", own.clone())]).await;
        assert_eq!(said.status, 200, "{path}");
        let policy = said.header("content-security-policy").expect("a policy");
        for part in [
            "default-src 'none'".to_owned(),
            "script-src 'self'".to_owned(),
            "frame-ancestors 'none'".to_owned(),
            format!("connect-src 'self' ws://{0} wss://{0}", house.address),
        ] {
            assert!(
                policy.split(';').any(|rule| rule.trim() == part),
                "{path}: {part} is not in {policy}"
            );
        }
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        assert_eq!(said.header("x-frame-options"), Some("DENY"), "{path}");
        assert_eq!(said.header("referrer-policy"), Some("no-referrer"), "{path}");
        assert_eq!(said.header("x-content-type-options"), Some("nosniff"), "{path}");

        for origin in ["https://evil.example", "null"] {
            let said = ask(vec![("Origin", origin.to_owned())]).await;
            assert_eq!(said.status, 403, "{path} for a page of {origin}");
            assert_eq!(said.header("access-control-allow-origin"), None, "{path}");
        }
        let said = ask(vec![("Host", "evil.example".to_owned())]).await;
        assert_eq!(said.status, 421, "{path} by a strange name");
        let preflight = [
            ("Origin", "https://evil.example"),
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "authorization"),
        ];
        let said = http(&house.address, "OPTIONS", path, &preflight).await;
        assert_ne!(said.status, 200, "{path}");
        assert!(
            !said.headers.iter().any(|(name, _)| name.starts_with("access-control")),
            "{path}"
        );
    }
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn data_files_are_their_owners_alone_and_an_export_holds_no_credential() {
    let house = House::open().await;
    house.play().await;
    let anna = house.person("Anna", admin::Role::Arbiter, "", None).await;
    let registry = house.hub.handle.registry();
    house.hub.stop().await;

    fn look(folder: &Path, files: &mut usize) {
        let mode = |path: &Path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(folder), 0o700, "{}", folder.display());
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                look(&path, files);
            } else {
                assert_eq!(mode(&path), 0o600, "{}", path.display());
                *files += 1;
            }
        }
    }
    let mut files = 0;
    look(house.data.path(), &mut files);
    assert!(files > 3, "{files}");

    let file = house.data.path().join("open.event");
    let done = std::process::Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .args(["event", "export", "open"])
        .arg(&file)
        .arg("--data")
        .arg(house.data.path())
        .output()
        .expect("runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = std::process::Command::new("zcat")
        .arg(&file)
        .output()
        .expect("zcat")
        .stdout;
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("\"open\""));
    let mut secrets = vec![anna.clone(), house.chief.clone()];
    secrets.extend(registry.people.values().map(|person| person.token_sha256.clone()));
    for device in registry.devices.values() {
        secrets.push(device.credential.sha256.clone());
        secrets.push(device.credential.mosquitto.clone());
    }
    assert!(secrets.len() > 5);
    for secret in secrets {
        assert!(!text.contains(&secret), "a credential is in the export");
    }
}

#[test]
fn no_token_stands_in_the_log_however_much_of_ours_is_logged() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    let data = TempDir::new().expect("a folder");
    let flagfall = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
        command.env("XDG_CONFIG_HOME", data.path().join("home"));
        command
    };
    let said = |command: &mut Command| {
        String::from_utf8_lossy(&command.output().expect("runs").stdout)
            .trim()
            .to_owned()
    };
    let hall = data.path().join("hall");
    let token = said(flagfall().args(["token", "first", "--data"]).arg(&hall));
    assert_eq!(token.len(), 64, "{token}");
    let mut hub = flagfall()
        .args(["serve", "--http", "127.0.0.1:0", "--mqtt", "127.0.0.1:0", "--data"])
        .arg(&hall)
        .env("FLAGFALL_LOG_FILTER", "flagfall=trace,info")
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    let (told, lines) = std::sync::mpsc::channel();
    let reader = BufReader::new(hub.stderr.take().expect("piped"));
    std::thread::spawn(move || {
        for line in reader.lines().map_while(Result::ok) {
            let _ = told.send(line);
        }
    });
    let mut log = Vec::new();
    let address = loop {
        let line = lines.recv_timeout(Duration::from_secs(20)).expect("the hub opens");
        log.push(line.clone());
        if let Some((_, rest)) = line.split_once("http=127.0.0.1:") {
            break format!("http://127.0.0.1:{}", rest.split(' ').next().expect("a port"));
        }
    };
    let call = |token: &str, words: &[&str]| {
        said(
            flagfall()
                .args(words)
                .args(["--hub", &address])
                .env("FLAGFALL_TOKEN", token),
        )
    };
    let given = call(&token, &["person", "add", "Anna", "--role", "arbiter", "--json"]);
    let given: serde_json::Value = serde_json::from_str(&given).expect("JSON");
    let anna = given["token"].as_str().expect("a token").to_owned();
    call(&anna, &["arbiter", "list"]);
    let guessed = "f".repeat(64);
    for _ in 0..12 {
        call(&guessed, &["arbiter", "list"]);
    }
    call(&token, &["person", "revoke", "Anna"]);
    call(&anna, &["arbiter", "list"]);
    let stop = Command::new("kill")
        .args(["-TERM", &hub.id().to_string()])
        .status()
        .expect("told");
    assert!(stop.success());
    hub.wait().expect("ends");
    log.extend(lines.iter());
    let log = log.join("\n");
    assert!(log.contains("a token was refused"), "{log}");
    assert_eq!(
        log.matches("a token was refused").count(),
        3,
        "two for the guess, one for the void one: {log}"
    );
    for token in [&token, &anna, &guessed] {
        assert!(!log.contains(token.as_str()), "{log}");
    }
}

/// To the public nobody shows a token, and nothing is served for which one would be needed.
#[tokio::test(flavor = "multi_thread")]
async fn the_public_is_served_what_the_page_lists_and_nothing_else() {
    let data = TempDir::new().expect("a folder");
    let mut config = Config::default();
    config.hall.data = data.path().to_owned();
    config.listen.http = ([127, 0, 0, 1], 0).into();
    config.mqtt.listen = ([127, 0, 0, 1], 0).into();
    config.public.listen = Some(([127, 0, 0, 1], 0).into());
    let hub = Hub::start(config).await.expect("the hub starts");
    let chief = hub.grant("Chief", PersonRole::ChiefArbiter).await.expect("a token");
    let (_, part) = PAGE.split_once("\n## The public\n").expect("the heading is there");
    let part = part.split_once("\n## ").map_or(part, |(part, _)| part);
    let rows = part.lines().filter_map(|line| line.strip_prefix("| "));
    let listed: BTreeSet<&str> = rows
        .filter_map(|row| row.split(" |").next())
        .filter(|cell| !matches!(*cell, "served to the public" | "---"))
        .collect();
    let served = flagfall::web::public::PATHS.iter().map(|path| format!("GET {path}"));
    let mut served: BTreeSet<String> = served.collect();
    served.insert("GET files of the page".to_owned());

    let address = format!("http://{}", hub.public_addr.expect("served"));
    let channel = Channel::from_shared(address.clone())
        .expect("an address")
        .connect()
        .await;
    let channel = channel.expect("connects");
    for method in methods() {
        for token in [None, Some(chief.as_str())] {
            let (code, _) = call(&channel, &method.path, token, &method.about("public", 1)).await;
            // What is not served at all is answered without a status of gRPC.
            if code != Code::Unknown && code != Code::Unimplemented {
                served.insert(method.name().to_owned());
            }
        }
    }
    let served: BTreeSet<&str> = served.iter().map(String::as_str).collect();
    assert_eq!(served, listed);
    hub.stop().await;
}

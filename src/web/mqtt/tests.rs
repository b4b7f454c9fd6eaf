//! A real client and a real broker, over a real socket.

use std::net::SocketAddr;

use futures::{SinkExt as _, StreamExt as _};
use tokio::net::TcpListener;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::*;
use crate::device::broker;
use crate::device::permit::Credentials;
use crate::hall::credential::SALT_BYTES;
use crate::hall::model::{Credential, Device, DeviceKind, Registry};
use crate::web::tests::hall;
use crate::web::{Screens, Serving, routes};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

const SOON: Duration = Duration::from_secs(10);

/// A hall with the clocks `one` and `two`, its broker, and its pages' port.
async fn open(known: &[&str]) -> (broker::Broker, SocketAddr, CancellationToken) {
    let credentials = Credentials::new("test".parse().expect("a name"), "hub's".to_owned());
    let mut registry = Registry::default();
    for name in ["one", "two"] {
        let id: DeviceId = name.parse().expect("an id");
        let credential = Credential::of(&format!("{name}'s"), [0; SALT_BYTES]);
        credentials.set(id.clone(), credential.clone(), vec![]);
        if known.contains(&name) {
            let device = Device {
                id: id.clone(),
                kind: DeviceKind::Clock,
                speaks_for: vec![],
                credential,
                bound_to: None,
            };
            registry.devices.insert(id, device);
        }
    }
    let listen = SocketAddr::from(([127, 0, 0, 1], 0));
    let broker = tokio::task::spawn_blocking(move || broker::Broker::start(listen, credentials))
        .await
        .expect("joins")
        .expect("listens");
    let hall = hall();
    hall.set_registry(Arc::new(registry));
    let stop = CancellationToken::new();
    let serving = Serving {
        names: Vec::new(),
        screens: Screens::Open,
        secure: false,
        metrics: Arc::new(String::new),
        mqtt: Some(Broker::at("127.0.0.1".to_owned(), broker.addr().port(), stop.clone())),
    };
    let listener = TcpListener::bind(listen).await.expect("a free port");
    let addr = listener.local_addr().expect("an address");
    let router = routes(hall, serving);
    tokio::spawn(async move { axum::serve(listener, router).await });
    (broker, addr, stop)
}

async fn socket(addr: SocketAddr, headers: &[(&'static str, &str)]) -> Result<Socket, Error> {
    let mut request = format!("ws://{addr}/mqtt").into_client_request()?;
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse()?);
    }
    connect_async(request).await.map(|(socket, _)| socket)
}

fn field(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u16).to_be_bytes(), bytes].concat()
}

fn packet(kind: u8, body: &[u8]) -> Message {
    assert!(body.len() < 128, "short packets only");
    Message::binary([&[kind, body.len() as u8][..], body].concat())
}

async fn said(socket: &mut Socket) -> Option<Vec<u8>> {
    let next = timeout(SOON, socket.next()).await.expect("an answer, or the end");
    match next?.ok()? {
        Message::Binary(bytes) => Some(bytes.to_vec()),
        Message::Close(_) => None,
        other => panic!("{other:?}"),
    }
}

/// Logs in by MQTT 3.1.1; what is answered.
async fn login(addr: SocketAddr, client: &str, user: &str, secret: &str) -> (Socket, Option<Vec<u8>>) {
    let own = format!("http://{addr}");
    let mut socket = socket(addr, &[("sec-websocket-protocol", "mqtt"), ("origin", &own)])
        .await
        .expect("is let in");
    let body = [
        &field(b"MQTT")[..],
        &[4, 0xc2, 0, 15],
        &field(client.as_bytes()),
        &field(user.as_bytes()),
        &field(secret.as_bytes()),
    ]
    .concat();
    // In two frames, as the protocol allows.
    let Message::Binary(whole) = packet(0x10, &body) else {
        unreachable!("it was made binary")
    };
    for part in [whole.slice(..5), whole.slice(5..)] {
        socket.send(Message::Binary(part)).await.expect("sent");
    }
    let answer = said(&mut socket).await;
    (socket, answer)
}

async fn subscribe(socket: &mut Socket, topic: &str) -> Option<u8> {
    let body = [&[0, 1][..], &field(topic.as_bytes()), &[1]].concat();
    socket.send(packet(0x82, &body)).await.expect("sent");
    said(socket).await.and_then(|answer| answer.last().copied())
}

async fn publish(socket: &mut Socket, topic: &str, payload: &[u8]) {
    let body = [&field(topic.as_bytes())[..], &[0, 7], payload].concat();
    socket.send(packet(0x32, &body)).await.expect("sent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_gets_through_to_its_own_topics_and_to_no_others() {
    let (broker, addr, stop) = open(&["one", "two"]).await;
    let (mut one, answer) = login(addr, "one", "one", "one's").await;
    assert_eq!(answer, Some(vec![0x20, 2, 0, 0]), "let in");
    assert_eq!(subscribe(&mut one, "flagfall/v1/test/one/report").await, Some(1));
    assert_eq!(subscribe(&mut one, "flagfall/v1/test/two/order").await, Some(0x80));
    assert_eq!(subscribe(&mut one, "#").await, Some(0x80));

    let (mut two, _) = login(addr, "two", "two", "two's").await;
    // Another's topic first: of the two only its owner's own word arrives.
    publish(&mut two, "flagfall/v1/test/one/report", b"forged").await;
    assert_eq!(said(&mut two).await.expect("acknowledged")[0], 0x40);
    publish(&mut one, "flagfall/v1/test/one/report", b"true").await;
    let mut heard = Vec::new();
    while !heard.ends_with(b"true") {
        heard.extend(said(&mut one).await.expect("goes on"));
    }
    assert!(!heard.windows(6).any(|bytes| bytes == b"forged"), "{heard:?}");

    stop.cancel();
    assert_eq!(said(&mut one).await, None, "ends with the hub");
    tokio::task::spawn_blocking(move || broker.stop()).await.expect("stops");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_else_reaches_the_broker() {
    let (broker, addr, _stop) = open(&["one"]).await;
    let refused = Some(vec![0x20, 2, 0, 4]);
    for (client, user, secret) in [
        ("one", "one", "two's"),
        ("other", "one", "one's"),
        // The broker would take these two.
        ("hub", "hub", "hub's"),
        ("two", "two", "two's"),
    ] {
        let (mut socket, answer) = login(addr, client, user, secret).await;
        assert_eq!(answer, refused, "{client}");
        assert_eq!(said(&mut socket).await, None);
    }
    let status = |error: Result<Socket, Error>| match error {
        Err(Error::Http(answer)) => answer.status().as_u16(),
        other => panic!("{other:?}"),
    };
    let mqtt = ("sec-websocket-protocol", "mqtt");
    assert_eq!(
        status(socket(addr, &[mqtt, ("origin", "http://evil.example")]).await),
        403
    );
    assert_eq!(status(socket(addr, &[mqtt, ("host", "evil.example")]).await), 421);
    assert_eq!(status(socket(addr, &[]).await), 400);
    let own = format!("http://{addr}");
    let mut noise = socket(addr, &[mqtt, ("origin", &own)]).await.expect("is let in");
    noise
        .send(Message::binary(b"GET / HTTP/1.1".to_vec()))
        .await
        .expect("sent");
    assert_eq!(said(&mut noise).await, None);
    tokio::task::spawn_blocking(move || broker.stop()).await.expect("stops");
}

/// A broker that lets everybody in, and says nothing more.
async fn silent_broker() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut bytes = [0; 1024];
                while let Ok(1..) = stream.read(&mut bytes).await {
                    if stream.write_all(&[0x20, 3, 0, 0, 0]).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    port
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_is_told_that_its_device_was_opened_elsewhere_whatever_the_broker_says() {
    let hall = hall();
    let mut registry = Registry::default();
    let id: DeviceId = "one".parse().expect("an id");
    let device = Device {
        id: id.clone(),
        kind: DeviceKind::Clock,
        speaks_for: vec![],
        credential: Credential::of("one's", [0; SALT_BYTES]),
        bound_to: None,
    };
    registry.devices.insert(id, device);
    hall.set_registry(Arc::new(registry));
    let stop = CancellationToken::new();
    let serving = Serving {
        names: Vec::new(),
        screens: Screens::Open,
        secure: false,
        metrics: Arc::new(String::new),
        mqtt: Some(Broker::at("127.0.0.1".to_owned(), silent_broker().await, stop.clone())),
    };
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let addr = listener.local_addr().expect("an address");
    let router = routes(hall, serving);
    tokio::spawn(async move { axum::serve(listener, router).await });
    let own = format!("http://{addr}");
    let hello = [
        &field(b"MQTT")[..],
        &[5, 0xc2, 0, 15, 0],
        &field(b"one"),
        &field(b"one"),
        &field(b"one's"),
    ]
    .concat();
    let mut pages = Vec::new();
    for _ in 0..2 {
        let mut page = socket(addr, &[("sec-websocket-protocol", "mqtt"), ("origin", &own)])
            .await
            .expect("is let in");
        page.send(packet(0x10, &hello)).await.expect("sent");
        assert_eq!(said(&mut page).await, Some(vec![0x20, 3, 0, 0, 0]));
        pages.push(page);
    }
    assert_eq!(said(&mut pages[0]).await, Some(vec![0xe0, 2, 0x8e, 0]), "taken over");
    assert_eq!(said(&mut pages[0]).await, None);
    // The other one stays.
    pages[1].send(packet(0xc0, &[])).await.expect("sent");
    assert!(said(&mut pages[1]).await.is_some());
    stop.cancel();
}

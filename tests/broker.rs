//! What a hall asks of its MQTT broker, tried from outside on the embedded one and on Debian's mosquitto with the files that
//! `flagfall device acl` writes.
#![expect(clippy::disallowed_methods, reason = "waits for real programs")]

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use flagfall::device::acl;
use flagfall::device::broker::Broker;
use flagfall::device::link::{Link, LinkConfig, LinkEvent};
use flagfall::device::permit::Credentials;
use flagfall::device::topics::{DeviceId, Down, HallId, Topic, Up};
use flagfall::hall::credential::SALT_BYTES;
use flagfall::hall::model::{Credential, Device, DeviceKind};
use rumqttc::{AsyncClient, Event, LastWill, MqttOptions, Packet, Publish, QoS, SubscribeReasonCode};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Long enough for a busy machine.
const SOON: Duration = Duration::from_secs(20);
/// So long nothing may come.
const QUIET: Duration = Duration::from_millis(400);

const DEVICES: [&str; 4] = ["a", "b", "gate", "g-1"];

fn id(name: &str) -> DeviceId {
    name.parse().expect("an id")
}

fn hall_id() -> HallId {
    "main".parse().expect("a name")
}

fn topic(rest: &str) -> String {
    format!("flagfall/v1/main/{rest}")
}

fn secret(name: &str) -> String {
    format!("secret of {name}")
}

fn devices() -> Vec<Device> {
    DEVICES
        .iter()
        .enumerate()
        .map(|(at, name)| Device {
            id: id(name),
            kind: DeviceKind::Both,
            speaks_for: if *name == "gate" { vec![id("g-1")] } else { vec![] },
            credential: Credential::of(&secret(name), [at as u8; SALT_BYTES]),
            bound_to: None,
        })
        .collect()
}

fn credentials() -> Credentials {
    let all = Credentials::new(hall_id(), secret("hub"));
    for device in devices() {
        all.set(device.id, device.credential, device.speaks_for);
    }
    all
}

fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

/// A broker under test.
struct Hall {
    port: u16,
    _running: Running,
}

enum Running {
    Embedded(#[expect(dead_code, reason = "stops when dropped")] Broker),
    Mosquitto(
        Child,
        #[expect(dead_code, reason = "deleted when dropped")] tempfile::TempDir,
    ),
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Running::Mosquitto(child, _) = self {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Hall {
    fn embedded() -> Hall {
        let broker = Broker::start(loopback(0), credentials()).expect("it listens");
        Hall {
            port: broker.addr().port(),
            _running: Running::Embedded(broker),
        }
    }

    fn mosquitto() -> Hall {
        let program = [
            "/usr/sbin/mosquitto",
            "/usr/local/sbin/mosquitto",
            "/usr/bin/mosquitto",
            "/opt/homebrew/sbin/mosquitto",
        ]
        .into_iter()
        .find(|path| std::path::Path::new(path).exists())
        .expect("mosquitto is missing: apt-get install mosquitto mosquitto-clients");
        let folder = tempfile::tempdir().expect("a folder");
        let port = TcpListener::bind(loopback(0))
            .and_then(|free| free.local_addr())
            .expect("a free port")
            .port();
        acl::write(
            folder.path(),
            &hall_id(),
            loopback(port),
            &secret("hub"),
            [9; SALT_BYTES],
            &devices(),
        )
        .expect("writes");
        let written = folder.path().join("mosquitto.conf");
        let mut conf = std::fs::read_to_string(&written).expect("written");
        // Started by root it would otherwise become `mosquitto`, which may not read this folder.
        conf.push_str("user root\n");
        std::fs::write(&written, conf).expect("written");
        let child = Command::new(program)
            .arg("-c")
            .arg(&written)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("mosquitto starts");
        let running = Running::Mosquitto(child, folder);
        let until = Instant::now() + SOON;
        while TcpStream::connect(loopback(port)).is_err() {
            assert!(Instant::now() < until, "mosquitto does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Hall {
            port,
            _running: running,
        }
    }

    fn options(&self, name: &str) -> MqttOptions {
        let mut options = MqttOptions::new(name, "127.0.0.1", self.port);
        options
            .set_credentials(name, secret(name))
            .set_keep_alive(Duration::from_secs(10));
        options
            .set_max_packet_size(2 * 1024 * 1024, 2 * 1024 * 1024)
            .set_clean_session(true);
        options
    }

    async fn join(&self, name: &str) -> Peer {
        Peer::join(self.options(name)).await.expect("lets it in")
    }
}

/// A client that does not reconnect.
struct Peer {
    client: AsyncClient,
    session_present: bool,
    got: mpsc::UnboundedReceiver<Publish>,
    pubacks: mpsc::UnboundedReceiver<()>,
    subacks: mpsc::UnboundedReceiver<bool>,
    task: JoinHandle<()>,
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Peer {
    async fn join(options: MqttOptions) -> Result<Peer, String> {
        let (client, mut event_loop) = AsyncClient::new(options, 100);
        let session_present = match timeout(SOON, event_loop.poll())
            .await
            .map_err(|_| "no answer".to_owned())?
        {
            Ok(Event::Incoming(Packet::ConnAck(connack))) => connack.session_present,
            other => return Err(format!("{other:?}")),
        };
        let (got_tx, got) = mpsc::unbounded_channel();
        let (puback_tx, pubacks) = mpsc::unbounded_channel();
        let (suback_tx, subacks) = mpsc::unbounded_channel();
        let task = tokio::spawn(async move {
            while let Ok(event) = event_loop.poll().await {
                match event {
                    Event::Incoming(Packet::Publish(publish)) => _ = got_tx.send(publish),
                    Event::Incoming(Packet::PubAck(_)) => _ = puback_tx.send(()),
                    Event::Incoming(Packet::SubAck(suback)) => {
                        let _ = suback_tx.send(!suback.return_codes.contains(&SubscribeReasonCode::Failure));
                    }
                    _ => {}
                }
            }
        });
        Ok(Peer {
            client,
            session_present,
            got,
            pubacks,
            subacks,
            task,
        })
    }

    /// Whether it was granted.
    async fn subscribe(&mut self, rest: &str) -> bool {
        self.client
            .subscribe(topic(rest), QoS::AtLeastOnce)
            .await
            .expect("the client runs");
        timeout(SOON, self.subacks.recv()).await.ok().flatten().unwrap_or(false)
    }

    async fn publish(&self, rest: &str, payload: impl Into<Vec<u8>>) {
        self.client
            .publish(topic(rest), QoS::AtLeastOnce, false, payload)
            .await
            .expect("the client runs");
    }

    async fn retain(&self, rest: &str, payload: impl Into<Vec<u8>>) {
        self.client
            .publish(topic(rest), QoS::AtLeastOnce, true, payload)
            .await
            .expect("the client runs");
    }

    async fn acknowledged(&mut self, count: usize) {
        for _ in 0..count {
            timeout(SOON, self.pubacks.recv())
                .await
                .expect("acknowledges")
                .expect("connected");
        }
    }

    async fn next(&mut self) -> (String, String, bool) {
        let publish = timeout(SOON, self.got.recv())
            .await
            .expect("a message comes")
            .expect("connected");
        let text = String::from_utf8_lossy(&publish.payload).into_owned();
        (
            publish.topic.trim_start_matches("flagfall/v1/main/").to_owned(),
            text,
            publish.retain,
        )
    }

    async fn nothing(&mut self) {
        if let Ok(got) = timeout(QUIET, self.got.recv()).await {
            panic!("nothing was to come: {:?}", got.map(|publish| publish.topic));
        }
    }

    /// The socket goes, without a DISCONNECT.
    fn drop_socket(self) {
        self.task.abort();
    }

    async fn leave(mut self) {
        self.client.disconnect().await.expect("the client runs");
        let _ = timeout(SOON, &mut self.task).await;
    }

    async fn ended(&mut self) {
        timeout(SOON, &mut self.task)
            .await
            .expect("the broker closes the connection")
            .expect("no panic");
    }

    fn stands(&self) -> bool {
        !self.task.is_finished()
    }
}

/// The same check on both brokers.
macro_rules! both {
    ($($name:ident)*) => {
        mod embedded {
            $(#[tokio::test] async fn $name() { super::$name(super::Hall::embedded()).await; })*
        }
        mod mosquitto {
            $(#[tokio::test] async fn $name() { super::$name(super::Hall::mosquitto()).await; })*
        }
    };
}

both! {
    a_wildcard_subscriber_gets_a_thousand_retained_topics
    an_empty_payload_without_retain_deletes_nothing
    a_will_is_published_when_the_socket_drops_and_only_then
    what_came_while_a_device_was_away_comes_in_order
    nobody_gets_in_with_a_wrong_password_or_under_another_name
    nobody_writes_or_reads_topics_that_are_not_his
    a_gateway_speaks_for_its_devices_and_no_others
    a_will_on_another_s_topic_is_never_published
    a_mebibyte_and_random_bytes_disturb_nobody
    the_hub_s_link_carries_both_ways
}

async fn a_wildcard_subscriber_gets_a_thousand_retained_topics(hall: Hall) {
    let mut hub = hall.join("hub").await;
    for n in 0..1000 {
        hub.retain(&format!("d-{n}/order"), n.to_string()).await;
    }
    hub.acknowledged(1000).await;
    assert!(hub.subscribe("+/order").await);
    let mut got = HashMap::new();
    while got.len() < 1000 {
        let (topic, payload, retained) = hub.next().await;
        assert!(retained);
        assert!(got.insert(topic, payload).is_none());
    }
    assert_eq!(got["d-617/order"], "617");
}

async fn an_empty_payload_without_retain_deletes_nothing(hall: Hall) {
    let mut hub = hall.join("hub").await;
    hub.retain("hub/state", "kept").await;
    hub.publish("hub/state", "").await;
    hub.acknowledged(2).await;
    let mut a = hall.join("a").await;
    assert!(a.subscribe("hub/state").await);
    assert_eq!(a.next().await, ("hub/state".to_owned(), "kept".to_owned(), true));
    hub.retain("hub/state", "").await;
    hub.acknowledged(1).await;
    let mut b = hall.join("b").await;
    assert!(b.subscribe("hub/state").await);
    b.nothing().await;
}

async fn a_will_is_published_when_the_socket_drops_and_only_then(hall: Hall) {
    let mut hub = hall.join("hub").await;
    assert!(hub.subscribe("+/death").await);
    let with_will = |retain| {
        let mut options = hall.options("a");
        options.set_last_will(LastWill::new(topic("a/death"), "gone", QoS::AtLeastOnce, retain));
        options
    };
    Peer::join(with_will(false)).await.expect("lets it in").drop_socket();
    assert_eq!(hub.next().await, ("a/death".to_owned(), "gone".to_owned(), false));
    Peer::join(with_will(false)).await.expect("lets it in").leave().await;
    hub.nothing().await;
    Peer::join(with_will(true)).await.expect("lets it in").drop_socket();
    assert_eq!(hub.next().await.1, "gone");
    hub.leave().await;
    let mut later = hall.join("hub").await;
    assert!(later.subscribe("+/death").await);
    assert_eq!(later.next().await, ("a/death".to_owned(), "gone".to_owned(), true));
}

async fn what_came_while_a_device_was_away_comes_in_order(hall: Hall) {
    let mut options = hall.options("a");
    options.set_clean_session(false);
    let mut a = Peer::join(options.clone()).await.expect("lets it in");
    assert!(!a.session_present);
    assert!(a.subscribe("a/order").await);
    a.drop_socket();
    let mut hub = hall.join("hub").await;
    for n in 0..500 {
        hub.publish("a/order", n.to_string()).await;
    }
    hub.acknowledged(500).await;
    let mut a = Peer::join(options).await.expect("lets it in");
    assert!(a.session_present);
    for n in 0..500 {
        assert_eq!(a.next().await.1, n.to_string());
    }
}

async fn nobody_gets_in_with_a_wrong_password_or_under_another_name(hall: Hall) {
    let mut hub = hall.join("hub").await;
    assert!(hub.subscribe("+/report").await);
    let mut a = hall.join("a").await;
    for (user, password) in [
        ("b", "wrong"),
        ("a", "secret of b"),
        ("nobody", "secret of nobody"),
        ("hub", "secret of a"),
    ] {
        let mut options = hall.options(user);
        options.set_credentials(user, password);
        assert!(Peer::join(options).await.is_err(), "{user} with {password}");
    }
    // b cannot take a's session by calling itself a.
    let mut options = hall.options("a");
    options.set_credentials("b", secret("b"));
    let _ = Peer::join(options).await;
    a.publish("a/report", "here").await;
    a.acknowledged(1).await;
    assert_eq!(hub.next().await.1, "here");
    assert!(a.stands());
}

async fn nobody_writes_or_reads_topics_that_are_not_his(hall: Hall) {
    let mut hub = hall.join("hub").await;
    assert!(hub.subscribe("#").await);
    let (mut a, mut b) = (hall.join("a").await, hall.join("b").await);
    assert!(a.subscribe("a/order").await && b.subscribe("b/order").await);
    for wrong in ["b/order", "+/order", "#", "b/report"] {
        a.subscribe(wrong).await;
    }
    for wrong in [
        "b/report",
        "b/death",
        "a/order",
        "a/seen",
        "hub/state",
        "a/report/x",
        "x",
    ] {
        // A broker may close the connection for it, or take it and throw it away.
        if a.stands() {
            a.publish(wrong, "not mine").await;
        } else {
            a = hall.join("a").await;
            a.subscribe("a/order").await;
        }
    }
    hub.nothing().await;
    if !a.stands() {
        a = hall.join("a").await;
        a.subscribe("a/order").await;
    }
    hub.publish("b/order", "for b").await;
    assert_eq!(b.next().await.1, "for b");
    assert_eq!(hub.next().await.1, "for b");
    a.nothing().await;
    hub.publish("a/order", "for a").await;
    assert_eq!(a.next().await, ("a/order".to_owned(), "for a".to_owned(), false));
    a.publish("a/report", "mine").await;
    assert_eq!(hub.next().await.1, "for a");
    assert_eq!(hub.next().await, ("a/report".to_owned(), "mine".to_owned(), false));
}

async fn a_gateway_speaks_for_its_devices_and_no_others(hall: Hall) {
    let mut hub = hall.join("hub").await;
    assert!(hub.subscribe("+/report").await);
    let mut gate = hall.join("gate").await;
    assert!(gate.subscribe("g-1/order").await);
    gate.publish("a/report", "not mine").await;
    gate.publish("g-1/report", "from behind").await;
    assert_eq!(
        hub.next().await,
        ("g-1/report".to_owned(), "from behind".to_owned(), false)
    );
    hub.publish("g-1/order", "for g-1").await;
    assert_eq!(gate.next().await.1, "for g-1");
    hub.nothing().await;
}

async fn a_will_on_another_s_topic_is_never_published(hall: Hall) {
    let mut hub = hall.join("hub").await;
    assert!(hub.subscribe("#").await);
    let b = hall.join("b").await;
    for wrong in ["b/death", "a/order", "hub/state"] {
        let mut options = hall.options("a");
        options.set_last_will(LastWill::new(topic(wrong), "gone", QoS::AtLeastOnce, true));
        if let Ok(a) = Peer::join(options).await {
            a.drop_socket();
        }
    }
    hub.nothing().await;
    b.publish("b/report", "still here").await;
    assert_eq!(hub.next().await.1, "still here");
}

async fn a_mebibyte_and_random_bytes_disturb_nobody(hall: Hall) {
    let mut hub = hall.join("hub").await;
    assert!(hub.subscribe("+/report").await);
    let b = hall.join("b").await;
    let a = hall.join("a").await;
    a.publish("a/report", vec![b'x'; 1024 * 1024]).await;
    let noise: Vec<u8> = (0..4000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    for start in 0..20 {
        let mut raw = TcpStream::connect(loopback(hall.port)).expect("listens");
        // The broker may have closed it before all is written.
        let _ = raw.write_all(&noise[start * 100..]);
        raw.set_read_timeout(Some(Duration::from_millis(50)))
            .expect("a timeout");
        let _ = raw.read(&mut [0; 64]);
    }
    hub.nothing().await;
    b.publish("b/report", "still here").await;
    assert_eq!(
        hub.next().await,
        ("b/report".to_owned(), "still here".to_owned(), false)
    );
    assert!(b.stands() && hub.stands());
    // The largest that is allowed comes through.
    b.publish("b/report", vec![b'y'; 64 * 1024]).await;
    assert_eq!(hub.next().await.1.len(), 64 * 1024);
}

async fn event(events: &mut mpsc::Receiver<LinkEvent>) -> LinkEvent {
    timeout(SOON, events.recv())
        .await
        .expect("an event comes")
        .expect("the link runs")
}

async fn the_hub_s_link_carries_both_ways(hall: Hall) {
    let config = LinkConfig::new(
        hall_id(),
        "127.0.0.1".to_owned(),
        hall.port,
        secret("hub"),
        b"{}".to_vec(),
    );
    let (link, mut events) = Link::start(config);
    assert!(matches!(event(&mut events).await, LinkEvent::Up { connection: 1, .. }));
    let mut a = hall.join("a").await;
    assert!(a.subscribe("a/seen").await && a.subscribe("hub/state").await);
    a.publish("a/vital", "alive").await;
    let LinkEvent::Message {
        device,
        up,
        retained,
        payload,
        ..
    } = event(&mut events).await
    else {
        panic!("no message")
    };
    assert_eq!(
        (device, up, retained, &payload[..]),
        (id("a"), Up::Vital, false, &b"alive"[..])
    );
    for n in 0..3000 {
        while link
            .send(Topic::Down(id("a"), Down::Seen), n.to_string().into_bytes())
            .is_err()
        {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    for n in 0..3000 {
        assert_eq!(a.next().await.1, n.to_string());
    }
    link.send(Topic::HubState, b"off".to_vec()).expect("takes it");
    link.close().await;
    assert_eq!(a.next().await, ("hub/state".to_owned(), "off".to_owned(), false));
    assert!(timeout(SOON, events.recv()).await.expect("ends").is_none());
    // It has said good-bye: no Will.
    a.nothing().await;
}

async fn stop(broker: Broker) {
    tokio::task::spawn_blocking(move || broker.stop()).await.expect("stops");
}

#[tokio::test]
async fn the_link_comes_back_when_the_embedded_broker_does() {
    let credentials = credentials();
    let broker = Broker::start(loopback(0), credentials.clone()).expect("it listens");
    let port = broker.addr().port();
    let config = LinkConfig::new(hall_id(), "127.0.0.1".to_owned(), port, secret("hub"), b"{}".to_vec());
    let (link, mut events) = Link::start(config);
    assert!(matches!(event(&mut events).await, LinkEvent::Up { connection: 1, .. }));
    let stopping = Instant::now();
    stop(broker).await;
    assert!(
        stopping.elapsed() < Duration::from_secs(2),
        "took {:?}",
        stopping.elapsed()
    );
    assert!(matches!(
        event(&mut events).await,
        LinkEvent::Down { connection: 1, .. }
    ));
    assert!(link.send(Topic::HubState, vec![]).is_err());
    // The same port at once: nothing is left of the first.
    let again = Broker::start(loopback(port), credentials).expect("it listens again");
    assert!(matches!(
        event(&mut events).await,
        LinkEvent::Up {
            connection: 2,
            session_present: false
        }
    ));
    link.close().await;
    stop(again).await;
}

#[tokio::test]
async fn a_port_that_is_taken_is_said() {
    let taken = TcpListener::bind(loopback(0)).expect("a port");
    let addr = taken.local_addr().expect("an address");
    let told = Broker::start(addr, credentials()).expect_err("taken").to_string();
    assert!(told.contains(&addr.to_string()), "{told}");
}

#[tokio::test]
async fn a_revoked_or_renewed_credential_ends_the_connection_and_the_old_secret() {
    let credentials = credentials();
    let broker = Broker::start(loopback(0), credentials.clone()).expect("it listens");
    let hall = Hall {
        port: broker.addr().port(),
        _running: Running::Embedded(broker),
    };
    let (mut a, mut b) = (hall.join("a").await, hall.join("b").await);
    credentials.revoke(&id("a"));
    a.ended().await;
    assert!(Peer::join(hall.options("a")).await.is_err());
    credentials.set(id("a"), Credential::of("new", [7; SALT_BYTES]), vec![]);
    assert!(Peer::join(hall.options("a")).await.is_err());
    let mut renewed = hall.options("a");
    renewed.set_credentials("a", "new");
    let a = Peer::join(renewed).await.expect("lets it in");
    credentials.set(id("b"), Credential::of("newer", [8; SALT_BYTES]), vec![]);
    b.ended().await;
    assert!(a.stands());
}

/// Log lines of this process.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn what_is_refused_is_logged_in_one_line_that_names_device_and_topic() {
    let lines = Lines::default();
    let writer = lines.clone();
    tracing_subscriber::fmt()
        .with_env_filter("warn,mqtt5=off")
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .init();
    let hall = Hall::embedded();
    let mut a = hall.join("a").await;
    a.publish("b/report", "not mine").await;
    a.subscribe("b/order").await;
    a.publish("a/report", vec![b'x'; 1024 * 1024]).await;
    a.acknowledged(2).await;
    let mut wrong = hall.options("b");
    wrong.set_credentials("b", "wrong");
    assert!(Peer::join(wrong).await.is_err());
    let mut will = hall.options("b");
    will.set_last_will(LastWill::new(topic("a/death"), "gone", QoS::AtLeastOnce, false));
    assert!(Peer::join(will).await.is_err());
    let text = String::from_utf8(lines.0.lock().expect("no panic").clone()).expect("text");
    for (what, device, topic) in [
        ("publish refused: not its topic", "a", "flagfall/v1/main/b/report"),
        ("subscription refused", "a", "flagfall/v1/main/b/order"),
        ("longer than 65536 bytes", "a", "flagfall/v1/main/a/report"),
        ("login refused why=\"wrong password\"", "b", ""),
        ("login refused: its Will", "b", "flagfall/v1/main/a/death"),
    ] {
        let named = text.lines().filter(|line| {
            let device = line.contains(&format!("device={device}")) || line.contains(&format!("device=\"{device}\""));
            line.contains(what.split(" why=").next().unwrap_or(what)) && device && line.contains(topic)
        });
        assert_eq!(
            named.count(),
            if what.starts_with("login refused why") { 2 } else { 1 },
            "{what}:\n{text}"
        );
    }
}

//! TLS as people meet it: certificates from the command line, the hub and the commands with them, and what is refused.

mod common;

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use flagfall::config::certificate;
use flagfall::hall::PersonRole;
use flagfall::hub::RunningHub;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

fn flagfall() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
    // Whatever the machine's user has set for himself.
    for name in ["FLAGFALL_CA", "FLAGFALL_HUB", "FLAGFALL_TOKEN"] {
        command.env_remove(name);
    }
    command
}

fn made(folder: &Path) -> PathBuf {
    let dir = folder.join("tls");
    let done = flagfall()
        .args(["tls", "init", "--name", "hub.example", "--dir"])
        .arg(&dir)
        .output()
        .expect("runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    for part in [
        "ca.pem",
        "hub.key",
        "flagfall tls renew",
        "names = [\"hub.example\"]",
        "until 20",
    ] {
        assert!(told.contains(part), "{part} is not said: {told}");
    }
    dir
}

struct House {
    hub: RunningHub,
    token: String,
    folder: TempDir,
    ca: PathBuf,
}

impl House {
    async fn open(mqtt_tls: Option<SocketAddr>) -> House {
        let folder = TempDir::new().expect("a folder");
        let dir = made(folder.path());
        let mut config = common::config(&folder.path().join("data"));
        config.listen.certificate = Some(dir.join("hub.pem"));
        config.listen.key = Some(dir.join("hub.key"));
        config.mqtt.tls_listen = mqtt_tls;
        config.check().expect("sound");
        let hub = common::start(config).await;
        let token = hub.grant("Chief", PersonRole::ChiefArbiter).await.expect("a token");
        House {
            hub,
            token,
            folder,
            ca: dir.join("ca.pem"),
        }
    }

    /// `flagfall arbiter list` at this address, trusting this CA.
    async fn list(&self, address: String, ca: Option<PathBuf>) -> Output {
        let (token, home) = (self.token.clone(), self.folder.path().join("home"));
        let asked = move || {
            let mut command = flagfall();
            command
                .args(["arbiter", "list", "--hub", &address])
                .env("FLAGFALL_TOKEN", token)
                .env("XDG_CONFIG_HOME", home);
            if let Some(ca) = ca {
                command.arg("--ca").arg(ca);
            }
            command.output().expect("runs")
        };
        tokio::task::spawn_blocking(asked).await.expect("joins")
    }

    fn url(&self) -> String {
        format!("https://localhost:{}", self.hub.http_addr.port())
    }
}

fn client(ca: &Path, protocols: &[&str]) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    for certificate in certificate::chain(ca).expect("a CA") {
        roots.add(certificate).expect("can be trusted");
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    TlsConnector::from(Arc::new(config))
}

fn name(of: &str) -> ServerName<'static> {
    ServerName::try_from(of.to_owned()).expect("a name")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_reach_a_hub_whose_ca_they_trust_and_no_other() {
    let house = House::open(None).await;
    let listed = house.list(house.url(), Some(house.ca.clone())).await;
    assert!(listed.status.success(), "{}", said(&listed));

    let elsewhere = TempDir::new().expect("a folder");
    let other = made(elsewhere.path()).join("ca.pem");
    for ca in [Some(other), None] {
        let listed = house.list(house.url(), ca.clone()).await;
        assert!(!listed.status.success());
        assert!(
            said(&listed).contains("is not trusted, and nothing was sent"),
            "{ca:?}: {}",
            said(&listed)
        );
    }
    // Without TLS it does not get through either, and is told so.
    let plain = house
        .list(format!("http://localhost:{}", house.hub.http_addr.port()), None)
        .await;
    assert!(!plain.status.success());

    // `flagfall login --ca` keeps the CA for the commands to come.
    let home = house.folder.path().join("home");
    let (url, token, ca) = (house.url(), house.token.clone(), house.ca.clone());
    let login = tokio::task::spawn_blocking(move || {
        let mut child = flagfall()
            .args(["login", "--hub", &url, "--ca"])
            .arg(ca)
            .env("XDG_CONFIG_HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs");
        std::io::Write::write_all(&mut child.stdin.take().expect("piped"), token.as_bytes()).expect("written");
        child.wait_with_output().expect("ends")
    });
    let login = login.await.expect("joins");
    assert!(login.status.success(), "{}", said(&login));
    let listed = house.list(house.url(), None).await;
    assert!(listed.status.success(), "{}", said(&listed));
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn both_versions_of_http_are_spoken_over_tls_and_plain_browsers_are_sent_there() {
    let house = House::open(None).await;
    let address = house.hub.http_addr;
    let connect = async || TcpStream::connect(address).await.expect("connects");
    let stream = client(&house.ca, &["h2"])
        .connect(name("hub.example"), connect().await)
        .await;
    assert_eq!(stream.expect("trusted").get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    client(&house.ca, &[])
        .connect(name("other.example"), connect().await)
        .await
        .expect_err("another's name");

    let tls = client(&house.ca, &["http/1.1"]).connect(name("127.0.0.1"), connect().await);
    let mut tls = tls.await.expect("trusted by its address");
    let request = format!(
        "POST /api/hall/token HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 0\r\nAuthorization: Bearer {}\r\n\r\n",
        house.token
    );
    tls.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    // Some end the connection without TLS's own good-bye.
    let _ = tls.read_to_string(&mut answer).await;
    let cookie = answer
        .lines()
        .find(|line| line.to_ascii_lowercase().starts_with("set-cookie:"));
    let cookie = cookie.expect("a cookie");
    assert!(cookie.contains("; Secure") && cookie.contains("HttpOnly"), "{cookie}");

    let mut plain = connect().await;
    let request = b"GET /hall?tables=1 HTTP/1.1\r\nHost: hub.example:7878\r\nConnection: close\r\n\r\n";
    plain.write_all(request).await.expect("sent");
    let mut answer = String::new();
    plain.read_to_string(&mut answer).await.expect("answers");
    assert!(answer.starts_with("HTTP/1.1 307"), "{answer}");
    assert!(
        answer.contains("location: https://hub.example:7878/hall?tables=1"),
        "{answer}"
    );
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn devices_are_let_in_over_tls_by_their_own_credentials() {
    // The broker says of no listener but its first where it is: a free port is looked for.
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr());
    let listen = free.expect("a free port");
    let house = House::open(Some(listen)).await;
    let stream = TcpStream::connect(listen).await.expect("connects");
    let mut tls = client(&house.ca, &["mqtt"])
        .connect(name("hub.example"), stream)
        .await
        .expect("trusted");
    // MQTT 3.1.1: CONNECT as `clock-1` with a password that is none.
    let mut body = b"\x00\x04MQTT\x04\xc2\x00\x3c".to_vec();
    for text in ["clock-1", "clock-1", "guessed"] {
        body.extend((text.len() as u16).to_be_bytes());
        body.extend(text.as_bytes());
    }
    let mut packet = vec![0x10, body.len() as u8];
    packet.extend(body);
    tls.write_all(&packet).await.expect("sent");
    let mut answer = [0; 4];
    let read = tokio::time::timeout(Duration::from_secs(5), tls.read_exact(&mut answer)).await;
    read.expect("in time").expect("an answer");
    assert_eq!((answer[0], answer[1]), (0x20, 2), "CONNACK");
    assert!(matches!(answer[3], 4 | 5), "refused: {answer:?}");
    house.hub.stop().await;
}

fn expired(folder: &Path) -> (PathBuf, PathBuf) {
    let key = rcgen::KeyPair::generate().expect("a key");
    let mut params = rcgen::CertificateParams::new(vec!["hub.example".to_owned()]).expect("names");
    params.not_before = rcgen::date_time_ymd(2020, 1, 1);
    params.not_after = rcgen::date_time_ymd(2021, 1, 1);
    let certificate = params.self_signed(&key).expect("signed");
    let files = (folder.join("old.pem"), folder.join("old.key"));
    std::fs::write(&files.0, certificate.pem()).expect("written");
    std::fs::write(&files.1, key.serialize_pem()).expect("written");
    files
}

#[test]
fn a_check_of_the_configuration_names_what_is_wrong_with_a_certificate() {
    let folder = TempDir::new().expect("a folder");
    let dir = made(folder.path());
    let (_, other) = expired(folder.path());
    let check = |certificate: &Path, key: &Path| {
        let file = folder.path().join("hall.toml");
        let text = format!(
            "[listen]\nhttp = \"0.0.0.0:7878\"\ncertificate = \"{}\"\nkey = \"{}\"\n",
            certificate.display(),
            key.display()
        );
        std::fs::write(&file, text).expect("written");
        let checked = flagfall().args(["config", "check"]).arg(&file).output().expect("runs");
        (checked.status.success(), said(&checked))
    };
    let (hub, key) = (dir.join("hub.pem"), dir.join("hub.key"));
    assert_eq!(check(&hub, &key), (true, String::new()));
    let (good, told) = check(&hub, &other);
    assert!(
        !good && told.contains("line 4: listen.key") && told.contains("not the key of"),
        "{told}"
    );
    let (good, told) = check(&dir.join("none.pem"), &key);
    assert!(
        !good && told.contains("line 3: listen.certificate") && told.contains("No such file"),
        "{told}"
    );
    let (good, told) = check(&key, &key);
    assert!(
        !good && told.contains("line 3: listen.certificate") && told.contains("no certificate"),
        "{told}"
    );
}

#[test]
fn a_certificate_that_has_expired_is_warned_of_at_the_start_and_plain_text_is_refused_off_loopback() {
    let folder = TempDir::new().expect("a folder");
    let (certificate, key) = expired(folder.path());
    let file = folder.path().join("hall.toml");
    let text = format!(
        "[hall]\ndata = \"{}\"\n[listen]\nhttp = \"127.0.0.1:0\"\ncertificate = \"{}\"\nkey = \"{}\"\n[mqtt]\nlisten = \"127.0.0.1:0\"\n",
        folder.path().join("data").display(),
        certificate.display(),
        key.display()
    );
    std::fs::write(&file, text).expect("written");
    let mut hub = flagfall()
        .args(["serve", "--config"])
        .arg(&file)
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
    let mut seen = Vec::new();
    let warned = loop {
        match lines.recv_timeout(Duration::from_secs(20)) {
            Ok(line) if line.contains("certificate expired at 2021-01-01") => break true,
            Ok(line) => seen.push(line),
            Err(_) => break false,
        }
    };
    hub.kill().expect("ended");
    hub.wait().expect("waited for");
    assert!(warned, "{seen:#?}");

    let refused = flagfall()
        .args(["serve", "--http", "0.0.0.0:0", "--data"])
        .arg(folder.path().join("other"))
        .output()
        .expect("runs");
    assert!(!refused.status.success());
    assert!(said(&refused).contains("flagfall tls init"), "{}", said(&refused));
}

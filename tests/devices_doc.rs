//! Every line of `docs/devices.md` that a maker can copy works as printed.

use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::time::Duration;

use flagfall::device::broker::Broker;
use flagfall::device::codec;
use flagfall::device::link::{Link, LinkConfig, LinkEvent};
use flagfall::device::message::FromDevice;
use flagfall::device::order::{DeviceOrder, DeviceOrderKind};
use flagfall::device::permit::Credentials;
use flagfall::device::session::{Heard, Limits, Session, SessionEffect, SessionProblem};
use flagfall::device::topics::{DeviceId, Down, Topic};
use flagfall::hall::credential::SALT_BYTES;
use flagfall::hall::model::Credential;
use flagfall::time::{DeviceTime, HallTime, Millis};

const DOC: &str = include_str!("../docs/devices.md");
const SOON: Duration = Duration::from_secs(20);

/// The blocks fenced as `kind`, line by line.
fn fenced(kind: &str) -> Vec<&'static str> {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in DOC.lines() {
        match line.strip_prefix("```") {
            Some(fence) => inside = !inside && fence == kind,
            None if inside => lines.push(line),
            None => {}
        }
    }
    lines
}

/// The variables that the page sets, as this test sets them instead.
fn shell(line: &str, port: u16) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).stdin(Stdio::null());
    shell
        .env("HOST", "127.0.0.1")
        .env("PORT", port.to_string())
        .env("HALL", "hall");
    shell
        .env("DEVICE", "clock-1")
        .env("SECRET", "s1")
        .env("BENCH", "bench")
        .env("BENCH_SECRET", "s2");
    shell
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_line_for_mosquitto_pub_and_sub_works_as_printed() {
    let device: DeviceId = "clock-1".parse().expect("an id");
    let hall: flagfall::device::topics::HallId = "hall".parse().expect("a name");
    let credentials = Credentials::new(hall.clone(), "h".to_owned());
    credentials.set(device.clone(), Credential::of("s1", [1; SALT_BYTES]), vec![]);
    credentials.set(
        "bench".parse().expect("an id"),
        Credential::of("s2", [2; SALT_BYTES]),
        vec![device.clone()],
    );
    let broker = Broker::start(SocketAddr::from(([127, 0, 0, 1], 0)), credentials).expect("it listens");
    let port = broker.addr().port();
    let config = LinkConfig::new(hall, "127.0.0.1".to_owned(), port, "h".to_owned(), vec![]);
    let (link, mut events) = Link::start(config);
    let up = tokio::time::timeout(SOON, events.recv()).await.expect("connects");
    assert!(matches!(up, Some(LinkEvent::Up { .. })));

    // Every variable used is set on the page.
    let lines = fenced("sh");
    let sets: Vec<_> = lines
        .iter()
        .take_while(|line| !line.starts_with("mosquitto"))
        .flat_map(|line| line.split(' '))
        .collect();
    for name in ["HOST", "PORT", "HALL", "DEVICE", "SECRET", "BENCH", "BENCH_SECRET"] {
        assert!(
            sets.iter().any(|set| set.starts_with(&format!("{name}="))),
            "{name} is not set on the page"
        );
    }

    let sub = lines
        .iter()
        .find(|line| line.starts_with("mosquitto_sub"))
        .expect("the page has one");
    let watching = shell(&format!("{sub} -C 3 -W 60"), port)
        .stdout(Stdio::piped())
        .spawn()
        .expect("sh runs");
    // Until it has subscribed nothing would be there to be read: told again until it answers.
    let order = DeviceOrder {
        id: "7-12-3".to_owned(),
        epoch: 7,
        boot: 4711,
        decided_seq: 4,
        expires: Some(DeviceTime(5_650_000)),
        what: DeviceOrderKind::Add {
            left: Millis(120_000),
            right: Millis(0),
        },
    };

    let mut session = Session::new(device.clone(), None, Limits::at_speed(1.0), HallTime(0));
    let mut delivered = Vec::new();
    let mut format = codec::Format::Protobuf;
    let mut published = 0;
    for line in lines.iter().filter(|line| line.starts_with("mosquitto_pub")) {
        let output = shell(line, port).output().expect("sh runs");
        assert!(
            output.status.success(),
            "apt-get install mosquitto-clients? {line}\n{output:?}"
        );
        published += 1;
        let Ok(Some(LinkEvent::Message {
            device: from,
            up,
            retained,
            payload,
            ..
        })) = tokio::time::timeout(SOON, events.recv()).await
        else {
            panic!("nothing came of {line}")
        };
        assert_eq!(from, device);
        let (message, written) = codec::decode(&from, up, &payload).expect(line);
        format = written;
        let heard = Heard {
            retained,
            format,
            message,
        };
        // Nothing is missing but what the page declares lost, and the session is content.
        for effect in session.take(HallTime(published), heard.clone()) {
            match effect {
                SessionEffect::Deliver(report) => delivered.push(report.seq),
                SessionEffect::Problem(problem) => panic!("{line}\n{problem}"),
                _ => {}
            }
        }
        assert!(
            matches!(heard.message, FromDevice::Birth(_)) == (published == 1),
            "the birth comes first"
        );
    }
    assert!(published >= 9, "{published} lines");
    assert_eq!(delivered, [0, 1, 2, 3, 4, 9]);

    let mut watching = watching;
    for _ in 0..200 {
        for (down, payload) in [
            (Down::Order, codec::encode_order(&order, format)),
            (Down::Seen, codec::encode_seen(4711, -1, false, false, format)),
        ] {
            link.send(Topic::Down(device.clone(), down), payload)
                .expect("the link stands");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        if watching.try_wait().expect("a child").is_some() {
            break;
        }
    }
    let output = watching.wait_with_output().expect("ends");
    let text = String::from_utf8(output.stdout).expect("text");
    // What the page shows of the hub's messages is what comes.
    let shown = fenced("json");
    let [order_shown] = shown[..] else {
        panic!("the page shows one order")
    };
    assert!(
        text.lines()
            .any(|line| line == format!("flagfall/v1/hall/clock-1/order {order_shown}")),
        "{text}"
    );
    let seen = text
        .lines()
        .find_map(|line| line.strip_prefix("flagfall/v1/hall/clock-1/seen "))
        .expect("a seen");
    assert!(DOC.contains(seen), "the page shows another form of {seen}");
    link.close().await;
    tokio::task::spawn_blocking(move || broker.stop()).await.expect("stops");
}

#[test]
fn what_the_page_warns_of_is_what_the_session_says() {
    // The same boot after a restart.
    let device: DeviceId = "clock-1".parse().expect("an id");
    let mut session = Session::new(device.clone(), None, Limits::at_speed(1.0), HallTime(0));
    let birth = fenced("sh")
        .into_iter()
        .find(|line| line.contains("/birth "))
        .expect("a birth");
    let json = birth.split('\'').nth(1).expect("quoted");
    let hear = |session: &mut Session, json: &str, up| {
        let (message, format) = codec::decode(&device, up, json.as_bytes()).expect("reads");
        session.take(
            HallTime(1),
            Heard {
                retained: false,
                format,
                message,
            },
        )
    };
    use flagfall::device::topics::Up;
    hear(&mut session, json, Up::Birth);
    hear(
        &mut session,
        r#"{"boot":4711,"seq":0,"event_ms":30000,"sent_ms":30001,"reading":{}}"#,
        Up::Report,
    );
    let again = json.replace("\"sent_ms\":20000", "\"sent_ms\":40000");
    let told = hear(&mut session, &again, Up::Birth);
    assert!(told.iter().any(|effect| {
        matches!(
            effect,
            SessionEffect::Problem(SessionProblem::SequenceWentBack {
                boot: 4711,
                claimed: 0,
                known: 1
            })
        )
    }));
}

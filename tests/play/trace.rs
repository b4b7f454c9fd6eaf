//! What the pages cost a browser, by Chrome's own trace: a thousand tables live in the console and on the hall's screen, and a tap at
//! three hundred. `tests/run trace` makes the figures.
//!
//! Times of the trace are those of the page's thread on the processor (`tdur`), so that other work on the machine does not count.

use std::collections::BTreeMap;
use std::time::Duration;

use flagfall::api::proto::arbiter::v1 as arbiter;
use futures::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::browser::Browser;
use crate::house::House;

const LONG: Duration = Duration::from_secs(60);
/// The traces are so long: pages turn several times in it.
const TRACED: Duration = Duration::from_secs(20);
/// A frame at 60 in a second, in µs.
const FRAME: f64 = 1_000_000.0 / 60.0;
/// What a page does of itself: script, style and layout.
const WORK: [&str; 9] = [
    "FunctionCall",
    "EvaluateScript",
    "v8.compile",
    "EventDispatch",
    "TimerFire",
    "FireAnimationFrame",
    "RunMicrotasks",
    "UpdateLayoutTree",
    "Layout",
];

/// A trace that is being made.
struct Trace(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Trace {
    async fn begin(browser: &Browser) -> Trace {
        let capabilities = browser.page.capabilities().expect("a session has some");
        let address = capabilities["goog:chromeOptions"]["debuggerAddress"]
            .as_str()
            .expect("an address");
        let version = get(address, "/json/version").await;
        let socket = version["webSocketDebuggerUrl"].as_str().expect("a socket");
        // A trace comes in large pieces.
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let connected = connect_async_with_config(socket, Some(config), true).await;
        let (mut socket, _) = connected.expect("chromium answers");
        let categories = ["toplevel", "devtools.timeline", "v8"];
        let start = json!({ "id": 1, "method": "Tracing.start", "params": {
            "transferMode": "ReportEvents", "traceConfig": { "includedCategories": categories, "excludedCategories": ["*"],
            "recordMode": "recordAsMuchAsPossible" } } });
        socket.send(Message::text(start.to_string())).await.expect("sent");
        Trace(socket)
    }

    /// Ends it, and gives its events.
    async fn end(mut self) -> Vec<Value> {
        let end = json!({ "id": 2, "method": "Tracing.end" });
        self.0.send(Message::text(end.to_string())).await.expect("sent");
        let mut events = Vec::new();
        loop {
            let message = tokio::time::timeout(LONG, self.0.next())
                .await
                .expect("the trace comes to an end");
            let message = message.expect("chromium goes on").expect("chromium is heard");
            let Message::Text(text) = message else { continue };
            let said: Value = serde_json::from_str(&text).expect("JSON");
            match said["method"].as_str() {
                Some("Tracing.dataCollected") => {
                    events.extend(said["params"]["value"].as_array().cloned().unwrap_or_default())
                }
                Some("Tracing.tracingComplete") => return events,
                _ => {}
            }
        }
    }
}

async fn get(address: &str, path: &str) -> Value {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut stream = TcpStream::connect(address).await.expect("chromium listens");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    // It leaves the connection open: the answer is whole when it can be read.
    let (mut answer, mut bytes) = (Vec::new(), [0; 4096]);
    loop {
        let read = stream.read(&mut bytes).await.expect("an answer");
        assert!(read > 0, "chromium ends in mid-answer");
        answer.extend_from_slice(&bytes[..read]);
        let text = String::from_utf8_lossy(&answer);
        if let Some(value) = text
            .split_once("\r\n\r\n")
            .and_then(|(_, body)| serde_json::from_str(body).ok())
        {
            return value;
        }
    }
}

/// What a trace says of the page's own thread, in ms.
#[derive(Debug)]
struct Cost {
    /// Script, style and layout of each frame in which there was any, cheapest first.
    frames: Vec<f64>,
    /// Its longest tasks, the longest first.
    tasks: Vec<f64>,
    /// The share of the time that it worked.
    share: f64,
    /// What it worked at, the longest first.
    kinds: Vec<(String, f64)>,
}

impl Cost {
    fn of(events: &[Value]) -> Cost {
        let number = |event: &Value, key: &str| event[key].as_f64().unwrap_or(0.0);
        let thread = |event: &Value| (event["pid"].as_i64(), event["tid"].as_i64());
        let mains: Vec<_> = events
            .iter()
            .filter(|event| event["name"] == "thread_name" && event["args"]["name"] == "CrRendererMain")
            .map(thread)
            .collect();
        // The page's is the one that works most.
        let work = |of: (Option<i64>, Option<i64>)| {
            let mut found: Vec<&Value> = events
                .iter()
                .filter(|event| {
                    event["ph"] == "X" && thread(event) == of && WORK.iter().any(|name| event["name"] == *name)
                })
                .collect();
            found.sort_by(|one, other| number(one, "ts").total_cmp(&number(other, "ts")));
            found
        };
        let all = mains.iter().map(|main| (*main, work(*main)));
        let (main, work) = all.max_by_key(|(_, work)| work.len()).expect("a page");
        let processor = |event: &Value| match number(event, "tdur") {
            0.0 => number(event, "dur"),
            time => time,
        };
        let (mut frames, mut until, mut sum) = (BTreeMap::<i64, f64>::new(), 0.0, 0.0);
        let mut kinds = BTreeMap::<String, f64>::new();
        for event in work {
            // What lies within another is counted with it.
            if number(event, "ts") < until {
                continue;
            }
            until = number(event, "ts") + number(event, "dur");
            *frames.entry((number(event, "ts") / FRAME) as i64).or_default() += processor(event) / 1000.0;
            sum += processor(event);
            let kind = event["name"].as_str().unwrap_or_default().to_owned();
            *kinds.entry(kind).or_default() += processor(event) / 1000.0;
        }
        let mut frames: Vec<f64> = frames.into_values().collect();
        frames.sort_by(f64::total_cmp);
        let is_task = |event: &&Value| {
            let name = event["name"].as_str().unwrap_or_default();
            event["ph"] == "X" && thread(event) == main && (name == "RunTask" || name.ends_with("::RunTask"))
        };
        let mut tasks: Vec<f64> = events
            .iter()
            .filter(is_task)
            .map(|event| processor(event) / 1000.0)
            .collect();
        tasks.sort_by(|one, other| other.total_cmp(one));
        tasks.truncate(20);
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by(|one, other| other.1.total_cmp(&one.1));
        Cost {
            frames,
            tasks,
            share: sum / TRACED.as_micros() as f64,
            kinds,
        }
    }

    fn frame(&self, share: f64) -> f64 {
        let at = ((self.frames.len() as f64 * share).ceil() as usize).clamp(1, self.frames.len());
        self.frames[at - 1]
    }

    fn told(&self, what: &str) {
        println!(
            "{what}: script, style and layout a frame {:.1} ms in the middle, {:.1} ms at 99 %, {:.1} ms at most, of {} frames; \
             longest task {:.1} ms; {:.1} % of the time",
            self.frame(0.5),
            self.frame(0.99),
            self.frame(1.0),
            self.frames.len(),
            self.tasks.first().copied().unwrap_or_default(),
            100.0 * self.share
        );
        let kinds: Vec<String> = self
            .kinds
            .iter()
            .map(|(kind, ms)| format!("{kind} {ms:.0} ms"))
            .collect();
        println!("    of it {}", kinds.join(", "));
    }

    fn holds(&self, what: &str) {
        assert!(
            self.frame(0.99) < 8.0,
            "{what}: {:?}",
            &self.frames[self.frames.len().saturating_sub(20)..]
        );
        assert!(
            self.tasks.first().is_none_or(|longest| *longest < 50.0),
            "{what}: {:?}",
            self.tasks
        );
    }
}

/// A hall without devices, whose tables move so often in a second until this is dropped.
struct Lively(tokio::task::JoinHandle<()>);

impl Drop for Lively {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn lively(house: &House, tables: u32, a_second: u32) -> Lively {
    const AT_ONCE: u32 = 10;
    let client = house.arbiter();
    let token = house.anna.clone();
    Lively(tokio::spawn(async move {
        let mut beat = tokio::time::interval(Duration::from_secs(1) / (a_second / AT_ONCE));
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut told: u32 = 0;
        loop {
            beat.tick().await;
            let mut entering = JoinSet::new();
            for n in told..told + AT_ONCE {
                let (table, round) = (n % tables + 1, n / tables);
                let mut request = tonic::Request::new(arbiter::EnterMoveRequest {
                    request_id: format!("move-{n}"),
                    table,
                    r#move: LONG_WALK[round as usize % LONG_WALK.len()].to_owned(),
                    ..Default::default()
                });
                let bearer = format!("Bearer {token}").parse().expect("a token");
                request.metadata_mut().insert("authorization", bearer);
                let mut client = client.clone();
                entering.spawn(async move { client.enter_move(request).await.map(drop) });
            }
            told += AT_ONCE;
            while entering.join_next().await.is_some() {}
        }
    }))
}

/// Moves of which no position comes a fifth time for long.
const LONG_WALK: [&str; 24] = [
    "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5", "Bb3", "d6", "c3", "O-O", "h3",
    "Nb8", "d4", "Nbd7", "Nbd2", "Bb7", "Bc2", "Re8",
];

async fn hall(tables: u32) -> House {
    let house = House::open().await;
    house.pair(1, tables, "90m+30s").await;
    house.arm(1).await;
    house.start(1).await;
    house
}

async fn opened(address: &str) -> Browser {
    let browser = Browser::start(1920, 1080, "dark").await;
    browser.page.goto(address).await.expect("the page opens");
    browser
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "wants a release build and a quiet machine: tests/run trace"]
async fn a_thousand_tables_leave_every_frame_of_the_screen_and_the_console_time() {
    const TABLES: u32 = 1_000;
    const A_SECOND: u32 = 200;
    let house = hall(TABLES).await;
    let _lively = lively(&house, TABLES, A_SECOND);
    let base = format!("http://{}", house.http);
    for (what, path, there) in [
        (
            "/hall",
            "/hall?seconds=3",
            "document.querySelectorAll('.card').length >= 30",
        ),
        (
            "/hall, clocks",
            "/hall?view=clocks&seconds=3",
            "document.querySelectorAll('.card').length >= 30",
        ),
        (
            "/hall, standings",
            "/hall?view=standings&seconds=3",
            "document.querySelectorAll('.standing').length >= 30",
        ),
        ("/arbiter", "/arbiter", "document.querySelectorAll('.row').length >= 20"),
    ] {
        let address = match path {
            "/arbiter" => format!("{base}{path}#token={}", house.anna),
            _ => format!("{base}{path}"),
        };
        let browser = Browser::start(1920, 1080, "dark").await;
        // How it loads, by itself.
        let trace = Trace::begin(&browser).await;
        browser.page.goto(&address).await.expect("the page opens");
        browser.until(there, LONG).await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        let load = Cost::of(&trace.end().await);
        println!(
            "{what}: longest tasks while it loads {:.0?} ms",
            &load.tasks[..load.tasks.len().min(3)]
        );
        let trace = Trace::begin(&browser).await;
        tokio::time::sleep(TRACED).await;
        let cost = Cost::of(&trace.end().await);
        let mut costs = vec![(what.to_owned(), cost)];
        if path == "/arbiter" {
            for (page, there) in [("#/round", ".walk a"), ("#/table/500", ".table .moves")] {
                browser.value(&format!("(location.hash = '{page}') && true")).await;
                browser
                    .until(&format!("document.querySelector('{there}') !== null"), LONG)
                    .await;
                // Its list of a thousand tables grows for a while.
                tokio::time::sleep(Duration::from_secs(3)).await;
                let trace = Trace::begin(&browser).await;
                tokio::time::sleep(TRACED).await;
                costs.push((format!("{path}{page}"), Cost::of(&trace.end().await)));
            }
        }
        for (what, cost) in &costs {
            cost.told(what);
        }
        browser.end().await;
        if std::env::var_os("FLAGFALL_TRACE_ONLY").is_none() {
            assert!(
                load.tasks.first().is_none_or(|longest| *longest < 50.0),
                "{what}, while it loads: {:?}",
                load.tasks
            );
            for (what, cost) in &costs {
                cost.holds(what);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "wants a release build and a quiet machine: tests/run trace"]
async fn a_tap_at_three_hundred_tables_shows_sent_at_once_and_done_when_it_is_durable() {
    const TABLES: u32 = 300;
    let house = hall(TABLES).await;
    let _lively = lively(&house, TABLES, 60);
    let browser = opened(&format!("http://{}/arbiter#token={}", house.http, house.anna)).await;
    browser
        .until("document.querySelectorAll('.row').length >= 20", LONG)
        .await;
    let (mut sent, mut done) = (Vec::new(), Vec::new());
    for table in 1..=20_u32 {
        browser
            .value(&format!("(location.hash = '#/table/{table}') && true"))
            .await;
        let there = format!(
            "document.querySelector('.table .number')?.textContent === '{table}' && \
                             document.querySelector('.actions .pause') !== null"
        );
        browser.until(&there, LONG).await;
        // From the tap until the frame in which it is drawn.
        let tap = "(() => { window.sentAfter = window.doneAfter = undefined; const began = performance.now(); \
                   const look = () => { const acts = [...document.querySelectorAll('.act')].filter(a => a.textContent.includes(`Table ${location.hash.split('/')[2]}: pause`)); \
                   if (acts.length > 0) window.sentAfter ??= performance.now() - began; \
                   if (acts.some(a => a.classList.contains('done'))) window.doneAfter ??= performance.now() - began; \
                   if (window.doneAfter === undefined) requestAnimationFrame(look); }; \
                   document.querySelector('.actions .pause').click(); requestAnimationFrame(look); return true; })()";
        browser.value(tap).await;
        browser.until("window.doneAfter !== undefined", LONG).await;
        sent.push(browser.value("window.sentAfter").await.as_f64().expect("ms"));
        done.push(browser.value("window.doneAfter").await.as_f64().expect("ms"));
        // It is in the journal on the disk by the time that "done" is seen.
        let journal = house.journal(table);
        assert!(journal.contains("Anna"), "table {table}: {journal}");
    }
    sent.sort_by(f64::total_cmp);
    done.sort_by(f64::total_cmp);
    println!(
        "a tap at {TABLES} tables: \"sent\" after {:.0} ms in the middle, {:.0} ms at most; \"done\" after {:.0} ms, {:.0} ms at most",
        sent[10], sent[19], done[10], done[19]
    );
    assert!(sent[19] < 100.0, "{sent:?}");
    browser.end().await;
}

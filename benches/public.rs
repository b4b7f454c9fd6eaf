//! The public's feed with a crowd: 500 boards, 200 clients by SSE, of whom one reads nothing for most of the time.
//!
//! `cargo bench --bench public`; `-- --seconds 60` for longer, `-- --rate 100` for changes in a second. The clients are a process of
//! their own, so that the memory told is the hub's. Told are how late changes come to the clients who read, with and without the one
//! who does not and the one as part of the other, and the server's memory. That everybody ends with the same is asked, not only told.
#![expect(clippy::disallowed_methods, reason = "measures real time")]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::net::SocketAddr;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use flagfall::broadcast::published::Published;
use flagfall::game::audience::{ClockView, HallView, MoveView};
use flagfall::hall::model::Player;
use flagfall::hall::{HallHandle, HallInfo, RoundNo, TableCard, TableNo};
use flagfall::time::{HallTime, Millis};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_util::sync::CancellationToken;

const BOARDS: u32 = 500;
const CLIENTS: usize = 200;
/// The last change of all, which ends the clients.
const LAST: &str = "the end";
/// Who has it, and hears nothing for so long, has everything. Less than the pause between two signs of life.
const QUIET: Duration = Duration::from_secs(3);

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == "--list") {
        // There are no tests in here.
        return;
    }
    let after = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let seconds = after("--seconds").and_then(|text| text.parse().ok()).unwrap_or(30);
    let rate = after("--rate").and_then(|text| text.parse().ok()).unwrap_or(17);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    match after("--clients-of") {
        Some(address) => {
            let is_slow = after("--slow").is_some();
            runtime.block_on(clients(
                address.parse().expect("an address"),
                is_slow,
                Duration::from_secs(seconds),
            ));
        }
        None => runtime.block_on(async {
            let all_read = serve(false, seconds, rate).await;
            let one_rests = serve(true, seconds, rate).await;
            let ratio = |of: fn(&Lag) -> f64| of(&one_rests) / of(&all_read).max(f64::MIN_POSITIVE);
            println!(
                "the others with the one who does not read, against all who read: half {:.2}, 99 of 100 {:.2}, all {:.2} times as late",
                ratio(|lag| lag.half),
                ratio(|lag| lag.most),
                ratio(|lag| lag.all),
            );
        }),
    }
}

fn micros() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}

fn card(table: u32) -> TableCard {
    let player = |color: &str| Player {
        name: format!("{color} of board {table}"),
        title: "IM".to_owned(),
        rating: Some(2400),
        ..Player::default()
    };
    TableCard {
        table: TableNo(table),
        event: "open".parse().expect("an id"),
        event_name: "An Open with a Name".to_owned(),
        round: RoundNo(3),
        board: table,
        white: player("White"),
        black: player("Black"),
        game: None,
        white_points: Some(15),
        black_points: Some(10),
        view: HallView {
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w".to_owned(),
            moves: (0..40).map(played).collect(),
            clocks: ClockView {
                white: Millis::mins(50),
                black: Millis::mins(50),
                running: None,
                as_of: HallTime(0),
                delay_until: None,
                no_signal: false,
            },
            result: "*".to_owned(),
            started: true,
            paused: false,
        },
    }
}

fn played(ply: i64) -> MoveView {
    MoveView {
        san: "Nbxd4+".to_owned(),
        uci: "b3d4".to_owned(),
        clock: Some(Millis(3_000_000 - ply * 10_000)),
        at: HallTime(ply * 20_000),
        promotion_unconfirmed: false,
    }
}

/// How late changes came to those who read, in ms.
#[derive(Default)]
struct Lag {
    half: f64,
    most: f64,
    all: f64,
}

/// How the clients tell it to the server.
const LAG: &str = "lag ";

impl Lag {
    fn read(line: &str) -> Option<Lag> {
        let mut figures = line
            .strip_prefix(LAG)?
            .split(' ')
            .map_while(|figure| figure.parse().ok());
        Some(Lag {
            half: figures.next()?,
            most: figures.next()?,
            all: figures.next()?,
        })
    }
}

async fn serve(slow: bool, seconds: u64, rate: u32) -> Lag {
    let (nobody, _) = tokio::sync::mpsc::channel(1);
    let info = HallInfo {
        name: "bench".to_owned(),
        epoch: 1,
        speed: 1.0,
        now: HallTime(0),
        insecure: false,
    };
    let hall = HallHandle::new(nobody, info, Box::new(|| HallTime(0)), Box::new(|| 0));
    let (_told, published) = tokio::sync::watch::channel(Published::empty());
    let router = flagfall::web::public::dressed(flagfall::web::public::routes(hall.clone(), published, 1.0));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("listens");
    let address = listener.local_addr().expect("an address");
    let stop = CancellationToken::new();
    let serving = flagfall::api::listener::serve(listener, router, None, Some(500), stop.clone().cancelled_owned());
    let serving = tokio::spawn(serving);
    let mut cards: BTreeMap<u32, TableCard> = (1..=BOARDS).map(|table| (table, card(table))).collect();
    for (table, card) in &cards {
        hall.screens().publish(1, TableNo(*table), card.clone());
    }
    let mut command = std::process::Command::new(std::env::current_exe().expect("this program"));
    command.args(["--clients-of", &address.to_string(), "--seconds", &seconds.to_string()]);
    if slow {
        command.args(["--slow", "1"]);
    }
    let crowd = command
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the clients run");
    // All have their snapshots before anything is measured.
    tokio::time::sleep(Duration::from_secs(4)).await;
    let before = memory();
    let mut most = before;
    let begun = Instant::now();
    let mut every = tokio::time::interval(Duration::from_secs(1) / rate);
    let mut position = 1;
    while begun.elapsed() < Duration::from_secs(seconds) {
        every.tick().await;
        position += 1;
        let table = (position as u32 * 7) % BOARDS + 1;
        let card = cards.get_mut(&table).expect("a board");
        if card.view.moves.len() > 160 {
            card.view.moves.truncate(40);
        }
        card.view.moves.push(played(position as i64));
        card.view.clocks.as_of = HallTime(micros());
        hall.screens().publish(position, TableNo(table), card.clone());
        if position % 100 == 0 {
            most = most.max(memory());
        }
    }
    let end = cards.get_mut(&1).expect("a board");
    end.view.result = LAST.to_owned();
    end.view.clocks.as_of = HallTime(micros());
    hall.screens().publish(position + 1, TableNo(1), end.clone());
    let output = tokio::task::spawn_blocking(move || crowd.wait_with_output());
    let output = output.await.expect("waited").expect("the clients end");
    let told = String::from_utf8_lossy(&output.stdout);
    println!(
        "{BOARDS} boards, {CLIENTS} clients{}: {} changes in {seconds} s; memory {:.1} MiB with all snapshots sent, {:.1} MiB at most after",
        if slow {
            ", one of them reads nothing until the end"
        } else {
            ", all read"
        },
        position - 1,
        before as f64 / 1024.0,
        most.max(memory()) as f64 / 1024.0,
    );
    for line in told.lines().filter(|line| !line.starts_with(LAG)) {
        println!("{line}");
    }
    assert!(output.status.success(), "the clients do not end with the same");
    stop.cancel();
    hall.screens().close();
    serving.await.expect("ended");
    told.lines().find_map(Lag::read).unwrap_or_default()
}

/// What a client has in the end, and how late changes came to him.
struct Heard {
    delays: Vec<i64>,
    bytes: usize,
    moves: BTreeMap<i64, usize>,
}

async fn clients(address: SocketAddr, slow: bool, span: Duration) {
    let mut all = Vec::new();
    for number in 0..CLIENTS {
        let rests = if slow && number == 0 {
            span + Duration::from_secs(3)
        } else {
            Duration::ZERO
        };
        all.push(tokio::spawn(client(address, rests)));
    }
    let mut heard = Vec::new();
    for client in all {
        heard.push(client.await.expect("ended"));
    }
    let same = heard.iter().all(|one| one.moves == heard[0].moves);
    let first = usize::from(slow);
    let mut delays: Vec<i64> = heard[first..]
        .iter()
        .flat_map(|one| one.delays.iter().copied())
        .collect();
    delays.sort_unstable();
    let at = |part: f64| {
        let at = ((delays.len() as f64 * part) as usize).min(delays.len().saturating_sub(1));
        delays.get(at).map_or(0.0, |micros| *micros as f64 / 1000.0)
    };
    let bytes: usize = heard[first..].iter().map(|one| one.bytes).sum();
    let mut out = std::io::stdout();
    writeln!(
        out,
        "  {} changes came to those who read: half within {:.1} ms, 99 of 100 within {:.1} ms, all within {:.1} ms; {:.1} MiB each",
        delays.len(),
        at(0.5),
        at(0.99),
        at(1.0),
        bytes as f64 / heard[first..].len().max(1) as f64 / 1024.0 / 1024.0
    )
    .expect("told");
    if slow {
        writeln!(
            out,
            "  who did not read got {} changes, {:.1} MiB, when he did",
            heard[0].delays.len(),
            heard[0].bytes as f64 / 1024.0 / 1024.0
        )
        .expect("told");
    }
    writeln!(out, "{LAG}{} {} {}", at(0.5), at(0.99), at(1.0)).expect("told");
    writeln!(out, "  all end with the same: {same}").expect("told");
    assert!(same, "somebody has another state than the rest");
}

async fn client(address: SocketAddr, rests: Duration) -> Heard {
    let mut stream = if rests.is_zero() {
        TcpStream::connect(address).await.expect("connects")
    } else {
        // So that nothing hides in the system's own buffers.
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4096).expect("a small buffer");
        socket.connect(address).await.expect("connects")
    };
    // Who does not read asks for whole tables, which no buffer of the system holds for him.
    let changes = if rests.is_zero() { "moves" } else { "tables" };
    let asked = format!("GET /api/hall/feed?changes={changes} HTTP/1.1\r\nhost: {address}\r\n\r\n");
    stream.write_all(asked.as_bytes()).await.expect("asked");
    tokio::time::sleep(rests).await;
    let mut heard = Heard {
        delays: Vec::new(),
        bytes: 0,
        moves: BTreeMap::new(),
    };
    let mut text = String::new();
    let mut piece = vec![0; 1 << 16];
    let mut is_last = false;
    loop {
        // Who was slow gets the newest of each table in any order: the last change of all need not come last.
        let wait = if is_last { QUIET } else { Duration::MAX };
        let Ok(read) = tokio::time::timeout(wait, stream.read(&mut piece)).await else {
            return heard;
        };
        let read = read.expect("goes on");
        assert!(read > 0, "the stream ended");
        let now = micros();
        heard.bytes += read;
        // HTTP's own lines between are no fields of events.
        text.push_str(&String::from_utf8_lossy(&piece[..read]));
        let mut done = 0;
        while let Some(end) = text[done..].find("\n\n") {
            let event = &text[done..done + end];
            is_last |= take(event, now, &mut heard);
            done += end + 2;
        }
        text.drain(..done);
    }
}

/// Takes an event; whether it is the last. Not read as JSON: two hundred readers are on the machine that is measured.
fn take(event: &str, now: i64, heard: &mut Heard) -> bool {
    let number = |name: &str| {
        let (_, rest) = event.split_once(name)?;
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse::<i64>().ok()
    };
    let Some(table) = number("data: {\"table\":") else {
        return false;
    };
    let moves = event.matches("\"san\":").count();
    let from = number("\"from_ply\":").unwrap_or(0) as usize;
    heard.moves.insert(table, from + moves);
    if let Some(sent) = number("\"as_of\":").filter(|sent| *sent > 0) {
        heard.delays.push(now - sent);
    }
    event.contains(LAST)
}

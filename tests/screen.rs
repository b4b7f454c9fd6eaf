//! The hall's screen in a real browser.
#![expect(clippy::disallowed_methods, reason = "waits for real programs")]

mod browser;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use browser::{Browser, free_port};
use flagfall::chess::Color;
use flagfall::game::audience::{ClockView, HallView, MoveView};
use flagfall::hall::handle::sha256_hex;
use flagfall::hall::imported::{ImportFormat, Imported, KeptFile, Unpaired};
use flagfall::hall::model::{ChessEvent, Person, PersonRole, Player, Registry, Regulations, Round, RoundStatus};
use flagfall::hall::{HallHandle, HallInfo, RoundNo, TableCard, TableNo};
use flagfall::time::{HallTime, Millis};
use flagfall::web::{Screens, Serving, routes};

const SOON: Duration = Duration::from_secs(10);
const HOSTILE: &str = "<img src=x onerror=\"document.title='owned'\">";

/// A hall of tables that we make up, served over HTTP. Dropped, it is gone as a killed hub is.
struct MadeUpHall {
    handle: HallHandle,
    server: Option<tokio::runtime::Runtime>,
}

impl MadeUpHall {
    fn serve(port: u16, epoch: u64) -> MadeUpHall {
        MadeUpHall::serve_to(Screens::Open, port, epoch)
    }

    fn serve_to(screens: Screens, port: u16, epoch: u64) -> MadeUpHall {
        let (calls, _nobody) = tokio::sync::mpsc::channel(1);
        let begun = std::time::Instant::now();
        let info = HallInfo {
            name: "Test hall".to_owned(),
            epoch,
            speed: 1.0,
            now: HallTime(0),
            insecure: false,
        };
        let now = move || HallTime(1_000_000 + begun.elapsed().as_millis() as i64);
        let handle = HallHandle::new(calls, info, Box::new(now), Box::new(|| 0));
        let serving = Serving {
            names: Vec::new(),
            screens,
            secure: false,
            metrics: Arc::new(String::new),
            mqtt: None,
        };
        let router = routes(handle.clone(), serving);
        let server = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = std::net::TcpListener::bind(("127.0.0.1", port)).expect("the port is free");
        listener.set_nonblocking(true).expect("a listener can be told so");
        server.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("inside the runtime");
            axum::serve(listener, router).await
        });
        MadeUpHall {
            handle,
            server: Some(server),
        }
    }

    fn show(&self, position: u64, card: TableCard) {
        self.handle.screens().publish(position, card.table, card);
    }

    fn now(&self) -> HallTime {
        self.handle.info().now
    }
}

impl Drop for MadeUpHall {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.shutdown_background();
        }
    }
}

fn card(table: u32, now: HallTime) -> TableCard {
    let player = |name: &str| Player {
        name: name.to_owned(),
        title: "GM".to_owned(),
        ..Player::default()
    };
    TableCard {
        table: TableNo(table),
        event: "open".parse().expect("a name"),
        event_name: "Open".to_owned(),
        round: RoundNo(3),
        board: table,
        white: player("Ivanović, Ana"),
        black: player("Nowak, Jan"),
        game: None,
        white_points: None,
        black_points: None,
        view: HallView {
            fen: "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b".to_owned(),
            moves: vec![MoveView {
                san: "Bb5".to_owned(),
                uci: "f1b5".to_owned(),
                clock: Some(Millis::mins(5)),
                at: now,
                promotion_unconfirmed: false,
            }],
            clocks: ClockView {
                white: Millis::mins(5),
                black: Millis(65_000),
                running: Some(Color::Black),
                as_of: now,
                delay_until: None,
                no_signal: false,
            },
            result: "*".to_owned(),
            started: true,
            paused: false,
        },
    }
}

fn text_of(table: u32, part: &str) -> String {
    format!("document.querySelector('[data-table=\"{table}\"] {part}').textContent")
}

/// Waits until so many tables are on the page.
async fn cards(browser: &Browser, count: usize) {
    browser
        .until(&format!("document.querySelectorAll('.card').length === {count}"), SOON)
        .await;
}

async fn opened(port: u16, query: &str) -> Browser {
    let browser = Browser::start(1920, 1080, "dark").await;
    browser
        .page
        .goto(&format!("http://127.0.0.1:{port}/hall{query}"))
        .await
        .expect("the page opens");
    browser
}

#[tokio::test(flavor = "multi_thread")]
async fn every_table_is_shown_with_its_pieces_and_the_running_clocks_count() {
    let port = free_port();
    let hall = MadeUpHall::serve(port, 1);
    for table in 1..=24 {
        hall.show(u64::from(table), card(table, hall.now()));
    }
    let browser = opened(port, "").await;
    cards(&browser, 24).await;
    browser
        .until("document.querySelectorAll('.card .board i.wK').length === 24", SOON)
        .await;
    browser
        .comes_to("document.querySelectorAll('.card .board [class*=wP]').length", 24 * 8)
        .await;
    browser
        .comes_to("document.querySelectorAll('.black .clock.running').length", 24)
        .await;
    browser
        .comes_to("document.querySelectorAll('.board i.marked').length", 48)
        .await;
    let drawn = "(() => { const piece = document.querySelector('i.wK'); \
                 return getComputedStyle(piece).backgroundImage.includes('wK.svg') && piece.clientWidth > 8; })()";
    browser.comes_to(drawn, true).await;

    let before = browser.value(&text_of(7, ".black .clock")).await;
    browser
        .until(&format!("{} !== {before}", text_of(7, ".black .clock")), SOON)
        .await;
    // The other clock stands.
    browser.comes_to(&text_of(7, ".white .clock"), "5:00").await;
    let fits = "[...document.querySelectorAll('.card')].every(card => { const at = card.getBoundingClientRect(); \
                return at.bottom <= innerHeight && at.right <= innerWidth && at.width > 0; })";
    // All 24 are on the screen.
    browser.comes_to(fits, true).await;
    assert!(
        browser.picture("made-up-hall").await.len() > 50_000,
        "the picture is not blank"
    );
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_name_is_only_text() {
    let port = free_port();
    let hall = MadeUpHall::serve(port, 1);
    let mut hostile = card(1, hall.now());
    hostile.white.name = HOSTILE.to_owned();
    hostile.black.title = HOSTILE.to_owned();
    hostile.event_name = HOSTILE.to_owned();
    hostile.view.result = HOSTILE.to_owned();
    hall.show(1, hostile);
    let browser = opened(port, "").await;
    // The page as it is, as names and clocks only, as an overlay of both kinds.
    for query in ["", "?view=clocks", "?boards=1", "?boards=1&view=clocks"] {
        browser
            .page
            .goto(&format!("http://127.0.0.1:{port}/hall{query}"))
            .await
            .expect("the page opens");
        cards(&browser, 1).await;
        // A card is filled in the frame after it came.
        let name = text_of(1, ".white .name");
        browser.until(&format!("({name}) !== ''"), SOON).await;
        browser.comes_to(&name, HOSTILE).await;
        browser.comes_to(&text_of(1, ".black .title"), HOSTILE).await;
        assert_eq!(browser.value("document.images.length").await, 0, "{query}");
        // The hall's own name comes with the next heartbeat at the latest.
        browser.until("document.title !== 'Flagfall'", SOON).await;
        browser.comes_to("document.title", "Test hall – Flagfall").await;
    }
    browser
        .page
        .goto(&format!("http://127.0.0.1:{port}/hall?view=standings"))
        .await
        .expect("the page opens");
    let names = "[...document.querySelectorAll('.standing .name')].map(name => name.textContent)";
    browser.until(&format!("{names}.length === 2"), SOON).await;
    let has = format!("{names}.includes({})", serde_json::json!(HOSTILE));
    browser.until(&has, SOON).await;
    assert_eq!(browser.value("document.images.length").await, 0);
    browser.until("document.title !== 'Flagfall'", SOON).await;
    browser.comes_to("document.title", "Test hall – Flagfall").await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clocks_show_what_was_reported_and_nothing_that_the_hub_made_up() {
    let port = free_port();
    let hall = MadeUpHall::serve(port, 1);
    let now = hall.now();
    let shown = |table: u32, change: &dyn Fn(&mut HallView)| {
        let mut card = card(table, now);
        change(&mut card.view);
        hall.show(u64::from(table), card);
    };
    shown(1, &|view| view.clocks.black = Millis(900));
    shown(2, &|view| view.clocks.no_signal = true);
    shown(3, &|view| {
        view.clocks.running = None;
        view.paused = true;
    });
    shown(4, &|view| view.clocks.delay_until = Some(now + Millis::mins(10)));
    shown(5, &|view| view.result = "1/2-1/2".to_owned());
    shown(6, &|view| view.clocks.black = Millis(15_900));
    shown(7, &|view| view.clocks.black = Millis(5_400_000));
    let browser = opened(port, "").await;
    cards(&browser, 7).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;

    // Its flag may have fallen or not: only the clock knows.
    browser.comes_to(&text_of(1, ".black .clock"), "0:00.9").await;
    browser.comes_to(&text_of(1, ".sign"), "no signal").await;
    browser.comes_to(&text_of(2, ".black .clock"), "1:05").await;
    browser.comes_to(&text_of(2, ".sign"), "no signal").await;
    browser.comes_to(&text_of(3, ".sign"), "paused").await;
    browser.comes_to(&text_of(3, ".black .clock"), "1:05").await;
    // It stands until the delay is over.
    browser.comes_to(&text_of(4, ".black .clock"), "1:05").await;
    browser.comes_to(&text_of(5, ".result"), "½–½").await;
    assert_eq!(
        browser
            .value("document.querySelectorAll('[data-table=\"5\"] .running').length")
            .await,
        0
    );
    let tenths = format!("/^0:[01]\\d\\.\\d$/.test({})", text_of(6, ".black .clock"));
    // Tenths below twenty seconds.
    browser.comes_to(&tenths, true).await;
    let hours = format!("/^1:2[89]:\\d\\d$/.test({})", text_of(7, ".black .clock"));
    browser.comes_to(&hours, true).await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_goes_on_when_the_hub_restarts() {
    let port = free_port();
    let hall = MadeUpHall::serve(port, 1);
    for table in 1..=3 {
        hall.show(1, card(table, hall.now()));
    }
    let browser = opened(port, "").await;
    cards(&browser, 3).await;
    browser.comes_to("document.getElementById('banner').hidden", true).await;

    drop(hall);
    browser.until("document.body.classList.contains('stale')", SOON).await;
    // It says that it hears nothing.
    browser
        .comes_to("document.getElementById('banner').hidden", false)
        .await;
    // And keeps what it knew.
    browser.comes_to("document.querySelectorAll('.card').length", 3).await;

    let hall = MadeUpHall::serve(port, 2);
    hall.show(1, card(1, hall.now()));
    let mut other = card(2, hall.now());
    other.white.name = "Petrova, Olga".to_owned();
    hall.show(2, other);
    browser.until("!document.body.classList.contains('stale')", SOON).await;
    cards(&browser, 2).await;
    browser.comes_to(&text_of(2, ".white .name"), "Petrova, Olga").await;
    browser.comes_to("document.getElementById('banner').hidden", true).await;
    hall.show(3, card(9, hall.now()));
    cards(&browser, 3).await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_shows_the_tables_asked_for_and_turns_pages_when_there_are_too_many() {
    let port = free_port();
    let hall = MadeUpHall::serve(port, 1);
    for table in 1..=300 {
        hall.show(1, card(table, hall.now()));
    }
    let browser = opened(port, "?tables=3-5,9").await;
    cards(&browser, 4).await;
    let numbers = "[...document.querySelectorAll('.card')].map(card => card.dataset.table).join()";
    browser.comes_to(numbers, "3,4,5,9").await;

    browser
        .page
        .goto(&format!("http://127.0.0.1:{port}/hall?seconds=3"))
        .await
        .expect("the page opens");
    browser
        .until(
            "/^page 1 of \\d+$/.test(document.getElementById('page').textContent)",
            SOON,
        )
        .await;
    let clock = "parseFloat(getComputedStyle(document.querySelector('.clock')).fontSize)";
    assert!(
        browser.value(clock).await.as_f64().expect("pixels") >= 28.0,
        "clocks stay readable"
    );
    browser
        .until(
            "/^page 2 of \\d+$/.test(document.getElementById('page').textContent)",
            SOON,
        )
        .await;

    browser
        .page
        .goto(&format!("http://127.0.0.1:{port}/hall?tables=x"))
        .await
        .expect("the page opens");
    browser
        .until("document.getElementById('banner').textContent.includes('1-8,12')", SOON)
        .await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_is_let_in_by_the_token_behind_its_address_and_remembers_it() {
    let port = free_port();
    let hall = MadeUpHall::serve_to(Screens::ByToken, port, 1);
    let lobby = Person {
        name: "lobby".to_owned(),
        role: PersonRole::Screen,
        sector: None,
        also: Vec::new(),
        token_sha256: sha256_hex("a-screen's-token"),
        expires_unix_ms: None,
    };
    let mut registry = Registry::default();
    registry.people.insert(lobby.name.clone(), lobby);
    hall.handle.set_registry(Arc::new(registry));
    hall.show(1, card(1, hall.now()));

    let browser = opened(port, "").await;
    let banner = "document.getElementById('banner').textContent";
    browser
        .until(&format!("{banner}.startsWith('This screen needs a token.')"), SOON)
        .await;
    let address = format!("http://127.0.0.1:{port}/hall");
    browser
        .page
        .goto(&format!("{address}?theme=dark#token=a-screen's-token"))
        .await
        .expect("the page opens");
    cards(&browser, 1).await;
    // The token is gone from the address.
    browser.comes_to("location.href", format!("{address}?theme=dark")).await;
    assert_eq!(browser.value("document.cookie").await, "", "no script can read it");
    browser.page.goto(&address).await.expect("the page opens");
    cards(&browser, 1).await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn three_hundred_lively_tables_leave_the_page_time_to_spare() {
    let port = free_port();
    let hall = MadeUpHall::serve(port, 1);
    for table in 1..=300 {
        hall.show(1, card(table, hall.now()));
    }
    let browser = opened(port, "").await;
    browser
        .until("document.querySelectorAll('.card').length > 20", SOON)
        .await;
    let (before, begun) = (browser.busy().await, Instant::now());
    let squares = ["8/8/8/8/4k3/8/4K3/8 w", "8/8/8/4k3/8/8/4K3/8 w"];
    let mut told: u64 = 1;
    // Each table moves once a second, all day: a hall of blitz.
    while begun.elapsed() < Duration::from_secs(4) {
        for _ in 0..15 {
            told += 1;
            let mut card = card(u32::try_from(told % 300).expect("small") + 1, hall.now());
            card.view.fen = squares[usize::from((told / 300).is_multiple_of(2))].to_owned();
            hall.show(told, card);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (spent, took) = (browser.busy().await - before, begun.elapsed().as_secs_f64());
    println!(
        "{:.0} changes a second: script, style and layout took {:.1} % of the time",
        told as f64 / took,
        100.0 * spent / took
    );
    assert!(spent < 0.5 * took, "{spent:.2} s of {took:.2} s");
    browser.end().await;
}

/// Who plays in round 3 of the open, and one who does not.
fn registry() -> Registry {
    let round = Round {
        event: "open".parse().expect("a name"),
        number: RoundNo(3),
        time_control: "3m+2s".to_owned(),
        status: RoundStatus::Started,
        pairings: Vec::new(),
    };
    let unpaired = Unpaired {
        number: Some(9),
        name: "Ćosić, Bye".to_owned(),
        code: 'U',
        opponent: None,
        points: Some(5),
    };
    let imported = Imported {
        format: ImportFormat::Trf16,
        file: KeptFile::new("round.trf", "utf-8", b"012 Open\n"),
        players: None,
        numbers: Vec::new(),
        unpaired: vec![unpaired],
        points: Vec::new(),
    };
    let event = ChessEvent {
        id: round.event.clone(),
        name: "Open".to_owned(),
        site: String::new(),
        date: String::new(),
        regulations: Regulations::default(),
        rounds: [(RoundNo(3), round)].into(),
        imports: [(RoundNo(3), Arc::new(imported))].into(),
        releases: Default::default(),
    };
    Registry {
        events: [(event.id.clone(), event)].into(),
        ..Registry::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_standings_are_the_imported_points_and_the_results_so_far() {
    let port = free_port();
    let hall = MadeUpHall::serve(port, 1);
    hall.handle.set_registry(Arc::new(registry()));
    for (table, before, result) in [(1, (20, 20), "*"), (2, (15, 10), "0-1"), (3, (10, 5), "1/2-1/2")] {
        let mut card = card(table, hall.now());
        (card.white.name, card.black.name) = (format!("White {table}"), format!("Black {table}"));
        (card.white_points, card.black_points) = (Some(before.0), Some(before.1));
        card.view.result = result.to_owned();
        hall.show(u64::from(table), card);
    }
    let browser = opened(port, "?view=standings").await;
    let rows = "[...document.querySelectorAll('.standing')].map(row => [...row.querySelectorAll('.rank, .name, .got, .score')] \
                .map(part => part.textContent).join(' ')).join('; ')";
    let expected = "1–3 Black 1 playing 2;  Black 2 +1 2;  White 1 playing 2; 4–6 Ćosić, Bye bye 1½;  White 2 +0 1½;  White 3 +½ 1½; \
                    7 Black 3 +½ 1";
    browser.until(&format!("({rows}) === {expected:?}"), SOON).await;
    browser
        .comes_to("document.getElementById('count').textContent", "2 of 3 games over")
        .await;
    // A result comes.
    let mut over = card(1, hall.now());
    (over.white.name, over.black.name) = ("White 1".to_owned(), "Black 1".to_owned());
    (over.white_points, over.black_points) = (Some(20), Some(20));
    over.view.result = "1-0".to_owned();
    hall.show(10, over);
    browser
        .until(
            &format!("({rows}).startsWith('1 White 1 +1 3; 2–3 Black 1 +0 2')"),
            SOON,
        )
        .await;
    for (width, height) in [(1920, 1080), (1280, 800), (390, 844)] {
        browser.resize(width, height).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        browser.picture(&format!("hall-standings-{width}x{height}")).await;
        let fits = browser
            .value("document.documentElement.scrollWidth <= innerWidth")
            .await;
        assert_eq!(fits, true, "{width} pixels");
    }
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn boards_asked_for_are_an_overlay_with_nothing_behind_and_nothing_beside() {
    let port = free_port();
    let hall = MadeUpHall::serve(port, 1);
    for table in 1..=30 {
        let mut card = card(table, hall.now());
        // Table 11 is the open's first board.
        if table <= 10 {
            card.event = "juniors".parse().expect("a name");
        }
        card.board = if table > 10 { table - 10 } else { table };
        hall.show(u64::from(table), card);
    }
    let browser = opened(port, "?boards=1-4&event=open").await;
    let numbers = "[...document.querySelectorAll('.card')].map(card => card.dataset.table).join()";
    browser.until(&format!("{numbers} === '11,12,13,14'"), SOON).await;
    let backgrounds =
        "[document.documentElement, document.body].map(element => getComputedStyle(element).backgroundColor).join()";
    // What is behind is seen.
    browser.comes_to(backgrounds, "rgba(0, 0, 0, 0),rgba(0, 0, 0, 0)").await;
    browser
        .comes_to("document.querySelector('header').checkVisibility()", false)
        .await;
    let clear = serde_json::json!({ "color": { "r": 0, "g": 0, "b": 0, "a": 0 } });
    browser
        .devtools("Emulation.setDefaultBackgroundColorOverride", clear)
        .await;
    browser.picture("hall-overlay-1920x1080").await;
    // One board to a source, as big as it is made.
    for (query, width, height, least) in [
        ("?boards=2&event=open", 1280, 720, 120.0),
        ("?boards=2&event=open&view=clocks", 600, 160, 40.0),
    ] {
        browser.resize(width, height).await;
        browser
            .page
            .goto(&format!("http://127.0.0.1:{port}/hall{query}"))
            .await
            .expect("the page opens");
        browser.until(&format!("{numbers} === '12'"), SOON).await;
        // It goes by its board.
        browser.comes_to(&text_of(12, ".table"), "2").await;
        let size = "parseFloat(getComputedStyle(document.querySelector('.clock')).fontSize)";
        let size = browser.value(size).await.as_f64().expect("pixels");
        assert!(size >= least, "{query}: {size} pixels");
        browser.picture(&format!("hall-overlay-one-{width}x{height}")).await;
    }
    // What is lost fades; nothing is written over the picture.
    drop(hall);
    browser.until("document.body.classList.contains('stale')", SOON).await;
    browser.comes_to("document.getElementById('banner').hidden", true).await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn featured_boards_stand_on_every_page_and_results_come_as_they_are_made() {
    let port = free_port();
    let hall = MadeUpHall::serve(port, 1);
    for table in 1..=120 {
        hall.show(1, card(table, hall.now()));
    }
    let browser = opened(port, "?featured=1,2&theme=bright&seconds=3").await;
    browser
        .until("document.querySelectorAll('#featured .card').length === 2", SOON)
        .await;
    let page = "document.getElementById('page').textContent.startsWith";
    browser.until(&format!("{page}('page 2')"), SOON).await;
    // They stay.
    browser
        .comes_to("document.querySelectorAll('#featured .card').length", 2)
        .await;
    assert_eq!(
        browser
            .value("document.querySelectorAll('#grid [data-table=\"1\"]').length")
            .await,
        0,
        "and are not there twice"
    );
    let ground = "getComputedStyle(document.body).backgroundColor";
    browser.comes_to(ground, "rgb(255, 255, 255)").await;
    let mut over = card(77, hall.now());
    over.view.result = "0-1".to_owned();
    over.black.name = HOSTILE.to_owned();
    hall.show(10, over);
    let strip = "document.querySelector('#results li.new')?.textContent";
    browser
        .until(&format!("{strip} === {:?}", format!("77Ivanović0–1{HOSTILE}")), SOON)
        .await;
    let fits = "[...document.querySelectorAll('.card, #results')].every(part => part.getBoundingClientRect().bottom <= innerHeight)";
    browser.until(fits, SOON).await;
    for (width, height) in [(1920, 1080), (1280, 800), (1080, 1920)] {
        browser.resize(width, height).await;
        tokio::time::sleep(Duration::from_millis(400)).await;
        browser.picture(&format!("hall-featured-{width}x{height}")).await;
    }
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hundreds_of_clocks_fit_without_boards_and_the_page_speaks_four_languages() {
    let port = free_port();
    let hall = MadeUpHall::serve(port, 1);
    for table in 1..=200 {
        let mut card = card(table, hall.now());
        card.view.clocks.no_signal = table == 3;
        hall.show(1, card);
    }
    let browser = opened(port, "?view=clocks").await;
    browser
        .until("document.querySelectorAll('.card .clock.running').length >= 40", SOON)
        .await;
    assert_eq!(browser.value("document.querySelectorAll('.board').length").await, 0);
    browser.picture("hall-clocks-1920x1080").await;
    for (language, word, count) in [
        ("en", "no signal", "200 playing, 0 finished"),
        ("sr", "nema signala", "u toku: 200, završeno: 0"),
        ("ru", "нет сигнала", "идёт: 200, окончено: 0"),
        ("pl", "brak sygnału", "w toku: 200, zakończone: 0"),
    ] {
        browser
            .page
            .goto(&format!("http://127.0.0.1:{port}/hall?view=clocks&lang={language}"))
            .await
            .expect("the page opens");
        browser
            .until(
                &format!(
                    "{} === {word:?}",
                    text_of(3, ".sign").replace(").textContent", ")?.textContent")
                ),
                SOON,
            )
            .await;
        browser
            .until(
                &format!("document.getElementById('count').textContent === {count:?}"),
                SOON,
            )
            .await;
    }
    // Nothing is said in one language only.
    let missing =
        "import('/hall/words.js').then(words => words.LANGUAGES.flatMap(language => words.missing(language)))";
    browser.comes_to(missing, serde_json::json!([])).await;
    browser.end().await;
}

/// `flagfall demo`, ended when dropped.
struct Demo(Child);

impl Drop for Demo {
    fn drop(&mut self) {
        let _gone = self.0.kill();
        let _reaped = self.0.wait();
    }
}

/// Starts the demo and gives the address of its page, as it prints it.
fn demo(data: &std::path::Path) -> (Demo, String) {
    let program = std::env::var_os("FLAGFALL_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_flagfall").into());
    let mut command = Command::new(program);
    command
        .args(["demo", "--speed", "60"])
        .env("TMPDIR", data)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut demo = Demo(command.spawn().expect("flagfall starts"));
    let (tell, told) = std::sync::mpsc::channel();
    let said = BufReader::new(demo.0.stdout.take().expect("it is piped"));
    // Read on to the end, or the demo would wait for somebody to read.
    std::thread::spawn(move || {
        for line in said.lines().map_while(Result::ok) {
            let address = line
                .split_whitespace()
                .find(|word| word.starts_with("http://") && word.ends_with("/hall"));
            if let Some(address) = address {
                let _heard = tell.send(address.to_owned());
            }
        }
    });
    let address = told
        .recv_timeout(Duration::from_secs(30))
        .expect("the demo prints the page's address");
    (demo, address)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "wants a release build, whose start it times: tests/acceptance runs it"]
async fn the_demo_shows_24_boards_and_running_clocks_within_five_seconds() {
    let browser = Browser::start(1920, 1080, "dark").await;
    let data = tempfile::tempdir().expect("a folder");
    let begun = Instant::now();
    let (_demo, address) = demo(data.path());
    browser.page.goto(&address).await.expect("the page opens");
    browser
        .until(
            "document.querySelectorAll('.card').length === 24",
            Duration::from_secs(20),
        )
        .await;
    browser
        .until(
            "document.querySelectorAll('.clock.running').length > 0",
            Duration::from_secs(20),
        )
        .await;
    let took = begun.elapsed();
    println!("24 boards and running clocks after {:.2} s", took.as_secs_f64());
    assert!(took < Duration::from_secs(5), "it took {took:?}");

    browser
        .until("document.querySelectorAll('.clock.running').length === 24", SOON)
        .await;
    browser
        .comes_to("document.querySelectorAll('.board i.wK').length", 24)
        .await;
    browser
        .comes_to("document.getElementById('speed').textContent", "×60 speed")
        .await;
    let times = "[...document.querySelectorAll('.clock')].map(clock => clock.textContent).join()";
    let before = browser.value(times).await;
    browser.until(&format!("{times} !== {before}"), SOON).await;
    browser
        .until("document.querySelectorAll('.board i.marked').length >= 24", SOON)
        .await;
    if std::env::var_os("FLAGFALL_SCREENSHOTS").is_some() {
        // Some games into their middle, some over.
        tokio::time::sleep(Duration::from_secs(25)).await;
    }
    for (width, height) in [(1920, 1080), (1280, 800), (390, 844)] {
        browser.resize(width, height).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        let png = browser.picture(&format!("demo-{width}x{height}")).await;
        assert!(
            png.len() > 30_000,
            "the picture at {width}×{height} is not blank: {} bytes",
            png.len()
        );
    }
    browser.end().await;
}

//! An evening of blitz: two arbiters, each with a console, two tables with phones as clocks, one of them with a recorder. There is an
//! illegal move, a claim, a pause, an adjustment, a lost connection and a flag; in the end the journal, the hub and both consoles say the
//! same. And all of it once more with the arbiters' network cut in the middle of each tap.

use std::time::Duration;

use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::feed::v1::Color;
use serde_json::Value;

use crate::browser::Browser;
use crate::firefox::{self, Firefox};
use crate::glass::{Glass, WHILE};
use crate::house::House;
use crate::line::{Line, Mood};
use crate::recorder::{Table, phone, runs};

const SOON: Duration = Duration::from_secs(15);

/// What an arbiter does on the way to his tap.
#[derive(Clone, Copy)]
enum Step<'a> {
    Go(&'a str),
    Tap(&'a str),
    /// Whatever this selects.
    On(&'a str),
}

/// An arbiter with a tablet, and what becomes of its network.
struct Arbiter<G> {
    page: G,
    line: Line,
    /// The network is cut in the middle of each tap.
    cut: bool,
}

impl<G: Glass> Arbiter<G> {
    async fn enter(house: &House, token: &str, width: u32, height: u32, cut: bool) -> Arbiter<G> {
        let line = Line::to(house.http).await;
        let page = G::open(width, height).await;
        page.goto(&format!("http://{}/arbiter#token={token}", line.addr)).await;
        page.until("document.querySelectorAll('.row, .item').length > 0", SOON)
            .await;
        Arbiter { page, line, cut }
    }

    async fn step(&self, step: Step<'_>) {
        match step {
            Step::Go(hash) => self.page.go(hash).await,
            Step::Tap(words) => self.page.tap(words).await,
            Step::On(selector) => self.page.tap_on(selector).await,
        }
    }

    /// Goes this way, and taps; what was done is said so. With a cut network the tap first does not arrive, and is not done later;
    /// then it arrives and its answer is lost, and it is known to be done once.
    async fn does(&self, way: &[Step<'_>], last: Step<'_>, said: &str) {
        if self.cut {
            for step in way {
                self.step(*step).await;
            }
            self.line.is(Mood::Cut);
            self.step(last).await;
            self.page.says(".act.asking", said).await;
            self.line.is(Mood::Open);
            self.page.says(".act.not-done", said).await;
            self.page.says_no_more(".link", "no connection").await;
            self.page
                .value("document.querySelectorAll('dialog[open]').forEach(dialog => dialog.close()) ?? true")
                .await;
            self.page.until("document.querySelector('.sheet') === null", SOON).await;
        }
        for step in way {
            self.step(*step).await;
        }
        if self.cut {
            self.line.is(Mood::Deaf);
        }
        self.step(last).await;
        if self.cut {
            self.page.says(".act.asking", said).await;
            self.line.is(Mood::Cut);
            tokio::time::sleep(Duration::from_millis(200)).await;
            self.line.is(Mood::Open);
        }
        self.page.says(".act.done", said).await;
        if self.cut {
            self.page.says_no_more(".link", "no connection").await;
        }
    }

    /// The page of this item.
    async fn item(&self, table: u32, title: &str) -> String {
        self.page.go("#/").await;
        let link = format!(
            "[...document.querySelectorAll('.items .item')].find(item => item.textContent.includes({title:?}) && \
             item.querySelector('a[href^=\"#/table/{table}/\"]'))?.querySelector('a[href^=\"#/table/{table}/\"]').getAttribute('href')"
        );
        self.page.until(&format!("({link}) !== undefined"), WHILE).await;
        let href = self.page.value(&link).await;
        href.as_str().expect("an address").to_owned()
    }

    /// What the page of a table says, whatever its width.
    async fn reads(&self, table: u32) -> Value {
        self.page.go(&format!("#/table/{table}")).await;
        self.page
            .until(
                &format!("document.querySelector('.table .number')?.textContent === '{table}'"),
                SOON,
            )
            .await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        let read = "['.table .number', '.moves', '.clock, .clocks', '.history, .rulings', '.result'].map(part => \
                    [...document.querySelectorAll(part)].map(e => e.textContent).join(' | '))";
        self.page.value(read).await
    }
}

/// What a phone keeps of its clock: left and right.
async fn counted(phone: &impl Glass, device: &str) -> (i64, i64) {
    let state = format!("JSON.parse(localStorage.getItem('flagfall-table/{device}/state')).clock");
    let clock = phone.value(&state).await;
    let ms = |side: &str| clock[side]["ms"].as_i64().expect("whole milliseconds");
    (ms("left"), ms("right"))
}

async fn stands(phone: &impl Glass) {
    let script =
        "[...document.querySelectorAll('.half')].every(half => ['stands', 'flag'].includes(half.dataset.state))";
    phone.until(script, SOON).await;
}

async fn presses(phone: &impl Glass, first: &str, plies: usize) {
    for ply in 0..plies {
        let side = if (first == "left") == (ply % 2 == 0) {
            "left"
        } else {
            "right"
        };
        runs(phone, side).await;
        tokio::time::sleep(Duration::from_millis(250)).await;
        phone.touches(&format!(".half.{side} .press")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_arbiters_and_two_phone_clocks_see_a_blitz_game_through() {
    evening::<Browser>(false).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes two minutes: tests/run evening"]
async fn the_same_with_the_arbiters_network_cut_in_the_middle_of_each_tap() {
    evening::<Browser>(true).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "wants Firefox ESR: tests/run evening"]
async fn the_same_in_firefox() {
    assert!(
        firefox::is_installed(),
        "Firefox is missing: apt-get install firefox-esr"
    );
    evening::<Firefox>(false).await;
}

async fn evening<G: Glass>(cut: bool) {
    let house = House::open().await;
    house.pair(1, 2, "3m+2s").await;
    let second: Table<G> = Table::open(&house, 2).await;
    let code = house.device(1, admin::DeviceKind::Clock).await;
    let first: G = phone(house.http, &format!("/table/1#{code}")).await;
    let ben = house.person("Ben", admin::Role::Arbiter).await;
    house.arm(1).await;
    house.start(1).await;
    let (anna, ben) = tokio::join!(
        Arbiter::<G>::enter(&house, &house.anna, 390, 844, cut),
        Arbiter::<G>::enter(&house, &ben, 1280, 800, cut),
    );

    // Table 1: a pause, two minutes more for Black, and on.
    presses(&first, "left", 4).await;
    runs(&first, "left").await;
    anna.does(&[Step::Go("#/table/1")], Step::On(".actions .pause"), "Table 1: pause")
        .await;
    stands(&first).await;
    let before = counted(&first, "phone-1").await;
    anna.does(
        &[Step::Go("#/table/1"), Step::Tap("Adjust"), Step::Tap("+2:00")],
        Step::On(".sheet .main"),
        "Black +2:00",
    )
    .await;
    house
        .until(1, "Black's two minutes", |game| {
            game.clocks
                .is_some_and(|clocks| (clocks.white_ms, clocks.black_ms) == (before.0, before.1 + 120_000))
        })
        .await;
    assert_eq!(
        counted(&first, "phone-1").await,
        (before.0, before.1 + 120_000),
        "the clock itself shows it"
    );
    anna.does(&[Step::Go("#/table/1")], Step::Tap("Resume"), "Table 1: resume")
        .await;
    presses(&first, "left", 2).await;

    // Table 2: an illegal move, tapped by the recorder as it was made.
    second.plays(&["e2e4", "e7e5"]).await;
    second.taps("f1f5").await;
    second.press("left").await;
    let href = ben.item(2, "Illegal move").await;
    ben.does(&[Step::Go(&href)], Step::Tap("Confirm"), "Table 2").await;
    let game = house.until(2, "the penalty", |game| game.illegal_white == 1).await;
    assert!(
        game.items.iter().all(|item| item.kind != "illegal-move"),
        "{:?}",
        game.items
    );
    stands(&second.clock).await;
    second.board.tap("Take back").await;
    ben.does(&[Step::Go("#/table/2")], Step::Tap("Resume"), "Table 2: resume")
        .await;
    second.taps("g1f3").await;
    second.press("left").await;
    house
        .until(2, "the move that was played instead", |game| game.moves.len() == 3)
        .await;

    // Table 1: a claim at the clock, which its player takes back.
    runs(&first, "left").await;
    first.tap("Draw").await;
    first
        .value("[...document.querySelectorAll('.half.left .choice')].at(-1).click() ?? true")
        .await;
    first
        .value("document.querySelector('.half.left .choice.main').click() ?? true")
        .await;
    stands(&first).await;
    let game = house
        .until(1, "the claim", |game| {
            game.items.iter().any(|item| item.kind != "device")
        })
        .await;
    let claim = game.items.iter().find(|item| item.kind != "device").expect("an item");
    let href = format!("#/table/1/item/{}", claim.number);
    ben.does(
        &[
            Step::Go(&href),
            Step::Tap("Dismiss"),
            Step::Tap("Withdrawn by the player"),
        ],
        Step::On(".sheet .main"),
        "Table 1: item dismissed",
    )
    .await;

    // Table 2: the clock's network is lost; it goes on by itself, and nothing is lost.
    second.clock_line.is(Mood::Cut);
    second.clock.says(".state", "Offline").await;
    second.taps("b8c6").await;
    second.press("right").await;
    second.taps("f1b5").await;
    second.press("left").await;
    second.clock.says(".state", "· 2").await;
    second.clock_line.is(Mood::Open);
    let game = house
        .until(2, "what was played meanwhile", |game| game.moves.len() == 5)
        .await;
    assert!(
        game.items.iter().all(|item| item.kind != "illegal-move"),
        "{:?}",
        game.items
    );
    second.clock.touch(".hold", Duration::from_millis(900)).await;
    stands(&second.clock).await;
    let shown = counted(&second.clock, "phone-2").await;
    house
        .until(2, "the clocks as the phone has them", |game| {
            game.clocks
                .is_some_and(|clocks| (clocks.white_ms, clocks.black_ms) == shown)
        })
        .await;

    // Table 1: Black is left some thirty seconds, and does not press. White, whose turn it is, does.
    let less = ".one-time:last-of-type .steps button:nth-child";
    let (two_minutes, half_a_minute) = (format!("{less}(1)"), format!("{less}(3)"));
    anna.does(
        &[
            Step::Go("#/table/1"),
            Step::Tap("Adjust"),
            Step::On(&two_minutes),
            Step::On(&two_minutes),
            Step::On(&half_a_minute),
        ],
        Step::On(".sheet .main"),
        "Black",
    )
    .await;
    anna.does(&[Step::Go("#/table/1")], Step::Tap("Resume"), "Table 1: resume")
        .await;
    presses(&first, "left", 1).await;
    first
        .until(
            "document.querySelector('.half.right').dataset.state === 'flag'",
            4 * SOON,
        )
        .await;
    let game = house
        .until(1, "the flag", |game| {
            game.items.iter().any(|item| item.kind.contains("flag"))
        })
        .await;
    let flag = game
        .items
        .iter()
        .find(|item| item.kind.contains("flag"))
        .expect("an item");
    assert_eq!(flag.of(), Color::Black);
    anna.does(
        &[Step::Go(&format!("#/table/1/item/{}", flag.number))],
        Step::Tap("Confirm"),
        "Table 1",
    )
    .await;
    house.until(1, "the end", |game| game.result == "1-0").await;

    // The journal, the hub and both consoles say the same; and what the hall sees.
    for table in [1, 2] {
        let (seen, other) = (anna.reads(table).await, ben.reads(table).await);
        assert_eq!(seen, other, "table {table}: both consoles say the same");
        let answer = house.table(table).await;
        let journal = house.journal(table);
        let is_theirs = |line: &&str| line.contains("Anna (") || line.contains("Ben (");
        let entries: Vec<_> = journal.lines().filter(is_theirs).collect();
        println!("table {table}, by arbiters:\n  {}", entries.join("\n  "));
        // Once each, however often it was tapped: called, paused, adjusted, resumed, dismissed, adjusted, resumed, confirmed; and called,
        // confirmed, resumed.
        assert_eq!(entries.len(), if table == 1 { 8 } else { 3 }, "table {table}");
        let by = |author: &str| answer.rulings.iter().filter(|ruling| ruling.author == author).count();
        assert_eq!(
            (by("Anna"), by("Ben")),
            if table == 1 { (3, 1) } else { (0, 1) },
            "{:#?}",
            answer.rulings
        );
        for ruling in &answer.rulings {
            // What the hub tells of it, the journal has, and both consoles show.
            assert!(
                journal.contains(&ruling.what),
                "table {table}: {} in\n{journal}",
                ruling.what
            );
        }
        let result = if table == 1 { "1-0" } else { "*" };
        assert_eq!(
            answer.table.and_then(|table| table.game).map(|game| game.result),
            Some(result.to_owned())
        );
    }
    let hall = "fetch('/api/hall/tables').then(answer => answer.json()).then(hall => hall.tables.map(table => table.view.result))";
    assert_eq!(first.value(hall).await, serde_json::json!(["1-0", "*"]));
    println!("{}", house.verified());
    anna.page.picture("evening-anna-390x844").await;
    ben.page.picture("evening-ben-1280x800").await;
    first.picture("evening-flag-390x844").await;
    anna.page.end().await;
    ben.page.end().await;
    first.end().await;
    second.end().await;
}

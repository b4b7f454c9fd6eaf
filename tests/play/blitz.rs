//! An evening of blitz: two arbiters, each with a console, two tables with phones as clocks, one of them with a recorder. There is an
//! illegal move, a claim, a pause, an adjustment, a lost connection and a flag; in the end the journal, the hub and both consoles say the
//! same. And all of it once more with the arbiters' network cut in the middle of each tap.

use std::time::Duration;

use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::feed::v1::Color;
use serde_json::Value;

use crate::browser::Browser;
use crate::hands::{WHILE, go, says, says_no_more, tap, touch, write};
use crate::house::House;
use crate::line::{Line, Mood};
use crate::recorder::{Table, phone, runs};

const SOON: Duration = Duration::from_secs(15);
const TOUCH: Duration = Duration::from_millis(30);

/// What an arbiter does on the way to his tap.
#[derive(Clone, Copy)]
enum Step<'a> {
    Go(&'a str),
    Tap(&'a str),
    Write(&'a str, &'a str),
    /// Whatever this selects.
    On(&'a str),
}

/// An arbiter with a tablet, and what becomes of its network.
struct Arbiter {
    page: Browser,
    line: Line,
    /// The network is cut in the middle of each tap.
    cut: bool,
}

impl Arbiter {
    async fn enter(house: &House, token: &str, width: u32, height: u32, cut: bool) -> Arbiter {
        let line = Line::to(house.http).await;
        let page = house
            .page(line.addr, &format!("/arbiter#token={token}"), width, height)
            .await;
        page.until("document.querySelectorAll('.row, .item').length > 0", SOON)
            .await;
        Arbiter { page, line, cut }
    }

    async fn step(&self, step: Step<'_>) {
        match step {
            Step::Go(hash) => {
                go(&self.page, hash).await;
                // The page of another table goes first.
                tokio::time::sleep(Duration::from_millis(150)).await;
            }
            Step::Tap(words) => tap(&self.page, words).await,
            Step::Write(label, text) => write(&self.page, label, text).await,
            Step::On(selector) => {
                let there = format!("document.querySelector({selector:?})?.disabled === false");
                self.page.until(&there, SOON).await;
                self.page
                    .value(&format!("document.querySelector({selector:?}).click() ?? true"))
                    .await;
            }
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
            says(&self.page, ".act.asking", said).await;
            self.line.is(Mood::Open);
            says(&self.page, ".act.not-done", said).await;
            says_no_more(&self.page, ".link", "no connection").await;
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
            says(&self.page, ".act.asking", said).await;
            self.line.is(Mood::Cut);
            tokio::time::sleep(Duration::from_millis(200)).await;
            self.line.is(Mood::Open);
        }
        says(&self.page, ".act.done", said).await;
        if self.cut {
            says_no_more(&self.page, ".link", "no connection").await;
        }
    }

    /// The page of this item.
    async fn item(&self, table: u32, title: &str) -> String {
        go(&self.page, "#/").await;
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
        go(&self.page, &format!("#/table/{table}")).await;
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
async fn counted(phone: &Browser, device: &str) -> (i64, i64) {
    let state = format!("JSON.parse(localStorage.getItem('flagfall-table/{device}/state')).clock");
    let clock = phone.value(&state).await;
    let ms = |side: &str| clock[side]["ms"].as_i64().expect("whole milliseconds");
    (ms("left"), ms("right"))
}

async fn stands(phone: &Browser) {
    let script =
        "[...document.querySelectorAll('.half')].every(half => ['stands', 'flag'].includes(half.dataset.state))";
    phone.until(script, SOON).await;
}

async fn presses(phone: &Browser, first: &str, plies: usize) {
    for ply in 0..plies {
        let side = if (first == "left") == (ply % 2 == 0) {
            "left"
        } else {
            "right"
        };
        runs(phone, side).await;
        tokio::time::sleep(Duration::from_millis(250)).await;
        touch(phone, &format!(".half.{side} .press"), TOUCH).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_arbiters_and_two_phone_clocks_see_a_blitz_game_through() {
    evening(false).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes two minutes: tests/run evening"]
async fn the_same_with_the_arbiters_network_cut_in_the_middle_of_each_tap() {
    evening(true).await;
}

async fn evening(cut: bool) {
    let house = House::open().await;
    house.pair(1, 2, "3m+2s").await;
    let second = Table::open(&house, 2).await;
    let code = house.device(1, admin::DeviceKind::Clock).await;
    let first = phone(&house, house.http, &format!("/table/1#{code}")).await;
    let ben = house.person("Ben", admin::Role::Arbiter).await;
    house.arm(1).await;
    house.start(1).await;
    let (anna, ben) = tokio::join!(
        Arbiter::enter(&house, &house.anna, 390, 844, cut),
        Arbiter::enter(&house, &ben, 1280, 800, cut),
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
    tap(&second.board, "Take back").await;
    ben.does(&[Step::Go("#/table/2")], Step::Tap("Resume"), "Table 2: resume")
        .await;
    second.taps("g1f3").await;
    second.press("left").await;
    house
        .until(2, "the move that was played instead", |game| game.moves.len() == 3)
        .await;

    // Table 1: a claim at the clock, which its player takes back.
    runs(&first, "left").await;
    tap(&first, "Draw").await;
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
    says(&second.clock, ".state", "Offline").await;
    second.taps("b8c6").await;
    second.press("right").await;
    second.taps("f1b5").await;
    second.press("left").await;
    says(&second.clock, ".state", "· 2").await;
    second.clock_line.is(Mood::Open);
    let game = house
        .until(2, "what was played meanwhile", |game| game.moves.len() == 5)
        .await;
    assert!(
        game.items.iter().all(|item| item.kind != "illegal-move"),
        "{:?}",
        game.items
    );
    touch(&second.clock, ".hold", Duration::from_millis(900)).await;
    stands(&second.clock).await;
    let shown = counted(&second.clock, "phone-2").await;
    house
        .until(2, "the clocks as the phone has them", |game| {
            game.clocks
                .is_some_and(|clocks| (clocks.white_ms, clocks.black_ms) == shown)
        })
        .await;

    // Table 1: Black has five seconds, and does not press. White, whose turn it is, has.
    anna.does(
        &[
            Step::Go("#/table/1"),
            Step::Tap("Adjust"),
            Step::Write("or set to", "5"),
        ],
        Step::On(".sheet .main"),
        "Black",
    )
    .await;
    anna.does(&[Step::Go("#/table/1")], Step::Tap("Resume"), "Table 1: resume")
        .await;
    presses(&first, "left", 1).await;
    first
        .until("document.querySelector('.half.right').dataset.state === 'flag'", SOON)
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
        for ruling in &answer.rulings {
            assert!(
                journal.contains(&ruling.author),
                "table {table}: {} in\n{journal}",
                ruling.author
            );
        }
        let entries: Vec<_> = journal
            .lines()
            .filter(|line| line.contains("Anna") || line.contains("Ben"))
            .collect();
        println!(
            "table {table}: {} rulings, {} journal entries by arbiters",
            answer.rulings.len(),
            entries.len()
        );
        for line in entries {
            println!("  {line}");
        }
    }
    let rulings = house.table(1).await.rulings;
    let by = |author: &str| rulings.iter().filter(|ruling| ruling.author == author).count();
    // Once each, however often it was tapped: pause, adjust, resume, adjust, resume, confirm; and the dismissal.
    assert_eq!((by("Anna"), by("Ben")), (6, 1), "{rulings:#?}");
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

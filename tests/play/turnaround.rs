//! Fifteen minutes between two rounds of blitz at 300 simulated tables: everything that an arbiter does is tapped in the console, in a
//! browser, and every tap is counted: `tests/run turnaround` prints it.

use std::time::{Duration, Instant};

use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::feed::v1::Color;
use flagfall::sim::clock::Side;
use flagfall::sim::link::Login;
use tokio_util::sync::CancellationToken;

use crate::browser::Browser;
use crate::clocks::{Clock, Hand};
use crate::hands;
use crate::house::House;

const TABLES: u32 = 300;
/// Whose players have written a slip instead of entering the result at the clock.
const SLIPS: std::ops::Range<u32> = 20..40;
/// Whose players do not agree.
const DISPUTED: [u32; 4] = [50, 51, 52, 53];
/// The one that still plays when the next round begins.
const LATE: u32 = 300;
const QUARTER: Duration = Duration::from_secs(15 * 60);
/// A tap with looking for where, as a generous guess.
const A_TAP: Duration = Duration::from_secs(4);

/// Until the page has come to what is tapped next; it follows 300 tables on a machine that plays them too.
const LONG: Duration = Duration::from_secs(60);

/// An arbiter at the console, who counts what he taps.
struct Arbiter {
    page: Browser,
    /// Since the last line.
    taps: u32,
    all: u32,
    lines: Vec<String>,
}

impl Arbiter {
    async fn at(house: &House) -> Arbiter {
        let page = Browser::start(1280, 800, "light").await;
        let address = format!("http://{}/arbiter#token={}", house.http, house.anna);
        page.page.goto(&address).await.expect("the page opens");
        page.until("document.querySelectorAll('.row').length > 0", LONG).await;
        Arbiter {
            page,
            taps: 0,
            all: 0,
            lines: Vec::new(),
        }
    }

    /// Taps what is seen and says so.
    async fn tap(&mut self, words: &str) {
        hands::tap(&self.page, words).await;
        self.taps += 1;
    }

    /// The same of what this yields.
    async fn tap_on(&mut self, element: &str) {
        self.page.until(&format!("{element} != null"), LONG).await;
        self.page.value(&format!("{element}.click() ?? true")).await;
        self.taps += 1;
    }

    /// The figures of a table's number, in the field for slips, which is tapped first.
    async fn slip(&mut self, number: u32) {
        let script = format!(
            "(() => {{ const input = document.querySelector('.slip input'); input.value = '{number}'; \
             input.dispatchEvent(new Event('input', {{ bubbles: true }})); return true; }})()"
        );
        self.page
            .until("document.querySelector('.slip input') !== null", LONG)
            .await;
        self.page.value(&script).await;
        self.taps += 1 + number.to_string().len() as u32;
    }

    async fn hold(&mut self, words: &str) {
        let button = format!(
            "[...document.querySelectorAll('.held')].find(e => !e.disabled && e.textContent.includes({words:?}))"
        );
        self.page.until(&format!("{button} !== undefined"), LONG).await;
        let down = format!("{button}.dispatchEvent(new PointerEvent('pointerdown'))");
        self.page.value(&down).await;
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        self.taps += 1;
    }

    /// A file: the field, and the file in what the system shows.
    async fn file(&mut self, name: &str, text: &[u8]) {
        let text = std::str::from_utf8(text).expect("text");
        let script = format!(
            "(() => {{ const input = document.querySelector('dialog[open] input[type=file]'); const given = new DataTransfer(); \
             given.items.add(new File([{text:?}], {name:?})); input.files = given.files; \
             input.dispatchEvent(new Event('change', {{ bubbles: true }})); return true; }})()"
        );
        self.page
            .until("document.querySelector('dialog[open] input[type=file]') !== null", LONG)
            .await;
        self.page.value(&script).await;
        self.taps += 2;
    }

    async fn sees(&self, selector: &str, words: &str) {
        let script =
            format!("[...document.querySelectorAll({selector:?})].some(e => e.textContent.includes({words:?}))");
        self.page.until(&script, LONG).await;
    }

    /// What the taps since the last line were for.
    fn told(&mut self, what: &str) {
        self.all += self.taps;
        self.lines.push(format!("{:>5}  {what}", self.taps));
        self.taps = 0;
    }
}

fn csv(round: u32) -> Vec<u8> {
    let mut text = "table,white,black,white_score,black_score\n".to_owned();
    for table in 1..=TABLES {
        // In the second round everybody meets somebody else.
        let other = (table + 7 * (round - 1) - 1) % TABLES + 1;
        let before = 10 * (round - 1);
        let written = format!(
            "{table},\"Ivanović, {table}\",\"Nowak, {other}\",{}.0,0.0\n",
            before / 10
        );
        text += &written;
    }
    text.into_bytes()
}

/// The two taps of an import: what is proposed, and that it is taken.
async fn import(house: &House, round: u32) -> admin::ImportRoundResponse {
    let request = |confirm: bool, proposal: String| admin::ImportRoundRequest {
        request_id: format!("import-{round}-{confirm}"),
        event: "open".to_owned(),
        round,
        file: Some(admin::PairingFile {
            name: format!("round-{round}.csv"),
            content: csv(round),
        }),
        time_control: "3m+2s".to_owned(),
        confirm,
        proposal,
        ..Default::default()
    };
    let shown = house
        .admin()
        .import_round(house.by(request(false, String::new())))
        .await;
    let shown = shown.expect("proposed").into_inner();
    let taken = house
        .admin()
        .import_round(house.by(request(true, shown.proposal)))
        .await;
    taken.expect("taken").into_inner()
}

async fn tables(house: &House) -> Vec<arbiter::ArbiterTable> {
    let request = house.by(arbiter::ListTablesRequest {
        page_size: 3_000,
        ..Default::default()
    });
    let mut client = house.arbiter().max_decoding_message_size(256 << 20);
    client.list_tables(request).await.expect("listed").into_inner().tables
}

/// Tables of this round whose game is so.
async fn wait_for(house: &House, round: u32, count: usize, what: &str, is: impl Fn(&arbiter::ArbiterTable) -> bool) {
    let begun = Instant::now();
    loop {
        let all = tables(house).await;
        let of = all
            .iter()
            .filter(|table| table.hall.as_ref().is_some_and(|hall| hall.round == round));
        let (so, not): (Vec<_>, Vec<_>) = of.partition(|table| is(table));
        if so.len() >= count {
            return;
        }
        let one = not.first();
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "{what}: {} of {count}; {one:#?}",
            so.len()
        );
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

fn is_over(table: &arbiter::ArbiterTable) -> bool {
    table.game.as_ref().is_some_and(|game| game.result != "*")
}

/// The clock has what it was ordered.
fn is_ready(table: &arbiter::ArbiterTable) -> bool {
    table
        .game
        .as_ref()
        .is_some_and(|game| game.orders.is_empty() && !game.answered_orders.is_empty())
        && table
            .clock_device
            .as_ref()
            .is_some_and(|clock| clock.online() == arbiter::Online::Online)
}

fn runs(table: &arbiter::ArbiterTable) -> bool {
    let clocks = table.game.as_ref().and_then(|game| game.clocks.as_ref());
    clocks.is_some_and(|clocks| clocks.running() == Color::White)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes a minute, and wants a release build: tests/run turnaround"]
async fn fifteen_minutes_are_enough_between_two_rounds_at_three_hundred_tables() {
    let house = House::open().await;
    let stop = CancellationToken::new();
    house.event().await;
    import(&house, 1).await;
    let mut clocks = Vec::new();
    for table in 1..=TABLES {
        let code = house.device(table, admin::DeviceKind::Clock).await;
        let (username, password) = code.split_once(':').expect("a code");
        let login = Login {
            host: house.mqtt.ip().to_string(),
            port: house.mqtt.port(),
            username: username.to_owned(),
            password: password.to_owned(),
            prefix: format!("flagfall/v1/hall/{username}"),
            persistent: false,
        };
        clocks.push(Clock::switch_on(login, table, &stop));
    }
    house.arm(1).await;
    wait_for(
        &house,
        1,
        TABLES as usize,
        "clocks with the first round's time",
        is_ready,
    )
    .await;
    house.start(1).await;
    wait_for(&house, 1, TABLES as usize, "clocks that run", runs).await;
    for _ in 0..3 {
        for side in [Side::Left, Side::Right] {
            for clock in &clocks {
                clock.hand(Hand::Press(side)).await;
            }
        }
    }

    // The games end: at most tables both players say so at the clock, at some on paper, at some they do not agree, at one they play on.
    for table in 1..TABLES {
        let clock = &clocks[table as usize - 1];
        if SLIPS.contains(&table) {
            continue;
        }
        let (white, black) = if DISPUTED.contains(&table) {
            ("1-0", "0-1")
        } else {
            ("1-0", "1-0")
        };
        clock.hand(Hand::Results(white, black)).await;
    }
    let entered = TABLES as usize - 1 - SLIPS.len() - DISPUTED.len();
    let (mut anna, begun) = (Arbiter::at(&house).await, Instant::now());
    let mut machine = Duration::ZERO;
    let all = tables(&house).await;
    println!(
        "{} games over so far",
        all.iter().filter(|table| is_over(table)).count()
    );
    wait_for(
        &house,
        1,
        entered,
        "games that both players have ended at the clock",
        is_over,
    )
    .await;

    // From here on an arbiter taps. Slips: the table's number on the keypad, and the result.
    let since = Instant::now();
    anna.tap("Round").await;
    for table in SLIPS {
        anna.slip(table).await;
        let player = format!("Ivanović, {table} ");
        anna.sees(".slip-who", &player).await;
        anna.tap_on(
            "[...document.querySelectorAll('.slip .choices button')].find(e => !e.disabled && e.textContent === '½–½')",
        )
        .await;
    }
    anna.told(&format!(
        "{} slips: the round's page, and for each the field, number and result",
        SLIPS.len()
    ));
    // Where they do not agree the arbiter has gone there, and ends it from the item.
    for table in DISPUTED {
        anna.tap("Hall").await;
        anna.tap_on(&format!(
            "document.querySelector('.items a[href^=\"#/table/{table}/\"]')"
        ))
        .await;
        anna.tap("Rule otherwise").await;
        anna.tap_on("[...document.querySelectorAll('dialog[open] button')].find(e => e.textContent === 'Result')")
            .await;
        anna.tap("White wins").await;
        anna.tap("Set the result").await;
        anna.sees(".act.done", &format!("Table {table}:")).await;
    }
    anna.told(&format!(
        "{} disputes: the hall, the item, otherwise, the result, which, and done",
        DISPUTED.len()
    ));
    wait_for(&house, 1, TABLES as usize - 1, "results", is_over).await;
    machine += since.elapsed();

    // The results go out, and the pairing program's next round comes in.
    let since = Instant::now();
    anna.tap("Round").await;
    anna.tap("Results and games").await;
    anna.tap_on(
        "[...document.querySelectorAll('dialog[open] .choices button')].find(e => e.textContent.includes('CSV'))",
    )
    .await;
    anna.sees("dialog[open] [role=status]", ".csv").await;
    anna.tap("Close").await;
    anna.told("export: the round's page, the sheet, the format, and away with it");
    anna.tap("Import a round").await;
    anna.file("round-2.csv", &csv(2)).await;
    anna.tap("Look").await;
    anna.sees("dialog[open] [role=status]", &format!("Games: {TABLES}"))
        .await;
    anna.tap("Take this round").await;
    anna.sees(".act.done", "Round 2: import").await;
    anna.told("import: the sheet, the file (two), look at the proposal, take it");
    // The page stays with the round that goes on, until another is chosen.
    let choose = "(() => { const select = [...document.querySelectorAll('.round select')].at(-1); select.value = '2'; \
                  select.dispatchEvent(new Event('change', { bubbles: true })); return select.value === '2'; })()";
    anna.page
        .until("document.querySelectorAll('.round select option').length >= 2", LONG)
        .await;
    anna.page.until(choose, LONG).await;
    anna.taps += 2;
    anna.tap("Arm the round").await;
    anna.told("arm: the next round (two), and the button");
    wait_for(
        &house,
        2,
        TABLES as usize - 1,
        "clocks with the second round's time",
        is_ready,
    )
    .await;
    let ready = since.elapsed();
    anna.hold("Hold to call the round").await;
    anna.told("call the round: one held button, and five seconds of countdown");
    wait_for(&house, 2, TABLES as usize - 1, "clocks that run", runs).await;
    machine += since.elapsed();

    // The late one still plays its first round, and blocks nobody else.
    let late = tables(&house)
        .await
        .into_iter()
        .find(|table| table.hall.as_ref().is_some_and(|hall| hall.table == LATE));
    assert_eq!(late.and_then(|table| table.hall).map(|hall| hall.round), Some(1));

    for line in &anna.lines {
        println!("{line}");
    }
    let hands = A_TAP * anna.all;
    println!(
        "{} taps in all; at {} s a tap {:.1} minutes, and the machine {:.1} s, of which {:.1} s from the results to {} clocks with the next \
         round's names and time; the rehearsal itself took {:.1} s",
        anna.all,
        A_TAP.as_secs(),
        hands.as_secs_f64() / 60.0,
        machine.as_secs_f64(),
        ready.as_secs_f64(),
        TABLES - 1,
        begun.elapsed().as_secs_f64()
    );
    assert!(hands + machine < QUARTER, "{hands:?} and {machine:?}");
    anna.page.end().await;
    stop.cancel();
}

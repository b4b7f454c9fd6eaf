//! Fifteen minutes between two rounds of blitz at 300 simulated tables, with the console's calls and nothing else. What an arbiter has
//! to tap is counted: `tests/run turnaround` prints it.

use std::time::{Duration, Instant};

use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::feed::v1::Color;
use flagfall::sim::clock::Side;
use flagfall::sim::link::Login;
use tokio_util::sync::CancellationToken;

use crate::clocks::{Clock, Hand};
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

/// What an arbiter has tapped so far.
#[derive(Default)]
struct Taps {
    all: u32,
    lines: Vec<String>,
}

impl Taps {
    fn count(&mut self, taps: u32, what: &str) {
        self.all += taps;
        self.lines.push(format!("{taps:>5}  {what}"));
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
    let (mut taps, begun) = (Taps::default(), Instant::now());
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
    for table in SLIPS {
        result(&house, table, "1/2-1/2").await;
        taps.count(
            table.to_string().len() as u32 + 1,
            &format!("table {table}: number and result from its slip"),
        );
    }
    // Where they do not agree the arbiter has gone there: the item, then the result and its confirmation.
    for table in DISPUTED {
        result(&house, table, "1-0").await;
        taps.count(4, &format!("table {table}: the item, the result, which, and done"));
    }
    wait_for(&house, 1, TABLES as usize - 1, "results", is_over).await;
    machine += since.elapsed();

    // The results go out, and the pairing program's next round comes in.
    let since = Instant::now();
    let export = admin::ExportEventRequest {
        event: "open".to_owned(),
        round: 1,
        format: admin::ExportFormat::Csv.into(),
        elapsed_times: false,
    };
    let out = house.admin().export_event(house.by(export)).await.expect("exported");
    drop(out);
    taps.count(3, "export: the page, the format, and save");
    let taken = import(&house, 2).await;
    assert_eq!(taken.games.len(), TABLES as usize);
    taps.count(5, "import: the page, the file (two), look at the proposal, take it");
    let request = arbiter::ArmRoundRequest {
        request_id: "arm-2".to_owned(),
        event: "open".to_owned(),
        round: 2,
    };
    let armed = house.arbiter().arm_round(house.by(request)).await;
    let armed = armed.expect("armed").into_inner();
    println!("armed: {armed:?}");
    taps.count(2, "arm: the round's page, and the button");
    wait_for(
        &house,
        2,
        TABLES as usize - 1,
        "clocks with the second round's time",
        is_ready,
    )
    .await;
    let ready = since.elapsed();
    let request = arbiter::StartRoundRequest {
        request_id: "start-2".to_owned(),
        event: "open".to_owned(),
        round: 2,
        tables: Vec::new(),
    };
    house.arbiter().start_round(house.by(request)).await.expect("called");
    taps.count(1, "call the round: one held button, and five seconds of countdown");
    wait_for(&house, 2, TABLES as usize - 1, "clocks that run", runs).await;
    machine += since.elapsed();

    // The late one still plays its first round, and blocks nobody else.
    let late = tables(&house)
        .await
        .into_iter()
        .find(|table| table.hall.as_ref().is_some_and(|hall| hall.table == LATE));
    assert_eq!(late.and_then(|table| table.hall).map(|hall| hall.round), Some(1));

    for line in &taps.lines {
        println!("{line}");
    }
    let hands = A_TAP * taps.all;
    println!(
        "{} taps in all; at {} s a tap {:.1} minutes, and the machine {:.1} s, of which {:.1} s from the results to {} clocks with the next \
         round's names and time; the rehearsal itself took {:.1} s",
        taps.all,
        A_TAP.as_secs(),
        hands.as_secs_f64() / 60.0,
        machine.as_secs_f64(),
        ready.as_secs_f64(),
        TABLES - 1,
        begun.elapsed().as_secs_f64()
    );
    assert!(hands + machine < QUARTER, "{hands:?} and {machine:?}");
    stop.cancel();
}

async fn result(house: &House, table: u32, result: &str) {
    let request = arbiter::SetResultRequest {
        request_id: format!("result-{table}"),
        reason: "slip".to_owned(),
        table,
        revision: house.game(table).await.revision,
        result: result.to_owned(),
        ..Default::default()
    };
    house.arbiter().set_result(house.by(request)).await.expect("a result");
}

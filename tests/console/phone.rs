//! Phones as tables' clocks: a blitz game of real touches, an arbiter who stops and adjusts it, a reload, a flag; and a network that is
//! three seconds late. What the hub has on record is what the glass was touched at, to the millisecond.

use std::net::SocketAddr;
use std::time::Duration;

use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::feed::v1::Color;
use serde_json::Value;

use crate::browser::Browser;
use crate::hands::{fits, is_accessible, says, tap, touch};
use crate::house::House;
use crate::line::Line;

const SOON: Duration = Duration::from_secs(10);
/// There and back again over a line that is three seconds late, several times.
const LATE: Duration = Duration::from_secs(40);
const TOUCH: Duration = Duration::from_millis(30);
const HELD: Duration = Duration::from_millis(900);
const LEFT: &str = ".half.left .press";
const RIGHT: &str = ".half.right .press";

/// The phone with this code, at its table; it writes down when the glass is touched.
async fn open(code: &str, table: u32, at: SocketAddr, patience: Duration) -> Browser {
    let phone = Browser::start(390, 844, "dark").await;
    let address = format!("http://{at}/table/{table}#{code}");
    phone.page.goto(&address).await.expect("the page opens");
    phone
        .until("document.querySelectorAll('.half').length === 2", patience)
        .await;
    // No secret stays there.
    phone.comes_to("location.hash", "").await;
    note_touches(&phone).await;
    phone
}

async fn note_touches(phone: &Browser) {
    let script = "(() => { window.touched = []; addEventListener('pointerdown', e => { const half = e.target.closest('.half'); \
                  if (half && e.target.className === 'press') touched.push([half.classList.contains('left') ? 'left' : 'right', \
                  Math.floor(e.timeStamp)]); }, true); return true; })()";
    phone.value(script).await;
}

async fn runs(phone: &Browser, side: &str, patience: Duration) {
    phone
        .until(
            &format!("document.querySelector('.half.{side}')?.dataset.state === 'runs'"),
            patience,
        )
        .await;
}

async fn stands(phone: &Browser, patience: Duration) {
    let script = "[...document.querySelectorAll('.half')].every(half => half.dataset.state === 'stands')";
    phone.until(script, patience).await;
}

/// What the phone keeps of its clock: left, right, as of when.
async fn counted(phone: &Browser, device: &str) -> (i64, i64, i64) {
    let state = phone
        .value(&format!(
            "JSON.parse(localStorage.getItem('flagfall-table/{device}/state')).clock"
        ))
        .await;
    let ms = |side: &str| state[side]["ms"].as_i64().expect("whole milliseconds");
    (ms("left"), ms("right"), state["asOf"].as_i64().expect("whole"))
}

/// So many moves, beginning with this side's, each pressed by a finger after a short thought; White sits on the left.
async fn moves(phone: &Browser, first: &str, plies: u64) {
    for ply in 0..plies {
        let left = (first == "left") == (ply % 2 == 0);
        runs(phone, if left { "left" } else { "right" }, SOON).await;
        tokio::time::sleep(Duration::from_millis(120 + 90 * (ply % 4))).await;
        touch(phone, if left { LEFT } else { RIGHT }, TOUCH).await;
    }
}

/// What both sides must show by the moments at which the glass was touched: from the first touch on, where the phone had counted this.
async fn by_touches(phone: &Browser, bonus: i64, mut left: i64, mut right: i64, from: usize) -> (i64, i64) {
    let touched = phone.value("touched").await;
    let touched: Vec<(String, i64)> = serde_json::from_value(touched).expect("sides and moments");
    for pair in touched[from..].windows(2) {
        let used = pair[1].1 - pair[0].1;
        match pair[1].0.as_str() {
            "left" => left += bonus - used,
            _ => right += bonus - used,
        }
    }
    (left, right)
}

async fn on_record(house: &House, table: u32) -> (i64, i64, Color) {
    let clocks = house.game(table).await.0.clocks.expect("clocks");
    (clocks.white_ms, clocks.black_ms, clocks.running())
}

/// Waits until the hub has the clocks standing with these times.
async fn has(house: &House, table: u32, times: (i64, i64), patience: Duration) {
    has_nearly(house, table, times, 0, patience).await;
}

/// As above; White's may be off by so much.
async fn has_nearly(house: &House, table: u32, times: (i64, i64), off: i64, patience: Duration) {
    let begun = std::time::Instant::now();
    loop {
        let found = on_record(house, table).await;
        if (found.0 - times.0).abs() <= off && (found.1, found.2) == (times.1, Color::Unspecified) {
            return;
        }
        assert!(
            begun.elapsed() < patience,
            "the hub has {found:?} on record, the phone {times:?}"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn items(house: &House, table: u32) -> Vec<String> {
    let game = house.game(table).await.0;
    game.items.into_iter().map(|item| item.kind).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_is_the_clock_of_a_blitz_game() {
    let house = House::empty().await;
    house.pair(2, "3m+2s").await;
    let code = house.phone_without_a_table(1).await;
    let phone = open(&code, 1, house.hub.http_addr, SOON).await;
    says(&phone, ".word", "Waiting for the time control").await;
    phone.picture("table-waiting-390x844").await;
    // Pressed, it names itself; on White's side, that is White's.
    phone
        .until("document.querySelector('.strip').dataset.online === 'true'", SOON)
        .await;
    touch(&phone, LEFT, TOUCH).await;
    let begun = std::time::Instant::now();
    while house.listed("phone-1").await.pressed_ms.is_none() {
        assert!(begun.elapsed() < SOON, "nobody has heard the press");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let side = house.listed("phone-1").await.pressed_side();
    assert_eq!(side, admin::Side::Left);
    house.bind_phone(1, side).await;
    phone.value("(touched = []) && true").await;
    house.start().await;
    runs(&phone, "left", SOON).await;
    is_accessible(&phone, "the table's clock").await;

    // Moves; each time is the difference of two touches.
    moves(&phone, "left", 1).await;
    let (left, right, _) = counted(&phone, "phone-1").await;
    moves(&phone, "right", 7).await;
    phone.picture("table-runs-390x844").await;
    let expected = by_touches(&phone, 2_000, left, right, 0).await;
    let (left, right, _) = counted(&phone, "phone-1").await;
    assert_eq!((left, right), expected, "counted by the touches' own moments");

    // An arbiter stops it, gives Black two minutes, and lets it go on.
    let mut anna = house.arbiter().await;
    let request = arbiter::PauseGameRequest {
        request_id: "pause".to_owned(),
        reason: "a phone rang".to_owned(),
        table: 1,
    };
    anna.pause_game(house.by(request)).await.expect("paused");
    stands(&phone, SOON).await;
    let (left, right, _) = counted(&phone, "phone-1").await;
    has(&house, 1, (left, right), SOON).await;
    let request = arbiter::AdjustClocksRequest {
        request_id: "adjust".to_owned(),
        reason: "disturbed".to_owned(),
        table: 1,
        black: add(120_000),
        ..Default::default()
    };
    anna.adjust_clocks(house.by(request)).await.expect("adjusted");
    has(&house, 1, (left, right + 120_000), SOON).await;
    phone
        .until(
            "document.querySelector('.half.right .time').textContent.startsWith('5:')",
            SOON,
        )
        .await;
    let request = arbiter::ResumeGameRequest {
        request_id: "resume".to_owned(),
        reason: String::new(),
        table: 1,
    };
    anna.resume_game(house.by(request)).await.expect("resumed");
    runs(&phone, "left", SOON).await;

    // The page is loaded again in mid-move: a new boot, and the clock has run on.
    let before = counted(&phone, "phone-1").await;
    phone.page.refresh().await.expect("loads again");
    phone
        .until("document.querySelectorAll('.half').length === 2", SOON)
        .await;
    note_touches(&phone).await;
    runs(&phone, "left", SOON).await;
    moves(&phone, "left", 1).await;
    let (left, right, _) = counted(&phone, "phone-1").await;
    assert!(
        left < before.0 + 2_000 && left > before.0 - 20_000,
        "{before:?}, {left}"
    );
    moves(&phone, "right", 4).await;
    let expected = by_touches(&phone, 2_000, left, right, 0).await;
    // A player stops both clocks: only a button that is held does.
    touch(&phone, ".hold", TOUCH).await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    runs(&phone, "right", SOON).await;
    touch(&phone, ".hold", HELD).await;
    stands(&phone, SOON).await;
    says(&phone, ".state", "Clocks stopped").await;
    phone.picture("table-paused-390x844").await;
    let (left, right, _) = counted(&phone, "phone-1").await;
    assert_eq!(left, expected.0, "White pressed last");
    // The one move in which the page was loaded again is counted by the hall's time, as with any clock that was restarted.
    has_nearly(&house, 1, (left, right), 150, SOON).await;
    assert_ne!(items(&house, 1).await, Vec::<String>::new(), "the arbiter is called");

    // The arbiter holds the other one to go on; then Black has two seconds.
    touch(&phone, ".go-on", Duration::from_millis(1_500)).await;
    runs(&phone, "right", SOON).await;
    let request = arbiter::AdjustClocksRequest {
        request_id: "short".to_owned(),
        reason: "for the test".to_owned(),
        table: 1,
        black: add(2_500 - right),
        ..Default::default()
    };
    anna.adjust_clocks(house.by(request)).await.expect("adjusted");
    phone
        .until("document.querySelector('.half.right').dataset.state === 'flag'", SOON)
        .await;
    phone.picture("table-flag-390x844").await;
    phone.resize(844, 390).await;
    phone.picture("table-flag-844x390").await;
    let begun = std::time::Instant::now();
    while !items(&house, 1).await.iter().any(|kind| kind.contains("flag")) {
        assert!(begun.elapsed() < SOON, "{:?}", items(&house, 1).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    // All of it is with the hub, and nothing is left on the phone.
    phone
        .until("!Object.keys(localStorage).some(key => key.includes('/report/'))", SOON)
        .await;
    phone.end().await;
}

fn add(ms: i64) -> Option<arbiter::TimeChange> {
    let change = Some(arbiter::time_change::Change::AddMs(ms));
    Some(arbiter::TimeChange { change })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_that_is_three_seconds_late_costs_nobody_a_millisecond() {
    let house = House::empty().await;
    house.pair(1, "3m+2s").await;
    let code = house.phone(1).await;
    let late = Line::slow(house.hub.http_addr, Duration::from_secs(3)).await;
    let phone = open(&code, 1, late, LATE).await;
    phone
        .until("document.querySelector('.strip').dataset.online === 'true'", LATE)
        .await;
    house.start().await;
    runs(&phone, "left", LATE).await;
    moves(&phone, "left", 1).await;
    let (left, right, _) = counted(&phone, "phone-1").await;
    moves(&phone, "right", 8).await;
    touch(&phone, ".hold", HELD).await;
    stands(&phone, SOON).await;
    let expected = by_touches(&phone, 2_000, left, right, 0).await;
    let (left, right, _) = counted(&phone, "phone-1").await;
    assert_eq!(left, expected.0, "White pressed last");
    // None of it has come yet; when it has, it is what the glass was touched at.
    has(&house, 1, (left, right), LATE).await;
    phone.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_phone_slept_is_counted_and_told() {
    let house = House::empty().await;
    house.pair(1, "3m+2s").await;
    let code = house.phone(1).await;
    let line = Line::to(house.hub.http_addr).await;
    let phone = open(&code, 1, line.addr, SOON).await;
    house.start().await;
    moves(&phone, "left", 3).await;
    runs(&phone, "right", SOON).await;
    let (_, before, _) = counted(&phone, "phone-1").await;
    let boot = "JSON.parse(localStorage.getItem('flagfall-table/phone-1/state')).boot";
    let first = phone.value(boot).await;
    // Asleep for twelve seconds: no network, nothing of the page runs, and the counter has stood still.
    line.is(crate::line::Mood::Cut);
    let asleep = "(() => { const real = performance.now.bind(performance); const since = Date.now(); \
                  while (Date.now() - since < 12000); performance.now = () => real() - 12000; return true; })()";
    phone.value(asleep).await;
    line.is(crate::line::Mood::Open);
    phone.until(&format!("{boot} !== {first}"), LATE).await;
    touch(&phone, ".hold", HELD).await;
    stands(&phone, SOON).await;
    let (left, right, _) = counted(&phone, "phone-1").await;
    assert!(right < before - 12_000 && right > before - 60_000, "{before}, {right}");
    let begun = std::time::Instant::now();
    loop {
        let (white, black, running) = on_record(&house, 1).await;
        if (white - left).abs() < 400 && (black - right).abs() < 400 && running == Color::Unspecified {
            break;
        }
        assert!(
            begun.elapsed() < SOON,
            "on record {white} and {black}, counted {left} and {right}"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let told = items(&house, 1).await;
    assert!(
        told.iter()
            .any(|kind| kind.contains("adjusted") || kind.contains("time")),
        "{told:?}"
    );
    phone.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_players_enter_the_result_and_an_opened_clock_is_not_opened_twice() {
    let house = House::empty().await;
    house.pair(2, "3m+2s").await;
    let code = house.phone(1).await;
    let line = Line::to(house.hub.http_addr).await;
    let phone = open(&code, 1, line.addr, SOON).await;
    house.start().await;
    runs(&phone, "left", SOON).await;
    moves(&phone, "left", 4).await;

    // A draw is offered and declined; it stands in nobody's way.
    tap(&phone, "Draw").await;
    phone.picture("table-draw-390x844").await;
    is_accessible(&phone, "a draw offer").await;
    phone
        .value("document.querySelector('.half.right .choice').click() ?? true")
        .await;
    says(&phone, ".half.left .word", "Your opponent offers a draw").await;
    phone.picture("table-offer-390x844").await;
    phone.resize(844, 390).await;
    phone.picture("table-offer-844x390").await;
    fits(&phone, "an offer", 844).await;
    phone.resize(390, 844).await;
    touch(&phone, LEFT, TOUCH).await;
    says(&phone, ".half.right .word", "").await;
    runs(&phone, "right", SOON).await;

    // Without a network it goes on, says so, and keeps what happens.
    line.is(crate::line::Mood::Cut);
    says(&phone, ".state", "Offline").await;
    moves(&phone, "right", 2).await;
    says(&phone, ".state", "· 2").await;
    phone.picture("table-offline-390x844").await;
    // Loaded again without the hub it is the same clock, with what it kept.
    phone.until("navigator.serviceWorker.controller !== null", SOON).await;
    phone.page.refresh().await.expect("loads from what it kept");
    runs(&phone, "right", SOON).await;
    moves(&phone, "right", 1).await;
    says(&phone, ".state", "· 3").await;
    line.is(crate::line::Mood::Open);
    phone
        .until("document.querySelector('.strip').dataset.online === 'true'", SOON)
        .await;

    phone
        .until("!Object.keys(localStorage).some(key => key.includes('/report/'))", SOON)
        .await;
    // They do not agree on who has won; both clocks stand, and the arbiter is called.
    tap(&phone, "Result").await;
    phone.picture("table-result-390x844").await;
    for (side, result) in [("left", "White has won"), ("right", "Black has won")] {
        let choice = format!("document.querySelector('.half.{side} .choice[aria-label=\"{result}\"]')");
        phone.value(&format!("{choice}.click() ?? true")).await;
        if side == "left" {
            phone.picture("table-confirm-390x844").await;
        }
        phone
            .value(&format!(
                "document.querySelector('.half.{side} .choice.main').click() ?? true"
            ))
            .await;
    }
    says(&phone, ".half.left .word", "You disagree").await;
    stands(&phone, SOON).await;
    phone.picture("table-disagree-390x844").await;
    phone.resize(844, 390).await;
    phone.picture("table-disagree-844x390").await;
    phone.resize(390, 844).await;
    // The move in which the page was loaded again was counted by the hall's time; all others by the touches.
    let (left, right, _) = counted(&phone, "phone-1").await;
    let begun = std::time::Instant::now();
    loop {
        let (white, black, running) = on_record(&house, 1).await;
        let near = (white - left).abs() < 400 && (black - right).abs() < 400;
        if near && running == Color::Unspecified && !items(&house, 1).await.is_empty() {
            break;
        }
        assert!(
            begun.elapsed() < SOON,
            "on record are {white} and {black}, counted {left} and {right}"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }

    // Another phone with the same code takes it over, and this one ends.
    let second = open(&code, 1, house.hub.http_addr, SOON).await;
    second
        .until("document.querySelector('.strip').dataset.online === 'true'", SOON)
        .await;
    says(&phone, "h1", "This clock was opened elsewhere").await;
    phone.picture("table-elsewhere-390x844").await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(
        second.value("document.querySelector('.strip').dataset.online").await,
        Value::from("true"),
        "it is not thrown off again"
    );
    second.end().await;

    // What the technician reads, in four languages.
    let join = format!("http://{}/join", house.hub.http_addr);
    phone.page.goto(&join).await.expect("the page opens");
    says(&phone, "h1", "A phone as a table's clock").await;
    is_accessible(&phone, "how a phone becomes a clock").await;
    phone.picture("join-390x844").await;
    for (language, title) in [
        ("sr", "Telefon kao sat"),
        ("ru", "Телефон как часы"),
        ("pl", "Telefon jako zegar"),
    ] {
        let choose = format!(
            "(() => {{ const select = document.querySelector('select'); select.value = '{language}'; \
             select.dispatchEvent(new Event('change')); return true; }})()"
        );
        phone.value(&choose).await;
        says(&phone, "h1", title).await;
    }
    phone.end().await;
}

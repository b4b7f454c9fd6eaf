//! The arbiters' console in a real browser: two arbiters, a running hub, and a line between them that can be cut.
#![expect(clippy::disallowed_methods, reason = "waits for real programs")]

mod acts;
#[path = "../browser/mod.rs"]
mod browser;
#[path = "../common/calls.rs"]
mod calls;
mod desk;
mod hands;
mod house;
mod line;
mod people;
mod phone;

use std::time::{Duration, Instant};

use browser::Browser;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::feed::v1::Color;
use hands::{WHILE, fits, go, is_accessible, says, says_no_more, tap, write};
use house::House;
use line::{Line, Mood};
use serde_json::Value;

const SOON: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread")]
async fn two_arbiters_rule_an_illegal_move_pause_and_adjust() {
    let house = House::open(3, "15m+10s").await;
    house.simulate(11);
    let (anna, ben) = tokio::join!(
        house.console(&house.anna, house.hub.http_addr, 390, 844),
        house.console(&house.ben, house.hub.http_addr, 1280, 800),
    );
    // The token has gone from the address, and is kept.
    anna.comes_to("location.hash", "").await;
    assert_ne!(
        anna.value("localStorage.getItem('flagfall-arbiter-token')").await,
        Value::Null
    );
    assert_eq!(
        ben.value("document.querySelectorAll('img[src=x]').length").await,
        0,
        "a name is a name"
    );
    says(&ben, ".row", "<img src=x").await;

    // Anna has seen an illegal move, and stops the game.
    go(&anna, "#/table/11").await;
    anna.until("document.querySelectorAll('.moves li').length > 4", WHILE)
        .await;
    tap(&anna, "Pause").await;
    says(&anna, ".act.done", "Table 11: pause").await;
    says(&anna, ".orders .done", "Stop both clocks").await;
    let offender = match house.game(11).await.0.turn() {
        Color::White => "Black ·",
        _ => "White ·",
    };
    tap(&anna, "More").await;
    tap(&anna, "I have seen").await;
    tap(&anna, "Illegal move").await;
    tap(&anna, offender).await;
    tap(&anna, "Enter").await;
    says(&anna, ".act.done", "Illegal move").await;
    // Ben sees it at the top, and that he is on it Anna sees.
    says(&ben, ".items .item", "Illegal move").await;
    ben.until("document.title.startsWith('(1)')", SOON).await;
    tap(&ben, "I'm on it").await;
    says(&anna, ".items .item", "Ben is on it").await;
    says(&ben, ".items .item", "You are on it").await;

    // What a confirm does stands there before it: the pieces, and both clocks.
    ben.value("document.querySelector('.items .item a').click() ?? true")
        .await;
    ben.until(
        "[...document.querySelectorAll('.evidence .board')].filter(board => board.checkVisibility()).length === 2",
        SOON,
    )
    .await;
    says(&ben, ".proposed .before .changed", ":00").await;
    is_accessible(&ben, "an item").await;
    tap(&ben, "Confirm").await;
    says(&ben, ".act.done", "Table 11").await;
    let (after, rulings) = house.game(11).await;
    assert_eq!(after.illegal_white + after.illegal_black, 1);
    assert!(
        after.items.iter().all(|item| item.kind != "illegal-move"),
        "{:?}",
        after.items
    );
    let ruled = rulings.iter().rfind(|ruling| ruling.item.is_some()).expect("a ruling");
    assert_eq!(ruled.author, "Ben");
    says_no_more(&anna, ".items .item", "Illegal move").await;

    // A pause, an adjustment, and on again.
    go(&anna, "#/table/3").await;
    tap(&anna, "Pause").await;
    says(&anna, ".act.done", "Table 3: pause").await;
    says(&ben, ".row.paused", "Nowak, 3").await;
    is_accessible(&anna, "a table").await;
    let before = house.game(3).await.0.clocks.expect("clocks");
    tap(&anna, "Adjust").await;
    // White's comes first on the sheet: the last is Black's.
    tap(&anna, "+2:00").await;
    says(&anna, ".sheet .before .changed", "+2:00").await;
    is_accessible(&anna, "the clocks' sheet").await;
    anna.value("document.querySelector('.sheet .main').click() ?? true")
        .await;
    says(&anna, ".act.done", "Black +2:00").await;
    let after = house.game(3).await.0.clocks.expect("clocks");
    assert_eq!(
        (after.white_ms, after.black_ms),
        (before.white_ms, before.black_ms + 120_000)
    );
    tap(&anna, "Resume").await;
    says(&anna, ".act.done", "Table 3: resume").await;
    says_no_more(&ben, ".row.paused", "Nowak, 3").await;

    // One held button stops the hall.
    go(&anna, "#/stop").await;
    is_accessible(&anna, "the page that stops everything").await;
    let held = "document.querySelector('.held.danger')";
    anna.until(&format!("{held}.textContent.includes('3 tables')"), SOON)
        .await;
    anna.value(&format!(
        "{held}.dispatchEvent(new PointerEvent('pointerdown')) && {held}.dispatchEvent(new PointerEvent('pointerup'))"
    ))
    .await;
    tokio::time::sleep(Duration::from_millis(1_300)).await;
    assert_eq!(
        house.game(1).await.0.clocks.expect("clocks").running(),
        Color::White,
        "a touch is not enough"
    );
    anna.value(&format!("{held}.dispatchEvent(new PointerEvent('pointerdown'))"))
        .await;
    says(&anna, ".act.done", "Stop 3 tables").await;
    for table in 1..=3 {
        let clocks = house.game(table).await.0.clocks.expect("clocks");
        assert_eq!(clocks.running(), Color::Unspecified, "table {table}");
    }

    go(&anna, "#/settings").await;
    says(&anna, ".facts", "Anna").await;
    is_accessible(&anna, "the settings").await;
    go(&anna, "#/").await;
    is_accessible(&anna, "the hall").await;
    anna.picture("console-hall-390x844").await;
    tap(&anna, "Settings").await;
    tap(&anna, "Log out").await;
    says(&anna, ".login", "logged out").await;
    anna.comes_to("localStorage.getItem('flagfall-arbiter-token')", Value::Null)
        .await;
    is_accessible(&anna, "the way in").await;
    anna.end().await;
    ben.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_changed_since_it_was_seen_is_not_ruled_on() {
    let house = House::open(1, "90m+30s").await;
    let anna = house.console(&house.anna, house.hub.http_addr, 1280, 800).await;
    go(&anna, "#/table/1").await;
    tap(&anna, "Adjust").await;
    write(&anna, "or set to", "10500").await;
    says(&anna, ".sheet .before", "1:05:00").await;
    // Meanwhile somebody else has given time.
    let request = arbiter::AdjustClocksRequest {
        request_id: "meanwhile".to_owned(),
        table: 1,
        white: Some(arbiter::TimeChange {
            change: Some(arbiter::time_change::Change::AddMs(60_000)),
        }),
        ..Default::default()
    };
    let mut client = house.arbiter().await;
    client.adjust_clocks(house.by(request)).await.expect("given");
    anna.value("document.querySelector('.sheet .main').click() ?? true")
        .await;
    says(&anna, ".act.refused", "it has changed").await;
    // The hub says what has changed, and nothing was done.
    says(&anna, ".act.refused", "revision 0").await;
    let (game, rulings) = house.game(1).await;
    assert_eq!((game.revision, rulings.len()), (1, 1), "{rulings:?}");
    anna.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tap_without_network_is_not_done_later_and_one_whose_answer_is_lost_is_known_to_be_done() {
    let house = House::open(3, "90m+30s").await;
    let line = Line::to(house.hub.http_addr).await;
    let ben = house.console(&house.ben, line.addr, 390, 844).await;
    go(&ben, "#/table/1").await;
    ben.until("document.querySelector('.actions .pause') !== null", SOON)
        .await;

    // The network is gone in the middle of a tap.
    line.is(Mood::Cut);
    let cut = Instant::now();
    ben.value(
        "(() => { const began = performance.now(); const seen = new MutationObserver(() => { \
         if (document.querySelector('.act.sent')) window.sentAfter ??= performance.now() - began; }); \
         seen.observe(document.body, { childList: true, subtree: true }); \
         document.querySelector('.actions .pause').click(); return true; })()",
    )
    .await;
    ben.until("window.sentAfter !== undefined", SOON).await;
    let sent = ben.value("window.sentAfter").await.as_f64().expect("milliseconds");
    println!("a tap shows \"sent\" after {sent:.0} ms");
    assert!(sent < 100.0, "{sent} ms");
    says(&ben, ".act.asking", "tapped at").await;
    assert!(cut.elapsed() > Duration::from_secs(4), "{:?}", cut.elapsed());
    says(&ben, ".stale-banner", "may be wrong").await;
    line.is(Mood::Open);
    says(&ben, ".act.not-done", "Not done, tapped at").await;
    says_no_more(&ben, ".link", "no connection").await;
    assert_eq!(house.game(1).await.0.revision, 0, "nothing was done");

    // It arrives, and the answer is lost: done, and once.
    go(&ben, "#/table/2").await;
    ben.until("document.querySelector('.table .number')?.textContent === '2'", SOON)
        .await;
    tap(&ben, "Adjust").await;
    tap(&ben, "+2:00").await;
    line.is(Mood::Deaf);
    ben.value("document.querySelector('.sheet .main').click() ?? true")
        .await;
    says(&ben, ".act.asking", "Black +2:00").await;
    assert_eq!(house.game(2).await.0.revision, 1, "it was done");
    line.is(Mood::Cut);
    tokio::time::sleep(Duration::from_millis(200)).await;
    line.is(Mood::Open);
    says(&ben, ".act.done", "Black +2:00").await;
    let (game, rulings) = house.game(2).await;
    assert_eq!((game.revision, rulings.len()), (1, 1), "{rulings:?}");
    ben.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_speaks_four_languages_and_a_wrong_token_is_told() {
    let house = House::open(1, "3m+2s").await;
    let browser = Browser::start(390, 844, "dark").await;
    let address = format!("http://{}/arbiter#token=nonsense", house.hub.http_addr);
    browser.page.goto(&address).await.expect("the page opens");
    says(&browser, ".login", "not known").await;
    for (language, word) in [
        ("Русский", "Арбитр"),
        ("Polski", "Sędzia"),
        ("Srpski", "Sudija"),
        ("English", "Arbiter"),
    ] {
        tap(&browser, language).await;
        says(&browser, ".login h1", word).await;
    }
    tap(&browser, "Polski").await;
    browser.comes_to("document.documentElement.lang", "pl").await;
    write(&browser, "Twój klucz", &house.ben).await;
    tap(&browser, "Wejdź").await;
    says(&browser, "h2", "Czekają na ciebie").await;
    // Kept on this tablet.
    browser.page.refresh().await.expect("loaded again");
    says(&browser, "h2", "Czekają na ciebie").await;
    says(&browser, ".row", "Ćosić, 1").await;
    browser.end().await;
}

/// The pages at their widths: a phone, a tablet, the desk's screen.
const SIZES: [(u32, u32); 3] = [(390, 844), (1280, 800), (1920, 1080)];

#[tokio::test(flavor = "multi_thread")]
async fn every_page_fits_a_phone_a_tablet_and_a_desk_in_every_language() {
    let house = House::open(12, "90m+30s").await;
    house.a_round_goes_on().await;
    for table in 1..=12 {
        house.sector(table, if table <= 6 { "A" } else { "B" }).await;
    }
    let browser = house.console(&house.anna, house.hub.http_addr, 390, 844).await;
    let item =
        |table: u32| format!("document.querySelector('.items a[href^=\"#/table/{table}/\"]')?.getAttribute('href')");
    browser.until(&format!("{} !== undefined", item(5)), SOON).await;
    let mut pages = vec![
        ("hall", "#/".to_owned(), ".row", ""),
        ("table", "#/table/1".to_owned(), ".table .moves", ""),
        ("round", "#/round".to_owned(), ".slip", ""),
        ("stop", "#/stop".to_owned(), ".held", ""),
        ("settings", "#/settings".to_owned(), ".settings .person", ""),
        ("people", "#/people".to_owned(), ".person", ""),
        ("bind", "#/bind".to_owned(), ".page.bind .empty", ""),
        ("many", "#/many".to_owned(), ".page .choices", ""),
        ("pair", "#/round".to_owned(), ".sheet", "pair"),
        ("adjust", "#/table/9".to_owned(), ".sheet", "adjust"),
        ("claim", "#/table/9".to_owned(), ".sheet", "claim"),
    ];
    for (name, table) in [("illegal-move", 3), ("wrong-claim", 6), ("threefold", 5)] {
        let href = browser.value(&item(table)).await;
        pages.push((
            name,
            href.as_str().expect("an address").to_owned(),
            ".evidence .board",
            "",
        ));
    }
    for (width, height) in SIZES {
        browser.resize(width, height).await;
        for language in ["en", "ru", "pl", "sr"] {
            let prefs = format!(
                "localStorage.setItem('flagfall-arbiter-prefs', JSON.stringify({{ language: '{language}' }})) ?? true"
            );
            browser.value(&prefs).await;
            browser.page.refresh().await.expect("loaded again");
            browser
                .until("document.querySelectorAll('.row').length > 0", SOON)
                .await;
            for (name, hash, there, sheet) in &pages {
                go(&browser, hash).await;
                // The second and the third of the actions at a table, the third of the office's; in whatever language.
                let opens = match *sheet {
                    "adjust" => Some((".actions button", 1)),
                    "claim" => Some((".actions button", 2)),
                    "pair" => Some((".office button", 2)),
                    _ => None,
                };
                if let Some((buttons, which)) = opens {
                    let button = format!("document.querySelectorAll('{buttons}')[{which}]");
                    browser.until(&format!("{button} !== undefined"), SOON).await;
                    browser.value(&format!("{button}.click() ?? true")).await;
                }
                browser
                    .until(&format!("document.querySelector({there:?}) !== null"), SOON)
                    .await;
                fits(&browser, &format!("{name} ({language})"), width).await;
                if language == "en" {
                    // Boards are drawn after the page.
                    tokio::time::sleep(Duration::from_millis(300)).await;
                    let png = browser.picture(&format!("console-{name}-{width}x{height}")).await;
                    assert!(png.len() > 10_000, "{name} is not blank: {} bytes", png.len());
                }
                // A sheet may be there and not open yet; that it is closed is told a moment later, and must not close the next.
                let closed =
                    "(document.querySelector('dialog[open]')?.close(), document.querySelector('.sheet') === null)";
                browser.until(closed, SOON).await;
            }
        }
    }
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn three_hundred_tables_leave_the_tablet_time() {
    const TABLES: u32 = 300;
    // What a hall of blitz makes of itself, several times over; and no position comes a fifth time (9.6.1).
    const AT_ONCE: u32 = 20;
    const EVERY: Duration = Duration::from_millis(50);
    let house = House::open(TABLES, "90m+30s").await;
    let browser = house.console(&house.anna, house.hub.http_addr, 1280, 800).await;
    browser
        .until(&format!("document.querySelectorAll('.row').length === {TABLES}"), WHILE)
        .await;
    browser
        .value(
            "(() => { window.longest = 0; new PerformanceObserver(list => { for (const task of list.getEntries()) \
             window.longest = Math.max(window.longest, task.duration); }).observe({ entryTypes: ['longtask'] }); return true; })()",
        )
        .await;
    let (before, begun) = (browser.busy().await, Instant::now());
    let mut told = 0;
    let mut client = house.arbiter().await;
    let mut beat = tokio::time::interval(EVERY);
    beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    while begun.elapsed() < Duration::from_secs(6) {
        beat.tick().await;
        let mut entering = tokio::task::JoinSet::new();
        for n in told..told + AT_ONCE {
            let (table, round) = (n % TABLES + 1, n / TABLES);
            let request = house.by(arbiter::EnterMoveRequest {
                request_id: format!("move-{n}"),
                table,
                r#move: ["Nf3", "Nf6", "Ng1", "Ng8"][round as usize % 4].to_owned(),
                ..Default::default()
            });
            let mut client = client.clone();
            entering.spawn(async move { client.enter_move(request).await.map(drop) });
        }
        told += AT_ONCE;
        while let Some(entered) = entering.join_next().await {
            entered.expect("no panic").expect("entered");
        }
    }
    let took = begun.elapsed().as_secs_f64();
    let spent = browser.busy().await - before;
    let longest = browser.value("window.longest").await.as_f64().expect("milliseconds");
    println!(
        "{TABLES} tables, {:.0} changes a second: script, style and layout took {:.1} % of the time, the longest task {longest:.0} ms",
        f64::from(told) / took,
        100.0 * spent / took
    );
    assert!(spent < 0.6 * took, "{spent:.2} s of {took:.2} s");
    // And it is up to date.
    let last = (told - 1) % TABLES + 1;
    let request = arbiter::PauseGameRequest {
        request_id: "pause".to_owned(),
        reason: String::new(),
        table: last,
    };
    client.pause_game(house.by(request)).await.expect("paused");
    // Only what is near the window is drawn: it is looked for as an arbiter looks for it.
    let find = format!(
        "(() => {{ const field = document.getElementById('find'); field.value = '{last}'; \
         field.dispatchEvent(new Event('input', {{ bubbles: true }})); return true; }})()"
    );
    browser.value(&find).await;
    says(&browser, ".row.paused .number", &last.to_string()).await;
    browser.end().await;
}

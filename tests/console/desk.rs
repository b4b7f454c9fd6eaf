//! What arbiters do beside ruling at one table: appeals, claims checked, scoresheets after a flag, the turn from one round to the next,
//! everything stopped and on again, notes that wait for the network, clocks that name themselves.

use std::time::Duration;

use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::feed::v1::Color;

use crate::SOON;
use crate::browser::Browser;
use crate::hands::{WHILE, fits, go, is_accessible, says, says_no_more, tap, touch, write};
use crate::house::House;
use crate::line::{Line, Mood};

/// Holds the button that says so until it has acted.
pub async fn hold(browser: &Browser, words: &str) {
    let button =
        format!("[...document.querySelectorAll('.held')].find(e => !e.disabled && e.textContent.includes({words:?}))");
    browser.until(&format!("{button} !== undefined"), SOON).await;
    browser
        .value(&format!("{button}.dispatchEvent(new PointerEvent('pointerdown'))"))
        .await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
}

/// Writes into a text area.
pub async fn note(browser: &Browser, text: &str) {
    let script = format!(
        "(() => {{ const area = [...document.querySelectorAll('textarea')].filter(a => a.offsetParent !== null).at(-1); \
         if (!area) return false; area.value = {text:?}; area.dispatchEvent(new Event('input', {{ bubbles: true }})); \
         return true; }})()"
    );
    browser.until(&script, SOON).await;
}

/// The button at the foot of the sheet that lies on top.
pub async fn main_button(browser: &Browser) {
    let found = "[...document.querySelectorAll('.sheet button.main')].filter(e => e.offsetParent !== null && !e.disabled).at(-1)";
    browser.until(&format!("{found} !== undefined"), SOON).await;
    browser.value(&format!("{found}.click() ?? true")).await;
}

pub async fn item_of(browser: &Browser, table: u32) -> String {
    let link = format!("document.querySelector('.items a[href^=\"#/table/{table}/\"]')?.getAttribute('href')");
    browser.until(&format!("{link} !== undefined"), SOON).await;
    browser.value(&link).await.as_str().expect("an address").to_owned()
}

pub async fn observe(house: &House, table: u32, what: arbiter::Observation, of: Color) {
    let request = arbiter::ObserveRequest {
        request_id: format!("observe-{table}"),
        reason: "seen".to_owned(),
        table,
        what: what.into(),
        of: of.into(),
    };
    let mut client = house.arbiter().await;
    client.observe(house.by(request)).await.expect("observed");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_appeal_a_claim_with_its_moves_and_a_flag_by_the_scoresheets() {
    let house = House::open(3, "40/90m,30m").await;
    house
        .enter(1, &["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"])
        .await;
    let claim = arbiter::EnterFactRequest {
        request_id: "claim".to_owned(),
        table: 1,
        kind: arbiter::FactKind::ClaimedThreefold.into(),
        by: Color::White.into(),
        ..Default::default()
    };
    house
        .arbiter()
        .await
        .enter_fact(house.by(claim))
        .await
        .expect("claimed");
    observe(&house, 3, arbiter::Observation::Flag, Color::White).await;
    let anna = house.console(&house.anna, house.hub.http_addr, 390, 844).await;

    // After which moves did it stand? Nobody but the arbiter sees what the record says of that.
    let item = item_of(&anna, 1).await;
    go(&anna, &item).await;
    says(&anna, "h2", "What the claimant says").await;
    write(&anna, "Move numbers", "2 3 4").await;
    tap(&anna, "Check").await;
    says(&anna, ".claimed-check .right", "4").await;
    says(&anna, ".claimed-check .wrong", "3").await;
    says(&anna, ".item-notes", "does not have the position after 3").await;
    is_accessible(&anna, "a claim that is checked").await;
    anna.picture("console-claimed-390x844").await;

    // An appeal stops nothing, and makes the result provisional.
    go(&anna, "#/table/2").await;
    tap(&anna, "More").await;
    tap(&anna, "Appeal").await;
    tap(&anna, "White ·").await;
    write(&anna, "Fee", "100 EUR").await;
    note(&anna, "It was <b>j'adoube</b>").await;
    fits(&anna, "the appeal's sheet", 390).await;
    anna.picture("console-appeal-390x844").await;
    main_button(&anna).await;
    says(&anna, ".act.done", "appeal").await;
    says(&anna, ".appeal.open", "It was <b>j'adoube</b>").await;
    let game = house.game(2).await.0;
    assert_eq!((game.appeals.len(), game.revision), (1, 0), "{:?}", game.appeals);
    assert_eq!(game.clocks.expect("clocks").running(), Color::White, "play goes on");
    house.result(2, "0-1").await;
    says(&anna, ".state", "provisional").await;
    let mut office = AdminServiceClient::new(house.channel().await);
    let export = admin::ExportEventRequest {
        event: "open".to_owned(),
        format: admin::ExportFormat::Results.into(),
        ..Default::default()
    };
    let written = office
        .export_event(house.by(export))
        .await
        .expect("written")
        .into_inner();
    let warned = written
        .warnings
        .iter()
        .any(|warning| warning.message.contains("an appeal is open"));
    assert!(warned, "{:?}", written.warnings);
    tap(&anna, "Close the appeal").await;
    tap(&anna, "dismissed").await;
    main_button(&anna).await;
    says(&anna, ".appeal", "dismissed").await;
    says_no_more(&anna, ".state", "provisional").await;

    // The first period's flag, and nobody wrote: 8.5 and 8.6, step by step, to a page and a ruling.
    let item = item_of(&anna, 3).await;
    go(&anna, &item).await;
    tap(&anna, "Bring the scoresheets up to date").await;
    tap(&anna, "Neither").await;
    says(&anna, ".flow", "8.5.1").await;
    says(&anna, ".flow", "8.5.3").await;
    tap(&anna, "It shows all moves").await;
    write(&anna, "Moves that the scoresheets show", "40").await;
    says(&anna, ".flow h3", "In time").await;
    fits(&anna, "the scoresheets", 390).await;
    is_accessible(&anna, "the scoresheets").await;
    anna.picture("console-scoresheets-390x844").await;
    tap(&anna, "Print the record of this").await;
    anna.until(
        "document.querySelector('iframe.record-page')?.contentDocument?.body?.textContent.includes('40 of 40')",
        SOON,
    )
    .await;
    anna.value("[...document.querySelectorAll('dialog[open]')].at(-1).close() ?? true")
        .await;
    tap(&anna, "Rule: in time").await;
    says(&anna, ".act.done", "by the scoresheets").await;
    let (game, rulings) = house.game(3).await;
    assert!(game.items.iter().all(|item| item.kind != "flag"), "{:?}", game.items);
    assert_eq!(game.completed_white, 40, "the count is put right");
    let ruling = rulings.last().expect("a ruling");
    assert!(
        ruling.reason.contains("40 of 40") && ruling.reason.contains("Neither"),
        "{ruling:?}"
    );
    anna.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_round_is_armed_while_one_table_still_plays_and_a_pairing_more_has_its_own_times() {
    let house = House::open(3, "3m+2s").await;
    for table in [1, 2] {
        house.result(table, "1/2-1/2").await;
    }
    let csv = "table,white,black,board_kind\n1,Adams,Bell,none\n2,Carr,Dunn,none\n3,Evans,Fox,none\n".to_owned();
    let request = admin::PutRoundRequest {
        request_id: "round-2".to_owned(),
        event: "open".to_owned(),
        number: 2,
        time_control: "3m+2s".to_owned(),
        source: Some(admin::put_round_request::Source::Csv(csv)),
        validate_only: false,
    };
    let mut office = AdminServiceClient::new(house.channel().await);
    office.put_round(house.by(request)).await.expect("the round");
    let anna = house.console(&house.anna, house.hub.http_addr, 1280, 800).await;
    go(&anna, "#/round").await;
    let choose = "(() => { const select = [...document.querySelectorAll('.round select')].at(-1); select.value = '2'; \
                  select.dispatchEvent(new Event('change', { bubbles: true })); return true; })()";
    anna.until("document.querySelectorAll('.round select option').length >= 2", SOON)
        .await;
    anna.value(choose).await;
    tap(&anna, "Arm the round").await;
    says(&anna, ".act.partly", "1 refused").await;
    says(&anna, ".round h2", "Another round is still played there").await;
    assert_eq!(house.game(1).await.0.plies, 0, "a new game");
    assert_eq!(house.game(3).await.0.result, "*");
    anna.picture("console-turnaround-1280x800").await;
    is_accessible(&anna, "the turn from one round to the next").await;
    // Somebody is not there, and is marked so.
    write(&anna, "Table", "2").await;
    tap(&anna, "Dunn: absent").await;
    says(&anna, ".absent", "Dunn").await;
    assert!(house.game(2).await.0.absent_black);
    hold(&anna, "Hold to call the round").await;
    says(&anna, ".act.done", "Round 2: call").await;
    assert_eq!(house.game(1).await.0.clocks.expect("clocks").running(), Color::White);

    // The last of round 1 ends, and its table goes on with round 2.
    house.result(3, "1-0").await;
    tap(&anna, "Arm the rest").await;
    says_no_more(&anna, ".round h2", "Another round is still played there").await;
    says(&anna, ".round h2", "Not begun").await;
    hold(&anna, "Hold to start 1 tables").await;
    says_no_more(&anna, ".round h2", "Not begun").await;
    assert_eq!(house.game(3).await.0.clocks.expect("clocks").running(), Color::White);

    // Two who came late are paired, with less time.
    tap(&anna, "One more game").await;
    write(&anna, "Table", "9").await;
    for (label, text) in [
        ("White", "Ünal"),
        ("Black", "<img src=x>"),
        ("White's time", "2:00"),
        ("Black's time", "1:30"),
    ] {
        write(&anna, label, text).await;
    }
    // The players' labels are parts of those of their times: both are written again.
    for (index, text) in [(1, "Ünal"), (2, "<img src=x>"), (3, "2:00"), (4, "1:30")] {
        let script = format!(
            "(() => {{ const input = document.querySelectorAll('.sheet input')[{index}]; input.value = {text:?}; \
             input.dispatchEvent(new Event('input', {{ bubbles: true }})); return true; }})()"
        );
        anna.value(&script).await;
    }
    tap(&anna, "No board").await;
    anna.picture("console-pair-1280x800").await;
    main_button(&anna).await;
    says(&anna, ".act.done", "Table 9: one more game").await;
    hold(&anna, "Hold to start 1 tables").await;
    anna.until(
        "[...document.querySelectorAll('.row')].some(row => row.textContent.includes('<img src=x>'))",
        WHILE,
    )
    .await;
    let clocks = house.game(9).await.0.clocks.expect("clocks");
    assert!(clocks.white_ms <= 120_000 && clocks.black_ms == 90_000, "{clocks:?}");
    says(&anna, ".round h2", "Still playing").await;
    anna.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_stands_and_goes_on_by_countdown_and_a_note_waits_for_the_network() {
    let house = House::open(3, "90m+30s").await;
    let line = Line::to(house.hub.http_addr).await;
    let ben = house.console(&house.ben, line.addr, 390, 844).await;
    go(&ben, "#/stop").await;
    hold(&ben, "Hold to stop 3 tables").await;
    says(&ben, ".act.done", "Stop 3 tables").await;
    says(&ben, ".all-stand", "All 3 clocks stand").await;
    let before = house.game(2).await.0.clocks.expect("clocks");
    tap(&ben, "+2:00 each").await;
    fits(&ben, "the page that stops everything", 390).await;
    ben.picture("console-stopped-390x844").await;
    hold(&ben, "Hold to resume 3 tables").await;
    ben.until("document.querySelector('.countdown') !== null", SOON).await;
    says(&ben, ".act.done", "Resume 3 tables").await;
    let after = house.game(2).await.0.clocks.expect("clocks");
    assert_eq!(after.black_ms, before.black_ms + 120_000);
    assert!(after.white_ms > before.white_ms + 100_000 && after.running() == Color::White);

    // Without network a note waits and goes out once; what rests on something that has changed meanwhile does not.
    go(&ben, "#/table/1").await;
    tap(&ben, "More").await;
    tap(&ben, "Note").await;
    note(&ben, "Black asked twice").await;
    line.is(Mood::Cut);
    main_button(&ben).await;
    says(&ben, ".act.waiting", "Waits for the network").await;
    line.is(Mood::Open);
    says(&ben, ".act.done", "Table 1: note").await;
    let rulings = house.game(1).await.1;
    let notes = rulings
        .iter()
        .filter(|ruling| ruling.reason == "Black asked twice")
        .count();
    assert_eq!(notes, 1, "{rulings:?}");
    go(&ben, "#/table/3").await;
    ben.until("document.querySelector('.table .number')?.textContent === '3'", SOON)
        .await;
    tap(&ben, "More").await;
    tap(&ben, "Result").await;
    tap(&ben, "White wins").await;
    line.is(Mood::Cut);
    main_button(&ben).await;
    says(&ben, ".act.waiting", "Waits for the network").await;
    house.result(3, "0-1").await;
    line.is(Mood::Open);
    says(&ben, ".act.refused", "it has changed").await;
    assert_eq!(house.game(3).await.0.result, "0-1");
    ben.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sector_is_handed_over_and_many_tables_are_put_right_at_once() {
    let house = House::open(4, "90m+30s").await;
    let mut office = AdminServiceClient::new(house.channel().await);
    for table in 1..=4 {
        house.sector(table, if table <= 2 { "A" } else { "B" }).await;
    }
    let person = admin::Person {
        name: "Cleo".to_owned(),
        role: admin::Role::Arbiter.into(),
        sector: "A".to_owned(),
        ..Default::default()
    };
    let request = admin::AddPersonRequest {
        request_id: "cleo".to_owned(),
        person: Some(person),
    };
    let token = office
        .add_person(house.by(request))
        .await
        .expect("added")
        .into_inner()
        .token;
    let (anna, cleo) = tokio::join!(
        house.console(&house.anna, house.hub.http_addr, 1280, 800),
        house.console(&token, house.hub.http_addr, 390, 844),
    );
    cleo.until("document.querySelectorAll('.row').length === 2", SOON).await;
    go(&anna, "#/settings").await;
    says(&anna, ".person", "Sector B").await;
    anna.picture("console-sectors-1280x800").await;
    // The last of them is sector B's.
    tap(&anna, "Hand over").await;
    tap(&anna, "Cleo").await;
    main_button(&anna).await;
    says(&anna, ".act.done", "Sector B: Cleo").await;
    cleo.until("document.querySelectorAll('.row').length === 4", WHILE)
        .await;

    go(&cleo, "#/many").await;
    write(&cleo, "Tables", "2-4").await;
    says(&cleo, ".many", "Tables meant: 3").await;
    tap(&cleo, "Colours reversed").await;
    fits(&cleo, "several tables", 390).await;
    is_accessible(&cleo, "several tables").await;
    cleo.picture("console-many-390x844").await;
    tap(&cleo, "Do it at 3 tables").await;
    says(&cleo, ".act.done", "Colours reversed: 3 tables").await;
    for table in 2..=4 {
        let items = house.game(table).await.0.items;
        assert!(
            items.iter().any(|item| item.kind == "colours-reversed"),
            "table {table}: {items:?}"
        );
    }
    anna.end().await;
    cleo.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_pressed_names_itself_and_a_press_on_whites_side_says_which_is_which() {
    const TOUCH: Duration = Duration::from_millis(30);
    let house = House::empty().await;
    house.pair(2, "3m+2s").await;
    let code = house.phone_without_a_table(2).await;
    let phone = Browser::start(390, 844, "dark").await;
    let address = format!("http://{}/table/2#{code}", house.hub.http_addr);
    phone.page.goto(&address).await.expect("the page opens");
    phone
        .until("document.querySelector('.strip')?.dataset.online === 'true'", SOON)
        .await;
    let anna = Browser::start(390, 844, "light").await;
    let address = format!("http://{}/arbiter#token={}", house.hub.http_addr, house.anna);
    anna.page.goto(&address).await.expect("the page opens");
    anna.until("document.querySelector('.bar') !== null", SOON).await;
    go(&anna, "#/bind").await;
    says(&anna, ".bind", "No clock without a table was pressed").await;
    touch(&phone, ".half.left .press", TOUCH).await;
    says(&anna, ".bind button", "phone-2").await;
    write(&anna, "Table", "2").await;
    tap(&anna, "Ask for a press on White's side").await;
    says(&anna, ".bind-side", "Press now").await;
    touch(&phone, ".half.right .press", TOUCH).await;
    says(&anna, ".bind-side", "White sits on the right").await;
    fits(&anna, "clocks onto tables", 390).await;
    is_accessible(&anna, "clocks onto tables").await;
    for (width, height) in crate::SIZES {
        anna.resize(width, height).await;
        anna.picture(&format!("console-bound-{width}x{height}")).await;
    }
    anna.resize(390, 844).await;
    tap(&anna, "phone-2 serves table 2").await;
    says(&anna, ".act.done", "phone-2 at table 2").await;
    let bound = house.listed("phone-2").await;
    assert_eq!((bound.table, bound.as_clock), (2, true));
    let tables = AdminServiceClient::new(house.channel().await)
        .list_tables(house.by(admin::ListTablesRequest {}))
        .await
        .expect("listed")
        .into_inner()
        .tables;
    let table = tables.iter().find(|table| table.number == 2).expect("it is there");
    assert_eq!(table.white_side(), admin::Side::Right);
    anna.end().await;
    phone.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_counts_at_the_halls_speed() {
    let house = House::at_speed(10.0).await;
    house.play(1, "90m+30s").await;
    let anna = house.console(&house.anna, house.hub.http_addr, 1280, 800).await;
    let shown = "(() => { const face = document.querySelector('.row .face').textContent.split(':').map(Number); \
                 return face.reduce((sum, part) => sum * 60 + part, 0); })()";
    // Once now, and once after a heartbeat has come.
    for wait in [500, 6_000] {
        tokio::time::sleep(Duration::from_millis(wait)).await;
        let shown = anna.value(shown).await.as_f64().expect("seconds");
        let clocks = house.game(1).await.0.clocks.expect("clocks");
        let now = house.hub.handle.info().now.0;
        let counted = (clocks.white_ms - (now - clocks.as_of_ms).max(0)) as f64 / 1_000.0;
        assert!((shown - counted).abs() < 4.0, "shown {shown} s, counted {counted} s");
    }
    anna.end().await;
}

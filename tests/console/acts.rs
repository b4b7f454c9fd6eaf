//! Every button of a table's page and of an item's is pressed, and what it says is what the hub then has.

use std::time::{Duration, Instant};

use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::feed::v1::Color;
use serde_json::{Value, json};

use crate::SOON;
use crate::browser::Browser;
use crate::desk::{item_of, main_button, note, observe};
use crate::hands::{fits, go, is_accessible, says, says_no_more, tap, touch, write};
use crate::house::House;
use crate::line::{Line, Mood};

const TOUCH: Duration = Duration::from_millis(30);

/// Waits until the hub has it so.
async fn has(house: &House, table: u32, what: &str, is: impl Fn(&arbiter::Game) -> bool) -> arbiter::Game {
    let begun = Instant::now();
    loop {
        let game = house.game(table).await.0;
        if is(&game) {
            return game;
        }
        assert!(begun.elapsed() < SOON, "table {table}: {what}: {game:#?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn at_table(browser: &Browser, table: u32) {
    go(browser, &format!("#/table/{table}")).await;
    let there = format!("document.querySelector('.table .number')?.textContent === '{table}'");
    browser.until(&there, SOON).await;
    browser
        .until("document.querySelector('.table .moves') !== null", SOON)
        .await;
}

/// One of a group of choices on the sheet, by its words whole.
async fn choose(browser: &Browser, words: &str) {
    let found = format!(
        "[...document.querySelectorAll('dialog[open] .choices button')].filter(e => e.textContent.trim() === {words:?}).at(-1)"
    );
    browser.until(&format!("{found} !== undefined"), SOON).await;
    browser.value(&format!("{found}.click() ?? true")).await;
}

/// One of a list to choose from, by what stands beside it.
async fn select(browser: &Browser, label: &str, value: &str) {
    let script = format!(
        "(() => {{ const label = [...document.querySelectorAll('dialog[open] label')].find(l => l.textContent.includes({label:?})); \
         const select = label?.querySelector('select'); if (!select) return false; select.value = {value:?}; \
         select.dispatchEvent(new Event('change', {{ bubbles: true }})); return select.value === {value:?}; }})()"
    );
    browser.until(&script, SOON).await;
}

/// Keys of the keypad, one after the other, in the field for the time of White (0) or Black (1).
async fn keys(browser: &Browser, side: usize, keys: &str) {
    let script = format!(
        "(() => {{ const input = document.querySelectorAll('dialog[open] .set-to input')[{side}]; if (!input) return false; \
         for (const key of {keys:?}) {{ input.value += key; input.dispatchEvent(new Event('input', {{ bubbles: true }})); }} \
         return true; }})()"
    );
    browser.until(&script, SOON).await;
}

/// A click of the mouse on a square of the board that lies on top, White below.
async fn square(browser: &Browser, name: &str) {
    // It has its size in the frame after it is opened.
    let drawn = "document.querySelector('dialog[open] cg-board piece')?.clientWidth > 8";
    browser.until(drawn, SOON).await;
    let script = format!(
        "(() => {{ const board = document.querySelector('dialog[open] cg-board'); board.scrollIntoView({{ block: 'nearest' }}); \
         const box = board.getBoundingClientRect(); \
         const [file, rank] = [{name:?}.charCodeAt(0) - 97, Number({name:?}[1]) - 1]; \
         return [box.x + (file + .5) * box.width / 8, box.y + (7.5 - rank) * box.height / 8]; }})()"
    );
    let at = browser.value(&script).await;
    for kind in ["mousePressed", "mouseReleased"] {
        let event = json!({ "type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1 });
        browser.devtools("Input.dispatchMouseEvent", event).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_penalties_moves_positions_times_and_results_are_entered_at_the_table() {
    let house = House::open(4, "40/90m,30m").await;
    house.enter(1, &["e4", "e5", "Nf3"]).await;
    let anna = house.console(&house.anna, house.hub.http_addr, 1280, 800).await;

    at_table(&anna, 1).await;
    tap(&anna, "Note").await;
    note(&anna, "Black asked <b>twice</b>").await;
    main_button(&anna).await;
    says(&anna, ".rulings q", "Black asked <b>twice</b>").await;

    tap(&anna, "Presence").await;
    choose(&anna, "Black · Nowak, 1").await;
    choose(&anna, "absent").await;
    main_button(&anna).await;
    has(&house, 1, "Black is absent", |game| {
        game.absent_black && !game.absent_white
    })
    .await;
    says(&anna, ".strip.black .strip-notes", "absent").await;

    // A penalty of 12.9 in time, and one that is a warning.
    tap(&anna, "Penalise").await;
    choose(&anna, "Black · Nowak, 1").await;
    choose(&anna, "Time for the opponent").await;
    choose(&anna, "5:00").await;
    is_accessible(&anna, "a penalty").await;
    main_button(&anna).await;
    has(&house, 1, "five minutes were given", |game| {
        game.check.as_ref().is_some_and(|check| check.granted_ms == 300_000)
    })
    .await;
    let clocks = house.game(1).await.0.clocks.expect("clocks");
    assert!(
        clocks.white_ms > 5_400_000 && clocks.black_ms <= 5_400_000,
        "it is White who has them: {clocks:?}"
    );
    tap(&anna, "Penalise").await;
    choose(&anna, "White · Ćosić, 1").await;
    choose(&anna, "Warning").await;
    main_button(&anna).await;
    says(&anna, ".act.done", "Table 1: White: Warning").await;
    let (_, rulings) = house.game(1).await;
    assert!(
        rulings.last().expect("rulings").what.to_lowercase().contains("warn"),
        "{rulings:?}"
    );

    // Moves: by two taps, as written, mended, and taken back.
    tap(&anna, "Enter a move").await;
    square(&anna, "b8").await;
    // A sheet that moves does not move the squares from under the finger.
    let moved = "(document.querySelector('dialog[open]').style.translate = '0 45px') && true";
    anna.value(moved).await;
    square(&anna, "c6").await;
    anna.until(
        "[...document.querySelectorAll('dialog[open] input')].some(input => input.value === 'b8c6')",
        SOON,
    )
    .await;
    main_button(&anna).await;
    has(&house, 1, "Nc6", |game| game.plies == 4).await;
    says(&anna, ".step-at", "Nc6").await;
    tap(&anna, "Enter a move").await;
    write(&anna, "several from the scoresheet", "3. Bb5 a6 4. Ba4").await;
    main_button(&anna).await;
    let game = has(&house, 1, "three moves", |game| game.plies == 7).await;
    assert_eq!(game.moves.last().map(|mv| mv.san.as_str()), Some("Ba4"));
    // A correction rests on what the page shows.
    says(&anna, ".step-at", "Ba4").await;
    tap(&anna, "Enter a move").await;
    select(&anna, "Which", "6").await;
    write(&anna, "Move", "Nf6").await;
    main_button(&anna).await;
    has(&house, 1, "3…Nf6", |game| {
        game.moves.get(5).is_some_and(|mv| mv.san == "Nf6") && game.plies == 7
    })
    .await;
    says(&anna, ".record .moves", "Nf6").await;
    tap(&anna, "Restore position").await;
    let after = "[...document.querySelectorAll('dialog[open] .moves button')].find(e => e.textContent.includes('Nc6'))";
    anna.until(&format!("{after} !== undefined"), SOON).await;
    anna.value(&format!("{after}.click() ?? true")).await;
    tap(&anna, "Back to after Nc6").await;
    has(&house, 1, "back to after Nc6", |game| game.plies == 4).await;

    // Stepping through shows, and changes nothing.
    at_table(&anna, 1).await;
    says(&anna, ".step-at", "Nc6").await;
    tap(&anna, "To the start").await;
    says(&anna, ".step-at", "Start").await;
    tap(&anna, "One move on").await;
    says(&anna, ".step-at", "e4").await;
    tap(&anna, "To now").await;
    tap(&anna, "One move back").await;
    says(&anna, ".step-at", "Nf3").await;
    tap(&anna, "To now").await;
    tap(&anna, "Turn the board").await;
    anna.until("document.querySelector('.cg-wrap.orientation-black') !== null", SOON)
        .await;
    assert_eq!(house.game(1).await.0.plies, 4);

    // Less than a minute, from the keypad; and a warning where it is no time.
    tap(&anna, "Pause").await;
    has(&house, 1, "it stands", |game| {
        game.clocks
            .as_ref()
            .is_some_and(|clocks| clocks.running() == Color::Unspecified)
    })
    .await;
    says(&anna, ".state", "stopped").await;
    tap(&anna, "Adjust").await;
    keys(&anna, 0, "90").await;
    says(&anna, ".sheet .note", "That is no time").await;
    tap(&anna, "Clear").await;
    let clear = "document.querySelector('dialog[open] .set-to .quiet').click() ?? true";
    anna.value(clear).await;
    keys(&anna, 0, "5").await;
    keys(&anna, 1, "12.3").await;
    for shown in ["0:05.0", "0:12.3"] {
        says(&anna, ".sheet .before .after", shown).await;
    }
    anna.picture("console-adjust-1280x800").await;
    main_button(&anna).await;
    has(&house, 1, "five seconds, and twelve and three tenths", |game| {
        let clocks = game.clocks.as_ref().expect("clocks");
        (clocks.white_ms, clocks.black_ms) == (5_000, 12_300)
    })
    .await;
    for (side, face) in [("white", "0:05.0"), ("black", "0:12.3")] {
        says(&anna, &format!(".strip.{side} .face"), face).await;
    }
    tap(&anna, "Adjust").await;
    write(&anna, "Moves completed", "41").await;
    main_button(&anna).await;
    has(&house, 1, "41 moves", |game| game.completed_white == 41).await;
    says(&anna, ".facts", "41 /").await;
    tap(&anna, "Adjust").await;
    select(&anna, "White: period", "1").await;
    main_button(&anna).await;
    has(&house, 1, "White's second period", |game| {
        (game.period_white, game.period_black) == (1, 0)
    })
    .await;

    // What a player says ends the game; it is corrected, and reopened.
    at_table(&anna, 4).await;
    tap(&anna, "Claim").await;
    choose(&anna, "White · Ćosić, 4").await;
    choose(&anna, "Resigns").await;
    main_button(&anna).await;
    has(&house, 4, "White has resigned", |game| game.result == "0-1").await;
    tap(&anna, "Correct the result").await;
    tap(&anna, "½-½").await;
    main_button(&anna).await;
    has(&house, 4, "a draw", |game| game.result == "1/2-1/2").await;
    says(&anna, ".table-head .state", "1/2-1/2").await;
    tap(&anna, "Reopen").await;
    main_button(&anna).await;
    has(&house, 4, "it is open again", |game| game.result == "*").await;
    says(&anna, ".state", "stopped").await;
    tap(&anna, "Resume").await;
    has(&house, 4, "it goes on", |game| {
        game.clocks
            .as_ref()
            .is_some_and(|clocks| clocks.running() == Color::White)
    })
    .await;

    // A touch that was no move is written down with its article; a game is lost by a ruling.
    tap(&anna, "Claim").await;
    choose(&anna, "Black · Nowak, 4").await;
    tap(&anna, "(4.3)").await;
    main_button(&anna).await;
    says(&anna, ".rulings q", "(4.3)").await;
    tap(&anna, "Penalise").await;
    choose(&anna, "Black · Nowak, 4").await;
    choose(&anna, "Loss of the game").await;
    main_button(&anna).await;
    has(&house, 4, "Black has lost", |game| game.result == "1-0").await;
    anna.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_is_ruled_otherwise_or_dismissed_and_who_is_on_it_is_so_for_three_minutes() {
    // Three minutes of the hall are nine seconds.
    let house = House::at_speed(20.0).await;
    house.play(3, "90m+30s").await;
    house.enter(1, &["e4"]).await;
    observe(&house, 1, arbiter::Observation::TwoHands, Color::White).await;
    let (anna, ben) = tokio::join!(
        house.console(&house.anna, house.hub.http_addr, 1280, 800),
        house.console(&house.ben, house.hub.http_addr, 390, 844),
    );
    item_of(&anna, 1).await;
    item_of(&ben, 1).await;
    let now = || house.hub.handle.info().now.0;
    tap(&ben, "I'm on it").await;
    says(&anna, ".item.elsewhere .taken", "Ben is on it").await;
    says(&ben, ".taken.mine", "You are on it").await;
    let taken = house.game(1).await.0.items[0].taken_ms.expect("it is taken");
    let held = "document.querySelector('.item.elsewhere') !== null && document.querySelector('.take') === null";
    while now() < taken + 150_000 {
        let held = anna.value(held).await;
        assert!(
            held == Value::Bool(true) || now() > taken + 180_000,
            "it lapsed before its time"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    // Then anybody can be on it again, and it stands where it belongs.
    for browser in [&anna, &ben] {
        browser
            .until("document.querySelector('.item .take') !== null", SOON)
            .await;
        says_no_more(browser, ".taken", "on it").await;
    }
    assert!(now() > taken + 180_000, "not before three minutes");
    tap(&anna, "I'm on it").await;
    says(&ben, ".taken", "Anna is on it").await;

    // Otherwise: a warning, and the item is dismissed with the reason.
    let item = item_of(&anna, 1).await;
    go(&anna, &item).await;
    tap(&anna, "Rule otherwise").await;
    tap(&anna, "Penalise").await;
    choose(&anna, "White · Ćosić, 1").await;
    choose(&anna, "Warning").await;
    main_button(&anna).await;
    says(&anna, ".act.done", "White: Warning").await;
    tap(&anna, "Dismiss").await;
    tap(&anna, "Settled at the table").await;
    main_button(&anna).await;
    let game = has(&house, 1, "the item is gone", |game| game.items.is_empty()).await;
    assert_eq!(game.illegal_white, 0, "nothing was carried out");
    let (_, rulings) = house.game(1).await;
    assert!(
        rulings.iter().any(|ruling| ruling.reason == "Settled at the table"),
        "{rulings:?}"
    );
    anna.end().await;
    ben.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_boards_picture_is_accepted_its_squares_masked_and_another_board_taken() {
    let house = House::empty().await;
    house.pair_with(1, "90m+30s", admin::BoardKind::Unspecified).await;
    let code = house.recorder("board-1", 1).await;
    house.recorder("board-9", 0).await;
    let line = Line::to(house.hub.http_addr).await;
    let phone = Browser::start(390, 844, "light").await;
    phone
        .page
        .goto(&format!("http://{}/table/1/board#{code}", line.addr))
        .await
        .expect("the page opens");
    phone
        .until("document.querySelector('[data-square=e2]') !== null", SOON)
        .await;
    house.start().await;
    has(&house, 1, "its board is heard", |game| game.sensed.is_some()).await;
    let anna = house.console(&house.anna, house.hub.http_addr, 1280, 800).await;
    at_table(&anna, 1).await;
    says(&anna, ".sensed-note", "the board agrees").await;
    for name in ["d2", "d4"] {
        touch(&phone, &format!("[data-square={name}]"), TOUCH).await;
    }

    // What the sensors see beside what the record says: both squares are marked, and nobody is accused.
    says(&anna, ".sensed-note.differs", "differs on d2 d4").await;
    anna.comes_to("document.querySelectorAll('square.differs').length", 2)
        .await;
    tap(&anna, "As the board shows it").await;
    says(&anna, ".sensed button[aria-pressed=true]", "As the board shows it").await;
    is_accessible(&anna, "a board that differs").await;
    anna.picture("console-differs-1280x800").await;
    assert!(house.game(1).await.0.items.is_empty());
    tap(&anna, "Accept the picture").await;
    choose(&anna, "To move: Black").await;
    main_button(&anna).await;
    let game = has(&house, 1, "it is the position", |game| {
        game.fen
            .starts_with("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq")
    })
    .await;
    assert_eq!(game.sensed.expect("its board").differs, Vec::<String>::new());
    says(&anna, ".sensed-note", "the board agrees").await;

    // A square that shows nonsense is masked; then the board agrees, until it counts again.
    for name in ["g8", "f6"] {
        touch(&phone, &format!("[data-square={name}]"), TOUCH).await;
    }
    says(&anna, ".sensed-note.differs", "f6 g8").await;
    tap(&anna, "Mask squares").await;
    for name in ["f6", "g8"] {
        let button =
            format!("[...document.querySelectorAll('.mask button')].find(button => button.textContent === '{name}')");
        anna.until(&format!("{button}?.classList.contains('differs') === true"), SOON)
            .await;
        anna.value(&format!("{button}.click() ?? true")).await;
    }
    says(&anna, ".sheet [role=status]", "Masked: f6 g8").await;
    fits(&anna, "squares to mask", 1280).await;
    is_accessible(&anna, "squares to mask").await;
    anna.picture("console-mask-1280x800").await;
    main_button(&anna).await;
    let game = has(&house, 1, "they are masked", |game| game.masked == ["f6", "g8"]).await;
    assert_eq!(game.sensed.expect("its board").differs, Vec::<String>::new());
    says(&anna, ".facts .alert", "f6 g8").await;

    // Without it, and with it again, once it shows what the record says.
    tap(&anna, "Without the board").await;
    main_button(&anna).await;
    has(&house, 1, "without its board", |game| game.without_board).await;
    tap(&anna, "Enter a move").await;
    write(&anna, "several from the scoresheet", "Nf6").await;
    main_button(&anna).await;
    has(&house, 1, "Nf6 is entered", |game| game.plies == 1).await;
    tap(&anna, "Use the board again").await;
    main_button(&anna).await;
    has(&house, 1, "with its board", |game| !game.without_board).await;
    says(&anna, ".sensed-note", "the board agrees").await;
    tap(&anna, "Mask squares").await;
    for name in ["f6", "g8"] {
        let button =
            format!("[...document.querySelectorAll('.mask button')].find(button => button.textContent === '{name}')");
        anna.until(&format!("{button} !== undefined"), SOON).await;
        anna.value(&format!("{button}.click() ?? true")).await;
    }
    main_button(&anna).await;
    has(&house, 1, "all count again", |game| game.masked.is_empty()).await;
    says(&anna, ".sensed-note", "the board agrees").await;

    // It lies the other way round; and another takes its place.
    tap(&anna, "Sides").await;
    tap(&anna, "Turn the board round").await;
    says(&anna, ".act.done", "Turn the board round").await;
    assert!(house.table(1).await.0.board_turned);
    at_table(&anna, 1).await;
    tap(&anna, "Swap device").await;
    choose(&anna, "board-9").await;
    main_button(&anna).await;
    says(&anna, ".act.done", "board-9 for board-1").await;
    says(&anna, ".facts", "board-9").await;
    assert_eq!(house.listed("board-9").await.table, 1);
    assert_eq!(house.listed("board-1").await.table, 0);
    anna.end().await;
    phone.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pairing_programs_file_is_looked_at_and_then_taken() {
    let house = House::open(2, "3m+2s").await;
    let anna = house.console(&house.anna, house.hub.http_addr, 390, 844).await;
    go(&anna, "#/round").await;
    tap(&anna, "Import a round").await;
    let give = |name: &str, text: &str| {
        format!(
            "(() => {{ const input = document.querySelector('dialog[open] input[type=file]'); const given = new DataTransfer(); \
             given.items.add(new File([{text:?}], {name:?})); input.files = given.files; \
             input.dispatchEvent(new Event('change', {{ bubbles: true }})); return true; }})()"
        )
    };
    anna.until("document.querySelector('dialog[open] input[type=file]') !== null", SOON)
        .await;
    // A file that is none is refused, with what is wrong in it.
    anna.value(&give("round2.csv", "table,white\n1,Adams\n")).await;
    tap(&anna, "Look").await;
    says(&anna, ".sheet .note", "black").await;
    let csv = "table,white,black,board_kind\n1,Adams,<img src=x>,none\n2,Carr,Dunn,none\n7,Evans,Fox,none\n";
    anna.value(&give("round2.csv", csv)).await;
    write(&anna, "Time control", "5m+3s").await;
    tap(&anna, "Look").await;
    says(&anna, ".sheet [role=status]", "Games: 3").await;
    says(&anna, ".proposal-games", "<img src=x>").await;
    assert_eq!(anna.value("document.querySelectorAll('img[src=x]').length").await, 0);
    fits(&anna, "what would be imported", 390).await;
    is_accessible(&anna, "what would be imported").await;
    anna.picture("console-import-390x844").await;
    let mut office = AdminServiceClient::new(house.channel().await);
    let rounds = async |office: &mut AdminServiceClient<_>| {
        let request = house.by(admin::ListRoundsRequest {
            event: "open".to_owned(),
        });
        office.list_rounds(request).await.expect("listed").into_inner().rounds
    };
    assert_eq!(rounds(&mut office).await.len(), 1, "nothing is taken by looking");
    tap(&anna, "Take this round").await;
    says(&anna, ".act.done", "").await;
    let rounds = rounds(&mut office).await;
    let second = rounds.iter().find(|round| round.number == 2).expect("round 2");
    let pairings: Vec<_> = second
        .pairings
        .iter()
        .map(|pairing| {
            let name = |player: &Option<flagfall::api::proto::feed::v1::Player>| player.clone().expect("a player").name;
            (pairing.table, name(&pairing.white), name(&pairing.black))
        })
        .collect();
    let wanted = [(1, "Adams", "<img src=x>"), (2, "Carr", "Dunn"), (7, "Evans", "Fox")];
    let wanted = wanted.map(|(table, white, black)| (table, white.to_owned(), black.to_owned()));
    assert_eq!(pairings, wanted);
    assert_eq!(second.time_control, "5m+3s");
    anna.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_the_network_waits_through_a_reload_and_goes_out_once() {
    let house = House::open(3, "90m+30s").await;
    let line = Line::to(house.hub.http_addr).await;
    let ben = house.console(&house.ben, line.addr, 390, 844).await;
    // The page loads without a hub only from what the browser keeps of it.
    ben.until("navigator.serviceWorker.controller !== null", SOON).await;
    at_table(&ben, 1).await;
    tap(&ben, "More").await;
    tap(&ben, "Note").await;
    note(&ben, "Black asked twice").await;
    line.is(Mood::Cut);
    main_button(&ben).await;
    says(&ben, ".act.waiting", "Waits for the network").await;
    go(&ben, "#/table/3").await;
    ben.until("document.querySelector('.table .number')?.textContent === '3'", SOON)
        .await;
    tap(&ben, "More").await;
    tap(&ben, "Result").await;
    tap(&ben, "White wins").await;
    main_button(&ben).await;
    ben.until("document.querySelectorAll('.act.waiting').length === 2", crate::WHILE)
        .await;
    let kept = ben.value("localStorage.getItem('flagfall-arbiter-waiting')").await;
    let kept = kept.as_str().expect("they are kept");
    assert!(
        kept.contains("Black asked twice") && !kept.contains(&house.ben),
        "{kept}"
    );

    // Loaded again in the middle of it, the page knows nothing of the hall, and still has both.
    ben.page.refresh().await.expect("it loads from what it kept");
    ben.until("document.querySelectorAll('.act.waiting').length === 2", crate::WHILE)
        .await;
    says(&ben, ".link", "Connecting").await;
    house.result(3, "0-1").await;
    line.is(Mood::Open);
    says(&ben, ".act.done", "Table 1: note").await;
    says(&ben, ".act.refused", "it has changed").await;
    assert_eq!(house.game(3).await.0.result, "0-1");
    let gone = "localStorage.getItem('flagfall-arbiter-waiting') === null";
    ben.until(gone, SOON).await;
    // Neither comes again.
    ben.page.refresh().await.expect("it loads");
    ben.until("document.querySelectorAll('.row, .table').length > 0", SOON)
        .await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(ben.value("document.querySelectorAll('.act').length").await, 0);
    let rulings = house.game(1).await.1;
    let notes = rulings.iter().filter(|ruling| ruling.reason == "Black asked twice");
    let notes: Vec<_> = notes.map(|ruling| ruling.author.as_str()).collect();
    assert_eq!(notes, ["Ben"]);

    // An answer that was lost with the page is asked for again: the note is there once.
    at_table(&ben, 2).await;
    tap(&ben, "More").await;
    tap(&ben, "Note").await;
    note(&ben, "The answer was lost").await;
    line.is(Mood::Deaf);
    main_button(&ben).await;
    has_note(&house, 2, "The answer was lost", 1).await;
    line.is(Mood::Cut);
    ben.page.refresh().await.expect("it loads from what it kept");
    says(&ben, ".act.waiting", "Table 2: note").await;
    // Another arbiter's name is not put under it.
    ben.value(&format!(
        "localStorage.setItem('flagfall-arbiter-token', {:?}) ?? true",
        house.anna
    ))
    .await;
    ben.page.refresh().await.expect("it loads from what it kept");
    says(&ben, ".act.waiting", "Table 2: note").await;
    line.is(Mood::Open);
    says(&ben, ".act.not-done", "Table 2: note").await;
    has_note(&house, 2, "The answer was lost", 1).await;
    ben.end().await;
}

async fn has_note(house: &House, table: u32, text: &str, times: usize) {
    let begun = Instant::now();
    loop {
        let rulings = house.game(table).await.1;
        let found = rulings.iter().filter(|ruling| ruling.reason == text).count();
        if found == times {
            return;
        }
        assert!(begun.elapsed() < SOON && found < times, "{found} times: {rulings:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A slow network tells that something is done before the page shows what it has changed. The next sheet waits for that: else its
/// revision would be an old one, and what is entered on it refused for what the arbiter has done himself.
#[tokio::test(flavor = "multi_thread")]
async fn a_sheet_rests_on_what_was_just_done_on_the_page() {
    let house = House::open(2, "90m+30s").await;
    house.enter(1, &["e4", "e5"]).await;
    let anna = house.console(&house.anna, house.hub.http_addr, 1280, 800).await;
    at_table(&anna, 1).await;
    says(&anna, ".step-at", "e5").await;
    let slow = "(() => { const really = fetch; window.fetch = async (what, ...more) => { \
                if (String(what.url ?? what).endsWith('/GetGame')) await new Promise(done => setTimeout(done, 1200)); \
                return really(what, ...more); }; return true; })()";
    anna.value(slow).await;

    tap(&anna, "Penalise").await;
    choose(&anna, "White · Ćosić, 1").await;
    choose(&anna, "Warning").await;
    main_button(&anna).await;
    says(&anna, ".act.done", "Table 1: White: Warning").await;
    tap(&anna, "Enter a move").await;
    says(&anna, "dialog[open]", "Waiting for what you have just done").await;
    write(&anna, "Move, or several", "Nf3").await;
    main_button(&anna).await;
    has(&house, 1, "Nf3", |game| game.plies == 3).await;
    says(&anna, ".act.done", "Nf3").await;
}

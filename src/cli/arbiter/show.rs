//! What arbiters see, on a terminal.

use super::super::client::Client;
use super::super::print::{self, Table, clock};
use super::super::refused::{self, shown};
use crate::api::proto::arbiter::v1 as wire;
use crate::api::proto::feed::v1 as feed;

/// All tables, page by page.
pub async fn list(client: &Client, event: Option<String>, sector: Option<String>, items: bool) -> anyhow::Result<()> {
    let whole = tables(client, event, sector, items).await?;
    client.print(&whole, |whole| {
        if whole.tables.is_empty() {
            return "No tables.".to_owned();
        }
        let mut table = Table::new(&["TABLE", "WHITE", "BLACK", "CLOCKS", "MOVES", "RESULT", "WAITS FOR YOU"]);
        whole.tables.iter().for_each(|at| table.row(row(at)));
        table.text()
    })
}

async fn tables(
    client: &Client,
    event: Option<String>,
    sector: Option<String>,
    items: bool,
) -> anyhow::Result<wire::ListTablesResponse> {
    let mut whole = wire::ListTablesResponse::default();
    loop {
        let request = wire::ListTablesRequest {
            event: event.clone().unwrap_or_default(),
            sector: sector.clone().unwrap_or_default(),
            only_with_items: items,
            page_size: 0,
            page_token: std::mem::take(&mut whole.next_page_token),
        };
        let page = client.answer(None, client.arbiter().list_tables(request)).await?;
        whole.tables.extend(page.tables);
        if page.next_page_token.is_empty() {
            return Ok(whole);
        }
        whole.next_page_token = page.next_page_token;
    }
}

/// All open items of the hall, explained.
pub async fn items(client: &Client, event: Option<String>, sector: Option<String>) -> anyhow::Result<()> {
    let whole = tables(client, event, sector, true).await?;
    client.print(&whole, |whole| {
        let mut text = String::new();
        for at in &whole.tables {
            let hall = at.hall.clone().unwrap_or_default();
            let players = format!("{} – {}", name(hall.white.as_ref()), name(hall.black.as_ref()));
            for item in at.game.iter().flat_map(|game| &game.items) {
                text.push_str(&format!("Table {}  {players}\n{}\n", hall.table, explained(item)));
            }
        }
        if text.is_empty() {
            return "Nothing waits for you.".to_owned();
        }
        shown(text.trim_end())
    })
}

/// An item as an arbiter reads it: what it is, what happened, what to do.
fn explained(item: &wire::Item) -> String {
    let mut text = format!(
        "Item {} revision {}  {}{}  {}\n",
        item.number,
        item.revision,
        item.kind,
        if item.certain { "" } else { " (suspected)" },
        item.articles.join(", "),
    );
    match &item.explanation {
        Some(explanation) => {
            text.push_str(&format!("  {}\n", explanation.title));
            for sentence in &explanation.what {
                text.push_str(&format!("  {sentence}\n"));
            }
            for (at, step) in explanation.steps.iter().enumerate() {
                text.push_str(&format!("   {}. {step}\n", at + 1));
            }
            for note in &explanation.notes {
                text.push_str(&format!("   * {note}\n"));
            }
        }
        None => text.push_str(&format!("  {}\n  Proposed: {}\n", item.what, item.proposal)),
    }
    if !item.taken_by.is_empty() {
        text.push_str(&format!("  {} is on it\n", item.taken_by));
    }
    text
}

fn row(at: &wire::ArbiterTable) -> [String; 7] {
    let hall = at.hall.clone().unwrap_or_default();
    let game = at.game.clone().unwrap_or_default();
    [
        hall.table.to_string(),
        name(hall.white.as_ref()),
        name(hall.black.as_ref()),
        clocks(game.clocks.as_ref()),
        game.moves.len().div_ceil(2).to_string(),
        result(&game),
        waits(&game),
    ]
}

fn name(player: Option<&feed::Player>) -> String {
    let player = player.cloned().unwrap_or_default();
    if player.title.is_empty() {
        player.name
    } else {
        format!("{} {}", player.title, player.name)
    }
}

/// An appeal by its number, which `appeal-say` and `appeal-close` want.
fn appealed(appeal: &wire::Appeal) -> String {
    let by = if appeal.by() == feed::Color::White {
        "White"
    } else {
        "Black"
    };
    let how = match appeal.outcome() {
        wire::AppealOutcome::Unspecified => "open: the result is provisional",
        wire::AppealOutcome::Upheld => "upheld",
        wire::AppealOutcome::Dismissed => "dismissed",
        wire::AppealOutcome::Withdrawn => "withdrawn",
    };
    format!("{} by {by}, {how}", appeal.number)
}

fn clocks(clocks: Option<&feed::Clocks>) -> String {
    let Some(clocks) = clocks else { return "-".to_owned() };
    let mark = |side| if clocks.running() == side { "*" } else { "" };
    let silent = if clocks.no_signal { " no signal" } else { "" };
    let (white, black) = (clock(clocks.white_ms), clock(clocks.black_ms));
    format!(
        "{white}{} {black}{}{silent}",
        mark(feed::Color::White),
        mark(feed::Color::Black)
    )
}

fn result(game: &wire::Game) -> String {
    ended(game, &game.termination)
}

fn ended(game: &wire::Game, how: &str) -> String {
    match (game.result.as_str(), how) {
        ("", _) => "-".to_owned(),
        (result, "") => result.to_owned(),
        (result, how) => format!("{result} {how}"),
    }
}

fn waits(game: &wire::Game) -> String {
    if !game.parked.is_empty() {
        return format!("BY HAND: {}", game.parked);
    }
    let words = game.items.iter().map(|item| {
        let doubt = if item.certain { "" } else { "?" };
        let taken = if item.taken_by.is_empty() {
            String::new()
        } else {
            format!(" ({})", item.taken_by)
        };
        format!("{} {}{doubt}{taken}", item.number, item.kind)
    });
    words.collect::<Vec<_>>().join(", ")
}

/// One game, with everything.
pub fn game(answer: &wire::GetGameResponse) -> String {
    let at = answer.table.clone().unwrap_or_default();
    let hall = at.hall.clone().unwrap_or_default();
    let mut text = format!(
        "Table {}  {} round {} board {}\n{} – {}\n",
        hall.table,
        hall.event_name,
        hall.round,
        hall.board,
        name(hall.white.as_ref()),
        name(hall.black.as_ref())
    );
    let Some(game) = &at.game else {
        text.push_str("No game yet: the round is not armed.\n");
        return shown(&text);
    };
    text.push_str(&format!("Clocks    {}\n", clocks(game.clocks.as_ref())));
    if let Some(check) = &game.check {
        text.push_str(&format!("Sum       {}\n", check_words(check)));
    }
    let how = if game.termination_text.is_empty() {
        &game.termination
    } else {
        &game.termination_text
    };
    text.push_str(&format!("Result    {}\n", ended(game, how)));
    text.push_str(&format!("Position  {}\n", game.fen));
    text.push_str(&format!("Revision  {}\n", game.revision));
    for (what, device) in [("Clock", &at.clock_device), ("Board", &at.board_device)] {
        if let Some(device) = device {
            text.push_str(&format!("{what:<10}{}\n", device_words(device)));
        }
    }
    if !game.masked.is_empty() {
        text.push_str(&format!("Masked    {}\n", game.masked.join(" ")));
    }
    if game.without_board {
        text.push_str("Board     not used: moves are entered by hand\n");
    }
    for appeal in &game.appeals {
        text.push_str(&format!("Appeal    {}\n", appealed(appeal)));
    }
    if !game.parked.is_empty() {
        text.push_str(&format!("BY HAND   {}\n", game.parked));
    }
    text.push_str(&record(game));
    for item in &game.items {
        text.push_str(&format!("\n{}", explained(item)));
        for fact in &item.evidence {
            text.push_str(&format!("  {}: {}\n", fact.key, fact.value));
        }
    }
    for order in game.answered_orders.iter().chain(&game.orders) {
        text.push_str(&format!(
            "\nOrder {} to the clock: {}\n",
            order.number,
            order_words(order)
        ));
    }
    if !answer.rulings.is_empty() {
        text.push_str("\nRuled\n");
    }
    for ruling in &answer.rulings {
        let articles = if ruling.articles.is_empty() {
            String::new()
        } else {
            format!(" ({})", ruling.articles.join(", "))
        };
        let reason = if ruling.reason.is_empty() {
            String::new()
        } else {
            format!(": {}", ruling.reason)
        };
        let what = if ruling.text.is_empty() {
            &ruling.what
        } else {
            &ruling.text
        };
        text.push_str(&format!("  {what}{articles}, by {}{reason}\n", ruling.author));
    }
    shown(&text)
}

fn record(game: &wire::Game) -> String {
    let mut text = String::new();
    for (index, pair) in game.moves.chunks(2).enumerate() {
        let half = |mv: Option<&feed::Move>| {
            mv.map(|mv| {
                let doubt = if mv.promotion_unconfirmed { "?" } else { "" };
                let time = mv.clock_ms.map(clock).unwrap_or_default();
                format!("{:<9} {:<11}", format!("{}{doubt}", mv.san), time)
            })
            .unwrap_or_default()
        };
        text.push_str(format!("{:>4}. {}{}", index + 1, half(pair.first()), half(pair.get(1))).trim_end());
        text.push('\n');
    }
    text
}

/// How a device is, with what is worth knowing of it.
fn device_words(device: &wire::DeviceHealth) -> String {
    let mut text = format!("{} {}", device.id, super::super::device::online(device.online));
    if let Some(battery) = device.battery {
        text += &format!(", battery {battery} %");
    }
    if let Some(signal) = device.signal {
        text += &format!(", signal {signal} dBm");
    }
    if let Some(bar) = device.bar_ms {
        text += &format!(", time within {bar} ms");
    }
    if let Some(ahead) = device.ahead_ms.filter(|ahead| *ahead != 0) {
        let way = if ahead < 0 { "behind" } else { "ahead" };
        text += &format!(", {}.{:03} s {way}", ahead.abs() / 1000, ahead.abs() % 1000);
    }
    if device.drift_ppm != 0 {
        let way = if device.drift_ppm < 0 { "slow" } else { "fast" };
        let ppm = device.drift_ppm.unsigned_abs();
        text += &format!(", {}.{:02} % {way}", ppm / 10_000, ppm % 10_000 / 100);
    }
    text
}

/// Both clocks together, and what they should show.
fn check_words(check: &wire::ClockCheck) -> String {
    let expected = check.initial_ms + check.granted_ms - check.elapsed_ms;
    let sign = if check.deviation_ms < 0 { "" } else { "+" };
    let whose = if check.read { "shown" } else { "counted" };
    format!(
        "{} {whose}, {} expected ({} + {} granted - {} elapsed): {sign}{}",
        clock(check.shown_ms),
        clock(expected),
        clock(check.initial_ms),
        clock(check.granted_ms),
        clock(check.elapsed_ms),
        clock(check.deviation_ms)
    )
}

fn order_words(order: &wire::Order) -> String {
    use wire::order::What;
    let what = match &order.what {
        Some(What::Control(_)) => "take the time control".to_owned(),
        Some(What::Add(add)) => format!("add White {}, Black {}", clock(add.white_ms), clock(add.black_ms)),
        Some(What::Set(set)) => format!("set White {}, Black {}", clock(set.white_ms), clock(set.black_ms)),
        Some(What::Run(run)) => format!(
            "run {}",
            if run.side() == feed::Color::White {
                "White"
            } else {
                "Black"
            }
        ),
        Some(What::Stop(_)) => "stop".to_owned(),
        None => "?".to_owned(),
    };
    match order.status() {
        wire::OrderStatus::Refused => format!("{what}: refused, {}; do it by hand", order.why),
        wire::OrderStatus::ByHand => format!("{what}: do it by hand"),
        wire::OrderStatus::Stopping => format!("{what}: stopping, the clock has not said so yet"),
        wire::OrderStatus::Done => format!("{what}: the clock has it"),
        wire::OrderStatus::MovedOn => format!("{what}: the clock had moved on, decided again"),
        wire::OrderStatus::Sent | wire::OrderStatus::Unspecified => format!("{what}: on its way"),
    }
}

/// Prints changes, a line each, until the stream ends.
pub async fn watch(client: &Client, tables: Vec<u32>) -> anyhow::Result<()> {
    use wire::watch_tables_response::Update;
    let request = wire::WatchTablesRequest {
        resume: None,
        tables,
        brief: false,
    };
    let mut stream = client.answer(None, client.arbiter().watch_tables(request)).await?;
    loop {
        let message = tokio::select! {
            message = stream.message() => message.map_err(|status| refused::told(&status, None))?,
            ended = tokio::signal::ctrl_c() => return Ok(ended?),
        };
        let Some(message) = message else { return Ok(()) };
        if client.json {
            print::out(&serde_json::to_string(&message)?)?;
            continue;
        }
        match message.update {
            Some(Update::Snapshot(at) | Update::Changed(wire::ArbiterTableChanged { table: Some(at), .. })) => {
                let [table, white, black, clocks, moves, result, waits] = row(&at);
                let last = at
                    .game
                    .as_ref()
                    .and_then(|game| game.moves.last())
                    .map(|mv| mv.san.as_str());
                let last = last.unwrap_or("-");
                print::out(&shown(&format!(
                    "{table:>5}  {white} – {black}  {clocks}  {moves}. {last}  {result}  {waits}"
                )))?;
            }
            Some(Update::Removed(gone)) => print::out(&format!("{:>5}  gone", gone.table))?,
            Some(Update::SnapshotEnd(_) | Update::Changed(_) | Update::Heartbeat(_)) | None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> wire::ArbiterTable {
        let player = |name: &str, title: &str| {
            Some(feed::Player {
                name: name.to_owned(),
                title: title.to_owned(),
                ..Default::default()
            })
        };
        let mv = |san: &str, clock_ms| feed::Move {
            san: san.to_owned(),
            clock_ms,
            ..Default::default()
        };
        wire::ArbiterTable {
            hall: Some(feed::Table {
                table: 12,
                event_name: "Open".to_owned(),
                round: 3,
                board: 4,
                white: player("Hou, Yifan", "GM"),
                black: player("Ju\u{1b}[2J", ""),
                ..Default::default()
            }),
            game: Some(wire::Game {
                fen: "8/8/8/8/8/8/8/K1k5 w - -".to_owned(),
                moves: vec![mv("e4", Some(5_430_000)), mv("e5", Some(5_429_000)), mv("Nf3", None)],
                clocks: Some(feed::Clocks {
                    white_ms: 5_000_000,
                    black_ms: 19_400,
                    running: feed::Color::White.into(),
                    ..Default::default()
                }),
                result: "*".to_owned(),
                revision: 7,
                items: vec![wire::Item {
                    number: 2,
                    revision: 1,
                    kind: "illegal-move".to_owned(),
                    certain: false,
                    articles: vec!["7.5.5".to_owned()],
                    what: "White moved into check.".to_owned(),
                    proposal: "Black +2:00".to_owned(),
                    ..Default::default()
                }],
                ..Default::default()
            }),
            ..Default::default()
        }
    }

    #[test]
    fn a_table_is_one_line_with_what_waits() {
        let row = row(&table());
        assert_eq!(row[1], "GM Hou, Yifan");
        assert_eq!(row[3], "1:23:20* 0:00:19.4");
        assert_eq!(row[4], "2");
        assert_eq!(row[6], "2 illegal-move?");
    }

    #[test]
    fn a_game_is_shown_with_its_record_and_items_and_no_escapes() {
        let text = game(&wire::GetGameResponse {
            table: Some(table()),
            rulings: Vec::new(),
        });
        assert!(
            text.contains("   1. e4        1:30:30    e5        1:30:29\n   2. Nf3\n"),
            "{text}"
        );
        assert!(
            text.contains("Item 2 revision 1  illegal-move (suspected)  7.5.5"),
            "{text}"
        );
        assert!(text.contains("Proposed: Black +2:00"), "{text}");
        assert!(!text.contains('\u{1b}'));
    }
}

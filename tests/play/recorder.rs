//! A table without any board hardware: one phone is the clock, and on another a recorder taps the moves.

use std::net::SocketAddr;
use std::time::Duration;

use flagfall::api::proto::admin::v1::DeviceKind;
use flagfall::api::proto::feed::v1::Color;
use serde_json::Value;

use crate::browser::Browser;
use crate::glass::Glass;
use crate::hands::{fits, is_accessible};
use crate::house::House;
use crate::line::{Line, Mood};

const SOON: Duration = Duration::from_secs(15);

/// The clock of this table, and the board on which its moves are tapped.
pub struct Table<G> {
    pub clock: G,
    pub board: G,
    /// The board's line to the hub.
    pub line: Line,
    /// The clock's.
    pub clock_line: Line,
}

impl<G: Glass> Table<G> {
    pub async fn open(house: &House, table: u32) -> Table<G> {
        let clock = house.device(table, DeviceKind::Clock).await;
        let board = house.device(table, DeviceKind::Board).await;
        let (clock_line, line) = (Line::to(house.http).await, Line::to(house.http).await);
        let paths = [
            format!("/table/{table}#{clock}"),
            format!("/table/{table}/board#{board}"),
        ];
        Table {
            clock: phone(clock_line.addr, &paths[0]).await,
            board: phone(line.addr, &paths[1]).await,
            line,
            clock_line,
        }
    }

    /// Two taps on the board.
    pub async fn taps(&self, mv: &str) {
        for square in [&mv[..2], &mv[2..4]] {
            self.board.touches(&format!("[data-square={square}]")).await;
        }
    }

    /// The player whose time runs presses.
    pub async fn press(&self, side: &str) {
        runs(&self.clock, side).await;
        self.clock.touches(&format!(".half.{side} .press")).await;
    }

    /// Moves that are tapped and pressed in turn; White, who sits on the left, begins.
    pub async fn plays(&self, moves: &[&str]) {
        for (ply, mv) in moves.iter().enumerate() {
            self.taps(mv).await;
            self.press(if ply % 2 == 0 { "left" } else { "right" }).await;
        }
    }

    pub async fn end(self) {
        self.clock.end().await;
        self.board.end().await;
    }
}

/// A phone with a page of the table's; it is connected.
pub async fn phone<G: Glass>(at: SocketAddr, path: &str) -> G {
    let phone = G::open(390, 844).await;
    phone.goto(&format!("http://{at}{path}")).await;
    phone
        .until("document.querySelector('.strip')?.dataset.online === 'true'", SOON)
        .await;
    assert_eq!(phone.value("location.hash").await, "", "no secret stays in the address");
    phone
}

pub async fn runs(phone: &impl Glass, side: &str) {
    let state = format!("document.querySelector('.half.{side}')?.dataset.state === 'runs'");
    phone.until(&state, SOON).await;
}

fn sans(game: &flagfall::api::proto::arbiter::v1::Game) -> Vec<&str> {
    game.moves.iter().map(|mv| mv.san.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recorder_taps_the_moves_of_a_table_without_a_board() {
    let house = House::open().await;
    house.pair(1, 1, "5m+3s").await;
    let table: Table<Browser> = Table::open(&house, 1).await;
    house.arm(1).await;
    house.start(1).await;
    table.plays(&["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6"]).await;
    // The king is put two squares on, and his rook comes with him.
    table.plays(&["e1g1", "f6e4"]).await;
    let game = house
        .until(1, "the eighth half-move", |game| game.moves.len() == 8)
        .await;
    assert_eq!(sans(&game), ["e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6", "O-O", "Nxe4"]);
    assert!(game.items.is_empty(), "{:?}", game.items);
    table.board.picture("recorder-390x844").await;
    is_accessible(&table.board, "the recorder's board").await;

    // A slip of the finger, taken back before the press: nobody hears of it but the journal.
    table.taps("d2d3").await;
    table.board.tap("Take back").await;
    table.taps("d2d4").await;
    table.press("left").await;
    let game = house.until(1, "White's fifth move", |game| game.moves.len() == 9).await;
    assert_eq!(sans(&game).last(), Some(&"d4"));

    // Without a network the taps are kept, over a reload too, and go out when it is back.
    table.line.is(Mood::Cut);
    table.board.says(".state", "Offline").await;
    table.taps("e5d4").await;
    table.board.says(".state", "· 1").await;
    table
        .board
        .until("navigator.serviceWorker.controller !== null", SOON)
        .await;
    table.board.refresh().await;
    table.board.says(".state", "· 1").await;
    table.press("right").await;
    table.line.is(Mood::Open);
    table
        .board
        .until("document.querySelector('.strip').dataset.online === 'true'", SOON)
        .await;
    let game = house
        .until(1, "Black's fifth move", |game| game.moves.len() == 10)
        .await;
    assert_eq!(sans(&game).last(), Some(&"exd4"));

    // An illegal move can be shown as it was made, and is found by the hub.
    table.taps("a1a5").await;
    table.press("left").await;
    let game = house
        .until(1, "the illegal move", |game| {
            game.items.iter().any(|item| item.kind == "illegal-move")
        })
        .await;
    assert_eq!(
        game.items
            .iter()
            .find(|item| item.kind == "illegal-move")
            .map(|item| item.of()),
        Some(Color::White)
    );

    // By hand everything can be put where it stands.
    table.board.tap("By hand").await;
    let taken_off = "document.querySelector('.box .off').click() ?? true";
    table.board.value(taken_off).await;
    table.board.touches("[data-square=a5]").await;
    table.board.picture("recorder-by-hand-390x844").await;
    fits(&table.board, "the recorder's box", 390).await;
    let rook = "document.querySelector('.box [aria-label=\"White: rook\"]').click() ?? true";
    table.board.value(rook).await;
    table.board.touches("[data-square=a1]").await;
    table.board.tap("By hand").await;
    let kept = "JSON.parse(localStorage.getItem('flagfall-table/board-1/state')).placement";
    table
        .board
        .until(
            &format!("{kept} === 'r1bqkb1r/pppp1ppp/2n5/8/2Bpn3/5N2/PPP2PPP/RNBQ1RK1'"),
            SOON,
        )
        .await;
    // On its side, and in another language.
    table.board.resize(844, 390).await;
    table.board.picture("recorder-844x390").await;
    fits(&table.board, "the recorder's board on its side", 844).await;
    table.board.resize(390, 844).await;
    table
        .board
        .value("localStorage.setItem('flagfall-table-language', 'pl') ?? true")
        .await;
    table.board.refresh().await;
    table.board.says(".back", "Cofnij").await;
    table.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pawn_that_is_promoted_is_asked_what_it_becomes_and_a_late_tap_still_belongs_to_its_press() {
    let house = House::open().await;
    house.pair(1, 1, "5m+3s").await;
    let table: Table<Browser> = Table::open(&house, 1).await;
    house.arm(1).await;
    house.start(1).await;
    table
        .plays(&["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5"])
        .await;
    // The players are quick: both have pressed before the recorder has found the squares.
    table.press("left").await;
    table.press("right").await;
    table.taps("a7b8").await;
    table.board.says(".box", "The pawn becomes").await;
    table.board.picture("recorder-promotion-390x844").await;
    table
        .board
        .value("document.querySelector('.box [aria-label=\"White: knight\"]').click() ?? true")
        .await;
    table.taps("h5h4").await;
    let game = house
        .until(1, "the promotion and the answer", |game| game.moves.len() == 10)
        .await;
    assert_eq!(sans(&game)[8..], ["axb8=N", "h4"]);
    assert!(game.items.is_empty(), "{:?}", game.items);
    assert_eq!(
        table
            .board
            .value("document.querySelectorAll('.box .piece').length")
            .await,
        Value::from(0)
    );
    table.end().await;
}

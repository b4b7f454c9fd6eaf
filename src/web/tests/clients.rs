//! Clients of the feed who come when they like and read as fast as they can.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::game::audience::MoveView;

/// A client that takes changes as `docs/feed_client.py` does.
struct Client {
    body: axum::body::BodyDataStream,
    text: String,
    tables: BTreeMap<u64, Value>,
    place: String,
}

impl Client {
    async fn open(router: &Router, place: Option<&str>) -> Client {
        let mut request = get("/api/hall/feed?changes=moves");
        if let Some(place) = place {
            request = request.header("last-event-id", place);
        }
        Client {
            body: opened(router, request).await,
            text: String::new(),
            tables: BTreeMap::new(),
            place: place.unwrap_or_default().to_owned(),
        }
    }

    /// Another connection, to go on with.
    async fn again(&mut self, router: &Router) {
        let tables = std::mem::take(&mut self.tables);
        *self = Client {
            tables,
            ..Client::open(
                router,
                Some(&self.place).filter(|place| !place.is_empty()).map(String::as_str),
            )
            .await
        };
    }

    /// Reads all there is.
    async fn read(&mut self) {
        while let Ok(chunk) = tokio::time::timeout(Duration::from_millis(1), self.body.next()).await {
            let chunk = chunk.expect("goes on").expect("a chunk");
            self.text.push_str(&String::from_utf8_lossy(&chunk));
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
                let (name, data) = (field("event:").expect("a name"), field("data:").expect("data"));
                schema::wrong(name, data).expect("as in the schema");
                take(&mut self.tables, name, serde_json::from_str(data).expect("JSON"));
                self.place = field("id:").unwrap_or(&self.place).to_owned();
                self.text = rest.to_owned();
            }
        }
    }
}

fn take(tables: &mut BTreeMap<u64, Value>, name: &str, data: Value) {
    let number = data["table"].as_u64().unwrap_or_default();
    match name {
        "snapshot" => tables.clear(),
        "table" => drop(tables.insert(number, data)),
        "removed" => drop(tables.remove(&number)),
        "moves" => {
            let view = &mut tables.get_mut(&number).expect("told before")["view"];
            let from = data["from_ply"].as_u64().expect("a number") as usize;
            let moves = view["moves"].as_array_mut().expect("moves");
            assert!(from <= moves.len(), "nothing is left out");
            moves.truncate(from);
            moves.extend(data["moves"].as_array().expect("moves").iter().cloned());
            for changed in ["fen", "clocks", "result", "started", "paused"] {
                view[changed] = data[changed].clone();
            }
        }
        _ => {}
    }
}

#[derive(Clone, Debug)]
enum Next {
    /// A half-move.
    Move(u32),
    /// The record is replaced from here.
    Correct(u32, usize),
    /// A name is corrected, or another game begins.
    Name(u32, String),
    Remove(u32),
    /// The reader reads.
    Read(usize),
    /// He loses his connection.
    Again(usize),
}

fn next() -> impl Strategy<Value = Next> {
    prop_oneof![
        8 => (1..5u32).prop_map(Next::Move),
        2 => (1..5u32, 0..6usize).prop_map(|(table, ply)| Next::Correct(table, ply)),
        1 => (1..5u32, "[a-c<\"\\\\\n]{1,4}").prop_map(|(table, name)| Next::Name(table, name)),
        1 => (1..5u32).prop_map(Next::Remove),
        4 => (0..3usize).prop_map(Next::Read),
        1 => (0..3usize).prop_map(Next::Again),
    ]
}

fn played(count: i64) -> MoveView {
    MoveView {
        san: format!("N{count}"),
        uci: format!("g1f{count}"),
        clock: Some(Millis(count)),
        at: HallTime(count),
        promotion_unconfirmed: false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn a_client_who_comes_late_and_one_who_saw_it_all_end_with_the_same(doing in proptest::collection::vec(next(), 1..80)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
        runtime.block_on(async {
            let hall = hall();
            let router = served(&hall, Screens::Open);
            let mut readers = Vec::new();
            for _ in 0..3 {
                readers.push(Client::open(&router, None).await);
            }
            let mut cards: BTreeMap<u32, TableCard> = BTreeMap::new();
            for (count, next) in (1..).zip(doing) {
                let mut change = |table: u32, how: &mut dyn FnMut(&mut TableCard)| {
                    let card = cards.entry(table).or_insert_with(|| card(table, "Anna"));
                    how(card);
                    hall.screens().publish(count as u64, TableNo(table), card.clone());
                };
                match next {
                    Next::Move(table) => change(table, &mut |card| card.view.moves.push(played(count))),
                    Next::Correct(table, ply) => change(table, &mut |card| {
                        card.view.moves.truncate(ply);
                        card.view.moves.push(played(count));
                        card.view.result = "1-0".to_owned();
                    }),
                    Next::Name(table, name) => change(table, &mut |card| card.white.name.clone_from(&name)),
                    Next::Remove(table) => {
                        cards.remove(&table);
                        hall.screens().remove(count as u64, TableNo(table));
                    }
                    Next::Read(reader) => readers[reader].read().await,
                    Next::Again(reader) => readers[reader].again(&router).await,
                }
            }
            let mut late = Client::open(&router, None).await;
            late.read().await;
            let truth: BTreeMap<u64, Value> = cards
                .values()
                .map(|card| (card.table.0.into(), serde_json::to_value(card).expect("JSON")))
                .collect();
            assert_eq!(late.tables, truth);
            for mut reader in readers {
                reader.read().await;
                assert_eq!(reader.tables, truth);
            }
        });
    }
}

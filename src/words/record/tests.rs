use super::*;
use crate::game::audience::RuledView;
use crate::game::input::Deed;
use crate::game::{Game, GameSetup};

pub(in crate::words) const HOSTILE: [&str; 6] = [
    "<img src=x onerror=alert(1)>",
    "\"quotes\" and 'more' & <script>alert(2)</script>",
    "=HYPERLINK(\"http://evil.example\")",
    "line\nbreak\u{2028}and\r\ttab\u{7}",
    "\u{202e}turned round\u{2066}",
    "</style></title><b>bold</b>",
];

fn half(san: &str, clock: i64) -> MoveView {
    MoveView {
        san: san.to_owned(),
        uci: String::new(),
        clock: Some(Millis::mins(clock)),
        at: HallTime(60_000),
        promotion_unconfirmed: false,
    }
}

fn record(outside: &str) -> Record {
    let mut view = Game::new(GameSetup::default()).arbiter_view(HallTime(0));
    view.moves = vec![half("e4", 89), half("e5", 88), half("Nf3", 87)];
    view.rulings = vec![RulingView {
        at: HallTime(61_000),
        author: outside.to_owned(),
        what: "the clocks were stopped".to_owned(),
        reason: outside.to_owned(),
        articles: vec!["6.11.1".to_owned()],
        item: Some(3),
        ruled: Some(Box::new(RuledView::Deed(Deed::Pause))),
    }];
    let player = |name: &str| Signer {
        title: "GM".to_owned(),
        name: name.to_owned(),
        about: vec!["2700".to_owned(), outside.to_owned()],
    };
    Record {
        hall: outside.to_owned(),
        game: "01890a5d-ac96-774b-bcce-b302099a8057".to_owned(),
        event: [outside.to_owned(), outside.to_owned(), "2026-08-01".to_owned()],
        round: 3,
        board: 7,
        table: 12,
        players: [player(outside), player("Polgár, Judit")],
        view,
        parked: Some(outside.to_owned()),
        orders: vec![Ordered {
            order: Order {
                number: 2,
                since: HallTime(61_000),
                what: OrderKind::Stop,
                status: OrderStatus::Refused(outside.to_owned()),
                answered: Some(HallTime(62_000)),
            },
            position: 4_711,
            by: Some(outside.to_owned()),
        }],
        lines: vec![Line {
            position: 4711,
            written_ms: 1_785_000_000_000,
            heard: HallTime(61_000),
            record: None,
            by: None,
            text: format!("Anna (arbiter): the clocks were stopped: {outside}"),
        }],
        chain: "ab".repeat(32),
        head: (4_720, "cd".repeat(32)),
        made_ms: 1_785_000_001_000,
        times: Times(vec![(HallTime(0), 1_784_999_939_000, 1.0)]),
    }
}

/// What a browser would take for tags, by their names.
pub(in crate::words) fn tags(page: &str) -> std::collections::BTreeSet<String> {
    page.split('<')
        .skip(1)
        .map(|tag| {
            tag.chars()
                .take_while(|c| c.is_ascii_alphanumeric() || "/!".contains(*c))
                .collect()
        })
        .collect()
}

#[test]
fn nothing_from_outside_becomes_part_of_the_page() {
    let plain = tags(&page(&record("Carlsen, Magnus"), Language::English));
    for outside in HOSTILE {
        let page = page(&record(outside), Language::English);
        assert_eq!(tags(&page), plain, "{outside:?}");
        let body = page.split_once("<body>").expect("a body").1;
        for cause in [
            "onerror=alert(1)>",
            "<script",
            "\u{202e}",
            "\u{2066}",
            "\u{7}",
            "line\nbreak",
        ] {
            assert!(!body.contains(cause), "{outside:?}: {cause:?}");
        }
        // No attribute is opened or closed by it.
        assert!(!body.contains("\"quotes\""), "{outside:?}");
    }
}

#[test]
fn everything_that_a_committee_asks_for_is_there() {
    let page = page(&record("Anna"), Language::English);
    for part in [
        "Polgár, Judit",
        "1:29:00",
        "Nf3",
        "6.11.1",
        "4711",
        "Anna (arbiter): the clocks were stopped",
        &"ab".repeat(32),
        &"cd".repeat(32),
        "01890a5d-ac96-774b-bcce-b302099a8057",
        "Signature (Arbiter)",
        "@media print",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn the_page_speaks_four_languages_and_leaves_nothing_unsaid() {
    for (language, words) in [
        (Language::English, "Scoresheet"),
        (Language::Serbian, "Zapis partije"),
        (Language::Russian, "Бланк партии"),
        (Language::Polish, "Zapis partii"),
    ] {
        let page = page(&record("Anna"), language);
        assert!(page.contains(&format!("<html lang=\"{language}\">")));
        assert!(page.contains(words), "{language}: {words}");
        assert!(!page.contains("record-"), "{language}: a message without words");
    }
}

#[test]
fn moves_are_numbered_as_the_position_says_that_they_go_on_from() {
    let mut view = Game::new(GameSetup::default()).arbiter_view(HallTime(0));
    view.moves = vec![half("e5", 5), half("Nf3", 5), half("Kd2", 5)];
    let fen = |turn: &str, number: u32| format!("4k3/8/8/8/8/8/8/4K3 {turn} - - 0 {number}");
    view.starts = vec![(0, fen("b", 7)), (2, fen("w", 20))];
    let rows: Vec<_> = numbered(&view)
        .into_iter()
        .map(|(number, white, black)| {
            (
                number,
                white.map(|half| half.san.as_str()),
                black.map(|half| half.san.as_str()),
            )
        })
        .collect();
    assert_eq!(
        rows,
        [(7, None, Some("e5")), (8, Some("Nf3"), None), (20, Some("Kd2"), None)]
    );
}

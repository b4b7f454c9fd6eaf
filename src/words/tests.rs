//! The four languages say the same, say all of it, and say it rightly.

use std::collections::{BTreeMap, BTreeSet};

use fluent_syntax::ast::{self, Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser;

use super::lexicon::{FILES, FORMS, Lexicon, foreign};
use super::{Announcement, Boards, Language, announcement, clocks, dates, explain, item, ruled, why};
use crate::chess::mates::Proof;
use crate::chess::{Color, Illegality, Move, Piece, Role, Square};
use crate::game::BoardKind;
use crate::game::account::{
    Account, Doubt, MateFacts, OffenceFacts, OtherFlag, Outcome, PieceBack, RightLost, Shown, SquareSeen, TimeEffect,
};
use crate::game::audience::{Item, RuledView, RulingView};
use crate::game::input::{
    AppealOutcome, AppealStep, ClockFault, Deed, Observation, Penalty, Reading, Restoration, TimeChange,
};
use crate::game::item::{Bound, ClaimVerdict, Kind, Matter, Offence, QuickplayVerdict, Ruling, Sign};
use crate::hall::model::{Category, Enforcement, OpenPoints, PeriodAdded, Regulations, Supervision};
use crate::laws::clock::{Gain, Half};
use crate::laws::{GameResult, Termination};
use crate::time::{HallTime, Millis};

// The files themselves

/// A message's variables, forms set aside, with those of its attributes.
fn variables(message: &ast::Message<&str>) -> BTreeSet<String> {
    fn pattern(of: &Pattern<&str>, found: &mut BTreeSet<String>) {
        for element in &of.elements {
            if let PatternElement::Placeable { expression } = element {
                of_expression(expression, found);
            }
        }
    }
    fn of_expression(expression: &Expression<&str>, found: &mut BTreeSet<String>) {
        match expression {
            Expression::Inline(inline) => of_inline(inline, found),
            Expression::Select { selector, variants } => {
                of_inline(selector, found);
                variants.iter().for_each(|variant| pattern(&variant.value, found));
            }
        }
    }
    fn of_inline(inline: &InlineExpression<&str>, found: &mut BTreeSet<String>) {
        match inline {
            InlineExpression::VariableReference { id } => {
                let name = id.name;
                let bare = name.rsplit_once('-').filter(|(_, form)| FORMS.contains(form));
                found.insert(bare.map_or(name, |(bare, _)| bare).to_owned());
            }
            InlineExpression::Placeable { expression } => of_expression(expression, found),
            InlineExpression::StringLiteral { .. } | InlineExpression::NumberLiteral { .. } => {}
            other => panic!("no message refers to another: {other:?}"),
        }
    }
    let mut found = BTreeSet::new();
    let values = message
        .value
        .iter()
        .chain(message.attributes.iter().map(|attribute| &attribute.value));
    values.for_each(|value| pattern(value, &mut found));
    found
}

fn messages(text: &'static str) -> BTreeMap<String, ast::Message<&'static str>> {
    let resource = parser::parse(text).unwrap_or_else(|(_, errors)| panic!("{errors:?}"));
    let mut messages = BTreeMap::new();
    for entry in resource.body {
        match entry {
            Entry::Message(message) => {
                let key = message.id.name.to_owned();
                assert!(messages.insert(key.clone(), message).is_none(), "{key} is there twice");
            }
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) => {}
            Entry::Term(term) => panic!("no terms: {}", term.id.name),
            Entry::Junk { content } => panic!("cannot be read: {content}"),
        }
    }
    messages
}

#[test]
fn all_languages_have_the_same_messages_with_the_same_variables() {
    let mut keys = BTreeSet::new();
    for (name, texts) in FILES {
        let english = messages(texts[0]);
        for key in english.keys() {
            assert!(keys.insert(key.clone()), "{key} is in two files");
        }
        for (language, text) in Language::ALL.iter().zip(texts) {
            let own = messages(text);
            let (ours, theirs): (BTreeSet<_>, BTreeSet<_>) = (own.keys().collect(), english.keys().collect());
            let differ: Vec<_> = ours.symmetric_difference(&theirs).collect();
            assert!(differ.is_empty(), "lang/{language}/{name}: {differ:?}");
            for (key, message) in &own {
                assert_eq!(
                    variables(message),
                    variables(&english[key]),
                    "lang/{language}/{name}: the variables of {key}"
                );
            }
        }
    }
}

#[test]
fn every_plural_has_the_categories_of_its_language() {
    for (name, texts) in FILES {
        for (language, text) in Language::ALL.iter().zip(texts) {
            let known: &[&str] = match language {
                Language::English => &["one", "other"],
                Language::Serbian | Language::Russian | Language::Polish => &["one", "few", "other"],
            };
            for line in text.lines().map(str::trim_start) {
                let Some(category) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) else {
                    continue;
                };
                let gender = ["m", "f"].contains(&category);
                // One alone, where the category has 21 and 31 too.
                let exact = category == "1";
                assert!(
                    gender || exact || known.contains(&category),
                    "lang/{language}/{name}: [{category}]"
                );
            }
        }
    }
}

/// What the sources of this room call messages.
fn keys_in_the_code() -> BTreeSet<String> {
    const SOURCES: [&str; 10] = [
        include_str!("announcement.rs"),
        include_str!("clocks.rs"),
        include_str!("dates.rs"),
        include_str!("item.rs"),
        include_str!("journal.rs"),
        include_str!("names.rs"),
        include_str!("record.rs"),
        include_str!("ruled.rs"),
        include_str!("sheet.rs"),
        include_str!("why.rs"),
    ];
    const FAMILIES: [&str; 26] = [
        "why",
        "item",
        "journal",
        "step",
        "note",
        "claim",
        "mate",
        "proof",
        "piece",
        "time",
        "square",
        "kind",
        "ending",
        "category",
        "ruled",
        "deed",
        "seen",
        "reg",
        "house",
        "title",
        "first",
        "quickplay",
        "clock",
        "clocks",
        "record",
        "sheet",
    ];
    let mut keys = BTreeSet::new();
    for source in SOURCES {
        for quoted in source.split('"').skip(1).step_by(2) {
            let family = quoted.split('-').next().unwrap_or_default();
            let plain = quoted
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
            if plain && quoted.contains('-') && FAMILIES.contains(&family) {
                keys.insert(quoted.to_owned());
            }
        }
    }
    keys
}

#[test]
fn every_message_that_the_code_names_is_there_and_none_is_idle() {
    let mut known: BTreeSet<String> = BTreeSet::new();
    for (_, texts) in FILES {
        known.extend(messages(texts[0]).into_keys());
    }
    let used = keys_in_the_code();
    let missing: Vec<_> = used.iter().filter(|key| !known.contains(*key)).collect();
    assert!(missing.is_empty(), "no such messages: {missing:?}");
    for point in OpenPoints::ALL {
        for (value, _) in point.values {
            let key = announcement::point_key(point.name, value);
            assert!(known.contains(&key), "{key}: an open point without words");
        }
    }
    let made = |key: &str| {
        // Put together from parts, or nouns and units.
        ["point-", "month-", "item-absent", "claim-right-", "claim-wrong-"]
            .iter()
            .any(|family| key.starts_with(family))
            || [
                "white",
                "black",
                "king",
                "queen",
                "rook",
                "bishop",
                "knight",
                "pawn",
                "hours",
                "minutes",
                "seconds",
                "seconds-and-parts",
                "guidelines",
                "decimal-point",
                "list-and",
                "date",
            ]
            .contains(&key)
    };
    let idle: Vec<_> = known.iter().filter(|key| !used.contains(*key) && !made(key)).collect();
    assert!(idle.is_empty(), "messages that nothing says: {idle:?}");
}

#[test]
fn numbers_take_the_plurals_of_each_language() {
    let minutes = |language, n| clocks::span(Lexicon::of(language), Millis::mins(n), "acc");
    for (language, said) in [
        (Language::English, ["1 minute", "2 minutes", "5 minutes", "21 minutes"]),
        (Language::Serbian, ["1 minut", "2 minuta", "5 minuta", "21 minut"]),
        (Language::Russian, ["1 минуту", "2 минуты", "5 минут", "21 минуту"]),
        (Language::Polish, ["1 minutę", "2 minuty", "5 minut", "21 minut"]),
    ] {
        assert_eq!([1, 2, 5, 21].map(|n| minutes(language, n)), said);
    }
    let half = clocks::span(Lexicon::of(Language::Polish), Millis(2_500), "");
    assert_eq!(half, "2,5 sekundy");
    assert_eq!(
        clocks::span(Lexicon::of(Language::Russian), Millis::mins(150), ""),
        "2 часа 30 минут"
    );
}

#[test]
fn days_are_written_as_each_language_does() {
    let day = |language| dates::day(Lexicon::of(language), "2026-08-01").expect("a day");
    assert_eq!(
        Language::ALL.map(day),
        [
            "1 August 2026",
            "1. avgust 2026.",
            "1 августа 2026 года",
            "1 sierpnia 2026 r."
        ]
    );
    assert_eq!(dates::day(Lexicon::of(Language::English), "2026-02-30"), None);
}

#[test]
fn words_from_outside_are_set_apart_and_steer_nothing() {
    assert_eq!(foreign("Нови\u{1b}[2J\nСад\u{202e}"), "\u{2068}Нови [2J Сад\u{2069}");
    assert_eq!(foreign(&"x".repeat(1_000)).chars().count(), 202);
    let view = RulingView {
        at: HallTime(0),
        author: String::new(),
        what: String::new(),
        reason: String::new(),
        articles: Vec::new(),
        item: None,
        ruled: Some(Box::new(RuledView::Deed(Deed::EnterMove {
            mv: "{ $x } <img onerror>".to_owned(),
        }))),
    };
    for language in Language::ALL {
        let said = ruled(language, &view);
        assert!(said.contains("\u{2068}{ $x } <img onerror>\u{2069}"), "{said}");
    }
}

// What is said

fn square(name: &str) -> Square {
    name.parse().expect(name)
}

fn piece(color: Color, role: Role) -> Piece {
    Piece { color, role }
}

fn offence(mv: &str, why: Option<Illegality>) -> Offence {
    let half = Half {
        left: Millis::secs(3_693),
        ..Half::default()
    };
    Offence {
        of: Color::White,
        ply: Some(26),
        keep: 26,
        mv: Some(mv.parse::<Move>().expect(mv)),
        why,
        unpromoted: None,
        two_hands: false,
        gain: Some(Gain {
            time: Millis::secs(30),
            before: half,
        }),
        completed: [13, 13],
        stands: false,
    }
}

fn account(kind: Kind, of: Option<Color>, matter: Matter, proposal: Ruling) -> Account {
    Account {
        kind,
        of,
        certain: true,
        doubt: None,
        observed: false,
        matter,
        proposal,
        limited: false,
        board: BoardKind::Pieces,
        default_time: Millis::mins(15),
        quickplay_time: Millis::mins(2),
        other_flag: None,
        offence: None,
        occurrences: Vec::new(),
        claimed: Vec::new(),
        counted_from: None,
        squares: Vec::new(),
        recorded: None,
        mate: None,
        outcome: Outcome::default(),
    }
}

fn said(language: Language, account: Account) -> String {
    let item = Item {
        number: 1,
        revision: 1,
        kind: account.kind.name().to_owned(),
        of: account.of,
        certain: account.certain,
        articles: Vec::new(),
        what: String::new(),
        proposal: String::new(),
        since: HallTime(0),
        taken: None,
        evidence: Vec::new(),
        effect: crate::game::audience::Effect::default(),
        until_answered: false,
        account: Some(Box::new(account)),
    };
    let explanation = explain(language, &item);
    format!("{}\n{}", explanation.title, explanation.lines().join("\n"))
}

/// An illegal move in check from the bishop on b4, the first one, bound to the knight.
fn left_in_check() -> Account {
    let why = Illegality::KingLeftInCheck {
        king: square("e1"),
        by: piece(Color::Black, Role::Bishop),
        attacker: square("b4"),
    };
    let offence = offence("g1f3", Some(why));
    let proposal = Ruling::Offence {
        offence: offence.clone(),
        penalty: Millis::mins(2),
        count: 1,
        bound: Some(Bound::Piece(square("g1"))),
        ends: None,
        by_material: false,
    };
    Account {
        offence: Some(OffenceFacts {
            mv: "14.Ng1-f3".to_owned(),
            piece: Some(Role::Knight),
            king: Some(square("e1")),
            ..OffenceFacts::default()
        }),
        outcome: Outcome {
            times: [
                TimeEffect {
                    before: Millis::secs(3_723),
                    after: Millis::secs(3_693),
                    runs: false,
                },
                TimeEffect {
                    before: Millis::secs(2_700),
                    after: Millis::secs(2_820),
                    runs: true,
                },
            ],
            pieces: vec![PieceBack {
                piece: piece(Color::White, Role::Knight),
                from: Some(square("f3")),
                to: Some(square("g1")),
            }],
            taken_back: vec!["14.Ng1-f3".to_owned()],
            choices: vec!["Ne2".to_owned()],
            touched: Some(piece(Color::White, Role::Knight)),
            turn: Some(Color::White),
        },
        ..account(
            Kind::IllegalMove,
            Some(Color::White),
            Matter::Offence(offence),
            proposal,
        )
    }
}

#[test]
fn an_illegal_move_is_explained_at_a_glance() {
    assert_eq!(
        said(Language::English, left_in_check()),
        "Illegal move (White)\n\
         White completed an illegal move, 14.Ng1-f3 (7.5.1).\n\
         The king on e1 stays in check from the bishop on b4 (3.9.2).\n\
         1. Stop both clocks (6.11.1).\n\
         2. Put the pieces back: White's knight f3 → g1 (7.5.1).\n\
         3. Black gets 2 minutes more (7.5.5).\n\
         4. White loses the 30 seconds that the press had added.\n\
         5. Clocks: White 1:02:03 → 1:01:33, Black +2:00.\n\
         6. White must move the touched knight on g1: Ne2 (4.3.1).\n\
         7. Start White's clock (6.11.3).\n\
         * Illegal moves by White, this one included: 1 (7.5.5)."
    );
    assert_eq!(
        said(Language::Serbian, left_in_check()),
        "Nemoguć potez (beli)\n\
         Beli je završio nemoguć potez 14.Ng1-f3 (7.5.1).\n\
         Kralj na e1 ostao je u šahu koji daje lovac sa b4 (3.9.2).\n\
         1. Zaustaviti oba sata (6.11.1).\n\
         2. Vratiti figure: skakač belog f3 → g1 (7.5.1).\n\
         3. Crni dobija još 2 minuta (7.5.5).\n\
         4. Beli gubi 30 sekundi, dodatak dobijen tim pritiskom.\n\
         5. Satovi: beli 1:02:03 → 1:01:33, crni +2:00.\n\
         6. Beli mora da igra dotaknutom figurom: skakač na g1 – Ne2 (4.3.1).\n\
         7. Pokrenuti sat belog (6.11.3).\n\
         * Broj nemogućih poteza (beli), računajući i ovaj: 1 (7.5.5)."
    );
    assert_eq!(
        said(Language::Russian, left_in_check()),
        "Невозможный ход (белые)\n\
         Белые завершили невозможный ход 14.Ng1-f3 (7.5.1).\n\
         Король e1 остался под шахом: его атакует слон b4 (3.9.2).\n\
         1. Остановить часы (6.11.1).\n\
         2. Вернуть фигуры: конь белых f3 → g1 (7.5.1).\n\
         3. Чёрным добавить 2 минуты (7.5.5).\n\
         4. У белых снять добавление за это переключение часов: 30 секунд.\n\
         5. Часы: белые 1:02:03 → 1:01:33, чёрные +2:00.\n\
         6. Белые обязаны пойти тронутой фигурой: конь g1 – Ne2 (4.3.1).\n\
         7. Пустить часы белых (6.11.3).\n\
         * Невозможные ходы белых, считая этот: 1 (7.5.5)."
    );
    assert_eq!(
        said(Language::Polish, left_in_check()),
        "Nieprawidłowe posunięcie (białe)\n\
         Białe zakończyły nieprawidłowe posunięcie 14.Ng1-f3 (7.5.1).\n\
         Król na e1 pozostał w szachu: szachuje go goniec z b4 (3.9.2).\n\
         1. Zatrzymać zegar (6.11.1).\n\
         2. Przywrócić pozycję: skoczek białych f3 → g1 (7.5.1).\n\
         3. Czarnym dodać 2 minuty (7.5.5).\n\
         4. Białym odjąć 30 sekund dodatku za to przełączenie zegara.\n\
         5. Zegar: białe 1:02:03 → 1:01:33, czarne +2:00.\n\
         6. Białe muszą wykonać posunięcie dotkniętą bierką: skoczek na g1 – Ne2 (4.3.1).\n\
         7. Uruchomić zegar białych (6.11.3).\n\
         * Nieprawidłowe posunięcia białych, łącznie z tym: 1 (7.5.5)."
    );
}

/// One of each; the matches of the room see to it that none is without words.
fn reasons() -> Vec<(Illegality, OffenceFacts)> {
    let bishop = piece(Color::Black, Role::Bishop);
    let (e1, f1, g1, b4) = (square("e1"), square("f1"), square("g1"), square("b4"));
    let rook = piece(Color::White, Role::Rook);
    let facts = |right| OffenceFacts {
        king: Some(e1),
        attacker: Some(bishop),
        blocker: Some(rook),
        right: Some(right),
        ..OffenceFacts::default()
    };
    let moved = || facts(RightLost::KingMoved("9.Ke2".to_owned()));
    let mut reasons: Vec<(Illegality, OffenceFacts)> = [
        Illegality::NoPiece { square: e1 },
        Illegality::NotHisPiece {
            piece: bishop,
            square: b4,
        },
        Illegality::NotHisTurn { by: Color::White },
        Illegality::OwnPieceThere {
            piece: rook,
            square: f1,
        },
        Illegality::CapturesKing { square: e1 },
        Illegality::DoesNotGoThere { piece: rook, to: g1 },
        Illegality::Blocked {
            piece: rook,
            by: bishop,
            square: f1,
        },
        Illegality::NothingToCapture { square: g1 },
        Illegality::NotPromoted { square: g1 },
        Illegality::NothingToPromote { square: g1 },
        Illegality::PromotedTo {
            role: Role::King,
            square: g1,
        },
        Illegality::KingIntoCheck {
            to: f1,
            by: bishop,
            attacker: b4,
        },
        Illegality::KingLeftInCheck {
            king: e1,
            by: bishop,
            attacker: b4,
        },
        Illegality::Pinned {
            piece: rook,
            square: f1,
            by: bishop,
            attacker: b4,
        },
        Illegality::NoCastlingRight { to: g1 },
        Illegality::CastlingBlocked { square: f1 },
        Illegality::CastlingOutOfCheck { attacker: b4 },
        Illegality::CastlingThroughCheck {
            square: f1,
            attacker: b4,
        },
        Illegality::RookNotMoved { rook: f1 },
        Illegality::CapturedPawnStays { square: b4 },
        Illegality::TookOff {
            piece: rook,
            square: f1,
        },
        Illegality::CastlingIntoCheck {
            square: g1,
            attacker: b4,
        },
    ]
    .into_iter()
    .map(|reason| (reason, moved()))
    .collect();
    for right in [
        RightLost::RookMoved("11.Rg1".to_owned()),
        RightLost::RookCaptured("13...Bxh1".to_owned()),
        RightLost::NotInRecord,
    ] {
        reasons.push((Illegality::NoCastlingRight { to: g1 }, facts(right)));
    }
    let twice = OffenceFacts {
        twice: true,
        ..OffenceFacts::default()
    };
    reasons.push((Illegality::NotHisTurn { by: Color::White }, twice));
    reasons.push((Illegality::CastlingBlocked { square: f1 }, OffenceFacts::default()));
    reasons
}

#[test]
fn every_reason_has_a_sentence_in_every_language() {
    for language in Language::ALL {
        let lexicon = Lexicon::of(language);
        let mut all = BTreeSet::new();
        for (reason, facts) in reasons() {
            let said = why::sentence(lexicon, &offence("e1g1", Some(reason)), &reason, &facts);
            assert!(said.len() > 15 && !said.contains('{') && !said.ends_with('.'), "{said}");
            all.insert(said);
        }
        assert!(all.len() >= reasons().len() - 1, "{language}: two reasons say the same");
    }
    let lost = |language, right| {
        let reason = Illegality::NoCastlingRight { to: square("g1") };
        let facts = OffenceFacts {
            right: Some(right),
            ..OffenceFacts::default()
        };
        why::sentence(Lexicon::of(language), &offence("e1g1", Some(reason)), &reason, &facts)
    };
    assert_eq!(
        lost(Language::English, RightLost::RookMoved("11.Rg1".to_owned())),
        "Castling to g1 was no longer possible: the rook had moved, 11.Rg1"
    );
    assert_eq!(
        lost(Language::Polish, RightLost::KingMoved("9.Ke2".to_owned())),
        "Roszada na g1 nie była już możliwa: król wykonał już ruch, 9.Ke2"
    );
}

fn matters() -> Vec<(Kind, Option<Color>, Matter)> {
    let white = Some(Color::White);
    let reading = Reading {
        white: Millis::mins(5),
        black: Millis::mins(4),
        running: None,
    };
    let claim = |verdict| Matter::DrawClaim {
        verdict,
        intends: Some("g1f3".parse().expect("a move")),
    };
    let flag = |frozen, missing| Matter::Flag {
        period: 0,
        frozen,
        missing,
        by_clock: frozen,
        unordered: None,
        seen_only: missing.is_some(),
    };
    let unordered = |after| Matter::Flag {
        period: 0,
        frozen: true,
        missing: None,
        by_clock: true,
        unordered: Some((Millis(after), Millis(1_200))),
        seen_only: false,
    };
    let absence = |white, black| Matter::Absence { white, black };
    let quickplay = |verdict| Matter::Quickplay { verdict };
    let clock_time = |what| Matter::ClockTime {
        device: "clock-12".to_owned(),
        what,
    };
    let drifts = |ppm: i64| ClockFault::Drifts {
        ppm,
        over: Millis::mins(60),
        off: Millis(ppm * 3_600 / 1_000),
    };
    let leapt = |by, bridged| ClockFault::Jumped {
        by: Millis(by),
        bridged,
    };
    let stands = Offence {
        stands: true,
        ..offence("g1f3", None)
    };
    let two_hands = Offence {
        two_hands: true,
        ..offence("g1f3", None)
    };
    let pressed = Offence {
        ply: None,
        mv: None,
        ..offence("g1f3", None)
    };
    vec![
        (Kind::IllegalMove, white, Matter::Offence(stands)),
        (Kind::IllegalMove, white, Matter::Offence(two_hands)),
        (Kind::ClaimIllegalMove, white, Matter::Offence(pressed)),
        (Kind::Flag, white, flag(true, None)),
        (Kind::Flag, white, flag(true, Some(1))),
        (Kind::Flag, white, flag(false, Some(3))),
        (Kind::Flag, white, unordered(-300)),
        (Kind::Flag, white, unordered(450)),
        (Kind::Default, white, absence(true, false)),
        (Kind::Default, None, absence(true, true)),
        (Kind::ClaimThreefold, white, claim(ClaimVerdict::Right { count: 3 })),
        (Kind::ClaimThreefold, white, claim(ClaimVerdict::TooFew { count: 1 })),
        (Kind::ClaimThreefold, white, claim(ClaimVerdict::NotOnMove)),
        (Kind::ClaimThreefold, white, claim(ClaimVerdict::Touched)),
        (Kind::ClaimThreefold, white, claim(ClaimVerdict::IntendedIllegal)),
        (Kind::ClaimThreefold, white, claim(ClaimVerdict::NoRecord)),
        (Kind::ClaimFiftyMoves, white, claim(ClaimVerdict::Right { count: 104 })),
        (Kind::ClaimFiftyMoves, white, claim(ClaimVerdict::TooFew { count: 42 })),
        (Kind::ClaimFiftyMoves, white, claim(ClaimVerdict::IntendedStartsAnew)),
        (Kind::ClaimQuickplay, white, quickplay(QuickplayVerdict::ForTheArbiter)),
        (Kind::ClaimQuickplay, white, quickplay(QuickplayVerdict::IncrementAsked)),
        (Kind::ClaimQuickplay, white, quickplay(QuickplayVerdict::CannotBeWon)),
        (Kind::ClaimQuickplay, white, quickplay(QuickplayVerdict::NotAnnounced)),
        (
            Kind::ClaimQuickplay,
            white,
            quickplay(QuickplayVerdict::NoQuickplayFinish),
        ),
        (Kind::ClaimQuickplay, white, quickplay(QuickplayVerdict::NotOnMove)),
        (Kind::ClaimQuickplay, white, quickplay(QuickplayVerdict::TimeLeft)),
        (Kind::ClaimQuickplay, white, quickplay(QuickplayVerdict::TooLate)),
        (Kind::ClaimFlag, white, Matter::OtherClaim),
        (Kind::ClaimIllegalMove, white, Matter::OtherClaim),
        (Kind::Call, white, Matter::Call { by: white }),
        (Kind::Call, None, Matter::Call { by: None }),
        (
            Kind::BoardDisagrees,
            white,
            Matter::Disagreement {
                squares: vec![square("e4"), square("d5")],
            },
        ),
        (
            Kind::Promotion,
            white,
            Matter::Promotion {
                ply: 40,
                role: Role::Queen,
            },
        ),
        (
            Kind::IllegalPosition,
            None,
            Matter::IllegalPosition {
                completed: 20,
                offence: Some(offence("g1f3", None)),
            },
        ),
        (Kind::ColoursReversed, None, Matter::WrongStart { moves: 2 }),
        (Kind::WrongSetup, None, Matter::WrongStart { moves: 5 }),
        (Kind::WrongClock, None, Matter::WrongClock),
        (Kind::WrongClock, None, Matter::SidesExchanged),
        (Kind::Device, white, Matter::Device),
        (Kind::Device, None, Matter::Device),
        (
            Kind::ResultSignal,
            None,
            Matter::ResultSignal {
                result: GameResult::Draw,
                shown: Sign::Kings,
            },
        ),
        (
            Kind::ResultSignal,
            None,
            Matter::ResultSignal {
                result: GameResult::WhiteWins,
                shown: Sign::Entered {
                    white: Some(GameResult::WhiteWins),
                    black: None,
                },
            },
        ),
        (
            Kind::ResultSignal,
            None,
            Matter::ResultSignal {
                result: GameResult::BlackWins,
                shown: Sign::Entered {
                    white: Some(GameResult::WhiteWins),
                    black: Some(GameResult::BlackWins),
                },
            },
        ),
        (
            Kind::LateNews,
            white,
            Matter::LateNews {
                ruled: 3,
                kind: Kind::Flag,
            },
        ),
        (
            Kind::AdjustedAtTable,
            None,
            Matter::Adjusted {
                count: reading,
                shown: reading,
                taken: false,
            },
        ),
        (
            Kind::AdjustedAtTable,
            None,
            Matter::Adjusted {
                count: reading,
                shown: Reading {
                    running: white,
                    ..reading
                },
                taken: true,
            },
        ),
        (Kind::OrderUnknown, white, Matter::Unordered { apart: Millis(1_200) }),
        (Kind::MovesMissing, white, Matter::MovesMissing),
        (Kind::ReportsLost, None, Matter::Lost { count: 2 }),
        (Kind::ClockTime, None, clock_time(drifts(350))),
        (Kind::ClockTime, None, clock_time(drifts(-12_040))),
        (Kind::ClockTime, None, clock_time(leapt(61_000, true))),
        (Kind::ClockTime, None, clock_time(leapt(-2_000, false))),
        (
            Kind::SilentDevice,
            None,
            Matter::Silent {
                device: "clock-12".to_owned(),
            },
        ),
        (Kind::ClockRenewed, None, renewed(reading, false)),
        (Kind::ClockRenewed, None, renewed(reading, true)),
    ]
}

fn renewed(given: Reading, by_hand: bool) -> Matter {
    Matter::Renewed {
        device: "clock-12".to_owned(),
        given,
        by_hand,
    }
}

fn increment() -> Ruling {
    Ruling::Increment {
        by: Color::White,
        increment: Millis::secs(5),
        time: Millis::mins(2),
    }
}

fn rulings() -> Vec<Ruling> {
    let offended = |ends, bound, count| Ruling::Offence {
        offence: offence("g1f3", None),
        penalty: Millis::mins(1),
        count,
        bound,
        ends,
        by_material: false,
    };
    let end = |termination, by_material| Ruling::End {
        result: GameResult::Draw,
        termination,
        by_material,
    };
    let queen = Offence {
        unpromoted: Some(square("g8")),
        ..offence("g7g8", Some(Illegality::NotPromoted { square: square("g8") }))
    };
    let mut rulings = vec![
        Ruling::Nothing,
        Ruling::Wait,
        offended(None, None, 1),
        offended(None, Some(Bound::Piece(square("g1"))), 1),
        offended(Some((GameResult::Draw, Termination::IllegalMovesNoMate)), None, 2),
        Ruling::Offence {
            offence: queen,
            penalty: Millis::mins(2),
            count: 1,
            bound: None,
            ends: None,
            by_material: false,
        },
        Ruling::WrongClaim {
            by: Color::White,
            penalty: Millis::mins(2),
            bound: Some(Bound::Move("g1f3".parse().expect("a move"))),
        },
        increment(),
        Ruling::NewGame,
        Ruling::StopClocks,
        Ruling::Promoted {
            ply: 40,
            role: Role::Knight,
        },
        Ruling::TakeReading(Reading {
            white: Millis::mins(5),
            black: Millis::mins(4),
            running: None,
        }),
        end(Termination::Flag, true),
    ];
    let endings = [
        Termination::Checkmate,
        Termination::Stalemate,
        Termination::DeadPosition,
        Termination::FlagNoMate,
        Termination::IllegalMoves,
        Termination::Threefold,
        Termination::Fivefold,
        Termination::FiftyMoves,
        Termination::SeventyFiveMoves,
        Termination::Agreement,
        Termination::Resignation,
        Termination::ResignationNoMate,
        Termination::Default,
        Termination::ImpossiblePosition,
        Termination::Device,
        Termination::Penalty,
        Termination::Arbiter,
    ];
    rulings.extend(endings.map(|termination| end(termination, false)));
    rulings
}

/// Every matter with every ruling, in every language: no message is missing, none lacks a variable (a debug assertion says so).
#[test]
fn every_item_with_every_ruling_is_said_in_every_language() {
    let squares = vec![
        SquareSeen {
            square: square("e4"),
            record: Some(piece(Color::White, Role::Pawn)),
            board: Shown::Empty,
        },
        SquareSeen {
            square: square("d5"),
            record: None,
            board: Shown::Taken,
        },
        SquareSeen {
            square: square("c6"),
            record: None,
            board: Shown::Piece(piece(Color::Black, Role::Queen)),
        },
    ];
    let proofs = [
        Proof::Over,
        Proof::Material,
        Proof::WalledIn {
            frozen: vec![square("e4"), square("e5")],
        },
        Proof::Forced { positions: 1 },
        Proof::Exhausted { positions: 22 },
        Proof::SecondOpinion,
    ];
    let mut mates: Vec<Option<MateFacts>> = proofs.map(|proof| Some(MateFacts::Impossible(proof))).into();
    mates.extend([
        None,
        Some(MateFacts::Possible(Vec::new())),
        Some(MateFacts::Possible(vec!["Qh5#".to_owned()])),
        Some(MateFacts::Searched(true, "a line".to_owned())),
        Some(MateFacts::Searched(false, "none".to_owned())),
        Some(MateFacts::Undecided(true)),
        Some(MateFacts::Undecided(false)),
    ]);
    let others = [
        None,
        Some(OtherFlag::First),
        Some(OtherFlag::Later),
        Some(OtherFlag::Unknown),
    ];
    let doubts = [
        None,
        Some(Doubt::Unheard),
        Some(Doubt::HeardUntil(Millis::secs(3))),
        Some(Doubt::NotShown),
    ];
    for language in Language::ALL {
        for (at, (kind, of, matter)) in matters().into_iter().enumerate() {
            for (other, proposal) in rulings().into_iter().enumerate() {
                let odd = (at + other) % 2 == 1;
                let account = Account {
                    certain: odd,
                    doubt: doubts[other % doubts.len()],
                    observed: other % 3 == 1,
                    limited: odd,
                    board: if other % 5 == 4 {
                        BoardKind::None
                    } else {
                        BoardKind::Pieces
                    },
                    default_time: if odd { Millis::ZERO } else { Millis::mins(30) },
                    occurrences: vec![None, Some("12...Kh8".to_owned()), Some("14...Kh8".to_owned())],
                    claimed: Vec::new(),
                    other_flag: others[other % others.len()],
                    counted_from: odd.then(|| "12...exd4".to_owned()),
                    squares: squares.clone(),
                    recorded: Some("21.b8=Q".to_owned()),
                    mate: mates[(at + other) % mates.len()].clone(),
                    outcome: left_in_check().outcome,
                    ..account(kind, of, matter.clone(), proposal)
                };
                let text = said(language, account);
                let twice = text.replace("...", "").contains("..");
                assert!(!text.contains('{') && !twice, "{language}: {text}");
            }
        }
    }
}

#[test]
fn what_was_ruled_is_said_in_every_language() {
    let white = Color::White;
    let adjust = Deed::Adjust {
        white: Some(TimeChange::To(Millis::mins(5))),
        black: Some(TimeChange::By(Millis::secs(-30))),
        moves_done: Some(40),
    };
    let penalise = |what| Deed::Penalise { of: white, what };
    let observe = |what| Deed::Observe { what, of: Some(white) };
    let lodge = |fee: &str| {
        Deed::Appeal(AppealStep::Lodge {
            by: white,
            at: None,
            fee: fee.to_owned(),
            deadline: None,
            statement: "The flag had not fallen".to_owned(),
        })
    };
    let close = |outcome| Deed::Appeal(AppealStep::Close { appeal: 1, outcome });
    let deeds = [
        Deed::Start,
        Deed::Pause,
        Deed::Resume,
        adjust.clone(),
        Deed::Confirm {
            item: None,
            promotion: None,
        },
        Deed::Dismiss { item: Some(3) },
        Deed::Dismiss { item: None },
        observe(Observation::Flag),
        observe(Observation::IllegalMove),
        observe(Observation::TwoHands),
        observe(Observation::IllegalPosition),
        observe(Observation::ColoursReversed),
        observe(Observation::WrongSetup),
        observe(Observation::WrongClock),
        Deed::Observe {
            what: Observation::Device,
            of: None,
        },
        Deed::Restore {
            to: Restoration::Keep(40),
        },
        Deed::Restore {
            to: Restoration::Fen("8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned()),
        },
        penalise(Penalty::Warning),
        penalise(Penalty::AddTime(Millis::mins(2))),
        penalise(Penalty::TakeTime(Millis::mins(1))),
        penalise(Penalty::Loss),
        Deed::Decide {
            result: "1-0".to_owned(),
        },
        Deed::Reopen,
        Deed::EnterMove { mv: "Nf3".to_owned() },
        Deed::Promoted {
            ply: 41,
            role: Role::Rook,
        },
        Deed::Take { item: 2 },
        Deed::MarkPresent {
            who: white,
            present: true,
        },
        Deed::MarkPresent {
            who: white,
            present: false,
        },
        Deed::Note,
        Deed::SetPeriods {
            white: Some(1),
            black: Some(0),
        },
        Deed::Mend {
            ply: 9,
            mv: "Nf3".to_owned(),
        },
        Deed::ClaimedMoves {
            item: 1,
            moves: vec![12, 16, 20],
        },
        Deed::MaskSquares { squares: Vec::new() },
        Deed::MaskSquares {
            squares: vec!["e4".parse().expect("a square")],
        },
        Deed::UseBoard { used: false },
        Deed::UseBoard { used: true },
        lodge(""),
        lodge("100 EUR"),
        Deed::Appeal(AppealStep::State {
            appeal: 1,
            by: "the opponent".to_owned(),
            statement: "It was not so".to_owned(),
        }),
        close(AppealOutcome::Upheld),
        close(AppealOutcome::Dismissed),
        close(AppealOutcome::Withdrawn),
    ];
    let view = |ruled| RulingView {
        at: HallTime(0),
        author: "Anna".to_owned(),
        what: "Said in English".to_owned(),
        reason: String::new(),
        articles: Vec::new(),
        item: None,
        ruled,
    };
    for language in Language::ALL {
        let all = deeds
            .iter()
            .map(|deed| RuledView::Deed(deed.clone()))
            .chain(rulings().into_iter().map(RuledView::Ruling));
        for ruling in all {
            let said = ruled(language, &view(Some(Box::new(ruling))));
            assert!(said.len() > 5 && !said.contains('{'), "{language}: {said}");
        }
        assert_eq!(ruled(language, &view(None)), "Said in English");
    }
    let said = |language| ruled(language, &view(Some(Box::new(RuledView::Deed(adjust.clone())))));
    assert_eq!(
        Language::ALL.map(said),
        [
            "Clocks adjusted: White set to 0:05:00, Black \u{2212}0:30, 40 moves completed",
            "Vreme na satovima promenjeno: beli postavljen na 0:05:00, crni \u{2212}0:30, završeno 40 poteza",
            "Время на часах изменено: белые: установлено 0:05:00, чёрные \u{2212}0:30, завершено 40 ходов",
            "Zmieniono czas na zegarze: białe: ustawiono 0:05:00, czarne \u{2212}0:30, zakończonych 40 posunięć",
        ]
    );
}

#[test]
fn times_change_by_short_figures() {
    for (ms, said) in [
        (120_000, "+2:00"),
        (-30_000, "\u{2212}0:30"),
        (2_500, "+0:02.5"),
        (3_900_000, "+1:05:00"),
        (600_000, "+10:00"),
    ] {
        assert_eq!(item::signed(Millis(ms)), said);
    }
}

// The announcement

fn announced(control: &str, regulations: Regulations) -> Announcement {
    Announcement {
        name: "Open of Novi Sad".to_owned(),
        site: "Novi Sad".to_owned(),
        date: "2026-08-01".to_owned(),
        regulations,
        control: control.parse().expect(control),
        others: vec![(vec![5, 6, 7, 9], "15m".parse().expect("a control"))],
        boards: Boards::At(vec![1, 2, 3, 5]),
    }
}

#[test]
fn a_control_of_several_periods_is_said_in_words() {
    let said = |language| announced("40/90m+30s,30m+30s", Regulations::default()).text(language);
    for (language, words) in [
        (
            Language::English,
            "90 minutes for the first 40 moves, then 30 minutes for the rest of the game, with 30 seconds added for each move",
        ),
        (
            Language::Serbian,
            "90 minuta za prvih 40 poteza, zatim 30 minuta do kraja partije, uz dodatak od 30 sekundi po potezu",
        ),
        (
            Language::Russian,
            "90 минут на первые 40 ходов, затем 30 минут до конца партии, с добавлением 30 секунд на каждый ход",
        ),
        (
            Language::Polish,
            "90 minut na pierwszych 40 posunięć, następnie 30 minut do końca partii, z dodatkiem 30 sekund na każde posunięcie",
        ),
    ] {
        let text = said(language).replace('\n', " ");
        assert!(text.contains(words), "{text}");
    }
}

/// All that regulations can be, so that every message is said once.
#[test]
fn every_setting_has_its_words() {
    let each = |name: &str, value: &str| {
        let mut points = OpenPoints::default();
        points.set(name, value).expect(name);
        points
    };
    for language in Language::ALL {
        for control in [
            "90m+30s",
            "15m+10s",
            "3m+2s",
            "5mb3s",
            "15md10s",
            "60m",
            "40/100m,20/50m,15m+30s",
        ] {
            for supervision in [Supervision::Limited, Supervision::Adequate] {
                for other in [false, true] {
                    let regulations = Regulations {
                        category: other.then_some(Category::Rapid),
                        supervision,
                        enforcement: if other {
                            Enforcement::AUTOMATIC
                        } else {
                            Enforcement::CONFIRM
                        },
                        rated: !other,
                        open_points: OpenPoints::default(),
                        default_time_ms: if other { Millis::mins(30) } else { Millis::ZERO },
                        min_moves_for_draw: if other { 30 } else { 0 },
                        period_added: if other {
                            PeriodAdded::OnMoves
                        } else {
                            PeriodAdded::OnZero
                        },
                        first_increment: other,
                        endings_shown_at_once: other,
                    };
                    let mut announcement = announced(control, regulations);
                    announcement.boards = if other { Boards::All } else { Boards::None };
                    let text = announcement.text(language);
                    assert!(!text.contains('{'), "{text}");
                    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
                    for point in OpenPoints::ALL {
                        for (value, _) in point.values {
                            announcement.regulations.open_points = each(point.name, value);
                            assert!(!announcement.text(language).is_empty());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn house_rules_are_announced_as_such() {
    let regulations = |enforcement, rated| Regulations {
        enforcement,
        rated,
        ..Regulations::default()
    };
    let quiet = announced("90m+30s", regulations(Enforcement::CONFIRM, true)).text(Language::English);
    assert!(quiet.contains("the system decides nothing"), "{quiet}");
    let loud = announced("90m+30s", regulations(Enforcement::AUTOMATIC, false)).text(Language::English);
    for rule in [
        "HOUSE RULES",
        "Completed illegal moves",
        "A flag that has fallen",
        "marked absent",
    ] {
        assert!(loud.contains(rule), "{rule}: {loud}");
    }
}

#[test]
fn the_announcement_is_a_page() {
    for language in Language::ALL {
        let text = announced("40/90m+30s,30m+30s", Regulations::default()).text(language);
        let lines = text.lines().count();
        assert!((40..=72).contains(&lines), "{lines} lines:\n{text}");
    }
}

// To be read by people

/// Announcements as they are read out. A change of them is looked at before it is taken: `INSTA_UPDATE=always`, then `git diff`.
#[test]
fn announcements_read_so() {
    let standard = Regulations {
        default_time_ms: Millis::mins(30),
        min_moves_for_draw: 30,
        ..Regulations::default()
    };
    let blitz = Regulations {
        enforcement: Enforcement::AUTOMATIC,
        rated: false,
        endings_shown_at_once: true,
        ..Regulations::default()
    };
    for language in Language::ALL {
        let code = language.code();
        let mut announcement = announced("40/90m+30s,30m+30s", standard.clone());
        announcement.others.clear();
        insta::assert_snapshot!(format!("standard-{code}"), announcement.text(language));
        let announcement = announced("3m+2s", blitz.clone());
        insta::assert_snapshot!(format!("blitz-{code}"), announcement.text(language));
    }
}

/// One item of each matter, explained.
#[test]
fn items_read_so() {
    for language in Language::ALL {
        let mut all = String::new();
        for (kind, of, matter) in matters() {
            let proposal = proposed(&matter, kind);
            let account = Account {
                occurrences: vec![Some("10...Kh8".to_owned()), Some("12...Kh8".to_owned())],
                claimed: Vec::new(),
                counted_from: Some("12...exd4".to_owned()),
                squares: vec![SquareSeen {
                    square: square("e4"),
                    record: Some(piece(Color::White, Role::Pawn)),
                    board: Shown::Empty,
                }],
                recorded: Some("21.b8=Q".to_owned()),
                mate: matches!(matter, Matter::Flag { .. }).then_some(MateFacts::Impossible(Proof::Material)),
                limited: true,
                outcome: Outcome {
                    pieces: left_in_check().outcome.pieces,
                    turn: Some(Color::White),
                    ..Outcome::default()
                },
                offence: Some(OffenceFacts {
                    mv: "14.Ng1-f3".to_owned(),
                    ..OffenceFacts::default()
                }),
                ..account(kind, of, matter, proposal)
            };
            all.push_str(&format!("{}\n\n", said(language, account)));
        }
        insta::assert_snapshot!(format!("items-{}", language.code()), all);
    }
}

/// As the game would propose it.
fn proposed(matter: &Matter, kind: Kind) -> Ruling {
    let end = |result, termination| Ruling::End {
        result,
        termination,
        by_material: false,
    };
    match matter {
        Matter::Offence(offence) if !offence.stands => Ruling::Offence {
            offence: offence.clone(),
            penalty: Millis::mins(1),
            count: 1,
            bound: None,
            ends: None,
            by_material: false,
        },
        Matter::Flag { unordered: None, .. } => end(GameResult::Draw, Termination::FlagNoMate),
        Matter::Absence { .. } => end(GameResult::BlackWins, Termination::Default),
        Matter::DrawClaim {
            verdict: ClaimVerdict::Right { .. },
            ..
        } => end(GameResult::Draw, Termination::Threefold),
        Matter::DrawClaim {
            verdict: ClaimVerdict::NoRecord,
            ..
        } => Ruling::Nothing,
        Matter::DrawClaim { .. } => Ruling::WrongClaim {
            by: Color::White,
            penalty: Millis::mins(2),
            bound: None,
        },
        Matter::Promotion { ply, role } => Ruling::Promoted { ply: *ply, role: *role },
        Matter::IllegalPosition { .. } => Ruling::Wait,
        Matter::WrongStart { moves: 0..=4 } if kind == Kind::ColoursReversed => Ruling::NewGame,
        Matter::Quickplay {
            verdict: QuickplayVerdict::CannotBeWon,
        } => end(GameResult::Draw, Termination::Arbiter),
        Matter::Quickplay {
            verdict: QuickplayVerdict::IncrementAsked,
        } => increment(),
        Matter::WrongClock | Matter::SidesExchanged => Ruling::StopClocks,
        Matter::ResultSignal {
            shown: Sign::Entered {
                white: Some(white),
                black: Some(black),
            },
            ..
        } if white != black => Ruling::Nothing,
        Matter::ResultSignal { result, .. } => match result.winner() {
            Some(_) => end(*result, Termination::Resignation),
            None => end(*result, Termination::Agreement),
        },
        Matter::Adjusted {
            shown, taken: false, ..
        } => Ruling::TakeReading(*shown),
        _ => Ruling::Nothing,
    }
}

/// Every reason why a move is illegal.
#[test]
fn reasons_read_so() {
    for language in Language::ALL {
        let lexicon = Lexicon::of(language);
        let mut all = String::new();
        for (reason, facts) in reasons() {
            let said = why::sentence(lexicon, &offence("e1g1", Some(reason)), &reason, &facts);
            all.push_str(&format!("{said} ({}).\n", reason.article()));
        }
        insta::assert_snapshot!(format!("reasons-{}", language.code()), all);
    }
}

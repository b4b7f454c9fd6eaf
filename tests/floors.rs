//! The house as `docs/architecture.md` draws it: who may use whom, and what the pure floors keep away from.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Floors that read no clock, touch no disk and no network, and are the same every time.
const PURE: [&str; 4] = ["time", "chess", "laws", "game"];

/// What they must not name. Words, or paths, as they stand in the source.
const IMPURE: [&str; 26] = [
    "std::fs",
    "std::net",
    "std::io",
    "std::thread",
    "std::time",
    "std::env",
    "std::process",
    "SystemTime",
    "Instant",
    "tokio",
    "futures",
    "tracing",
    "metrics",
    "rand",
    "getrandom",
    "thread_rng",
    // Whose order is another one at every start; with a hasher of one's own they may be.
    "HashMap::new",
    "HashSet::new",
    "RandomState",
    "async",
    "await",
    "println",
    "eprintln",
    "prost",
    "tonic",
    "pbjson",
];

/// The rooms where types generated from `proto/` are known. Journal records are `store`'s own; `sim` is a client of the
/// contract, like the command line, and so are the devices of the storm.
const GENERATED: [&str; 6] = ["api", "device", "store", "sim", "storm", "cli"];

struct Source {
    room: String,
    path: PathBuf,
    /// Without comments, strings and tests.
    text: String,
}

fn sources() -> Vec<Source> {
    fn below(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("src can be read") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                below(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    below(&root, &mut paths);
    paths.sort();
    paths
        .into_iter()
        .filter(|path| {
            // Tests are `tests.rs`, or whole folders of them.
            let inside = path.strip_prefix(&root).expect("below src").with_extension("");
            inside.components().all(|part| part.as_os_str() != "tests")
        })
        .map(|path| {
            let inside = path.strip_prefix(&root).expect("below src");
            let first = inside
                .components()
                .next()
                .expect("a name")
                .as_os_str()
                .to_string_lossy();
            Source {
                room: first.trim_end_matches(".rs").to_owned(),
                text: code_of(&fs::read_to_string(&path).expect("a source can be read")),
                path,
            }
        })
        .collect()
}

/// Blanks comments, strings and modules of tests, keeping lines.
fn code_of(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    let blank = |code: &mut String, part: &str| code.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
    while at < bytes.len() {
        let rest = &text[at..];
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = raw_string(rest, at.checked_sub(1).map(|before| bytes[before])) {
            length
        } else if rest.starts_with('"') {
            string(rest)
        } else if let Some(length) = character(rest) {
            length
        } else {
            let next = rest.chars().next().expect("not at the end").len_utf8();
            code.push_str(&rest[..next]);
            at += next;
            continue;
        };
        blank(&mut code, &rest[..skipped]);
        at += skipped;
    }
    without_tests(&code)
}

fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (index, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return index + 1,
            _ => {}
        }
    }
    rest.len()
}

fn raw_string(rest: &str, before: Option<u8>) -> Option<usize> {
    let inside_word = before.is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_');
    let body = rest.strip_prefix('r').or_else(|| rest.strip_prefix("br"))?;
    let hashes = body.len() - body.trim_start_matches('#').len();
    if inside_word || !body[hashes..].starts_with('"') {
        return None;
    }
    let begin = rest.len() - body.len() + hashes + 1;
    let close = format!("\"{}", "#".repeat(hashes));
    Some(
        rest[begin..]
            .find(&close)
            .map_or(rest.len(), |end| begin + end + close.len()),
    )
}

/// `'"'` and `'\''`, which would otherwise begin a string; a lifetime is left as it is.
fn character(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix('\'')?;
    let mut chars = body.char_indices();
    let (_, first) = chars.next()?;
    if first == '\\' {
        return body[2..].find('\'').map(|end| end + 4);
    }
    let (end, close) = chars.next()?;
    (close == '\'').then_some(end + 2)
}

fn without_tests(code: &str) -> String {
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find("#[cfg(test)]") {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        let open = rest.find('{').unwrap_or(rest.len());
        let end = match rest.find(';') {
            Some(semicolon) if semicolon < open => semicolon + 1,
            _ => matching_brace(rest, open),
        };
        kept.extend(rest[..end].chars().filter(|c| *c == '\n'));
        rest = &rest[end..];
    }
    kept.push_str(rest);
    kept
}

fn matching_brace(text: &str, open: usize) -> usize {
    let mut depth = 0;
    for (index, c) in text[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return open + index + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The rooms that a source names, with the lines: `crate::room`, `crate::{room, …}` and the same through `super`.
fn rooms_named(source: &Source) -> Vec<(usize, String)> {
    let mut named = Vec::new();
    for (at, _) in source.text.match_indices("crate::") {
        if source.text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let line = source.text[..at].matches('\n').count() + 1;
        let rest = &source.text[at + "crate::".len()..];
        let names = match rest.strip_prefix('{') {
            Some(_) => firsts_of_group(&rest[..matching_brace(rest, 0)]),
            None => vec![first_word(rest)],
        };
        named.extend(names.into_iter().map(|name| (line, name)));
    }
    // From `src/room/a.rs`, `super::super::` is the crate: say `crate::` there, so that it is seen.
    for (at, _) in source.text.match_indices("super::super::super::") {
        named.push((
            source.text[..at].matches('\n').count() + 1,
            "super::super::super".to_owned(),
        ));
    }
    named
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn firsts_of_group(group: &str) -> Vec<String> {
    let (mut names, mut depth) = (Vec::new(), 0);
    let mut fresh = true;
    for (index, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => fresh = true,
            c if fresh && depth == 1 && (c.is_alphanumeric() || c == '_') => {
                names.push(first_word(&group[index..]));
                fresh = false;
            }
            _ => {}
        }
    }
    names
}

/// The floors as the architecture page draws them: room to height, and the rooms beside the tower.
fn drawn() -> (BTreeMap<String, usize>, Vec<String>) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let page = fs::read_to_string(page).expect("docs/architecture.md can be read");
    let block = page
        .split("```floors\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let lines: Vec<&str> = block
        .expect("docs/architecture.md has a block ```floors")
        .lines()
        .collect();
    let (mut floors, mut beside) = (BTreeMap::new(), Vec::new());
    for (depth, line) in lines.iter().enumerate() {
        let rooms = line.split('│').next().unwrap_or_default();
        match rooms.strip_prefix("beside:") {
            Some(rooms) => beside.extend(rooms.split_whitespace().map(str::to_owned)),
            None => floors.extend(
                rooms
                    .split_whitespace()
                    .map(|room| (room.to_owned(), lines.len() - depth)),
            ),
        }
    }
    (floors, beside)
}

#[test]
fn a_room_uses_only_rooms_on_floors_below() {
    let (floors, beside) = drawn();
    let mut wrong = Vec::new();
    let mut seen = Vec::new();
    for source in sources() {
        if source.room == "lib" || beside.contains(&source.room) {
            continue;
        }
        let Some(own) = floors.get(&source.room) else {
            wrong.push(format!(
                "{}: docs/architecture.md does not draw this room",
                source.path.display()
            ));
            continue;
        };
        for (line, named) in rooms_named(&source) {
            let fine = named == source.room
                || floors.get(&named).is_some_and(|floor| floor < own)
                || (beside.contains(&named) && *own > floors["hall"]);
            // What stands in lib.rs itself (a macro, a constant) belongs to nobody.
            seen.push((source.room.clone(), named.clone()));
            let is_room = floors.contains_key(&named) || beside.contains(&named) || named.starts_with("super");
            if is_room && !fine {
                wrong.push(format!(
                    "{}:{line}: `{}` uses `{named}`",
                    source.path.display(),
                    source.room
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        seen.contains(&("web".to_owned(), "hall".to_owned())),
        "the scan is blind: {seen:?}"
    );
}

#[test]
fn the_rooms_beside_the_tower_use_nothing_above_time() {
    let (floors, beside) = drawn();
    for source in sources().iter().filter(|source| beside.contains(&source.room)) {
        for (line, named) in rooms_named(source) {
            let fine = !floors.contains_key(&named) || named == "time";
            assert!(
                fine,
                "{}:{line}: `{}` uses `{named}`",
                source.path.display(),
                source.room
            );
        }
    }
}

#[test]
fn the_pure_floors_name_no_clock_disk_network_chance_or_generated_type() {
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| PURE.contains(&source.room.as_str())) {
        for (number, line) in source.text.lines().enumerate() {
            for word in IMPURE {
                let found = line.match_indices(word).any(|(at, _)| {
                    let edge = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                    edge(line[..at].chars().next_back()) && edge(line[at + word.len()..].chars().next())
                });
                // `use std::{fs, …}` names no path at once.
                let grouped = word.strip_prefix("std::").is_some_and(|name| {
                    line.split("std::{")
                        .nth(1)
                        .is_some_and(|group| firsts_of_group(&format!("{{{group}")).contains(&name.to_owned()))
                });
                if found || grouped {
                    wrong.push(format!("{}:{}: {word}", source.path.display(), number + 1));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "the pure floors (rule 8 of the design) name\n{}",
        wrong.join("\n")
    );
}

#[test]
fn generated_types_stop_where_the_contract_ends() {
    let mut wrong = Vec::new();
    for source in sources() {
        let name = source.path.display();
        for (number, line) in source.text.lines().enumerate() {
            let generated = line.contains("include_proto!") || line.contains("::proto::") || line.contains("prost::");
            if generated && !GENERATED.contains(&source.room.as_str()) {
                wrong.push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
            // The journal's record is seen by no other room.
            if source.room != "store" && (line.contains("store::record") || line.contains("journal.v1")) {
                wrong.push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "types generated from proto/ are known beyond their rooms:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn the_scan_sees_through_comments_strings_and_tests() {
    let text = "use crate::{hall::{A, B}, game}; // crate::api\nlet x = \"crate::web\"; let c = '\"'; crate::sim::y();\n\
                let r = r#\"crate::cli\"#;\n#[cfg(test)]\nmod tests { use crate::hub; }\nuse crate::time;\n";
    let source = Source {
        room: String::new(),
        path: PathBuf::new(),
        text: code_of(text),
    };
    let named: Vec<_> = rooms_named(&source)
        .into_iter()
        .map(|(line, name)| format!("{line} {name}"))
        .collect();
    assert_eq!(named, ["1 hall", "1 game", "2 sim", "6 time"]);
}

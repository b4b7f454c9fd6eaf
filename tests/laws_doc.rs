//! `docs/laws.md` says what the code does: every article has its row, every room and case is there and speaks of it, every point left
//! open is printed as it is; and nothing is found or ruled without an article of the table.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use flagfall::game::{Event, Note};
use flagfall::laws::{OpenPoints, article};
use flagfall::rehearsal::{Case, play_watched};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(root().join("docs/laws.md")).expect("the page is there")
}

/// The cells of each row of the table of articles.
fn rows(page: &str) -> Vec<Vec<String>> {
    page.lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| Article"))
        .map(|line| {
            line.trim_matches('|')
                .split(" | ")
                .map(|cell| cell.trim().to_owned())
                .collect()
        })
        .collect()
}

/// What stands in backquotes.
fn names(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_article_has_its_row_and_every_row_its_article() {
    let page = page();
    assert!(page.contains(article::EDITION));
    let rows = rows(&page);
    let printed: Vec<(&str, &str)> = rows.iter().map(|row| (row[0].as_str(), row[1].as_str())).collect();
    let known: Vec<(&str, &str)> = article::ALL
        .iter()
        .map(|article| (article.number, article.subject))
        .collect();
    assert_eq!(printed, known);
}

#[test]
fn every_room_and_every_case_of_a_row_is_there_and_speaks_of_the_article() {
    for row in rows(&page()) {
        let [number, .., room, held] = row.as_slice() else {
            panic!("{row:?}");
        };
        assert_eq!(row.len(), 7, "{number}");
        let [room] = names(room)[..] else {
            panic!("{number} names its room");
        };
        let source = fs::read_to_string(root().join("src").join(room));
        let source = source.unwrap_or_else(|_| panic!("{number}: there is no src/{room}"));
        let held = names(held);
        assert!(!held.is_empty(), "{number} is held by nothing");
        for name in held {
            let case = root().join("tests/cases").join(format!("{name}.toml"));
            match fs::read_to_string(&case) {
                Ok(case) => {
                    let law = Case::parse(&case).expect(name).law;
                    assert!(
                        law.contains(number),
                        "{name} does not say that it is about {number}, but {law:?}"
                    );
                }
                Err(_) => {
                    let test = source.contains(&format!("fn {name}()")) && source.contains(number.as_str());
                    assert!(
                        test,
                        "{number}: {name} is neither a case nor a test of {room} that names it"
                    );
                }
            }
        }
    }
}

#[test]
fn what_the_laws_leave_open_is_printed_as_it_is() {
    let page = page();
    for point in OpenPoints::ALL {
        let mut text = format!(
            "### `{}`\n\n{} ({})\n\n",
            point.name,
            point.question,
            point.articles.join(", ")
        );
        for (value, meaning) in point.values {
            text += &format!("* `{value}`: {meaning}\n");
        }
        text += &format!("\nWhy the default: {}\n", point.reason);
        assert!(page.contains(&text), "docs/laws.md should say:\n{text}");
    }
    assert_eq!(page.matches("\n### `").count(), OpenPoints::ALL.len());
}

#[test]
fn nothing_is_found_or_ruled_without_an_article_and_every_case_is_about_some() {
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("tests/cases"))
        .expect("the cases are there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    let mut used = BTreeSet::new();
    for file in files {
        let case = Case::parse(&fs::read_to_string(&file).expect("a case")).expect("a case");
        // What a case is about may be a whole article where the table has its parts.
        let known = |number: &String| {
            article::ALL
                .iter()
                .any(|article| article.number == number || article.number.starts_with(&format!("{number}.")))
        };
        let strange: Vec<&String> = case.law.iter().filter(|number| !known(number)).collect();
        assert!(
            !case.law.is_empty() && strange.is_empty(),
            "{}: {strange:?}",
            file.display()
        );
        let _ = play_watched(&case, |_, _, events| {
            for event in events {
                let (Event::Taken { steps, .. } | Event::Reconsidered { steps, .. }) = event;
                for note in steps.iter().flat_map(|step| &step.notes) {
                    let articles = match note {
                        Note::Opened { articles, .. } | Note::Ruled { articles, .. } | Note::Acted { articles, .. } => {
                            articles.clone()
                        }
                        Note::Ended { article, .. } => vec![article.clone()],
                        _ => continue,
                    };
                    assert!(!articles.is_empty(), "{}: {note:?} names no article", file.display());
                    for number in articles {
                        let found = article::find(&number);
                        assert!(found.is_some(), "{}: {note:?} rests on {number:?}", file.display());
                        used.insert(number);
                    }
                }
            }
        });
    }
    assert!(used.len() > 30, "only {used:?}");
}

/// Whether a word is an article as the Laws number them: `7.5.5`, `A.5.2`.
fn is_number(word: &str) -> bool {
    let mut parts = word.split('.');
    let first = parts.next().unwrap_or_default();
    let chapter = matches!(first, "A" | "B") || first.parse::<u32>().is_ok_and(|n| (1..=12).contains(&n));
    let rest: Vec<&str> = parts.collect();
    let below = |part: &&str| (1..=2).contains(&part.len()) && !part.starts_with('0') && part.parse::<u32>().is_ok();
    chapter && (1..=3).contains(&rest.len()) && rest.iter().all(below)
}

/// The articles that a line of comment, or of an explanation, cites; what stands in backquotes is code.
fn cited(line: &str) -> Vec<String> {
    let prose: String = line.split('`').step_by(2).collect();
    prose
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '.'))
        .map(|word| word.trim_matches('.').to_owned())
        .filter(|word| is_number(word))
        .collect()
}

fn sources(folder: PathBuf, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(path, extension, found);
        } else if path.extension().is_some_and(|other| other == extension) {
            found.push(path);
        }
    }
}

/// Whatever the rooms that know the Laws, and what is said in four languages, cite is in the table: an article itself, or a whole of
/// which the table has parts. What is said of an item names articles of the table only.
#[test]
fn every_article_that_is_cited_is_in_the_table() {
    let whole = |number: &str| {
        let parts = format!("{number}.");
        article::ALL.iter().any(|article| article.number.starts_with(&parts))
    };
    let mut files = Vec::new();
    for room in ["chess", "laws", "game", "words", "rehearsal"] {
        sources(root().join("src").join(room), "rs", &mut files);
    }
    sources(root().join("lang"), "ftl", &mut files);
    let mut strange = Vec::new();
    let mut seen = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a source");
        let explained = file.extension().is_some_and(|extension| extension == "ftl");
        for (line, text) in text.lines().enumerate() {
            let place = || format!("{}:{}", file.display(), line + 1);
            if explained || text.trim_start().starts_with("//") {
                for number in cited(text) {
                    if article::find(&number).is_none() && !whole(&number) {
                        strange.push(format!("{} cites {number}", place()));
                    }
                }
                continue;
            }
            for quoted in text.split('"').skip(1).step_by(2) {
                let guideline = quoted
                    .strip_prefix("Guidelines ")
                    .is_some_and(|number| !number.contains(' '));
                if is_number(quoted) || guideline {
                    seen.insert(quoted.to_owned());
                    if article::find(quoted).is_none() {
                        strange.push(format!("{} rests on {quoted}", place()));
                    }
                }
            }
        }
    }
    assert!(strange.is_empty(), "not in laws::article::ALL:\n{}", strange.join("\n"));
    assert!(seen.len() > 80, "only {seen:?}");
}

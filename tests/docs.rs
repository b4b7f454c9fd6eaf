//! What the documents tell people to type is understood.

use std::fs;
use std::path::Path;

use clap::Parser as _;
use clap::error::ErrorKind;
use flagfall::cli::Cli;

/// The words of a shell line: blanks part them, quotes hold them together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (c, quote) {
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The commands of a page: lines of code blocks, and code in a sentence, that begin with `flagfall`.
fn commands(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in page.lines() {
        // Beside a command in a block stands what it does, two blanks away or behind a #.
        if let Some(rest) = line.trim_start().strip_prefix("flagfall ")
            && (line.starts_with("    ") || line.starts_with("flagfall "))
        {
            let command = rest.split("  ").next().unwrap_or_default();
            let command = command.split(" #").next().unwrap_or_default();
            let command = command.split([';', '|', '>']).next().unwrap_or_default();
            found.push(format!("flagfall {}", command.trim()));
            continue;
        }
        for code in line
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|code| code.starts_with("flagfall "))
        {
            let command = code.split([';', '|', '>']).next().unwrap_or_default();
            found.push(command.trim().to_owned());
        }
    }
    // An unfinished one speaks of a whole family.
    found.retain(|command| !command.contains('…') && !command.contains("..."));
    found
}

#[test]
fn every_command_in_the_documents_is_understood() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![
        root.join("README.md"),
        root.join("CHANGELOG.md"),
        root.join("deploy/hall.toml"),
    ];
    pages.extend(
        fs::read_dir(root.join("docs"))
            .expect("docs can be read")
            .map(|entry| entry.expect("an entry").path()),
    );
    pages.retain(|page| page.extension().is_some_and(|end| end == "md" || end == "toml"));
    let (mut wrong, mut count) = (Vec::new(), 0);
    for page in pages {
        for command in commands(&fs::read_to_string(&page).expect("a page can be read")) {
            count += 1;
            let parsed = Cli::try_parse_from(words(&command));
            let Err(error) = parsed else { continue };
            // A family named without what it does (`flagfall arbiter`) is a name, not a command to type; and `--game ID` says
            // what has to stand there.
            let family = words(&command).len() <= 3;
            let capitals = |word: &String| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
            let blank = error.kind() == ErrorKind::ValueValidation && words(&command).iter().any(capitals);
            if !family && !blank {
                wrong.push(format!("{}: {command}\n{error}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 20, "the scan is blind: {count} commands");
}

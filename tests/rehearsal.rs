//! The cases of `tests/cases`, played through the engine that runs the hall.

use std::path::PathBuf;

use flagfall::game::{Event, Game};
use flagfall::rehearsal::{Case, play, play_watched};

fn cases() -> Vec<(PathBuf, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the cases are there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|file| (file.clone(), std::fs::read_to_string(file).expect("a case")))
        .collect()
}

#[test]
fn every_handed_case_holds() {
    let cases = cases();
    assert!(cases.len() >= 171, "only {} cases", cases.len());
    let mut failed = Vec::new();
    for (file, text) in &cases {
        let outcome = Case::parse(text).map_err(|faulty| faulty.to_string());
        if let Err(why) = outcome.and_then(|case| play(&case).map_err(|failure| failure.to_string())) {
            failed.push(format!("{}  {why}", file.display()));
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {} fail:\n{}",
        failed.len(),
        cases.len(),
        failed.join("\n")
    );
}

#[test]
fn the_events_of_every_case_replay_to_the_same_game_and_survive_serialisation() {
    for (file, text) in cases() {
        let case = Case::parse(&text).expect("a case");
        let mut replayed = Game::new(case.setup.clone());
        let outcome = play_watched(&case, |input, game, events| {
            for event in events {
                let json = serde_json::to_string(event).expect("an event is written");
                let read: Event = serde_json::from_str(&json).expect("and read");
                assert_eq!(&read, event, "{}", file.display());
                replayed
                    .fold(&read)
                    .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            }
            assert!(&replayed == game, "{}: after {input:?}", file.display());
        });
        if outcome.is_ok() {
            let json = serde_json::to_string(&replayed).expect("a game is written");
            let read: Game = serde_json::from_str(&json).expect("and read");
            assert!(read == replayed, "{}", file.display());
        }
    }
}

/// A file that is none, one with an unknown key, one that expects what is not so: each is named with its line and the reason, and the
/// command fails, the cases that hold beside them notwithstanding.
#[test]
fn the_command_fails_with_file_line_and_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = "title = \"t\"\nlaw = [\"6.6\"]\n[event]\ncategory = \"standard\"\ntime_control = \"90m+30s\"\n";
    let start = "[[step]]\nat = \"0\"\nby = \"arbiter\"\ndo = \"start\"\n";
    for (name, text) in [
        ("a-holds", format!("{head}{start}expect = {{ running = \"white\" }}\n")),
        ("b-broken", format!("{head}[[step\n")),
        ("c-unknown-key", format!("{head}{start}colour = \"white\"\n")),
        (
            "d-unknown-kind",
            format!("{head}{start}expect = {{ open = [\"flags\"] }}\n"),
        ),
        (
            "e-wrong",
            format!("{head}{start}\n[[step]]\nat = \"10s\"\nexpect = {{ white = \"1:30:00\" }}\n"),
        ),
    ] {
        std::fs::write(folder.path().join(format!("{name}.toml")), text).expect("written");
    }
    let run = |path: &std::path::Path| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_flagfall"))
            .arg("rehearse")
            .arg(path)
            .output()
            .expect("it runs");
        let text = String::from_utf8(output.stdout).expect("text");
        (output.status.success(), text)
    };
    let (held, text) = run(folder.path());
    assert!(!held, "{text}");
    let line = |name: &str| {
        text.lines()
            .find(|line| line.contains(name))
            .unwrap_or_default()
            .to_owned()
    };
    assert!(text.lines().any(|line| line == "ok      t"), "{text}");
    assert!(
        line("b-broken").starts_with("FAILED  ") && line("b-broken").contains("line 6"),
        "{text}"
    );
    assert!(
        line("c-unknown-key").contains("line 10  unknown field `colour`"),
        "{text}"
    );
    assert!(line("d-unknown-kind").contains("line 10  unknown \"flags\""), "{text}");
    let wrong = line("e-wrong");
    assert!(
        wrong.contains("step 2  white: want 1:30:00, have 1:30:20") && wrong.contains("(line 11)"),
        "{text}"
    );
    assert!(text.ends_with("5 cases, 1 hold, 4 failed\n"), "{text}");
    assert!(run(&folder.path().join("a-holds.toml")).0);
    for name in ["b-broken", "c-unknown-key", "d-unknown-kind", "e-wrong"] {
        assert!(!run(&folder.path().join(format!("{name}.toml"))).0, "{name}");
    }
}

#[test]
fn what_is_no_case_fails_with_its_line_and_the_reason() {
    let faulty = |text: &str| Case::parse(text).expect_err("it is no case").to_string();
    let event = "title = \"t\"\nlaw = []\n[event]\ncategory = \"standard\"\ntime_control = \"90m+30s\"\n";
    let step = |keys: &str| format!("{event}[[step]]\nat = \"1s\"\n{keys}\n");
    assert!(faulty("title = ").starts_with("line 1"));
    assert!(faulty(&format!("{event}colour = 1\n")).starts_with("line 6  unknown field `colour`"));
    let points = |line: &str| faulty(&format!("{event}[event.open_points]\n{line}\n"));
    assert!(points("voidclaim = \"refused\"").starts_with("line 7  there is no open point \"voidclaim\""));
    assert!(points("void_claim = \"free\"").contains("line 7  void_claim is not \"free\""));
    assert!(faulty(&format!("{event}enforcement = \"always\"\n")).starts_with("line 6  unknown \"always\""));
    assert!(faulty(&format!("{event}enforcement = {{ claim = \"confirm\" }}\n")).contains("no kind of finding"));
    assert!(faulty(&step("by = \"white\"\ndo = \"hop\"")).contains("line 9  unknown action \"hop\""));
    assert!(
        faulty(&step("by = \"white\"\ndo = \"press\"\nsquare = \"e4\""))
            .contains("line 10  `press` has no key `square`")
    );
    assert!(faulty(&step("expect = { open = [\"flags\"] }")).contains("line 8  unknown \"flags\""));
    assert!(faulty(&step("expect = { clock = \"1\" }")).contains("unknown field `clock`"));
    assert!(faulty(&step("by = \"arbiter\"\ndo = \"result\"\nresult = \"2-0\"")).contains("is no result"));
    assert_eq!(faulty(event), "line 1  a case has at least one step");
    assert!(
        faulty(&format!("{event}fen = \"8/8/8/8/8/8/8/K7 w - - 0 1\"\n"))
            .contains("line 6  a game begins with one king")
    );
    assert!(faulty(&format!("{event}category = \"rapid\"\n")).starts_with("line 6  duplicate key"));
    assert!(faulty(&format!("{event}illegal_done = {{ white = -1 }}\n")).starts_with("line 6  invalid value"));
    assert!(faulty(&step("at = \"2s\"")).starts_with("line 8  duplicate key"));
    assert!(faulty(&step("expect = { white = \"10 seconds\" }")).starts_with("line 8  \"10 seconds\" is no span"));
    assert!(faulty(&step("expect = { illegal = { red = 1 } }")).starts_with("line 8  unknown field `red`"));
    assert!(faulty(&step("expect = { running = \"both\" }")).contains("there are white, black, none"));
    assert!(faulty(&step("expect = { fen = \"8/8/8/8/8/8/8/8\" }")).contains("the first four fields"));
    assert!(faulty(&step("expect = { must_play = \"Nf3\" }")).contains("a piece's square"));
    assert!(faulty(&step("by = \"white\"\ndo = \"put\"\nsquare = \"e4\"")).contains("needs the key `piece`"));
    assert!(faulty(&step("by = \"arbiter\"\ndo = \"adjust\"")).contains("needs one of the keys"));
    let claims = "by = \"white\"\ndo = \"claim\"\nwhat = \"flag\"\nintends = \"g1f3\"";
    assert!(faulty(&step(claims)).starts_with("line 11  only a draw claim"));
}

use super::*;
use crate::broadcast::pgn::Score;
use crate::broadcast::published::{PublishedBoard, PublishedEvent, PublishedRound, Stage};
use crate::hall::ids::TableNo;
use crate::hall::model::{Player, RoundStatus};
use crate::time::HallTime;

fn published(results: &[&str]) -> Arc<Published> {
    let board = |(at, result): (usize, &&str)| {
        let number = at as u32 + 1;
        Arc::new(PublishedBoard {
            table: TableNo(number),
            board: number,
            game: None,
            stage: Stage::of(true, result),
            score: Score {
                event: "Open".to_owned(),
                board: number,
                white: Player {
                    name: format!("White, {number}"),
                    ..Player::default()
                },
                result: (*result).to_owned(),
                ..Score::default()
            },
            clocks: None,
            fen: String::new(),
            paused: false,
        })
    };
    Arc::new(Published {
        position: 1,
        rounds: vec![Arc::new(PublishedRound {
            event: PublishedEvent {
                id: "open".parse().expect("an id"),
                name: "Open".to_owned(),
                site: String::new(),
                date: String::new(),
            },
            number: RoundNo(3),
            status: RoundStatus::Started,
            control: None,
            boards: results.iter().enumerate().map(board).collect(),
        })],
        ..Published::default()
    })
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("there")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn changed(path: &Path) -> std::time::SystemTime {
    std::fs::metadata(path).expect("there").modified().expect("a time")
}

#[test]
fn only_what_has_changed_is_written_also_over_a_new_start() {
    let root = tempfile::tempdir().expect("a folder");
    let mut writer = Writer::new(root.path().to_owned(), 1.0);
    writer.write(&published(&["*", "*"])).expect("written");
    let round = root.path().join("open/round-3");
    assert_eq!(
        names(&round),
        [
            "game-1.json",
            "game-1.pgn",
            "game-2.json",
            "game-2.pgn",
            "games.pgn",
            "index.json"
        ]
    );
    let before = changed(&round.join("game-1.pgn"));
    std::thread::sleep(Duration::from_millis(20));
    let mut after_a_start = Writer::new(root.path().to_owned(), 1.0);
    for writer in [&mut writer, &mut after_a_start] {
        writer.write(&published(&["*", "1-0"])).expect("written");
        assert_eq!(changed(&round.join("game-1.pgn")), before);
        let second = std::fs::read_to_string(round.join("game-2.pgn")).expect("there");
        assert!(second.contains("[Result \"1-0\"]"), "{second}");
    }
    // What is damaged by hand or by a power cut is whole again after a start.
    std::fs::write(round.join("game-1.pgn"), "").expect("written");
    Writer::new(root.path().to_owned(), 1.0)
        .write(&published(&["*", "1-0"]))
        .expect("written");
    assert!(
        std::fs::read_to_string(round.join("game-1.pgn"))
            .expect("there")
            .contains("[Event")
    );
}

#[test]
fn a_closed_round_is_written_once_and_nothing_of_it_is_kept_until_it_is_corrected() {
    let root = tempfile::tempdir().expect("a folder");
    let mut writer = Writer::new(root.path().to_owned(), 1.0);
    let ended = |results: &[&str]| {
        let mut published = Published::clone(&published(results));
        let round = PublishedRound::clone(&published.rounds[0]);
        published.rounds = vec![Arc::new(PublishedRound {
            status: RoundStatus::Ended,
            ..round
        })];
        published
    };
    writer.write(&published(&["1-0", "*"])).expect("written");
    assert!(writer.written.held() > 0);
    let closed = ended(&["1-0", "0-1"]);
    writer.write(&closed).expect("written");
    assert_eq!(writer.written.held(), 0);
    let second = root.path().join("open/round-3/game-2.pgn");
    let text = || std::fs::read_to_string(&second).expect("there");
    assert!(text().contains("[Result \"0-1\"]"), "{}", text());
    let before = changed(&second);
    writer.write(&closed).expect("nothing to write");
    assert_eq!((changed(&second), writer.written.held()), (before, 0));
    writer.write(&ended(&["1-0", "1/2-1/2"])).expect("written");
    assert!(text().contains("[Result \"1/2-1/2\"]"), "{}", text());
    assert_eq!(writer.written.held(), 0);
}

#[test]
fn a_hub_that_has_nothing_to_tell_takes_nothing_away_and_a_round_with_fewer_games_has_fewer_files() {
    let root = tempfile::tempdir().expect("a folder");
    Writer::new(root.path().to_owned(), 1.0)
        .write(&published(&["*", "*", "*"]))
        .expect("written");
    let round = root.path().join("open/round-3");
    let mut writer = Writer::new(root.path().to_owned(), 1.0);
    writer.write(&Published::empty()).expect("written");
    assert!(round.join("game-3.pgn").exists());
    writer.write(&published(&["*"])).expect("written");
    assert_eq!(names(&round), ["game-1.json", "game-1.pgn", "games.pgn", "index.json"]);
}

#[tokio::test]
async fn a_folder_that_fails_is_a_notice_until_it_does_not() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path().join("usb");
    let (calls, _nobody) = tokio::sync::mpsc::channel(1);
    let info = crate::hall::HallInfo {
        name: "hall".to_owned(),
        epoch: 1,
        speed: 1.0,
        now: HallTime(0),
        insecure: false,
    };
    let hall = HallHandle::new(calls, info, Box::new(|| HallTime(0)), Box::new(|| 0));
    let (publish, receiver) = watch::channel(published(&["*"]));
    let stop = CancellationToken::new();
    let task = tokio::spawn(write(folder.clone(), 1.0, receiver, hall.clone(), stop.clone()));
    let until = async |what: &dyn Fn() -> bool| {
        for _ in 0..1000 {
            if what() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("it did not come to that");
    };
    let is_told = || hall.notices().borrow().as_ref().is_some_and(|told| !told.is_empty());
    until(&is_told).await;
    std::fs::create_dir(&folder).expect("plugged in");
    until(&|| folder.join("open/tournament.json").exists() && !is_told()).await;
    publish.send_replace(published(&["1-0"]));
    stop.cancel();
    task.await.expect("ends");
    let last = std::fs::read_to_string(folder.join("open/round-3/games.pgn")).expect("there");
    assert!(
        last.contains("[Result \"1-0\"]"),
        "the last state is written at the stop: {last}"
    );
}

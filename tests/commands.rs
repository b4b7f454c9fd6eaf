//! Every subcommand of `flagfall arbiter`, done by the built program at a running hub: what the manual says works, and says that it has.

mod common;

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::Duration;

use flagfall::hall::PersonRole;
use flagfall::hub::RunningHub;
use tempfile::TempDir;

/// A hall with its chief arbiter at a terminal.
struct Desk {
    hub: RunningHub,
    data: TempDir,
    token: String,
    /// The subcommands that have been shown to work.
    shown: BTreeSet<String>,
}

impl Desk {
    fn command(&self, token: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
        command
            .args(args)
            .env("FLAGFALL_HUB", format!("http://{}", self.hub.http_addr))
            .env("FLAGFALL_TOKEN", token)
            .env("XDG_CONFIG_HOME", self.data.path());
        command
    }

    /// What it prints, and whether that is a success.
    fn asked(&self, token: &str, args: &[&str]) -> (bool, String) {
        let told = tokio::task::block_in_place(|| self.command(token, args).output().expect("it runs"));
        let text = [told.stdout, told.stderr].concat();
        (told.status.success(), String::from_utf8(text).expect("text"))
    }

    /// `flagfall ARGS`, which has to work.
    fn flagfall(&self, args: &[&str]) -> String {
        let (is_done, told) = self.asked(&self.token, args);
        assert!(is_done, "{args:?}: {told}");
        told
    }

    /// `flagfall arbiter WORDS`, which has to work and to say this.
    fn arbiter(&mut self, words: &str, says: &str) -> String {
        let args: Vec<&str> = words.split(' ').collect();
        let told = self.flagfall(&[&["arbiter"], &args[..]].concat());
        assert!(told.contains(says), "{words}: {told}");
        self.shown.insert(args[0].to_owned());
        told
    }

    /// The number of the table's first open item.
    fn item(&mut self, table: u32) -> String {
        for _ in 0..100 {
            let told = self.flagfall(&["arbiter", "--json", "show", &table.to_string()]);
            let game: serde_json::Value = serde_json::from_str(&told).expect("JSON");
            if let Some(number) = game.pointer("/table/game/items/0/number") {
                return number.as_str().map_or_else(|| number.to_string(), str::to_owned);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!(
            "table {table} has no item: {}",
            self.flagfall(&["arbiter", "show", &table.to_string()])
        );
    }

    /// The first lines of a subcommand that goes on until it is stopped.
    fn watched(&mut self, args: &[&str], says: &str) {
        use std::io::{BufRead as _, BufReader};
        let mut command = self.command(&self.token, args);
        let mut watching = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        let lines = BufReader::new(watching.stdout.take().expect("piped")).lines();
        let found = tokio::task::block_in_place(|| lines.map_while(Result::ok).any(|line| line.contains(says)));
        watching.kill().expect("killed");
        watching.wait().expect("gone");
        assert!(found, "{args:?} ends without {says}");
        self.shown.insert(args[1].to_owned());
    }
}

const ROUND: &str = "table,board,white,black,board_kind,fen\n\
    1,1,White 1,Black 1,none,\n2,2,White 2,Black 2,none,\n3,3,White 3,Black 3,none,\n4,4,White 4,Black 4,none,\n\
    5,5,White 5,Black 5,occupancy,7k/P7/8/8/8/8/7p/K7 w - - 0 1\n6,6,White 6,Black 6,pieces,\n7,7,White 7,Black 7,none,\n";

#[tokio::test(flavor = "multi_thread")]
async fn every_subcommand_of_arbiter_does_what_it_says() {
    let data = TempDir::new().expect("a folder");
    let hub = common::start(common::config(data.path())).await;
    let token = hub.grant("Chief", PersonRole::ChiefArbiter).await.expect("a token");
    let shown = BTreeSet::new();
    let mut desk = Desk {
        hub,
        data,
        token,
        shown,
    };
    let file = desk.data.path().join("round.csv");
    std::fs::write(&file, ROUND).expect("written");
    desk.flagfall(&["event", "put", "open", "Open", "--default-time", "0"]);
    let file = file.to_str().expect("text");
    desk.flagfall(&["round", "put", "open", "1", file, "--time-control", "40/90m,30m"]);
    desk.flagfall(&["round", "arm", "open", "1"]);
    desk.arbiter("presence 4 black absent", "marked absent");
    desk.flagfall(&["round", "start", "open", "1"]);

    desk.arbiter("list --event open", "White 3");
    for san in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
        desk.arbiter(&format!("move 1 {san}"), &format!("move {san} entered"));
    }
    desk.arbiter("show 1", "White 1");

    // A claim, with what the claimant says of it.
    desk.arbiter("fact 1 claims-threefold --by white", "entered");
    desk.arbiter("items", "threefold");
    let claim = desk.item(1);
    desk.arbiter(&format!("take 1 {claim}"), "you are on");
    desk.arbiter(&format!("claimed 1 {claim} 2 3 4"), "Table 1: entered");
    let told = desk.flagfall(&["arbiter", "items"]);
    assert!(told.contains("does not have the position after 3"), "{told}");
    desk.arbiter("confirm 1 --reason right", "confirmed");
    desk.arbiter("reopen 1 --reason mistaken", "reopened, clocks standing");
    desk.arbiter("result 1 1/2-1/2 --reason claim", "result 1/2-1/2");

    desk.arbiter("pause 2", "paused");
    desk.arbiter("resume 2 --more +2:00", "resumed");
    desk.arbiter("pause 2 3", "paused");
    desk.arbiter("resume 2 3", "resumed");
    desk.arbiter("adjust 2 --white +2:00 --black -0:30", "adjusted");
    desk.arbiter("move 2 e4", "move e4 entered");
    desk.arbiter("move 2 e5", "move e5 entered");
    desk.arbiter("mend 2 2 c5", "mended");
    desk.arbiter("restore 2 --keep 1", "position restored");
    desk.arbiter("periods 2 --white 2", "periods set");
    desk.arbiter("penalise 2 white warning", "penalty given");
    desk.arbiter("note 2 Black-asked-twice", "noted");
    desk.arbiter("observe 3 flag --of white", "observed");
    desk.item(3);
    desk.arbiter("dismiss 3 --reason by-the-scoresheets", "dismissed");
    desk.item(4);
    desk.arbiter("confirm 4", "confirmed");
    desk.arbiter("move 5 a8=Q", "move a8=Q entered");
    desk.arbiter("promotion 5 1 rook", "promotion noted");
    let told = desk.flagfall(&["arbiter", "show", "5"]);
    assert!(told.contains("a8=R"), "{told}");
    desk.arbiter("mask 6 e4 e5", "masked");
    desk.arbiter("mask 6", "all squares count");
    desk.arbiter("board 6 unused", "its board is unused");
    desk.arbiter("board 6 used", "its board is used");
    desk.arbiter("appeal 3 white He-was-late --fee 100", "appeal lodged");
    desk.arbiter("appeal-say 3 1 Ben I-saw-it", "written down");
    desk.arbiter("appeal-close 3 1 dismissed", "appeal 1 dismissed");
    desk.arbiter("notices", "");
    desk.watched(&["arbiter", "watch", "2"], "White 2");

    // A sector is handed over: whoever gets it acts there, until it is handed back.
    assert!(
        desk.flagfall(&["device", "sector", "B", "6-7"])
            .contains("2 tables are of sector B")
    );
    let added = desk.flagfall(&["person", "--json", "add", "Ben", "--role", "arbiter", "--sector", "A"]);
    let added: serde_json::Value = serde_json::from_str(&added).expect("JSON");
    let ben = added["token"].as_str().expect("a token").to_owned();
    let pause = ["arbiter", "pause", "7"];
    let (is_done, told) = desk.asked(&ben, &pause);
    assert!(!is_done && told.contains("sector"), "{told}");
    desk.arbiter("hand-over B Ben", "Sector B: Ben");
    let (is_done, told) = desk.asked(&ben, &pause);
    assert!(is_done, "{told}");
    desk.arbiter("hand-over B", "Sector B: back to its own arbiter");
    let (is_done, told) = desk.asked(&ben, &["arbiter", "resume", "7"]);
    assert!(!is_done, "{told}");
    desk.arbiter("resume 7", "resumed");

    // Nothing that the program offers was left out.
    let help = desk.flagfall(&["arbiter", "--help"]);
    let commands = help.split_once("Commands:\n").expect("its commands").1;
    let commands = commands.split_once("\n\n").expect("an end").0;
    let offered: BTreeSet<String> = commands
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .filter(|name| name != "help")
        .collect();
    assert!(offered.len() > 25, "{offered:?}");
    assert_eq!(desk.shown, offered);
    desk.hub.stop().await;
}

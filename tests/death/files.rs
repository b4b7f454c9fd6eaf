//! Files cut, emptied, deleted and garbled, and a start after each.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use flagfall::store::{Entry, JournalReader, verify};

use super::Common;
use super::chance::Chance;
use super::stage::{SOON, Stage, copy_folder, flagfall, said};
use super::witness::Witness;

/// A hall in which games are played, killed in the middle of them; and what it had acknowledged.
async fn killed_hall(common: &Common, name: &str) -> anyhow::Result<(Stage, Witness)> {
    let mut stage = Stage::new(common, name, 60.0)?;
    let _broker = stage.broker()?;
    let (mut hub, _) = stage.hub()?;
    let _sim = stage.sim(
        "sim",
        &["--tables", "4", "--until-plies", "30", "--pgn", "tests/games/blitz.pgn"],
    )?;
    let witness = Witness::start(&stage)?;
    tokio::time::sleep(Duration::from_secs(12)).await;
    hub.kill()?;
    ensure!(
        witness.counts().0 > 20,
        "too little was played: see {}",
        stage.work.display()
    );
    Ok((stage, witness))
}

fn entries(data: &Path) -> anyhow::Result<Vec<Entry>> {
    Ok(JournalReader::of_data(data).entries(1)?.collect::<Result<_, _>>()?)
}

fn segments(data: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(data.join("journal"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "journal") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The command that a refusal names, which begins so, with this position in it.
fn command(said: &str, begins: &str) -> anyhow::Result<String> {
    let at = said
        .find(&format!("`flagfall journal {begins}"))
        .with_context(|| format!("no `flagfall journal {begins}` is named: {said}"))?;
    let line = said[at + 1..].split('`').next().unwrap_or_default();
    Ok(line.to_owned())
}

/// Gives a command as a person would who copies it from the log.
fn give(line: &str) -> anyhow::Result<String> {
    let program = flagfall();
    let script = line.replacen("flagfall", &program.display().to_string(), 1);
    let output = Command::new("sh").arg("-c").arg(&script).output()?;
    ensure!(output.status.success(), "`{line}` does not work: {}", said(&output));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Starts the hub on what was damaged. All of `before` must be there, or all but what only the last commit held and nobody was
/// told of; or the hub refuses, and goes on after the command that it names.
fn start(stage: &mut Stage, before: &[Entry], torn_from: u64, follow: bool) -> anyhow::Result<bool> {
    match stage.hub_or_refusal()? {
        Ok((mut hub, _)) => {
            hub.signal("TERM")?;
            hub.wait(SOON)?;
            let now = entries(&stage.data)?;
            let whole = now.len() >= before.len() && now[..before.len()] == *before;
            if !whole {
                let kept = torn_from as usize - 1;
                ensure!(
                    now.len() >= kept && now[..kept] == before[..kept],
                    "it started, and an entry before the last commit is not as it was"
                );
                // What was cut off must be said, in the journal too.
                let note = now
                    .get(kept)
                    .map(|entry| String::from_utf8_lossy(&entry.content.payload).into_owned());
                ensure!(
                    note.as_ref().is_some_and(|note| note.contains("torn")),
                    "it started silently shortened: {note:?} stands at {torn_from}"
                );
            }
            Ok(true)
        }
        Err(refusal) => {
            let line = command(&refusal, "accept-loss --from ")?;
            let from: u64 = line
                .split_whitespace()
                .skip_while(|word| *word != "--from")
                .nth(1)
                .and_then(|position| position.parse().ok())
                .context("the refusal names no position")?;
            ensure!(
                from >= 1 && from <= before.len() as u64 + 1,
                "it names {from}: {refusal}"
            );
            if follow {
                give(&line)?;
                let (mut hub, _) = stage.hub().context("after the command that it named")?;
                hub.signal("TERM")?;
                hub.wait(SOON)?;
                let now = entries(&stage.data)?;
                let kept = from as usize - 1;
                ensure!(
                    now[..kept] == before[..kept],
                    "what was whole before {from} is not there any more"
                );
                ensure!(
                    now.get(kept)
                        .is_some_and(|note| String::from_utf8_lossy(&note.content.payload).contains("loss accepted")),
                    "no note of the loss stands in the journal at {from}"
                );
                stage.verify()?;
            }
            Ok(false)
        }
    }
}

pub async fn tail(common: &Common, bytes: usize) -> anyhow::Result<String> {
    let (mut stage, mut witness) = killed_hall(common, "tail").await?;
    let must = witness.acknowledged();
    let original = stage.data.clone();
    // What the hub's death left, and what it would find in the morning.
    witness.check(&must)?;
    let before = entries(&original)?;
    let file = segments(&original)?.pop().context("a segment")?;
    let content = fs::read(&file)?;
    let used = content.iter().rposition(|byte| *byte != 0).map_or(0, |at| at + 1);
    // The last group begins where the frame of another group ends.
    let group_of = |at: usize| u64::from_le_bytes(content[at + 8..at + 16].try_into().expect("eight"));
    let mut frames = vec![];
    let mut at = 0;
    while content.get(at..at + 4) == Some(b"FFjl") {
        frames.push(at);
        let length = u32::from_le_bytes(content[at + 4..at + 8].try_into().expect("four")) as usize;
        at += 24 + length.next_multiple_of(8);
    }
    let last_group = group_of(*frames.last().context("frames")?);
    let torn_at = *frames
        .iter()
        .find(|at| group_of(**at) == last_group)
        .context("a frame")?;
    let in_last = frames.iter().filter(|at| group_of(**at) == last_group).count() as u64 - 1;
    let torn_from = before.len() as u64 - in_last + 1;
    let mut tried = [0_u32; 4];
    let copy = stage.work.join("copy");
    stage.use_data(copy.clone());
    let name = file.file_name().context("a name")?;
    let from = used.saturating_sub(bytes);
    for at in (from..=used).rev() {
        // Shorter than it was made: never taken for whole.
        for shorter in [true, false] {
            copy_folder(&original, &copy)?;
            let path = copy.join("journal").join(name);
            if shorter {
                fs::File::options().write(true).open(&path)?.set_len(at as u64)?;
            } else {
                let mut damaged = content.clone();
                damaged[at..used].fill(0);
                fs::write(&path, damaged)?;
            }
            let allowed_from = if !shorter && at >= torn_at {
                torn_from
            } else {
                before.len() as u64 + 1
            };
            let follow = at % 16 == 0;
            let started = start(&mut stage, &before, allowed_from, follow)
                .with_context(|| format!("{} at byte {at} of {used}", if shorter { "cut" } else { "zeros" }))?;
            ensure!(!(shorter && started), "cut at byte {at} it started");
            tried[usize::from(shorter) * 2 + usize::from(started)] += 1;
        }
    }
    stage.done();
    Ok(format!(
        "the last file cut at each of its last {bytes} bytes: {} refusals, 0 starts\n\
         the same overwritten with zeros: {} refusals, {} starts (only the last commit torn, and said so, or nothing missing)\n\
         every 16th refusal was followed to the end of the command that it named",
        tried[2], tried[0], tried[1]
    ))
}

pub async fn state(common: &Common, times: u32) -> anyhow::Result<String> {
    let (mut stage, mut witness) = killed_hall(common, "state").await?;
    let must = witness.acknowledged();
    let (mut hub, _) = stage.hub()?;
    witness.check(&must)?;
    hub.signal("TERM")?;
    hub.wait(SOON)?;
    let original = stage.data.clone();
    let before = entries(&original)?;
    let mut chance = Chance::new(common.seed);
    let copy = stage.work.join("copy");
    stage.use_data(copy.clone());
    let shown = |stage: &Stage| -> anyhow::Result<String> {
        // As far as it does not change with the time of day.
        let output = Command::new(flagfall())
            .args(["arbiter", "list", "--json", "--hub", &stage.hub_url()])
            .env("FLAGFALL_TOKEN", &stage.token)
            .output()?;
        ensure!(output.status.success(), "{}", said(&output));
        let listed: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        let mut lines = Vec::new();
        for table in listed["tables"].as_array().context("tables")? {
            let hall = &table["hall"];
            lines.push(format!("{} {} {}", hall["table"], hall["moves"], hall["position"]));
        }
        Ok(lines.join("\n"))
    };
    copy_folder(&original, &copy)?;
    let (mut hub, _) = stage.hub()?;
    let wanted = shown(&stage)?;
    hub.kill()?;
    let mut done = std::collections::BTreeMap::<String, u32>::new();
    for number in 0..times {
        copy_folder(&original, &copy)?;
        let mut files = Vec::new();
        under(&copy.join("state"), &mut files)?;
        files.sort();
        let path = files[chance.between(0, files.len() as u64) as usize].clone();
        let mut bytes = fs::read(&path)?;
        let what = match chance.between(0, 6) {
            0 => {
                fs::remove_file(&path)?;
                "deleted"
            }
            1 => {
                fs::write(&path, b"")?;
                "emptied"
            }
            2 => {
                bytes.truncate(chance.between(0, bytes.len() as u64) as usize);
                fs::write(&path, bytes)?;
                "cut"
            }
            3 => {
                fs::remove_dir_all(copy.join("state"))?;
                "all deleted"
            }
            _ => {
                let times = chance.between(1, 200);
                for _ in 0..times {
                    if !bytes.is_empty() {
                        let at = chance.between(0, bytes.len() as u64) as usize;
                        bytes[at] ^= chance.between(1, 256) as u8;
                    }
                }
                fs::write(&path, bytes)?;
                "garbled"
            }
        };
        let story = format!("{number}: {} {what}", path.display());
        let (mut hub, _) = stage.hub().context(story.clone())?;
        let now = shown(&stage)?;
        ensure!(
            now == wanted,
            "{story}: the tables are not as they were:\n{now}\n{wanted}"
        );
        hub.kill()?;
        let journal = entries(&copy)?;
        ensure!(
            journal[..before.len()] == before[..],
            "{story}: the journal is not as it was"
        );
        *done.entry(what.to_owned()).or_default() += 1;
    }
    stage.done();
    let done: Vec<String> = done.iter().map(|(what, times)| format!("{what} {times}")).collect();
    Ok(format!(
        "sled's files damaged {times} times ({}): each time the same tables after the start",
        done.join(", ")
    ))
}

fn under(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            under(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

pub async fn backup(common: &Common) -> anyhow::Result<String> {
    let mut stage = Stage::new(common, "backup", 60.0)?;
    let _broker = stage.broker()?;
    let (mut hub, _) = stage.hub()?;
    let mut sim = stage.sim(
        "sim",
        &["--tables", "6", "--until-plies", "24", "--pgn", "tests/games/blitz.pgn"],
    )?;
    let copy = stage.work.join("backup copy");
    let name = copy.display().to_string();
    let mut copies = 0;
    while sim.ended()?.is_none() {
        tokio::time::sleep(Duration::from_millis(700)).await;
        if copies % 4 == 3 {
            hub.kill()?;
            hub = stage.hub()?.0;
        }
        let output = stage.flagfall(&["journal", "backup", &name])?;
        ensure!(output.status.success(), "{}", said(&output));
        copies += 1;
        let report = verify(&copy)?;
        ensure!(report.damage.is_none(), "{report}");
    }
    ensure!(stage.report("sim")?["games"].as_u64() > Some(0), "nothing was played");
    hub.signal("TERM")?;
    hub.wait(SOON)?;
    let output = stage.flagfall(&["journal", "backup", &name])?;
    ensure!(output.status.success(), "{}", said(&output));
    let before = entries(&stage.data)?;
    ensure!(entries(&copy)? == before, "the backup is not what was backed up");

    // One file gone, one with a flipped bit: what the hub names puts them back.
    let all = segments(&stage.data)?;
    ensure!(all.len() > 2, "only {} segments", all.len());
    fs::remove_file(&all[0])?;
    let mut bytes = fs::read(&all[1])?;
    let at = bytes.len() / 2;
    bytes[at] ^= 0x10;
    fs::write(&all[1], bytes)?;
    let Err(refusal) = stage.hub_or_refusal()? else {
        bail!("it started on a damaged journal");
    };
    let line = command(&refusal, "restore BACKUP")?.replace("BACKUP", &format!("'{name}'"));
    give(&line)?;
    let (mut hub, _) = stage.hub()?;
    hub.signal("TERM")?;
    hub.wait(SOON)?;
    ensure!(
        entries(&stage.data)?[..before.len()] == before[..],
        "what was restored is not what was there"
    );

    // All of it gone.
    fs::remove_dir_all(&stage.data)?;
    let output = stage.flagfall(&["journal", "restore", &name])?;
    ensure!(output.status.success(), "{}", said(&output));
    let (mut hub, took) = stage.hub()?;
    hub.signal("TERM")?;
    hub.wait(SOON)?;
    ensure!(
        entries(&stage.data)?[..before.len()] == before[..],
        "what was restored is not what was there"
    );
    let said = format!(
        "{copies} backups of a running hub, killed between them; {} entries restored file by file and from nothing, started in {} ms",
        before.len(),
        took.as_millis()
    );
    stage.done();
    Ok(said)
}

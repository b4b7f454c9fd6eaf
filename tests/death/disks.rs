//! Disks that fill up, turn read-only and lose their power: ext4 in a file, mounted by loop. Needs root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::feed::v1 as feed;
use flagfall::sim::office::{Office, request_id};
use tonic::Code;

use super::Common;
use super::chance::Chance;
use super::stage::{SOON, Stage, rustix_is_root};
use super::witness::{Witness, check_all};

/// Said, and not passed over in silence, where loop mounts cannot be had.
const SKIPPED: &str = "SKIPPED: loop mounts need root (and mkfs.ext4, mount, losetup); nothing was tried";

/// A file system in a file.
struct Mounted {
    image: PathBuf,
    at: PathBuf,
}

impl Mounted {
    fn new(image: &Path, at: &Path, megabytes: u64) -> anyhow::Result<Mounted> {
        fs::File::create(image)?.set_len(megabytes << 20)?;
        command("mkfs.ext4", &["-q", "-F", &image.display().to_string()])?;
        Mounted::mount(image, at)
    }

    fn mount(image: &Path, at: &Path) -> anyhow::Result<Mounted> {
        fs::create_dir_all(at)?;
        let (image_text, at_text) = (image.display().to_string(), at.display().to_string());
        command("mount", &["-o", "loop,errors=remount-ro", &image_text, &at_text])?;
        Ok(Mounted {
            image: image.to_owned(),
            at: at.to_owned(),
        })
    }

    /// The device, as the system calls it.
    fn device(&self) -> anyhow::Result<String> {
        let output = Command::new("findmnt")
            .args(["-n", "-o", "SOURCE"])
            .arg(&self.at)
            .output()?;
        let device = String::from_utf8(output.stdout)?;
        Ok(device.trim().rsplit('/').next().unwrap_or_default().to_owned())
    }

    /// Turns read-only under the hands of whoever writes, as after an error of the device.
    fn turn_read_only(&self) -> anyhow::Result<()> {
        let path = format!("/sys/fs/ext4/{}/trigger_fs_error", self.device()?);
        fs::write(&path, "tried by tests/death").with_context(|| path.clone())
    }

    fn again(&self) -> anyhow::Result<()> {
        command("umount", &[&self.at.display().to_string()])?;
        // An error is noted in it: it is looked through, as a start of the machine does.
        let _checked = Command::new("fsck.ext4").args(["-p", "-f"]).arg(&self.image).output();
        let mounted = Mounted::mount(&self.image, &self.at)?;
        std::mem::forget(mounted);
        Ok(())
    }

    /// Takes all the room that is left.
    fn fill(&self) -> anyhow::Result<PathBuf> {
        let path = self.at.join("filler");
        let mut file = fs::File::create(&path)?;
        let block = vec![0x5a; 64 << 10];
        while std::io::Write::write_all(&mut file, &block).is_ok() {}
        while std::io::Write::write_all(&mut file, &[0x5a; 512]).is_ok() {}
        let _what_fits = file.sync_all();
        Ok(path)
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.at).status();
    }
}

fn command(program: &str, arguments: &[&str]) -> anyhow::Result<()> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .with_context(|| program.to_owned())?;
    ensure!(
        output.status.success(),
        "{program} {}: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

pub async fn run(common: &Common) -> anyhow::Result<String> {
    if !rustix_is_root() {
        return Ok(SKIPPED.to_owned());
    }
    let full = full(common).await.context("a full disk")?;
    let read_only = read_only(common).await.context("a read-only disk")?;
    Ok(format!("{full}\n{read_only}"))
}

/// A hall on a small disk of its own.
fn small_disk(common: &Common, name: &str, megabytes: u64) -> anyhow::Result<(Stage, Mounted)> {
    let mut stage = Stage::new(common, name, 60.0)?;
    let disk = Mounted::new(&stage.work.join("disk.img"), &stage.work.join("disk"), megabytes)?;
    let data = disk.at.join("data");
    command(
        "cp",
        &["-a", &stage.data.display().to_string(), &data.display().to_string()],
    )?;
    stage.use_data(data);
    Ok((stage, disk))
}

/// Many large rounds: what fills a segment quickly.
async fn large_call(office: &Office, number: u32, request: String) -> Result<(), tonic::Status> {
    let mut client = office.admin.clone();
    let id = "filling".to_owned();
    if number == 1 {
        let event = admin::Event {
            id: id.clone(),
            name: "Filling".to_owned(),
            site: String::new(),
            date: String::new(),
            regulations: None,
            ..Default::default()
        };
        client
            .put_event(admin::PutEventRequest {
                request_id: request_id(),
                event: Some(event),
            })
            .await?;
    }
    let player = |side: &str, board: u32| feed::Player {
        name: format!("{side} {board} {}", "x".repeat(150)),
        ..feed::Player::default()
    };
    let pairings = (1..=1500).map(|board| admin::Pairing {
        table: 10_000 + board,
        board,
        white: Some(player("White", board)),
        black: Some(player("Black", board)),
        ..admin::Pairing::default()
    });
    let request = admin::PutRoundRequest {
        request_id: request,
        event: id,
        number: 1,
        time_control: "90m+30s".to_owned(),
        source: Some(admin::put_round_request::Source::Pairings(admin::PairingList {
            pairings: pairings.collect(),
        })),
        validate_only: false,
    };
    client.put_round(request).await?;
    Ok(())
}

async fn full(common: &Common) -> anyhow::Result<String> {
    let (mut stage, disk) = small_disk(common, "full", 72)?;
    let _broker = stage.broker()?;
    let (mut hub, _) = stage.hub()?;
    let office = Office::new(&stage.hub_url(), &stage.token, SOON)?;
    let witness = Witness::start(&stage)?;
    let _sim = stage.sim("sim", &["--tables", "2", "--pgn", "tests/games/blitz.pgn"])?;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let filler = disk.fill()?;
    let mut refused = None;
    for number in 1..60 {
        let request = request_id();
        let asked = tokio::time::timeout(SOON, large_call(&office, number, request.clone())).await;
        if let Err(status) = asked.context("a call on a full disk is not answered")? {
            refused = Some((number, request, status));
            break;
        }
    }
    let (number, request, status) = refused.context("a full disk takes everything")?;
    ensure!(status.code() == Code::Unavailable, "{status}");
    ensure!(
        status.message().contains("same request id"),
        "nobody is told what to do: {status}"
    );
    ensure!(stage.answers(), "the hub has stopped serving");
    let hall = office
        .admin
        .clone()
        .get_hall(admin::GetHallRequest {})
        .await?
        .into_inner();
    ensure!(
        hall.room_warning.contains("free some space"),
        "nobody is told what to do: {:?}",
        hall.room_warning
    );
    let told = witness.acknowledged();
    tokio::time::sleep(Duration::from_secs(1)).await;
    ensure!(
        witness.counts().1 == told.calls(),
        "something was acknowledged on a full disk"
    );

    // Room again, and the same hub goes on.
    fs::remove_file(&filler)?;
    tokio::time::sleep(Duration::from_millis(500)).await;
    // The one that was refused: under its own id it is done now, and once.
    for _ in 0..2 {
        tokio::time::timeout(Duration::from_secs(20), async {
            while let Err(status) = large_call(&office, 2, request.clone()).await {
                ensure!(status.code() == Code::Unavailable, "{status}");
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            Ok(())
        })
        .await
        .context("there is room again, and nothing goes on")??;
    }
    let later = witness.acknowledged();
    hub.kill()?;
    check_all(&stage.data, &told)?;
    check_all(&stage.data, &later)?;

    // No room for a start, which says so; and a start once there is.
    let filler = disk.fill()?;
    let Err(refusal) = stage.hub_or_refusal()? else {
        anyhow::bail!("the hub starts where there is no room");
    };
    ensure!(
        refusal.contains("free some space"),
        "the refusal does not say what to do: {refusal}"
    );
    fs::remove_file(&filler)?;
    let (mut hub, _) = stage.hub()?;
    check_all(&stage.data, &later)?;
    hub.signal("TERM")?;
    hub.wait(SOON)?;
    stage.verify()?;
    drop((hub, witness, disk));
    stage.done();
    Ok(format!(
        "a full disk: call {number} is refused ({}; warned: {}), and the hub goes on when there is room; nothing acknowledged lost; \
         a start without room says so",
        status.message(),
        hall.room_warning
    ))
}

async fn read_only(common: &Common) -> anyhow::Result<String> {
    let (mut stage, disk) = small_disk(common, "read-only", 96)?;
    let _broker = stage.broker()?;
    let (mut hub, _) = stage.hub()?;
    let office = Office::new(&stage.hub_url(), &stage.token, SOON)?;
    let witness = Witness::start(&stage)?;
    let _sim = stage.sim("sim", &["--tables", "2", "--pgn", "tests/games/blitz.pgn"])?;
    tokio::time::sleep(Duration::from_secs(4)).await;
    disk.turn_read_only()?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let told = witness.acknowledged();
    let status = large_call(&office, 1, request_id())
        .await
        .err()
        .context("a read-only disk takes something")?;
    ensure!(status.code() == Code::Unavailable, "{status}");
    tokio::time::sleep(Duration::from_secs(1)).await;
    ensure!(
        witness.counts().1 == told_calls(&told),
        "something was acknowledged on a read-only disk"
    );
    ensure!(stage.answers(), "the hub has stopped serving");
    hub.kill()?;
    check_all(&stage.data, &told)?;
    let Err(refusal) = stage.hub_or_refusal()? else {
        anyhow::bail!("the hub starts on a read-only disk");
    };
    let said = refusal.lines().last().unwrap_or_default().to_owned();
    ensure!(
        said.contains("ead-only"),
        "the refusal does not say that the disk is read-only: {refusal}"
    );
    disk.again()?;
    let (mut hub, _) = stage.hub()?;
    check_all(&stage.data, &told)?;
    hub.signal("TERM")?;
    hub.wait(SOON)?;
    stage.verify()?;
    drop((hub, witness, disk));
    stage.done();
    Ok(format!(
        "a disk that turns read-only: calls are refused ({}), a start too, and goes on when it can be written again; nothing acknowledged lost",
        status.message()
    ))
}

fn told_calls(told: &super::witness::Acknowledged) -> usize {
    told.calls()
}

pub async fn power(common: &Common, times: u32) -> anyhow::Result<String> {
    if !rustix_is_root() {
        return Ok(SKIPPED.to_owned());
    }
    let mut chance = Chance::new(common.seed);
    let (mut stage, disk) = small_disk(common, "power", 200)?;
    let _broker = stage.broker()?;
    let mut witness = Witness::start(&stage)?;
    let on_disk = stage.data.clone();
    let mut entries = 0;
    for number in 1..=times {
        stage.use_data(on_disk.clone());
        let (mut hub, _) = stage.hub()?;
        let first = (number * 10).to_string();
        let mut sim = stage.sim(
            "sim",
            &["--tables", "6", "--first-table", &first, "--until-plies", "60"],
        )?;
        tokio::time::sleep(Duration::from_millis(chance.between(2500, 7000))).await;
        // What is acknowledged now rests on what the device has now; the writer stands while that is copied.
        hub.signal("STOP")?;
        tokio::time::sleep(Duration::from_millis(100)).await;
        let told = witness.acknowledged();
        let image = stage.work.join("copy.img");
        command(
            "cp",
            &[
                "--sparse=always",
                &disk.image.display().to_string(),
                &image.display().to_string(),
            ],
        )?;
        hub.kill()?;
        sim.kill()?;
        witness.check(&told)?;
        let copy = Mounted::mount(&image, &stage.work.join("copy"))?;
        stage.use_data(copy.at.join("data"));
        let (mut hub, _) = stage.hub().with_context(|| format!("power cut {number}"))?;
        entries = check_all(&stage.data, &told).with_context(|| format!("power cut {number}"))?;
        hub.signal("TERM")?;
        hub.wait(SOON)?;
        stage.verify()?;
        drop((hub, copy));
        // The broker had reports for the hub on the copy, too.
        tokio::time::sleep(Duration::from_millis(300)).await;
        witness.forget_all_but(&told);
    }
    let (reports, calls) = witness.counts();
    drop((witness, disk));
    stage.done();
    Ok(format!(
        "{times} power cuts: each time the disk as the device saw it has all of what was acknowledged \
         ({reports} reports and {calls} calls in the end, {entries} entries)"
    ))
}

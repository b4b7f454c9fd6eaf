//! Somebody who notes what the hub has acknowledged, and looks afterwards whether it is in the journal.
//!
//! Devices are acknowledged by `seen`, which the witness reads at the broker; calls by their answers, which it gets for calls of
//! its own. What has been in the journal once must stay there, with the same chain hash.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use flagfall::api::proto::admin::v1 as admin;
use flagfall::device::codec;
use flagfall::device::wire;
use flagfall::sim::office::{Office, request_id};
use flagfall::store::{ChainHash, Entry, JournalReader};
use rumqttc::{AsyncClient, Event, MqttOptions, Packet, QoS};
use tokio::task::JoinHandle;

use super::stage::Stage;

/// What was acknowledged.
#[derive(Clone, Debug, Default)]
pub struct Acknowledged {
    /// Of each boot of a device, up to which report.
    seen: BTreeMap<(String, u32), i64>,
    /// Calls that were answered.
    calls: BTreeSet<String>,
}

impl Acknowledged {
    /// How many calls.
    pub fn calls(&self) -> usize {
        self.calls.len()
    }

    fn note(&mut self, entry: &Entry) {
        for mark in &entry.content.sessions {
            let has = self.seen.entry((mark.device.clone(), mark.boot)).or_insert(-1);
            *has = (*has).max(mark.seq);
        }
        if let Some(request) = &entry.content.request {
            self.calls.insert(request.id.clone());
        }
    }

    /// Whether all of this is in what a journal has.
    fn is_in(&self, has: &Acknowledged) -> anyhow::Result<()> {
        for (boot, seq) in &self.seen {
            let has = has.seen.get(boot).copied().unwrap_or(-1);
            ensure!(
                has >= *seq,
                "{boot:?} was told that {seq} is durable; the journal has {has}"
            );
        }
        for call in &self.calls {
            ensure!(
                has.calls.contains(call),
                "call {call} was answered, and is not in the journal"
            );
        }
        Ok(())
    }
}

/// Reads a whole journal, checks that all of this is in it, and says how many entries it has.
pub fn check_all(data: &Path, must: &Acknowledged) -> anyhow::Result<u64> {
    let mut has = Acknowledged::default();
    let mut last = 0;
    for entry in JournalReader::of_data(data).entries(1)? {
        let entry = entry?;
        has.note(&entry);
        last = entry.position;
    }
    must.is_in(&has)?;
    Ok(last)
}

/// The witness.
pub struct Witness {
    noted: Arc<Mutex<Acknowledged>>,
    tasks: Vec<JoinHandle<()>>,
    data: PathBuf,
    /// What was checked last.
    last: (u64, Option<ChainHash>),
    /// What the journal has.
    has: Acknowledged,
}

impl Drop for Witness {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl Witness {
    pub fn start(stage: &Stage) -> anyhow::Result<Witness> {
        let noted = Arc::new(Mutex::new(Acknowledged::default()));
        let office = Office::new(&stage.hub_url(), &stage.token, Duration::from_secs(180))?;
        let tasks = vec![
            tokio::spawn(listen(stage.mqtt.port(), Arc::clone(&noted))),
            tokio::spawn(call(office, Arc::clone(&noted))),
        ];
        Ok(Witness {
            noted,
            tasks,
            data: stage.data.clone(),
            last: (0, None),
            has: Acknowledged::default(),
        })
    }

    /// What has been acknowledged up to now.
    pub fn acknowledged(&self) -> Acknowledged {
        self.noted.lock().expect("nobody panics with it").clone()
    }

    /// Only this counts: what was acknowledged since stands in another journal, that of a hub on a copy.
    pub fn forget_all_but(&self, told: &Acknowledged) {
        self.noted.lock().expect("nobody panics with it").clone_from(told);
    }

    /// How much: reports and calls.
    pub fn counts(&self) -> (i64, usize) {
        let noted = self.acknowledged();
        (noted.seen.values().map(|seq| seq + 1).sum(), noted.calls.len())
    }

    pub fn entries(&self) -> u64 {
        self.last.0
    }

    /// Reads the journal on, and checks that all of this is in it.
    pub fn check(&mut self, must: &Acknowledged) -> anyhow::Result<()> {
        let (position, hash) = self.last;
        let mut last = None;
        for entry in JournalReader::of_data(&self.data).entries(position.max(1))? {
            let entry = entry?;
            if entry.position == position {
                ensure!(Some(entry.hall_hash) == hash, "entry {position} is another than it was");
            }
            self.has.note(&entry);
            last = Some((entry.position, entry.hall_hash));
        }
        let (end, hash) = last.context("the journal has become empty")?;
        ensure!(
            end >= position,
            "the journal ended at {position}, and ends at {end} now"
        );
        self.last = (end, Some(hash));
        must.is_in(&self.has)
    }
}

async fn listen(port: u16, noted: Arc<Mutex<Acknowledged>>) {
    let mut options = MqttOptions::new("witness", "127.0.0.1", port);
    options
        .set_credentials("witness", "")
        .set_max_packet_size(1 << 20, 1 << 20);
    let (client, mut connection) = AsyncClient::new(options, 64);
    loop {
        match connection.poll().await {
            Ok(Event::Incoming(Packet::ConnAck(_))) => {
                // The queue is empty.
                let _ = client.try_subscribe("flagfall/v1/+/+/seen", QoS::AtLeastOnce);
            }
            Ok(Event::Incoming(Packet::Publish(publish))) => {
                let device = publish.topic.split('/').nth(3).unwrap_or_default().to_owned();
                if let Ok(seen) = codec::decode_wire::<wire::Seen>(&publish.payload) {
                    let mut noted = noted.lock().expect("nobody panics with it");
                    let told = noted.seen.entry((device, seen.boot)).or_insert(-1);
                    *told = (*told).max(seen.seq);
                }
            }
            Ok(_) => {}
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

async fn call(office: Office, noted: Arc<Mutex<Acknowledged>>) {
    for number in 0_u64.. {
        let request_id = request_id();
        let request = admin::PutTableRequest {
            request_id: request_id.clone(),
            table: 90_000,
            sector: Some(format!("witness {number}")),
            white_side: admin::Side::Left.into(),
            board_turned: Some(false),
        };
        let mut client = office.admin.clone();
        if let Ok(Ok(_)) = tokio::time::timeout(Duration::from_secs(5), client.put_table(request)).await {
            noted.lock().expect("nobody panics with it").calls.insert(request_id);
        }
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
}

//! A bad network between MQTT clients and their broker: delays, stalls, cuts; drops and doubles PUBLISH packets.
//!
//! A packet that is dropped is either lost with its acknowledgement (its sender hears nothing of it until it connects again), or
//! behind one (the sender is told that it arrived, as a broker does that then loses it): of both kinds MQTT's own repetition
//! mends little, and the contract's must do it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::chance::Chance;

/// How bad it is.
#[derive(Clone, Copy, Debug)]
pub struct Weather {
    /// Every packet is delayed by up to so much, in order, each way.
    pub delay: Duration,
    /// PUBLISH packets dropped in a thousand, and as many doubled.
    pub dropped: u64,
    /// Every so often …
    pub every: Duration,
    /// … nothing gets through for so long, and every connection breaks.
    pub dark: Duration,
}

/// What it has done.
#[derive(Debug, Default)]
pub struct Done {
    pub passed: AtomicU64,
    pub dropped: AtomicU64,
    pub doubled: AtomicU64,
    pub cut: AtomicU64,
}

pub struct Proxy {
    pub address: SocketAddr,
    pub done: Arc<Done>,
    task: JoinHandle<()>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Proxy {
    pub async fn start(to: SocketAddr, weather: Weather, seed: u64) -> std::io::Result<Proxy> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let done = Arc::new(Done::default());
        let task = tokio::spawn(serve(listener, to, weather, Chance::new(seed), Arc::clone(&done)));
        Ok(Proxy { address, done, task })
    }
}

async fn serve(listener: TcpListener, to: SocketAddr, weather: Weather, mut chance: Chance, done: Arc<Done>) {
    let began = Instant::now();
    while let Ok((client, _)) = listener.accept().await {
        let (chance, done) = (Chance::new(chance.next()), Arc::clone(&done));
        tokio::spawn(async move {
            // In the dark a connection is taken and hears nothing, as on a radio link.
            let Ok(broker) = TcpStream::connect(to).await else {
                return;
            };
            // Small packets are sent at once: delay is the weather's.
            let _ = (client.set_nodelay(true), broker.set_nodelay(true));
            let (from_client, to_client) = client.into_split();
            let (from_broker, to_broker) = broker.into_split();
            let (client_way, to_client) = way_out(to_client);
            let (broker_way, to_broker) = way_out(to_broker);
            let mut other = chance.clone();
            other.next();
            let up = carry(
                from_client,
                to_broker.clone(),
                to_client.clone(),
                weather,
                began,
                chance,
                &done,
            );
            let down = carry(from_broker, to_client, to_broker, weather, began, other, &done);
            tokio::select! {
                () = up => {}
                () = down => {}
                () = dark(weather, began) => {
                    done.cut.fetch_add(1, Ordering::Relaxed);
                }
            }
            client_way.abort();
            broker_way.abort();
        });
    }
}

/// Until the network has been dark for half of its time: what waits for an answer then waits in vain.
async fn dark(weather: Weather, began: Instant) {
    let cycle = weather.every + weather.dark;
    let into = Duration::from_nanos((began.elapsed().as_nanos() % cycle.as_nanos()) as u64);
    let breaks = weather.every + weather.dark / 2;
    let left = if into < breaks {
        breaks - into
    } else {
        cycle - into + breaks
    };
    tokio::time::sleep(left).await;
}

/// When something that is ready at `at` gets through.
fn gets_through(weather: Weather, began: Instant, at: Instant) -> Instant {
    let cycle = weather.every + weather.dark;
    let into = Duration::from_nanos((at.saturating_duration_since(began).as_nanos() % cycle.as_nanos()) as u64);
    if into < weather.every { at } else { at + (cycle - into) }
}

type Sender = mpsc::UnboundedSender<(Instant, Vec<u8>)>;

/// What is due is written in order.
fn way_out(mut to: OwnedWriteHalf) -> (JoinHandle<()>, Sender) {
    let (sender, mut inbox) = mpsc::unbounded_channel::<(Instant, Vec<u8>)>();
    let task = tokio::spawn(async move {
        while let Some((due, packet)) = inbox.recv().await {
            tokio::time::sleep_until(due).await;
            if to.write_all(&packet).await.is_err() {
                return;
            }
        }
    });
    (task, sender)
}

/// Carries packets one way, until the connection ends.
async fn carry(
    mut from: OwnedReadHalf,
    to: Sender,
    back: Sender,
    weather: Weather,
    began: Instant,
    mut chance: Chance,
    done: &Done,
) {
    let mut last = Instant::now();
    while let Ok(packet) = read_packet(&mut from).await {
        let delay = Duration::from_micros(chance.between(0, weather.delay.as_micros() as u64 + 1));
        // TCP keeps the order.
        last = last.max(gets_through(weather, began, Instant::now() + delay));
        let publish = packet[0] >> 4 == 3;
        let mut times = 1;
        if publish && chance.in_thousand(weather.dropped) {
            done.dropped.fetch_add(1, Ordering::Relaxed);
            times = 0;
            if chance.in_thousand(500)
                && let Some(id) = packet_id(&packet)
                && back.send((last, vec![0x40, 2, (id >> 8) as u8, id as u8])).is_err()
            {
                return;
            }
        } else if publish && chance.in_thousand(weather.dropped) {
            done.doubled.fetch_add(1, Ordering::Relaxed);
            times = 2;
        }
        for _ in 0..times {
            if to.send((last, packet.clone())).is_err() {
                return;
            }
        }
        done.passed.fetch_add(times, Ordering::Relaxed);
    }
}

/// One whole MQTT packet.
async fn read_packet(from: &mut OwnedReadHalf) -> std::io::Result<Vec<u8>> {
    let mut packet = vec![from.read_u8().await?];
    let mut length = 0_usize;
    for shift in [0, 7, 14, 21] {
        let byte = from.read_u8().await?;
        packet.push(byte);
        length |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            let start = packet.len();
            packet.resize(start + length, 0);
            from.read_exact(&mut packet[start..]).await?;
            return Ok(packet);
        }
    }
    Err(std::io::ErrorKind::InvalidData.into())
}

/// The packet id of a PUBLISH with QoS 1.
fn packet_id(packet: &[u8]) -> Option<u16> {
    if packet[0] & 0x06 != 0x02 {
        return None;
    }
    let start = 1 + packet[1..].iter().position(|byte| byte & 0x80 == 0)? + 1;
    let topic = usize::from(u16::from_be_bytes(packet.get(start..start + 2)?.try_into().ok()?));
    let at = start + 2 + topic;
    Some(u16::from_be_bytes(packet.get(at..at + 2)?.try_into().ok()?))
}

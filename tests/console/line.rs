//! A line between a browser and the hub that can be cut.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::Instant;

/// How a line behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    Open,
    /// What is asked arrives, and no answer comes back.
    Deaf,
    /// Nothing goes through, and nobody is let in.
    Cut,
}

/// Between a browser and the hub.
pub struct Line {
    /// Where the browser is to go.
    pub addr: SocketAddr,
    mood: watch::Sender<Mood>,
}

impl Line {
    pub async fn to(hub: SocketAddr) -> Line {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let addr = listener.local_addr().expect("a bound listener has an address");
        let (mood, moods) = watch::channel(Mood::Open);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                if *moods.borrow() != Mood::Cut
                    && let Ok(far) = TcpStream::connect(hub).await
                {
                    tokio::spawn(connection(near, far, moods.clone()));
                }
            }
        });
        Line { addr, mood }
    }

    /// One on which every byte takes so long, either way.
    pub async fn slow(hub: SocketAddr, delay: Duration) -> SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let addr = listener.local_addr().expect("a bound listener has an address");
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                if let Ok(far) = TcpStream::connect(hub).await {
                    let (from_near, to_near) = near.into_split();
                    let (from_far, to_far) = far.into_split();
                    tokio::spawn(late(from_near, to_far, delay));
                    tokio::spawn(late(from_far, to_near, delay));
                }
            }
        });
        addr
    }

    pub fn is(&self, mood: Mood) {
        self.mood.send_replace(mood);
    }
}

async fn connection(near: TcpStream, far: TcpStream, mut moods: watch::Receiver<Mood>) {
    let (from_near, to_near) = near.into_split();
    let (from_far, to_far) = far.into_split();
    let there = carry(from_near, to_far, None);
    let back = carry(from_far, to_near, Some(moods.clone()));
    tokio::select! {
        () = there => {}
        () = back => {}
        _ = moods.wait_for(|mood| *mood == Mood::Cut) => {}
    }
}

async fn late(mut from: tokio::net::tcp::OwnedReadHalf, mut to: tokio::net::tcp::OwnedWriteHalf, delay: Duration) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let (send, mut arrive) = tokio::sync::mpsc::unbounded_channel::<(Instant, Vec<u8>)>();
    tokio::spawn(async move {
        while let Some((due, bytes)) = arrive.recv().await {
            tokio::time::sleep_until(due).await;
            if to.write_all(&bytes).await.is_err() {
                return;
            }
        }
    });
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        if send.send((Instant::now() + delay, bytes[..read].to_vec())).is_err() {
            return;
        }
    }
}

async fn carry(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    mood: Option<watch::Receiver<Mood>>,
) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut bytes = vec![0; 16 * 1024];
    loop {
        let Ok(read @ 1..) = from.read(&mut bytes).await else {
            return;
        };
        if mood.as_ref().is_some_and(|mood| *mood.borrow() == Mood::Deaf) {
            continue;
        }
        if to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}

//! What is published, pushed to broadcasts on Lichess ([`crate::broadcast::lichess`]).
//!
//! Each round, or each part of a great one, has its own way there. The whole round is pushed whenever something in it is new, not more often than is set. A push
//! that was not taken is tried again, less and less often, with what is new by then: nothing old is ever sent after something newer.
//! What is wrong, with a game or with the whole, and which boards go nowhere, arbiters read in the hall's notices.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBuilder};
use bytes::Bytes;
use http::{Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::broadcast::lichess::{self, Boards, NotTaken, Push, Refused, RoundId};
use crate::broadcast::livechess::{Times, Written};
use crate::broadcast::published::{Published, PublishedRound};
use crate::hall::handle::HallHandle;
use crate::hall::ids::{EventId, RoundNo};
use crate::hall::model::RoundStatus;
use crate::hall::notice::{NoticeKind, NoticePlace};
use crate::time::HallTime;

/// The other end queues pushes for ten seconds; more than this and nobody is there.
const PATIENCE: Duration = Duration::from_secs(30);
/// An answer for a hundred games is far smaller.
const LARGEST_ANSWER: usize = 4 << 20;
/// After the first push that was not taken, and at the most.
const BACK_OFF: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(120));

/// A round of a broadcast, and what goes there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// Whose round.
    pub event: EventId,
    /// Which.
    pub round: RoundNo,
    /// Which boards of it.
    pub boards: Boards,
    /// The round over there.
    pub id: RoundId,
}

/// What is pushed where.
#[derive(Clone, Debug)]
pub(super) struct Lichess {
    /// `https://lichess.org`.
    pub server: String,
    /// A file with nothing but the token.
    pub token_file: PathBuf,
    /// Not more often than this.
    pub every: Duration,
    /// Rounds of the hall, and where they go.
    pub targets: Vec<Target>,
    /// The hall's.
    pub speed: f64,
    /// What is waited for after pushes that were not taken, from and to.
    pub back_off: (Duration, Duration),
}

impl Lichess {
    /// With the usual patience.
    pub fn new(server: String, token_file: PathBuf, every: Duration, targets: Vec<Target>, speed: f64) -> Lichess {
        Lichess {
            server,
            token_file,
            every,
            targets,
            speed,
            back_off: BACK_OFF,
        }
    }
}

/// What is wrong with one round's way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Trouble {
    whole: Option<String>,
    games: Vec<Refused>,
}

/// What is wrong with any, told as notices.
struct Troubles {
    hall: HallHandle,
    of: Mutex<Of>,
}

#[derive(Default)]
struct Of {
    /// By the round's id over there.
    ways: BTreeMap<String, (Target, Trouble)>,
    /// The boards of rounds that go nowhere.
    left_out: BTreeMap<(EventId, RoundNo), Vec<u32>>,
}

impl Troubles {
    fn set(&self, target: &Target, trouble: Trouble) {
        self.change(|of| {
            of.ways.insert(target.id.to_string(), (target.clone(), trouble));
        });
    }

    fn left_out(&self, target: &Target, boards: Vec<u32>) {
        self.change(|of| {
            of.left_out.insert((target.event.clone(), target.round), boards);
        });
    }

    fn change(&self, change: impl FnOnce(&mut Of)) {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut of);
        let place = |event: &EventId, round: RoundNo, table, detail| NoticePlace {
            event: event.clone(),
            round,
            table,
            since: HallTime(0),
            detail,
        };
        let of_target = |target: &Target, table, detail| place(&target.event, target.round, table, detail);
        let ways = || of.ways.values();
        let whole = ways().filter_map(|(target, trouble)| {
            let why = trouble.whole.as_ref()?;
            let boards = target.boards.as_ref();
            let boards = boards.map_or(String::new(), |boards| {
                format!("boards {}-{}: ", boards.start(), boards.end())
            });
            Some(of_target(target, None, format!("{boards}{why}")))
        });
        let games = ways().flat_map(|(target, trouble)| {
            let game = |refused: &Refused| of_target(target, Some(refused.table), refused.why.clone());
            trouble.games.iter().map(game).collect::<Vec<_>>()
        });
        let left_out = of.left_out.iter().filter(|(_, boards)| !boards.is_empty());
        let left_out = left_out.map(|((event, round), boards)| {
            let boards = lichess::ranges(boards);
            place(event, *round, None, format!("boards {boards}"))
        });
        // Under the lock, so that the newer is never followed by the older.
        let tell = |kind, places: Vec<NoticePlace>| self.hall.set_own_notice_of(kind, places);
        tell(NoticeKind::LichessNotTold, whole.collect());
        tell(NoticeKind::LichessRefuses, games.collect());
        tell(NoticeKind::LichessLeavesOut, left_out.collect());
    }
}

type HttpClient = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// Pushes until the hub stops.
pub(super) async fn push(
    settings: Lichess,
    published: watch::Receiver<Arc<Published>>,
    hall: HallHandle,
    stop: CancellationToken,
) {
    let client = match client() {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(%error, "nothing can be pushed to Lichess: TLS cannot be set up");
            return;
        }
    };
    let settings = Arc::new(settings);
    let troubles = Arc::new(Troubles {
        hall,
        of: Mutex::default(),
    });
    let mut ways = JoinSet::new();
    for target in settings.targets.clone() {
        let way = Way {
            target,
            settings: Arc::clone(&settings),
            client: client.clone(),
            troubles: Arc::clone(&troubles),
            written: Written::default(),
        };
        ways.spawn(way.run(published.clone(), stop.clone()));
    }
    while let Some(ended) = ways.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a way to Lichess did not end well");
        }
    }
}

fn client() -> std::io::Result<HttpClient> {
    let provider = rustls::crypto::ring::default_provider();
    let connector = hyper_rustls::HttpsConnectorBuilder::new()
        .with_provider_and_native_roots(provider)?
        .https_or_http()
        .enable_http1()
        .build();
    Ok(Client::builder(TokioExecutor::new()).build(connector))
}

/// One round's way.
struct Way {
    target: Target,
    settings: Arc<Lichess>,
    client: HttpClient,
    troubles: Arc<Troubles>,
    written: Written,
}

impl Way {
    async fn run(mut self, mut published: watch::Receiver<Arc<Published>>, stop: CancellationToken) {
        let (from, to) = self.settings.back_off;
        let back_off = ExponentialBuilder::default()
            .with_min_delay(from)
            .with_max_delay(to)
            .without_max_times()
            .with_jitter();
        let mut waits = back_off.build();
        let mut pushed: Option<PublishedRound> = None;
        let mut seen: Option<Arc<PublishedRound>> = None;
        loop {
            let now = published.borrow_and_update().clone();
            let whole = now.round(&self.target.event, self.target.round);
            if let Some(whole) = whole
                && !seen.as_ref().is_some_and(|seen| Arc::ptr_eq(seen, whole))
            {
                self.tell_left_out(whole);
                seen = Some(Arc::clone(whole));
            }
            let own = whole.map(|whole| lichess::part(whole, &self.target.boards));
            let Some(round) = own.filter(|round| !round.boards.is_empty() && pushed.as_ref() != Some(round)) else {
                tokio::select! {
                    () = stop.cancelled() => return,
                    changed = published.changed() => if changed.is_err() {
                        return;
                    },
                }
                continue;
            };
            let push = lichess::push(&round, Times::new(&now, self.settings.speed), &mut self.written);
            let taken = tokio::select! {
                () = stop.cancelled() => return,
                taken = self.send(&push) => taken,
            };
            let pause = match taken {
                Ok(games) => {
                    for refused in &games {
                        tracing::warn!(table = %refused.table, why = %refused.why, "a game is not taken by Lichess as it is");
                    }
                    if round.status == RoundStatus::Ended {
                        // What comes now is a correction, and rare.
                        self.written.put_away(&round);
                    }
                    pushed = Some(round);
                    waits = back_off.build();
                    self.tell(Trouble { whole: None, games });
                    self.settings.every
                }
                Err(why) => {
                    let pause = waits.next().unwrap_or(to).max(why.wait());
                    tracing::warn!(
                        event = %self.target.event, round = %self.target.round, id = %self.target.id, %why, again_in_s = pause.as_secs(),
                        "a push to Lichess was not taken"
                    );
                    self.tell(Trouble {
                        whole: Some(why.to_string()),
                        games: Vec::new(),
                    });
                    pause
                }
            };
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    fn tell(&self, trouble: Trouble) {
        self.troubles.set(&self.target, trouble);
    }

    /// What of the round goes nowhere, by this way or by another.
    fn tell_left_out(&self, round: &PublishedRound) {
        let same = |other: &&Target| other.event == self.target.event && other.round == self.target.round;
        let ways = self.settings.targets.iter().filter(same).map(|other| &other.boards);
        self.troubles.left_out(&self.target, lichess::left_out(round, ways));
    }

    async fn send(&self, push: &Push) -> Result<Vec<Refused>, NotTaken> {
        let token = token(&self.settings.token_file).await?;
        let unreached = |error: &dyn std::error::Error| NotTaken::Unreached(whole_story(error));
        let request = Request::post(lichess::address(&self.settings.server, &self.target.id))
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
            .header(header::ACCEPT, "application/json")
            .header(header::USER_AGENT, concat!("flagfall/", env!("CARGO_PKG_VERSION")))
            .body(Full::new(Bytes::from(push.body.clone())))
            .map_err(|error| unreached(&error))?;
        let answered = async {
            let answer = self.client.request(request).await.map_err(|error| unreached(&error))?;
            let status = answer.status();
            let retry_after = retry_after(answer.headers());
            let body = Limited::new(answer.into_body(), LARGEST_ANSWER).collect().await;
            match body {
                Ok(body) => lichess::answer(push, status.as_u16(), retry_after, &body.to_bytes()),
                // What counts is whether it was taken; but that is said in the body only.
                Err(error) if status == StatusCode::OK => Err(NotTaken::Unreadable(error.to_string())),
                Err(_) => lichess::answer(push, status.as_u16(), retry_after, b""),
            }
        };
        tokio::time::timeout(PATIENCE, answered)
            .await
            .unwrap_or_else(|_| Err(NotTaken::Unreached(format!("no answer in {} s", PATIENCE.as_secs()))))
    }
}

/// Read each time, so that a new token needs no new start.
async fn token(file: &Path) -> Result<String, NotTaken> {
    let text = tokio::fs::read_to_string(file)
        .await
        .map_err(|error| NotTaken::NoToken(format!("{}: {error}", file.display())))?;
    let token = text.trim();
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        let what = "has to hold the token and nothing else";
        return Err(NotTaken::NoToken(format!("{} {what}", file.display())));
    }
    Ok(token.to_owned())
}

fn retry_after(headers: &http::HeaderMap) -> Option<Duration> {
    let seconds = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    // Nobody waits a day for a broadcast.
    Some(Duration::from_secs(seconds).min(Duration::from_secs(3600)))
}

/// An error with its causes: `client error (Connect): connection refused`.
fn whole_story(error: &dyn std::error::Error) -> String {
    let mut story = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        story.push_str(": ");
        story.push_str(&error.to_string());
        cause = error.source();
    }
    story
}

#[cfg(test)]
mod tests;

//! What is published, pushed to broadcasts on Lichess ([`crate::broadcast::lichess`]).
//!
//! Each round has its own way there. The whole round is pushed whenever something in it is new, not more often than is set. A push
//! that was not taken is tried again, less and less often, with what is new by then: nothing old is ever sent after something newer.
//! What is wrong, with a game or with the whole, arbiters read in the hall's notices.

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

use crate::broadcast::lichess::{self, NotTaken, Push, Refused, RoundId};
use crate::broadcast::livechess::{Times, Written};
use crate::broadcast::published::{Published, PublishedRound};
use crate::hall::handle::HallHandle;
use crate::hall::ids::{DeviceId, EventId, RoundNo};
use crate::hall::notice::{LICHESS, NoticeDevice, NoticeKind};
use crate::time::HallTime;

/// The other end queues pushes for ten seconds; more than this and nobody is there.
const PATIENCE: Duration = Duration::from_secs(30);
/// An answer for a hundred games is far smaller.
const LARGEST_ANSWER: usize = 4 << 20;
/// After the first push that was not taken, and at the most.
const BACK_OFF: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(120));

/// What is pushed where.
#[derive(Clone, Debug)]
pub(super) struct Lichess {
    /// `https://lichess.org`.
    pub server: String,
    /// A file with nothing but the token.
    pub token_file: PathBuf,
    /// Not more often than this.
    pub every: Duration,
    /// Rounds of the hall, and their ids over there.
    pub rounds: BTreeMap<(EventId, RoundNo), RoundId>,
    /// The hall's.
    pub speed: f64,
    /// What is waited for after pushes that were not taken, from and to.
    pub back_off: (Duration, Duration),
}

impl Lichess {
    /// With the usual patience.
    pub fn new(
        server: String,
        token_file: PathBuf,
        every: Duration,
        rounds: BTreeMap<(EventId, RoundNo), RoundId>,
        speed: f64,
    ) -> Lichess {
        Lichess {
            server,
            token_file,
            every,
            rounds,
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
    of: Mutex<BTreeMap<(EventId, RoundNo), Trouble>>,
}

impl Troubles {
    fn set(&self, event: &EventId, round: RoundNo, trouble: Trouble) {
        let mut all = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (event.clone(), round);
        if *all.get(&key).unwrap_or(&Trouble::default()) == trouble {
            return;
        }
        all.insert(key, trouble);
        let Ok(id) = LICHESS.parse::<DeviceId>() else { return };
        let concerned = |table, detail| NoticeDevice {
            id: id.clone(),
            table,
            since: HallTime(0),
            detail,
        };
        let whole = all.iter().filter_map(|((event, round), trouble)| {
            let why = trouble.whole.as_ref()?;
            Some(concerned(None, format!("{event}, round {round}: {why}")))
        });
        let games = all.values().flat_map(|trouble| &trouble.games);
        let games = games.map(|refused| concerned(Some(refused.table), refused.why.clone()));
        // Under the lock, so that the newer is never followed by the older.
        self.hall.set_own_notice_of(NoticeKind::LichessNotTold, whole.collect());
        self.hall.set_own_notice_of(NoticeKind::LichessRefuses, games.collect());
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
    for ((event, round), id) in settings.rounds.clone() {
        let way = Way {
            event,
            round,
            id,
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
    event: EventId,
    round: RoundNo,
    id: RoundId,
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
        let mut pushed: Option<Arc<PublishedRound>> = None;
        loop {
            let now = published.borrow_and_update().clone();
            let round = now.round(&self.event, self.round).filter(|round| {
                let same = |before: &Arc<PublishedRound>| Arc::ptr_eq(before, round) || before == *round;
                !round.boards.is_empty() && !pushed.as_ref().is_some_and(same)
            });
            let Some(round) = round.cloned() else {
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
                    if pushed.is_none() && push.left_out > 0 {
                        tracing::warn!(
                            event = %self.event, round = %self.round, left_out = push.left_out,
                            "a broadcast on Lichess takes {} games: the boards after these are left out", lichess::MOST_GAMES
                        );
                    }
                    for refused in &games {
                        tracing::warn!(table = %refused.table, why = %refused.why, "a game is not taken by Lichess as it is");
                    }
                    pushed = Some(round);
                    waits = back_off.build();
                    self.tell(Trouble { whole: None, games });
                    self.settings.every
                }
                Err(why) => {
                    let pause = waits.next().unwrap_or(to).max(why.wait());
                    tracing::warn!(
                        event = %self.event, round = %self.round, %why, again_in_s = pause.as_secs(),
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
        self.troubles.set(&self.event, self.round, trouble);
    }

    async fn send(&self, push: &Push) -> Result<Vec<Refused>, NotTaken> {
        let token = token(&self.settings.token_file).await?;
        let unreached = |error: &dyn std::error::Error| NotTaken::Unreached(whole_story(error));
        let request = Request::post(lichess::address(&self.settings.server, &self.id))
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

//! The simulated arbiter's and technician's tablet: calls over gRPC that survive a hub that is killed and started again.
//!
//! A call that changes something keeps its request id over every attempt: the hub does nothing twice.

use std::fmt;
use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Response, Status};
use tonic_types::StatusExt;

use crate::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use crate::api::proto::arbiter::v1::arbiter_service_client::ArbiterServiceClient;
use crate::api::proto::feed::v1::feed_service_client::FeedServiceClient;

/// Adds the token to every call.
#[derive(Clone)]
pub struct Bearer(MetadataValue<Ascii>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("authorization", self.0.clone());
        Ok(request)
    }
}

type Wire = InterceptedService<Channel, Bearer>;

/// Clients of the three services.
#[derive(Clone)]
pub struct Office {
    /// Administration.
    pub admin: AdminServiceClient<Wire>,
    /// Arbiters.
    pub arbiter: ArbiterServiceClient<Wire>,
    /// The hall's view.
    pub feed: FeedServiceClient<Wire>,
    /// A hub that does not answer for so long has not been killed for a test: it is gone.
    patience: Duration,
}

/// Why something cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The address or the token is none.
    #[error("{what}: {why}")]
    Setting {
        /// Which.
        what: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// The hub refused.
    #[error("{call}: {status}")]
    Refused {
        /// Which call.
        call: &'static str,
        /// Its answer.
        status: Refusal,
    },
    /// The hub is not there.
    #[error("{call}: no answer for {seconds} s; the last attempt said: {last}")]
    Gone {
        /// Which call.
        call: &'static str,
        /// How long it was tried.
        seconds: u64,
        /// The last error.
        last: String,
    },
    /// The hall does not get on.
    #[error("{0}")]
    Stuck(String),
}

/// A refusal, with its reason.
#[derive(Debug)]
pub struct Refusal {
    /// The reason of `error_reason.proto`, without its prefix.
    pub reason: String,
    /// For people.
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.reason)
    }
}

impl From<&Status> for Refusal {
    fn from(status: &Status) -> Refusal {
        let details = status.get_error_details();
        let reason = details.error_info().map(|info| info.reason.clone());
        let mut message = status.message().to_owned();
        for violation in details
            .bad_request()
            .iter()
            .flat_map(|bad| &bad.field_violations)
            .take(3)
        {
            message += &format!("; {}: {}", violation.field, violation.description);
        }
        Refusal {
            reason: reason.unwrap_or_else(|| format!("{:?}", status.code())),
            message,
        }
    }
}

/// The longest snapshot of a hall.
const LARGEST: usize = 256 * 1024 * 1024;
const ONE_CALL: Duration = Duration::from_secs(10);

impl Office {
    /// Ready to call `hub` (`http://127.0.0.1:7878`) with this token. Nothing is sent yet.
    pub fn new(hub: &str, token: &str, patience: Duration) -> Result<Office, Trouble> {
        let setting = |what, why: String| Trouble::Setting { what, why };
        let endpoint =
            Endpoint::from_shared(hub.to_owned()).map_err(|error| setting("hub", format!("{hub}: {error}")))?;
        let channel = endpoint.connect_timeout(Duration::from_secs(2)).connect_lazy();
        let value = format!("Bearer {}", token.trim()).parse();
        let bearer = Bearer(value.map_err(|_| setting("token", "it has characters that no token has".to_owned()))?);
        Ok(Office {
            admin: AdminServiceClient::with_interceptor(channel.clone(), bearer.clone())
                .max_decoding_message_size(LARGEST),
            arbiter: ArbiterServiceClient::with_interceptor(channel.clone(), bearer.clone())
                .max_decoding_message_size(LARGEST),
            feed: FeedServiceClient::with_interceptor(channel, bearer).max_decoding_message_size(LARGEST),
            patience,
        })
    }

    /// Calls until there is an answer. `once` makes one attempt, each with the same request.
    pub async fn call<T, F, A>(&self, call: &'static str, mut once: F) -> Result<T, Trouble>
    where
        F: FnMut(Office) -> A,
        A: Future<Output = Result<Response<T>, Status>>,
    {
        let began = Instant::now();
        let mut wait = Duration::from_millis(50);
        loop {
            let last = match tokio::time::timeout(ONE_CALL, once(self.clone())).await {
                Ok(Ok(answer)) => return Ok(answer.into_inner()),
                Ok(Err(status)) if passing(&status) => status.to_string(),
                Ok(Err(status)) => {
                    return Err(Trouble::Refused {
                        call,
                        status: Refusal::from(&status),
                    });
                }
                Err(_) => "no answer in time".to_owned(),
            };
            if began.elapsed() > self.patience {
                return Err(Trouble::Gone {
                    call,
                    seconds: began.elapsed().as_secs(),
                    last,
                });
            }
            tracing::debug!(call, last, "calling again");
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(Duration::from_secs(1));
        }
    }
}

/// The hub, or the way to it, was not there: the same call may work a moment later.
fn passing(status: &Status) -> bool {
    match status.code() {
        Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled => true,
        // What a connection broken in mid-call looks like.
        Code::Unknown | Code::Internal => status.get_error_details().error_info().is_none(),
        _ => false,
    }
}

/// A fresh request id.
pub fn request_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

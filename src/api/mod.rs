//! The gRPC services: arbiters, administration and the hall's feed. Generated types stop here.
//!
//! A service reads a request, asks the hall and says its answer; it decides nothing, and owns no state. Who may call what is
//! one table ([`auth`]), what a refusal looks like one match (`errors`).

pub mod admin;
mod arbiter;
mod ask;
pub mod auth;
mod convert;
mod errors;
mod feed;
pub mod listener;
pub mod proto;
mod watch;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::Router;
use futures::FutureExt as _;
use tonic::service::Routes;
use tonic_web::GrpcWebLayer;

pub use admin::{JournalHead, PastGames};
pub use errors::DOMAIN;

use crate::hall::{CallError, HallHandle};
use crate::words::Language;
use crate::words::record::{Record, Which};
use proto::admin::v1::admin_service_server::AdminServiceServer;
use proto::arbiter::v1::arbiter_service_server::ArbiterServiceServer;
use proto::feed::v1::feed_service_server::FeedServiceServer;

/// What the hall does not know of itself.
#[derive(Clone)]
pub struct Surroundings {
    /// Where devices connect to: `mqtt://127.0.0.1:1883`.
    pub mqtt_url: String,
    /// Finds the journal's head.
    pub journal_head: JournalHead,
    /// Finds games that are at no table any more.
    pub past_games: PastGames,
    /// What is spoken to callers who ask for no other language.
    pub language: Language,
    /// Finds games' records.
    pub records: Records,
}

/// Finds a game's record in the journal. Blocks.
pub type Records = Arc<dyn Fn(&Which) -> Result<Record, CallError> + Send + Sync>;

/// All services, behind the door that asks for tokens. It sets no fallback, so that it can be merged with the pages of the
/// same port.
pub fn routes(hall: HallHandle, surroundings: Surroundings) -> Router {
    let (reporter, health) = tonic_health::server::health_reporter();
    let serving = async {
        reporter.set_serving::<ArbiterServiceServer<arbiter::Arbiters>>().await;
        reporter.set_serving::<AdminServiceServer<admin::Admin>>().await;
        reporter.set_serving::<FeedServiceServer<feed::Feed>>().await;
    };
    serving
        .now_or_never()
        .expect("nobody else has the reporter yet, so that nothing is waited for");
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(proto::DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let reflection_v1 = reflection()
        .build_v1()
        .expect("the descriptors were made by the compiler");
    let reflection_v1alpha = reflection()
        .build_v1alpha()
        .expect("the descriptors were made by the compiler");
    Routes::from(Router::new())
        .add_service(ArbiterServiceServer::new(arbiter::Arbiters {
            hall: hall.clone(),
            language: surroundings.language,
            records: Arc::clone(&surroundings.records),
            reading: Arc::new(tokio::sync::Semaphore::new(1)),
        }))
        .add_service(AdminServiceServer::new(admin::Admin {
            hall: hall.clone(),
            surroundings,
        }))
        .add_service(FeedServiceServer::new(feed::Feed { hall: hall.clone() }))
        .add_service(health)
        .add_service(reflection_v1)
        .add_service(reflection_v1alpha)
        .into_axum_router()
        .layer(axum::middleware::from_fn_with_state(hall, auth::door))
        // Browsers speak gRPC-Web; to everything behind this they are clients like any other.
        .layer(GrpcWebLayer::new())
}

/// The feed for the public, to whom a hall of its own is shown: without a door, because nobody has a token there, and without
/// anything that a door would be for.
pub fn public_routes(public: HallHandle) -> Router {
    let (reporter, health) = tonic_health::server::health_reporter();
    reporter
        .set_serving::<FeedServiceServer<feed::Feed>>()
        .now_or_never()
        .expect("nobody else has the reporter yet, so that nothing is waited for");
    Routes::from(Router::new())
        .add_service(FeedServiceServer::new(feed::Feed { hall: public }))
        .add_service(health)
        .into_axum_router()
        // What is not there is answered by the listener, not by gRPC-Web.
        .route_layer(GrpcWebLayer::new())
}

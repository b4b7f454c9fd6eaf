//! Calls of the hub's API that many tests make.

use std::sync::atomic::{AtomicU32, Ordering};

use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::arbiter::v1::arbiter_service_client::ArbiterServiceClient;
use tonic::Request;
use tonic::transport::Channel;

/// With a token.
pub fn by<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let token = format!("Bearer {token}").parse().expect("a token");
    request.metadata_mut().insert("authorization", token);
    request
}

/// An id that no other call of this process has.
fn request_id() -> String {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    format!("common-{}", ASKED.fetch_add(1, Ordering::Relaxed))
}

/// An event, with these words and the Laws' own regulations where it says nothing else.
pub async fn put_event(channel: Channel, token: &str, event: admin::Event) {
    let request = admin::PutEventRequest {
        request_id: request_id(),
        event: Some(event),
    };
    let answer = AdminServiceClient::new(channel).put_event(by(token, request)).await;
    answer.expect("the event");
}

/// An arbiter says how the game at this table has ended, whatever it has come to by now.
pub async fn set_result(channel: Channel, token: &str, table: u32, result: &str) {
    let mut client = ArbiterServiceClient::new(channel);
    let which = Some(arbiter::get_game_request::Which::Table(table));
    let game = client.get_game(by(token, arbiter::GetGameRequest { which })).await;
    let game = game.expect("shown").into_inner().table.and_then(|table| table.game);
    let request = arbiter::SetResultRequest {
        request_id: request_id(),
        reason: "scoresheets".to_owned(),
        table,
        revision: game.expect("a game").revision,
        result: result.to_owned(),
        game: String::new(),
    };
    client.set_result(by(token, request)).await.expect("set");
}

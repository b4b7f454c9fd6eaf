//! One port for everything that people reach: gRPC, pages, feeds and WebSockets.
//!
//! A tablet that left the hall without a word keeps its stream open for hours if nobody asks: HTTP/2 connections are pinged.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Redirect, Response};
use futures::future::Either;
use http::StatusCode;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

/// The first byte of whoever speaks TLS.
const TLS_HANDSHAKE: u8 = 0x16;
/// How often an idle HTTP/2 connection is pinged.
const PING_EVERY: Duration = Duration::from_secs(20);
/// And how long it may take to answer.
const PING_PATIENCE: Duration = Duration::from_secs(10);
/// A client that connects and says nothing is not waited for.
const HEADER_PATIENCE: Duration = Duration::from_secs(10);
/// What is under way at the stop gets so long; streams that never end are cut then.
const FAREWELL: Duration = Duration::from_secs(2);
/// After an accept that failed (no file descriptors left) there is a pause, or it would fail a million times.
const AFTER_FAILURE: Duration = Duration::from_millis(200);

/// Serves `router` until `stop`, then lets what is under way end. With `tls` it speaks nothing else; a browser that comes in plain
/// is sent where it should have gone. With `most` it has so many connections at a time; who comes then waits.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    tls: Option<Arc<rustls::ServerConfig>>,
    most: Option<usize>,
    stop: impl Future<Output = ()>,
) {
    let acceptor = tls.map(TlsAcceptor::from);
    let mut connections = JoinSet::new();
    let stopping = CancellationToken::new();
    tokio::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept(), if most.is_none_or(|most| connections.len() < most) => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(connection(stream, router.clone(), acceptor.clone(), stopping.clone()));
                }
                Err(error) => {
                    tracing::warn!(%error, "A connection could not be accepted.");
                    tokio::time::sleep(AFTER_FAILURE).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
    drop(listener);
    stopping.cancel();
    let farewell = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(FAREWELL, farewell).await.is_err() {
        connections.shutdown().await;
    }
}

async fn connection(stream: TcpStream, router: Router, acceptor: Option<TlsAcceptor>, stopping: CancellationToken) {
    // Small messages are to leave at once.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "A connection could not be set to send small messages at once.");
    }
    let Some(acceptor) = acceptor else {
        return speak(stream, router, stopping).await;
    };
    let shaken = async {
        let mut first = [0];
        if stream.peek(&mut first).await? == 1 && first[0] != TLS_HANDSHAKE {
            return Ok(Either::Left(stream));
        }
        acceptor
            .accept(stream)
            .await
            .map(|stream| Either::Right(Box::new(stream)))
    };
    tokio::select! {
        () = stopping.cancelled() => {}
        shaken = tokio::time::timeout(HEADER_PATIENCE, shaken) => match shaken {
            Ok(Ok(Either::Right(stream))) => speak(stream, router, stopping).await,
            Ok(Ok(Either::Left(stream))) => speak(stream, Router::new().fallback(by_tls), stopping).await,
            // A tablet that does not trust the certificate ends here; it says so to whoever holds it.
            Ok(Err(error)) => tracing::debug!(%error, "A TLS handshake failed."),
            Err(_) => tracing::debug!("A TLS handshake was not finished in time."),
        }
    }
}

/// Whoever comes without TLS is told where to come. No token is in an address, so that none was read on the way.
async fn by_tls(request: Request) -> Response {
    let host = request
        .headers()
        .get(http::header::HOST)
        .and_then(|host| host.to_str().ok());
    let asked = request.uri().path_and_query().map_or("/", |asked| asked.as_str());
    match host {
        Some(host) if request.method().is_safe() => {
            Redirect::temporary(&format!("https://{host}{asked}")).into_response()
        }
        _ => (
            StatusCode::BAD_REQUEST,
            "This hub speaks TLS: write https:// before its address.\n",
        )
            .into_response(),
    }
}

async fn speak<S>(stream: S, router: Router, stopping: CancellationToken)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_PATIENCE);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Some(PING_EVERY))
        .keep_alive_timeout(PING_PATIENCE)
        // A tablet may have many streams open; nobody needs thousands.
        .max_concurrent_streams(200);
    let service = TowerToHyperService::new(router);
    let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let served = tokio::select! {
        served = connection.as_mut() => served,
        () = stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(error = %error, "A connection ended badly.");
    }
}

//! What holds for every answer: who may call us by which name, and what a browser may do with what we say.

use std::net::IpAddr;
use std::sync::{Arc, LazyLock};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use sha2::{Digest as _, Sha256};

use crate::words::record::STYLE;

/// Names by which the hub may be called, beside `localhost` and addresses.
pub(super) type Names = Arc<[String]>;

/// Our own scripts, styles and pictures only; nothing inline but the style sheet of a game's record, which is a page by itself that the
/// console shows; nothing framed, nothing sent elsewhere. Not every browser takes `'self'` to hold for WebSockets: they are named
/// where the host is known.
pub(super) static POLICY: LazyLock<String> = LazyLock::new(|| {
    let record = STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-{record}'; img-src 'self'; manifest-src 'self'; \
         worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'"
    )
});

pub(super) const HEADERS: [(HeaderName, &str); 6] = [
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
];

/// Refuses strange hosts and pages from elsewhere, and dresses every answer.
pub(super) async fn guard(State(names): State<Names>, request: Request, next: Next) -> Response {
    if is_program(request.headers()) {
        // No browser makes such calls: a name that leads here proves nothing about them, and their token does.
        return next.run(request).await;
    }
    let host = called_rightly(&request, &names).map(str::to_owned);
    let mut answer = match &host {
        None => {
            let words = "This hub is not known by that name. Use its address, or add the name to listen.names in its configuration.\n";
            (StatusCode::MISDIRECTED_REQUEST, words).into_response()
        }
        Some(host) if !is_from_us(request.headers(), host) => {
            (StatusCode::FORBIDDEN, "Only this hub's own pages may ask this.\n").into_response()
        }
        Some(_) => next.run(request).await,
    };
    let policy = match host {
        Some(host) => format!("{} ws://{host} wss://{host}", *POLICY),
        None => POLICY.clone(),
    };
    let headers = answer.headers_mut();
    if let Ok(policy) = HeaderValue::try_from(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    answer
}

/// gRPC itself, which is not gRPC-Web.
fn is_program(headers: &HeaderMap) -> bool {
    let kind = text(headers, header::CONTENT_TYPE).unwrap_or_default();
    let is_grpc = kind
        .strip_prefix("application/grpc")
        .is_some_and(|rest| !rest.starts_with("-web"));
    is_grpc && !headers.contains_key(header::ORIGIN)
}

/// Nothing is said of where it comes from, or it comes from a page of ours.
fn is_from_us(headers: &HeaderMap, host: &str) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    origins.all(|origin| {
        let origin = origin.to_str().unwrap_or_default();
        let from = origin
            .strip_prefix("https://")
            .or_else(|| origin.strip_prefix("http://"));
        from.is_some_and(|from| from.eq_ignore_ascii_case(host))
    })
}

/// The host that is called, with its port, where it may be called so.
fn called_rightly<'a>(request: &'a Request, names: &[String]) -> Option<&'a str> {
    // HTTP/2 has the host in the address of the request.
    let authority = request.uri().authority().map(|authority| authority.as_str());
    let host = authority.or_else(|| text(request.headers(), header::HOST))?;
    let name = without_port(host);
    // Whoever can make a name lead here cannot make an address do so.
    let address = name.strip_prefix('[').map_or(Some(name), |rest| rest.strip_suffix(']'));
    let known = address.is_some_and(|address| address.parse::<IpAddr>().is_ok())
        || name.eq_ignore_ascii_case("localhost")
        || names.iter().any(|known| name.eq_ignore_ascii_case(known));
    known.then_some(host)
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(host: &str) -> bool {
        let request = Request::builder()
            .header("host", host)
            .body(axum::body::Body::empty())
            .expect("a request");
        called_rightly(&request, &["hub.example".to_owned()]).is_some()
    }

    #[test]
    fn a_host_is_an_address_localhost_or_a_name_that_was_configured() {
        for good in [
            "127.0.0.1:7878",
            "10.0.0.5",
            "[::1]:7878",
            "[fe80::1]",
            "localhost:7878",
            "Hub.Example:80",
        ] {
            assert!(called(good), "{good}");
        }
        for bad in [
            "",
            "evil.example",
            "evil.example:7878",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "[::1",
        ] {
            assert!(!called(bad), "{bad}");
        }
    }

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            let name: HeaderName = name.parse().expect("a name");
            (name, value.parse().expect("a value"))
        });
        pairs.collect()
    }

    #[test]
    fn only_our_own_pages_may_ask_and_programs_that_are_no_browsers() {
        for good in ["http://10.0.0.5:7878", "https://10.0.0.5:7878"] {
            assert!(is_from_us(&headers(&[("origin", good)]), "10.0.0.5:7878"), "{good}");
        }
        assert!(is_from_us(&HeaderMap::new(), "10.0.0.5:7878"));
        for bad in [
            "https://evil.example",
            "http://10.0.0.5",
            "http://10.0.0.5:7878.evil.example",
            "null",
            "",
        ] {
            assert!(!is_from_us(&headers(&[("origin", bad)]), "10.0.0.5:7878"), "{bad}");
        }
        for kind in ["application/grpc", "application/grpc+proto"] {
            assert!(is_program(&headers(&[("content-type", kind)])), "{kind}");
            let with_origin = headers(&[("content-type", kind), ("origin", "https://evil.example")]);
            assert!(!is_program(&with_origin), "{kind}");
        }
        for kind in [
            "application/grpc-web",
            "application/grpc-web+proto",
            "application/grpc-web-text",
            "text/html",
        ] {
            assert!(!is_program(&headers(&[("content-type", kind)])), "{kind}");
        }
    }
}

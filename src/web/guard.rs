//! What holds for every answer: who may call us by which name, and what a browser may do with what we say.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use super::Web;

/// Our own scripts, styles and pictures only; nothing inline, nothing framed, nothing sent elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
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

/// Refuses strange hosts and dresses every answer.
pub(super) async fn guard(State(web): State<Web>, request: Request, next: Next) -> Response {
    let mut answer = if called_rightly(&request, &web.serving.names) {
        next.run(request).await
    } else {
        let words = "This hub is not known by that name. Use its address, or add the name to listen.names in its configuration.\n";
        (StatusCode::MISDIRECTED_REQUEST, words).into_response()
    };
    for (name, value) in HEADERS {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
}

fn called_rightly(request: &Request, names: &[String]) -> bool {
    // HTTP/2 has the host in the address of the request.
    let authority = request.uri().authority().map(|authority| authority.as_str());
    let Some(host) = authority.or_else(|| text(request.headers(), header::HOST)) else {
        return false;
    };
    let name = without_port(host);
    // Whoever can make a name lead here cannot make an address do so.
    let address = name.strip_prefix('[').map_or(Some(name), |rest| rest.strip_suffix(']'));
    address.is_some_and(|address| address.parse::<IpAddr>().is_ok())
        || name.eq_ignore_ascii_case("localhost")
        || names.iter().any(|known| name.eq_ignore_ascii_case(known))
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
        called_rightly(&request, &["hub.example".to_owned()])
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
}

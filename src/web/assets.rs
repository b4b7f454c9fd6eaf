//! The pages' sources, which stand in `web/`, built into the binary.

use std::sync::LazyLock;

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use sha2::{Digest as _, Sha256};

/// One file.
pub(super) struct Asset {
    /// Where it is served.
    pub(super) path: &'static str,
    kind: &'static str,
    content: &'static str,
}

/// A file is served by its place below `web/`, or, built, by another name.
macro_rules! assets {
    ($($path:literal $(from $file:literal)?: $kind:ident),* $(,)?) => {
        &[$(Asset { path: $path, kind: $kind, content: assets!(@content $path $(, $file)?) }),*]
    };
    (@content $path:literal) => { include_str!(concat!("../../web", $path)) };
    (@content $path:literal, $file:literal) => { include_str!(concat!("../../web", $file)) };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";
const TEXT: &str = "text/plain; charset=utf-8";

/// All of them.
pub(super) static ALL: &[Asset] = assets! {
    "/start/index.html": HTML,
    "/start/start.css": CSS,
    "/hall/index.html": HTML,
    "/hall/hall.css": CSS,
    "/hall/hall.js": SCRIPT,
    "/hall/board.js": SCRIPT,
    "/hall/boards.js": SCRIPT,
    "/hall/card.js": SCRIPT,
    "/hall/clockface.js": SCRIPT,
    "/hall/feed.js": SCRIPT,
    "/hall/grid.js": SCRIPT,
    "/hall/halltime.js": SCRIPT,
    "/hall/options.js": SCRIPT,
    "/hall/results.js": SCRIPT,
    "/hall/standings.js": SCRIPT,
    "/hall/words.js": SCRIPT,
    "/arbiter/index.html" from "/arbiter/dist/index.html": HTML,
    "/arbiter/console.css" from "/arbiter/dist/console.css": CSS,
    "/arbiter/console.js" from "/arbiter/dist/console.js": SCRIPT,
    "/arbiter/console.webmanifest" from "/arbiter/dist/console.webmanifest": MANIFEST,
    "/arbiter/icon.svg" from "/arbiter/dist/icon.svg": SVG,
    "/arbiter/licences.txt" from "/arbiter/dist/licences.txt": TEXT,
    // At the root, so that it may serve `/arbiter` itself.
    "/arbiter-shell.js" from "/arbiter/dist/arbiter-shell.js": SCRIPT,
    "/table/index.html" from "/table/dist/index.html": HTML,
    "/table/table.css" from "/table/dist/table.css": CSS,
    "/table/table.js" from "/table/dist/table.js": SCRIPT,
    "/table-shell.js" from "/table/dist/table-shell.js": SCRIPT,
    "/pieces/wK.svg": SVG,
    "/pieces/wQ.svg": SVG,
    "/pieces/wR.svg": SVG,
    "/pieces/wB.svg": SVG,
    "/pieces/wN.svg": SVG,
    "/pieces/wP.svg": SVG,
    "/pieces/bK.svg": SVG,
    "/pieces/bQ.svg": SVG,
    "/pieces/bR.svg": SVG,
    "/pieces/bB.svg": SVG,
    "/pieces/bN.svg": SVG,
    "/pieces/bP.svg": SVG,
    "/pieces/LICENSE": TEXT,
};

/// Changes with any of the files: a page that is open while the hub is replaced by a newer one loads itself again.
pub(super) static EDITION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for asset in ALL {
        hash.update(asset.content);
    }
    short(&hash.finalize())
});

fn short(hash: &[u8]) -> String {
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// What changes with a body, for `ETag`.
pub(super) fn tag_of(body: &str) -> String {
    format!("\"{}\"", short(&Sha256::digest(body)))
}

/// A page by its file.
pub(super) async fn page(path: &'static str) -> Response {
    match ALL.iter().find(|asset| asset.path == path) {
        Some(asset) => serve(asset, HeaderMap::new()).await,
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The table's clock, which has to know the hall's name: it stands in every topic.
pub(super) async fn clock_page(hall: &str) -> Response {
    match ALL.iter().find(|asset| asset.path == "/table/index.html") {
        Some(asset) => {
            let page = asset
                .content
                .replacen("<html ", &format!("<html data-hall=\"{hall}\" "), 1);
            (
                [(header::CACHE_CONTROL, "no-cache"), (header::CONTENT_TYPE, asset.kind)],
                page,
            )
                .into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// One file; nothing but the news that it is unchanged, where the browser has it.
pub(super) async fn serve(asset: &'static Asset, headers: HeaderMap) -> Response {
    let tag = tag_of(asset.content);
    // Asked for again each time: a hall's screen must not go on with yesterday's script.
    let caching = [
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag.clone()),
    ];
    if headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known == tag.as_str())
    {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    (caching, [(header::CONTENT_TYPE, asset.kind)], asset.content).into_response()
}

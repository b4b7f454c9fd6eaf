//! Firefox ESR, spoken to by WebDriver BiDi: its own, without a driver beside it.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::browser::free_port;
use crate::glass::Glass;

const PROGRAM: &str = "/usr/bin/firefox-esr";
const SOON: Duration = Duration::from_secs(60);

/// A Firefox with one window; gone when dropped.
pub struct Firefox {
    program: Child,
    link: Mutex<WebSocketStream<MaybeTlsStream<TcpStream>>>,
    next: AtomicU64,
    /// The window's context.
    context: String,
    _profile: tempfile::TempDir,
}

/// Whether it is here.
pub fn is_installed() -> bool {
    Path::new(PROGRAM).exists()
}

impl Drop for Firefox {
    fn drop(&mut self) {
        let _gone = self.program.kill();
        let _reaped = self.program.wait();
    }
}

impl Firefox {
    /// One command, and what it answers.
    async fn ask(&self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut link = self.link.lock().await;
        let text = json!({ "id": id, "method": method, "params": params }).to_string();
        link.send(Message::text(text))
            .await
            .map_err(|error| error.to_string())?;
        loop {
            let message = tokio::time::timeout(SOON, link.next())
                .await
                .map_err(|_| format!("{method}: no answer"))?;
            let message = message.ok_or("Firefox is gone")?.map_err(|error| error.to_string())?;
            let Message::Text(text) = message else { continue };
            let said: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            if said["id"] != id {
                continue;
            }
            return match said["type"].as_str() {
                Some("success") => Ok(said["result"].clone()),
                _ => Err(format!("{method}: {}", said["message"])),
            };
        }
    }

    async fn does(&self, method: &str, params: Value) -> Value {
        self.ask(method, params).await.unwrap_or_else(|why| panic!("{why}"))
    }
}

/// What a value of BiDi is as JSON.
fn plain(value: &Value) -> Value {
    match value["type"].as_str() {
        Some("array") => Value::Array(value["value"].as_array().into_iter().flatten().map(plain).collect()),
        Some("object") => {
            let pairs = value["value"].as_array().into_iter().flatten();
            let pairs = pairs.filter_map(|pair| Some((pair[0].as_str()?.to_owned(), plain(&pair[1]))));
            Value::Object(pairs.collect())
        }
        Some("string" | "number" | "boolean") => value["value"].clone(),
        _ => Value::Null,
    }
}

impl Glass for Firefox {
    async fn open(width: u32, height: u32) -> Firefox {
        assert!(is_installed(), "Firefox is missing: apt-get install firefox-esr");
        let profile = tempfile::tempdir().expect("a folder for the profile");
        // Touches as on a phone; nothing that looks for news.
        let prefs = "user_pref('dom.w3c_touch_events.enabled', 1);\nuser_pref('app.update.disabledForTesting', true);\n\
                     user_pref('datareporting.policy.dataSubmissionEnabled', false);\nuser_pref('browser.shell.checkDefaultBrowser', false);\n\
                     user_pref('network.captive-portal-service.enabled', false);\nuser_pref('intl.accept_languages', 'en');\n";
        std::fs::write(profile.path().join("user.js"), prefs).expect("written");
        let port = free_port();
        let program = Command::new(PROGRAM)
            .args(["--headless", "--no-remote", "--profile"])
            .arg(profile.path())
            .arg(format!("--remote-debugging-port={port}"))
            .args(["--width", &width.to_string(), "--height", &height.to_string()])
            .env("MOZ_HEADLESS_WIDTH", width.to_string())
            .env("MOZ_HEADLESS_HEIGHT", height.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Firefox starts");
        let begun = Instant::now();
        let link = loop {
            match connect_async(format!("ws://127.0.0.1:{port}/session")).await {
                Ok((link, _)) => break link,
                Err(error) => assert!(begun.elapsed() < SOON, "Firefox does not answer: {error}"),
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        };
        let mut firefox = Firefox {
            program,
            link: Mutex::new(link),
            next: AtomicU64::new(1),
            context: String::new(),
            _profile: profile,
        };
        firefox.does("session.new", json!({ "capabilities": {} })).await;
        let tree = firefox.does("browsingContext.getTree", json!({})).await;
        firefox.context = tree["contexts"][0]["context"].as_str().expect("a window").to_owned();
        let viewport = json!({ "context": firefox.context, "viewport": { "width": width, "height": height } });
        firefox.does("browsingContext.setViewport", viewport).await;
        firefox
    }

    async fn goto(&self, address: &str) {
        let params = json!({ "context": self.context, "url": address, "wait": "complete" });
        self.does("browsingContext.navigate", params).await;
    }

    async fn refresh(&self) {
        let params = json!({ "context": self.context, "wait": "complete" });
        self.does("browsingContext.reload", params).await;
    }

    async fn value(&self, expression: &str) -> Value {
        let params = json!({
            "expression": expression, "target": { "context": self.context }, "awaitPromise": true,
            "serializationOptions": { "maxObjectDepth": 8 },
        });
        let found = self.does("script.evaluate", params).await;
        assert_eq!(
            found["type"], "success",
            "{expression}: {}",
            found["exceptionDetails"]["text"]
        );
        plain(&found["result"])
    }

    async fn touch_at(&self, x: f64, y: f64, held: Duration) {
        let (x, y) = (x.round(), y.round());
        let finger = json!({
            "type": "pointer", "id": "finger", "parameters": { "pointerType": "touch" },
            "actions": [
                { "type": "pointerMove", "x": x as i64, "y": y as i64 },
                { "type": "pointerDown", "button": 0 },
                { "type": "pause", "duration": held.as_millis() as u64 },
                { "type": "pointerUp", "button": 0 },
            ],
        });
        let params = json!({ "context": self.context, "actions": [finger] });
        self.does("input.performActions", params).await;
    }

    async fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("FLAGFALL_SCREENSHOTS") else {
            return;
        };
        use base64::Engine as _;
        let shot = self
            .does("browsingContext.captureScreenshot", json!({ "context": self.context }))
            .await;
        let png = base64::engine::general_purpose::STANDARD.decode(shot["data"].as_str().expect("a picture"));
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        let file = Path::new(&folder).join(format!("{name}.png"));
        std::fs::write(file, png.expect("base64")).expect("the picture can be written");
    }

    async fn end(self) {
        let _ended = self.ask("browser.close", json!({})).await;
    }
}

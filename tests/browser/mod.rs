//! Debian's chromium, driven through chromedriver.

use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};

/// What chromium needs on a closed network, and as root.
const FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
];

/// A browser with one window; gone when dropped.
pub struct Browser {
    driver: Child,
    /// The window.
    pub page: Client,
    _profile: tempfile::TempDir,
}

/// A port nobody listens on just now.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback has a free port");
    listener.local_addr().expect("a bound listener has an address").port()
}

impl Browser {
    /// Starts one with a window of this size, preferring dark or light colours.
    pub async fn start(width: u32, height: u32, scheme: &str) -> Browser {
        Browser::start_at_home(width, height, scheme, None).await
    }

    /// The same with this folder as its user's home: whom that trusts, it trusts.
    pub async fn start_at_home(width: u32, height: u32, scheme: &str, home: Option<&Path>) -> Browser {
        assert!(
            Path::new("/usr/bin/chromium").exists() && Path::new("/usr/bin/chromedriver").exists(),
            "chromium is missing: apt-get install chromium chromium-driver"
        );
        let port = free_port();
        let mut driver = Command::new("/usr/bin/chromedriver");
        if let Some(home) = home {
            driver.env("HOME", home);
        }
        let driver = driver
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .expect("chromedriver starts");
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let mut flags: Vec<String> = FLAGS.iter().map(|flag| (*flag).to_owned()).collect();
        flags.push(format!("--window-size={width},{height}"));
        flags.push(format!("--user-data-dir={}", profile.path().display()));
        let capabilities = json!({
            "browserName": "chrome",
            "goog:chromeOptions": { "binary": "/usr/bin/chromium", "args": flags },
        });
        let Value::Object(capabilities) = capabilities else {
            unreachable!("an object was made")
        };
        let begun = Instant::now();
        let page = loop {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            match builder
                .capabilities(capabilities.clone())
                .connect(&format!("http://127.0.0.1:{port}"))
                .await
            {
                Ok(page) => break page,
                Err(error) if begun.elapsed() > Duration::from_secs(20) => {
                    panic!("chromedriver does not answer: {error}")
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        };
        let browser = Browser {
            driver,
            page,
            _profile: profile,
        };
        browser.resize(width, height).await;
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        browser.devtools("Emulation.setEmulatedMedia", features).await;
        // What a test takes for granted shows on a slow tablet: FLAGFALL_SLOW=8 leaves the page an eighth of the machine.
        if let Some(slow) = std::env::var_os("FLAGFALL_SLOW") {
            let rate: f64 = slow
                .to_string_lossy()
                .parse()
                .expect("FLAGFALL_SLOW is how many times slower a page is");
            browser
                .devtools("Emulation.setCPUThrottlingRate", json!({ "rate": rate }))
                .await;
        }
        browser
    }

    /// Shows the page in so many pixels; below 640 as a phone does. The window's own frame does not count, nor the screen that
    /// headless chromium imagines.
    pub async fn resize(&self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 640 });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
    }

    /// Seconds that the page has spent so far on script, style and layout together.
    pub async fn busy(&self) -> f64 {
        self.devtools("Performance.enable", json!({})).await;
        let told = self.devtools("Performance.getMetrics", json!({})).await;
        let wanted = ["ScriptDuration", "RecalcStyleDuration", "LayoutDuration"];
        let metrics = told["metrics"].as_array().expect("chromium tells its metrics");
        metrics
            .iter()
            .filter(|metric| wanted.iter().any(|name| metric["name"] == *name))
            .filter_map(|metric| metric["value"].as_f64())
            .sum()
    }

    /// One of chromium's own commands, and what it answers.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        let command = Devtools {
            command: command.to_owned(),
            parameters,
        };
        self.page.issue_cmd(command).await.expect("chromium takes the command")
    }

    /// What a JavaScript expression yields on the page.
    pub async fn value(&self, expression: &str) -> Value {
        let script = format!("return {expression};");
        self.page
            .execute(&script, Vec::new())
            .await
            .unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Waits until the expression is true.
    pub async fn until(&self, expression: &str, patience: Duration) {
        let begun = Instant::now();
        while self.value(expression).await != Value::Bool(true) {
            if begun.elapsed() > patience {
                let seen = self.value("document.body.innerText").await;
                panic!("after {patience:?} this is still not so: {expression}\nthe page says: {seen}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until the expression yields this.
    pub async fn comes_to(&self, expression: &str, value: impl Into<Value>) {
        let value = value.into();
        let patience = Duration::from_secs(10);
        let begun = Instant::now();
        loop {
            let found = self.value(expression).await;
            if found == value {
                return;
            }
            assert!(
                begun.elapsed() < patience,
                "after {patience:?} {expression} is {found}, not {value}"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Writes a picture of the window where `FLAGFALL_SCREENSHOTS` names a folder, and gives its PNG.
    pub async fn picture(&self, name: &str) -> Vec<u8> {
        let png = self.page.screenshot().await.expect("chromium takes a picture");
        if let Some(folder) = std::env::var_os("FLAGFALL_SCREENSHOTS") {
            std::fs::create_dir_all(&folder).expect("the folder can be made");
            std::fs::write(Path::new(&folder).join(format!("{name}.png")), &png).expect("the picture can be written");
        }
        png
    }

    /// Closes the window.
    pub async fn end(self) {
        // The browser goes with its driver anyway; this only lets it go in peace.
        let _ended = self.page.clone().close().await;
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // With the chromium that it has started: after a test that failed it would go on, and take the next one's time.
        let _gone = kill_process_group(Pid::from_child(&self.driver), Signal::KILL);
        let _reaped = self.driver.wait();
    }
}

#[derive(Debug)]
struct Devtools {
    command: String,
    parameters: Value,
}

impl fantoccini::wd::WebDriverCompatibleCommand for Devtools {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        let body = json!({ "cmd": self.command, "params": self.parameters });
        (http::Method::POST, Some(body.to_string()))
    }
}

//! What hands touch and eyes read, in whichever browser.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::browser::Browser;

/// Until a stale view says so, and until an act that got no answer is given up, with room for a slow machine.
pub const WHILE: Duration = Duration::from_secs(20);
const TOUCH: Duration = Duration::from_millis(30);

/// A window of a browser.
pub trait Glass: Sized {
    /// Opens one of this size.
    async fn open(width: u32, height: u32) -> Self;
    async fn goto(&self, address: &str);
    async fn refresh(&self);
    /// What an expression yields.
    async fn value(&self, expression: &str) -> Value;
    /// A finger at this place, in pixels of the page, for so long.
    async fn touch_at(&self, x: f64, y: f64, held: Duration);
    /// A picture, where `FLAGFALL_SCREENSHOTS` names a folder.
    async fn picture(&self, name: &str);
    async fn end(self);

    async fn until(&self, expression: &str, patience: Duration) {
        let begun = Instant::now();
        while self.value(expression).await != Value::Bool(true) {
            if begun.elapsed() > patience {
                let seen = self.value("document.body.innerText").await;
                panic!("after {patience:?} this is still not so: {expression}\nthe page says: {seen}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// A finger on the middle of what this selects.
    async fn touch(&self, selector: &str, held: Duration) {
        let script = format!(
            "(() => {{ const box = document.querySelector({selector:?}).getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        );
        let at = self.value(&script).await;
        let pixel = |index: usize| at[index].as_f64().expect("pixels");
        self.touch_at(pixel(0), pixel(1), held).await;
    }

    async fn touches(&self, selector: &str) {
        self.touch(selector, TOUCH).await;
    }

    /// Taps what is seen and says this; the last one, because a sheet lies over the page.
    async fn tap(&self, words: &str) {
        let found = format!(
            "[...document.querySelectorAll('button, a')].filter(e => e.offsetParent !== null && !e.disabled && \
             (e.textContent.includes({words:?}) || e.getAttribute('aria-label') === {words:?})).at(-1)"
        );
        self.until(&format!("{found} !== undefined"), WHILE).await;
        self.value(&format!("{found}.click() ?? true")).await;
    }

    /// Taps what this selects, once it can be tapped.
    async fn tap_on(&self, selector: &str) {
        let there = format!("(document.querySelector({selector:?})?.disabled ?? true) === false");
        self.until(&there, WHILE).await;
        self.value(&format!("document.querySelector({selector:?}).click() ?? true"))
            .await;
    }

    /// Waits until the part of the page says so.
    async fn says(&self, selector: &str, words: &str) {
        let script =
            format!("[...document.querySelectorAll({selector:?})].some(e => e.textContent.includes({words:?}))");
        self.until(&script, WHILE).await;
    }

    async fn says_no_more(&self, selector: &str, words: &str) {
        let script =
            format!("[...document.querySelectorAll({selector:?})].every(e => !e.textContent.includes({words:?}))");
        self.until(&script, WHILE).await;
    }

    async fn go(&self, hash: &str) {
        self.value(&format!("(location.hash = {hash:?}) && true")).await;
        // The page before it goes first.
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
}

impl Glass for Browser {
    async fn open(width: u32, height: u32) -> Browser {
        Browser::start(width, height, "light").await
    }

    async fn goto(&self, address: &str) {
        self.page.goto(address).await.expect("the page opens");
    }

    async fn refresh(&self) {
        self.page.refresh().await.expect("loads again");
    }

    async fn value(&self, expression: &str) -> Value {
        Browser::value(self, expression).await
    }

    async fn touch_at(&self, x: f64, y: f64, held: Duration) {
        let points = serde_json::json!([{ "x": x, "y": y }]);
        for (kind, points) in [("touchStart", points), ("touchEnd", serde_json::json!([]))] {
            let event = serde_json::json!({ "type": kind, "touchPoints": points });
            self.devtools("Input.dispatchTouchEvent", event).await;
            if kind == "touchStart" {
                tokio::time::sleep(held).await;
            }
        }
    }

    async fn picture(&self, name: &str) {
        let _png = Browser::picture(self, name).await;
    }

    async fn end(self) {
        Browser::end(self).await;
    }
}

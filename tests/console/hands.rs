//! What an arbiter's hands and eyes do on the page.

use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::Browser;

const SOON: Duration = Duration::from_secs(10);
/// Until a stale view says so, and until an act that got no answer is given up, with room for a slow machine.
pub const WHILE: Duration = Duration::from_secs(20);

/// Taps what is seen and says this; the last one, because a sheet lies over the page.
pub async fn tap(browser: &Browser, words: &str) {
    let found = format!(
        "[...document.querySelectorAll('button, a')].filter(e => e.offsetParent !== null && !e.disabled && \
         (e.textContent.includes({words:?}) || e.getAttribute('aria-label') === {words:?})).at(-1)"
    );
    browser.until(&format!("{found} !== undefined"), SOON).await;
    browser.value(&format!("{found}.click() ?? true")).await;
}

/// A finger on the middle of what this selects, for so long; as real as chromium makes it, with the time of the touch.
pub async fn touch(browser: &Browser, selector: &str, held: Duration) {
    let script = format!(
        "(() => {{ const box = document.querySelector({selector:?}).getBoundingClientRect(); \
         return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
    );
    let at = browser.value(&script).await;
    let points = json!([{ "x": at[0], "y": at[1] }]);
    for (kind, points) in [("touchStart", points), ("touchEnd", json!([]))] {
        let event = json!({ "type": kind, "touchPoints": points });
        browser.devtools("Input.dispatchTouchEvent", event).await;
        if kind == "touchStart" {
            tokio::time::sleep(held).await;
        }
    }
}

/// Writes into the field with this label, as fingers do.
pub async fn write(browser: &Browser, label: &str, text: &str) {
    let script = format!(
        "(() => {{ const label = [...document.querySelectorAll('label')].filter(l => l.offsetParent !== null && \
         l.textContent.includes({label:?})).at(-1); const input = label?.querySelector('input'); if (!input) return false; \
         input.value = {text:?}; input.dispatchEvent(new Event('input', {{ bubbles: true }})); return true; }})()"
    );
    browser.until(&script, SOON).await;
}

pub async fn go(browser: &Browser, hash: &str) {
    browser.value(&format!("(location.hash = {hash:?}) && true")).await;
}

/// Waits until the page, or the part of it, says so.
pub async fn says(browser: &Browser, selector: &str, words: &str) {
    let script = format!("[...document.querySelectorAll({selector:?})].some(e => e.textContent.includes({words:?}))");
    browser.until(&script, WHILE).await;
}

pub async fn says_no_more(browser: &Browser, selector: &str, words: &str) {
    let script = format!("[...document.querySelectorAll({selector:?})].every(e => !e.textContent.includes({words:?}))");
    browser.until(&script, WHILE).await;
}

/// Nothing that axe-core holds to be serious; `FLAGFALL_AXE` names its script.
pub async fn is_accessible(browser: &Browser, page: &str) {
    let Some(axe) = std::env::var_os("FLAGFALL_AXE") else {
        println!("{page}: not checked by axe-core, FLAGFALL_AXE is not set");
        return;
    };
    let axe = std::fs::read_to_string(axe).expect("axe-core can be read");
    browser
        .page
        .execute(&axe, Vec::new())
        .await
        .expect("axe-core is taken in");
    let script = "const done = arguments[arguments.length - 1]; axe.run(document).then(found => done(found.violations \
                  .filter(v => v.impact === 'serious' || v.impact === 'critical') \
                  .map(v => `${v.id}: ${v.nodes[0].target.join(' ')} ${v.nodes[0].failureSummary}`)));";
    let found = browser
        .page
        .execute_async(script, Vec::new())
        .await
        .expect("axe-core looks");
    assert_eq!(found, Value::Array(Vec::new()), "{page}");
}

/// Nothing stands out at the side, whatever the language.
pub async fn fits(browser: &Browser, page: &str, width: u32) {
    let over = "[...document.querySelectorAll('main *, header *, nav *, dialog[open] *')].filter(e => e.checkVisibility() && \
                !e.closest('.hidden, .cg-wrap') && e.getBoundingClientRect().right > innerWidth + 1) \
                .slice(0, 3).map(e => e.className + ': ' + e.textContent.slice(0, 40))";
    assert_eq!(
        browser.value(over).await,
        Value::Array(Vec::new()),
        "{page} at {width} is too wide"
    );
}

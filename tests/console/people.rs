//! The chief arbiter gives a token and makes it void; a game on paper.

use std::time::Duration;

use serde_json::Value;

use crate::browser::Browser;
use crate::hands::{fits, go, is_accessible, says, tap, write};
use crate::house::House;

const SOON: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_shown_once_opens_the_console_and_ends_at_once_when_it_is_made_void() {
    let house = House::open(2, "15m+10s").await;
    let anna = house.console(&house.anna, house.hub.http_addr, 390, 844).await;
    go(&anna, "#/people").await;
    says(&anna, ".person", "Ben").await;
    fits(&anna, "people", 390).await;
    is_accessible(&anna, "people").await;
    tap(&anna, "Give somebody a token").await;
    write(&anna, "Name", "Cara <img src=x>").await;
    is_accessible(&anna, "giving a token").await;
    fits(&anna, "giving a token", 390).await;
    tap(&anna, "Give the token").await;
    says(&anna, ".sheet .note", "Shown only now").await;
    let path = anna
        .value("document.querySelector('.qr path').getAttribute('d').length")
        .await;
    assert!(path.as_u64().is_some_and(|length| length > 2_000), "{path}");
    fits(&anna, "a token", 390).await;
    anna.picture("console-token-390x844").await;
    let link = anna.value("document.querySelector('.sheet textarea').value").await;
    let link = link.as_str().expect("a link").to_owned();
    assert!(
        link.starts_with(&format!("http://{}/arbiter#token=", house.hub.http_addr)),
        "{link}"
    );
    tap(&anna, "Close").await;
    anna.comes_to("document.querySelectorAll('.qr').length", 0).await;
    says(&anna, ".person", "Cara <img src=x>").await;
    assert_eq!(anna.value("document.querySelectorAll('.person img').length").await, 0);

    let cara = Browser::start(390, 844, "dark").await;
    cara.page.goto(&link).await.expect("the page opens");
    says(&cara, ".row", "1").await;
    cara.comes_to("location.hash", "").await;
    // He gives no tokens himself.
    go(&cara, "#/people").await;
    says(&cara, ".page", "chief arbiter").await;

    tap(&anna, "Make void").await;
    says(&anna, ".sheet", "Every page that is open").await;
    tap(&anna, "Make void").await;
    says(&cara, ".login .note", "revoked").await;
    anna.until(
        "![...document.querySelectorAll('.person')].some(e => e.textContent.includes('Cara'))",
        SOON,
    )
    .await;
    cara.comes_to("localStorage.getItem('flagfall-arbiter-token')", Value::Null)
        .await;
    cara.end().await;
    anna.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_is_shown_with_its_own_style_and_nothing_of_it_runs() {
    let house = House::open(1, "15m+10s").await;
    let ben = house.console(&house.ben, house.hub.http_addr, 1280, 800).await;
    go(&ben, "#/table/1").await;
    tap(&ben, "Print this record").await;
    let page = "document.querySelector('.record-page')?.contentDocument";
    ben.until(&format!("{page}?.body?.textContent.includes('Scoresheet')"), SOON)
        .await;
    // 8.5 pt: the one style sheet that the page's policy names.
    let size = ben
        .value(&format!("getComputedStyle({page}.querySelector('.journal')).fontSize"))
        .await;
    assert!(size.as_str().is_some_and(|size| size.starts_with("11.3")), "{size}");
    assert_eq!(
        ben.value(&format!("{page}.querySelectorAll('img, script').length"))
            .await,
        0
    );
    assert_ne!(ben.value("document.title").await, "owned");
    let link = "document.querySelector('.sheet a[download]')?.getAttribute('href') ?? ''";
    ben.until(&format!("({link}).startsWith('blob:')"), SOON).await;
    ben.picture("console-record-1280x800").await;
    ben.end().await;
}

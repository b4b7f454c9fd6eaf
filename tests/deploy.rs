//! What stands in `deploy/` fits the program.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every `flagfall_…` word of a text.
fn metrics_in(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !(c.is_ascii_lowercase() || c == '_'))
        .filter(|word| word.starts_with("flagfall_"))
        .map(|word| word.trim_end_matches("_bucket").to_owned())
        .collect()
}

#[test]
fn the_example_configuration_is_the_documented_default() {
    assert_eq!(
        read("deploy/hall.toml"),
        flagfall::config::DEFAULT,
        "write it anew: flagfall config print > deploy/hall.toml"
    );
}

#[test]
fn the_dashboard_shows_every_metric_that_the_hub_has_and_no_other() {
    let shown = metrics_in(&read("deploy/grafana.json"));
    let exported = metrics_in(&read("src/telemetry.rs"));
    assert_eq!(shown, exported);
}

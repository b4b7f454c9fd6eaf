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

#[test]
fn every_metric_that_is_named_is_counted_somewhere() {
    let mut code = String::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("src can be read") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("src/telemetry.rs") {
                code.push_str(&fs::read_to_string(path).expect("a source can be read"));
            }
        }
    }
    let telemetry = read("src/telemetry.rs");
    let names = telemetry
        .lines()
        .filter_map(|line| line.strip_prefix("pub const ")?.split_once(": &str = \"flagfall_"));
    let idle: Vec<_> = names
        .map(|(name, _)| name)
        .filter(|name| {
            !code
                .split(|c: char| !c.is_ascii_uppercase() && c != '_')
                .any(|word| word == *name)
        })
        .collect();
    assert!(idle.is_empty(), "no code counts {idle:?}");
}

#!/usr/bin/env bash
# Pictures of the hall's screen (of the running demo, and of its other views), of a recorder's board, and of the arbiters' console, into target/screenshots (or the folder named).
set -eu
cd "$(dirname "$0")/.."
cargo build --locked --release
FLAGFALL_SCREENSHOTS=${1:-$PWD/target/screenshots} FLAGFALL_BIN=$PWD/target/release/flagfall \
    cargo test --locked --test screen -- --include-ignored --nocapture
FLAGFALL_SCREENSHOTS=${1:-$PWD/target/screenshots} FLAGFALL_BIN=$PWD/target/release/flagfall \
    cargo test --locked --test play -- --nocapture recorder
FLAGFALL_SCREENSHOTS=${1:-$PWD/target/screenshots} cargo test --locked --test console -- --nocapture every_page_fits
ls -l "${1:-target/screenshots}"

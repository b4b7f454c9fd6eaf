#!/usr/bin/env bash
# Pictures of the hall's screen, made of the running demo, into target/screenshots (or the folder named).
set -eu
cd "$(dirname "$0")/.."
cargo build --locked --release
FLAGFALL_SCREENSHOTS=${1:-$PWD/target/screenshots} FLAGFALL_BIN=$PWD/target/release/flagfall \
    cargo test --locked --test screen -- --ignored --nocapture
ls -l "${1:-target/screenshots}"

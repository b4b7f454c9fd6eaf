//! Compiles `proto/` in pure Rust: no `protoc` is needed.

use std::error::Error;
use std::path::{Path, PathBuf};

use prost::Message as _;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=proto");
    let mut files = Vec::new();
    protos_below(Path::new("proto"), &mut files)?;
    files.sort();

    let set = protox::compile(&files, ["proto"])?;
    let bytes = set.encode_to_vec();
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("flagfall.bin"), &bytes)?;

    tonic_prost_build::configure().build_transport(true).compile_fds(set)?;
    // Devices may speak proto3 JSON. What goes down to them has the names of the .proto, and every field: makers read it
    // without a library.
    pbjson_build::Builder::new()
        .register_descriptors(&bytes)?
        .preserve_proto_field_names()
        .emit_fields()
        .build(&[".flagfall.device.v1"])?;
    // So does `--json`.
    pbjson_build::Builder::new().register_descriptors(&bytes)?.build(&[
        ".flagfall.feed.v1",
        ".flagfall.arbiter.v1",
        ".flagfall.admin.v1",
    ])?;
    Ok(())
}

fn protos_below(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            protos_below(&path, found)?;
        } else if path.extension().is_some_and(|end| end == "proto") {
            found.push(path);
        }
    }
    Ok(())
}

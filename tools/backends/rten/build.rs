//! Generates the code for the messages of the worker protocol, and determines the version of rten.

use std::io::{Error, Result};

const PROTOCOL: &str = "../../../conformance/backends/workers";

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed={PROTOCOL}/worker.proto");
    prost_build::compile_protos(&[format!("{PROTOCOL}/worker.proto")], &[PROTOCOL])?;

    // rten does not provide its version, but Cargo knows it.
    let version = include_str!("Cargo.lock")
        .split_once("name = \"rten\"\nversion = \"")
        .and_then(|(_, rest)| rest.split('"').next())
        .ok_or_else(|| Error::other("Cargo.lock has no rten"))?;
    println!("cargo::rustc-env=RTEN_VERSION={version}");
    Ok(())
}

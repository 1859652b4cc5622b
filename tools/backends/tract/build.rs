//! Generates the code for the messages of the worker protocol, and determines the version of tract.

use std::io::{Error, Result};

const PROTOCOL: &str = "../../../conformance/backends/workers";

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed={PROTOCOL}/worker.proto");
    // A Tensor is an onnx.TensorProto on the wire, for which tract has a type.
    prost_build::Config::new()
        .extern_path(".touchstone.worker.Tensor", "::tract_onnx::pb::TensorProto")
        .compile_protos(&[format!("{PROTOCOL}/worker.proto")], &[PROTOCOL])?;

    // tract does not provide its version, but Cargo knows it.
    let version = include_str!("Cargo.lock")
        .split_once("name = \"tract-onnx\"\nversion = \"")
        .and_then(|(_, rest)| rest.split('"').next())
        .ok_or_else(|| Error::other("Cargo.lock has no tract-onnx"))?;
    println!("cargo::rustc-env=TRACT_VERSION={version}");
    Ok(())
}

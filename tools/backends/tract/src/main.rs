//! A worker for Touchstone (conformance/backends/workers/README.md) that runs models with tract.
//!
//! An error of tract is a refusal. A panic of tract ends this process, as it would end any program that uses tract;
//! Touchstone reports a crash and shows the output.

mod backend;
mod frames;

use std::fs::File;
use std::io::BufReader;
use std::os::fd::FromRawFd;

use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::TractErrorContext;

use crate::backend::{Preparation, prepare};
use crate::frames::{read_message, write_message};
use crate::protocol::{Answer, Answers, Capabilities, Hello, InputSet, Outputs, Request, Response, answer, response};

mod protocol {
    include!(concat!(env!("OUT_DIR"), "/touchstone.worker.rs"));
}

fn hello(preparation: Preparation) -> Hello {
    Hello {
        protocol: 1,
        name: "tract".into(),
        version: env!("TRACT_VERSION").into(),
        description: preparation.description().into(),
        // "y_scale must be a const", it says of all others.
        capabilities: Some(Capabilities { constant_scales_only: true, ..Default::default() }),
    }
}

fn respond(request: &Request, preparation: Preparation) -> Response {
    let outcome = match prepare(&request.model, preparation) {
        Err(error) => response::Outcome::Refusal(reason(&error)),
        Ok(model) => {
            let answer = |inputs: &InputSet| {
                let outcome = match model.run(&inputs.inputs) {
                    Err(error) => answer::Outcome::Refusal(reason(&error)),
                    Ok(tensors) => answer::Outcome::Outputs(Outputs { tensors }),
                };
                Answer { outcome: Some(outcome) }
            };
            response::Outcome::Answers(Answers { answers: request.input_sets.iter().map(answer).collect() })
        }
    };
    Response { number: request.number, outcome: Some(outcome) }
}

/// The error and its causes, in one line.
fn reason(error: &TractError) -> String {
    format!("{error:#}")
}

fn open_pipe(variable: &str) -> TractResult<File> {
    let descriptor = std::env::var(variable).ok().and_then(|number| number.parse().ok()).with_context(|| {
        format!("{variable} is not the number of a descriptor: this is started by touchstone run --backend tract")
    })?;
    // SAFETY: by the protocol it is open and belongs to this process, and nothing else here uses it.
    Ok(unsafe { File::from_raw_fd(descriptor) })
}

fn main() -> TractResult<()> {
    let preparation = std::env::args().nth(1).unwrap_or_default().parse()?;
    let mut requests = BufReader::new(open_pipe("TOUCHSTONE_REQUESTS_FD")?);
    let mut responses = open_pipe("TOUCHSTONE_RESPONSES_FD")?;
    write_message(&mut responses, &hello(preparation))?;
    while let Some(request) = read_message(&mut requests).context("the requests cannot be read")? {
        write_message(&mut responses, &respond(&request, preparation))?;
    }
    Ok(())
}

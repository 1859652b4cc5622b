//! A worker for Touchstone (conformance/backends/workers/README.md) that runs models with rten.
//!
//! An error of rten is a refusal. A panic of rten ends this process, as it would end any program that uses rten;
//! Touchstone reports a crash and shows the output.

mod backend;
#[path = "../../tract/src/frames.rs"]
mod frames;

use std::fs::File;
use std::io::BufReader;
use std::os::fd::FromRawFd;

use crate::backend::{Result, prepare};
use crate::frames::{read_message, write_message};
use crate::protocol::{Answer, Answers, Hello, InputSet, Outputs, Request, Response, answer, response};

mod protocol {
    include!(concat!(env!("OUT_DIR"), "/touchstone.worker.rs"));
}

fn hello(optimized: bool) -> Hello {
    Hello {
        protocol: 1,
        name: "rten".into(),
        version: env!("RTEN_VERSION").into(),
        description: format!("CPU, graph optimizations {}", if optimized { "on" } else { "off" }),
        capabilities: None,
    }
}

fn respond(request: &Request, optimized: bool) -> Response {
    let outcome = match prepare(&request.model, optimized) {
        Err(error) => response::Outcome::Refusal(error.to_string()),
        Ok(model) => {
            let answer = |inputs: &InputSet| {
                let outcome = match model.run(&inputs.inputs) {
                    Err(error) => answer::Outcome::Refusal(error.to_string()),
                    Ok(tensors) => answer::Outcome::Outputs(Outputs { tensors }),
                };
                Answer { outcome: Some(outcome) }
            };
            response::Outcome::Answers(Answers { answers: request.input_sets.iter().map(answer).collect() })
        }
    };
    Response { number: request.number, outcome: Some(outcome) }
}

fn open_pipe(variable: &str) -> Result<File> {
    let descriptor = std::env::var(variable).ok().and_then(|number| number.parse().ok()).ok_or_else(|| {
        format!("{variable} is not the number of a descriptor: this is started by touchstone run --backend rten")
    })?;
    // SAFETY: by the protocol it is open and belongs to this process, and nothing else here uses it.
    Ok(unsafe { File::from_raw_fd(descriptor) })
}

fn main() -> Result<()> {
    let optimized = match std::env::args().nth(1).as_deref() {
        Some("optimized") => true,
        Some("plain") => false,
        _ => return Err("the argument is neither 'optimized' nor 'plain'".into()),
    };
    let mut requests = BufReader::new(open_pipe("TOUCHSTONE_REQUESTS_FD")?);
    let mut responses = open_pipe("TOUCHSTONE_RESPONSES_FD")?;
    write_message(&mut responses, &hello(optimized))?;
    while let Some(request) = read_message(&mut requests)? {
        write_message(&mut responses, &respond(&request, optimized))?;
    }
    Ok(())
}

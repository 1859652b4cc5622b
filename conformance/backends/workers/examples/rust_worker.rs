//! A worker in Rust with only the standard library: QuantizeLinear from float32 to uint8 with one scale, and no
//! attributes. Yours calls its runtime where this one computes, and parses the model where this one searches the
//! model's bytes for the operator's name. This file encodes messages by hand; tools/backends/tract uses code generated
//! from worker.proto.

use std::fs::File;
use std::io::{BufReader, Read, Result, Write};
use std::os::unix::io::FromRawFd;

const FLOAT: u64 = 1;
const UINT8: u64 = 2;

// ---- Protocol Buffers: a message is a sequence of fields; each has a key (number * 8 + wire type) and a value

#[derive(Clone, Copy)]
enum Value<'a> {
    Number(u64),     // wire type 0
    Bytes(&'a [u8]), // wire type 2, preceded by the size: bytes, text, a message, several numbers
}
use Value::{Bytes, Number};

type Field<'a> = (u64, Value<'a>);

fn read_varint(stream: &mut impl Read) -> Result<u64> {
    let (mut value, mut shift) = (0, 0);
    loop {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        value |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] < 0x80 {
            return Ok(value);
        }
        shift += 7;
    }
}

fn fields(mut message: &[u8]) -> Vec<Field<'_>> {
    let mut found = Vec::new();
    while !message.is_empty() {
        let key = read_varint(&mut message).expect("a key");
        let value = read_varint(&mut message).expect("a number or a size");
        let value = match key % 8 {
            0 => Number(value),
            _ => {
                let (content, rest) = message.split_at(value as usize);
                message = rest;
                Bytes(content)
            }
        };
        found.push((key / 8, value));
    }
    found
}

fn write_varint(message: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        message.push(value as u8 | 0x80);
        value >>= 7;
    }
    message.push(value as u8);
}

fn message(fields: &[Field]) -> Vec<u8> {
    let mut message = Vec::new();
    for (number, value) in fields {
        match value {
            Number(value) => {
                write_varint(&mut message, number * 8);
                write_varint(&mut message, *value);
            }
            Bytes(content) => {
                write_varint(&mut message, number * 8 + 2);
                write_varint(&mut message, content.len() as u64);
                message.extend_from_slice(content);
            }
        }
    }
    message
}

// ---- the backend

#[derive(Default)]
struct Tensor<'a> {
    dims: Vec<Field<'a>>, // as received: one field with all of them, or one field for each
    data_type: u64,
    data: &'a [u8],
}

fn tensor(message: &[u8]) -> Tensor<'_> {
    let mut tensor = Tensor::default();
    for field in fields(message) {
        match field {
            (1, _) => tensor.dims.push(field),
            (2, Number(data_type)) => tensor.data_type = data_type,
            (9, Bytes(data)) => tensor.data = data,
            _ => {} // the name
        }
    }
    tensor
}

fn quantize(x: f32, scale: f32, zero_point: u8) -> u8 {
    let quotient = x / scale;
    let down = quotient.floor();
    let is_odd = down % 2.0 != 0.0;
    let up = quotient - down > 0.5 || (quotient - down == 0.5 && is_odd);
    let rounded = if up { down + 1.0 } else { down };
    (rounded + f32::from(zero_point)) as u8 // saturates, and gives 0 for NaN
}

/// An Answer.
fn answer(input_set: &[u8]) -> Vec<u8> {
    let mut inputs = Vec::new();
    for field in fields(input_set) {
        if let (1, Bytes(input)) = field {
            inputs.push(tensor(input));
        }
    }
    let (x, scale, zero_point) = match &inputs[..] {
        [x, scale, zero_point] if (x.data_type, scale.data_type, zero_point.data_type) == (FLOAT, FLOAT, UINT8) => {
            (x, scale, zero_point)
        }
        _ => return message(&[(1, Bytes(b"only float32 to uint8, with a scale and a zero point that are inputs"))]),
    };
    if !scale.dims.is_empty() || !zero_point.dims.is_empty() {
        return message(&[(1, Bytes(b"only one scale and one zero point"))]);
    }
    let float = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let data: Vec<u8> = x.data.chunks(4).map(|x| quantize(float(x), float(scale.data), zero_point.data[0])).collect();
    let mut y = x.dims.clone();
    y.extend([(2, Number(UINT8)), (9, Bytes(&data))]);
    let outputs = message(&[(1, Bytes(&message(&y)))]);
    message(&[(2, Bytes(&outputs))])
}

/// A Response to a Request.
fn response(request: &[u8]) -> Vec<u8> {
    // The operator's name is a field of a node, with number 4; the name of an attribute is its field 1.
    let quantize_linear = message(&[(4, Bytes(b"QuantizeLinear"))]);
    let precision = message(&[(1, Bytes(b"precision"))]);
    let (mut number, mut model, mut answers) = (0, &[][..], Vec::new());
    for field in fields(request) {
        match field {
            (1, Number(value)) => number = value,
            (3, Bytes(bytes)) => model = bytes,
            (4, Bytes(input_set)) => answers.push(answer(input_set)),
            _ => {} // the name of the case
        }
    }
    let has = |field: &[u8]| model.windows(field.len()).any(|bytes| bytes == field);
    if !has(&quantize_linear) || has(&precision) {
        return message(&[(1, Number(number)), (2, Bytes(b"only QuantizeLinear, without precision"))]);
    }
    let answers: Vec<Field> = answers.iter().map(|answer| (1, Bytes(answer))).collect();
    message(&[(1, Number(number)), (3, Bytes(&message(&answers)))])
}

// ---- the pipes

fn open(variable: &str) -> File {
    let descriptor = std::env::var(variable).expect(variable).parse().expect(variable);
    unsafe { File::from_raw_fd(descriptor) }
}

fn write_message(stream: &mut File, message: &[u8]) -> Result<()> {
    let mut frame = Vec::new();
    write_varint(&mut frame, message.len() as u64);
    frame.extend_from_slice(message);
    stream.write_all(&frame)
}

fn main() -> Result<()> {
    let mut requests = BufReader::new(open("TOUCHSTONE_REQUESTS_FD"));
    let mut responses = open("TOUCHSTONE_RESPONSES_FD");
    let hello = message(&[(1, Number(1)), (2, Bytes(b"rust-example")), (3, Bytes(b"1.0"))]);
    write_message(&mut responses, &hello)?;
    while let Ok(size) = read_varint(&mut requests) {
        let mut request = vec![0; size as usize];
        requests.read_exact(&mut request)?;
        write_message(&mut responses, &response(&request))?;
    }
    Ok(())
}

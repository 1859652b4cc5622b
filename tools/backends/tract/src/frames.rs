//! Messages in a stream: each is preceded by its size in bytes, as a base-128 varint.

use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};

use prost::Message;

/// The largest message that Protocol Buffers can read.
const LARGEST: u64 = (1 << 31) - 1;

/// None at the end of the stream. An error if it ends within a message, or holds something else.
pub fn read_message<M: Message + Default>(stream: &mut impl BufRead) -> Result<Option<M>> {
    if stream.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let size = read_size(stream)?;
    let mut content = Vec::new();
    stream.take(size).read_to_end(&mut content)?;
    if (content.len() as u64) < size {
        let text = format!("the stream ends after {} of the {size} bytes of a message", content.len());
        return Err(Error::new(ErrorKind::UnexpectedEof, text));
    }
    Ok(Some(M::decode(content.as_slice())?))
}

fn read_size(stream: &mut impl Read) -> Result<u64> {
    let mut size = 0;
    for shift in (0..35).step_by(7) {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        size |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] < 0x80 && size <= LARGEST {
            return Ok(size);
        }
    }
    Err(Error::new(ErrorKind::InvalidData, format!("a message is said to have more than {LARGEST} bytes")))
}

pub fn write_message(stream: &mut impl Write, message: &impl Message) -> Result<()> {
    stream.write_all(&message.encode_length_delimited_to_vec())
}

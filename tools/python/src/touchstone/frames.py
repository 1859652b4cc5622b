"""Messages in a stream: each is preceded by its size in bytes, as a base-128 varint."""

from __future__ import annotations

from typing import BinaryIO, TypeVar

from google.protobuf.message import Message

from touchstone.limits import MESSAGE, limits

AnyMessage = TypeVar("AnyMessage", bound=Message)


class FrameError(Exception):
    """The stream contains something other than complete messages."""


def read_size(stream: BinaryIO, limit: str = MESSAGE) -> int | None:
    """None at the end of the stream."""
    most = limits()[limit]
    size = 0
    for shift in range(0, 35, 7):
        byte = stream.read(1)
        if not byte:
            if shift:
                raise FrameError("the stream ends within the size of a message")
            return None
        size |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            if size > most:
                break
            return size
    raise FrameError(f"the size of a message is above {most} bytes ({limit})")


def read_message(stream: BinaryIO, message: type[AnyMessage], limit: str = MESSAGE) -> AnyMessage | None:
    """Returns None at the end of the stream. Raises FrameError, and DecodeError for bytes that are no such message."""
    size = read_size(stream, limit)
    if size is None:
        return None
    content = stream.read(size)
    if len(content) < size:
        raise FrameError(f"the stream ends after {len(content)} of the {size} bytes of a message")
    return message.FromString(content)


def write_message(stream: BinaryIO, message: Message) -> None:
    content = message.SerializeToString()
    size, rest = bytearray(), len(content)
    while rest > 0x7F:
        size.append(rest & 0x7F | 0x80)
        rest >>= 7
    size.append(rest)
    stream.write(size)
    stream.write(content)
    stream.flush()

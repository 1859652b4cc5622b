"""Limits on messages that are read. `touchstone` has the same limits; `touchstone list limits` shows them."""

from __future__ import annotations

import os

VARIABLE = "TOUCHSTONE_LIMITS"

HELLO = "hello_bytes"
MESSAGE = "message_bytes"
DEFAULTS = {HELLO: 2**20, MESSAGE: 2**30}

# The largest message that Protocol Buffers can read.
MOST = 2**31 - 1


class LimitError(Exception):
    """The environment variable does not contain limits, or has a limit that cannot be set."""


def limits() -> dict[str, int]:
    """The limits in force, from the environment. The program checks other names in it. Raises LimitError."""
    in_force = dict(DEFAULTS)
    text = os.environ.get(VARIABLE, "")
    for part in text.removesuffix(",").split(",") if text else []:
        name, sign, number = part.partition("=")
        if not sign:
            raise LimitError(f"{VARIABLE}: {part!r} is not NAME=NUMBER, such as message_bytes=1000000")
        if name not in in_force:
            continue
        if not (number.isascii() and number.isdigit() and 1 <= int(number) <= MOST):
            raise LimitError(f"{VARIABLE}: {part} is not a whole number from 1 to {MOST}")
        in_force[name] = int(number)
    return in_force

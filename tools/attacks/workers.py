"""Hostile workers. This module is one, too: `own_worker`."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import os
import random
import shlex
import signal
import sys
import time
import xml.etree.ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attacks.lab import Done, Lab, Surprise, expect_no_processes, refused

TEXT = (
    "\n::error::INJECTED\n::set-env name=A::INJECTED\n\x1b]0;INJECTED\x07\x1b[31m"
    "<script>INJECTED()</script>\n@INJECTED =INJECTED()\u202e\n"
)

# Whether it is in a sandbox, and what the worker of this module does.
OWN = [(False, kind) for kind in ("text", "stop", "kill", "session", "forks", "secret", "long")]
OWN += [(True, kind) for kind in ("kill", "secret")]

# What conformance/backends/workers/hostile_worker.cpp does.
# fmt: off
BUILT = (
    "relay", "endless_flood", "memory", "flood", "flooding_child", "stdout", "child", "child_elsewhere",
    "child_without_environment", "child_and_answer", "segv", "exit", "hang", "hang_without_sigterm", "dribble",
    "garbage", "text", "not_a_message", "truncated", "four_gib", "closed", "no_outcome", "wrong_number",
    "two_answers", "no_answers", "huge_dimensions", "dimensions_that_wrap", "too_little_data", "too_many_outputs",
    "answer_and_exit", "refuse", "log", "dies_at_start", "speaks_as_the_program_at_start", "silent_at_start",
    "garbage_at_start", "other_protocol", "other_lines_later", "no_request",
)
# fmt: on


def varint(number: int) -> bytes:
    low = number & 0x7F
    return bytes([low | 0x80]) + varint(number >> 7) if number > 0x7F else bytes([low])


def frame(number: int, *fields: tuple[int, str]) -> bytes:
    """A message of the worker protocol: field 1 is a number, the others are texts."""
    message = b"\x08" + varint(number)
    for field, text in fields:
        message += varint(field << 3 | 2) + varint(len(text.encode())) + text.encode()
    return varint(len(message)) + message


def read_numbers(requests: Any) -> Iterator[int]:
    """The numbers of the requests, which are their first fields."""

    def number_at(read: Callable[[int], bytes]) -> int:
        value = shift = 0
        while byte := read(1):
            value |= (byte[0] & 0x7F) << shift
            shift += 7
            if byte[0] < 0x80:
                return value
        raise EOFError

    with contextlib.suppress(EOFError):
        while True:
            message = requests.read(number_at(requests.read))
            yield number_at(io.BytesIO(message[1:]).read) if message[:1] == b"\x08" else 0


def is_first_time(memory: str) -> bool:
    with contextlib.suppress(OSError):
        Path(memory).touch(exist_ok=False)
        return True
    return False


def own_worker(kind: str, memory: str) -> None:
    """Is the hostile worker: it misbehaves at its first request, then refuses everything with hostile texts."""
    requests, responses = os.fdopen(3, "rb"), os.fdopen(4, "wb", 0)
    responses.write(frame(1, (2, f"hostile{TEXT}"), (3, f"1{TEXT}"), (4, TEXT)))
    for count, number in enumerate(read_numbers(requests)):
        text = TEXT
        if count == 0 and kind in ("stop", "kill") and is_first_time(memory):
            os.kill(os.getppid(), signal.SIGSTOP if kind == "stop" else signal.SIGKILL)
        elif count == 0 and kind == "session" and os.fork() == 0:
            os.setsid()
            if os.fork() != 0:
                os._exit(0)
            time.sleep(1000)
        elif count == 0 and kind == "forks":
            for _ in range(50):
                if os.fork() == 0:
                    time.sleep(1000)
        elif kind == "secret":
            with contextlib.suppress(OSError):
                text = Path(f"/proc/{os.getppid()}/environ").read_text()
            text += repr(dict(os.environ))
        elif kind == "text":
            os.write(2, TEXT.encode())
            if count % 3 == 2:
                os.abort()
        elif kind == "long":
            text = TEXT * 20000
        responses.write(frame(number, (2, text)))


def expect_no_injection(output: Path, done: Done, secret: str) -> None:
    for name, content in [
        *((path.name, path.read_bytes()) for path in output.glob("*.*")),
        ("stdout", done.out),
        ("stderr", done.err),
    ]:
        if name.endswith(".gz"):
            with contextlib.suppress(EOFError):
                content = gzip.decompress(content)
        if secret.encode() in content:
            raise Surprise(f"{name} has the secret", done.line)
        if not name.endswith(".gz") and (b"\x1b" in content or "\u202e".encode() in content):
            raise Surprise(f"{name} has control characters", done.line)
        if name.endswith((".html", ".md")) and b"<script>INJECTED" in content:
            raise Surprise(f"{name} has a script", done.line)
        if name.startswith("std") and any(row.startswith(b"::") for row in content.splitlines()):
            raise Surprise(f"{name} has a line that begins with ::", done.line)
        if name.endswith(".xml"):
            xml.etree.ElementTree.fromstring(content)
        if name.endswith(".json"):
            json.loads(content)
        rows = csv.reader(io.StringIO(content.decode(), newline="")) if name.endswith(".csv") else []
        if any(cell.lstrip().startswith(("=", "@")) for row in rows for cell in row):
            raise Surprise(f"{name} has a formula", done.line)


def expect_at_most_one_lost(output: Path, done: Done) -> None:
    counts = json.loads((output / "summary.json").read_text())["summary"]["verdicts"]
    lost = {verdict: count for verdict, count in counts.items() if count and verdict != "rejects_valid"}
    if sum(lost.values()) > 1 or lost.keys() - {"crash"}:
        raise Surprise(f"other cases are lost, too: {lost}", done.line)


def attack_worker(lab: Lab, i: int, rng: random.Random) -> str:
    """A hostile worker answers a few cases."""
    folder = lab.fresh()
    is_own, more = i < len(OWN), []
    if is_own:
        in_sandbox, kind = OWN[i]
        command = [sys.executable, Path(sys.argv[0]).resolve(), "--as-worker", kind, folder / "memory"]
        more = ["--sandbox" if in_sandbox else "--no-sandbox"]
    else:
        command = [lab.hostile, BUILT[(i - len(OWN)) % len(BUILT)], folder / "memory", "scalar"]
        more = ["--show-ids"]  # it misbehaves at the case with this part in its id
    few_cases = ["--suite", "generated", "--tier", "smoke", "--filter", "quantize_linear/10/f32-f32-u8/*/shape/*"]
    loses_one = is_own and kind in ("stop", "kill", "session", "forks")
    timeout = 5 if loses_one else 0.5  # seconds; so that no other case is lost on a busy machine
    limits = ["--timeout", timeout, "--memory-limit", "1g", "--max-crashes", 3, "--max-timeouts", 1, "--jobs", 1]
    backend = f"exec:{shlex.join(map(str, command))}"
    output = folder / "output"
    done = lab.run("run", *few_cases, *limits, *more, "--backend", backend, "--max-reproducers", 0, "--output", output)
    (folder / "memory").unlink(missing_ok=True)  # ends the relay
    expect_no_processes(done.line)
    expect_no_injection(output, done, lab.secret)
    if loses_one:
        expect_at_most_one_lost(output, done)
    return "refused" if refused(done) else "harmless"

"""Commands that are killed, or whose files do not fit, and that are called again."""

from __future__ import annotations

import contextlib
import functools
import random
import shlex
import subprocess
import time
from pathlib import Path
from typing import Any, NamedTuple

from attacks.lab import (
    BACKEND,
    JOURNAL,
    QUIET,
    QUIET_RUN,
    SELECTION,
    Lab,
    Surprise,
    expect_no_partial_files,
    expect_no_processes,
    refused,
)


def results_of(lab: Lab, kind: str, output: Path) -> Any:
    """What a killed command must have in the end, without times."""
    if kind == "export":
        return sorted(
            (str(path.relative_to(output)), path.read_bytes()) for path in output.rglob("*") if path.is_file()
        )
    if kind == "report":
        return sorted((path.name, path.read_bytes()) for path in output.iterdir())
    return lab.report(output).out


def command_of(lab: Lab, kind: str, output: Path) -> list[Any]:
    backend = f"exec:{shlex.join([str(lab.program), 'serve', '--backend', BACKEND])}"
    run = ["run", *SELECTION, *QUIET_RUN, "--output", output, "--jobs", 2]
    return {
        "run": [*run, "--backend", BACKEND],
        "worker": [*run, "--backend", backend],
        "report": ["report", lab.whole, "--format", "html,json,junit,csv,markdown", "--output", output],
        "merge": ["merge", *lab.shards, *QUIET, "--output", output],
        "export": ["export", output, *SELECTION],
        "judge": ["judge", lab.pack, "--answers", lab.answers, *QUIET, "--output", output],
    }[kind]


COMMANDS = ("run", "worker", "report", "merge", "export", "judge")


class End(NamedTuple):
    duration: float
    largest: int  # file
    results: Any


@functools.lru_cache
def undisturbed_end(lab: Lab, kind: str) -> End:
    output = lab.fresh() / "output"
    begin = time.monotonic()
    lab.run(*command_of(lab, kind, output))
    duration = time.monotonic() - begin
    largest = max(path.stat().st_size for path in output.rglob("*") if path.is_file())
    return End(duration, largest, results_of(lab, kind, output))


def expect_right_end(lab: Lab, kind: str, output: Path, command: list[Any]) -> str:
    """Calls a command again that did not end as usual, or continues its run."""
    again = command
    if kind in ("run", "worker") and (output / JOURNAL).exists() and (output / JOURNAL).stat().st_size > 1000:
        again = ["run", "--resume", output, *QUIET_RUN]
    done = lab.run(*again)
    if done.code == 2 and "--overwrite" in done.err.decode():  # it had already ended, or its journal has no first line
        done = lab.run(*again, "--overwrite")
    if refused(done):
        raise Surprise(f"{kind} cannot be repeated: {done.err.decode().strip()}", done.line)
    if results_of(lab, kind, output) != undisturbed_end(lab, kind).results:
        raise Surprise(f"{kind} has other results when it is repeated", done.line)
    expect_no_partial_files(output, done.line)
    expect_no_processes(done.line)
    return "harmless"


def attack_kill(lab: Lab, i: int, rng: random.Random) -> str:
    """A command is killed at a random time, and called again."""
    kind = COMMANDS[i % len(COMMANDS)]
    duration = undisturbed_end(lab, kind).duration
    output = lab.fresh() / "output"
    command = command_of(lab, kind, output)
    process = lab.start(command, output.parent)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(duration * rng.random())
    process.kill()
    process.wait()
    expect_no_processes(f"{lab.line(command)}  # killed")
    return expect_right_end(lab, kind, output, command)


def attack_disk(lab: Lab, i: int, rng: random.Random) -> str:
    """A file cannot be written completely, as on a full disk. The command is called again."""
    kind = COMMANDS[i % len(COMMANDS)]
    output = lab.fresh() / "output"
    command = command_of(lab, kind, output)
    # There is room for what the program prints.
    done = lab.run(*command, largest_file=rng.randrange(2000, undisturbed_end(lab, kind).largest))
    if done.code != 3 or b"cannot be written" not in done.err:
        raise Surprise(f"{kind} ends with {done.code} when its files do not fit", done.line)
    expect_no_partial_files(output, done.line)
    return expect_right_end(lab, kind, output, command)

"""Commands that are killed, and called again."""

from __future__ import annotations

import contextlib
import functools
import random
import shlex
import subprocess
import time
from pathlib import Path
from typing import Any

from attacks.lab import (
    BACKEND,
    JOURNAL,
    QUIET,
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


def killed_command(lab: Lab, kind: str, output: Path) -> list[Any]:
    backend = f"exec:{shlex.join([str(lab.program), 'serve', '--backend', BACKEND])}"
    run = ["run", *SELECTION, *QUIET, "--output", output, "--jobs", 2]
    return {
        "run": [*run, "--backend", BACKEND],
        "worker": [*run, "--backend", backend],
        "report": ["report", lab.whole, "--format", "html,json,junit,csv,markdown", "--output", output],
        "merge": ["merge", *lab.shards, *QUIET, "--output", output],
        "export": ["export", output, *SELECTION],
        "judge": ["judge", lab.pack, "--answers", lab.answers, *QUIET, "--output", output],
    }[kind]


KILLED = ("run", "worker", "report", "merge", "export", "judge")


@functools.lru_cache
def undisturbed_end(lab: Lab, kind: str) -> tuple[float, Any]:
    output = lab.fresh() / "output"
    begin = time.monotonic()
    lab.run(*killed_command(lab, kind, output))
    return time.monotonic() - begin, results_of(lab, kind, output)


def attack_kill(lab: Lab, i: int, rng: random.Random) -> str:
    """A command is killed at a random time, and called again."""
    kind = KILLED[i % len(KILLED)]
    duration, right = undisturbed_end(lab, kind)
    output = lab.fresh() / "output"
    command = killed_command(lab, kind, output)
    process = lab.start(command, output.parent)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(duration * rng.random())
    process.kill()
    process.wait()
    expect_no_processes(f"{lab.line(command)}  # killed")
    again = command
    if kind in ("run", "worker") and (output / JOURNAL).exists() and (output / JOURNAL).stat().st_size > 1000:
        again = ["run", "--resume", output, *QUIET]
    done = lab.run(*again)
    if done.code == 2 and "--overwrite" in done.err.decode():  # it had already ended, or its journal has no first line
        done = lab.run(*again, "--overwrite")
    if refused(done):
        raise Surprise(f"{kind} cannot be repeated after a kill: {done.err.decode().strip()}", done.line)
    if results_of(lab, kind, output) != right:
        raise Surprise(f"{kind} has other results after a kill", done.line)
    expect_no_partial_files(output, done.line)
    expect_no_processes(done.line)
    return "harmless"

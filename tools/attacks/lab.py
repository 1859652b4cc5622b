"""The program under attack, undisturbed runs of it, and what it must not do."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

JOURNAL = "journal.ndjson.gz"
EXPECTATIONS = "journal.expectations.json"


# A few right, wrong, rejected and undecided cases, and some that other readings permit.
FILTER = (
    "quantize_linear/10/f32-f32-u8/*:dequantize_linear/13/u8-f32-f32/per_axis/*axis-*:quantize_linear/13/must_reject/*"
)
BACKEND = "wrong:ignores-zero-point"
SELECTION = ["--suite", "generated", "--tier", "smoke", "--filter", FILTER]
QUIET = ["--quiet", "--max-reproducers", 0]
QUIET_RUN = [*QUIET, "--experiments", 0]  # how many are made depends on the time, and shards make none

longest_command = 100  # seconds; most take less than two, but a worker has 60 for its start
longest_end = 30  # seconds until the processes of a killed run are gone, on a busy machine
most_memory = 1 << 30  # bytes of one process


class Surprise(Exception):
    """The program did not do what it must; `repeat` is the command that shows it."""

    def __init__(self, what: str, repeat: str = ""):
        super().__init__(what)
        self.repeat = repeat


class Done(NamedTuple):
    code: int
    out: bytes
    err: bytes
    line: str


def descendants() -> list[int]:
    """This process adopts the orphans of what it starts, so that none is missed."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                state, parent = (entry / "stat").read_text().rsplit(")", 1)[1].split()[:2]
                if state != "Z":
                    parents[int(entry.name)] = int(parent)
    found, new = set(), {os.getpid()}
    while new:
        new = {child for child, parent in parents.items() if parent in new}
        found |= new
    return sorted(found)


def expect_no_processes(line: str) -> None:
    end = time.monotonic() + longest_end
    while (left := descendants()) and time.monotonic() < end:
        time.sleep(0.01)
    for process in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0] > 0:
            pass
    if left:
        raise Surprise(f"{len(left)} processes are left", line)


class Lab:
    """The program, and undisturbed runs to damage copies of."""

    def __init__(self, program: Path, hostile: Path, scratch: Path):
        self.program, self.hostile, self.scratch = program, hostile, scratch
        self.used = 0
        # The environment of a worker must not have it.
        self.secret = f"secret-{hashlib.sha256(str(scratch).encode()).hexdigest()}"

    def fresh(self) -> Path:
        self.used += 1
        path = self.scratch / str(self.used)
        path.mkdir()
        return path

    def start(self, arguments: list[Any], output: Path, largest_file: int = resource.RLIM_INFINITY) -> subprocess.Popen:
        def set_limits() -> None:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

        with (output / "out").open("wb") as out, (output / "err").open("wb") as err:
            return subprocess.Popen(
                [str(self.program), *map(str, arguments)],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=self.scratch,
                env={**os.environ, "SECRET_TOKEN": self.secret, "TOUCHSTONE_LIMITS": ""},
                preexec_fn=set_limits,
            )

    def line(self, arguments: list[Any]) -> str:
        return f"cd {self.scratch} && {shlex.join([str(self.program), *map(str, arguments)])}"

    def run(self, *arguments: Any, largest_file: int = resource.RLIM_INFINITY) -> Done:
        """Throws Surprise for a crash, a hang, too much memory and a refusal without a message."""
        streams = self.scratch / "streams"
        streams.mkdir(exist_ok=True)
        line = self.line(arguments)
        if largest_file != resource.RLIM_INFINITY:
            line = line.replace("&&", f"&& prlimit --fsize={largest_file}", 1)
        process = self.start(arguments, streams, largest_file)
        end = time.monotonic() + longest_command
        while process.poll() is None and time.monotonic() < end:
            with contextlib.suppress(OSError, IndexError, ValueError):
                pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
                if pages * resource.getpagesize() > most_memory:
                    process.kill()
                    process.wait()
                    raise Surprise("it uses more than 1 GiB of memory", line)
            time.sleep(0.002)
        if process.poll() is None:
            process.kill()
            process.wait()
            raise Surprise(f"it hangs for more than {longest_command} s", line)
        done = Done(process.returncode, (streams / "out").read_bytes(), (streams / "err").read_bytes(), line)
        if not 0 <= done.code <= 5:
            raise Surprise(f"it ends with {done.code}", line)
        if done.code in (2, 3, 4) and not (done.out + done.err).strip():
            raise Surprise("it says nothing", line)
        return done

    def prepared(self, *arguments: Any, code: int) -> Done:
        done = self.run(*arguments)
        if done.code != code:
            sys.exit(
                f"cannot prepare the attack: exit code {done.code}, expected {code}: {done.line}\n{done.err.decode()}"
            )
        return done

    def undisturbed(self, name: str, *more: Any) -> Path:
        known = self.scratch / "known.json"
        entry = {"pattern": "dequantize_linear/*", "verdict": "fail", "reason": "zero point", "issue": "1"}
        known.write_text(json.dumps({"expectations": [entry]}))
        path = self.scratch / name
        options = [*SELECTION, "--backend", BACKEND, "--expectations", known, *QUIET_RUN]
        self.prepared("run", *options, "--output", path, *more, code=1)
        return path

    @functools.cached_property
    def whole(self) -> Path:
        return self.undisturbed("whole")

    @functools.cached_property
    def other(self) -> Path:
        return self.undisturbed("other", "--seed", 1)

    @functools.cached_property
    def shards(self) -> list[Path]:
        return [self.undisturbed(f"shard-{i}", "--shard", f"{i}/2") for i in (1, 2)]

    @functools.cached_property
    def pack(self) -> Path:
        """A pack, and the expected outputs as answers."""
        pack = self.scratch / "pack"
        self.prepared("export", pack, *SELECTION, code=0)
        for file in pack.glob("*/*/test_data_set_*/output_*.pb"):
            answer = self.scratch / "answers" / file.relative_to(pack)
            answer.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, answer)
        for case in (pack / "must_reject").iterdir():
            refusal = self.scratch / "answers" / case.relative_to(pack) / "refused.txt"
            refusal.parent.mkdir(parents=True, exist_ok=True)
            refusal.write_text("illegal")
        (self.scratch / "answers/backend.txt").write_text("device\n1\nfor tests\n")
        self.prepared(
            "judge", pack, "--answers", self.scratch / "answers", *QUIET, "--output", self.scratch / "judged", code=0
        )
        return pack

    @property
    def answers(self) -> Path:
        return self.pack.parent / "answers"

    def report(self, run: Path) -> Done:
        return self.run("report", run, "--format", "json", "--all-cases")

    @functools.cached_property
    def results(self) -> bytes:
        return self.report(self.whole).out


def refused(done: Done) -> bool:
    return done.code in (2, 3, 4)


def expect_refused(done: Done, what: str) -> str:
    if not refused(done):
        raise Surprise(f"{what}: accepted with exit code {done.code}", done.line)
    return "refused"


def expect_same(done: Done, results: bytes, right: bytes, what: str) -> str:
    if results != right:
        raise Surprise(f"{what}: accepted with exit code {done.code}, with other results", done.line)
    return "harmless"


def expect_no_partial_files(directory: Path, line: str) -> None:
    if left := [path.name for path in directory.rglob("*.part")]:
        raise Surprise(f"{', '.join(left)} is left", line)

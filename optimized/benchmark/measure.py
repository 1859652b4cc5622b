#!/usr/bin/env python3
"""Times optimized_benchmark and ONNX Runtime in turn, and joins their results. tools/benchmark runs this."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NoReturn

import machine
import onnx_runtime
import table
from results import MOST_COMPARED, BenchmarkError, Results, Row, disagreements, identity, selected

UNEXPECTED, USAGE, INFRASTRUCTURE, INCOMPLETE, NOTHING = 1, 2, 3, 4, 5


def say(message: str) -> None:
    print(f"benchmark: {message}", file=sys.stderr, flush=True)


def die(code: int, message: str) -> NoReturn:
    say(message)
    sys.exit(code)


def arguments() -> argparse.Namespace:
    # tools/benchmark explains the options before it sets anything up.
    parser = argparse.ArgumentParser(prog="tools/benchmark", add_help=False)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--filter", metavar="GLOBS")
    parser.add_argument("--output", metavar="FILE", type=Path)
    parser.add_argument("--rounds", metavar="N", type=int)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--program", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rounds is not None and options.rounds < 1:
        parser.error("--rounds: at least 1")
    if options.output and not options.output.absolute().parent.is_dir():
        parser.error(f"--output: there is no directory {options.output.absolute().parent}")
    return options


def call(program: Path, *arguments: str) -> str:
    # oneDNN was built with OpenMP.
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    result = subprocess.run(
        [program, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if result.returncode != 0:
        print(result.stderr, file=sys.stderr, end="")
        die(INFRASTRUCTURE, f"{program.name} {' '.join(arguments)} ended with {result.returncode}")
    return result.stdout


class OnnxRuntime:
    """The only peer outside of optimized_benchmark."""

    def __init__(self, program: Path, rows: list[Row], scratch: Path):
        self.program = program
        self.rows = {identity(row): row for row in rows}
        self.scratch = scratch
        self.verdicts: dict[str, int] = {}

    def prepare(self, row: Row) -> tuple[onnx_runtime.Peer, int]:
        """Returns the peer and the number of elements that differ. Raises onnx_runtime.Unsupported."""
        compared = self.rows[f"{row['name']}/{min(row['elements'], MOST_COMPARED)}"]
        call(self.program, "operands", row["name"], str(compared["elements"]), str(self.scratch))
        if identity(compared) not in self.verdicts:
            self.verdicts[identity(compared)] = onnx_runtime.Peer(compared, self.scratch).differing(self.scratch)
        return onnx_runtime.Peer(row, self.scratch), self.verdicts[identity(compared)]


def measure(row: Row, program: Path, peer_maker: OnnxRuntime, rounds: int, seconds: float) -> Results:
    results = Results(row)
    peer = None
    try:
        peer, differing = peer_maker.prepare(row)
    except onnx_runtime.Unsupported as error:
        results.peers["onnxruntime"] = {"ns": [], "unsupported": str(error)}
    for _ in range(rounds):
        results.add_programs(
            call(
                program,
                f"--benchmark_filter=^(cycles|{row['name']}/[a-z_]+/{row['elements']})$",
                f"--benchmark_min_time={seconds}",
                "--benchmark_enable_random_interleaving=true",
                "--benchmark_format=json",
            )
        )
        if peer is not None:
            whole, empty = peer.measure(seconds)
            results.add("onnxruntime", whole * 1e9, differing=differing)
            results.add("onnxruntime_call", empty * 1e9)
    return results


def main() -> int:
    options = arguments()
    rows = json.loads(call(options.program, "rows"))
    wanted = selected(rows, options.quick, options.filter)
    if not wanted:
        die(NOTHING, f"no row matches '{options.filter}': --list prints them")
    if options.list:
        print("\n".join(dict.fromkeys(identity(row) for row in wanted)))
        return 0

    unique = list({identity(row): row for row in wanted}.values())
    rounds = options.rounds or (2 if options.quick else 5)
    seconds = 0.01 if options.quick else 0.03
    about = {**machine.describe(), "when": datetime.date.today().isoformat()}
    measured = {}
    with tempfile.TemporaryDirectory(prefix="touchstone-benchmark-") as scratch:
        peer_maker = OnnxRuntime(options.program, rows, Path(scratch))
        for number, row in enumerate(unique, 1):
            say(f"[{number}/{len(unique)}] {identity(row)}")
            measured[identity(row)] = measure(row, options.program, peer_maker, rounds, seconds).json()

    report = {
        "machine": about,
        "versions": {"onnxruntime": onnx_runtime.VERSION},
        "settings": {"rounds": rounds, "seconds": seconds, "quick": options.quick, "filter": options.filter},
        "sections": table.sections_of(wanted),
        "measurements": measured,
    }
    print(table.render(report))
    if options.output:
        options.output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")

    wrong = disagreements(measured)
    for message in wrong:
        say(message)
    return UNEXPECTED if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        die(INCOMPLETE, "interrupted: nothing was written")
    except (BenchmarkError, OSError) as problem:
        die(INFRASTRUCTURE, str(problem))

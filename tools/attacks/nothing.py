"""Runs that show nothing about a backend, and options that make no sense."""

from __future__ import annotations

import importlib.util
import json
import random
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from attacks.lab import BACKEND, QUIET_RUN, SELECTION, Lab, Surprise

# All elements of their outputs are open.
OPEN = "quantize_linear/10/*/zp/scale/nan:opmx/*float_flag*:opmx/*/zero_point_not_announced"

UNREADABLE = """
class Unreadable(Exception):
    def __str__(self):
        raise self

    __repr__ = __str__


def prepare(model, device):
    raise Unreadable
"""


def hostile(lab: Lab, mode: str) -> list[Any]:
    """A worker that misbehaves in all cases."""
    return ["--backend", f"exec:{shlex.join([str(lab.hostile), mode, '', ''])}"]


def known_refusals(folder: Path) -> list[Any]:
    known = folder / "known.json"
    entry = {"pattern": "*", "verdict": "rejects_valid", "reason": "none", "issue": "1"}
    known.write_text(json.dumps({"expectations": [entry]}))
    return ["--expectations", known]


def unreadable(folder: Path) -> list[Any]:
    if importlib.util.find_spec("onnx") is None:
        raise Surprise("cannot be tried: this Python has no onnx")
    (folder.parent / "unreadable.py").write_text(UNREADABLE)  # in the current directory of the program
    return ["--backend", "onnx:unreadable", "--python", sys.executable]


class Row(NamedTuple):
    what: str
    code: int
    verdicts: tuple[str, ...]  # of its legal cases; none if it does not begin
    arguments: Callable[[Lab, Path], list[Any]]


REFUSED = ("rejects_valid",)
ROWS = (
    Row("refuses everything", 5, REFUSED, lambda lab, _: [*SELECTION, *hostile(lab, "refuse")]),
    Row(
        "refuses everything, of which nothing is required",
        5,
        REFUSED,
        lambda lab, _: [*SELECTION, *hostile(lab, "refuse"), "--require", "none"],
    ),
    Row(
        "refuses everything, as expected",
        5,
        REFUSED,
        lambda lab, folder: [*SELECTION, *hostile(lab, "refuse"), *known_refusals(folder)],
    ),
    Row(
        "gives random bytes where all elements are open",
        5,
        ("not_shown",),
        lambda lab, _: ["--tier", "smoke", "--filter", OPEN, *hostile(lab, "random_values")],
    ),
    Row(
        "raises exceptions that raise exceptions when they are read",
        5,
        REFUSED,
        lambda _, folder: [*SELECTION, *unreadable(folder)],
    ),
    Row("no pattern", 2, (), lambda *_: ["--backend", BACKEND, "--filter", ""]),
    Row("no requirement", 2, (), lambda *_: ["--backend", BACKEND, "--require", ""]),
    Row("a pattern without cases", 5, (), lambda *_: [*SELECTION[:-1], "no_case/*", "--backend", BACKEND]),
    Row("a requirement without cases", 5, (), lambda *_: [*SELECTION, "--backend", BACKEND, "--require", "no_case/*"]),
    Row(
        "more jobs than there is time",
        4,
        ("not_run", "pass"),
        lambda *_: ["--backend", "optimized", "--time-budget", "0.01s", "--jobs", 1024],
    ),
)


def attack_nothing(lab: Lab, i: int, _: random.Random) -> str:
    """A run that shows nothing of a backend, or whose options make no sense."""
    row = ROWS[i]
    folder = lab.fresh()
    output = folder / "output"
    done = lab.run("run", *row.arguments(lab, folder), *QUIET_RUN, "--output", output)
    if done.code != row.code:
        raise Surprise(f"{row.what}: ends with {done.code}, not {row.code}", done.line)
    if not row.verdicts:
        if not done.err.strip() or output.exists():
            raise Surprise(f"{row.what}: the run began, or says nothing", done.line)
        return "refused"
    counts = json.loads((output / "summary.json").read_text())["summary"]["verdicts"]
    found = {verdict for verdict, count in counts.items() if count}
    if not found or not found <= set(row.verdicts):
        raise Surprise(f"{row.what}: the verdicts are {', '.join(sorted(found))}", done.line)
    return "refused"

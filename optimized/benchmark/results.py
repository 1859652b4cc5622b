"""The measurements and their results."""

from __future__ import annotations

import fnmatch
import json
from typing import Any

Row = dict[str, Any]

# Outputs of ONNX Runtime are compared up to this size, because larger sizes repeat the same elements.
MOST_COMPARED = 1 << 20

# These must give the same results as the portable kernels. Differences of others are only reported.
MUST_AGREE = ("touchstone", "portable", "plain_loop", "portable_plain_loop")


class BenchmarkError(Exception):
    """A benchmark could not run."""


def identity(row: Row) -> str:
    return f"{row['name']}/{row['elements']}"


def selected(rows: list[Row], quick: bool, globs: str | None) -> list[Row]:
    if quick:
        rows = [row for row in rows if row["section"] == "main" and row["elements"] <= MOST_COMPARED]
    if globs:
        patterns = globs.split(":")
        rows = [row for row in rows if any(fnmatch.fnmatchcase(identity(row), pattern) for pattern in patterns)]
    return rows


class Results:
    """The results of one row in all rounds."""

    def __init__(self, row: Row):
        self.row = row
        self.peers: dict[str, dict[str, Any]] = {}
        self.bytes = {"bytes_read": 0, "bytes_written": 0}
        self.cycles: list[float] = []

    def add(self, peer: str, nanoseconds: float, **facts: Any) -> None:
        entry = self.peers.setdefault(peer, {"ns": [], **facts})
        entry["ns"].append(nanoseconds)

    def add_programs(self, output: str) -> None:
        for entry in json.loads(output)["benchmarks"]:
            if entry["name"] == "cycles":
                self.cycles.append(entry["items_per_second"])
                continue
            if entry.get("error_occurred"):
                raise BenchmarkError(f"{entry['name']}: {entry['error_message']}")
            facts = {"differing": int(entry["differing"])} if "differing" in entry else {}
            if entry.get("label"):
                facts["version"] = entry["label"]
            self.add(entry["name"].split("/")[-2], entry["cpu_time"], **facts)
            self.bytes = {key: int(entry[key]) for key in self.bytes}

    def json(self) -> dict[str, Any]:
        keys = ("name", "elements", "operator", "x_shape", "parameter_shape", "axis", "block_size")
        for entry in self.peers.values():
            if entry["ns"]:
                entry["best_ns"] = min(entry["ns"])
        return {
            **{key: self.row[key] for key in keys},
            **self.bytes,
            "cycles_per_second": self.cycles,
            "peers": self.peers,
        }


def disagreements(measured: dict[str, dict[str, Any]]) -> list[str]:
    """The disagreements of the peers that must agree."""
    return [
        f"{key}: {peer} differs from the portable kernels in {entry['differing']} elements"
        for key, result in measured.items()
        for peer, entry in result["peers"].items()
        if peer in MUST_AGREE and entry["differing"]
    ]

"""A report of a Python backend with three bugs names these bugs and what the backend supports, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def run_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("three-bugs")
    options = ["--suite", "generated", "--tier", "smoke", "--quiet", "--overwrite", "--output", str(output)]
    result = subprocess.run(
        [os.environ["TOUCHSTONE_PROGRAM"], "run", "--backend", "onnx:three_bugs_backend", "--python", sys.executable,
         *options],
        env=dict(os.environ, PYTHONPATH=str(Path(__file__).parent)),
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1, result.stderr
    return output


@pytest.fixture(scope="module")
def report(run_directory: Path) -> dict[str, Any]:
    return json.loads((run_directory / "summary.json").read_text())


def test_each_bug_is_one_cause(report: dict[str, Any]) -> None:
    wrong = [cause for cause in report["causes"] if cause["class"] == "wrong"]
    assert {cause["name"] for cause in wrong} == {"rounds-half-away-from-zero", "packs-in-other-order"}
    assert all(cause["explained"] for cause in report["causes"])
    (axis,) = [cause for cause in report["causes"] if "negative axis" in cause["where"]]
    assert axis["where"] == "per axis, negative axis"
    assert "cannot reshape" in axis["message"]


def test_other_causes_are_the_limits_of_the_backend(report: dict[str, Any]) -> None:
    limits = [c for c in report["causes"] if c["class"] == "refused" and "negative axis" not in c["where"]]
    for cause in limits:
        assert cause["message"].startswith("NotImplementedError"), cause


def test_what_it_refuses_is_not_supported(report: dict[str, Any]) -> None:
    def refused(row: dict[str, Any]) -> bool:
        return all(opsets["refused"] == opsets["asked"] for opsets in row["opsets"])

    answered = {(row["operator"], row["type"]) for row in report["support"] if not refused(row)}
    for operator in ("QuantizeLinear", "DequantizeLinear"):
        assert {kind for name, kind in answered if name == operator} == {"uint8", "int8", "int4"}
    assert not any(operator.startswith("com.microsoft.") for operator, _ in answered)
    (int4,) = [row for row in report["support"] if (row["operator"], row["type"]) == ("QuantizeLinear", "int4")]
    assert int4["opsets"][0]["first"] == 21
    assert int4["opsets"][0]["wrong"] > 0


def test_the_first_reproducer_of_each_cause_runs(report: dict[str, Any], run_directory: Path) -> None:
    for cause in report["causes"]:
        directory = run_directory / cause["reproducer"]
        result = subprocess.run([sys.executable, "show.py"], cwd=directory, capture_output=True, text=True, check=True)
        assert result.stdout.startswith("<\n   ir_version:"), result.stdout
        if "example_element" in cause:  # of the whole case; the model that is shown is smaller
            assert ": expected " in result.stdout
            assert "[1]" in result.stdout

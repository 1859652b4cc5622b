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
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    output = tmp_path_factory.mktemp("three-bugs")
    command = [os.environ["TOUCHSTONE_PROGRAM"], "run", "--backend", "onnx:three_bugs_backend", "--suite", "generated",
               "--tier", "smoke", "--python", sys.executable, "--quiet", "--overwrite", "--output", str(output)]
    environment = dict(os.environ, PYTHONPATH=str(Path(__file__).parent))
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert result.returncode == 1, result.stderr
    return json.loads((output / "summary.json").read_text())


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


def test_support_is_what_the_backend_declares_in_its_code(report: dict[str, Any]) -> None:
    support = {row["operator"]: row["supported"] for row in report["support"]}
    assert support["QuantizeLinear"]["opset"] == ["10 to 21"]
    assert support["QuantizeLinear"]["x"] == ["float"]
    assert set(support["QuantizeLinear"]["y"]) == {"uint8", "int8", "int4"}
    assert set(support["DequantizeLinear"]["x"]) == {"uint8", "int8", "int4"}
    assert support["com.microsoft.QuantizeLinear"]["opset"] == []

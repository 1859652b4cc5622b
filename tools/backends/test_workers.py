"""Runs the backends with the program, each in its virtual environment, on cases from FINDINGS.md."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from touchstone.served import find_program

BACKENDS = Path(__file__).parent

CASES = [
    "dequantize_linear/19/i8-f16-f16/per_axis/zp/values",
    "dequantize_linear/25/u2-f32-f32/per_tensor/no_zp/values",
    "quantize_linear/13/f32-f32-u8/per_tensor/zp/values",
    "quantize_linear/19/f32-f32-e4m3fn/per_tensor/zp/saturate=1/values",
]
VERDICTS = {
    "iree": ["pass", "rejects_valid", "pass", "fail"],
    "nxrt": ["pass", "rejects_valid", "fail", "rejects_valid"],
    "onnx-reference": ["pass", "pass", "fail", "pass"],
    "onnxruntime-node": ["pass", "rejects_valid", "pass", "rejects_valid"],
    "onnxruntime-web": ["pass", "rejects_valid", "pass", "rejects_valid"],
    "opencv": ["fail", "rejects_valid", "fail", "rejects_valid"],
    "openvino": ["pass", "rejects_valid", "fail", "fail"],
    "ort": ["pass", "pass", "pass", "pass"],
    "ort-ep:onnxruntime_ep_openvino": ["pass", "rejects_valid", "fail", "fail"],
    "tinygrad": ["pass", "rejects_valid", "fail", "rejects_valid"],
    "tvm": ["pass_variant", "rejects_valid", "pass", "rejects_valid"],
}

# It takes no single node.
CASES_OF_QNN = [
    "graphs/dq_expand/10/u8/f32/per_tensor/no_zp/negative/same/constant_nodes",
    "graphs/dq_relu_ql/10/u8/f32/per_tensor/zp_middle/positive/same/initializers",
    "graphs/dq_relu_ql/19/e4m3fn/f16/per_tensor/zp/negative/same/all_constant",
    "graphs/relu_ql_dq_from_lowest/13/u8/f32/per_tensor/zp/positive/same/initializers",
]

# Their snippets are in Rust. These are all the cases that their findings name.
CASES_OF_CRATES = {
    "rten": [
        "dequantize_linear/10/i8-f32-f32/per_tensor/zp/values",
        "quantize_linear/10/f32-f32-i8/per_tensor/zp/values",
        "quantize_linear/10/f32-f32-u8/per_tensor/zp/values",
    ],
    "tract": [
        "quantize_linear/13/f32-f32-u8/per_tensor/zp/values",
        "quantize_linear/13/i32-f32-i8/per_axis/zp/values",
        "quantize_linear/21/f32-f32-i8/per_tensor/no_zp/values",
        "dequantize_linear/23/i8-f32-f16/per_axis/no_zp/values",
    ],
}
VERDICTS_OF_CRATES = {
    "rten": ["pass", "fail", "fail"],
    "rten:plain": ["pass", "fail", "fail"],
    "tract": ["fail", "fail", "fail", "fail"],
    "tract:plain": ["fail", "pass", "fail", "fail"],
}


def verdicts_of(backend: str, directory: Path, cases: list[str], *arguments: str) -> list[str]:
    suite = "graphs" if cases[0].startswith("graphs/") else "generated"
    selection = ["--suite", suite, "--filter", ":".join(cases)]
    command = [find_program(), "run", "--backend", backend, *selection, "--output", str(directory), "--all-cases", *arguments]
    environment = {**os.environ, "TOUCHSTONE_BACKENDS": str(BACKENDS)}
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert result.returncode in (0, 1), result.stderr
    report = json.loads((directory / "report.json").read_text())
    verdicts = {case["id"]: case["verdict"] for case in report["cases"]}
    assert result.returncode == (0 if set(verdicts.values()) == {"pass"} else 1), result.stderr
    return [verdicts[case] for case in cases]


@pytest.mark.parametrize("backend", VERDICTS)
def test_it_runs_under_the_program(backend: str, tmp_path: Path, python_of: Callable[[str], Path]):
    in_this_python = python_of(backend) == Path(sys.executable) and not (BACKENDS / backend / "package.json").exists()
    arguments = ["--python", sys.executable] if in_this_python else []
    assert verdicts_of(backend, tmp_path / "report", CASES, *arguments) == VERDICTS[backend]


def test_a_plugin_computes_graphs(tmp_path: Path, python_of: Callable[[str], Path]):
    python_of("ort-ep")
    verdicts = verdicts_of("ort-ep:onnxruntime_qnn", tmp_path / "report", CASES_OF_QNN)
    assert verdicts == ["fail", "pass", "rejects_valid", "fail"]


def require_sandbox():
    sandbox = ["bwrap", "--unshare-all", "--unshare-user", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    if not shutil.which("bwrap") or subprocess.run(sandbox).returncode != 0:
        pytest.skip("this system permits no sandbox")


@pytest.mark.parametrize("isolation", ["--sandbox", "--no-sandbox"])
def test_it_runs_on_an_emulated_processor(isolation: str, tmp_path: Path, on_arm: Callable[..., tuple]):
    on_arm("ort", "cortex-a72")
    if isolation == "--sandbox":
        require_sandbox()
    arguments = ["--cpu", "cortex-a72", "--jobs", "1", isolation]
    assert verdicts_of("ort", tmp_path / "report", CASES, *arguments) == VERDICTS["ort"]
    description = json.loads((tmp_path / "report/report.json").read_text())["backend"]["description"]
    assert description.endswith(" as cortex-a72")


def test_a_sandbox_changes_no_verdict(tmp_path: Path, python_of: Callable[[str], Path]):
    require_sandbox()
    python = ["--python", str(python_of("ort"))]
    verdicts_of("ort", tmp_path / "outside", CASES, *python)
    verdicts_of("ort", tmp_path / "inside", CASES, *python, "--sandbox")
    outside, inside = (json.loads((tmp_path / name / "report.json").read_text()) for name in ("outside", "inside"))
    assert inside["options"]["sandbox"]
    assert inside["cases"] == outside["cases"]
    assert inside["causes"] == outside["causes"]


@pytest.mark.parametrize("backend", VERDICTS_OF_CRATES)
def test_a_crate_still_gives_the_findings(backend: str, tmp_path: Path):
    name = backend.partition(":")[0]
    if not (BACKENDS.parents[1] / f"build/backends/{name}/release/touchstone-{name}").exists():
        pytest.skip(f"tools/setup --for {name} builds it")
    assert verdicts_of(backend, tmp_path / "report", CASES_OF_CRATES[name]) == VERDICTS_OF_CRATES[backend]


@pytest.mark.parametrize("backend", [*(name for name in VERDICTS if ":" not in name), "rten", "tract", "transform"])
def test_an_unknown_variant_is_a_usage_error(backend: str):
    result = subprocess.run([BACKENDS / backend / "worker", "no_such"], capture_output=True, text=True)
    assert result.returncode == 2
    assert result.stderr.startswith(f"the backend {backend} has no variant 'no_such'; it has: ")

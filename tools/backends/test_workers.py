"""The backends as they are run: by the program, each in its virtual environment, on cases that FINDINGS.md tells of."""

from __future__ import annotations

import json
import subprocess
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
    "iree": ["fail", "rejects_valid", "pass", "fail"],
    "onnx-reference": ["pass", "pass", "fail", "pass"],
    "openvino": ["pass", "rejects_valid", "fail", "fail"],
    "ort": ["pass", "pass", "pass", "pass"],
    "tinygrad": ["pass", "rejects_valid", "fail", "rejects_valid"],
    "tvm": ["fail", "rejects_valid", "pass", "rejects_valid"],
}


@pytest.mark.parametrize("backend", VERDICTS)
def test_it_runs_under_the_program(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    if not (BACKENDS.parents[1] / f".venv-{backend}" / "bin" / "python").exists():
        pytest.skip(f"tools/setup --for {backend} installs it")
    monkeypatch.setenv("TOUCHSTONE_BACKENDS", str(BACKENDS))
    selection = ["--suite", "generated", "--filter", ":".join(CASES)]
    command = [find_program(), "run", "--backend", backend, *selection, "--output", str(tmp_path / "report")]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == (0 if set(VERDICTS[backend]) == {"pass"} else 1), result.stderr
    report = json.loads((tmp_path / "report" / "report.json").read_text())
    verdicts = {case["id"]: case["verdict"] for case in report["cases"]}
    assert verdicts == dict(zip(CASES, VERDICTS[backend], strict=True))


@pytest.mark.parametrize("backend", VERDICTS)
def test_a_variant_that_it_does_not_have_is_an_error_of_usage(backend: str):
    result = subprocess.run([BACKENDS / backend / "worker", "no_such"], capture_output=True, text=True)
    assert result.returncode == 2
    assert result.stderr.startswith(f"the backend {backend} has no variant 'no_such'; it has: ")

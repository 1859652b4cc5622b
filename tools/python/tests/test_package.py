from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """A virtual environment with the program, as pip installs the wheel. Its Python reports that it was called."""
    build = Path(os.environ["TOUCHSTONE_PROGRAM"]).resolve().parents[1]
    place = tmp_path / "environment"
    install = ["--install", build, "--component", "program", "--prefix", place]
    subprocess.run([ROOT / ".venv/bin/cmake", *install], check=True, capture_output=True)
    (place / "pyvenv.cfg").touch()
    python = place / "bin" / "python3"
    python.write_text(f'#!/bin/sh\ntouch "{tmp_path}/called"\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return place


def test_the_installed_program_uses_the_python_next_to_it(environment: Path, tmp_path: Path):
    variables = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parent)}
    arguments = ["--backend", "onnx:module_backend", "--tier", "smoke", "--suite", "generated"]
    selection = ["--filter", "quantize_linear/13/f32-f32-u8/per_tensor/*", "--output", "run", "--quiet"]
    command = [environment / "bin/touchstone", "run", *arguments, *selection]
    result = subprocess.run(command, env=variables, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode in (0, 1), result.stderr
    assert (tmp_path / "called").exists()
    assert (tmp_path / "run/report.html").exists()


def test_named_backends_have_to_be_installed_first(environment: Path, tmp_path: Path):
    variables = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    command = [environment / "bin/touchstone", "run", "--backend", "ort", "--tier", "smoke", "--suite", "generated"]
    result = subprocess.run(command, env=variables, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 3
    assert "run touchstone backend install ort" in result.stderr

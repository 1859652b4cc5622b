from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PYTHON = Path(__file__).parent.parent


def test_it_can_be_installed_and_run_from_there(tmp_path: Path):
    """Installs as `pip install tools/python` does, with the packages that are already installed."""
    # Copied, because building leaves files behind.
    files = subprocess.run(["tar", "-C", PYTHON, "-c", "--exclude=__pycache__", "."], check=True, capture_output=True)
    source = tmp_path / "source"
    source.mkdir()
    subprocess.run(["tar", "-C", source, "-x"], input=files.stdout, check=True)
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    target = tmp_path / "installed"
    subprocess.run([sys.executable, "-m", "pip", "install", *options, "--target", target, source], check=True)

    environment = {**os.environ, "PYTHONPATH": str(target)}
    command = [sys.executable, "-m", "touchstone.worker", "--help"]
    result = subprocess.run(command, env=environment, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert "MODULE[:ATTR]" in result.stdout
    assert list(target.glob("touchstone-*.dist-info/METADATA"))
    assert not list(target.rglob("*.so"))

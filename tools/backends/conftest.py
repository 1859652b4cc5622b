from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# The backends whose packages tools/python/test_requirements.txt also has, in the same versions.
IN_THIS_PYTHON = ("onnx-reference", "ort")


@pytest.fixture
def python_of() -> Callable[[str], Path]:
    """The Python that has the packages of a backend NAME[:VARIANT]. Skips the test if there is none."""

    def find(backend: str) -> Path:
        backend = backend.partition(":")[0]
        own = ROOT / f".venv-{backend}" / "bin" / "python"
        if not own.exists() and backend not in IN_THIS_PYTHON:
            pytest.skip(f"tools/setup --for {backend} installs it")
        return own if own.exists() else Path(sys.executable)

    return find

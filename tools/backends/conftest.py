from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# The backends whose packages tools/python/test_requirements.txt also has, in the same versions.
IN_THIS_PYTHON = ("onnx-reference", "ort")


def npm_packages(backend: str) -> Path:
    return ROOT / "build" / "backends" / backend / "node_modules"


@pytest.fixture
def python_of() -> Callable[[str], Path]:
    """The Python that has the packages of a backend NAME[:VARIANT], or this one if it is in JavaScript.

    Skips the test if they are not installed.
    """

    def find(backend: str) -> Path:
        backend = backend.partition(":")[0]
        if (Path(__file__).parent / backend / "package.json").exists():
            if not npm_packages(backend).exists():
                pytest.skip(f"tools/setup --for {backend} installs it")
            return Path(sys.executable)
        own = ROOT / f".venv-{backend}" / "bin" / "python"
        if not own.exists() and backend not in IN_THIS_PYTHON:
            pytest.skip(f"tools/setup --for {backend} installs it")
        return own if own.exists() else Path(sys.executable)

    return find

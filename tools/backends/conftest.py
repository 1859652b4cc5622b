from __future__ import annotations

import os
import shutil
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


@pytest.fixture
def on_arm() -> Callable[[str, str], tuple[list[Path | str], dict[str, str]]]:
    """The command and the environment of the Python that has the packages of a backend, on an emulated processor.

    Skips the test if they are not installed.
    """

    def find(backend: str, processor: str) -> tuple[list[Path | str], dict[str, str]]:
        data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "touchstone"
        sysroot, packages = data / "sysroots/aarch64", data / f"backends/{backend}-aarch64"
        if not (packages / "complete").exists() or not shutil.which("qemu-aarch64"):
            pytest.skip(f"touchstone backend install {backend} --arch aarch64 installs it")
        environment = {
            "QEMU_LD_PREFIX": str(sysroot / "processors" / processor),
            "PYTHONPATH": str(packages / "packages"),
        }
        return ["qemu-aarch64", "-cpu", processor, sysroot / "usr/bin/python3"], environment

    return find

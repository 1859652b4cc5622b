"""The control of emulated ARM processors is exact, and finds operations that are wrong."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

BACKENDS = Path(__file__).parent


@pytest.mark.parametrize("processor", ["cortex-a72", "neoverse-n1"])
def test_the_control_tells_right_from_wrong(processor: str, on_arm: Callable[..., tuple]):
    script = (
        "import aarch64 as a; known = [o for o in a.OPERATIONS if o.needs in a.features()]; "
        "print(a.wrong_operations(), a.wrong_operations([o._replace(words=a.ZERO) for o in known]) "
        "== [o.name for o in known], len(known))"
    )
    python, environment = on_arm("ort", processor)
    environment = {**os.environ, **environment, "PYTHONPATH": str(BACKENDS)}
    result = subprocess.run([*python, "-B", "-c", script], env=environment, capture_output=True, text=True)
    count = {"cortex-a72": 9, "neoverse-n1": 11}[processor]
    assert result.stdout == f"[] True {count}\n", result.stderr


def test_cpuinfo_names_the_processor(on_arm: Callable[..., tuple]):
    _, environment = on_arm("ort", "cortex-a72")
    text = (Path(environment["QEMU_LD_PREFIX"]) / "proc/cpuinfo").read_text()
    first, second = text.strip().split("\n\n")
    assert second == first.replace("processor       : 0", "processor       : 1")
    assert "Features        : fp asimd aes pmull sha1 sha2 crc32 cpuid\n" in first
    assert "CPU implementer : 0x41\n" in first and "CPU part        : 0xd08\n" in first

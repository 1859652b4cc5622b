"""Describes this machine, as far as the system reports it."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path
from typing import Any


def read(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return None


def caches() -> list[str]:
    """The caches of the first CPU, for example 'L2 1024 KiB'."""
    found = []
    for index in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = (read(f"{index}/{name}") for name in ("level", "type", "size"))
        if level and size:
            suffix = {"Data": "d", "Instruction": "i"}.get(kind or "", "")
            found.append(f"L{level}{suffix} {size.replace('K', ' KiB')}")
    return found


def memory() -> str | None:
    match = re.search(r"MemTotal:\s+(\d+) kB", read("/proc/meminfo") or "")
    return f"{round(int(match[1]) / 2**20)} GiB" if match else None


def describe() -> dict[str, Any]:
    cpuinfo = read("/proc/cpuinfo") or ""
    model = re.search(r"model name\s*: (.+)", cpuinfo)
    flags = set((re.search(r"flags\s*: (.+)", cpuinfo) or [""])[0].split())
    governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    system = re.search(r'PRETTY_NAME="(.+)"', read("/etc/os-release") or "")
    return {
        "cpu": model[1] if model else platform.processor() or platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "avx512": "avx512f" in flags,
        "caches": caches(),
        "memory": memory(),
        "governor": governor or "not visible",
        "virtual": "hypervisor" in flags,
        "huge_pages": read("/sys/kernel/mm/transparent_hugepage/enabled"),
        "system": system[1] if system else platform.system(),
        "kernel": ".".join(platform.release().split(".")[:2]),
        "load": list(os.getloadavg()),
    }

"""The report of tools/benchmark as Markdown that is readable as plain text."""

from __future__ import annotations

import itertools
import statistics
import textwrap
from typing import Any, Iterable

Report = dict[str, Any]

PEERS = {
    "onnxruntime": "ONNX Runtime",
    "onednn": "oneDNN",
    "plain_loop": "plain loop",
    "portable": "portable",
    "memcpy": "memcpy",
}
PORTABLE_PEERS = {"portable_plain_loop": "plain loop", "memcpy": "memcpy"}

TITLES = {
    "main": "Rows and sizes",
    "types": "Every quantized type",
    "portable": "The portable kernels, and a plain loop for the same CPUs",
    "size": "Growth with size",
    "axis length": "Growth with the length of an innermost axis",
    "extent after the axis": "Growth with the extent after the axis, of length 64",
    "block size": "Growth with the block size, along an innermost axis of 4096",
    "block size of rows": "Growth with the block size, along an axis of 4096 with few elements after it",
}

METHOD = """\
Times are nanoseconds of CPU time per element in one thread. Each time is the least of {rounds} rounds. In each round every peer
runs for {ms:.0f} ms, or once if that takes longer, in random order. (Over all measurements, the median round took
{spread:.0%} more than the least.) `1.5x` is the time of that peer divided by ours."""

LEGEND = [
    "**ours**: the kernels of `optimized/`.",
    "**ONNX Runtime** {onnxruntime}: one thread, no graph optimizations, all tensors bound to memory of the caller. "
    "The time of a call on one element is subtracted ({call:.1f} us; the JSON has both), because this is the closest "
    "estimate of the time of the kernel alone.",
    "**oneDNN** {onednn}: its `reorder`, with one scale and one zero point. It multiplies by the reciprocal, and adds "
    "the zero point before it rounds, which changes ties.",
    "**plain loop**: straightforward C++, compiled by {plain_loop} with `-O3 -mavx2 -mfma -mf16c`.",
    "**portable**: our kernels without AVX2. In their table, the plain loop is compiled with the same flags as they are, "
    "for any x86-64 CPU, and ratios are to the portable kernels.",
    "**memcpy**: copies as many bytes as the kernel reads and writes.",
    "**bandwidth**: our throughput, relative to a loop with the same loads and stores and without arithmetic, at the "
    "same size.",
    "**ports**: our throughput, relative to the limit of two 32-byte loads and one 32-byte store per cycle, "
    "at {ghz:.2f} GHz as measured.",
    "`none`: the peer cannot do this work. `!=N`: N elements of its output are not what the specification says "
    "(at most {compared} elements are compared). One x of QuantizeLinear in 16 is a tie.",
]


def sections_of(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Names of measurements by section, in order."""
    by_section: dict[str, list[str]] = {}
    for row in rows:
        by_section.setdefault(row["section"], []).append(f"{row['name']}/{row['elements']}")
    return [{"section": section, "measurements": names} for section, names in by_section.items()]


def kernel_ns(measurement: dict[str, Any], peer: str) -> float | None:
    """The time of one pass. None if the peer has none, or its kernel cannot be separated from its call."""
    entry = measurement["peers"].get(peer, {})
    if not entry.get("ns"):
        return None
    best = entry["best_ns"]
    if peer == "onnxruntime":
        best -= measurement["peers"]["onnxruntime_call"]["best_ns"]
    return best if best > 0 else None


def clock_hz(report: Report) -> float:
    return statistics.median(max(result["cycles_per_second"]) for result in report["measurements"].values())


def limits(measurement: dict[str, Any], hertz: float) -> dict[str, float]:
    """The lower limits of the time of one pass, in nanoseconds."""
    cycles = max(measurement["bytes_read"] / 64, measurement["bytes_written"] / 32)
    found = {"ports": cycles / hertz * 1e9}
    moved = [kernel_ns(measurement, peer) for peer in ("traffic", "traffic_streaming")]
    if known := [ns for ns in moved if ns]:
        found["bandwidth"] = min(known)
    return found


def short(ns: float) -> str:
    return f"{ns:.3f}" if ns < 0.9995 else f"{ns:.3g}"


def ratio(times: float) -> str:
    return f"{times:.2f}x" if times < 9.995 else f"{times:.0f}x"


def size(elements: int) -> str:
    for factor, unit in ((1 << 20, "Mi"), (1 << 10, "Ki")):
        # With an axis that does not divide 1 Mi, the size is slightly smaller.
        if elements >= 0.9 * factor:
            return f"{elements / factor:.3g} {unit}"
    return str(elements)


def peer_cell(measurement: dict[str, Any], peer: str, reference: str = "touchstone") -> str:
    ns = kernel_ns(measurement, peer)
    ours = kernel_ns(measurement, reference)
    if ns is None:
        return "below a call" if measurement["peers"].get(peer, {}).get("ns") else "none"
    cell = short(ns / measurement["elements"])
    if ours:
        cell += f" {ratio(ns / ours)}"
    if differing := measurement["peers"][peer].get("differing"):
        cell += f" !={differing}"
    return cell


def wrap(text: str) -> str:
    indent = "  " if text.startswith("* ") else ""
    return textwrap.fill(text, 120, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)


def align(header: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]

    def line(cells: list[str], fill: str = " ") -> str:
        padded = [
            cell.ljust(widths[0], fill) if i == 0 else cell.rjust(widths[i], fill) for i, cell in enumerate(cells)
        ]
        return "| " + " | ".join(padded) + " |"

    rule = line(["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]])
    return "\n".join([line(header), rule, *map(line, rows)])


def section_table(measurements: list[dict[str, Any]], hertz: float) -> str:
    header = ["", "elements", "ours", *PEERS.values(), "bandwidth", "ports"]
    rows = []
    for measurement in measurements:
        ours = kernel_ns(measurement, "touchstone")
        bounds = limits(measurement, hertz)
        rows.append(
            [
                measurement["name"],
                size(measurement["elements"]),
                short(ours / measurement["elements"]) if ours else "none",
                *[peer_cell(measurement, peer) for peer in PEERS],
                *[f"{bounds[name] / ours:.0%}" if ours and name in bounds else "" for name in ("bandwidth", "ports")],
            ]
        )
    return align(header, rows)


def portable_table(measurements: list[dict[str, Any]]) -> str:
    rows = []
    for measurement in measurements:
        ours = kernel_ns(measurement, "portable")
        rows.append(
            [
                measurement["name"],
                size(measurement["elements"]),
                short(ours / measurement["elements"]) if ours else "none",
                *[peer_cell(measurement, peer, "portable") for peer in PORTABLE_PEERS],
            ]
        )
    return align(["", "elements", "portable", *PORTABLE_PEERS.values()], rows)


def summary_table(measurements: list[dict[str, Any]]) -> str:
    """One line for each row of the main section, one column for each size."""
    sizes = sorted({measurement["elements"] for measurement in measurements})
    header = ["ns per element, and times as fast as ONNX Runtime", *[size(elements) for elements in sizes]]
    rows = []
    for name, group in itertools.groupby(measurements, key=lambda measurement: measurement["name"]):
        cells = {}
        for measurement in group:
            ours, theirs = (kernel_ns(measurement, peer) for peer in ("touchstone", "onnxruntime"))
            if ours:
                cells[measurement["elements"]] = short(ours / measurement["elements"]) + (
                    f" {ratio(theirs / ours)}" if theirs else " none"
                )
        rows.append([name, *[cells.get(elements, "") for elements in sizes]])
    return align(header, rows)


def machine_line(machine: dict[str, Any]) -> str:
    parts = [
        machine["cpu"] + (" with AVX-512, which the peers may use" if machine["avx512"] else ""),
        f"{machine['cores']} cores" + (" of a virtual machine" if machine["virtual"] else ""),
        ", ".join(machine["caches"]),
        machine["memory"] or "",
        f"governor {machine['governor']}",
        f"{machine['system']}, Linux {machine['kernel']}",
        f"load at the start {machine['load'][0]:.1f}",
        machine["when"],
    ]
    return "; ".join(part for part in parts if part) + "."


def legend(report: Report) -> str:
    measurements = report["measurements"].values()
    entries = [entry for measurement in measurements for entry in measurement["peers"].values() if entry["ns"]]
    calls = [entry["best_ns"] for m in measurements if (entry := m["peers"].get("onnxruntime_call"))]
    versions = {
        peer: entry["version"] for m in measurements for peer, entry in m["peers"].items() if "version" in entry
    }
    facts = {
        **{peer: versions.get(peer, "(none here)") for peer in ("onednn", "plain_loop")},
        "rounds": report["settings"]["rounds"],
        "ms": report["settings"]["seconds"] * 1e3,
        "spread": statistics.median(statistics.median(entry["ns"]) / entry["best_ns"] for entry in entries) - 1,
        "onnxruntime": report["versions"]["onnxruntime"],
        "call": statistics.median(calls) / 1e3 if calls else 0,
        "ghz": clock_hz(report) / 1e9,
        "compared": f"{1 << 20:,}",
    }
    return wrap(METHOD.format(**facts)) + "\n\n" + "\n".join(wrap("* " + text.format(**facts)) for text in LEGEND)


def render(report: Report) -> str:
    hertz = clock_hz(report)
    found = report["measurements"]
    parts = [
        "# How fast the kernels are",
        wrap("Written by `tools/benchmark`. " + machine_line(report["machine"])),
        legend(report),
    ]
    for section in report["sections"]:
        measurements = [found[name] for name in section["measurements"]]
        parts.append(f"## {TITLES[section['section']]}")
        if section["section"] == "main":
            parts.append(summary_table(measurements))
        is_portable = section["section"] == "portable"
        parts.append(portable_table(measurements) if is_portable else section_table(measurements, hertz))
    return "\n\n".join(parts)

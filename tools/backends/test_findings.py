"""FINDINGS.md is true: its snippets print what came back, as their comments say, and with the reference the right."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

BACKENDS = Path(__file__).parent
ROOT = BACKENDS.parents[1]

# What FINDINGS.md says to set.
ENVIRONMENT = {"tinygrad": {"DEV": "CPU:CLANG", "CC": "clang-16"}}

# A call that prints, the comment behind it, and that below it, if it says what was expected instead.
PRINTS = re.compile(r"^ *(?:print|show)\(.*\)  #(.*)\n(?: *# expected:(.*)\n)?", re.MULTILINE)


class Finding(NamedTuple):
    backend: str
    title: str
    prelude: str  # of all runtimes
    own_prelude: str  # of this one
    code: str


def findings() -> list[Finding]:
    found = []
    for backend, section in sections():
        own, *parts = parts_of(section, "### ")
        for part in parts:
            # Some are not in Python, and what was also seen has no snippets.
            found += [
                Finding(backend, part.splitlines()[0], python(INTRODUCTION), python(own), code)
                for code in filter(None, [python(part)])
            ]
    return found


def sections() -> list[tuple[str, str]]:
    """The backend, and what is said of it."""
    titles = re.findall(r"^\| `(\S+)` \| \[([^]]+)\]", INTRODUCTION, re.MULTILINE)
    return [(name, section) for section in SECTIONS for name, title in titles if section.startswith(title)]


def parts_of(text: str, heading: str) -> list[str]:
    return re.split(f"^{heading}", text, flags=re.MULTILINE)


INTRODUCTION, *SECTIONS = parts_of((BACKENDS / "FINDINGS.md").read_text(), "## ")


def python(text: str) -> str:
    return "".join(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


def is_printed(texts: list[str], output: str) -> bool:
    """Commas and blanks do not count, and a ? stands for what is different each time."""
    wanted, printed = (re.sub(r"[,\s]+", " ", text).replace("[ ", "[").strip() for text in ("\n".join(texts), output))
    return re.fullmatch(re.escape(wanted).replace(r"\?", r"[^\s\]]+"), printed) is not None


def output_of(python: Path | str, script: str, directory: Path, environment: dict[str, str]) -> str:
    (directory / "snippet.py").write_text(script)
    command = [python, "-B", "snippet.py"]
    result = subprocess.run(
        command, cwd=directory, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


FINDINGS = pytest.mark.parametrize("finding", [pytest.param(f, id=f"{f.backend}-{f.title[:2]}") for f in findings()])


@FINDINGS
def test_it_comes_back_from_the_runtime(finding: Finding, tmp_path: Path, python_of: Callable[[str], Path]):
    interpreter = python_of(finding.backend)
    script = finding.prelude + finding.own_prelude + finding.code
    output = output_of(interpreter, script, tmp_path, ENVIRONMENT.get(finding.backend, {}))
    assert is_printed([came for came, _ in PRINTS.findall(finding.code)], output), output


@FINDINGS
def test_it_is_not_what_the_reference_gives(finding: Finding, tmp_path: Path):
    script = finding.prelude + (BACKENDS / "findings_on_reference.py").read_text() + finding.code
    environment = {"PYTHONPATH": str(ROOT / "tools" / "python" / "src")}
    output = output_of(sys.executable, script, tmp_path, environment)
    expected = [match[2] if match[2] is not None else match[1] for match in PRINTS.finditer(finding.code)]
    assert is_printed(expected, output), output
    assert expected != [match[1] for match in PRINTS.finditer(finding.code)]


def test_it_counts_what_the_committed_reports_count():
    """A backend whose count is not the same in each run has no number there."""
    counts = {}
    for backend, section in sections():
        for accepted, forbidden in re.findall(r"([\d,]+) of ([\d,]+)\s+forbidden", section):
            report = json.loads((BACKENDS / backend / "compliance" / "standard.json").read_text())
            counts[backend] = accepted, forbidden
            assert counts[backend] == (
                f"{report['summary']['verdicts']['accepts_invalid']:,}",
                f"{sum(row['total'] for row in report['must_reject']):,}",
            ), backend
    assert {"ort", "onnx-reference", "tvm", "tract"} <= set(counts)


def test_there_are_three_of_each():
    counts = {name: 0 for name in ("ort", "onnx-reference", "openvino", "tvm", "tinygrad", "iree")}
    for finding in findings():
        counts[finding.backend] += 1
    assert set(counts.values()) == {3}

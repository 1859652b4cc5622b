"""FINDINGS.md is true: its snippets print what their comments state, and with the reference the right results."""

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

# The backends in JavaScript, whose snippets start node.
BACKENDS_OF_NPM = ("onnxruntime-node", "onnxruntime-web")

# The settings that FINDINGS.md requires.
ENVIRONMENT = {"tinygrad": {"DEV": "CPU:CLANG", "CC": "clang-16"}} | {
    name: {"NODE_PATH": str(ROOT / "build/backends" / name / "node_modules")} for name in BACKENDS_OF_NPM
}

# The backends with snippets in Python.
BACKENDS_OF_PYPI = (
    "iree",
    "nxrt",
    "onnx-reference",
    "opencv",
    "openvino",
    "ort",
    "ort-ep:onnxruntime_ep_openvino",
    "ort-ep:onnxruntime_qnn",
    "tinygrad",
    "tvm",
)

PROCESSORS_OF_ARM = ("cortex-a72",)

# A call that prints, the comment after it, and the comment below it if that gives the expected output.
PRINTS = re.compile(r"^ *(?:print|show)\(.*\)  #(.*)\n(?: *# expected:(.*)\n)?", re.MULTILINE)


class Finding(NamedTuple):
    backend: str
    title: str
    prelude: str  # of all runtimes
    own_prelude: str  # of this runtime
    code: str
    processor: str | None  # on which it shows, if not on all; QEMU's name
    vendor: str | None  # of the only processors on which it was seen


def findings() -> list[Finding]:
    found = []
    for backend, section in sections():
        own, *parts = parts_of(section, "### ")
        for part in parts:
            # Some snippets are not in Python, and further observations have no snippets.
            found += [
                Finding(backend, part.splitlines()[0], python(INTRODUCTION), python(own), code, *processor_in(part))
                for code in filter(None, [python(part)])
            ]
    return found


def sections() -> list[tuple[str, str]]:
    """The backends and their sections."""
    titles = re.findall(r"^\| `(\S+)` \| \[([^]]+)\]", INTRODUCTION, re.MULTILINE)
    return [(name, section) for section in SECTIONS for name, title in titles if section.startswith(title)]


def parts_of(text: str, heading: str) -> list[str]:
    return re.split(f"^{heading}", text, flags=re.MULTILINE)


INTRODUCTION, *SECTIONS = parts_of((BACKENDS / "FINDINGS.md").read_text(), "## ")


def processor_in(part: str) -> tuple[str | None, str | None]:
    named = re.search(r"^\* Processor: `([\w-]+)`", part, re.MULTILINE)
    vendor = re.search(r"^\* Processors: only of (\w+)", part, re.MULTILINE)
    return named and named[1], vendor and vendor[1]


def python(text: str) -> str:
    return "".join(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


def is_printed(texts: list[str], output: str) -> bool:
    """Ignores commas and blanks. A ? matches what differs each time."""
    wanted, printed = (re.sub(r"[,\s]+", " ", text).replace("[ ", "[").strip() for text in ("\n".join(texts), output))
    return re.fullmatch(re.escape(wanted).replace(r"\?", r"[^\s\]]+"), printed) is not None


def output_of(python: list[Path | str], script: str, directory: Path, environment: dict[str, str]) -> str:
    (directory / "snippet.py").write_text(script)
    command = [*python, "-B", "snippet.py"]
    result = subprocess.run(
        command, cwd=directory, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


FINDINGS = pytest.mark.parametrize("finding", [pytest.param(f, id=f"{f.backend}-{f.title[:2]}") for f in findings()])


@FINDINGS
def test_the_runtime_still_gives_the_finding(
    finding: Finding, tmp_path: Path, python_of: Callable[[str], Path], on_arm: Callable[..., tuple]
):
    if finding.vendor and finding.vendor not in Path("/proc/cpuinfo").read_text():
        pytest.skip(f"seen only on processors of {finding.vendor}")
    if finding.processor in PROCESSORS_OF_ARM:
        command, environment = on_arm(finding.backend, finding.processor)
    else:
        emulator = ["qemu-x86_64", "-cpu", finding.processor] if finding.processor else []
        command, environment = [*emulator, python_of(finding.backend)], ENVIRONMENT.get(finding.backend, {})
    output = output_of(command, finding.prelude + finding.own_prelude + finding.code, tmp_path, environment)
    assert is_printed([came for came, _ in PRINTS.findall(finding.code)], output), output


@FINDINGS
def test_it_is_not_what_the_reference_gives(finding: Finding, tmp_path: Path):
    script = finding.prelude + (BACKENDS / "findings_on_reference.py").read_text() + finding.code
    environment = {"PYTHONPATH": str(ROOT / "tools" / "python" / "src")}
    output = output_of([sys.executable], script, tmp_path, environment)
    expected = [match[2] if match[2] is not None else match[1] for match in PRINTS.finditer(finding.code)]
    assert is_printed(expected, output), output
    assert expected != [match[1] for match in PRINTS.finditer(finding.code)]


def upstream_reports(name: str) -> list[list[str]]:
    """The reports and causes that the page of results has links for."""
    lines = (BACKENDS / name / "upstream").read_text().splitlines()
    return [line.split(maxsplit=1) for line in lines if not line.startswith("#")]


def parts_with_upstream() -> list[tuple[str, str]]:
    """The directories of backends, and the parts of their findings that are known upstream."""
    parts = [(backend.partition(":")[0], part) for backend, text in sections() for part in parts_of(text, "### ")]
    return [(name, part) for name, part in parts if re.search(r"\w#\d", part)]


def test_reports_upstream_are_listed_with_their_causes():
    for name, part in parts_with_upstream():
        causes = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\* Cause.*", part, re.MULTILINE)))
        for report in re.findall(r"^\* Known upstream: ([\w-]+/[\w-]+#\d+)", part, re.MULTILINE):
            listed = upstream_reports(name) if causes else []
            assert not causes or any([report, cause] in listed for cause in causes), (report, causes)


def test_listed_reports_are_those_of_findings():
    for file in BACKENDS.glob("*/upstream"):
        for report, cause in upstream_reports(file.parent.name):
            named = re.compile(rf"#{report.partition('#')[2]}\b")
            parts = [part for name, part in parts_with_upstream() if name == file.parent.name and f"`{cause}`" in part]
            assert any(named.search(part) for part in parts), (file, report, cause)


def section_of_tools() -> str:
    (found,) = [section for section in SECTIONS if section.startswith("Tools that rewrite models\n")]
    return found


def test_the_tools_that_rewrite_models_still_give_the_findings(tmp_path: Path, python_of: Callable[[str], Path]):
    code = python(section_of_tools())
    output = output_of([python_of("transform")], python(INTRODUCTION) + code, tmp_path, {})
    assert is_printed([came for came, _ in PRINTS.findall(code)], output), output


def test_the_tools_have_the_versions_that_are_pinned():
    files = (BACKENDS / "transform" / "requirements.txt", ROOT / "tools" / "onnx_node_tests.txt")
    pinned = "".join(file.read_text() for file in files)
    named = re.findall(r"(onnx\w*) (\d[\d.]*\d)", section_of_tools().partition("```")[0])
    assert len(named) == 5
    for package, version in named:
        assert f"\n{package}=={version} " in pinned, package


def test_it_names_the_versions_that_are_pinned():
    for backend in BACKENDS_OF_PYPI:
        section = dict(sections())[backend]
        version = re.fullmatch(r".* (\S+)", section.splitlines()[0])[1]
        lines = (BACKENDS / backend.partition(":")[0] / "requirements.txt").read_text()
        if backend == "onnx-reference":
            lines = (ROOT / "tools" / "onnx_node_tests.txt").read_text()
        assert version in re.findall(r"^[\w-]+==(\S+)", lines, re.MULTILINE), backend
    for backend in BACKENDS_OF_NPM:
        package = json.loads((BACKENDS / backend / "package.json").read_text())
        assert dict(sections())[backend].startswith(f"{backend} {package['dependencies'][backend]}\n")


def test_it_leaves_the_counts_to_the_results():
    """They change with every version of the suite."""
    assert not re.search(r"[\d,]+ of [\d,]+\s+forbidden", "".join(SECTIONS))


def test_every_finding_says_whether_it_is_known_upstream():
    known = re.compile(r"^\* (?:Known upstream: \S+/\S+#\d+|Not found in the tracker)", re.MULTILINE)
    for backend, section in sections():
        for part in parts_of(section, "### ")[1:]:
            assert not re.match(r"\d+\. ", part) or known.search(part), f"{backend}: {part.splitlines()[0]}"


def test_it_names_causes_that_the_results_have():
    """By the name of a hypothesis, or a part of the sentence."""
    named = re.compile(r"^\* Cause in the \[result\]\((\S+)\).*: `(.+)`\.$", re.MULTILINE)
    found = named.findall("".join(SECTIONS))
    assert len(found) >= 8
    for file, cause in found:
        result = json.loads((BACKENDS / file).read_text())
        texts = [text for row in result["causes"] for text in (row.get("name", ""), row["sentence"])]
        assert any(cause in text for text in texts + result.get("more_names", [])), f"{file}: {cause}"


def test_they_are_numbered():
    numbers = {name: [] for name in BACKENDS_OF_PYPI + BACKENDS_OF_NPM}
    for finding in findings():
        numbers[finding.backend].append(finding.title.split(" ")[0])
    for backend, found in numbers.items():
        assert found and found == [f"{number}." for number in range(1, len(found) + 1)], backend

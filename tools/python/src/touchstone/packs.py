"""Runs a pack of cases from `touchstone export` on a backend in this process, and lets Touchstone judge the answers."""

from __future__ import annotations

import json
import subprocess
import unittest
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from onnx import TensorProto, numpy_helper

from touchstone.answering import NoTensor, respond
from touchstone.served import find_program
from touchstone.tensors import from_array
from touchstone.worker_pb2 import Request, Response, Tensor

AS_EXPECTED, UNEXPECTED, INCOMPLETE = 0, 1, 4


class PackError(Exception):
    """The program failed; the message is the program's."""


class PackedCase(NamedTuple):
    id: str
    directory: Path  # relative to the pack and to its answers
    data_sets: int
    control: Path | None = None  # a refusal shows nothing if this model is refused, too


def export(
    pack: Path, tier: str, glob: str, assume: Iterable[str] = (), with_outputs: bool = False
) -> list[PackedCase]:
    """Writes the cases of a plan, without those that the backend does not support."""
    assumed = [argument for text in assume for argument in ("--assume", text)]
    without = [] if with_outputs else ["--without-outputs"]
    _call(["export", str(pack), *without, "--tier", tier, "--filter", glob, *assumed], [AS_EXPECTED])
    manifest = json.loads((pack / "manifest.json").read_text())
    return [
        PackedCase(
            row["id"], Path(row["path"]), len(row["data_sets"]), Path(row["control"]) if "control" in row else None
        )
        for row in manifest["cases"]
        if "path" in row
    ]


def answer(backend: Any, device: str, pack: Path, case: PackedCase, answers: Path) -> None:
    """Runs a case, and its control if the case was refused. Writes the backend's outputs or the reason of its refusal.

    Raises MemoryError and SkipTest as the backend does, NotCompatible, which is a SkipTest, and NoTensor.
    """
    request = Request(model=(pack / case.directory / "model.onnx").read_bytes())
    for data_set in _data_sets(pack, case):
        request.input_sets.add(inputs=map(_read, _numbered(data_set.glob("input_*.pb"))))
    response = respond(backend, device, request, passed_on=(MemoryError, unittest.SkipTest))
    _write(response, answers / case.directory, _data_sets(answers, case))
    for given in response.answers.answers:
        if given.HasField("defect"):
            raise NoTensor(given.defect)
    is_refused = all(given.HasField("refusal") for given in response.answers.answers)
    if is_refused and case.control is not None and not (answers / case.control).exists():
        with suppress(NoTensor, unittest.SkipTest):  # these show nothing about the case
            answer(backend, device, pack, PackedCase(case.control.name, case.control, data_sets=1), answers)


class Problem(NamedTuple):
    text: str
    verdict: str


def judge(pack: Path, answers: Path, report: Path) -> dict[str, Problem]:
    """The problem of each case that did not pass."""
    command = ["judge", str(pack), "--answers", str(answers), "--output", str(report), "--overwrite"]
    results = report / "report.junit.xml"
    results.unlink(missing_ok=True)
    try:
        _call(command, [AS_EXPECTED, UNEXPECTED, INCOMPLETE])
    except PackError:
        # An unreadable answer causes exit code 3 after the report, which names the case, was written.
        if not results.exists():
            raise
    cases = json.loads((report / "report.json").read_text())["cases"]
    verdicts = {case["id"]: case["verdict"] for case in cases}
    problems = {}
    for case in ElementTree.parse(results).iter("testcase"):
        for problem in case:
            if problem.tag in ("failure", "error", "skipped"):
                text = f"{problem.get('message', '')}\n{problem.text or ''}"
                # The line that replays a case names files that will be removed.
                lines = [line for line in text.splitlines() if line and not line.startswith("touchstone replay ")]
                name = case.attrib["name"]
                problems[name] = Problem("\n".join(lines), verdicts.get(name, "not_run"))
    return problems


def _call(arguments: list[str], expected: list[int]) -> None:
    result = subprocess.run([find_program(), *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if result.returncode not in expected:
        raise PackError(f"touchstone {arguments[0]} ended with exit code {result.returncode}: {result.stderr.strip()}")


def _data_sets(root: Path, case: PackedCase) -> list[Path]:
    return [root / case.directory / f"test_data_set_{number}" for number in range(case.data_sets)]


def _numbered(paths: Iterable[Path]) -> list[Path]:
    """Sorts paths by the number at the end of their names."""
    return sorted(paths, key=lambda path: int(path.stem.rpartition("_")[2]))


def _read(path: Path) -> Tensor:
    """Reads a tensor. ONNX's own files store elements in other fields than raw_data."""
    return from_array(numpy_helper.to_array(TensorProto.FromString(path.read_bytes())))


def _write(response: Response, directory: Path, data_sets: list[Path]) -> None:
    directory.mkdir(parents=True)
    if not response.HasField("answers"):
        (directory / "refused.txt").write_text(response.refusal)
        return
    for path, given in zip(data_sets, response.answers.answers, strict=True):
        path.mkdir()
        if given.HasField("refusal"):
            (path / "refused.txt").write_text(given.refusal)
        if given.HasField("defect"):
            (path / "output_0.pb").touch()  # an empty file is not a tensor either, and is judged so
        for number, tensor in enumerate(given.outputs.tensors):
            (path / f"output_{number}.pb").write_bytes(tensor.SerializeToString())

"""BackendTest like that of onnx.backend.test, with Touchstone's cases. A test file needs only another import.

    backend_test = touchstone.backend.test.BackendTest(MyBackend, __name__)
    backend_test.include("test_quantizelinear_21").exclude("f16").xfail("blocked")
    globals().update(backend_test.test_cases)

Each case is a test, named as ONNX names its own: test_quantizelinear_21_f32_f32_u8_..._cpu is
quantize_linear/21/f32-f32-u8/... . The first test runs only its own case, because it may be the only one. The second
runs all selected cases, and then reports the verdict on its own. The backend runs in this process, as under ONNX's
runner, so a crash ends the process. `touchstone run --backend onnx:MODULE` survives crashes.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import unittest
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import onnx.backend.test

from touchstone.answering import message, reason
from touchstone.packs import PackedCase, Problem, answer, export, judge

__all__ = ["BackendTest"]

CATEGORY = "NodeModel"
DEVICES = ("CPU", "CUDA")


class BackendTest(onnx.backend.test.BackendTest):
    """ONNX's runner with Touchstone's cases, which Touchstone judges.

    `tier`, `filter` and `assume` are options of `touchstone run`. Cases that the backend does not support according to
    `assume` have no tests, and the reports count them as not asked. `test_kwargs`, which ONNX's runner uses for
    tolerances, may only name other tests.
    """

    def __init__(
        self,
        backend: Any,
        parent_module: str | None = None,
        test_kwargs: dict[str, Any] | None = None,
        tier: str = "smoke",
        filter: str = "*",
        assume: Iterable[str] = (),
    ) -> None:
        self.backend = backend
        self._parent_module = parent_module
        self._include_patterns: set[re.Pattern[str]] = set()
        self._exclude_patterns: set[re.Pattern[str]] = set()
        self._xfail_patterns: set[re.Pattern[str]] = set()
        self._test_kwargs: dict[str, Any] = {}
        self._test_items: dict[str, dict[str, Any]] = defaultdict(dict)
        self._directory = Path(tempfile.mkdtemp(prefix="touchstone-"))
        weakref.finalize(self, shutil.rmtree, self._directory, ignore_errors=True)
        self._pack = self._directory / "pack"
        self._report: Path | None = None
        self._runs: dict[str, Run] = {}
        self._cases = {case.directory.name: case for case in export(self._pack, tier, filter, assume)}
        for name in self._cases.keys() & (test_kwargs or {}).keys():
            raise ValueError(f"test_kwargs of {name}: the outputs of Touchstone's cases are compared bit for bit")
        for name, case in self._cases.items():
            self._add_test(CATEGORY, name, self._test(case), [None], DEVICES)

    def enable_report(self) -> BackendTest:
        """Keeps Touchstone's reports in touchstone-report, in a directory for each device."""
        self._report = Path("touchstone-report")
        return self

    @property
    def _filtered_test_items(self) -> dict[str, dict[str, Any]]:
        names = self._test_items[CATEGORY]
        if self._include_patterns and not any(p.search(name) for p in self._include_patterns for name in names):
            wanted = " or ".join(sorted(pattern.pattern for pattern in self._include_patterns))
            raise ValueError(f"none of {len(names)} tests matches {wanted}; one test is {min(names)}")
        return super()._filtered_test_items

    def _test(self, case: PackedCase) -> Callable[..., None]:
        def test(self_of_test: unittest.TestCase, device: str) -> None:
            run = self._run(device)
            if case.id not in run.asked:
                run.ask(self._chosen(device) if run.asked else [case])
            if problem := run.problem(case.id):
                self_of_test.fail(f"{case.id}: {problem}")

        return test

    def _run(self, device: str) -> Run:
        if device not in self._runs:
            directory = self._directory / device
            report = self._report / device if self._report else directory / "report"
            self._runs[device] = Run(self.backend, device, self._pack, directory / "answers", report)
        return self._runs[device]

    def _chosen(self, device: str) -> list[PackedCase]:
        """All selected cases."""
        items = self._test_items[CATEGORY]
        return [
            case
            for name, case in self._cases.items()
            if not getattr(items[f"{name}_{device.lower()}"].func, "__unittest_skip__", False)
        ]


class Run:
    """The backend's answers on one device, and the verdicts on them."""

    def __init__(self, backend: Any, device: str, pack: Path, answers: Path, report: Path) -> None:
        self.asked: set[str] = set()
        self._backend = backend
        self._device = device
        self._pack = pack
        self._answers = answers
        self._report = report
        self._unanswered: dict[str, BaseException] = {}
        self._problems: dict[str, Problem] = {}
        self._failure: Exception | None = None
        answers.mkdir(parents=True)

    def ask(self, cases: list[PackedCase]) -> None:
        """Runs the cases that were not run before, and judges all."""
        for case in cases:
            if case.id not in self.asked:
                self.asked.add(case.id)
                self._ask(case)
        try:
            self._problems = judge(self._pack, self._answers, self._report)
        except Exception as error:
            self._failure = error

    def problem(self, case_id: str) -> str | None:
        """Raises SkipTest if the backend did, or if its answer shows nothing. Raises the error that prevented the
        judgement of all cases."""
        error = self._unanswered.get(case_id)
        if isinstance(error, unittest.SkipTest):
            raise unittest.SkipTest(message(error))  # rewrapped, because ONNX has a subclass that counts as passed
        if error is not None:
            return f"the backend ended with {reason(error)}"
        if self._failure is not None:
            raise self._failure
        problem = self._problems.get(case_id)
        if problem is not None and problem.verdict == "not_shown":
            raise unittest.SkipTest(problem.text)
        return problem.text if problem else None

    def _ask(self, case: PackedCase) -> None:
        try:
            answer(self._backend, self._device, self._pack, case, self._answers)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also an exit(): only this test fails
            self._unanswered[case.id] = error

"""BackendTest like that of onnx.backend.test, over the cases of Touchstone: in a test file, one import changes.

    backend_test = touchstone.backend.test.BackendTest(MyBackend, __name__)
    backend_test.include("quantize_linear_21").exclude("f16").xfail("blocked")
    globals().update(backend_test.test_cases)

Each case is a test that is called as its id is: test_quantize_linear_21_f32_f32_u8_..._cpu is quantize_linear/21/... .
All that are not left out are run before the first of them tells how it was judged. The backend runs in this process,
as under ONNX's own runner: one that crashes ends it. `touchstone run --backend onnx:MODULE` survives that.
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

from touchstone.packs import PackedCase, answer, export, judge

__all__ = ["BackendTest"]

CATEGORY = "NodeModel"
DEVICES = ("CPU", "CUDA")


class BackendTest(onnx.backend.test.BackendTest):
    """The runner of ONNX, with other cases, which are judged by Touchstone.

    `tier`, `filter` and `assume` are those of `touchstone run`; there are no tests of cases that the backend cannot take
    as `assume` says, and the reports count them as rejected. `test_kwargs`, which ONNX's has for tolerances, has to be empty.
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
        if test_kwargs:
            raise ValueError("test_kwargs: the outputs of Touchstone's cases are compared bit for bit")
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
        self._problems: dict[str, dict[str, str]] = {}
        self._cases = {name_of_test(case.id): case for case in export(self._pack, tier, filter, assume)}
        for name, case in self._cases.items():
            self._add_test(CATEGORY, name, self._test(case), [None], DEVICES)

    def enable_report(self) -> BackendTest:
        """Touchstone's reports are left in touchstone-report, in a directory for each device."""
        self._report = Path("touchstone-report")
        return self

    def _test(self, case: PackedCase) -> Callable[..., None]:
        def test(self_of_test: unittest.TestCase, device: str) -> None:
            if device not in self._problems:
                self._problems[device] = self._run(device)
            if case.id in self._problems[device]:
                self_of_test.fail(f"{case.id}: {self._problems[device][case.id]}")

        return test

    def _run(self, device: str) -> dict[str, str]:
        """All cases that are not left out."""
        directory = self._directory / device
        answers = directory / "answers"
        answers.mkdir(parents=True)
        for name, case in self._cases.items():
            item = self._test_items[CATEGORY][f"{name}_{device.lower()}"]
            if not getattr(item.func, "__unittest_skip__", False):
                answer(self.backend, device, self._pack, case, answers)
        return judge(self._pack, answers, self._report / device if self._report else directory / "report")


def name_of_test(case_id: str) -> str:
    """Not so short that -1 and 1 become one."""
    return "test_" + re.sub(r"\W+", "_", case_id.replace("/-", "/minus_"))

from __future__ import annotations

import re
import unittest
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto
from onnx.backend.base import Backend, BackendRep
from onnx.backend.test.runner import BackendIsNotSupposedToImplementIt

import touchstone.backend
import touchstone.backend.test
from touchstone.packs import PackError

SOME = "quantize_linear/21/*"
FEW = "quantize_linear/10/*"


class Wrong(Backend):
    """Gives the outputs of `optimized` with the lowest bit of each byte inverted."""

    seen: list[str] = []

    class Rep(BackendRep):
        def __init__(self, right: BackendRep) -> None:
            self.right = right

        def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
            (output,) = self.right.run(inputs)
            output = np.array(output)
            output.reshape(-1).view(np.uint8)[:] ^= 1
            return (output,)

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> BackendRep:
        cls.seen.append(device)
        return cls.Rep(touchstone.backend.optimized.prepare(model))

    @classmethod
    def supports_device(cls, device: str) -> bool:
        return device == "CPU"


def run(test_cases: dict[str, type[unittest.TestCase]]) -> unittest.TestResult:
    result = unittest.TestResult()
    for test_case in test_cases.values():
        unittest.defaultTestLoader.loadTestsFromTestCase(test_case).run(result)
    return result


@pytest.fixture(scope="module")
def wrong() -> touchstone.backend.test.BackendTest:
    return touchstone.backend.test.BackendTest(Wrong, __name__, filter=SOME)


def test_a_backend_that_is_right_passes():
    backend_test = touchstone.backend.test.BackendTest(touchstone.backend.optimized, __name__, filter=SOME)
    result = run(backend_test.test_cases)
    assert result.wasSuccessful(), result.failures[:1] + result.errors[:1]
    assert result.testsRun > 50
    # Each case has a test for each of ONNX's devices, of which only one exists here.
    assert len(result.skipped) == result.testsRun / 2


def test_a_wrong_backend_fails_with_an_explanation(wrong: touchstone.backend.test.BackendTest):
    name = "test_quantizelinear_21_f32_f32_u8_per_tensor_zp_values_cpu"
    result = unittest.TestResult()
    wrong.test_cases["OnnxBackendNodeModelTest"](name).run(result)
    ((_, explanation),) = result.failures
    assert "quantize_linear/21/f32-f32-u8/per_tensor/zp/values: " in explanation
    assert "expected" in explanation


class Refusing(Backend):
    """Supports nothing."""

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> BackendRep:
        raise NotImplementedError("no such kernel")


class RefusingCases(Backend):
    """Refuses every other model, starting with the first one: the cases, each of which is followed by its control."""

    refuses = False

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> BackendRep:
        cls.refuses = not cls.refuses
        if cls.refuses:
            raise NotImplementedError("no such kernel")
        return touchstone.backend.optimized.prepare(model)


SCALE_OF_ZERO = "quantize_linear/21/f32-f32-u8/per_tensor/zp/scale/zero"
ILLEGAL = "quantize_linear/21/must_reject/scale/longer"


def test_a_refusal_that_a_reading_permits_passes():
    result = run(touchstone.backend.test.BackendTest(RefusingCases, tier="standard", filter=SCALE_OF_ZERO).test_cases)
    assert result.testsRun == 2  # for each device that ONNX knows
    assert result.wasSuccessful() and not result.skipped


def test_a_refusal_counts_only_if_the_control_is_accepted():
    chosen = f"{SCALE_OF_ZERO}:{ILLEGAL}"
    result = run(touchstone.backend.test.BackendTest(Refusing, tier="standard", filter=chosen).test_cases)
    assert not result.errors and len(result.failures) == len(result.skipped) == 2
    for failed, explanation in result.failures:
        assert "scale_zero" in failed.id() and "also refuses a similar, undisputed model" in explanation
    for skipped, why in result.skipped:
        assert "must_reject" in skipped.id() and "also refuses the model without the violation: " in why
    assert run(
        touchstone.backend.test.BackendTest(RefusingCases, tier="standard", filter=ILLEGAL).test_cases
    ).wasSuccessful()


def test_patterns_choose_skip_and_expect_to_fail():
    backend_test = touchstone.backend.test.BackendTest(Wrong, __name__, filter=SOME)
    # No backend is wrong for the shapes without elements.
    backend_test.include("f32_f32_u8").exclude("per_axis").exclude("shape").xfail("per_tensor").xfail("blocked")
    Wrong.seen.clear()
    result = run(backend_test.test_cases)
    assert not result.failures and not result.errors and not result.unexpectedSuccesses
    assert len(result.expectedFailures) == len(Wrong.seen) > 0
    assert len(result.skipped) + len(result.expectedFailures) == result.testsRun


def test_its_test_file_is_like_that_for_onnx(wrong: touchstone.backend.test.BackendTest):
    for test_case in (*wrong.test_cases.values(), wrong.tests):
        assert issubclass(test_case, unittest.TestCase)
        assert test_case.__module__ == __name__
    assert wrong.test_suite.countTestCases() > 50


def test_reports_are_written_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    backend_test = touchstone.backend.test.BackendTest(
        touchstone.backend.reference, filter="quantize_linear/21/f32-f32-u8/*"
    )
    assert run(backend_test.enable_report().test_cases).wasSuccessful()
    assert (tmp_path / "touchstone-report" / "CPU" / "report.html").is_file()


class Compiler(Backend):
    """Accepts only x as an input of the graph."""

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> BackendRep:
        assert {value.name for value in model.graph.input} <= {model.graph.node[-1].input[0]}
        return touchstone.backend.optimized.prepare(model)


def test_a_compiler_gets_constant_scales():
    def outcome(assume: list[str]) -> unittest.TestResult:
        return run(touchstone.backend.test.BackendTest(Compiler, __name__, filter=SOME, assume=assume).test_cases)

    assert outcome([]).failures
    result = outcome(["constant-scales"])
    assert result.wasSuccessful(), result.failures[:1] + result.errors[:1]
    assert result.testsRun > 50


def test_tolerances_are_refused_except_for_other_tests():
    name = "test_quantizelinear_10_f32_f32_u8_per_tensor_zp_values"
    with pytest.raises(ValueError, match=f"{name}: .* bit for bit"):
        touchstone.backend.test.BackendTest(Wrong, test_kwargs={name: {"rtol": 1}}, filter=FEW)
    touchstone.backend.test.BackendTest(Wrong, test_kwargs={"test_relu": {"rtol": 1}}, filter=FEW)


def test_refusals_of_the_program_are_reported():
    with pytest.raises(PackError, match="exit code 2: --tier: no_such_tier not in"):
        touchstone.backend.test.BackendTest(Wrong, tier="no_such_tier")
    with pytest.raises(PackError, match="exit code 5"):
        touchstone.backend.test.BackendTest(Wrong, filter="no_such_case")


def test_common_patterns_for_onnx_tests_match():
    backend_test = touchstone.backend.test.BackendTest(touchstone.backend.optimized, filter=FEW)
    result = run(backend_test.include(r"^test_quantizelinear_.*_cpu$").include("test_relu").test_cases)
    assert result.wasSuccessful()
    of_other_device = [test for test, _ in result.skipped if test.id().endswith("_cuda")]
    assert 0 < len(of_other_device) == result.testsRun / 2


def test_patterns_that_include_nothing_are_an_error(wrong: touchstone.backend.test.BackendTest):
    backend_test = touchstone.backend.test.BackendTest(Wrong, filter=FEW).include("test_relu").include("test_abs")
    for tests in ("test_cases", "test_suite", "tests"):
        with pytest.raises(ValueError, match=r"matches test_abs or test_relu; .* test_quantizelinear_10"):
            getattr(backend_test, tests)


class Odd(Backend):
    """Gives right outputs except for the models in `oddities`, whose keys count the prepared models from 1."""

    oddities: dict[int, Callable[[], Any]] = {}
    prepared: list[ModelProto] = []

    @classmethod
    def prepare(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> Any:
        cls.prepared.append(model)
        oddity = cls.oddities.get(len(cls.prepared))
        prepared = touchstone.backend.optimized.prepare(model)
        return prepared if oddity is None else SimpleNamespace(run=lambda inputs: oddity())

    @classmethod
    def supports_device(cls, device: str) -> bool:
        return device == "CPU"


def results_of_odd(monkeypatch: pytest.MonkeyPatch, oddities: dict[int, Callable[[], Any]]) -> unittest.TestResult:
    monkeypatch.setattr(Odd, "oddities", oddities)
    monkeypatch.setattr(Odd, "prepared", [])
    return run(touchstone.backend.test.BackendTest(Odd, filter=FEW).test_cases)


def test_an_output_that_is_not_a_tensor_fails_only_its_test(monkeypatch: pytest.MonkeyPatch):
    result = results_of_odd(monkeypatch, {3: lambda: [None]})
    assert not result.errors
    ((_, explanation),) = result.failures
    assert "NoTensor: output 'y' (NoneType) is an array of object" in explanation


def throw(error: BaseException) -> Any:
    raise error


def test_an_exception_in_a_backend_ends_no_other_test(monkeypatch: pytest.MonkeyPatch):
    oddities = [MemoryError("2 TiB"), SystemExit(5), GeneratorExit()]
    result = results_of_odd(monkeypatch, {k: partial(throw, error) for k, error in enumerate(oddities, 1)})
    assert not result.errors
    explanations = sorted(re.findall(r"ended with .*", "".join(text for _, text in result.failures)))
    assert explanations == ["ended with GeneratorExit", "ended with MemoryError: 2 TiB", "ended with SystemExit: 5"]


def test_what_the_backend_skips_is_skipped(monkeypatch: pytest.MonkeyPatch):
    skips = [unittest.SkipTest("not today"), BackendIsNotSupposedToImplementIt("never")]
    result = results_of_odd(monkeypatch, {k: partial(throw, error) for k, error in enumerate(skips, 1)})
    assert result.wasSuccessful()
    assert {"not today", "never"} < {reason for _, reason in result.skipped}

    monkeypatch.setattr(Odd, "is_compatible", classmethod(lambda cls, model, device: False), raising=False)
    result = results_of_odd(monkeypatch, {})
    assert result.wasSuccessful()
    assert not Odd.prepared
    assert len(result.skipped) == result.testsRun


def test_a_failing_judge_is_an_error_of_each_test(monkeypatch: pytest.MonkeyPatch):
    backend_test = touchstone.backend.test.BackendTest(touchstone.backend.optimized, filter=FEW)
    monkeypatch.setattr(touchstone.backend.test, "judge", lambda *arguments: throw(PackError("no disk")))
    result = run(backend_test.test_cases)
    assert len(result.errors) == result.testsRun / 2 > 2
    assert all("PackError: no disk" in text for _, text in result.errors)


def test_a_single_test_runs_no_other_case(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Odd, "prepared", [])
    # These have no controls, which would be prepared as well.
    backend_test = touchstone.backend.test.BackendTest(Odd, filter=f"{FEW}/values")
    (test_case,) = backend_test.test_cases.values()
    names = [name for name in dir(test_case) if name.startswith("test_") and name.endswith("_cpu")]
    counts = []
    for name in names:
        result = unittest.TestResult()
        test_case(name).run(result)
        assert result.wasSuccessful()
        counts.append(len(Odd.prepared))
    assert counts == [1] + [len(names)] * (len(names) - 1)

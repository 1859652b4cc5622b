from __future__ import annotations

import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx.backend.base import Backend, BackendRep

import touchstone.backend
import touchstone.backend.test
from touchstone.packs import PackError

SOME = "quantize_linear/21/*"


class Wrong(Backend):
    """Gives what `optimized` gives, but for the lowest bit of each byte."""

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
    # Each case for each device that ONNX knows, of which there is one here.
    assert len(result.skipped) == result.testsRun / 2


def test_one_that_is_wrong_fails_with_an_explanation(wrong: touchstone.backend.test.BackendTest):
    name = "test_quantize_linear_21_f32_f32_u8_per_tensor_zp_values_cpu"
    result = unittest.TestResult()
    wrong.test_cases["OnnxBackendNodeModelTest"](name).run(result)
    ((_, explanation),) = result.failures
    assert "quantize_linear/21/f32-f32-u8/per_tensor/zp/values: " in explanation
    assert "expected" in explanation


def test_patterns_choose_skip_and_expect_to_fail():
    backend_test = touchstone.backend.test.BackendTest(Wrong, __name__, filter=SOME)
    backend_test.include("f32_f32_u8").exclude("per_axis").xfail("per_tensor").xfail("blocked")
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


def test_reports_are_left_when_they_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    backend_test = touchstone.backend.test.BackendTest(
        touchstone.backend.reference, filter="quantize_linear/21/f32-f32-u8/*"
    )
    assert run(backend_test.enable_report().test_cases).wasSuccessful()
    assert (tmp_path / "touchstone-report" / "CPU" / "report.html").is_file()


class Compiler(Backend):
    """Takes only x as an input of the graph."""

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


def test_tolerances_are_refused():
    with pytest.raises(ValueError, match="bit for bit"):
        touchstone.backend.test.BackendTest(Wrong, test_kwargs={"test_quantizelinear": {"rtol": 1}})


def test_what_the_program_refuses_is_told():
    with pytest.raises(PackError, match="exit code 2: --tier: no_such_tier not in"):
        touchstone.backend.test.BackendTest(Wrong, tier="no_such_tier")
    with pytest.raises(PackError, match="exit code 5"):
        touchstone.backend.test.BackendTest(Wrong, filter="no_such_case")


def test_names_of_tests_tell_negative_numbers_apart():
    names = [touchstone.backend.test.name_of_test(f"a/with_axis/{number}/saturate=1") for number in (-1, 1)]
    assert names == ["test_a_with_axis_minus_1_saturate_1", "test_a_with_axis_1_saturate_1"]

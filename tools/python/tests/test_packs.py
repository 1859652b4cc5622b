"""A pack can be read and run with ONNX's own tools."""

from __future__ import annotations

import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx.backend.test.loader
import onnx.backend.test.runner
import pytest
from onnx import ModelProto
from onnx.backend.base import Backend, BackendRep
from onnx.reference import ReferenceEvaluator

import touchstone.packs

# ReferenceEvaluator runs out of memory with the largest block sizes.
CASES = "dequantize_linear/21/*f32-f32/*/values"


class Evaluated(Backend):
    """ONNX's ReferenceEvaluator with modified outputs."""

    becomes: Callable[[np.ndarray], np.ndarray] = staticmethod(np.asarray)

    @classmethod
    def prepare(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> BackendRep:
        class Prepared(BackendRep):
            def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
                feeds = {value.name: array for value, array in zip(model.graph.input, inputs, strict=True)}
                return tuple(map(cls.becomes, ReferenceEvaluator(model).run(None, feeds)))

        return Prepared()

    @classmethod
    def supports_device(cls, device: str) -> bool:
        return device == "CPU"


class Inexact(Evaluated):
    """Wrong by less than the default tolerance of ONNX's runner."""

    @staticmethod
    def becomes(output: np.ndarray) -> np.ndarray:
        return (output * np.float32(1.0005)).astype(output.dtype)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("packs") / "pack"
    touchstone.packs.export(directory, "smoke", CASES, with_outputs=True)
    return directory


def run(pack: Path, backend: type[Backend], monkeypatch: pytest.MonkeyPatch) -> unittest.TestResult:
    tests = onnx.backend.test.loader.load_model_tests(str(pack), "cases")
    monkeypatch.setattr(onnx.backend.test.runner, "load_model_tests", lambda kind: tests if kind == "simple" else [])
    result = unittest.TestResult()
    onnx.backend.test.runner.Runner(backend).test_suite.run(result)
    return result


def test_the_loader_of_onnx_finds_all_cases(pack: Path):
    tests = onnx.backend.test.loader.load_model_tests(str(pack), "cases")
    packed = [path.parent.name for path in pack.glob("cases/*/model.onnx")]
    assert len(packed) > 5
    assert sorted(test.name for test in tests) == sorted(packed)
    assert all((test.rtol, test.atol) == (0, 0) for test in tests)


def test_the_runner_of_onnx_runs_them(pack: Path, monkeypatch: pytest.MonkeyPatch):
    result = run(pack, Evaluated, monkeypatch)
    assert result.wasSuccessful(), (result.failures + result.errors)[0]
    # Each case has a test for each of ONNX's devices, of which only one exists here.
    assert len(result.skipped) == result.testsRun / 2 > 5


def test_the_runner_of_onnx_tolerates_nothing(pack: Path, monkeypatch: pytest.MonkeyPatch):
    result = run(pack, Inexact, monkeypatch)
    assert len(result.failures) > 5
    assert all("Not equal to tolerance rtol=0, atol=0" in text for _, text in result.failures)

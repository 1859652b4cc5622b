"""Tests Touchstone's implementations with ONNX's own runner and ONNX's cases."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import onnx.backend.test
import pytest
from onnx import ModelProto, TensorProto, helper

import touchstone.backend
import touchstone.served
from touchstone.backend import ServedBackend

# DynamicQuantizeLinear is another operator, whose name contains ours. The only device here is the CPU.
OURS = re.compile(r"^test_(de)?quantizelinear\w*_cpu$")


INPUTS = [np.zeros(1, np.float32), np.ones((), np.float32)]


def cases(backend: ServedBackend) -> type:
    """Without the thousands of other tests, which would all be skipped."""
    runner = onnx.backend.test.BackendTest(backend, __name__)
    test_case = runner.include(OURS.pattern).test_cases["OnnxBackendNodeModelTest"]
    for name in [name for name in vars(test_case) if name.startswith("test_") and not OURS.search(name)]:
        delattr(test_case, name)
    return test_case


OnnxTestOfReference = cases(touchstone.backend.reference)
OnnxTestOfOptimized = cases(touchstone.backend.optimized)


def test_onnx_has_the_number_of_cases_of_its_release():
    for test_case in (OnnxTestOfReference, OnnxTestOfOptimized):
        assert len([name for name in vars(test_case) if name.startswith("test_")]) == 27


def quantization(opset: int = 21) -> ModelProto:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N"])
    scale = helper.make_tensor_value_info("scale", TensorProto.FLOAT, [])
    y = helper.make_tensor_value_info("y", TensorProto.INT4, ["N"])
    node = helper.make_node("QuantizeLinear", ["x", "scale"], ["y"], output_dtype=TensorProto.INT4)
    model = helper.make_model(
        helper.make_graph([node], "graph", [x, scale], [y]), opset_imports=[helper.make_opsetid("", opset)]
    )
    model.ir_version = 10
    return model


@pytest.mark.parametrize("backend", [touchstone.backend.reference, touchstone.backend.optimized])
def test_a_prepared_model_is_run_with_arrays(backend: ServedBackend):
    prepared = backend.prepare(quantization())
    for sign in (1, -1):
        (y,) = prepared.run([np.array([sign * 6, 3, 100], np.float32), np.array(2, np.float32)])
        assert (y.dtype.name, y.tolist()) == ("int4", [sign * 3, 2, 7])
    (y,) = backend.run_model(quantization(), [np.array([], np.float32), np.array(2, np.float32)])
    assert y.shape == (0,)


def test_unsupported_models_and_inputs_are_exceptions():
    with pytest.raises(touchstone.backend.Refused, match="output_dtype"):
        touchstone.backend.optimized.run_model(quantization(opset=13), INPUTS)
    prepared = touchstone.backend.optimized.prepare(quantization())
    with pytest.raises(touchstone.backend.Refused, match="scale"):
        prepared.run([np.zeros(1, np.float32), np.zeros(3, np.float16)])
    with pytest.raises(touchstone.backend.Refused, match="1 inputs for a graph with 2: x, scale"):
        prepared.run([np.zeros(1, np.float32)])


@pytest.mark.parametrize("backend", [touchstone.backend.reference, touchstone.backend.optimized])
def test_an_initializer_of_a_graph_input_is_a_default_value(backend: ServedBackend):
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])]
    inputs.append(helper.make_tensor_value_info("s", TensorProto.FLOAT, []))
    inputs.append(helper.make_tensor_value_info("z", TensorProto.UINT8, []))
    y = helper.make_tensor_value_info("y", TensorProto.UINT8, [2])
    node = helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"])
    defaults = [helper.make_tensor("s", TensorProto.FLOAT, [], [0.5]), helper.make_tensor("z", TensorProto.UINT8, [], [0])]
    graph = helper.make_graph([node], "graph", inputs, [y], defaults)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    x, scale, zero_point = np.array([1, 2], np.float32), np.array(1, np.float32), np.array(3, np.uint8)
    for given, expected in (([x], [2, 4]), ([x, scale], [1, 2]), ([x, scale, zero_point], [4, 5])):
        (result,) = backend.run_model(model, given)
        assert result.tolist() == expected
    with pytest.raises(touchstone.backend.Refused, match="4 inputs for a graph with 1 to 3: x, s, z"):
        backend.run_model(model, [x, scale, zero_point, x])


def test_it_names_its_models_and_devices():
    assert touchstone.backend.reference.is_compatible(quantization())
    assert not touchstone.backend.reference.is_compatible(ModelProto())
    assert touchstone.backend.reference.supports_device("CPU:0")
    assert not touchstone.backend.reference.supports_device("CUDA")


def test_a_backend_that_touchstone_does_not_have_does_not_start():
    with pytest.raises(touchstone.backend.WorkerError, match="--backend nonsense did not start: exit code 2"):
        ServedBackend("nonsense").run_model(quantization(), INPUTS)


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("TOUCHSTONE_PROGRAM", str(tmp_path / "none"))
    with pytest.raises(touchstone.backend.WorkerError, match=r"cannot start .*none: No such file"):
        ServedBackend("reference").run_model(quantization(), INPUTS)


def test_the_program_is_found_on_the_path_and_in_the_source_tree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv("TOUCHSTONE_PROGRAM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    built = tmp_path / "build" / "touchstone"
    monkeypatch.setattr(touchstone.served, "_BUILDS", [tmp_path / "none", built])
    with pytest.raises(touchstone.backend.WorkerError, match="TOUCHSTONE_PROGRAM"):
        touchstone.served.find_program()
    for program in (built, tmp_path / "touchstone"):
        program.parent.mkdir(exist_ok=True)
        program.touch(mode=0o755)
        assert touchstone.served.find_program() == str(program)


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        (r"printf '\2\10\1' >&$out; kill -9 $$", "ended: signal 9"),
        (r"printf '\2\10\2' >&$out", "uses version 2 of the worker protocol, but this package uses 1"),
        (r"printf '\2\377\377' >&$out; exit 7", r"wrote an invalid hello \(.*\), and ended: exit code 7"),
        (
            r"printf '\2\10\1' >&$out; head -c1 <&$in; printf '\2\10\5' >&$out",
            "request 5 in place of 1",
        ),
        (r"printf '\2\10\1' >&$out; head -c1 <&$in; printf '\5ab' >&$out", "the stream ends after 2 of the 5 bytes"),
    ],
)
def test_a_broken_worker_is_restarted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, complaint: str
):
    program = tmp_path / "touchstone"
    program.write_text(f"#!/bin/bash\nin=$TOUCHSTONE_REQUESTS_FD out=$TOUCHSTONE_RESPONSES_FD\n{script}\n")
    program.chmod(0o755)
    backend = ServedBackend("optimized")
    with monkeypatch.context() as broken:
        broken.setenv("TOUCHSTONE_PROGRAM", str(program))
        with pytest.raises(touchstone.backend.WorkerError, match=complaint):
            backend.run_model(quantization(), INPUTS)
    assert backend.run_model(quantization(), INPUTS)[0] == 0


@pytest.mark.parametrize(
    ("limits", "complaint"),
    [
        ("hello_bytes=1", r"above 1 bytes \(hello_bytes\)"),
        ("hello_bytes=many", "^TOUCHSTONE_LIMITS: hello_bytes=many is not a whole number"),
    ],
)
def test_the_environment_limits_the_size_of_a_hello(limits: str, complaint: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TOUCHSTONE_LIMITS", limits)
    with pytest.raises(touchstone.served.WorkerError, match=complaint):
        touchstone.served.Worker("reference").run(quantization(), INPUTS)

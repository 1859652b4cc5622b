"""The names of the worker, and the opsets of the version converter. FINDINGS.md runs some of the tools."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from onnx import ModelProto, TensorProto, helper

import transforms


def quantization(opset: int) -> ModelProto:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])
    scale = helper.make_tensor_value_info("scale", TensorProto.FLOAT, [])
    y = helper.make_tensor_value_info("y", TensorProto.UINT8, [2])
    graph = helper.make_graph([helper.make_node("QuantizeLinear", ["x", "scale"], ["y"])], "graph", [x, scale], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


def test_each_name_is_a_function():
    refusal = subprocess.run([Path(transforms.__file__).parent / "worker", "no_such"], capture_output=True, text=True)
    names = refusal.stderr.partition("it has: ")[2].split()
    assert len(names) == 9 + len(transforms.OPSETS)
    for name in names:
        assert callable(getattr(transforms, name.replace("-", "_"))), name


@pytest.mark.parametrize(("name", "expected"), [("next", 22), ("previous", 20), ("13", 13), ("21", 21)])
def test_the_version_converter_changes_the_opset(name: str, expected: int):
    converted = getattr(transforms, f"version_converter_{name}")(quantization(21))
    assert transforms.opset_of(converted) == expected


def test_there_is_no_opset_after_the_last():
    with pytest.raises(ValueError, match="opset 29 is not one of 10 to 28"):
        transforms.version_converter_next(quantization(28))


def test_ort_gives_the_optimized_model():
    pytest.importorskip("onnxruntime")
    assert [node.op_type for node in transforms.ort_basic(quantization(13)).graph.node] == ["QuantizeLinear"]

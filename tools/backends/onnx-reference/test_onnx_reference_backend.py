from __future__ import annotations

import numpy as np
import onnx.checker
import pytest
from onnx import ModelProto, TensorProto, helper

import onnx_reference_backend as backend


def quantization(output_type: int) -> ModelProto:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])
    scale = helper.make_tensor_value_info("scale", TensorProto.FLOAT, [])
    y = helper.make_tensor_value_info("y", output_type, [2])
    graph = helper.make_graph([helper.make_node("QuantizeLinear", ["x", "scale"], ["y"])], "graph", [x, scale], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])


@pytest.mark.parametrize("variant", [backend.plain, backend.checked])
def test_it_computes(variant: backend.OnnxReference):
    prepared = variant.prepare(quantization(TensorProto.UINT8))
    (y,) = prepared.run([np.array([6, 300], np.float32), np.array(2, np.float32)])
    assert (y.dtype, y.tolist()) == (np.uint8, [3, 150])


def test_only_the_checked_variant_refuses_a_wrong_declaration():
    wrong = quantization(TensorProto.INT16)
    backend.plain.prepare(wrong)
    with pytest.raises(onnx.shape_inference.InferenceError):
        backend.checked.prepare(wrong)

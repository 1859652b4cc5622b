"""Tests of the adapter: ONNX Runtime's inputs and outputs, with models that compute nothing."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

import ort_backend
from element_codes import CODES
from touchstone.tensors import from_array, to_array
from touchstone.worker_pb2 import Tensor


@pytest.mark.parametrize("element_type", CODES, ids=[TensorProto.DataType.Name(element_type) for element_type in CODES])
def test_elements_of_every_type_survive_a_round_trip(element_type: int):
    raw = bytes.fromhex(CODES[element_type])
    array = to_array(Tensor(dims=[5, 1], data_type=element_type, raw_data=raw))
    value = ort_backend.to_ort_value(array)
    assert (value.shape(), value.element_type(), value.tensor_size_in_bytes()) == ([5, 1], element_type, len(raw))
    assert from_array(ort_backend.from_ort_value(value)) == from_array(array)


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)])
@pytest.mark.parametrize("element_type", [TensorProto.FLOAT, TensorProto.BFLOAT16, TensorProto.UINT4])
def test_tensors_of_every_shape(element_type: int, shape: tuple[int, ...]):
    array = np.ones(shape, helper.tensor_dtype_to_np_dtype(element_type))
    again = ort_backend.from_ort_value(ort_backend.to_ort_value(array))
    assert (again.dtype, again.shape, again.tolist()) == (array.dtype, array.shape, array.tolist())


def subtraction() -> ModelProto:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("b", "a", "y")]
    graph = helper.make_graph([helper.make_node("Sub", ["a", "b"], ["y"])], "graph", values[:2], values[2:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    return model


@pytest.mark.parametrize("backend", [ort_backend.plain, ort_backend.optimized])
def test_inputs_are_bound_in_the_order_of_the_graph(backend: ort_backend.OnnxRuntime):
    prepared = backend.prepare(subtraction())
    for _ in range(2):
        (output,) = prepared.run([np.array([1], np.float32), np.array([7], np.float32)])
        assert output.tolist() == [6]


def test_an_unsupported_model_is_an_exception():
    model = subtraction()
    model.graph.node[0].op_type = "NoSuchOperator"
    with pytest.raises(Exception, match="NoSuchOperator"):
        ort_backend.plain.prepare(model)

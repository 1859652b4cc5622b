"""Tests of the adapter: OpenCV's inputs, outputs and refusals, with models that compute nothing."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from element_codes import CODES
from one_node import one_node
from touchstone.tensors import from_array, to_array
from touchstone.worker_pb2 import Tensor

pytest.importorskip("cv2", reason="tools/setup --for opencv installs it")
import opencv_backend

TYPES = [
    TensorProto.FLOAT,
    TensorProto.INT32,
    TensorProto.INT16,
    TensorProto.UINT16,
    TensorProto.INT8,
    TensorProto.UINT8,
]


def model(operator: str, names: list[str], element_type: int, shape: list[int | str]) -> ModelProto:
    return one_node(operator, names, element_type, shape, opset=21)


@pytest.mark.parametrize("element_type", TYPES, ids=map(TensorProto.DataType.Name, TYPES))
def test_elements_of_every_type_survive_a_round_trip(element_type: int):
    tensor = Tensor(dims=[5, 1], data_type=element_type, raw_data=bytes.fromhex(CODES[element_type]))
    (output,) = opencv_backend.prepare(model("Identity", ["a"], element_type, [5, 1])).run([to_array(tensor)])
    assert from_array(output) == tensor


def test_float16_comes_back_as_float32():
    array = np.array([1, -0.0, 65504], np.float16)
    (output,) = opencv_backend.prepare(model("Identity", ["a"], TensorProto.FLOAT16, [3])).run([array])
    assert (output.dtype, output.tolist()) == (np.float32, array.tolist())


@pytest.mark.parametrize("element_type", [TensorProto.BFLOAT16, TensorProto.FLOAT8E4M3FN, TensorProto.INT4])
def test_an_unsupported_type_is_refused(element_type: int):
    array = np.ones(2, helper.tensor_dtype_to_np_dtype(element_type))
    with pytest.raises(opencv_backend.Refused, match=r"bfloat16 is not supported|unsupported datatype"):
        opencv_backend.prepare(model("Identity", ["a"], element_type, [2])).run([array])


@pytest.mark.parametrize("shape", [(), (2, 3), (1, 2, 1, 2, 1, 2)])
def test_tensors_of_every_shape(shape: tuple[int, ...]):
    array = np.full(shape, 7, np.int8)
    for dims in (list(shape), [f"d{k}" for k in range(len(shape))]):
        (output,) = opencv_backend.prepare(model("Identity", ["a"], TensorProto.INT8, dims)).run([array])
        assert (output.dtype, output.shape, output.tolist()) == (array.dtype, shape, array.tolist())


@pytest.mark.parametrize("shape", [(0,), (2, 0, 3)])
def test_an_empty_output_is_a_refusal(shape: tuple[int, ...]):
    with pytest.raises(opencv_backend.Refused, match="gives None for an empty output"):
        opencv_backend.prepare(model("Identity", ["a"], TensorProto.INT8, list(shape))).run([np.zeros(shape, np.int8)])


def test_inputs_are_bound_in_the_order_of_the_graph():
    prepared = opencv_backend.prepare(model("Sub", ["a", "b"], TensorProto.FLOAT, [1]))
    for a in (7, 70):
        (output,) = prepared.run([np.array([1], np.float32), np.array([a], np.float32)])
        assert output.tolist() == [a - 1]


def test_an_unsupported_model_is_refused_in_one_line():
    with pytest.raises(opencv_backend.Refused, match=r"^\(-2:.*\) in function .* of type \"NoSuchOperator\"[^\n]*$"):
        opencv_backend.prepare(model("NoSuchOperator", ["a"], TensorProto.FLOAT, [1]))

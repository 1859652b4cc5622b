"""Tests of the adapter: tinygrad's inputs and outputs, with models that compute nothing."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from element_codes import codes_without
from one_node import one_node
from touchstone.tensors import from_array, to_array
from touchstone.worker_pb2 import Tensor

pytest.importorskip("tinygrad", reason="tools/setup --for tinygrad installs it")
import tinygrad_backend

CODES = codes_without(
    TensorProto.FLOAT8E4M3FN,
    TensorProto.FLOAT8E4M3FNUZ,
    TensorProto.FLOAT8E5M2,
    TensorProto.FLOAT8E5M2FNUZ,
    TensorProto.FLOAT8E8M0,
    TensorProto.FLOAT4E2M1,
    TensorProto.INT4,
    TensorProto.UINT4,
    TensorProto.INT2,
    TensorProto.UINT2,
)
NAMES = [TensorProto.DataType.Name(element_type) for element_type in CODES]


def model(operator: str, names: list[str], element_type: int, shape: list[int | str]) -> ModelProto:
    return one_node(operator, names, element_type, shape, opset=21)


@pytest.mark.parametrize("element_type", CODES, ids=NAMES)
def test_elements_of_every_type_survive_a_round_trip(element_type: int):
    tensor = Tensor(dims=[5, 1], data_type=element_type, raw_data=bytes.fromhex(CODES[element_type]))
    (output,) = tinygrad_backend.prepare(model("Identity", ["a"], element_type, [5, 1])).run([to_array(tensor)])
    assert from_array(output) == tensor


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)])
@pytest.mark.parametrize("element_type", [TensorProto.INT8, TensorProto.BFLOAT16])
def test_tensors_of_every_shape(element_type: int, shape: tuple[int, ...]):
    array = np.full(shape, 7, helper.tensor_dtype_to_np_dtype(element_type))
    (output,) = tinygrad_backend.prepare(model("Identity", ["a"], element_type, list(shape))).run([array])
    assert (output.dtype, output.shape, output.tolist()) == (array.dtype, shape, array.tolist())


def test_inputs_are_bound_in_the_order_of_the_graph():
    prepared = tinygrad_backend.prepare(model("Sub", ["a", "b"], TensorProto.FLOAT, [1]))
    for _ in range(2):
        (output,) = prepared.run([np.array([1], np.float32), np.array([7], np.float32)])
        assert output.tolist() == [6]


def test_constants_are_read_from_the_model():
    constant = model("Sub", ["a", "b"], TensorProto.FLOAT, [2])
    constant.graph.initializer.append(helper.make_tensor("b", TensorProto.FLOAT, [2], [1, 2]))
    del constant.graph.input[0]
    (output,) = tinygrad_backend.prepare(constant).run([np.array([7, 7], np.float32)])
    assert output.tolist() == [6, 5]


def test_an_unsupported_model_is_an_exception():
    with pytest.raises(NotImplementedError, match="NoSuchOperator"):
        tinygrad_backend.prepare(model("NoSuchOperator", ["a"], TensorProto.FLOAT, [1])).run(
            [np.array([1], np.float32)]
        )

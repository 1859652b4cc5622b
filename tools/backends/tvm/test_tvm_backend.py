"""Tests of the adapter: TVM's inputs and outputs."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from element_codes import codes_without
from touchstone.tensors import from_array, to_array
from touchstone.worker_pb2 import Tensor

tvm = pytest.importorskip("tvm", reason="tools/setup --for tvm installs it")
import tvm_backend  # noqa: E402

CODES = codes_without(
    TensorProto.INT4,
    TensorProto.UINT4,
    TensorProto.INT2,
    TensorProto.UINT2,
)


@pytest.mark.parametrize("element_type", CODES, ids=[TensorProto.DataType.Name(element_type) for element_type in CODES])
def test_its_tensors_equal_arrays(element_type: int):
    array = to_array(Tensor(dims=[5, 1], data_type=element_type, raw_data=bytes.fromhex(CODES[element_type])))
    assert from_array(tvm.runtime.tensor(array).numpy()) == from_array(array)


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)])
def test_tensors_of_every_shape(shape: tuple[int, ...]):
    array = np.ones(shape, np.float32)
    again = tvm.runtime.tensor(array).numpy()
    assert (again.dtype, again.shape, again.tolist()) == (array.dtype, array.shape, array.tolist())


def model(*operators: str) -> ModelProto:
    """A model in which each operator computes a separate output from a and b. The graph has the inputs b and a."""
    values = {name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in ("b", "a", *operators)}
    nodes = [helper.make_node(operator, ["a", "b"], [operator]) for operator in operators]
    graph = helper.make_graph(nodes, "graph", [values["b"], values["a"]], [values[operator] for operator in operators])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])


def test_inputs_are_bound_in_the_order_of_the_graph():
    prepared = tvm_backend.llvm.prepare(model("Sub"))
    for a in (7, 70):
        (output,) = prepared.run([np.array([1, 2], np.float32), np.array([a, 5], np.float32)])
        assert (output.dtype, output.tolist()) == (np.float32, [a - 1, 3])


def test_outputs_come_in_the_order_of_the_graph():
    prepared = tvm_backend.llvm.prepare(model("Add", "Sub"))
    outputs = prepared.run([np.array([1, 2], np.float32), np.array([7, 5], np.float32)])
    assert [output.tolist() for output in outputs] == [[8, 7], [6, 3]]


def test_an_unsupported_model_is_an_exception():
    with pytest.raises(Exception, match="NoSuch"):
        tvm_backend.llvm.prepare(model("NoSuch"))


def test_an_operator_in_a_message_is_only_named():
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [size]) for name, size in (("x", 3), ("s", 2))]
    y = helper.make_tensor_value_info("y", TensorProto.UINT8, [3])
    graph = helper.make_graph([helper.make_node("QuantizeLinear", ["x", "s"], ["y"], axis=0)], "graph", values, [y])
    mismatched = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    with pytest.raises(ValueError, match=r"^Size mismatch: relax\.quantize: the input shape at dim 0 is"):
        tvm_backend.llvm.prepare(mismatched)


def test_unsupported_inputs_are_an_exception():
    prepared = tvm_backend.llvm.prepare(model("Sub"))
    with pytest.raises(Exception, match="shape"):
        prepared.run([np.zeros(3, np.float32), np.zeros(3, np.float32)])
    with pytest.raises(Exception, match="dtype"):
        prepared.run([np.zeros(2, np.int32), np.zeros(2, np.int32)])

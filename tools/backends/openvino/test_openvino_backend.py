"""Tests of the adapter: OpenVINO's inputs, outputs and refusals."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from element_codes import codes_without
from touchstone.tensors import dtype_of, from_array, to_array
from touchstone.worker_pb2 import Tensor

pytest.importorskip("openvino", reason="tools/setup --for openvino installs it")
import openvino_backend

VARIANTS = pytest.mark.parametrize(
    "backend",
    [
        openvino_backend.accuracy,
        openvino_backend.performance,
        openvino_backend.float32,
        openvino_backend.plain_activations,
    ],
)

CODES = codes_without(
    TensorProto.FLOAT8E4M3FNUZ,
    TensorProto.FLOAT8E5M2FNUZ,
    TensorProto.INT2,
)


@pytest.mark.parametrize("element_type", CODES, ids=[TensorProto.DataType.Name(element_type) for element_type in CODES])
def test_elements_of_every_type_survive_a_round_trip(element_type: int):
    raw = bytes.fromhex(CODES[element_type])
    array = to_array(Tensor(dims=[5, 1], data_type=element_type, raw_data=raw))
    value = openvino_backend.to_ov_tensor(array)
    assert (list(value.shape), value.size, value.data.tobytes()) == ([5, 1], 5, raw)
    assert from_array(openvino_backend.from_ov_tensor(value)) == from_array(array)


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)])
@pytest.mark.parametrize("element_type", [TensorProto.FLOAT, TensorProto.BFLOAT16, TensorProto.UINT4])
def test_tensors_of_every_shape(element_type: int, shape: tuple[int, ...]):
    array = np.ones(shape, dtype_of(element_type))
    again = openvino_backend.from_ov_tensor(openvino_backend.to_ov_tensor(array))
    assert (again.dtype, again.shape, again.tolist()) == (array.dtype, array.shape, array.tolist())


@pytest.mark.parametrize("element_type", [TensorProto.FLOAT8E4M3FNUZ, TensorProto.INT2, TensorProto.FLOAT6E2M3])
def test_an_unsupported_type_is_named(element_type: int):
    with pytest.raises(TypeError, match=TensorProto.DataType.Name(element_type)):
        openvino_backend.to_ov_tensor(np.ones(3, dtype_of(element_type)))


def model(
    operator: str, opset: int, inputs: dict[str, int], output_type: int, shape: list[int | str], **attributes: int
) -> ModelProto:
    """A model whose first input and output have the shape, and whose other inputs are scalars. The graph has the inputs
    in reverse order."""
    shapes = [shape, *[[]] * (len(inputs) - 1)]
    values = [
        helper.make_tensor_value_info(name, element_type, of_input)
        for (name, element_type), of_input in zip(inputs.items(), shapes, strict=True)
    ]
    node = helper.make_node(operator, list(inputs), ["y"], **attributes)
    graph = helper.make_graph([node], "graph", values[::-1], [helper.make_tensor_value_info("y", output_type, shape)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


@VARIANTS
def test_inputs_are_bound_by_name_in_the_order_of_the_graph(backend: openvino_backend.OpenVino):
    prepared = backend.prepare(
        model("Sub", 13, {"a": TensorProto.FLOAT, "b": TensorProto.FLOAT}, TensorProto.FLOAT, [2])
    )
    for a in (7, 70):
        (output,) = prepared.run([np.array(1, np.float32), np.array([a, 5], np.float32)])
        assert output.tolist() == [a - 1, 4]


@VARIANTS
@pytest.mark.parametrize("element_type", [TensorProto.INT4, TensorProto.UINT4, TensorProto.FLOAT4E2M1])
def test_packed_elements_keep_their_order(
    backend: openvino_backend.OpenVino, element_type: int
):
    dequantize = model("DequantizeLinear", 23, {"x": element_type, "s": TensorProto.FLOAT}, TensorProto.FLOAT, [3])
    (output,) = backend.prepare(dequantize).run(
        [np.array(2, np.float32), np.array([1, 2, 3]).astype(dtype_of(element_type))]
    )
    assert (output.dtype, output.tolist()) == (np.float32, [2, 4, 6])


def test_an_input_removed_by_the_runtime_is_not_passed():
    prepared = openvino_backend.accuracy.prepare(
        model(
            "QuantizeLinear",
            19,
            {"x": TensorProto.FLOAT, "s": TensorProto.FLOAT, "z": TensorProto.FLOAT8E5M2},
            TensorProto.FLOAT8E5M2,
            [2],
        )
    )
    dtype = dtype_of(TensorProto.FLOAT8E5M2)
    (output,) = prepared.run([np.zeros((), dtype), np.array(2, np.float32), np.array([4, -8], np.float32)])
    assert (output.dtype, output.tolist()) == (dtype, [2, -4])


@VARIANTS
def test_an_unsupported_model_is_an_exception_with_its_cause(backend: openvino_backend.OpenVino):
    with pytest.raises(openvino_backend.Refused, match=r"^-- No conversion rule found for operations: NoSuch-13"):
        backend.prepare(model("NoSuch", 13, {"a": TensorProto.FLOAT}, TensorProto.FLOAT, [2]))
    with pytest.raises(openvino_backend.Refused, match=r"^Unsupported data type INT2 expected: .*$"):
        backend.prepare(model("Identity", 25, {"a": TensorProto.INT2}, TensorProto.INT2, [2]))


@VARIANTS
def test_an_exception_during_a_run_is_passed_on(backend: openvino_backend.OpenVino):
    prepared = backend.prepare(model("Identity", 13, {"a": TensorProto.FLOAT}, TensorProto.FLOAT, [2]))
    with pytest.raises(openvino_backend.Refused, match=r"^Can't set the input tensor with index: 0, .* incompatible$"):
        prepared.run([np.zeros(3, np.float32)])
    # With symbolic dimensions, OpenVINO detects shapes that do not fit only during the computation.
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [f"size of {name}"]) for name in ("a", "b", "y")]
    graph = helper.make_graph([helper.make_node("Add", ["a", "b"], ["y"])], "graph", values[:2], values[2:])
    prepared = backend.prepare(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]))
    with pytest.raises(openvino_backend.Refused):
        prepared.run([np.zeros(2, np.float32), np.zeros(3, np.float32)])


def test_a_limit_of_the_kernels_is_a_part_of_what_is_tested(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", "AVX2")
    hello = openvino_backend.OpenVino("accuracy").touchstone_hello
    assert hello["description"] == "CPU, execution mode accuracy, kernels up to AVX2"

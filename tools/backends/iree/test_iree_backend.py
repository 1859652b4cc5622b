"""Tests of the adapter: IREE's inputs and outputs, with models that compute nothing."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from element_codes import codes_without
from one_node import one_node
from touchstone.tensors import dtype_of, from_array, to_array
from touchstone.worker_pb2 import Tensor

pytest.importorskip("iree.compiler", reason="tools/setup --for iree installs it")
from iree.runtime import HalElementType as Hal

import iree_backend

CODES = codes_without(
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
    (output,) = iree_backend.generic.prepare(model("Identity", ["a"], element_type, [5, 1])).run([to_array(tensor)])
    assert from_array(output) == tensor


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)])
def test_tensors_of_every_shape(shape: tuple[int, ...]):
    prepared = iree_backend.generic.prepare(
        model("Identity", ["a"], TensorProto.INT8, [f"n{k}" for k in range(len(shape))])
    )
    (output,) = prepared.run([np.full(shape, 7, np.int8)])
    assert (output.dtype, output.shape, output.tolist()) == (np.int8, shape, np.full(shape, 7).tolist())


@pytest.mark.parametrize("backend", [iree_backend.generic, iree_backend.host])
def test_inputs_are_bound_in_the_order_of_the_graph(backend: iree_backend.Iree):
    prepared = backend.prepare(model("Sub", ["a", "b"], TensorProto.FLOAT, [1]))
    for _ in range(2):
        (output,) = prepared.run([np.array([1], np.float32), np.array([7], np.float32)])
        assert output.tolist() == [6]


@pytest.mark.parametrize(
    ("hal_type", "declared", "element_type"),
    [
        (Hal.INT_8, TensorProto.UINT8, TensorProto.UINT8),
        (Hal.INT_8, TensorProto.INT8, TensorProto.INT8),
        (Hal.INT_16, TensorProto.UINT16, TensorProto.UINT16),
        # No other type is converted to the declared one.
        (Hal.INT_8, TensorProto.UINT16, TensorProto.INT8),
        (Hal.INT_8, TensorProto.FLOAT8E4M3FN, TensorProto.INT8),
        (Hal.FLOAT_32, TensorProto.INT32, TensorProto.FLOAT),
    ],
)
def test_the_declaration_decides_only_the_sign_of_integers(hal_type: Hal, declared: int, element_type: int):
    assert iree_backend.element_type_of(int(hal_type), declared) == element_type


def test_packed_elements_survive_a_round_trip():
    array = np.array([1, -1, -8, 7, 3], dtype_of(TensorProto.INT4))
    view = iree_backend.Device().to_view(array)
    assert view.byte_length == 3
    assert iree_backend.from_view(view, TensorProto.INT4).tolist() == array.tolist()


@pytest.mark.parametrize(
    ("operator", "reason"), [("NoSuchOperator", "NoSuchOperator"), ("StringNormalizer", "StringNormalizer")]
)
def test_an_unsupported_model_is_an_exception(operator: str, reason: str):
    with pytest.raises(Exception, match=reason):
        iree_backend.generic.prepare(model(operator, ["a"], TensorProto.FLOAT, [1]))


def test_the_message_of_the_compiler_is_the_reason():
    compiler = iree_backend.Compiler("generic")
    for operator in ("Nothing", "Else"):
        with pytest.raises(iree_backend.CompilationError, match=rf"^failed to legalize operation.*onnx\.{operator}"):
            compiler.compile(
                "func.func @g(%x: !torch.vtensor<[1],f32>) -> !torch.vtensor<[1],f32> attributes "
                f'{{torch.onnx_meta.opset_version = 21 : si64}} {{ %y = torch.operator "onnx.{operator}"(%x) '
                ": (!torch.vtensor<[1],f32>) -> !torch.vtensor<[1],f32> return %y : !torch.vtensor<[1],f32> }"
            )


def test_the_compiler_works_after_a_refusal():
    backend = iree_backend.generic
    for _ in range(2):
        with pytest.raises(iree_backend.CompilationError):
            backend.prepare(model("StringNormalizer", ["a"], TensorProto.FLOAT, [1]))
        (output,) = backend.prepare(model("Neg", ["a"], TensorProto.FLOAT, [1])).run([np.array([3], np.float32)])
        assert output.tolist() == [-3]


def test_what_the_linker_lacks_is_the_reason():
    # The code for scales along an axis in float16 calls fmaxf, which IREE does not link.
    given = [helper.make_tensor_value_info(name, TensorProto.FLOAT16, [4]) for name in ("x", "scale")]
    result = helper.make_tensor_value_info("y", TensorProto.UINT8, [4])
    node = helper.make_node("QuantizeLinear", ["x", "scale"], ["y"], axis=0)
    made = helper.make_model(
        helper.make_graph([node], "graph", given, [result]), opset_imports=[helper.make_opsetid("", 19)]
    )
    with pytest.raises(iree_backend.CompilationError, match="^the linker failed: undefined symbol: fmaxf$"):
        iree_backend.generic.prepare(made)

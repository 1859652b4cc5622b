from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from touchstone.tensors import as_declared, from_array, is_of_numbers, to_array
from touchstone.worker_pb2 import Tensor

# One element of each type: its bytes on the wire, and its value.
ONES = [
    (TensorProto.FLOAT, "float32", "0000803f", 1),
    (TensorProto.DOUBLE, "float64", "000000000000f03f", 1),
    (TensorProto.FLOAT16, "float16", "003c", 1),
    (TensorProto.BFLOAT16, "bfloat16", "803f", 1),
    (TensorProto.FLOAT8E4M3FN, "float8_e4m3fn", "38", 1),
    (TensorProto.FLOAT8E4M3FNUZ, "float8_e4m3fnuz", "40", 1),
    (TensorProto.FLOAT8E5M2, "float8_e5m2", "3c", 1),
    (TensorProto.FLOAT8E5M2FNUZ, "float8_e5m2fnuz", "40", 1),
    (TensorProto.FLOAT8E8M0, "float8_e8m0fnu", "7f", 1),
    (TensorProto.FLOAT6E2M3, "float6_e2m3fn", "08", 1),
    (TensorProto.FLOAT6E3M2, "float6_e3m2fn", "0c", 1),
    (TensorProto.FLOAT4E2M1, "float4_e2m1fn", "02", 1),
    (TensorProto.INT8, "int8", "ff", -1),
    (TensorProto.UINT8, "uint8", "ff", 255),
    (TensorProto.INT16, "int16", "feff", -2),
    (TensorProto.UINT16, "uint16", "feff", 65534),
    (TensorProto.INT32, "int32", "feffffff", -2),
    (TensorProto.INT4, "int4", "0f", -1),
    (TensorProto.UINT4, "uint4", "0f", 15),
    (TensorProto.INT2, "int2", "03", -1),
    (TensorProto.UINT2, "uint2", "03", 3),
]


@pytest.mark.parametrize(("element_type", "name", "raw", "value"), ONES)
@pytest.mark.parametrize("shape", [[], [1], [1, 1]])
def test_one_element_of_every_type(element_type: int, name: str, raw: str, value: float, shape: list[int]):
    tensor = Tensor(dims=shape, data_type=element_type, raw_data=bytes.fromhex(raw))
    array = to_array(tensor)
    assert (array.dtype.name, array.shape, float(array.reshape(1)[0])) == (name, tuple(shape), value)
    assert from_array(array) == tensor


@pytest.mark.parametrize("element_type", [row[0] for row in ONES])
@pytest.mark.parametrize("shape", [[0], [3, 0], [0, 2, 5]])
def test_empty_tensors_of_every_type(element_type: int, shape: list[int]):
    tensor = Tensor(dims=shape, data_type=element_type)
    assert to_array(tensor).shape == tuple(shape)
    assert from_array(to_array(tensor)) == tensor


@pytest.mark.parametrize(
    ("element_type", "values", "raw"),
    [
        (TensorProto.INT4, [1, -1, 7, -8, 3], "f18703"),
        (TensorProto.UINT2, [0, 1, 2, 3, 2], "e402"),
        (TensorProto.FLOAT6E3M2, [1, -1, 1], "0ccb00"),
        (TensorProto.FLOAT4E2M1, [1, -6, 0.5], "f201"),
    ],
)
def test_small_elements_are_packed_with_the_first_in_the_lowest_bits(element_type: int, values: list[float], raw: str):
    array = np.array(values, helper.tensor_dtype_to_np_dtype(element_type))
    tensor = from_array(array)
    assert bytes(tensor.raw_data).hex() == raw
    assert to_array(tensor).tolist() == values


def test_arrays_are_those_of_onnx():
    """onnx.numpy_helper converts the same bytes to the same arrays."""
    for element_type, _, raw, _ in ONES:
        message = TensorProto(dims=[1], data_type=element_type, raw_data=bytes.fromhex(raw))
        expected = numpy_helper.to_array(message)
        array = to_array(Tensor.FromString(message.SerializeToString()))
        assert (array.dtype, array.tobytes()) == (expected.dtype, expected.tobytes())


def test_bytes_that_do_not_fit_the_shape_are_an_error():
    for element_type in (TensorProto.FLOAT, TensorProto.INT4):
        with pytest.raises(ValueError, match=r"."):
            to_array(Tensor(dims=[8], data_type=element_type, raw_data=b"abc"))


def test_a_type_unknown_to_onnx_is_an_error():
    with pytest.raises(TypeError, match="no arrays of element type 99"):
        to_array(Tensor(dims=[1], data_type=99, raw_data=b"a"))


def test_arrays_that_are_not_laid_out_as_on_the_wire():
    array = np.arange(6, dtype=">i2").reshape(2, 3).T
    assert bytes(from_array(array).raw_data) == bytes([0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5, 0])
    small = np.array([[1, 2], [3, 4]], ml_dtypes.uint4).T
    assert bytes(from_array(small).raw_data).hex() == "3142"


@pytest.mark.parametrize(
    ("element_type", "given", "values"),
    [
        (TensorProto.BFLOAT16, np.array([0x3F80], np.uint16), [1]),
        (TensorProto.FLOAT8E5M2, np.array([0x3C], np.uint8), [1]),
        (TensorProto.FLOAT8E8M0, np.array(0x80, np.uint8), 2),
        (TensorProto.UINT4, np.array([0, 15], np.uint8), [0, 15]),
        (TensorProto.UINT4, np.array([0, 15], np.int8), [0, 15]),
        (TensorProto.INT4, np.array([-8, 7], np.int8), [-8, 7]),
        (TensorProto.INT4, np.array([7, 15], np.uint8), [7, -1]),
        (TensorProto.INT2, np.array([-2, 1], np.int8), [-2, 1]),
        (TensorProto.FLOAT4E2M1, np.array([2, 10], np.uint8), [1, -1]),
        (TensorProto.FLOAT6E2M3, np.array([8], np.uint8), [1]),
    ],
)
def test_integers_that_hold_a_type_count_as_the_type(element_type: int, given: np.ndarray, values: object):
    array = as_declared(given, element_type, None)
    assert from_array(array).data_type == element_type
    assert array.tolist() == values


def test_numbers_in_any_byte_order():
    numbers = ["<f4", ">f4", ">i2", ">c8", "?", ml_dtypes.bfloat16, ml_dtypes.int2]
    assert all(is_of_numbers(np.zeros(1, dtype)) for dtype in numbers)
    assert not any(is_of_numbers(np.zeros(1, dtype)) for dtype in ["U4", "S4", "O", "V4", ">M8[s]", "m8[s]", "g"])


@pytest.mark.parametrize("shape", [[2, 3], [7]])
def test_packed_elements_are_recognized_by_their_shape(shape: list[int]):
    values = np.arange(np.prod(shape)).reshape(shape) % 3
    for element_type in (TensorProto.UINT2, TensorProto.INT4, TensorProto.FLOAT6E2M3):
        array = values.astype(helper.tensor_dtype_to_np_dtype(element_type))
        packed = np.frombuffer(from_array(array).raw_data, np.uint8)
        unpacked = as_declared(packed, element_type, shape)
        assert (unpacked.dtype, unpacked.shape, unpacked.tolist()) == (array.dtype, array.shape, array.tolist())


@pytest.mark.parametrize(
    ("element_type", "given"),
    [
        (TensorProto.UINT4, np.array([16], np.uint8)),
        (TensorProto.UINT4, np.array([-1], np.int8)),
        (TensorProto.INT4, np.array([8], np.int8)),
        (TensorProto.INT4, np.array([1], np.int32)),
        (TensorProto.INT4, np.array([1], np.uint16)),
        (TensorProto.FLOAT8E5M2, np.array([1], np.int8)),
        (TensorProto.FLOAT8E5M2, np.array([1], np.uint16)),
        (TensorProto.FLOAT8E5M2, np.array([1], ml_dtypes.float8_e4m3fn)),
        (TensorProto.BFLOAT16, np.array([1], np.float32)),
        (TensorProto.FLOAT16, np.array([1], np.uint16)),
        (TensorProto.INT8, np.array([1], np.uint8)),
        (TensorProto.UNDEFINED, np.array([1], np.float32)),
        (TensorProto.UNDEFINED, np.array([1], np.uint8)),
        (99, np.array([1], np.uint8)),
    ],
)
def test_other_tests_are_not_changed(element_type: int, given: np.ndarray):
    assert as_declared(given, element_type, None) is given

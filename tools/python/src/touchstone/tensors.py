"""Converts tensors of the protocol to arrays as onnx.numpy_helper has them, and back.

Types that NumPy lacks come from ml_dtypes, with one element in each byte or two.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from touchstone.worker_pb2 import Tensor

# The number of bits of an element of each type that raw_data packs. An older onnx may lack some of these types.
_BITS = {"UINT2": 2, "INT2": 2, "UINT4": 4, "INT4": 4, "FLOAT4E2M1": 4, "FLOAT6E2M3": 6, "FLOAT6E3M2": 6}
PACKED: dict[int, int] = {
    TensorProto.DataType.Value(name): bits
    for name, bits in _BITS.items()
    if name in TensorProto.DataType.keys()  # noqa: SIM118
}
SIGNED = {TensorProto.DataType.Value(name) for name in ("INT2", "INT4") if name in TensorProto.DataType.keys()}  # noqa: SIM118
NOT_NUMBERS = (TensorProto.UNDEFINED, TensorProto.STRING)


def dtype_of(element_type: int) -> np.dtype[Any]:
    """Raises TypeError for a type that the installed onnx does not have."""
    try:
        return helper.tensor_dtype_to_np_dtype(element_type)
    except KeyError:
        raise TypeError(f"the installed onnx has no arrays of element type {element_type}") from None


def element_type_of(dtype: np.dtype[Any]) -> int:
    """The element type of a dtype in any byte order. UNDEFINED if ONNX does not have the type."""
    try:
        return helper.np_dtype_to_tensor_dtype(dtype.newbyteorder("="))
    except ValueError:
        return TensorProto.UNDEFINED


def is_of_numbers(array: np.ndarray) -> bool:
    return element_type_of(array.dtype) not in NOT_NUMBERS


def to_array(tensor: Tensor) -> np.ndarray:
    """Raises ValueError if the number of bytes does not match the shape."""
    dtype = dtype_of(tensor.data_type)
    if tensor.data_type in PACKED:
        message = TensorProto(dims=tensor.dims, data_type=tensor.data_type, raw_data=tensor.raw_data)
        return numpy_helper.to_array(message)
    return np.frombuffer(tensor.raw_data, dtype.newbyteorder("<")).reshape(tuple(tensor.dims))


def as_declared(array: np.ndarray, element_type: int, shape: Sequence[int] | None) -> np.ndarray:
    """An array of the element type that a graph output declares, if the given array represents one in another type.

    Bfloat16 and float8 may be unsigned integers of the same width. Types narrower than a byte may be int8 or uint8,
    with one element in each, or packed if the shape shows it. Anything else is returned unchanged, and judged so.
    """
    if array.dtype not in (np.uint8, np.int8, np.uint16):
        return array
    try:
        dtype = dtype_of(element_type)
    except TypeError:  # no type is declared, or one that this onnx does not have
        return array
    if element_type in PACKED:
        return _unpacked(array, element_type, shape)
    # Only types that NumPy itself lacks are represented in another type.
    if dtype.isbuiltin == 2 and array.dtype == np.dtype(f"u{dtype.itemsize}"):
        return array.view(dtype)
    return array


def _unpacked(array: np.ndarray, element_type: int, shape: Sequence[int] | None) -> np.ndarray:
    bits = PACKED[element_type]
    size = math.prod(shape) if shape is not None else array.size
    if array.dtype == np.uint8 and array.size != size and array.size == math.ceil(size * bits / 8):
        return numpy_helper.to_array(TensorProto(dims=shape, data_type=element_type, raw_data=array.tobytes()))
    lowest, highest = 0, 2**bits - 1
    if array.dtype == np.int8 and element_type in SIGNED:
        lowest, highest = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    if array.dtype in (np.uint8, np.int8) and np.all((array >= lowest) & (array <= highest)):
        return array.view(dtype_of(element_type))
    return array


def from_array(array: np.ndarray) -> Tensor:
    tensor = Tensor()
    write_array(tensor, array)
    return tensor


def write_array(tensor: Tensor, array: np.ndarray) -> None:
    """A type that ONNX does not have becomes UNDEFINED. Elements that are not numbers are written without bytes."""
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    element_type = element_type_of(array.dtype)
    tensor.dims.extend(array.shape)
    tensor.data_type = element_type
    if element_type in PACKED:
        tensor.raw_data = numpy_helper.from_array(array).raw_data
    elif element_type not in NOT_NUMBERS:
        tensor.raw_data = array.tobytes() if sys.byteorder == "little" else array.byteswap().tobytes()

"""Five elements of each type in the wire format, in hexadecimal. The tests of all adapters pass them through.

NaNs are quiet, because a program may make them so.
"""

from __future__ import annotations

from onnx import TensorProto

CODES = {
    TensorProto.FLOAT: "0000803f000000800000c07f0100000000007f7f",
    TensorProto.FLOAT16: "003c0080007e0100ff7b",
    TensorProto.BFLOAT16: "803f0080c07f01007f7f",
    TensorProto.INT32: "01000000ffffffff000000800000ff7f04030201",
    TensorProto.INT16: "0100ffff0080ff7f0201",
    TensorProto.UINT16: "0100ffff0080ff7f0201",
    TensorProto.INT8: "01ff807f02",
    TensorProto.UINT8: "01ff807f02",
    TensorProto.FLOAT8E4M3FN: "01ff807f02",
    TensorProto.FLOAT8E4M3FNUZ: "01ff807f02",
    TensorProto.FLOAT8E5M2: "01ff807f02",
    TensorProto.FLOAT8E5M2FNUZ: "01ff807f02",
    TensorProto.FLOAT8E8M0: "01ff807f02",
    TensorProto.FLOAT4E2M1: "f18703",
    TensorProto.INT4: "f18703",
    TensorProto.UINT4: "f18703",
    TensorProto.INT2: "e402",
    TensorProto.UINT2: "e402",
}


def codes_without(*element_types: int) -> dict[int, str]:
    """The elements of all types except those that the backend's interface cannot pass."""
    return {element_type: codes for element_type, codes in CODES.items() if element_type not in element_types}

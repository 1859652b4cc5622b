"""ONNX Runtime on the rows of optimized_benchmark: one thread, no graph optimizations, and every tensor bound to our
memory, so that a run neither allocates nor copies.

The overhead of a call is measured with models of the same nodes on one element, and reported separately.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

Row = dict[str, Any]

VERSION = onnxruntime.__version__

BITS = {
    **{TensorProto.FLOAT: 32, TensorProto.INT32: 32},
    **dict.fromkeys([TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.UINT16, TensorProto.INT16], 16),
    **dict.fromkeys([TensorProto.UINT4, TensorProto.INT4, TensorProto.FLOAT4E2M1], 4),
    **dict.fromkeys([TensorProto.UINT2, TensorProto.INT2], 2),
}

# The oldest opsets that support these types. All others are in 21, and float6 is in 28.
OPSETS = {TensorProto.FLOAT4E2M1: 23, TensorProto.UINT2: 25, TensorProto.INT2: 25, 27: 28, 28: 28}

# Nodes in one model, all with the same operands: they share the cost of a call, which takes as long as a small kernel.
ELEMENTS_OF_A_CALL = 1 << 20
MOST_NODES = 16


class Unsupported(Exception):
    """ONNX Runtime does not support the node."""


def aligned(data: bytes | np.ndarray) -> np.ndarray:
    """A copy aligned to a cache line, on huge pages if it is large, as in optimized_benchmark."""
    source = np.frombuffer(data, dtype=np.uint8)
    # numpy asks for huge pages from 4 MiB on.
    room = np.empty(source.size + 64, dtype=np.uint8)
    start = -room.ctypes.data % 64
    buffer = room[start : start + source.size]
    buffer[:] = source
    return buffer


def byte_count(element_type: int, elements: int) -> int:
    return (elements * BITS.get(element_type, 8) + 7) // 8


def model_of(row: Row, x_shape: list[int], parameter_shape: list[int], nodes: int) -> bytes:
    attributes: dict[str, int] = {"axis": row["axis"]} if parameter_shape else {}
    if row["block_size"]:
        attributes["block_size"] = row["block_size"]
    inputs = ["x", "scale"] + (["zero_point"] if row["has_zero_point"] else [])
    if row["operator"] == "QuantizeLinear" and not row["has_zero_point"]:
        attributes["output_dtype"] = row["y_type"]
    shapes = {"x": x_shape, "scale": parameter_shape, "zero_point": parameter_shape}
    outputs = [f"y{node}" for node in range(nodes)]
    graph = helper.make_graph(
        [helper.make_node(row["operator"], inputs, [y], **attributes) for y in outputs],
        "benchmark",
        [helper.make_tensor_value_info(name, row[f"{name}_type"], shapes[name]) for name in inputs],
        [helper.make_tensor_value_info(y, row["y_type"], x_shape) for y in outputs],
    )
    opset = max(21, *(OPSETS.get(row[key], 0) for key in ("x_type", "y_type")))
    imports = [helper.make_opsetid("", opset)]
    return helper.make_model(
        graph, opset_imports=imports, ir_version=helper.find_min_ir_version_for(imports)
    ).SerializeToString()


def session_of(model: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its exceptions have no common base class
        raise Unsupported(str(error).strip()) from error


class Call:
    """A session with all inputs and outputs bound."""

    def __init__(
        self, row: Row, x_shape: list[int], parameter_shape: list[int], data: dict[str, np.ndarray], nodes: int
    ):
        self.session = session_of(model_of(row, x_shape, parameter_shape, nodes))
        self.binding = self.session.io_binding()
        self.buffers = {name: aligned(content) for name, content in data.items()}
        shapes = {"x": x_shape, "scale": parameter_shape, "zero_point": parameter_shape}
        for name, buffer in self.buffers.items():
            self.binding.bind_input(name, "cpu", 0, row[f"{name}_type"], shapes[name], buffer.ctypes.data)
        elements = int(np.prod(x_shape))
        self.y = aligned(np.full(byte_count(row["y_type"], elements), 0xA5, dtype=np.uint8))
        for node in range(nodes):
            self.binding.bind_output(f"y{node}", "cpu", 0, row["y_type"], x_shape, self.y.ctypes.data)

    def run(self) -> None:
        try:
            self.session.run_with_iobinding(self.binding)
        except Exception as error:
            raise Unsupported(str(error).strip()) from error

    def seconds(self, at_least: float) -> float:
        """The duration of one call, averaged over calls that take at least `at_least` together."""
        run, binding, calls = self.session.run_with_iobinding, self.binding, 1
        while True:
            started = time.thread_time()
            for _ in range(calls):
                run(binding)
            taken = time.thread_time() - started
            if taken >= at_least:
                return taken / calls
            calls = max(calls + 1, int(calls * min(10.0, 1.2 * at_least / max(taken, 1e-9))))


class Peer:
    """A row at one size. `operands` has the files of optimized_benchmark, of that size or of fewer elements, which are
    then repeated."""

    def __init__(self, row: Row, operands: Path):
        self.nodes = max(1, min(MOST_NODES, ELEMENTS_OF_A_CALL // row["elements"]))
        elements = int(np.prod(row["x_shape"]))
        parameters = int(np.prod(row["parameter_shape"]))
        counts = {"x": elements, "scale": parameters, "zero_point": parameters}
        names = ["x", "scale"] + (["zero_point"] if row["has_zero_point"] else [])
        whole = {
            name: np.resize(np.fromfile(operands / name, dtype=np.uint8), byte_count(row[f"{name}_type"], counts[name]))
            for name in names
        }
        one = {name: data[: byte_count(row[f"{name}_type"], 1)] for name, data in whole.items()}
        self.call = Call(row, row["x_shape"], row["parameter_shape"], whole, self.nodes)
        ones = [1 for _ in row["x_shape"]]
        self.empty_call = Call(
            row, ones, ones if row["block_size"] else [1 for _ in row["parameter_shape"]], one, self.nodes
        )
        self.bits = BITS.get(row["y_type"], 8)
        self.elements = elements
        self.call.run()
        self.empty_call.run()

    def differing(self, operands: Path) -> int:
        """The number of elements of y that differ from the expected ones."""
        expected = np.fromfile(operands / "y", dtype=np.uint8)
        if np.array_equal(self.call.y, expected):
            return 0
        if self.bits >= 8:
            width = self.bits // 8
            wrong = (self.call.y.reshape(-1, width) != expected.reshape(-1, width)).any(axis=1)
        else:
            bits = np.unpackbits(self.call.y ^ expected, bitorder="little")
            wrong = bits[: self.elements * self.bits].reshape(-1, self.bits).any(axis=1)
        return int(wrong.sum())

    def measure(self, at_least: float) -> tuple[float, float]:
        """The seconds of a kernel with its call, and of a call on one element."""
        return self.call.seconds(at_least) / self.nodes, self.empty_call.seconds(at_least / 4) / self.nodes

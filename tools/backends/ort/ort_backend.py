"""ONNX Runtime on the CPU, with every element type that its API can pass.

Inputs and outputs are passed as bytes, because the arrays of its Python interface support neither bfloat16 nor most
types of at most 8 bits. One thread, because cases are small and each job has its own worker.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnxruntime as ort
from onnx import ModelProto
from onnx.backend.base import Backend, BackendRep

from touchstone.models import InputNames
from touchstone.tensors import from_array, to_array
from touchstone.worker_pb2 import Tensor

# Many models must be refused, and the exception has the reason, too.
ort.set_default_logger_severity(4)

LEVELS = {
    "off": ort.GraphOptimizationLevel.ORT_DISABLE_ALL,
    "basic": ort.GraphOptimizationLevel.ORT_ENABLE_BASIC,
    "extended": ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "on": ort.GraphOptimizationLevel.ORT_ENABLE_ALL,
}


# Releases before 1.23 pass only the types of NumPy.
PASSES_BYTES = hasattr(ort.OrtValue, "tensor_size_in_bytes")


def to_ort_value(array: np.ndarray) -> ort.OrtValue:
    """Raises ONNX Runtime's exception for an element type that it does not have."""
    if not PASSES_BYTES:
        return ort.OrtValue.ortvalue_from_numpy(array)
    tensor = from_array(array)
    value = ort.OrtValue.ortvalue_from_shape_and_type(array.shape, tensor.data_type)
    if tensor.raw_data:
        assert value.tensor_size_in_bytes() == len(tensor.raw_data)
        ctypes.memmove(value.data_ptr(), tensor.raw_data, len(tensor.raw_data))
    return value


def from_ort_value(value: ort.OrtValue) -> np.ndarray:
    if not PASSES_BYTES:
        return value.numpy()
    size = value.tensor_size_in_bytes()
    raw = ctypes.string_at(value.data_ptr(), size) if size else b""
    return to_array(Tensor(dims=value.shape(), data_type=value.element_type(), raw_data=raw))


class Prepared(BackendRep):
    def __init__(self, session: ort.InferenceSession, inputs: InputNames, outputs: Sequence[str]) -> None:
        self._session = session
        self._inputs = inputs
        self._outputs = outputs

    def run(self, inputs: Any, **kwargs: Any) -> tuple[np.ndarray, ...]:
        feeds = {name: to_ort_value(array) for name, array in zip(self._inputs.of(len(inputs)), inputs, strict=True)}
        return tuple(map(from_ort_value, self._session.run_with_ort_values(self._outputs, feeds)))


def prepared(model: ModelProto, options: ort.SessionOptions, **arguments: Any) -> Prepared:
    # Without enable_fallback=0, ONNX Runtime would try a refused model twice.
    session = ort.InferenceSession(model.SerializeToString(), options, enable_fallback=0, **arguments)
    return Prepared(session, InputNames(model), [o.name for o in model.graph.output])


class OnnxRuntime(Backend):
    """With graph optimizations of one of the LEVELS, and entries of the session's configuration."""

    def __init__(self, optimizations: str, **entries: str) -> None:
        self._level = LEVELS[optimizations]
        self._entries = {f"session.{name}": value for name, value in entries.items()}
        self.touchstone_hello = {
            "name": "onnxruntime",
            "version": ort.__version__,
            "description": ", ".join(
                ["CPU", f"graph optimizations {optimizations}"] + [f"{k}={v}" for k, v in self._entries.items()]
            ),
        }

    def options(self) -> ort.SessionOptions:
        options = ort.SessionOptions()
        options.graph_optimization_level = self._level
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        for key, value in self._entries.items():
            options.add_session_config_entry(key, value)
        return options

    def prepare(self, model: ModelProto, device: str = "CPU", **kwargs: Any) -> Prepared:
        return prepared(model, self.options(), providers=["CPUExecutionProvider"])


plain = OnnxRuntime("off")
basic = OnnxRuntime("basic")
extended = OnnxRuntime("extended")
optimized = OnnxRuntime("on")
accurate = OnnxRuntime("on", qdq_matmulnbits_accuracy_level="1")
precise = OnnxRuntime("on", x64quantprecision="1")

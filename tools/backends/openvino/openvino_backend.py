"""OpenVINO on the CPU, with every element type that it shares with ONNX.

Inputs and outputs are passed as bytes, because NumPy lacks most of its types of at most 8 bits. One thread, because
cases are small and each job has its own worker.
"""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np
import openvino as ov
from onnx import ModelProto, TensorProto
from onnx.backend.base import Backend, BackendRep

from touchstone.models import InputNames
from touchstone.tensors import from_array, to_array
from touchstone.worker_pb2 import Tensor

if not hasattr(ov, "Type"):  # before 2023.1
    import openvino.runtime as ov

NAMES = {
    "FLOAT": "f32",
    "DOUBLE": "f64",
    "FLOAT16": "f16",
    "BFLOAT16": "bf16",
    "INT64": "i64",
    "UINT64": "u64",
    "INT32": "i32",
    "UINT32": "u32",
    "INT16": "i16",
    "UINT16": "u16",
    "INT8": "i8",
    "UINT8": "u8",
    "BOOL": "boolean",
    "FLOAT8E4M3FN": "f8e4m3",
    "FLOAT8E5M2": "f8e5m2",
    "FLOAT8E8M0": "f8e8m0",
    "FLOAT4E2M1": "f4e2m1",
    "INT4": "i4",
    "UINT4": "u4",
    "UINT2": "u2",
}
# Older versions of both lack some of them.
TYPES = {
    code: getattr(ov.Type, NAMES[name])
    for name, code in TensorProto.DataType.items()
    if name in NAMES and hasattr(ov.Type, NAMES[name])
}
# Types of OpenVINO cannot be keys of a dict.
CODES = {element_type.get_type_name(): code for code, element_type in TYPES.items()}

# Runs in the caller's thread. In a thread of its own, OpenVINO 2026.4 loses exceptions, returns empty tensors instead,
# and aborts later.
ONE_THREAD = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 0}

# The parts of its messages that name their origin.
PLACES = re.compile(
    r"Exception from \S+:\d+:|Check '[^']*' failed at \S+:\d+:|FrontEnd API failed with \w+:"
    r"|Model wasn't fully converted\.( Failed operations detailed log:)?|-- \S+ with a message:"
    r"|While validating (ONNX )?node '[^']*'( with friendly_name '[^']*')?:|Summary:|-- Conversion is failed for: .*"
)


class Refused(Exception):
    """An exception from OpenVINO, with the cause in one line."""


def refused(error: RuntimeError) -> Refused:
    return Refused(" ".join(PLACES.sub("", str(error)).split() or str(error).split()))


def to_ov_tensor(array: np.ndarray) -> ov.Tensor:
    tensor = from_array(array)
    if tensor.data_type not in TYPES:
        raise TypeError(f"OpenVINO has no element type for {TensorProto.DataType.Name(tensor.data_type)}")
    value = ov.Tensor(TYPES[tensor.data_type], ov.Shape(array.shape))
    assert value.byte_size == len(tensor.raw_data)
    value.data.reshape(-1).view(np.uint8)[:] = np.frombuffer(tensor.raw_data, np.uint8)
    return value


def from_ov_tensor(tensor: ov.Tensor) -> np.ndarray:
    code = CODES.get(tensor.element_type.get_type_name())
    if code is None:
        raise TypeError(f"ONNX has no element type for OpenVINO's {tensor.element_type.get_type_name()}")
    return to_array(Tensor(dims=tensor.shape, data_type=code, raw_data=tensor.data.tobytes()))


class Prepared(BackendRep):
    def __init__(self, compiled: ov.CompiledModel, model: ModelProto) -> None:
        self._request = compiled.create_infer_request()
        self._inputs = InputNames(model)
        self._outputs = [value.name for value in model.graph.output]
        # OpenVINO removes an input on which no output depends.
        self._taken = {name for port in compiled.inputs for name in port.names}

    def run(self, inputs: Any, **kwargs: Any) -> tuple[np.ndarray, ...]:
        tensors = dict(zip(self._inputs.of(len(inputs)), map(to_ov_tensor, inputs), strict=True))
        try:
            for name in self._taken & tensors.keys():
                self._request.set_tensor(name, tensors[name])
            self._request.infer()
            return tuple(from_ov_tensor(self._request.get_tensor(name)) for name in self._outputs)
        except RuntimeError as error:
            raise refused(error) from error


class OpenVino(Backend):
    """Runs in the execution mode `accuracy`, with the model's types, or `performance`, with the fastest types unless
    the properties say otherwise."""

    def __init__(self, mode: str, **properties: str) -> None:
        self._core = ov.Core()
        self._core.set_property("CPU", {"EXECUTION_MODE_HINT": mode.upper(), **properties, **ONE_THREAD})
        limit = os.environ.get("ONEDNN_MAX_CPU_ISA")  # oneDNN reads it
        self.touchstone_hello = {
            "name": "OpenVINO",
            "version": ov.get_version(),
            "description": f"CPU, execution mode {mode}"
            + "".join(f", {name} = {value}" for name, value in properties.items())
            + (f", kernels up to {limit}" if limit else ""),
        }

    def prepare(self, model: ModelProto, device: str = "CPU", **kwargs: Any) -> Prepared:
        try:
            read = self._core.read_model(model=model.SerializeToString(), weights=b"")
            return Prepared(self._core.compile_model(read, device), model)
        except RuntimeError as error:
            raise refused(error) from error


accuracy = OpenVino("accuracy")
performance = OpenVino("performance")
float32 = OpenVino("performance", INFERENCE_PRECISION_HINT="f32")
plain_activations = OpenVino("performance", DYNAMIC_QUANTIZATION_GROUP_SIZE="0")

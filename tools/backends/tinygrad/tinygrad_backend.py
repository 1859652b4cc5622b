"""tinygrad on its CPU device, with one thread, and with its own reader of ONNX files."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from ml_dtypes import bfloat16
from onnx import ModelProto
from onnx.backend.base import BackendRep

from touchstone.models import InputNames

# A compiler that supports bfloat16, as in packages.txt.
COMPILER = "clang-16"
if shutil.which(COMPILER) is None:
    raise ImportError(f"tinygrad compiles with {COMPILER}, which is not on the PATH: run tools/setup --for tinygrad")

# tinygrad reads these when it is imported. Cached code on the disk could be from another compiler.
os.environ.update({"DEV": "CPU:CLANG", "CC": COMPILER, "NUM_CPU_THREADS": "1", "CACHELEVEL": "0"})

from tinygrad import Device, Tensor, dtypes  # noqa: E402
from tinygrad.nn.onnx import OnnxRunner  # noqa: E402

touchstone_hello = {
    "name": "tinygrad",
    "version": version("tinygrad"),
    "description": f"device {Device[Device.DEFAULT].renderer.target!r}, {COMPILER}",
}


def to_tensor(array: np.ndarray) -> Tensor:
    """tinygrad does not accept arrays of bfloat16, so their bits are passed as integers.

    The tensor is realized before the model uses it; otherwise the conversion would become part of the model's kernels.
    """
    if array.dtype == bfloat16:
        bits = Tensor(array.reshape(-1).view(np.uint16))
        return bits.bitcast(dtypes.bfloat16).reshape(array.shape).contiguous().realize()
    return Tensor(array)


def to_array(tensor: Tensor) -> np.ndarray:
    """Tensor.numpy() would convert bfloat16 to float32."""
    if tensor.dtype == dtypes.bfloat16:
        return tensor.bitcast(dtypes.uint16).numpy().view(bfloat16)
    return tensor.numpy()


class Prepared(BackendRep):
    def __init__(self, model: ModelProto) -> None:
        # Constants are read from the file on first use.
        directory = tempfile.TemporaryDirectory()
        weakref.finalize(self, directory.cleanup)
        path = Path(directory.name) / "model.onnx"
        path.write_bytes(model.SerializeToString())
        self._runner = OnnxRunner(path)
        self._inputs = InputNames(model)

    def run(self, inputs: Any, **kwargs: Any) -> tuple[np.ndarray, ...]:
        feeds = {name: to_tensor(array) for name, array in zip(self._inputs.of(len(inputs)), inputs, strict=True)}
        return tuple(to_array(output) for output in self._runner(feeds).values())


def prepare(model: ModelProto, device: str = "CPU", **kwargs: Any) -> Prepared:
    return Prepared(model)

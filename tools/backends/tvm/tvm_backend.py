"""Apache TVM on the CPU: the ONNX front end of Relax, compiled with LLVM, run by Relax's virtual machine."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

# Cases are small, and each job has its own worker. TVM reads this when it is imported.
os.environ["TVM_NUM_THREADS"] = "1"

import numpy as np
import tvm
from onnx import ModelProto
from onnx.backend.base import Backend, BackendRep
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx
from tvm.target.codegen import llvm_version_major

TARGET = "llvm"

# The form of an operator in its messages, which contains the name and much else.
OPERATOR = re.compile(r'ir\.Op\(span=.*? name="([^"]+)", .*?support_level=\d+\)')


class Prepared(BackendRep):
    def __init__(self, executable: Any) -> None:
        self._main = relax.VirtualMachine(executable, tvm.cpu())["main"]

    def run(self, inputs: Sequence[np.ndarray], **kwargs: Any) -> tuple[np.ndarray, ...]:
        outputs = self._main(*map(tvm.runtime.tensor, inputs))
        if isinstance(outputs, tvm.runtime.Tensor):
            outputs = [outputs]
        return tuple(output.numpy() for output in outputs)


class Tvm(Backend):
    def __init__(self, target: str) -> None:
        self._target = tvm.target.Target(target)
        self.touchstone_hello = {
            "name": "Apache TVM",
            "version": tvm.__version__,
            "description": f"Relax, target {target}, LLVM {llvm_version_major()}",
        }

    def prepare(self, model: ModelProto, device: str = "CPU", **kwargs: Any) -> Prepared:
        try:
            module = from_onnx(model)
        except ValueError as error:
            raise ValueError(OPERATOR.sub(r"\1", str(error))) from error
        return Prepared(tvm.compile(module, target=self._target))


llvm = Tvm(TARGET)

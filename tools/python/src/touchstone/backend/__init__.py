"""The implementations of Touchstone as onnx.backend.base.Backend: `reference` and `optimized`.

They support models of one QuantizeLinear or DequantizeLinear node. ONNX's own runner can test them:

    BackendTest(touchstone.backend.optimized, __name__).include("test_quantizelinear").test_cases
"""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import ModelProto
from onnx.backend.base import Backend, BackendRep

from touchstone.served import Refused, Worker, WorkerError

__all__ = ["Refused", "ServedBackend", "WorkerError", "optimized", "reference"]

OPERATORS = ("QuantizeLinear", "DequantizeLinear")


class Prepared(BackendRep):
    def __init__(self, worker: Worker, model: ModelProto) -> None:
        self._worker = worker
        self._model = model

    def run(self, inputs: Any, **kwargs: Any) -> tuple[np.ndarray, ...]:
        """`inputs` are those of the graph, in its order."""
        return self._worker.run(self._model, list(inputs))


class ServedBackend(Backend):
    """A backend of the program `touchstone`, in a separate process that lives as long as this one."""

    def __init__(self, name: str) -> None:
        self._worker = Worker(name)

    def is_compatible(self, model: ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        return any(node.op_type in OPERATORS for node in model.graph.node) and self.supports_device(device)

    def prepare(self, model: ModelProto, device: str = "CPU", **kwargs: Any) -> Prepared:
        """Accepts every model. Running it raises Refused if the backend does not support it."""
        return Prepared(self._worker, model)

    def run_model(self, model: ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any) -> tuple[np.ndarray, ...]:
        return self.prepare(model, device).run(inputs)

    def supports_device(self, device: str) -> bool:
        return device.partition(":")[0] == "CPU"


reference = ServedBackend("reference")
optimized = ServedBackend("optimized")

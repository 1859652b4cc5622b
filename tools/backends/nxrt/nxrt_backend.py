"""nxrt on the CPU, with the element types of its arrays."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
import nxrt
from onnx import ModelProto
from onnx.backend.base import BackendRep

from touchstone.models import InputNames

touchstone_hello = {"name": "nxrt", "version": version("nxrt"), "description": "CPUExecutionProvider"}


class Prepared(BackendRep):
    def __init__(self, model: ModelProto) -> None:
        self._session = nxrt.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        self._inputs = InputNames(model)
        self._outputs = [value.name for value in model.graph.output]

    def run(self, inputs: Sequence[np.ndarray], **kwargs: Any) -> tuple[np.ndarray, ...]:
        feeds = dict(zip(self._inputs.of(len(inputs)), inputs, strict=True))
        return tuple(self._session.run(self._outputs, feeds))


def prepare(model: ModelProto, device: str = "CPU", **kwargs: Any) -> Prepared:
    return Prepared(model)

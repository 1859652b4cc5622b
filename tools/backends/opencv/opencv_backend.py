"""OpenCV's module dnn on the CPU, with the engine that it chooses itself and the element types of its arrays.

One thread, because cases are small and each job has its own worker.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from onnx import ModelProto
from onnx.backend.base import BackendRep

from touchstone.models import InputNames

cv2.setNumThreads(1)
# Many models must be refused, and the exception has the reason, too.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

touchstone_hello = {"name": "OpenCV", "version": cv2.__version__, "description": "dnn, CPU, ENGINE_AUTO"}

# The parts of its messages that name their origin.
PLACES = re.compile(r"OpenCV\(\S+\) \S+:-?\d+: error: |^> ", re.MULTILINE)


class Refused(Exception):
    """An exception from OpenCV, with the cause in one line."""


def refused(error: cv2.error) -> Refused:
    return Refused(" ".join(PLACES.sub("", str(error)).split()))


class Prepared(BackendRep):
    def __init__(self, model: ModelProto) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(model.SerializeToString(), np.uint8))
        self._inputs = InputNames(model)
        self._outputs = [value.name for value in model.graph.output]

    def run(self, inputs: Sequence[np.ndarray], **kwargs: Any) -> tuple[np.ndarray, ...]:
        try:
            for name, array in zip(self._inputs.of(len(inputs)), inputs, strict=True):
                self._net.setInput(array, name)
            outputs = self._net.forward(self._outputs)
        except cv2.error as error:
            raise refused(error) from error
        if any(output is None for output in outputs):
            raise Refused("OpenCV gives None for an empty output")
        return tuple(outputs)


def prepare(model: ModelProto, device: str = "CPU", **kwargs: Any) -> Prepared:
    try:
        return Prepared(model)
    except cv2.error as error:
        raise refused(error) from error

"""ONNX's own interpreter in Python, onnx.reference.ReferenceEvaluator."""

from __future__ import annotations

from typing import Any

import onnx
import onnx.checker
from onnx import ModelProto
from onnx.backend.base import Backend, BackendRep
from onnx.reference import ReferenceEvaluator

from touchstone.models import InputNames


class Prepared(BackendRep):
    def __init__(self, model: ModelProto) -> None:
        self._evaluator = ReferenceEvaluator(model)
        self._inputs = InputNames(model)

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        return tuple(self._evaluator.run(None, dict(zip(self._inputs.of(len(inputs)), inputs, strict=True))))


class OnnxReference(Backend):
    """The interpreter checks little by itself. If `checked`, calls onnx.checker with shape inference on the model."""

    def __init__(self, checked: bool) -> None:
        self._checked = checked
        self.touchstone_hello = {
            "name": "onnx.reference.ReferenceEvaluator",
            "version": onnx.__version__,
            "description": "after onnx.checker" if checked else "",
        }

    def prepare(self, model: ModelProto, device: str = "CPU", **kwargs: Any) -> Prepared:
        if self._checked:
            onnx.checker.check_model(model, full_check=True)
        return Prepared(model)


plain = OnnxReference(checked=False)
checked = OnnxReference(checked=True)

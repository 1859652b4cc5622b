"""Runs a tool that rewrites models: a function that gets an onnx.ModelProto, and returns another one or its bytes.

Touchstone computes the outputs of the returned model. The function may change the model that it gets. An exception is a
refusal. Its attribute `touchstone_hello`, if any, is like that of a backend.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import onnx
import onnx.checker
from google.protobuf.message import DecodeError
from onnx import ModelProto, TensorProto

from touchstone.answering import message, reason
from touchstone.worker_pb2 import Answers, Outputs, Request, Response

# The names of the outputs that Touchstone expects, in transform_backend.h.
MODEL, FAULT = "model", "fault"


class Transform:
    def __init__(self, function: Callable[[ModelProto], Any]) -> None:
        self._function = function
        self.touchstone_hello = getattr(function, "touchstone_hello", {})

    def respond(self, request: Request) -> Response:
        try:
            returned = self._function(ModelProto.FromString(request.model))
        except MemoryError:
            raise
        except Exception as error:
            return Response(number=request.number, refusal=reason(error))
        response = Response(number=request.number, answers=Answers())
        answer = response.answers.answers.add()
        rewritten = returned.SerializeToString() if isinstance(returned, ModelProto) else returned
        if isinstance(rewritten, bytes):
            _add(answer.outputs, MODEL, rewritten)
            if fault := fault_of(rewritten, request.model):
                _add(answer.outputs, FAULT, fault.encode(errors="backslashreplace"))
        else:
            kind = type(returned).__name__
            answer.defect = f"the function returned an object of {kind}, not an onnx.ModelProto or bytes"
        return response


def fault_of(rewritten: bytes, original: bytes) -> str:
    """What ONNX's checker says against the rewritten model, unless it also says something against the original."""
    try:
        model = ModelProto.FromString(rewritten)
    except DecodeError as error:
        return f"it cannot be parsed: {reason(error)}"
    for with_inference in (True, False):
        if not _objection(ModelProto.FromString(original), with_inference):
            return _objection(model, with_inference)
    return ""


def _objection(model: ModelProto, with_inference: bool) -> str:
    try:
        onnx.checker.check_model(model, full_check=with_inference)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError, ValueError, TypeError) as error:
        # A tool may add operators of its own to ai.onnx. Touchstone's interpreter refuses a model that has one.
        return "" if "No Op registered for " in message(error) else f"onnx.checker: {reason(error)}"
    return ""


def _add(outputs: Outputs, name: str, data: bytes) -> None:
    outputs.tensors.add(name=name, data_type=TensorProto.UINT8, dims=[len(data)], raw_data=data)

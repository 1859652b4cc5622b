"""Runs the model of a request on a backend and builds the response."""

from __future__ import annotations

import re
import unittest
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from onnx import ModelProto, ValueInfoProto

from touchstone.loading import has_prepare
from touchstone.tensors import as_declared, is_of_numbers, to_array, write_array
from touchstone.worker_pb2 import Answer, Answers, InputSet, Request, Response, Tensor

Runner = Callable[[list[np.ndarray]], Any]

# The number of characters kept from each end of a reason. Longer reasons could exceed the limit on messages.
REASON_BEGIN, REASON_END = 2048, 6144

# A line with something in it, without the separators of str.splitlines.
LINE = re.compile(r"\S[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*")


class NotCompatible(unittest.SkipTest):
    """The backend declares that it does not support the model: ONNX's runner skips the test."""


class NoTensor(Exception):
    """The backend returned something that cannot be an output; the message gives the reason."""


def respond(
    backend: Any, device: str, request: Request, passed_on: tuple[type[Exception], ...] = (MemoryError,)
) -> Response:
    """Turns every exception of the backend into a refusal, except those in `passed_on`.

    A backend that ran out of memory has not judged the model.
    """
    try:
        model = ModelProto.FromString(request.model)
        run = _prepare(backend, device, model)
    except passed_on:
        raise
    except Exception as error:
        return Response(number=request.number, refusal=reason(error))
    # Messages are filled in place: assigning a message copies it, including tensors of many megabytes.
    response = Response(number=request.number, answers=Answers())
    for inputs in request.input_sets:
        _answer(run, model, inputs, response.answers.answers.add(), passed_on)
    return response


def reason(error: BaseException) -> str:
    """The type, and the first informative line of the message, of which only both ends are kept if it is long."""
    line = LINE.search(message(error))
    text = f"{_type_of(error)}: {line[0].rstrip() if line else ''}".removesuffix(": ")
    if len(text) > REASON_BEGIN + REASON_END:
        text = f"{text[:REASON_BEGIN]} ... ({len(text)} characters) ... {text[-REASON_END:]}"
    return text.encode(errors="backslashreplace").decode()


def message(error: BaseException) -> str:
    """Empty if the error cannot say it: its __str__ is the backend's code, and may fail in any way."""
    try:
        return str.__str__(str(error))  # of the type str, not of one derived from it
    except KeyboardInterrupt:
        raise
    except BaseException:
        return ""


def _type_of(value: object) -> str:
    return type.__dict__["__name__"].__get__(type(value))  # which a metaclass cannot override


def _prepare(backend: Any, device: str, model: ModelProto) -> Runner:
    is_compatible = getattr(backend, "is_compatible", None)
    if callable(is_compatible) and not is_compatible(model, device):
        raise NotCompatible("is_compatible(model, device) is false")
    if not has_prepare(backend):
        return lambda inputs: backend.run_model(model, inputs, device)
    prepared = backend.prepare(model, device)
    if prepared is None:
        raise ValueError("prepare() returned None")
    return prepared.run


def _answer(
    run: Runner, model: ModelProto, inputs: InputSet, answer: Answer, passed_on: tuple[type[Exception], ...]
) -> None:
    try:
        outputs = run([to_array(tensor) for tensor in inputs.inputs])
    except passed_on:
        raise
    except Exception as error:
        answer.refusal = reason(error)
        return
    answer.outputs.SetInParent()
    try:
        for value, declared in _with_declarations(outputs, model.graph.output):
            _write(answer.outputs.tensors.add(name=declared.name), value, declared)
    except NoTensor as error:
        answer.defect = str(error)
    except passed_on:
        raise
    except Exception as error:  # the containers and numbers may be objects of the backend's own classes
        answer.defect = f"the outputs cannot be read: {reason(error)}"


def _with_declarations(outputs: Any, declared: Sequence[ValueInfoProto]) -> list[tuple[Any, ValueInfoProto]]:
    """Pairs each output with its declaration in the graph, or with an empty one if there are too many outputs."""
    if outputs is None:
        outputs = []
    elif isinstance(outputs, dict):
        outputs = [outputs[value.name] for value in declared if value.name in outputs]
    elif not isinstance(outputs, (list, tuple)):
        outputs = [outputs]
    return [(value, declared[k] if k < len(declared) else ValueInfoProto()) for k, value in enumerate(outputs)]


def _write(tensor: Tensor, value: Any, declared: ValueInfoProto) -> None:
    try:
        array = np.asarray(value)
    except MemoryError:
        raise
    except Exception as error:
        raise NoTensor(f"output '{declared.name}' is not an array: {reason(error)}") from None
    tensor_type = declared.type.tensor_type
    dims = tensor_type.shape.dim
    static = tensor_type.HasField("shape") and all(dim.HasField("dim_value") for dim in dims)
    shape = [dim.dim_value for dim in dims] if static else None
    array = as_declared(array, tensor_type.elem_type, shape)
    if not is_of_numbers(array):
        of, given = array.dtype.type.__name__.rstrip("_"), _type_of(value)
        raise NoTensor(f"output '{declared.name}' ({given}) is an array of {of}, which is not a numeric type of ONNX")
    write_array(tensor, array)

"""A minimal host for workers: writes requests, and reads responses."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, ClassVar

import numpy as np
from onnx import ModelProto, TensorProto, helper

from touchstone.frames import read_message, write_message
from touchstone.tensors import from_array, to_array
from touchstone.worker_pb2 import Hello, InputSet, Request, Response

TESTS = Path(__file__).parent
PYTHON_WORKER = [sys.executable, "-m", "touchstone.worker"]
PYTHONPATH = os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)])


class Host:
    """A worker with its pipes. Once it has ended, `printed` and `complaints` have what it printed."""

    living: ClassVar[list[Host]] = []

    def __init__(
        self, *arguments: str, program: Sequence[str] = PYTHON_WORKER, environment: dict[str, str] | None = None
    ) -> None:
        requests, self._requests = os.pipe()
        self._responses, responses = os.pipe()
        # Files, because a pipe that nobody reads could fill up.
        self._output, self._errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [*program, *arguments],
            env={
                **os.environ,
                "PYTHONPATH": PYTHONPATH,
                "TOUCHSTONE_REQUESTS_FD": str(requests),
                "TOUCHSTONE_RESPONSES_FD": str(responses),
                **(environment or {}),
            },
            pass_fds=(requests, responses),
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._errors,
        )
        os.close(requests)
        os.close(responses)
        self.requests: BinaryIO = os.fdopen(self._requests, "wb")
        self.responses: BinaryIO = os.fdopen(self._responses, "rb")
        self.living.append(self)

    def hello(self) -> Hello | None:
        return read_message(self.responses, Hello)

    def send(self, model: ModelProto | bytes, *input_sets: list[np.ndarray], number: int = 1) -> None:
        content = model if isinstance(model, bytes) else model.SerializeToString()
        sets = [InputSet(inputs=[from_array(array) for array in inputs]) for inputs in input_sets]
        write_message(self.requests, Request(number=number, case_id=f"case/{number}", model=content, input_sets=sets))

    def receive(self) -> Response | None:
        return read_message(self.responses, Response)

    def ask(self, model: ModelProto | bytes, *input_sets: list[np.ndarray]) -> Response:
        self.send(model, *input_sets)
        response = self.receive()
        assert response is not None, self.end()
        return response

    def end(self) -> int:
        """Ends the worker and returns its exit code."""
        self.living.remove(self)
        with contextlib.suppress(BrokenPipeError):
            self.requests.close()
        status = self._process.wait(timeout=60)
        self.responses.close()
        self.printed, self.complaints = map(_content, (self._output, self._errors))
        return status


def _content(file: BinaryIO) -> str:
    with file:
        file.seek(0)
        return file.read().decode()


def started(*arguments: str, program: Sequence[str] = PYTHON_WORKER) -> Host:
    """A worker that has said hello."""
    host = Host(*arguments, program=program)
    assert host.hello() is not None, (host.end(), host.complaints)
    return host


def arrays(response: Response, input_set: int = 0) -> list[np.ndarray]:
    """The outputs, which must exist."""
    answer = response.answers.answers[input_set]
    assert answer.HasField("outputs"), answer
    return [to_array(tensor) for tensor in answer.outputs.tensors]


def model(
    output_type: int = TensorProto.FLOAT, shape: list[int | str] | None = None, input_type: int | None = None
) -> ModelProto:
    """A graph with one input and one output. The backends of these tests decide what it computes."""
    given = helper.make_tensor_value_info("x", input_type or output_type, shape)
    result = helper.make_tensor_value_info("y", output_type, shape)
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "graph", [given], [result])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)])

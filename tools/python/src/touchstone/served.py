"""The client side of the protocol: starts a worker that runs the models of this process."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
from google.protobuf.message import DecodeError
from onnx import ModelProto

from touchstone.frames import FrameError, read_message, write_message
from touchstone.limits import HELLO, LimitError, limits
from touchstone.loading import PROTOCOL
from touchstone.models import InputNames
from touchstone.tensors import to_array, write_array
from touchstone.worker_pb2 import Hello, Request, Response

# Where a build in the source tree leaves the program, as this file is tools/python/src/touchstone/served.py there; and
# where it is installed, if this is share/touchstone/python/touchstone/served.py.
_ROOT = Path(__file__).resolve().parents[4]
_INSTALLED = _ROOT / "bin" / "touchstone"
_BUILDS = [_ROOT / "build" / preset / "tools" / "touchstone" for preset in ("release", "test", "asan")]


class Refused(Exception):
    """The backend refuses this model or these inputs."""


class WorkerError(Exception):
    """There is no program, or it does not answer. The message gives the reason and a solution."""


def find_program() -> str:
    """$TOUCHSTONE_PROGRAM, the program installed with this module, `touchstone` on the PATH, or that of a build."""
    named = os.environ.get("TOUCHSTONE_PROGRAM")
    if named:
        return named
    if _INSTALLED.is_file():
        return str(_INSTALLED)
    program = shutil.which("touchstone")
    if program:
        return program
    for path in _BUILDS:
        if path.is_file():
            return str(path)
    raise WorkerError(
        "the program touchstone is neither on the PATH nor built in its source tree: "
        "name it in the environment variable TOUCHSTONE_PROGRAM"
    )


class _Process:
    """A worker, and the pipes to it and from it."""

    def __init__(self, command: list[str]) -> None:
        requests, to_worker = os.pipe()
        from_worker, responses = os.pipe()
        self.requests: BinaryIO = os.fdopen(to_worker, "wb")
        self.responses: BinaryIO = os.fdopen(from_worker, "rb")
        environment = {"TOUCHSTONE_REQUESTS_FD": str(requests), "TOUCHSTONE_RESPONSES_FD": str(responses)}
        try:
            self._process = subprocess.Popen(
                command,
                env={**os.environ, **environment},
                pass_fds=(requests, responses),
                stdin=subprocess.DEVNULL,
            )
        except OSError as error:
            self._close()
            raise WorkerError(f"cannot start {error.filename}: {error.strerror}") from None
        finally:
            os.close(requests)
            os.close(responses)

    def end(self) -> str:
        """Ends the process, and describes how it ended."""
        self._close()
        status = self._process.wait()
        return f"signal {-status}" if status < 0 else f"exit code {status}"

    def _close(self) -> None:
        self.responses.close()
        with contextlib.suppress(BrokenPipeError):  # unread data are lost with it
            self.requests.close()


class Worker:
    """`touchstone serve --backend NAME`, started on first use, and restarted after it has died."""

    def __init__(self, backend: str) -> None:
        self.backend = backend
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._number = 0

    def run(self, model: ModelProto, inputs: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
        """`inputs` are in the order of the graph's inputs. Those with an initializer, which is their default value, may
        be left out: all of them, or the last ones. Raises Refused or WorkerError."""
        try:
            names = InputNames(model).of(len(inputs))
        except ValueError as error:
            raise Refused(str(error)) from None
        request = Request(case_id=model.graph.name, model=model.SerializeToString())
        input_set = request.input_sets.add()
        for name, array in zip(names, inputs, strict=True):
            write_array(input_set.inputs.add(name=name), np.asarray(array))
        response = self._ask(request)
        if not response.HasField("answers"):
            raise Refused(response.refusal)
        (answer,) = response.answers.answers
        if not answer.HasField("outputs"):
            raise Refused(answer.refusal)
        return tuple(map(to_array, answer.outputs.tensors))

    def _ask(self, request: Request) -> Response:
        with self._lock:
            self._number += 1
            request.number = self._number
            process = self._process or self._start()
            try:
                write_message(process.requests, request)
                response = read_message(process.responses, Response)
                if response is not None and response.number != request.number:
                    raise FrameError(f"a response to the request {response.number} in place of {request.number}")
            except OSError:
                response = None
            except (FrameError, DecodeError) as error:
                self._process = None
                raise self._error(f"wrote an invalid response ({error}), and ended: {process.end()}") from None
            if response is None:
                self._process = None
                raise self._error(f"ended: {process.end()}")
            return response

    def _start(self) -> _Process:
        try:
            limits()
        except LimitError as error:
            raise WorkerError(str(error)) from None
        process = _Process([find_program(), "serve", "--backend", self.backend])
        try:
            hello = read_message(process.responses, Hello, HELLO)
        except (FrameError, DecodeError) as error:
            raise self._error(f"wrote an invalid hello ({error}), and ended: {process.end()}") from None
        if hello is None:
            raise self._error(f"did not start: {process.end()}")
        if hello.protocol != PROTOCOL:
            process.end()
            raise self._error(
                f"uses version {hello.protocol} of the worker protocol, but this package uses {PROTOCOL}: "
                "take both of one release"
            )
        # The worker ends with its owner or with this process.
        weakref.finalize(self, process.end)
        self._process = process
        return process

    def _error(self, what: str) -> WorkerError:
        return WorkerError(f"touchstone serve --backend {self.backend} {what}")

"""Runs a backend in Python under Touchstone: `touchstone run --backend onnx:MODULE[:ATTR][@DEVICE]` starts it.

MODULE, or ATTR in it, follows onnx.backend.base.Backend: it has prepare(model, device), whose result has run(inputs),
or else run_model(model, inputs, device). DEVICE is passed to these functions: CPU (the default), CUDA:1, ...
If it has is_compatible(model, device), and that returns false, the model is refused.

With --transform, ATTR is a function that gets an onnx.ModelProto and returns a rewritten one; see transforming.py.

It can describe itself in an attribute `touchstone_hello`, a dict with fields of Hello in worker.proto, for example
{"name": "my runtime", "capabilities": {"constant_scales_only": True}}.

Exit codes: 0 nothing more to read; 1 the backend ran out of memory, the requests are damaged, or this Python lacks
packages; 2 there is no such backend, or it does not support the device, or TOUCHSTONE_LIMITS is invalid.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import os
import sys
from typing import Any, BinaryIO

from touchstone import PACKAGES


def not_here(module: str | None) -> str:
    """A message that names the packages that this Python lacks, and a solution."""
    missing = ", ".join(filter(is_missing, PACKAGES)) or module
    *others, last = PACKAGES
    return (
        f"touchstone.worker: this Python, {sys.executable}, has no {missing}: choose another one with --python, "
        f"or install {', '.join(others)} and {last} for it"
    )


def is_missing(package: str) -> bool:
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return True
    return False


try:
    from google.protobuf.message import DecodeError

    from touchstone.answering import reason, respond
    from touchstone.frames import FrameError, read_message, write_message
    from touchstone.limits import LimitError, limits
    from touchstone.loading import LoadError, check_device, check_parameters, hello, load, load_function, split_device
    from touchstone.transforming import Transform
    from touchstone.worker_pb2 import Request
except ModuleNotFoundError as error:
    sys.exit(not_here(error.name))


def open_streams() -> tuple[BinaryIO, BinaryIO]:
    """Raises LoadError if this process was not started by Touchstone."""
    descriptors = []
    for variable in ("TOUCHSTONE_REQUESTS_FD", "TOUCHSTONE_RESPONSES_FD"):
        try:
            descriptors.append(int(os.environ[variable]))
            # Processes that the backend starts must not keep the pipes open.
            os.set_inheritable(descriptors[-1], False)
        except (KeyError, ValueError, OSError):
            raise LoadError(
                f"{variable} is not the number of an open descriptor: Touchstone starts this program, with "
                "touchstone run --backend onnx:MODULE[:ATTR]"
            ) from None
    return os.fdopen(descriptors[0], "rb"), os.fdopen(descriptors[1], "wb")


def serve(backend: Any, device: str, requests: BinaryIO, responses: BinaryIO) -> None:
    while (request := read_message(requests, Request)) is not None:
        try:
            response = backend.respond(request) if isinstance(backend, Transform) else respond(backend, device, request)
        except SystemExit as end:
            print(f"touchstone.worker: the backend called exit: {reason(end)}", file=sys.stderr)
            raise
        # The printed text belongs to this case, so it is flushed before the answer.
        flush_prints()
        write_message(responses, response)


def flush_prints() -> None:
    # The backend may have closed the stream, or replaced it by None or by its own object.
    with contextlib.suppress(Exception):
        sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="touchstone.worker",
        allow_abbrev=False,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("backend", metavar="MODULE[:ATTR][@DEVICE]")
    parser.add_argument("--check", action="store_true", help="only check that there is such a backend")
    parser.add_argument("--transform", action="store_true", help="ATTR is a function that rewrites models")
    arguments = parser.parse_args()
    name, device = split_device(arguments.backend)
    try:
        limits()
        if not arguments.check:
            requests, responses = open_streams()
        if arguments.transform:
            backend = Transform(load_function(arguments.backend))
        else:
            backend = load(name)
            check_parameters(name, backend)
            check_device(name, backend, device)
        greeting = hello(arguments.backend, backend)
        if arguments.check:
            return 0
    except (LoadError, LimitError) as error:
        print(f"touchstone.worker: {error}", file=sys.stderr)
        return 2
    try:
        write_message(responses, greeting)
        serve(backend, device, requests, responses)
    except (FrameError, DecodeError) as error:
        print(f"touchstone.worker: cannot read the requests: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # nobody waits for the answer any more
        os._exit(0)
    except KeyboardInterrupt:
        os._exit(130)
    return 0


if __name__ == "__main__":
    sys.exit(main())

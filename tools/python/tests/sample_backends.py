"""Typical backends, and faulty ones."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from onnx import TensorProto
from onnx.backend.base import Backend, BackendRep

__version__ = "4.2"


class Echo(Backend):
    """Its outputs are its inputs."""

    class Rep(BackendRep):
        def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
            return tuple(inputs)

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> BackendRep:
        return cls.Rep()


class OnlyRunModel(Backend):
    @classmethod
    def run_model(cls, model: Any, inputs: Any, device: str = "CPU", **kwargs: Any) -> tuple[Any, ...]:
        return tuple(value + 1 for value in inputs)


class OfObjects:
    """Derives from nothing, and has no class methods."""

    touchstone_hello = {
        "name": "objects",
        "version": "7",
        "description": "all its own",
        "capabilities": {"static_shapes_only": True},
    }

    def prepare(self, model: Any, device: str) -> Any:
        self.device = device
        return self

    def run(self, inputs: Any) -> Any:
        return [np.array(len(self.device), np.int64)]


class OfFloats(Echo):
    """Declares its support with the methods of onnx.backend.base.Backend: float32, on one device."""

    @classmethod
    def is_compatible(cls, model: Any, device: str = "CPU", **kwargs: Any) -> bool:
        return model.graph.input[0].type.tensor_type.elem_type == TensorProto.FLOAT and device == "CPU:2"

    @classmethod
    def supports_device(cls, device: str) -> bool:
        if device == "broken":
            raise ValueError(f"no such device: {device}")
        return device == "CPU:2"


class Zeros(Backend):
    """Takes no time itself, so that only the worker's time is measured."""

    @classmethod
    def run_model(cls, model: Any, inputs: Any, device: str = "CPU", **kwargs: Any) -> Any:
        return [np.zeros(inputs[0].shape, np.uint8)]


class Told(Backend):
    """Does what the text in the first input requests."""

    @classmethod
    def run_model(cls, model: Any, inputs: Any, device: str = "CPU", **kwargs: Any) -> Any:
        return ACTIONS[bytes(inputs[0]).decode()]()


def refuse() -> None:
    raise NotImplementedError("\n  not today\nnor tomorrow")


def refuse_at_length() -> None:
    raise ValueError("\n" + "begin" + "\N{SNOWMAN}" * 20_000_000 + "end\nnever read")


def print_much() -> list[np.ndarray]:
    os.write(1, b"\x08" * 100_000)
    print("printed", flush=False)
    print("complained", file=sys.stderr)
    return [np.float32(1)]


def take_stdout_away() -> np.float32:
    sys.stdout = None
    return np.float32(1)


def close_stdout() -> np.float32:
    sys.stdout.close()
    return np.float32(1)


def exhaust() -> None:
    raise MemoryError("2 TiB")


def failing(error: BaseException) -> Callable[..., Any]:
    def fail(*_: Any) -> Any:
        raise error

    return fail


class Raises(Exception):
    """Like the others below, it cannot be printed."""

    __str__ = __repr__ = failing(ValueError("no text"))


class Recurses(Exception):
    def __str__(self) -> str:
        return str(self)


class Exits(Exception):
    __str__ = failing(SystemExit(7))


class NoText(Exception):
    def __str__(self) -> Any:
        return 7


class NoMemory(Exception):
    __str__ = failing(MemoryError())


class OwnText(Exception):
    def __str__(self) -> str:
        class Text(str):
            splitlines = __format__ = __len__ = strip = failing(Raises())

        return Text("\n own")


class NamelessType(type):
    __name__ = property(failing(Raises()))


class Nameless(Exception, metaclass=NamelessType): ...


EXCEPTIONS = {
    "raises": Raises(),
    "recurses": Recurses(),
    "exits": Exits(),
    "returns no text": NoText(),
    "has no memory": NoMemory(),
    "returns its own text": OwnText(),
    "has surrogates": ValueError("\udc80"),
    "has a name that raises": Nameless("why"),
    "is a group": ExceptionGroup("both", [Raises(), ValueError()]),
    "odd exit": SystemExit(Raises()),
}


class RaisingList(list[Any]):
    __iter__ = failing(Raises())


class RaisingDict(dict[str, Any]):
    __contains__ = failing(Raises())


class WithoutClass:
    __class__ = property(failing(Raises()))  # type: ignore[assignment]


class RaisingStream:
    flush = failing(Raises())


def replace_stdout() -> np.float32:
    sys.stdout = RaisingStream()  # type: ignore[assignment]
    return np.float32(1)


STRANGE_THINGS = {
    "text": "text",
    "texts": ["one", "two"],
    "bytes": np.array(b"bytes"),
    "None": None,
    "an object": object(),
    "a date": np.array("2020-02-02", "M8[D]"),
    "a duration": np.timedelta64(1, "s"),
    "a record": np.zeros(2, [("a", "i1")]),
    "ragged": [[1], [2, 3]],
}


ACTIONS = {
    "refuse": refuse,
    "refuse at length": refuse_at_length,
    "print": print_much,
    "exhaust": exhaust,
    "no stdout": take_stdout_away,
    "closed stdout": close_stdout,
    "exit": lambda: sys.exit(5),
    **{words: failing(error) for words, error in EXCEPTIONS.items()},
    "a list that raises": lambda: RaisingList([1]),
    "a dict that raises": RaisingDict,
    "an object without a class": WithoutClass,
    "stdout that raises": replace_stdout,
    **{words: lambda thing=thing: [np.float32(1), thing] for words, thing in STRANGE_THINGS.items()},
    "nothing": lambda: None,
    "scalar": lambda: np.float32(0.5),
    "dict": lambda: {"other": np.zeros(1), "y": np.array([2], np.float32)},
}


class OnlyModels:
    """Its prepare takes no device."""

    @staticmethod
    def prepare(model: Any) -> None:
        raise NotImplementedError


class RunsModels:
    """Its run_model takes no inputs."""

    @staticmethod
    def run_model(model: Any) -> None:
        raise NotImplementedError


class Bad:
    """Has neither of the two methods."""


class BadHello(Echo):
    touchstone_hello = {"nmae": "misspelt"}


class Unmade:
    def __init__(self) -> None:
        raise RuntimeError("no licence")

    def prepare(self, model: Any, device: str) -> Any: ...

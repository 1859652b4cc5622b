"""Finds the backend under test by its name, MODULE[:ATTR][@DEVICE]."""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import inspect
import platform
import traceback
from collections.abc import Callable
from typing import Any

import onnx.backend.base
from onnx import ModelProto

from touchstone import PACKAGES
from touchstone.worker_pb2 import Hello

PROTOCOL = 1
METHODS = ("prepare", "run_model")


class LoadError(Exception):
    """There is no such backend. The message gives the reason and a solution."""


def load(name: str) -> Any:
    """The module, class or object MODULE[:ATTR], which has a callable `prepare` or `run_model`."""
    found = _find(name)
    if not any(callable(getattr(found, method, None)) for method in METHODS):
        raise LoadError(
            f"'{name}' is not a backend: it has neither prepare(model, device) nor run_model(model, inputs, device), "
            f"as in onnx.backend.base.Backend{_suggestion(found)}"
        )
    if inspect.isclass(found) and any(inspect.isfunction(getattr(found, method, None)) for method in METHODS):
        return _instance(name, found)
    return found


def load_function(name: str) -> Callable[[ModelProto], Any]:
    """The function MODULE:FUNCTION, which can be called with one model."""
    found = _find(name)
    if not callable(found):
        raise LoadError(f"'{name}' is not a function that gets an onnx.ModelProto")
    try:
        inspect.signature(found).bind(ModelProto())
    except TypeError as error:
        raise LoadError(f"'{name}' cannot be called with one onnx.ModelProto: {error}") from None
    except ValueError:  # not written in Python
        pass
    return found


def split_device(name: str) -> tuple[str, str]:
    """Splits off the device from MODULE[:ATTR]."""
    backend, _, device = name.partition("@")
    return backend, device or "CPU"


def check_device(name: str, backend: Any, device: str) -> None:
    """Refuses an unsupported device, on which ONNX's runner would skip every test."""
    supports_device = getattr(backend, "supports_device", None)
    try:
        if not callable(supports_device) or supports_device(device):
            return
    except Exception:
        raise LoadError(f"supports_device('{device}') of '{name}':\n{traceback.format_exc().rstrip()}") from None
    raise LoadError(
        f"'{name}' does not support the device '{device}', as its supports_device says: name one that it does, as in "
        f"onnx:{name}@CUDA:0"
    )


def check_parameters(name: str, backend: Any) -> None:
    """Refuses a method that cannot be called as the worker calls it, so that not every model is refused later."""
    method, *parameters = ("prepare", "model", "device")
    if not has_prepare(backend):
        method, *parameters = ("run_model", "model", "inputs", "device")
    try:
        signature = inspect.signature(getattr(backend, method))
    except ValueError:  # not written in Python
        return
    try:
        signature.bind(*parameters)
    except TypeError as error:
        plain = [parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()]
        signature = inspect.Signature(plain)
        raise LoadError(
            f"{method}{signature} of '{name}' cannot be called as {method}({', '.join(parameters)}): {error}"
        ) from None


def has_prepare(backend: Any) -> bool:
    """Whether the backend prepares models. The inherited `prepare` of onnx.backend.base.Backend only checks them."""
    prepare = getattr(backend, "prepare", None)
    return callable(prepare) and getattr(prepare, "__func__", None) is not onnx.backend.base.Backend.prepare.__func__


def hello(name: str, backend: Any) -> Hello:
    """Describes the backend. Its `touchstone_hello`, a dict with fields of Hello, overrides the detected values. The
    versions of its environment are added to the description."""
    declared = getattr(backend, "touchstone_hello", {})
    package = name.partition(":")[0].partition(".")[0]
    try:
        greeting = Hello(**{"protocol": PROTOCOL, "name": name, "version": _version(package), **declared})
        greeting.description = "; ".join(filter(None, [greeting.description, _surroundings()]))
        return greeting
    except (TypeError, ValueError) as error:
        raise LoadError(
            f"the attribute touchstone_hello of '{name}' does not have the fields of a Hello: {error}"
        ) from None


def _surroundings() -> str:
    """The versions of the packages that arrays and models pass through on the way to any backend."""
    versions = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions.append(f"{package} {importlib.metadata.version(package)}")
    return ", ".join(versions)


def _find(name: str) -> Any:
    module_name, _, attributes = name.partition(":")
    found: Any = _import(module_name)
    for attribute in filter(None, attributes.split(".")):
        if not hasattr(found, attribute):
            raise LoadError(f"'{found.__name__}' has no attribute '{attribute}'{_suggestion(found)}")
        found = getattr(found, attribute)
    return found


def _import(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise LoadError(f"cannot import '{module}': {error}") from None
        raise LoadError(f"there is no module '{error.name}': set PYTHONPATH, or install it for this Python") from None
    except Exception:
        raise LoadError(f"cannot import '{module}':\n{traceback.format_exc().rstrip()}") from None


def _instance(name: str, backend: type) -> Any:
    """An instance of a class whose methods are not class methods."""
    try:
        return backend()
    except Exception:
        raise LoadError(f"cannot create an object of '{name}':\n{traceback.format_exc().rstrip()}") from None


def _suggestion(place: Any) -> str:
    """The names in a module that are backends."""
    if not inspect.ismodule(place):
        return ""
    names = [
        name
        for name, value in vars(place).items()
        if inspect.isclass(value)
        and issubclass(value, onnx.backend.base.Backend)
        and value.__module__ == place.__name__
    ]
    return f"; try {' or '.join(f'{place.__name__}:{name}' for name in names)}" if names else ""


def _version(package: str) -> str:
    version = getattr(importlib.import_module(package), "__version__", None)
    if version is not None:
        return str(version)
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""

"""ONNX Runtime with a plugin execution provider and without its own CPU provider.

A provider is a Python package with get_library_path(). `ort_ep_backend:MODULE` loads it, and computes on its devices of
the type @DEVICE: CPU (the default), GPU or NPU. A model with a node that it does not take is refused.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import sys
from typing import Any

import onnxruntime as ort
from onnx import ModelProto

from ort_backend import OnnxRuntime, Prepared, prepared
from touchstone.loading import LoadError

# What a provider needs to know besides the device. Qualcomm's has no default on x86-64, where it emulates its NPU.
PROVIDER_OPTIONS = {"onnxruntime_qnn": {"backend_type": "htp"}}


class PluginProvider(OnnxRuntime):
    def __init__(self, module: str) -> None:
        super().__init__("off", disable_cpu_ep_fallback="1")
        before = {device.ep_name for device in ort.get_ep_devices()}
        ort.register_execution_provider_library(module, importlib.import_module(module).get_library_path())
        self._devices = [device for device in ort.get_ep_devices() if device.ep_name not in before]
        self._options = PROVIDER_OPTIONS.get(module, {})
        self.touchstone_hello = {
            "name": module,
            "version": importlib.metadata.version(module),
            "description": ", ".join(
                [f"onnxruntime {ort.__version__}", "graph optimizations off", "no CPU fallback"]
                + [f"{k}={v}" for k, v in self._options.items()]
            ),
        }

    def supports_device(self, device: str) -> bool:
        return any(known.device.type.name == device for known in self._devices)

    def prepare(self, model: ModelProto, device: str = "CPU", **kwargs: Any) -> Prepared:
        options = self.options()
        chosen = next(known for known in self._devices if known.device.type.name == device)
        options.add_provider_for_devices([chosen], self._options)
        return prepared(model, options)


@functools.cache
def __getattr__(module: str) -> PluginProvider:
    if module.startswith("__"):  # of this module
        raise AttributeError(module)
    try:
        return PluginProvider(module)
    except ModuleNotFoundError as error:
        raise LoadError(f"{error}: install it for {sys.executable}") from None

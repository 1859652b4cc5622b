"""A module that is a backend itself, as onnxruntime.backend is."""

from __future__ import annotations

from typing import Any

import sample_backends


def prepare(model: Any, device: str = "CPU", **kwargs: Any) -> Any:
    return sample_backends.Echo.prepare(model, device)

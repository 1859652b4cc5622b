"""What a backend needs to know of a model."""

from __future__ import annotations

from onnx import ModelProto


def input_names(model: ModelProto) -> list[str]:
    """The graph inputs that get a tensor, in their order: those that have no initializer as their default value."""
    defaults = {tensor.name for tensor in model.graph.initializer}
    return [value.name for value in model.graph.input if value.name not in defaults]

"""What a backend needs to know of a model."""

from __future__ import annotations

from onnx import ModelProto


class InputNames:
    """The names of the graph inputs. Those with an initializer, which is their default value, need not be given."""

    def __init__(self, model: ModelProto) -> None:
        defaults = {tensor.name for tensor in model.graph.initializer}
        self.all = [value.name for value in model.graph.input]
        self.required = [name for name in self.all if name not in defaults]

    def of(self, count: int) -> list[str]:
        """Those of so many tensors: the inputs without a default value, or else the first ones of all. Raises ValueError."""
        if count == len(self.required):
            return self.required
        if count > len(self.all) or not set(self.required) <= set(self.all[:count]):
            expected = str(len(self.all))
            if len(self.required) < len(self.all):
                expected = f"{len(self.required)} to {expected}"
            raise ValueError(f"{count} inputs for a graph with {expected}: {', '.join(self.all)}")
        return self.all[:count]

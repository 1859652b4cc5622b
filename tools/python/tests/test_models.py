"""Which graph inputs a caller gives."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from touchstone.models import InputNames


def test_inputs_with_an_initializer_may_be_left_out():
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, []) for name in ("b", "scale", "a", "y")]
    nodes = [helper.make_node("Sum", ["a", "b", "scale"], ["y"])]
    scale = numpy_helper.from_array(np.array(2, np.float32), "scale")
    model = helper.make_model(helper.make_graph(nodes, "graph", values[:3], values[3:], [scale]))
    names = InputNames(model)
    assert names.of(2) == ["b", "a"]
    assert names.of(3) == ["b", "scale", "a"]
    for count in (1, 4):
        with pytest.raises(ValueError, match=f"{count} inputs for a graph with 2 to 3: b, scale, a"):
            names.of(count)

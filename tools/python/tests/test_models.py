"""Which graph inputs a caller gives."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from touchstone.models import input_names


def test_inputs_with_an_initializer_are_left_out():
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, []) for name in ("b", "scale", "a", "y")]
    nodes = [helper.make_node("Sum", ["a", "b", "scale"], ["y"])]
    scale = numpy_helper.from_array(np.array(2, np.float32), "scale")
    model = helper.make_model(helper.make_graph(nodes, "graph", values[:3], values[3:], [scale]))
    assert input_names(model) == ["b", "a"]

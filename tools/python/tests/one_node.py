"""Models of one node, for tests of adapters."""

from __future__ import annotations

from onnx import ModelProto, helper


def one_node(
    operator: str, names: list[str], element_type: int, shape: list[int | str] | None, opset: int = 13
) -> ModelProto:
    """A model whose graph has the inputs of its node in reverse order."""
    *given, result = (helper.make_tensor_value_info(name, element_type, shape) for name in [*names[::-1], "y"])
    graph = helper.make_graph([helper.make_node(operator, names, ["y"])], "graph", given, [result])
    imports = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=imports, ir_version=helper.find_min_ir_version_for(imports))

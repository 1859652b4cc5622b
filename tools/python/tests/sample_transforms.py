"""Functions that rewrite models, right and wrong ones."""

from __future__ import annotations

from typing import Any

from onnx import ModelProto


def same(model: ModelProto) -> ModelProto:
    return model


def same_bytes(model: ModelProto) -> bytes:
    return model.SerializeToString()


def without_last_node(model: ModelProto) -> ModelProto:
    """The model then gives what the node got."""
    last = model.graph.node.pop()
    for node in model.graph.node:
        for i, name in enumerate(node.output):
            if name == last.input[0]:
                node.output[i] = last.output[0]
    return model


def refuses(model: ModelProto) -> ModelProto:
    raise NotImplementedError("not today")


def garbage(model: ModelProto) -> bytes:
    return b"\xff no model"


def unknown_operator(model: ModelProto) -> ModelProto:
    model.opset_import.add(domain="com.example", version=1)
    model.graph.node[0].domain, model.graph.node[0].op_type = "com.example", "Other"
    return model


def unregistered_operator(model: ModelProto) -> ModelProto:
    model.graph.node[0].op_type = "LayerNormalization"  # not in opset 13 of ai.onnx
    return model


def renamed_output(model: ModelProto) -> ModelProto:
    name = model.graph.output[0].name
    for node in model.graph.node:
        node.output[:] = ["renamed" if output == name else output for output in node.output]
    model.graph.output[0].name = "renamed"
    return model


def renamed_input(model: ModelProto) -> ModelProto:
    name = model.graph.input[0].name
    for node in model.graph.node:
        node.input[:] = ["renamed" if value == name else value for value in node.input]
    model.graph.input[0].name = "renamed"
    return model


def cyclic(model: ModelProto) -> ModelProto:
    model.graph.node[0].input[0] = model.graph.node[0].output[0]
    return model


def nothing(model: ModelProto) -> Any:
    return None


def of_two(model: ModelProto, target: int) -> ModelProto:
    return model


same.touchstone_hello = {"name": "same", "version": "7"}

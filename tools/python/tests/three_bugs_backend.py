"""A backend with three bugs: it rounds ties away from zero, numpy raises an error for negative axes, and it swaps the
nibbles of int4. It supports only opsets of ai.onnx up to 21, and uint8, int8 and int4 with float32."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

RANGES = {TensorProto.UINT8: (0, 255), TensorProto.INT8: (-128, 127), TensorProto.INT4: (-8, 7)}


def with_swapped_nibbles(values: np.ndarray) -> np.ndarray:
    flat = np.append(values.reshape(-1), np.zeros(values.size % 2, values.dtype))
    return flat.reshape(-1, 2)[:, ::-1].reshape(-1)[: values.size].reshape(values.shape)


def round_half_away(values: np.ndarray) -> np.ndarray:
    whole = np.trunc(values)
    return whole + np.sign(values) * (np.abs(values - whole) >= 0.5)


class Prepared:
    def __init__(self, model: onnx.ModelProto) -> None:
        onnx.checker.check_model(model, full_check=True)
        self.node = model.graph.node[-1]
        opset = next((row.version for row in model.opset_import if row.domain in ("", "ai.onnx")), 0)
        if self.node.domain not in ("", "ai.onnx") or opset > 21:
            raise NotImplementedError(f"{self.node.domain} {self.node.op_type} at opset {opset}")
        self.constants = {tensor.name: tensor for tensor in model.graph.initializer}
        for node in model.graph.node[:-1]:
            self.constants[node.output[0]] = node.attribute[0].t
        self.names = [row.name for row in model.graph.input]
        types = {row.name: row.type.tensor_type.elem_type for row in [*model.graph.input, *model.graph.output]}
        types.update({name: tensor.data_type for name, tensor in self.constants.items()})
        ends = [types[self.node.input[0]], types[self.node.output[0]]]
        self.quantizes = self.node.op_type == "QuantizeLinear"
        self.quantized = ends[1] if self.quantizes else ends[0]
        if self.quantized not in RANGES or {ends[0], ends[1], types[self.node.input[1]]} - {TensorProto.FLOAT} != {
            self.quantized
        }:
            raise NotImplementedError("these types")

    def run(self, inputs: list[np.ndarray]) -> list[np.ndarray]:
        values: dict[str, Any] = dict(zip(self.names, inputs))
        values.update({name: numpy_helper.to_array(tensor) for name, tensor in self.constants.items()})
        x, scale, *rest = (np.asarray(values[name]) for name in self.node.input if name)
        zero_point = rest[0] if rest else np.zeros(scale.shape, np.int8)
        if zero_point.shape != scale.shape:
            raise ValueError("the shapes of scale and zero point differ")
        attributes = {row.name: helper.get_attribute_value(row) for row in self.node.attribute}
        axis, block_size = attributes.get("axis", 1), attributes.get("block_size", 0)
        is_packed = self.quantized == TensorProto.INT4
        zero_point = zero_point.astype(np.int64)
        if is_packed:
            zero_point = with_swapped_nibbles(zero_point)
        if x.ndim == 1 and scale.size == 1:
            scale, zero_point = scale.reshape(()), zero_point.reshape(())
        elif block_size:
            counts = list(x.shape)
            counts[axis] = -(-x.shape[axis] // block_size)
            if block_size < 0 or list(scale.shape) != counts:
                raise ValueError("block_size does not fit the shape of the scale")
            blocks = np.arange(x.shape[axis]) // block_size
            scale, zero_point = np.take(scale, blocks, axis), np.take(zero_point, blocks, axis)
        elif scale.ndim > 1:
            raise ValueError("the scale has more than one dimension")
        elif scale.ndim == 1:
            lengths = [-1 if dimension == axis else 1 for dimension in range(x.ndim)]
            scale, zero_point = scale.reshape(lengths), zero_point.reshape(lengths)
        with np.errstate(all="ignore"):
            if not self.quantizes:
                x = x.astype(np.int64)
                return [(((with_swapped_nibbles(x) if is_packed else x) - zero_point).astype(np.float32) * scale)]
            quotients = (x / scale).astype(np.float64)
            low, high = RANGES[self.quantized]
            y = np.clip(np.nan_to_num(round_half_away(quotients), posinf=1e40, neginf=-1e40) + zero_point, low, high)
        y = y.astype(np.int64)
        return [(with_swapped_nibbles(y) if is_packed else y).astype(helper.tensor_dtype_to_np_dtype(self.quantized))]


def prepare(model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> Prepared:
    return Prepared(model)

"""Makes a quantized model with the structure of ResNet-50 and random weights: 4 billion multiplications."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

STAGES = ((3, 64), (4, 128), (6, 256), (3, 512))  # blocks, and channels of their inner convolutions
SCALE = np.float32(0.02)  # of all activations


class Builder:
    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, value: np.ndarray | np.generic) -> str:
        self.constants.append(numpy_helper.from_array(np.asarray(value), f"constant{len(self.constants)}"))
        return self.constants[-1].name

    def node(self, op_type: str, *inputs: str, **attributes: object) -> str:
        output = f"{op_type.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op_type, inputs, [output], **attributes))
        return output

    def quantized(self, x: str, zero_point: int) -> str:
        operands = self.constant(SCALE), self.constant(np.uint8(zero_point))
        return self.node("DequantizeLinear", self.node("QuantizeLinear", x, *operands), *operands)

    def weights(self, shape: tuple[int, ...]) -> tuple[str, np.ndarray]:
        """Dequantized int8 weights, and their scales."""
        scales = (self.rng.uniform(0.5, 1.5, shape[0]) * SCALE / np.sqrt(np.prod(shape[1:]))).astype(np.float32)
        codes = self.rng.integers(-127, 128, shape).astype(np.int8)
        zero_points = self.constant(np.zeros(shape[0], np.int8))
        return self.node("DequantizeLinear", self.constant(codes), self.constant(scales), zero_points, axis=0), scales

    def conv(self, x: str, shape: tuple[int, int, int, int], stride: int = 1, relu: bool = True) -> str:
        weights, scales = self.weights(shape)
        bias_codes = self.constant(self.rng.integers(-500, 500, shape[0]).astype(np.int32))
        bias = self.node("DequantizeLinear", bias_codes, self.constant(scales * SCALE), axis=0)
        y = self.node("Conv", x, weights, bias, strides=[stride] * 2, pads=[shape[2] // 2] * 4)
        return self.quantized(self.node("Relu", y), 0) if relu else self.quantized(y, 128)

    def block(self, x: str, inputs: int, channels: int, stride: int, shortens: bool) -> str:
        y = self.conv(x, (channels, inputs, 1, 1))
        y = self.conv(y, (channels, channels, 3, 3), stride)
        y = self.conv(y, (4 * channels, channels, 1, 1), relu=False)
        shortcut = self.conv(x, (4 * channels, inputs, 1, 1), stride, relu=False) if shortens else x
        return self.quantized(self.node("Relu", self.node("Add", y, shortcut)), 0)

    def model(self) -> onnx.ModelProto:
        x = self.conv(self.quantized("x", 128), (64, 3, 7, 7), 2)
        x = self.quantized(self.node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4), 0)
        inputs = 64
        for stage, (blocks, channels) in enumerate(STAGES):
            for block in range(blocks):
                x = self.block(x, inputs, channels, 2 if stage > 0 and block == 0 else 1, block == 0)
                inputs = 4 * channels
        x = self.quantized(self.node("Flatten", self.quantized(self.node("GlobalAveragePool", x), 0)), 0)
        y = self.quantized(self.node("Gemm", x, self.weights((1000, inputs))[0], transB=1), 128)
        ends = [
            helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
            for name, shape in (("x", [1, 3, 224, 224]), (y, [1, 1000]))
        ]
        graph = helper.make_graph(self.nodes, "resnet50", ends[:1], ends[1:], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def write(path: Path) -> None:
    onnx.save(Builder().model(), path)

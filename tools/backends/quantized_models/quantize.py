"""Quantizes the float models in DIRECTORY/wheels with ONNX Runtime's tools. See make --help."""

from __future__ import annotations

import logging
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
import onnx.version_converter
import resnet50
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, quantize_static
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from onnxruntime.quantization.shape_inference import quant_pre_process


class RandomData(CalibrationDataReader):
    def __init__(self, name: str, shape: list[int]):
        rng = np.random.default_rng(0)
        self.rest = iter([{name: rng.normal(size=shape).astype(np.float32)} for _ in range(3)])

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self.rest, None)


def float_model(directory: Path, name: str) -> onnx.ModelProto:
    (wheel,) = (directory / "wheels").glob("rapidocr_onnxruntime-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return onnx.load_from_string(archive.read(f"rapidocr_onnxruntime/models/{name}"))


def prepare(model: onnx.ModelProto, opset: int, shape: list[int], optimizes: bool, path: Path) -> None:
    """Writes the model in another opset, because those of these models have no axis for DequantizeLinear, with a fixed
    shape of its input, and with initializers instead of Constant nodes, which the quantizers expect."""
    model = onnx.version_converter.convert_version(model, opset)
    graph = model.graph
    for dimension, length in zip(graph.input[0].type.tensor_type.shape.dim, shape, strict=True):
        dimension.dim_value = length
    for output in graph.output:
        output.type.tensor_type.ClearField("shape")
    del graph.value_info[:]
    for node in [node for node in graph.node if node.op_type == "Constant"]:
        graph.initializer.append(node.attribute[0].t)
        graph.initializer[-1].name = node.output[0]
        graph.node.remove(node)
    onnx.save(model, path)
    quant_pre_process(path, path, skip_symbolic_shape=True, skip_optimization=not optimizes)


def quantize_int8(directory: Path, model: onnx.ModelProto, shape: list[int], name: str) -> None:
    path = directory / name
    prepare(model, 13, shape, True, path)
    data = RandomData(model.graph.input[0].name, shape)
    quantize_static(path, path, data, quant_format=QuantFormat.QDQ, per_channel=True)


def quantize_int4(directory: Path, model: onnx.ModelProto, shape: list[int], name: str) -> None:
    path = directory / name
    prepare(model, 21, shape, False, path)
    quantizer = MatMulNBitsQuantizer(
        onnx.load(path),
        block_size=32,
        is_symmetric=True,
        quant_format=QuantFormat.QDQ,
        op_types_to_quantize=("MatMul",),
    )
    quantizer.process()
    quantizer.model.save_model_to_file(str(path))


def main() -> None:
    logging.disable(logging.WARNING)
    directory = Path(sys.argv[1])
    direction = float_model(directory, "ch_ppocr_mobile_v2.0_cls_infer.onnx")
    recognition = float_model(directory, "ch_PP-OCRv4_rec_infer.onnx")
    quantize_int8(directory, direction, [1, 3, 48, 192], "direction-int8.onnx")
    quantize_int8(directory, recognition, [1, 3, 48, 64], "recognition-int8.onnx")
    quantize_int4(directory, recognition, [1, 3, 48, 64], "recognition-int4.onnx")
    resnet50.write(directory / "resnet50-int8.onnx")


main()

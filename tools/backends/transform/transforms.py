"""Tools that rewrite ONNX models, each with its defaults: functions for --backend transform:NAME.

Each imports its tool when it is called first, so that one is not affected by another.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from onnx import ModelProto

OPSETS = range(10, 29)

Function = Callable[[ModelProto], ModelProto]


def version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # calling the function then raises
        return ""


def tool(package: str, description: str = "") -> Callable[[Function], Function]:
    def describe(function: Function) -> Function:
        function.touchstone_hello = {"name": package, "version": version_of(package), "description": description}
        return function

    return describe


@tool("onnxsim")
def onnxsim(model: ModelProto) -> ModelProto:
    from onnxsim import simplify

    return simplify(model)[0]


@tool("onnxslim")
def onnxslim(model: ModelProto) -> ModelProto:
    from onnxslim import slim

    return slim(model)


@tool("onnxoptimizer")
def onnxoptimizer(model: ModelProto) -> ModelProto:
    from onnxoptimizer import optimize

    return optimize(model)


@tool("onnxscript", "optimizer")
def onnxscript_optimizer(model: ModelProto) -> ModelProto:
    from onnxscript.optimizer import optimize

    return optimize(model)


@tool("onnxscript", "rewriter")
def onnxscript_rewriter(model: ModelProto) -> ModelProto:
    from onnxscript.rewriter import rewrite

    return rewrite(model)


def converted(model: ModelProto, target: int) -> ModelProto:
    from onnx.version_converter import convert_version

    if target not in OPSETS:
        raise ValueError(f"opset {target} is not one of {OPSETS[0]} to {OPSETS[-1]}")
    return convert_version(model, target)


def opset_of(model: ModelProto) -> int:
    for opset in model.opset_import:
        if opset.domain in ("", "ai.onnx"):
            return opset.version
    raise ValueError("the model imports no opset of ai.onnx")


@tool("onnx", "version converter, to the next opset")
def version_converter_next(model: ModelProto) -> ModelProto:
    return converted(model, opset_of(model) + 1)


@tool("onnx", "version converter, to the previous opset")
def version_converter_previous(model: ModelProto) -> ModelProto:
    return converted(model, opset_of(model) - 1)


def version_converter_to(target: int) -> Function:
    return tool("onnx", f"version converter, to opset {target}")(lambda model: converted(model, target))


globals().update({f"version_converter_{target}": version_converter_to(target) for target in OPSETS})


def ort_offline(level: str) -> Function:
    def optimize(model: ModelProto) -> ModelProto:
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.graph_optimization_level = getattr(ort.GraphOptimizationLevel, f"ORT_ENABLE_{level.upper()}")
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "optimized.onnx"
            options.optimized_model_filepath = str(path)
            ort.InferenceSession(
                model.SerializeToString(), options, providers=["CPUExecutionProvider"], enable_fallback=0
            )
            return ModelProto.FromString(path.read_bytes())

    return tool("onnxruntime", f"offline optimizer, level {level}")(optimize)


ort_basic = ort_offline("basic")
ort_extended = ort_offline("extended")

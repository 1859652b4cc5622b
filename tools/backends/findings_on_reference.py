"""Redefines what the preludes of FINDINGS.md define, with the reference as the runtime. Follows the first of them."""

# ruff: noqa: F821

import re as _re

from onnx.reference import ReferenceEvaluator as _Evaluator

import touchstone.backend as _backend


def _compute(made, inputs):
    """A Cast after a single node, for types that NumPy cannot print, is left to ONNX."""
    first, *others = made.graph.node
    if [node.op_type for node in others] != ["Cast"]:
        (y,) = _backend.reference.run_model(made, inputs)
        return y
    alone = onnx.ModelProto.FromString(made.SerializeToString())
    del alone.graph.node[1:], alone.graph.output[:]
    output_type = next(a.i for a in first.attribute if a.name == "output_dtype")
    alone.graph.output.append(h.make_tensor_value_info(first.output[0], output_type, None))
    (y,) = _backend.reference.run_model(alone, inputs)
    del made.graph.node[:1], made.graph.input[:]
    made.graph.input.append(alone.graph.output[0])
    return _Evaluator(made).run(None, {first.output[0]: y})[0]


def _of_text(text, declared):
    """Parses the format of iree-run-module: 2x4xf32=1 2 3 4 5 6 7 8"""
    shape, values = text.split("=")
    dims = [int(dim) for dim in shape.split("x")[:-1]]
    return np.array([float(v) for v in values.split()]).reshape(dims).astype(h.tensor_dtype_to_np_dtype(declared))


def _to_text(array, template):
    rows = [" ".join(f"{float(v):g}" for v in row) for row in array.reshape(-1, array.shape[-1])]
    values = rows[0] if array.ndim == 1 else "".join(f"[{row}]" for row in rows)
    return "x".join(map(str, array.shape)) + f"x{template}={values}"


def run(made, *inputs, **named):
    declared = list(made.graph.input)
    given = [named[value.name] for value in declared] if named else list(inputs)
    if not any(isinstance(value, str) for value in given):
        return _compute(made, given)
    arrays = [_of_text(text, value.type.tensor_type.elem_type) for text, value in zip(given, declared, strict=True)]
    return _to_text(_compute(made, arrays), _re.sub(r".*x|=.*", "", given[-1]))


def cast_to_float(made):
    made.graph.node.append(h.make_node("Cast", [made.graph.node[0].output[0]], ["y"], to=T.FLOAT))
    made.graph.output[0].CopyFrom(h.make_tensor_value_info("y", T.FLOAT, None))
    return made


def show(x, scale, zero_point):
    print(run(quantize(x, scale, zero_point), x=x, scale=scale, zero_point=zero_point))

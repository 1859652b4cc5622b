"""Tools that rewrite models: under the worker protocol, and under the program with its verdicts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from onnx import ModelProto, TensorProto, helper

from host import Host, arrays, model, started
from touchstone.transforming import fault_of

LEGAL = "graphs/ql_dq/13/i8/f32/per_tensor/zp_lowest/negative/same/symbolic_initializers"


def ask(function: str) -> tuple[bytes, str]:
    """The model and the fault in the answer."""
    content, *fault = arrays(started("--transform", f"sample_transforms:{function}").ask(model(shape=[1]), []))
    return content.tobytes(), fault[0].tobytes().decode() if fault else ""


def test_the_hello_is_that_of_the_function():
    host = Host("--transform", "sample_transforms:same")
    greeting = host.hello()
    assert (greeting.name, greeting.version) == ("same", "7")
    assert host.end() == 0, host.complaints


@pytest.mark.parametrize("function", ["same", "same_bytes"])
def test_a_model_or_its_bytes_are_the_answer(function: str):
    content, fault = ask(function)
    assert (ModelProto.FromString(content), fault) == (model(shape=[1]), "")


@pytest.mark.parametrize(
    ("function", "words"),
    [("garbage", "it cannot be parsed: DecodeError"), ("cyclic", "onnx.checker: ValidationError")],
)
def test_an_invalid_model_has_a_fault(function: str, words: str):
    assert ask(function)[1].startswith(words)


def test_an_exception_is_a_refusal_and_another_object_a_defect():
    refused = started("--transform", "sample_transforms:refuses").ask(model(shape=[1]), [])
    assert refused.refusal == "NotImplementedError: not today"
    (answer,) = started("--transform", "sample_transforms:nothing").ask(model(shape=[1]), []).answers.answers
    assert answer.defect == "the function returned an object of NoneType, not an onnx.ModelProto or bytes"


def test_what_the_checker_says_against_the_original_does_not_count():
    undeclared = helper.make_tensor_value_info("y", TensorProto.INT8, [1])
    odd = model(shape=[1])
    odd.graph.output[0].CopyFrom(undeclared)  # inference finds float; the checker alone finds nothing
    assert "onnx.checker: InferenceError" in fault_of(odd.SerializeToString(), model(shape=[1]).SerializeToString())
    assert fault_of(odd.SerializeToString(), odd.SerializeToString()) == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sample_transforms:of_two", "cannot be called with one onnx.ModelProto: missing a required argument"),
        ("sample_transforms:absent", "has no attribute 'absent'"),
        ("sample_transforms", "is not a function"),
    ],
)
def test_a_wrong_name_is_a_usage_error(name: str, words: str):
    host = Host("--transform", name)
    assert host.hello() is None
    assert host.end() == 2
    assert words in host.complaints


@pytest.mark.parametrize(
    ("function", "verdict", "words"),
    [
        ("same", "pass", ""),
        ("without_last_node", "fail", "Inferred elem type differs from existing elem type"),
        ("refuses", "rejects_valid", "NotImplementedError: not today"),
        ("garbage", "fail", "the rewritten model is invalid: it cannot be parsed"),
        ("unknown_operator", "rejects_valid", "the interpreter cannot run the rewritten model"),
        ("unregistered_operator", "rejects_valid", "the operator is not supported at opset 13 of ai.onnx"),
        ("renamed_output", "fail", "the output is 'renamed'"),
        ("renamed_input", "fail", "the rewritten model has the inputs 'renamed'; the original has "),
        ("nothing", "harness_error", "the function returned an object of NoneType"),
    ],
)
def test_the_program_judges_what_the_reference_makes_of_it(function: str, verdict: str, words: str, tmp_path: Path):
    directory = tmp_path / "report"
    command = [os.environ["TOUCHSTONE_PROGRAM"], "run", "--backend", f"transform:sample_transforms:{function}"]
    command += ["--python", sys.executable, "--suite", "graphs", "--filter", LEGAL, "--all-cases"]
    command += ["--output", str(directory)]
    environment = dict(os.environ, PYTHONPATH=str(Path(__file__).parent))
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    (case,) = json.loads((directory / "report.json").read_text())["cases"]
    assert case["verdict"] == verdict, (case, result.stderr)
    assert words in case.get("reason", "")
    assert not case.get("hypotheses"), "no output shows what the function does"

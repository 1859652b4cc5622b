"""Tests of the worker: tract's inputs and outputs, and the worker's own implementation of the protocol."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from element_codes import CODES
from host import Host, arrays, started
from one_node import one_node
from touchstone.frames import write_message
from touchstone.served import find_program
from touchstone.worker_pb2 import InputSet, Request, Tensor

WORKER = [str(Path(__file__).with_name("worker"))]
ROOT = Path(__file__).parents[3]

if not (ROOT / "build/backends/tract/release/touchstone-tract").exists():
    pytest.skip("tools/setup --for tract builds it", allow_module_level=True)

TYPES = [
    TensorProto.FLOAT,
    TensorProto.FLOAT16,
    TensorProto.INT32,
    TensorProto.INT16,
    TensorProto.UINT16,
    TensorProto.INT8,
    TensorProto.UINT8,
]


Start = Callable[..., Host]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts workers, waits for their hello, and ends them."""
    yield lambda *variant: started(*variant, program=WORKER)
    for host in list(Host.living):
        host.end()


def name_of(element_type: int) -> str:
    return TensorProto.DataType.Name(element_type)


def quantization(*constants: TensorProto) -> ModelProto:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N"])
    scale = helper.make_tensor_value_info("scale", TensorProto.FLOAT, [])
    y = helper.make_tensor_value_info("y", TensorProto.UINT8, ["N"])
    node = helper.make_node("QuantizeLinear", ["x", "scale"], ["y"])
    graph = helper.make_graph([node], "graph", [x] if constants else [x, scale], [y], list(constants))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def half() -> TensorProto:
    return helper.make_tensor("scale", TensorProto.FLOAT, [], [0.5])


@pytest.mark.parametrize("variant", [[], ["plain"]])
def test_it_describes_itself_and_its_limits(variant: list[str]):
    host = Host(*variant, program=WORKER)
    greeting = host.hello()
    assert greeting is not None, (host.end(), host.complaints)
    assert (greeting.protocol, greeting.name, greeting.version) == (1, "tract", "0.23.9")
    assert greeting.description.startswith("CPU, into_typed" if variant else "CPU, into_optimized")
    assert greeting.capabilities.constant_scales_only
    assert (host.end(), host.complaints) == (0, "")


@pytest.mark.parametrize("element_type", TYPES, ids=map(name_of, TYPES))
def test_elements_of_every_type_survive_a_round_trip(element_type: int, start: Start):
    tensor = Tensor(dims=[5, 1], data_type=element_type, raw_data=bytes.fromhex(CODES[element_type]))
    host = start()
    prepared = one_node("Identity", ["a"], element_type, [5, 1]).SerializeToString()
    write_message(host.requests, Request(number=7, model=prepared, input_sets=[InputSet(inputs=[tensor])]))
    response = host.receive()
    assert response is not None
    assert (response.number, list(response.answers.answers[0].outputs.tensors)) == (7, [tensor])


@pytest.mark.parametrize("element_type", CODES.keys() - TYPES, ids=name_of)
def test_an_unsupported_type_is_refused_by_name_or_number(element_type: int, start: Start):
    refusal = start().ask(one_node("Identity", ["a"], element_type, [1])).refusal.lower()
    assert f"unknown datumtype {name_of(element_type).lower()}" in refusal or f"datatype ({element_type})" in refusal


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)])
def test_tensors_of_every_shape(shape: tuple[int, ...], start: Start):
    array = np.full(shape, 7, np.int8)
    host = start()
    for dims in (list(shape), [f"d{k}" for k in range(len(shape))]):
        (output,) = arrays(host.ask(one_node("Identity", ["a"], TensorProto.INT8, dims), [array]))
        assert (output.dtype, output.shape, output.tolist()) == (array.dtype, shape, array.tolist())


@pytest.mark.parametrize("variant", [[], ["plain"]])
def test_inputs_are_bound_in_the_order_of_the_graph(variant: list[str], start: Start):
    host = start(*variant)
    one, seven = np.array([1], np.float32), np.array([7], np.float32)
    response = host.ask(one_node("Sub", ["a", "b"], TensorProto.FLOAT, [1]), [one, seven], [seven, one])
    assert [arrays(response, k)[0].tolist() for k in range(2)] == [[6], [-6]]


@pytest.mark.parametrize("variant", [[], ["plain"]])
def test_a_prepared_model_quantizes_several_inputs(variant: list[str], start: Start):
    host = start(*variant)
    data = [np.array(x, np.float32) for x in ([1, 2.5], [-1, 200, 0.25], [])]
    response = host.ask(quantization(half()), *([x] for x in data))
    assert [arrays(response, k)[0].tolist() for k in range(3)] == [[2, 5], [0, 255, 0], []]
    assert arrays(response)[0].dtype == np.uint8


def test_refusals_quote_the_runtime(start: Start):
    host = start()
    assert "NoSuchOperator" in host.ask(one_node("NoSuchOperator", ["a"], TensorProto.FLOAT, [1])).refusal
    assert "y_scale must be a const" in host.ask(quantization()).refusal
    assert "failed to decode Protobuf message" in host.ask(b"no model").refusal
    answers = host.ask(quantization(half()), [np.zeros(1, np.int8)], [np.ones(1, np.float32)]).answers.answers
    assert "I8" in answers[0].refusal
    assert answers[1].outputs.tensors[0].raw_data == b"\2", "the next inputs are run"


@pytest.mark.parametrize(
    ("stream", "complaint"),
    [
        (b"\x05ab", "ends after 2 of the 5 bytes"),
        (b"\xff\xff\xff\xff\xff", "more than 2147483647 bytes"),
        (b"\x02\xff\xff", "failed to decode"),
        (b"\x80", "cannot be read"),
    ],
)
def test_damaged_requests_end_the_worker_with_a_message(stream: bytes, complaint: str, start: Start):
    host = start()
    host.requests.write(stream)
    assert host.end() == 1
    assert complaint in host.complaints


def test_a_panic_of_tract_ends_the_worker(start: Start):
    empty = helper.make_tensor("scale", TensorProto.FLOAT, [0], [])
    host = start()
    host.send(quantization(empty), [np.zeros(0, np.float32)])
    assert host.receive() is None
    assert host.end() == 101
    assert "index out of bounds" in host.complaints


def write_test(directory: Path, made: ModelProto, *data: tuple[np.ndarray, np.ndarray]) -> None:
    """In ONNX's backend-test layout."""
    for k, (x, y) in enumerate(data):
        data_set = directory / f"test_data_set_{k}"
        data_set.mkdir(parents=True)
        for name, array in ("input_0", x), ("output_0", y):
            (data_set / f"{name}.pb").write_bytes(numpy_helper.from_array(array).SerializeToString())
    (directory / "model.onnx").write_bytes(made.SerializeToString())


def verdicts(backend: str, directory: Path, *arguments: str) -> dict[str, str]:
    output = directory / "out"
    command = [find_program(), "run", "--backend", backend, "--output", output, "--quiet", "--overwrite"]
    command += ["--all-cases", *arguments]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode in (0, 1, 5), run.stderr  # 5: every case is one that tract is not asked
    report = json.loads((output / "report.json").read_text())
    assert report["backend"]["name"] == "tract"
    return {case["id"]: case["verdict"] for case in report["cases"]}


@pytest.mark.parametrize("backend", ["tract", "tract:plain"])
def test_it_passes_an_example_of_onnx_with_constants(backend: str, tmp_path: Path):
    """Uses the values of ONNX's test_quantizelinear, which has scale and zero point as inputs."""
    x = np.array([0, 2, 3, 1000, -254, -1000], np.float32)
    y = np.array([128, 129, 130, 255, 1, 0], np.uint8)
    graph = helper.make_graph(
        [helper.make_node("QuantizeLinear", ["x", "scale", "zero_point"], ["y"])],
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N"])],
        [helper.make_tensor_value_info("y", TensorProto.UINT8, ["N"])],
        [numpy_helper.from_array(np.float32(2), "scale"), numpy_helper.from_array(np.uint8(128), "zero_point")],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    write_test(tmp_path / "data/test_constants", made, (x, y), (x[::-1][:4], y[::-1][:4]))
    ((case, verdict),) = verdicts(backend, tmp_path, "--suite", "onnx", "--data", str(tmp_path / "data")).items()
    assert (case, verdict) == ("onnx/test_constants", "pass")


def test_the_published_example_is_refused(tmp_path: Path):
    cases = verdicts("tract", tmp_path, "--suite", "onnx", "--filter", "onnx/1.22.0/test_quantizelinear")
    assert cases == {"onnx/1.22.0/test_quantizelinear": "rejects_valid"}

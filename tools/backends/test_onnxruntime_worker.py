"""Tests of the worker in JavaScript: its inputs and outputs, and its own implementation of the protocol."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto

from element_codes import CODES
from host import Host, arrays, started
from one_node import one_node
from touchstone.frames import write_message
from touchstone.tensors import dtype_of
from touchstone.worker_pb2 import InputSet, Request, Tensor

BACKENDS = Path(__file__).parent
NAMES = ("onnxruntime-node", "onnxruntime-web")

TYPES = [
    TensorProto.FLOAT,
    TensorProto.FLOAT16,
    TensorProto.INT32,
    TensorProto.INT16,
    TensorProto.UINT16,
    TensorProto.INT8,
    TensorProto.UINT8,
]


def program(name: str) -> list[str]:
    if not (BACKENDS.parents[1] / "build/backends" / name / "node_modules").exists():
        pytest.skip(f"tools/setup --for {name} installs it")
    return [str(BACKENDS / name / "worker")]


@pytest.fixture(params=NAMES, scope="module")
def host(request: pytest.FixtureRequest) -> Iterator[Host]:
    host = started(program=program(request.param))
    yield host
    host.end()


def name_of(element_type: int) -> str:
    return TensorProto.DataType.Name(element_type)


@pytest.mark.parametrize("name", NAMES)
def test_it_describes_itself(name: str):
    host = Host("optimized", program=program(name))
    greeting = host.hello()
    assert greeting is not None, (host.end(), host.complaints)
    pinned = json.loads((BACKENDS / name / "package.json").read_text())["dependencies"][name]
    assert (greeting.protocol, greeting.name, greeting.version) == (1, name, pinned)
    assert "graph optimizations all; Node.js " in greeting.description
    assert (host.end(), host.complaints) == (0, "")


@pytest.mark.parametrize("element_type", TYPES, ids=map(name_of, TYPES))
def test_elements_of_every_type_survive_a_round_trip(element_type: int, host: Host):
    tensor = Tensor(dims=[5, 1], data_type=element_type, raw_data=bytes.fromhex(CODES[element_type]))
    prepared = one_node("Identity", ["a"], element_type, [5, 1]).SerializeToString()
    write_message(host.requests, Request(number=2**64 - 1, model=prepared, input_sets=[InputSet(inputs=[tensor])]))
    response = host.receive()
    assert response is not None
    assert (response.number, list(response.answers.answers[0].outputs.tensors)) == (2**64 - 1, [tensor])


@pytest.mark.parametrize("element_type", [TensorProto.BFLOAT16, TensorProto.FLOAT8E4M3FN, TensorProto.INT2])
def test_an_unsupported_type_is_refused_by_number(element_type: int, host: Host):
    response = host.ask(one_node("Identity", ["a"], TensorProto.FLOAT, [1]), [np.ones(1, dtype_of(element_type))])
    assert response.answers.answers[0].refusal.endswith(f" has no tensors of ONNX's element type {element_type}")


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)])
def test_tensors_of_every_shape(shape: tuple[int, ...], host: Host):
    array = np.full(shape, 7, np.int8)
    for dims in (list(shape), [f"d{k}" for k in range(len(shape))]):
        (output,) = arrays(host.ask(one_node("Identity", ["a"], TensorProto.INT8, dims), [array]))
        assert (output.dtype, output.shape, output.tolist()) == (array.dtype, shape, array.tolist())


def test_inputs_are_bound_in_the_order_of_the_graph(host: Host):
    one, seven = np.array([1], np.float32), np.array([7], np.float32)
    response = host.ask(one_node("Sub", ["a", "b"], TensorProto.FLOAT, [1]), [one, seven], [seven, one])
    assert [arrays(response, k)[0].tolist() for k in range(2)] == [[6], [-6]]


def test_refusals_quote_the_runtime(host: Host):
    assert "NoSuchOperator" in host.ask(one_node("NoSuchOperator", ["a"], TensorProto.FLOAT, [1])).refusal
    identity = one_node("Identity", ["a"], TensorProto.FLOAT, [1])
    response = host.ask(identity, [np.zeros(1, np.int8)], [], [np.ones(1, np.float32)])
    assert "nexpected input data type" in response.answers.answers[0].refusal
    assert response.answers.answers[1].refusal == "0 inputs for a session with 1"
    assert arrays(response, 2)[0].tolist() == [1], "the next inputs are run"


@pytest.mark.parametrize(
    ("stream", "complaint"),
    [
        (b"\x05ab", "end after 2 of the 5 bytes"),
        (b"\xff\xff\xff\xff\xff\xff", "no size of a message"),
        (b"\x02\xff\xff", "Error: "),
        (b"\x80", "no size of a message"),
    ],
)
def test_damaged_requests_end_the_worker_with_a_message(stream: bytes, complaint: str):
    host = started(program=program("onnxruntime-node"))
    host.requests.write(stream)
    assert host.end() == 1
    assert complaint in host.complaints

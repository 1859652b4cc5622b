"""Tests of the worker: rten's inputs and outputs, and the worker's own implementation of the protocol."""

from __future__ import annotations

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

WORKER = [str(Path(__file__).with_name("worker"))]

if not (Path(__file__).parents[3] / "build/backends/rten/release/touchstone-rten").exists():
    pytest.skip("tools/setup --for rten builds it", allow_module_level=True)

TYPES = [TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT8, TensorProto.UINT8]


@pytest.fixture(params=[[], ["plain"]], ids=["optimized", "plain"])
def host(request: pytest.FixtureRequest) -> Iterator[Host]:
    worker = started(*request.param, program=WORKER)
    yield worker
    if worker in Host.living:
        worker.end()


def name_of(element_type: int) -> str:
    return TensorProto.DataType.Name(element_type)


@pytest.mark.parametrize("variant", [[], ["plain"]])
def test_it_describes_itself(variant: list[str]):
    host = Host(*variant, program=WORKER)
    greeting = host.hello()
    assert greeting is not None, (host.end(), host.complaints)
    assert (greeting.protocol, greeting.name, greeting.version) == (1, "rten", "0.27.0")
    assert greeting.description == f"CPU, graph optimizations {'off' if variant else 'on'}"
    assert (host.end(), host.complaints) == (0, "")


@pytest.mark.parametrize("element_type", TYPES, ids=map(name_of, TYPES))
def test_elements_of_every_type_survive_a_round_trip(element_type: int, host: Host):
    tensor = Tensor(dims=[5, 1], data_type=element_type, raw_data=bytes.fromhex(CODES[element_type]))
    prepared = one_node("Identity", ["a"], element_type, [5, 1]).SerializeToString()
    write_message(host.requests, Request(number=7, model=prepared, input_sets=[InputSet(inputs=[tensor])]))
    response = host.receive()
    assert response is not None
    assert (response.number, list(response.answers.answers[0].outputs.tensors)) == (7, [tensor])


@pytest.mark.parametrize("element_type", [TensorProto.FLOAT16, TensorProto.INT16, TensorProto.INT4], ids=name_of)
def test_an_unsupported_type_is_refused_by_number(element_type: int, host: Host):
    response = host.ask(one_node("Identity", ["a"], TensorProto.FLOAT, [1]), [np.ones(1, dtype_of(element_type))])
    assert response.answers.answers[0].refusal == f"rten has no tensors of ONNX's element type {element_type}"


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
    assert host.ask(b"no model").refusal
    response = host.ask(one_node("Identity", ["a"], TensorProto.FLOAT, [1]), [], [np.ones(1, np.float32)])
    assert response.answers.answers[0].refusal == "0 inputs for a graph with 1"
    assert arrays(response, 1)[0].tolist() == [1], "the next inputs are run"


@pytest.mark.parametrize(
    ("stream", "complaint"), [(b"\x05ab", "ends after 2 of the 5 bytes"), (b"\x02\xff\xff", "DecodeError")]
)
def test_damaged_requests_end_the_worker_with_a_message(stream: bytes, complaint: str, host: Host):
    host.requests.write(stream)
    assert host.end() == 1
    assert complaint in host.complaints

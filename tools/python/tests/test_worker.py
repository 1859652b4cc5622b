from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
import sys

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto

from host import PYTHONPATH, Host, arrays, model, started
from touchstone.frames import write_message
from touchstone.loading import hello
from touchstone.worker_pb2 import Request


def told(words: str) -> np.ndarray:
    return np.frombuffer(words.encode(), np.uint8)


def test_a_hello_names_the_backend_and_the_version_of_its_package():
    host = Host("sample_backends:Echo")
    greeting = host.hello()
    assert (greeting.protocol, greeting.name, greeting.version) == (1, "sample_backends:Echo", "4.2")
    assert not greeting.HasField("capabilities")
    assert host.end() == 0, host.complaints
    assert host.complaints == ""


def test_the_version_of_the_distribution_is_the_default():
    assert hello("typing_extensions", object()).version == importlib.metadata.version("typing_extensions")


def test_a_backend_may_describe_itself():
    host = Host("sample_backends:OfObjects")
    greeting = host.hello()
    assert (greeting.name, greeting.version) == ("objects", "7")
    assert greeting.description.startswith(f"all its own; Python {platform.python_version()}, onnx {onnx.__version__}")
    assert greeting.capabilities.static_shapes_only


def test_waiting_requests_are_answered_in_order():
    host = started("sample_backends:Echo")
    for number in range(50):
        host.send(model(), [np.full(3, number, np.float32)], [np.array(-1, np.float32)], number=number)
    for number in range(50):
        response = host.receive()
        assert response.number == number
        assert arrays(response)[0].tolist() == [number] * 3
        assert arrays(response, 1)[0].shape == ()
    assert host.end() == 0


@pytest.mark.parametrize(("backend", "expected"), [("OnlyRunModel", 6), ("OfObjects", 3)])
def test_backends_with_only_run_model_or_only_methods_run(backend: str, expected: int):
    host = started(f"sample_backends:{backend}")
    assert arrays(host.ask(model(), [np.array(5, np.int64)]))[0] == expected


def test_the_device_is_passed_on():
    host = started("sample_backends:OfObjects@CUDA:11")
    assert arrays(host.ask(model(), []))[0] == len("CUDA:11")


def test_a_model_declared_incompatible_is_refused_without_a_call():
    host = started("sample_backends:OfFloats@CPU:2")
    assert arrays(host.ask(model(), [np.zeros(1, np.float32)]))[0] == 0
    assert host.ask(model(TensorProto.INT8), []).refusal == "NotCompatible: is_compatible(model, device) is false"


def test_a_module_can_be_the_backend():
    host = started("module_backend")
    assert arrays(host.ask(model(), [np.zeros(2, np.float32)]))[0].tolist() == [0, 0]


def test_an_exception_is_a_refusal_with_its_type_and_its_first_line():
    host = started("sample_backends:Told")
    response = host.ask(model(), [told("refuse")], [told("scalar")])
    assert response.answers.answers[0].refusal == "NotImplementedError: not today"
    assert arrays(response, 1)[0] == np.float32(0.5)


def test_both_ends_of_a_long_message_are_kept():
    host = started("sample_backends:Told")
    refusal = host.ask(model(), [told("refuse at length")]).answers.answers[0].refusal
    assert len(refusal) < 9000
    assert refusal.startswith("ValueError: begin\N{SNOWMAN}")
    assert " ... (20000020 characters) ... " in refusal
    assert refusal.endswith("\N{SNOWMAN}end")


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        ("raises", "Raises"),
        ("recurses", "Recurses"),
        ("exits", "Exits"),
        ("returns no text", "NoText"),
        ("has no memory", "NoMemory"),
        ("returns its own text", "OwnText: own"),
        ("has surrogates", "ValueError: \\udc80"),
        ("has a name that raises", "Nameless: why"),
        ("is a group", "ExceptionGroup: both (2 sub-exceptions)"),
    ],
)
def test_an_exception_that_cannot_be_printed_is_a_refusal_with_its_type(words: str, refusal: str):
    host = started("sample_backends:Told")
    response = host.ask(model(), [told(words)], [told("scalar")])
    assert response.answers.answers[0].refusal == refusal
    assert arrays(response, 1)[0] == np.float32(0.5)


@pytest.mark.parametrize("words", ["a list that raises", "a dict that raises", "an object without a class"])
def test_an_output_that_cannot_be_read_is_a_defect(words: str):
    host = started("sample_backends:Told")
    response = host.ask(model(), [told(words)], [told("scalar")])
    assert response.answers.answers[0].defect == "the outputs cannot be read: Raises"
    assert arrays(response, 1)[0] == np.float32(0.5)


def test_a_stream_that_raises_is_not_an_error():
    host = started("sample_backends:Told")
    for _ in range(2):
        assert arrays(host.ask(model(), [told("stdout that raises")]))[0] == 1


def test_an_exit_that_cannot_be_printed_is_an_exit():
    host = started("sample_backends:Told")
    host.send(model(), [told("odd exit")])
    assert host.receive() is None
    assert host.end() == 1
    assert "the backend called exit: SystemExit" in host.complaints


def test_bytes_that_are_not_a_model_are_refused():
    host = started("sample_backends:Echo")
    assert host.ask(b"\xff", []).refusal.startswith("DecodeError")
    assert host.ask(model(), [np.zeros(1, np.int8)]).HasField("answers")


def test_printing_does_not_break_the_protocol():
    host = started("sample_backends:Told")
    assert arrays(host.ask(model(), [told("print")]))[0] == 1
    assert host.end() == 0
    assert host.printed.endswith("printed\n")
    assert host.complaints == "complained\n"


@pytest.mark.parametrize("words", ["no stdout", "closed stdout"])
def test_a_backend_may_replace_standard_output(words: str):
    host = started("sample_backends:Told")
    for _ in range(2):
        assert arrays(host.ask(model(), [told(words)]))[0] == 1
    assert host.end() == 0, host.complaints


def test_a_backend_that_runs_out_of_memory_ends_the_worker():
    host = started("sample_backends:Told")
    host.send(model(), [told("exhaust")])
    assert host.receive() is None
    assert host.end() == 1
    assert host.complaints.endswith("MemoryError: 2 TiB\n")


def test_an_exit_in_a_backend_ends_the_worker_with_its_code():
    host = started("sample_backends:Told")
    host.send(model(), [told("exit")])
    assert host.receive() is None
    assert host.end() == 5
    assert "the backend called exit: SystemExit: 5" in host.complaints


@pytest.mark.parametrize(
    ("words", "defect"),
    [
        ("text", "(str) is an array of str, which is not a numeric type of ONNX"),
        ("texts", "(list) is an array of str, which is not a numeric type of ONNX"),
        ("bytes", "(ndarray) is an array of bytes, which is not a numeric type of ONNX"),
        ("None", "(NoneType) is an array of object, which is not a numeric type of ONNX"),
        ("an object", "(object) is an array of object, which is not a numeric type of ONNX"),
        ("a date", "(ndarray) is an array of datetime64, which is not a numeric type of ONNX"),
        ("a duration", "(timedelta64) is an array of timedelta64, which is not a numeric type of ONNX"),
        ("a record", "(ndarray) is an array of void, which is not a numeric type of ONNX"),
        ("ragged", "is not an array: ValueError: setting an array element with a sequence"),
    ],
)
def test_an_output_that_is_not_numeric_is_a_defect(words: str, defect: str):
    host = started("sample_backends:Told")
    two = model()
    two.graph.output.add(name="z")
    response = host.ask(two, [told(words)], [told("scalar")])
    assert response.answers.answers[0].defect.startswith(f"output 'z' {defect}")
    assert arrays(response, 1)[0] == np.float32(0.5)


def test_no_output_a_single_one_and_a_dict_are_understood():
    host = started("sample_backends:Told")
    assert arrays(host.ask(model(), [told("nothing")])) == []
    assert [array.tolist() for array in arrays(host.ask(model(), [told("scalar")]))] == [0.5]
    assert [array.tolist() for array in arrays(host.ask(model(), [told("dict")]))] == [[2]]


def test_an_output_is_read_as_the_graph_declares_it():
    host = started("sample_backends:Echo")
    declared = model(TensorProto.FLOAT8E4M3FN, ["N"], TensorProto.UINT8)
    (array,) = arrays(host.ask(declared, [np.array([0x38], np.uint8)]))
    assert array.dtype == ml_dtypes.float8_e4m3fn
    assert array == 1


@pytest.mark.parametrize(
    ("backend", "complaint"),
    [
        ("no_such_module", "there is no module 'no_such_module': set PYTHONPATH"),
        ("onnx.no_such_module:X", "there is no module 'onnx.no_such_module'"),
        ("sample_backends:Missing", "'sample_backends' has no attribute 'Missing'; try sample_backends:Echo or "),
        ("sample_backends", "'sample_backends' is not a backend: it has neither prepare(model, device) nor run_model"),
        ("sample_backends:Bad", "'sample_backends:Bad' is not a backend"),
        ("sample_backends:BadHello", "the attribute touchstone_hello of 'sample_backends:BadHello'"),
        ("sample_backends:Unmade", "RuntimeError: no licence"),
        ("broken_module", "RuntimeError: no driver"),
        ("sample_backends:OnlyModels", "prepare(model) of 'sample_backends:OnlyModels' cannot be called as prepare("),
        ("sample_backends:RunsModels", "run_model(model) of 'sample_backends:RunsModels' cannot be called as run_model"),
        ("sample_backends:OfFloats", "does not support the device 'CPU', as its supports_device says"),
        ("sample_backends:OfFloats@broken", "ValueError: no such device: broken"),
    ],
)
def test_a_missing_backend_is_a_usage_error(backend: str, complaint: str):
    host = Host(backend)
    assert host.hello() is None
    assert host.end() == 2
    assert complaint in host.complaints
    checked = check(backend)
    assert checked.returncode == 2
    assert complaint in checked.stderr


@pytest.mark.parametrize("backend", ["Echo", "OnlyRunModel", "OfObjects", "OfFloats@CPU:2"])
def test_a_backend_is_checked_without_a_host(backend: str):
    checked = check(f"sample_backends:{backend}")
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def check(backend: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "touchstone.worker", "--check", backend]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": PYTHONPATH}, capture_output=True, text=True)


def test_a_python_without_packages_names_them():
    host = Host("sample_backends:Echo", program=[sys.executable, "-S", "-m", "touchstone.worker"])
    assert host.hello() is None
    assert host.end() == 1
    assert host.complaints.startswith("touchstone.worker: this Python, /")
    assert host.complaints.endswith(
        ", has no onnx, numpy, ml_dtypes, protobuf: choose another one with --python, "
        "or install onnx, numpy, ml_dtypes and protobuf for it\n"
    )


def test_without_touchstone_it_prints_how_to_start_it():
    others = {name: value for name, value in os.environ.items() if not name.startswith("TOUCHSTONE_")}
    environment = {**others, "PYTHONPATH": PYTHONPATH}
    command = [sys.executable, "-m", "touchstone.worker", "sample_backends:Echo"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert result.returncode == 2
    assert "touchstone run --backend onnx:MODULE[:ATTR]" in result.stderr


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (b"\x05abc", "the stream ends after 3 of the 5 bytes of a message"),
        (b"\x80", "the stream ends within the size of a message"),
        (b"\xff\xff\xff\xff\xff\xff", "the size of a message is above 1073741824 bytes (message_bytes)"),
        (b"\x02\xff\xff", "Error parsing message"),
    ],
)
def test_damaged_requests_end_the_worker(damage: bytes, complaint: str):
    host = started("sample_backends:Echo")
    host.requests.write(damage)
    assert host.end() == 1
    assert complaint in host.complaints


def test_the_environment_limits_the_size_of_requests():
    request = Request(number=1, model=model().SerializeToString())
    size = request.ByteSize()
    for limit, complaint in ((size, ""), (size - 1, f"above {size - 1} bytes (message_bytes)")):
        host = Host("sample_backends:Echo", environment={"TOUCHSTONE_LIMITS": f"rank=8,message_bytes={limit}"})
        assert host.hello() is not None
        write_message(host.requests, request)
        assert (host.receive() is None) == bool(complaint)
        assert host.end() == int(bool(complaint))
        assert complaint in host.complaints


@pytest.mark.parametrize(
    ("limits", "complaint"),
    [
        ("message_bytes", "TOUCHSTONE_LIMITS: 'message_bytes' is not NAME=NUMBER"),
        ("message_bytes=0", "TOUCHSTONE_LIMITS: message_bytes=0 is not a whole number from 1 to 2147483647"),
        ("hello_bytes=2147483648", "hello_bytes=2147483648 is not a whole number from 1 to 2147483647"),
        ("message_bytes=1e6", "message_bytes=1e6 is not a whole number from 1 to 2147483647"),
    ],
)
def test_invalid_limits_end_the_worker(limits: str, complaint: str):
    host = Host("sample_backends:Echo", environment={"TOUCHSTONE_LIMITS": limits})
    assert host.hello() is None
    assert host.end() == 2
    assert complaint in host.complaints


def test_a_worker_without_a_host_ends_quietly():
    host = started("sample_backends:Echo")
    host.responses.close()
    host.send(model(), [np.zeros(1, np.float32)])
    assert host.end() == 0
    assert host.complaints == ""

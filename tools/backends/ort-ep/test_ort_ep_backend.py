"""Tests of the adapter: which providers it loads, and that only they compute."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, TensorProto

from one_node import one_node
from touchstone.loading import LoadError

pytest.importorskip("onnxruntime_ep_openvino", reason="tools/setup --for ort-ep installs it")
import ort_ep_backend

PROVIDERS = pytest.mark.parametrize("provider", ["onnxruntime_ep_openvino", "onnxruntime_qnn"])


def model(operator: str, *names: str) -> ModelProto:
    return one_node(operator, list(names), TensorProto.FLOAT, [1, 1])


@PROVIDERS
def test_inputs_are_bound_in_the_order_of_the_graph(provider: str):
    prepared = getattr(ort_ep_backend, provider).prepare(model("Sub", "a", "b"))
    for _ in range(2):
        (output,) = prepared.run([np.array([[1]], np.float32), np.array([[7]], np.float32)])
        assert output.tolist() == [[6]]


@PROVIDERS
def test_what_the_provider_does_not_take_is_refused_although_the_cpu_provider_has_it(provider: str):
    with pytest.raises(Exception, match="fallback to CPU EP has been explicitly disabled"):
        getattr(ort_ep_backend, provider).prepare(model("Det", "a"))


@PROVIDERS
def test_it_knows_its_devices(provider: str):
    assert getattr(ort_ep_backend, provider).supports_device("CPU")
    assert not getattr(ort_ep_backend, provider).supports_device("TPU")


def test_a_missing_module_is_named():
    with pytest.raises(LoadError, match="No module named 'no_such': install it for"):
        _ = ort_ep_backend.no_such

"""Touchstone's side in Python.

touchstone.worker        runs any onnx.backend.base.Backend as a backend under test
touchstone.backend       the implementations of Touchstone as onnx.backend.base.Backend
touchstone.backend.test  BackendTest, like ONNX's own, over the cases of Touchstone
"""

__version__ = "1.0.0"

# The requirements of all modules, as in pyproject.toml.
PACKAGES = ("onnx", "numpy", "ml_dtypes", "protobuf")

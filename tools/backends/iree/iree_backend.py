"""IREE: imports models as iree-import-onnx does, compiles them to native code for llvm-cpu, and calls that code.

The compiler is a library in this process, because starting iree-compile takes several times as long as it takes to
refuse a model. If the compiler crashes, so does this worker: both are one backend to IREE's users.

Inputs and outputs are buffers with an element type. Results are signless, like everything in IREE: only the type that
the graph declares distinguishes int8 from uint8.
"""

from __future__ import annotations

import contextlib
import functools
import math
import os
import re
import tempfile
from collections.abc import Iterator
from typing import Any, BinaryIO

import iree.runtime as rt
import numpy as np
import onnx
import onnx.checker
import onnx.shape_inference
from iree.compiler import api, ir
from iree.compiler.extras import onnx_importer
from iree.compiler.version import VERSION
from iree.runtime import HalElementType as Hal
from onnx import ModelProto, TensorProto
from onnx.backend.base import Backend, BackendRep

from touchstone.tensors import PACKED, dtype_of, from_array, to_array
from touchstone.worker_pb2 import Tensor

HAL_TYPES = {
    TensorProto.FLOAT: Hal.FLOAT_32,
    TensorProto.FLOAT16: Hal.FLOAT_16,
    TensorProto.BFLOAT16: Hal.BFLOAT_16,
    TensorProto.DOUBLE: Hal.FLOAT_64,
    TensorProto.FLOAT8E4M3FN: Hal.FLOAT_8_E4M3_FN,
    TensorProto.FLOAT8E4M3FNUZ: Hal.FLOAT_8_E4M3_FNUZ,
    TensorProto.FLOAT8E5M2: Hal.FLOAT_8_E5M2,
    TensorProto.FLOAT8E5M2FNUZ: Hal.FLOAT_8_E5M2_FNUZ,
    TensorProto.FLOAT8E8M0: Hal.FLOAT_8_E8M0_FNU,
    TensorProto.INT32: Hal.SINT_32,
    TensorProto.UINT32: Hal.UINT_32,
    TensorProto.INT16: Hal.SINT_16,
    TensorProto.UINT16: Hal.UINT_16,
    TensorProto.INT8: Hal.SINT_8,
    TensorProto.UINT8: Hal.UINT_8,
    TensorProto.INT4: Hal.SINT_4,
    TensorProto.UINT4: Hal.UINT_4,
}
ONNX_TYPES = {int(hal): element_type for element_type, hal in HAL_TYPES.items()}
SIGNLESS = {
    int(Hal.INT_32): (TensorProto.INT32, TensorProto.UINT32),
    int(Hal.INT_16): (TensorProto.INT16, TensorProto.UINT16),
    int(Hal.INT_8): (TensorProto.INT8, TensorProto.UINT8),
    int(Hal.INT_4): (TensorProto.INT4, TensorProto.UINT4),
}


class CompilationError(Exception):
    """The compiler rejected the model; the message gives the reason."""


def import_onnx(model: ModelProto) -> str:
    """Imports the model as iree-import-onnx does."""
    onnx.checker.check_model(model)
    information = onnx_importer.ModelInfo(onnx.shape_inference.infer_shapes(model, data_prop=True))
    module = information.create_module(context=ir.Context()).operation
    onnx_importer.NodeImporter.define_function(information.main_graph, module).import_all()
    module.verify()
    return module.get_asm(assume_verified=True)


@contextlib.contextmanager
def captured_stderr() -> Iterator[BinaryIO]:
    """A file that gets what this process writes to descriptor 2."""
    with tempfile.TemporaryFile() as file:
        stderr = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield file
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)


class Compiler:
    """A session of the compiler. It compiles any number of modules, one at a time."""

    def __init__(self, cpu: str) -> None:
        self._session = api.Session()
        self._session.set_flags(
            "--iree-input-type=onnx",
            "--iree-hal-target-backends=llvm-cpu",
            f"--iree-llvmcpu-target-cpu={cpu}",
            "--iree-llvmcpu-debug-symbols=false",  # saves 8 % of the time and changes no result
        )
        self._session.context.enable_multithreading(False)

    def compile(self, assembly: str) -> bytes:
        """Raises CompilationError."""
        try:
            return self._compile(assembly)
        except CompilationError as error:
            if "check above" not in str(error):
                raise
        # The linker prints why it fails. Only a second attempt is captured: if the compiler crashes in the first one,
        # what it prints reaches Touchstone.
        with captured_stderr() as file:
            try:
                return self._compile(assembly)
            except CompilationError as error:
                file.seek(0)
                found = re.search("error: (.*)", file.read().decode(errors="replace"))
                raise CompilationError(f"the linker failed: {found[1]}" if found else str(error)) from None

    def _compile(self, assembly: str) -> bytes:
        errors: list[str] = []

        def keep(diagnostic: ir.Diagnostic) -> bool:
            if diagnostic.severity == ir.DiagnosticSeverity.ERROR:
                errors.append(diagnostic.message)
            return True

        with self._session.context.attach_diagnostic_handler(keep), self._session.invocation() as invocation:
            source = api.Source.wrap_buffer(self._session, assembly.encode() + b"\0")
            if not invocation.parse_source(source) or not invocation.execute():
                raise CompilationError(errors[0].partition("\n")[0] if errors else "the compiler gave no reason")
            with api.Output.open_membuffer() as output:
                invocation.output_vm_bytecode(output)
                return bytes(output.map_memory())


def element_type_of(hal_type: int, declared: int) -> int:
    """Raises ValueError for a type that ONNX does not have."""
    if hal_type in SIGNLESS:
        return declared if declared in SIGNLESS[hal_type] else SIGNLESS[hal_type][0]
    if hal_type not in ONNX_TYPES:
        raise ValueError(f"the output has IREE's element type {hal_type:#x}, which ONNX does not have")
    return ONNX_TYPES[hal_type]


class Device:
    """The device on which everything runs, in the calling thread."""

    def __init__(self) -> None:
        self.config = rt.Config("local-sync")

    def load(self, code: bytes) -> tuple[rt.VmContext, rt.VmFunction]:
        instance = self.config.vm_instance
        module = rt.VmModule.copy_buffer(instance, code)
        context = rt.VmContext(instance, modules=[*self.config.default_vm_modules, module])
        # A module has the functions g$async, g and __init; g is the graph.
        (name,) = (name for name in module.function_names if not name.startswith("__") and "$" not in name)
        return context, module.lookup_function(name)

    def to_view(self, array: np.ndarray) -> rt.HalBufferView:
        """Raises TypeError for an element type that IREE's runtime does not have."""
        tensor = from_array(array)
        if tensor.data_type not in HAL_TYPES:
            raise TypeError(f"IREE's runtime has no element type {TensorProto.DataType.Name(tensor.data_type)}")
        device = self.config.device
        buffer = device.allocator.allocate_buffer_copy(
            memory_type=rt.MemoryType.DEVICE_LOCAL,
            allowed_usage=rt.BufferUsage.DEFAULT,
            device=device,
            buffer=np.frombuffer(tensor.raw_data, np.uint8),
        )
        return rt.HalBufferView(buffer, list(array.shape), HAL_TYPES[tensor.data_type])


def from_view(view: rt.HalBufferView, declared: int) -> np.ndarray:
    element_type = element_type_of(int(view.element_type), declared)
    bits = PACKED.get(element_type, 8 * dtype_of(element_type).itemsize)
    size = math.ceil(math.prod(view.shape) * bits / 8)
    raw = view.map().asarray([size], np.dtype(np.uint8)).tobytes() if size else b""
    return to_array(Tensor(dims=view.shape, data_type=element_type, raw_data=raw))


class Prepared(BackendRep):
    def __init__(self, device: Device, code: bytes, output_types: list[int]) -> None:
        self._device = device
        self._context, self._function = device.load(code)
        self._output_types = output_types

    def run(self, inputs: Any, **kwargs: Any) -> tuple[np.ndarray, ...]:
        arguments, results = rt.VmVariantList(len(inputs)), rt.VmVariantList(len(self._output_types))
        for array in inputs:
            arguments.push_ref(self._device.to_view(array))
        self._context.invoke(self._function, arguments, results)
        views = (results.get_as_object(k, rt.HalBufferView) for k in range(len(results)))
        return tuple(from_view(view, declared) for view, declared in zip(views, self._output_types, strict=True))


class Iree(Backend):
    """Compiles for a `generic` CPU of this architecture, the compiler's default, or for the features of this `host`."""

    device = Device()

    def __init__(self, cpu: str) -> None:
        self._cpu = cpu
        self.touchstone_hello = {
            "name": "iree",
            "version": VERSION,
            "description": f"llvm-cpu for CPU {cpu}, local-sync",
        }

    @functools.cached_property
    def _compiler(self) -> Compiler:
        return Compiler(self._cpu)

    def prepare(self, model: ModelProto, device: str = "CPU", **kwargs: Any) -> Prepared:
        code = self._compiler.compile(import_onnx(model))
        return Prepared(self.device, code, [output.type.tensor_type.elem_type for output in model.graph.output])


generic = Iree("generic")
host = Iree("host")

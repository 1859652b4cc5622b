#!/usr/bin/env python3
"""Creates a directory of ONNX's own backend node tests for QuantizeLinear and DequantizeLinear.

    onnx_node_tests.py DIRECTORY          creates DIRECTORY/<release>/test_*/ for every release that is missing or
                                          was changed
    onnx_node_tests.py --check DIRECTORY  prints nothing; exit code 1 if there is such a release

With --operators, the tests are those of the operators that may stand between the two in a graph.

The releases are those of ONNX that introduced a version of the operators, with the data that its authors shipped. Up
to 1.22, the data are files in the wheel. Later wheels contain only the generators, so these are run in a temporary
directory, and their cases are written in the same layout.

Exit codes: 0 done, 1 --check found something missing or damaged, 2 wrong usage, 3 a download or a check failed.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import NamedTuple, NoReturn


class Wheel(NamedTuple):
    release: str
    tests: int  # the number of its node tests for the two operators
    operator_tests: int  # the number of those for the operators between them; 0: this release is not needed
    python: str
    platform: str
    sha256: str


# The Python version and processor of a wheel do not matter, because only its data files are used.
WHEELS = [
    Wheel("1.5.0", 2, 218, "3.7", "manylinux1", "37ace5a7a0c47d2a79edd83861eff17f6e463eafe96c8d930624bc51ca1023f6"),
    Wheel("1.8.1", 4, 361, "3.7", "manylinux2010", "763407eb4cbb92e34e3287220969a02567a235cb0e17923eafa8f78c7035a689"),
    Wheel("1.11.0", 4, 0, "3.9", "manylinux2010", "67c6d2654c1c203e5c839a47900b51f588fd0de71bbd497fb193d30a0b3ec1e9"),
    Wheel("1.13.1", 4, 0, "3.9", "manylinux2014", "c55918281d561edc5a2434b3aa50e827864896ee9e65f3194ea3fda87a1b4281"),
    Wheel("1.15.0", 10, 0, "3.9", "manylinux2014", "2bf2de9bef64792e5b8080c678023ac7d2b9e05d79a3e17e92cf6a4a624831d2"),
    Wheel("1.17.0", 21, 0, "3.9", "manylinux2014", "8167295f576055158a966161f8ef327cb491c06ede96cc23392be6022071b6ed"),
    Wheel("1.18.0", 23, 0, "3.11", "manylinux2014", "6acafb3823238bbe8f4340c7ac32fb218689442e074d797bee1c5c9a02fdae75"),
    Wheel("1.19.1", 23, 0, "3.11", "manylinux2014", "1839af08ab4a909e4af936b8149c27f8c64b96138981024e251906e0539d8bf9"),
    Wheel("1.22.0", 27, 552, "3.11", "manylinux_2_28", "1d0a2bdb15eb2b3cb65c438f3423d9620d14fdce32f92380e6bb1b2e09568ef5"),
]


class Generators(NamedTuple):
    release: str
    tests: int
    packages: str  # the file next to this script that pins their packages, including this release
    pythons: list[tuple[int, int]]  # the versions for which it has hashes


GENERATORS = [
    Generators("1.23.2", 27, "onnx_node_tests.txt", [(3, 11), (3, 12), (3, 13)]),
]

# A file in the directory of each release with the checksums of its files, in the format of `sha256sum --check`.
MANIFEST = "SHA256SUMS"

NODE_TESTS = PurePosixPath("onnx/backend/test/data/node")


def is_of_quantization(test: str) -> bool:
    """DynamicQuantizeLinear is another operator, with a name that contains ours."""
    return fnmatch.fnmatch(test, "test_*quantizelinear*") and not test.startswith("test_dynamicquantizelinear")


# Some names begin with that of another operator, which does no harm: readers look at the models.
OPERATOR_TEST = re.compile(
    "test_(basic_)?(add|argmax|argmin|averagepool|batchnorm|cast|center_crop_pad|clip|compress|concat|constant|conv"
    "|convtranspose|depthtospace|div|dropout|erf|exp|expand|flatten|gather|gathernd|gelu|gemm|globalaveragepool"
    "|globalmaxpool|hardsigmoid|hardswish|identity|if|layer_normalization|leakyrelu|loop11|matmul|max|maxpool|min|mul|neg"
    "|pow|prelu|reciprocal|reduce_max|reduce_mean|reduce_sum|relu|reshape|resize|reversesequence|scan9|scatter_elements"
    "|scatternd|sigmoid|slice|softmax|spacetodepth|split|sqrt|squeeze|sub|tanh|tile|transpose|tril|triu|unsqueeze|where"
    "|(edge|reflect|wrap)_pad)(_.*)?"
)


def is_of_operator(test: str) -> bool:
    """Whether it is a test of an operator of graphs, and not one of the function that replaces it."""
    return OPERATOR_TEST.fullmatch(test) is not None and "_expanded" not in test


Wanted = Callable[[str], bool]


def fail(message: str) -> NoReturn:
    print(f"onnx_node_tests: {message}", file=sys.stderr)
    sys.exit(3)


def pip(what: str, *arguments: str) -> None:
    # Nothing is cached: the wheels are large, and the extracted files are kept anyway.
    command = [sys.executable, "-m", "pip", "--no-input", "--disable-pip-version-check", "--no-cache-dir", *arguments]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if result.returncode == 0:
        return
    print(result.stderr, file=sys.stderr, end="")
    if "DO NOT MATCH THE HASHES" in result.stderr:
        fail(f"{what}: the download does not have the pinned sha256")
    fail(f"could not download {what}: is this machine online, and does it reach a Python package index?")


def extract(wheel: Wheel, wanted: Wanted, scratch: Path, out: Path) -> None:
    pip(
        f"the wheel of onnx {wheel.release}",
        *["download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", str(scratch)],
        *["--python-version", wheel.python, "--platform", f"{wheel.platform}_x86_64", f"onnx=={wheel.release}"],
    )
    (path,) = scratch.glob("*.whl")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != wheel.sha256:
        fail(f"{path.name} has sha256 {digest}, but {wheel.sha256} is pinned")
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            name = PurePosixPath(member.filename)
            if NODE_TESTS not in name.parents or member.is_dir():
                continue
            inside = name.relative_to(NODE_TESTS)
            if wanted(inside.parts[0]):
                target = out / inside
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(member))


def install_and_generate(generators: Generators, scratch: Path, out: Path) -> None:
    if sys.version_info[:2] not in generators.pythons:
        versions = ", ".join(".".join(map(str, version)) for version in generators.pythons)
        fail(f"the cases of onnx {generators.release} can be generated with Python {versions}; this is {sys.version}")
    pip(
        f"onnx {generators.release} and what it needs",
        *["install", "--quiet", "--require-hashes", "--no-deps", "--only-binary", ":all:", "--no-compile"],
        *["--target", str(scratch), "--requirement", str(Path(__file__).with_name(generators.packages))],
    )
    # A separate process, because the packages exist only in the temporary directory.
    command = [sys.executable, __file__, "--generate", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment)
    if result.returncode != 0:
        print(result.stdout, result.stderr, file=sys.stderr, end="")
        fail(f"the generators of onnx {generators.release} failed")


def generate(out: Path) -> None:
    """Writes the same files as ONNX's backend-test-tools, for our two operators only."""
    from onnx import TensorProto, numpy_helper
    from onnx.backend.test.case import node

    def write(path: Path, value, declared) -> None:
        tensor = TensorProto()
        tensor.CopyFrom(value if isinstance(value, TensorProto) else numpy_helper.from_array(value))
        tensor.name = declared.name
        # numpy has no 2-bit, 4-bit or 8-bit float. Checks that such an array kept its type.
        expected = declared.type.tensor_type
        if tensor.data_type != expected.elem_type or list(tensor.dims) != [d.dim_value for d in expected.shape.dim]:
            name = TensorProto.DataType.Name
            fail(f"{path}: {name(tensor.data_type)}{list(tensor.dims)} where the model says {name(expected.elem_type)}")
        path.write_bytes(tensor.SerializeToString(deterministic=True))

    for case in node.collect_testcases():
        if not is_of_quantization(case.name):
            continue
        directory = out / case.name
        directory.mkdir()
        (directory / "model.onnx").write_bytes(case.model.SerializeToString(deterministic=True))
        for number, (inputs, outputs) in enumerate(case.data_sets):
            data = directory / f"test_data_set_{number}"
            data.mkdir()
            for kind, values, declared in [
                ("input", inputs, case.model.graph.input),
                ("output", outputs, case.model.graph.output),
            ]:
                if len(values) != len(declared):
                    fail(f"{directory.name}: {len(values)} {kind}s, but the model has {len(declared)}")
                for index, value in enumerate(values):
                    write(data / f"{kind}_{index}.pb", value, declared[index])


def whole(release: Path, wanted: Wanted, tests: int) -> bool:
    """Whether all expected tests exist, each with a model and an output."""
    found = [test for test in release.glob("test_*") if wanted(test.name)]
    needed = ["model.onnx", "test_data_set_0/output_0.pb"]
    return len(found) == tests and all((test / file).is_file() for test in found for file in needed)


def manifest(release: Path) -> bytes:
    lines = []
    # Strings, not paths: tools/run and tools/test wait for this check, so it must be fast.
    top = os.path.join(release, "")
    for directory, _, files in os.walk(top):
        for file in files:
            path = os.path.join(directory, file)
            name = path[len(top) :]
            if name != MANIFEST:
                with open(path, "rb") as content:
                    lines.append((name, hashlib.sha256(content.read()).hexdigest()))
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(lines)).encode()


def as_made(release: Path, wanted: Wanted, tests: int) -> bool:
    """Whether the release has this many tests, and no byte has changed since its manifest was written."""
    try:
        made = (release / MANIFEST).read_bytes()
        return len(list(filter(wanted, os.listdir(release)))) == tests and made == manifest(release)
    except OSError:
        return False


def make(directory: Path, release: str, wanted: Wanted, tests: int, fill) -> None:
    target = directory / release
    # Next to the directory, not in it, so that readers of the directory never see an incomplete release.
    with tempfile.TemporaryDirectory(prefix=directory.name + ".part-", dir=directory.parent) as temporary:
        scratch, out = Path(temporary, "scratch"), Path(temporary, "out")
        scratch.mkdir()
        out.mkdir()
        fill(scratch, out)
        if not whole(out, wanted, tests):
            fail(f"onnx {release} has {len(list(out.iterdir()))} whole tests of the operators, expected {tests}")
        (out / MANIFEST).write_bytes(manifest(out))
        if not as_made(target, wanted, tests):  # otherwise another process made it in the meantime
            shutil.rmtree(target, ignore_errors=True)
            out.rename(target)
    print(f"onnx {release}: {tests} tests", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, metavar="DIRECTORY")
    parser.add_argument("--operators", action="store_true", help="the tests of the operators between the two")
    parser.add_argument("--check", action="store_true", help="only check that the directory is complete and unchanged")
    parser.add_argument("--generate", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.generate:
        generate(arguments.directory)
        return 0

    wanted = is_of_operator if arguments.operators else is_of_quantization
    wheels = [(wheel, wheel.operator_tests if arguments.operators else wheel.tests) for wheel in WHEELS]
    jobs = [
        (wheel.release, wanted, tests, lambda s, o, w=wheel: extract(w, wanted, s, o)) for wheel, tests in wheels if tests
    ]
    if not arguments.operators:
        jobs += [(row.release, wanted, row.tests, lambda s, o, r=row: install_and_generate(r, s, o)) for row in GENERATORS]
    directory = arguments.directory.absolute()
    missing = [job for job in jobs if not as_made(directory / job[0], *job[1:3])]
    if arguments.check:
        return 1 if missing else 0
    # Removes temporary directories when this process is terminated.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for job in missing:
            make(directory, *job)
    except OSError as error:
        fail(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())

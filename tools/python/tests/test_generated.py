from __future__ import annotations

import re
import subprocess
from pathlib import Path

import touchstone

PYTHON = Path(__file__).parent.parent
ROOT = PYTHON.parent.parent


def test_the_messages_are_those_of_the_protocol(tmp_path: Path):
    """What to do if they are not: run this command, with --python_out=tools/python/src --pyi_out=tools/python/src."""
    places = [f"--python_out={tmp_path}", f"--pyi_out={tmp_path}", f"-Itouchstone={ROOT / 'conformance' / 'backends' / 'workers'}"]
    subprocess.run(["/usr/bin/protoc", *places, "touchstone/worker.proto"], check=True)
    for name in ("worker_pb2.py", "worker_pb2.pyi"):
        assert (PYTHON / "src/touchstone" / name).read_text() == (tmp_path / "touchstone" / name).read_text()


def test_the_version_is_that_of_the_project():
    (version,) = re.findall(r"^project\(Touchstone VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    assert touchstone.__version__ == version

"""tools/backends/report, in a separate tree in which tools/run only logs its arguments."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

TOOLS = Path(__file__).parents[1]

RUN = """#!/usr/bin/env bash
printf '%s\\n' "$*" >>"$(dirname -- "$0")/calls"
[[ $* == *--resume* ]] || exit 2
"""


def script(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.chmod(0o755)


def make_tree(tmp_path: Path, output: str) -> Path:
    """Returns the directory of an interrupted run."""
    (tmp_path / "tools/backends").mkdir(parents=True)
    shutil.copy(TOOLS / "lib.sh", tmp_path / "tools")
    shutil.copy(TOOLS / "backends/report", tmp_path / "tools/backends")
    script(tmp_path / "tools/backends/mine/worker", "#!/bin/sh\n")
    script(tmp_path / "tools/run", RUN)
    directory = tmp_path / "build/compliance/mine" / output
    directory.mkdir(parents=True)
    (directory / "journal.ndjson.gz").touch()
    (directory / "result.json").write_text('{"backend": {"version": "1.2.0-rc1"}}')
    return directory


def test_a_resumed_run_keeps_its_arguments(tmp_path: Path):
    output = make_tree(tmp_path, "standard")
    arguments = ["--jobs", "2", "--assume", "constant-scales"]
    subprocess.run([tmp_path / "tools/backends/report", "mine", "standard", *arguments], check=True)
    assert (tmp_path / "tools/backends/mine/results/standard-1.2.0.json").exists()
    first, resumed = (tmp_path / "tools/calls").read_text().splitlines()
    assert f"--output {output}" in first
    assert first.endswith(" --jobs 2 --assume constant-scales")
    assert resumed == (
        f"--resume {output} --backend mine --tier standard --quiet --max-timeouts 0 --max-crashes 0 --jobs 2 --assume constant-scales"
    )


def test_a_result_of_another_processor_has_its_name(tmp_path: Path):
    make_tree(tmp_path, "fast-haswell-smoke")
    subprocess.run([tmp_path / "tools/backends/report", "mine:fast", "smoke", "--cpu", "haswell"], check=True)
    (kept,) = (tmp_path / "tools/backends/mine").glob("*/*.json")
    assert kept.relative_to(tmp_path / "tools/backends/mine") == Path("results/fast-haswell-smoke-1.2.0.json")

"""tools/backends/releases.py, without downloads."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import re
import subprocess
from pathlib import Path

import pytest

# With tools/backends on sys.path, its folders would be taken for the packages of the runtimes.
SPEC = importlib.util.spec_from_file_location("releases", Path(__file__).with_name("releases.py"))
releases = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(releases)

VERSIONS = ["1.9.0", "1.10.0", "1.10.2", "1.11.0", "1.11.1", "1.12.0"]


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        (None, VERSIONS),
        ("1.10..1.11", VERSIONS[1:5]),
        ("1.10.1..1.11.0", VERSIONS[2:4]),
        ("1.11..", VERSIONS[3:]),
        ("..1.9", VERSIONS[:1]),
        ("2..3", []),
    ],
)
def test_a_range_includes_both_ends(bounds: str | None, expected: list[str]):
    assert releases.within(sorted(VERSIONS, key=releases.key), bounds) == expected


@pytest.mark.parametrize("bounds", ["1.10", "1.10...1.11", "a..b", ""])
def test_anything_else_is_not_a_range(bounds: str):
    with pytest.raises(ValueError, match="not a range of versions"):
        releases.within(VERSIONS, bounds)


def test_the_newest_of_a_series_is_its_last_version():
    assert releases.newest_of_series(VERSIONS) == ["1.9.0", "1.10.2", "1.11.1", "1.12.0"]


@pytest.mark.parametrize("backend", ["orrt", "orrt:optimized", ""])
def test_an_unknown_backend_is_a_usage_error(backend: str, monkeypatch, capsys):
    monkeypatch.setattr(releases.sys, "argv", ["releases.py", "run", backend])
    with pytest.raises(SystemExit) as ended:
        releases.main()
    assert ended.value.code == 2
    assert f"unknown backend '{backend}': " in capsys.readouterr().err


@pytest.mark.parametrize("first_right", range(1, len(VERSIONS)))
def test_bisection_finds_the_change(first_right: int):
    asked: list[str] = []

    def result(version: str) -> str:
        asked.append(version)
        return "right" if VERSIONS.index(version) >= first_right else "wrong"

    assert releases.bisect(VERSIONS, result) == (VERSIONS[first_right - 1], VERSIONS[first_right])
    assert len(asked) <= 5
    assert len(set(asked)) == len(asked)


def test_bisection_of_equal_ends_gives_the_ends():
    assert releases.bisect(VERSIONS, lambda _: "right") == (VERSIONS[0], VERSIONS[-1])


@pytest.mark.parametrize("broken", [{0, 5}, {2, 3}, {1, 2, 3, 4}])
def test_bisection_skips_releases_that_cannot_be_tried(broken: set[int]):
    def result(version: str) -> str:
        place = VERSIONS.index(version)
        if place in broken:
            raise releases.ReleaseError("no wheel")
        return "right" if place >= 3 else "wrong"

    usable = [place for place in range(len(VERSIONS)) if place not in broken]
    before = max(place for place in usable if place < 3)
    after = min(place for place in usable if place >= 3)
    assert releases.bisect(VERSIONS, result) == (VERSIONS[before], VERSIONS[after])


def test_bisection_needs_two_releases_that_can_be_tried():
    def result(version: str) -> str:
        if version != VERSIONS[2]:
            raise releases.ReleaseError("no wheel")
        return "right"

    with pytest.raises(releases.ReleaseError, match="fewer than two of these releases can be tried"):
        releases.bisect(VERSIONS, result)


# A release of the runtime NPU is right from 2.0 on; its cause vanishes in 3.0. 1.5 cannot be installed.
RELEASES = ["1.0", "1.5", "2.0", "3.0"]


@pytest.fixture
def npu(tmp_path: Path, monkeypatch) -> Path:
    """Its directory. The environments are empty, and touchstone answers as above."""
    directory = tmp_path / "npu"
    (directory / "results").mkdir(parents=True)
    (directory / "requirements.txt").write_text("npu==3.0 --hash=sha256:aa\n")
    (directory / "releases.txt").write_text("".join(f"npu=={version} --hash=sha256:aa\n" for version in RELEASES))

    @contextlib.contextmanager
    def environment(_name: str, requirement: str):
        if "==1.5 " in requirement:
            raise releases.ReleaseError("in /tmp/some/environment: no wheel")
        yield float(re.search(r"==(\S+)", requirement)[1])

    def touchstone(command: str, *arguments):
        version = arguments[arguments.index("--python") + 1]
        if "--no-such-option" in arguments:
            return subprocess.CompletedProcess(command, 2, "", "touchstone: unknown option")
        if arguments[0] == "no/such/case":
            return subprocess.CompletedProcess(command, 5, "", "touchstone: there is no case 'no/such/case'")
        if command == "replay":
            answer = "right" if version >= 2 else "wrong"
            return subprocess.CompletedProcess(command, 0, f"{answer}  {arguments[0]}\n", "")
        output = Path(arguments[arguments.index("--output") + 1])
        output.mkdir(exist_ok=True)
        causes = [{"name": None}, {"name": "rounds-up+wraps" if version < 3 else "saturates"}]
        (output / "report.json").write_text(json.dumps({"causes": causes}))
        (output / "result.json").write_text("{}")
        return subprocess.CompletedProcess(command, 1, "", "")

    monkeypatch.setattr(releases, "BACKENDS", tmp_path)
    monkeypatch.setattr(releases, "environment", environment)
    monkeypatch.setattr(releases, "touchstone", touchstone)
    return directory


def call(monkeypatch, *arguments: str) -> int:
    monkeypatch.setattr(releases.sys, "argv", ["releases.py", *arguments])
    return releases.main()


def test_cases_and_causes_are_bisected_together(npu: Path, monkeypatch, capsys):
    assert call(monkeypatch, "bisect", "npu", "some/case", "--cause", "wraps", "--cause", "truncates") == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        "some/case: wrong in 1.0, right in 2.0 (between them, these cannot be tried: 1.5)",
        "wraps: there in 2.0, not there in 3.0",
        "truncates: not there in 1.0 and in 3.0",
    ]
    assert printed.err.count("npu 1.5 is skipped: in /tmp/some/environment: no wheel") == 1


@pytest.mark.parametrize(
    "arguments", [["case", "--no-such-option"], ["--cause", "wraps", "--no-such-option"], ["no/such/case"], []]
)
def test_a_wrong_option_does_not_skip_all_releases(arguments: list[str], npu: Path, monkeypatch, capsys):
    with pytest.raises(SystemExit) as ended:
        call(monkeypatch, "bisect", "npu", *arguments)
    assert ended.value.code == 2
    assert "skipped" not in capsys.readouterr().err


def test_the_reason_for_a_missing_result_is_kept_until_there_is_one(npu: Path, monkeypatch):
    missing = npu / "missing"
    missing.write_text("npu:fast 1.5  another variant\nnpu 2.0  did not start\n")
    assert call(monkeypatch, "run", "npu", "--versions", "1.5..2.0") == 4
    assert missing.read_text().splitlines()[1:] == [
        "npu 1.5  in environment: no wheel",
        "npu:fast 1.5  another variant",
    ]
    assert [result.name for result in (npu / "results").iterdir()] == ["smoke-2.0.json"]
    releases.keep_reason("npu", "1.5", "")
    releases.keep_reason("npu:fast", "1.5", "long " * 100)
    assert len(missing.read_text().splitlines()[1]) <= len("npu:fast 1.5  ") + releases.LONGEST_REASON
    releases.keep_reason("npu:fast", "1.5", "")
    assert not missing.exists()


def test_packages_are_those_of_the_backend_without_the_runtime(tmp_path: Path):
    (tmp_path / "shared.txt").write_text("numpy==2 \\\n    --hash=sha256:aa\n")
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("-r shared.txt\nruntime==3 \\\n    --hash=sha256:bb\nother==4 --hash=sha256:cc\n")
    kept = releases.without(requirements, "runtime").split()
    assert {"numpy==2", "--hash=sha256:aa", "other==4", "--hash=sha256:cc"} <= set(kept)
    assert "runtime==3" not in kept
    assert "--hash=sha256:bb" not in kept


@pytest.mark.parametrize("name", ["ort", "openvino"])
def test_kept_releases_are_sorted_and_end_with_the_pinned_one(name: str):
    kept = releases.releases_of(name)
    assert list(kept) == sorted(kept, key=releases.key)
    package = releases.runtime_of(name)
    assert f"{package}=={list(kept)[-1]} " in (releases.BACKENDS / name / "requirements.txt").read_text()
    assert all(row.startswith(f"{package}==") and " --hash=sha256:" in row for row in kept.values())

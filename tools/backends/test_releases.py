"""tools/backends/releases.py, without downloads."""

from __future__ import annotations

import importlib.util
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


def test_bisection_of_equal_ends_finds_nothing():
    assert releases.bisect(VERSIONS, lambda _: "right") is None


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

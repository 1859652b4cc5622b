#!/usr/bin/env python3
"""Runs earlier releases of a runtime, each in an environment of its own, which is removed afterwards.

    releases.py pin NAME            list the releases that this Python can install, with hashes, in NAME/releases.txt
    releases.py run BACKEND         test each release that has no result yet, and keep it in NAME/results/
    releases.py bisect BACKEND CASE...
                                    find the releases between which the result of each case changes

NAME is a directory of tools/backends, such as ort, and BACKEND a NAME or a variant of it, such as ort:optimized. The
first package in NAME/requirements.txt is the runtime.
Exit codes: 0 done; 1 the first and the last release have the same result for a case; 2 usage; 3 a download failed;
4 some releases have no result.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

BACKENDS = Path(__file__).resolve().parent
# For releases that do not work with the packages of today.
OLDER_PACKAGES = BACKENDS / "older_packages.txt"


class ReleaseError(Exception):
    """A release cannot be installed or does not run."""


def runtime_of(name: str) -> str:
    """The package of the runtime: the first one that its requirements pin themselves."""
    text = (BACKENDS / name / "requirements.txt").read_text()
    if found := re.search(r"^([\w.-]+)==", text, re.MULTILINE):
        return found[1]
    raise ValueError(f"{name}/requirements.txt pins no package of its own")


def key(version: str) -> tuple[int, ...]:
    """1.9.0 before 1.10.0. What follows the numbers, as in 1.2.post1, does not count."""
    return tuple(int(part) for part in re.match(r"\d+(\.\d+)*", version)[0].split("."))


def within(versions: Sequence[str], bounds: str | None) -> list[str]:
    """Those from A to B, both included, for "A..B". 1.16 includes 1.16.3."""
    if bounds is None:
        return list(versions)
    if not (found := re.fullmatch(r"(\d+(?:\.\d+)*)?\.\.(\d+(?:\.\d+)*)?", bounds)):
        raise ValueError(f"'{bounds}' is not a range of versions such as 1.16..1.20")
    first, last = (key(text) if text else None for text in found.groups())
    return [v for v in versions if (first is None or key(v) >= first) and (last is None or key(v)[: len(last)] <= last)]


def newest_of_series(versions: Sequence[str]) -> list[str]:
    """The last one of each minor series: 1.9.1 of 1.9.0 and 1.9.1. The versions are sorted."""
    return list({key(version)[:2]: version for version in versions}.values())


def bisect(versions: Sequence[str], result_of: Callable[[str], str]) -> tuple[str, str] | None:
    """Two neighbours with different results, or None if the first and the last version have the same one."""
    low, high = 0, len(versions) - 1
    first, last = result_of(versions[low]), result_of(versions[high])
    if first == last:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if result_of(versions[middle]) == first:
            low = middle
        else:
            high = middle
    return versions[low], versions[high]


def pip(*arguments: str | Path) -> str:
    """What it prints. Raises ReleaseError with the end of its messages."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise ReleaseError(" ".join(done.stderr.split()[-60:]) or f"pip exited with code {done.returncode}")
    return done.stdout


def pin(name: str) -> None:
    package = runtime_of(name)
    printed = pip("index", "versions", package)
    versions = sorted(re.search(r"Available versions: (.*)", printed)[1].split(", "), key=key)
    kept = BACKENDS / name / "releases.txt"
    lines = [f"# The releases of {package} that releases.py runs, made by `releases.py pin {name}`."]
    for version in versions:
        print(f"{package} {version}", file=sys.stderr)
        wanted = ("--quiet", "--dry-run", "--ignore-installed", "--no-deps", "--only-binary", ":all:", "--report", "-")
        (found,) = json.loads(pip("install", *wanted, f"{package}=={version}"))["install"]
        lines.append(f"{package}=={version} --hash=sha256:{found['download_info']['archive_info']['hashes']['sha256']}")
    kept.write_text("\n".join(lines) + "\n")


def releases_of(name: str) -> dict[str, str]:
    """The requirement of each version that NAME/releases.txt has, the oldest first."""
    kept = BACKENDS / name / "releases.txt"
    if not kept.exists():
        raise ValueError(f"{kept} is missing: releases.py pin {name} makes it")
    return {found[1]: found[0] for found in re.finditer(r"^\S+==(\S+) .*$", kept.read_text(), re.MULTILINE)}


def without(packages: Path, unwanted: str) -> str:
    """A file of requirements and those that it includes, without one package."""
    text = packages.read_text().replace("\\\n", " ")
    text = re.sub(r"^-r (\S+)", lambda found: without(packages.parent / found[1], unwanted), text, flags=re.MULTILINE)
    return re.sub(rf"^{re.escape(unwanted)}==.*\n", "", text, flags=re.MULTILINE)


@contextlib.contextmanager
def environment(name: str, requirement: str) -> Iterator[Path]:
    """The Python of an environment with this release, in which the worker of the backend starts."""
    package = runtime_of(name)
    with tempfile.TemporaryDirectory(prefix="touchstone-release-") as scratch:
        why = ""
        for others in (BACKENDS / name / "requirements.txt", OLDER_PACKAGES):
            packages = Path(scratch) / "packages.txt"
            packages.write_text(f"{without(others, package)}\n{requirement}\n")
            place = Path(scratch) / "environment"
            subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", place], check=True)
            python = place / "bin" / "python"
            pinned = ("--require-hashes", "--no-deps", "--only-binary", ":all:", "--requirement", packages)
            pip("--python", python, "install", "--quiet", *pinned)
            done = touchstone("doctor", name, "--python", python)
            if done.returncode < 3:
                break
            why = done.stdout
        else:
            raise ReleaseError(f"its worker does not start: {' '.join(why.split())}")
        yield python


def touchstone(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    program = os.environ.get("TOUCHSTONE_PROGRAM") or BACKENDS.parents[1] / "build/release/tools/touchstone"
    variables = {**os.environ, "TOUCHSTONE_BACKENDS": str(BACKENDS)}
    try:
        return subprocess.run([program, *arguments], capture_output=True, text=True, env=variables)
    except OSError as error:
        raise ValueError(f"{program} cannot be run: tools/run makes it ({error})") from error


def run(backend: str, versions: Sequence[str], tier: str, runs: Path | None) -> int:
    """Runs are kept in a directory for each version, if `runs` is given."""
    name, _, variant = backend.partition(":")
    prefix = f"{variant}-" if variant else ""
    failed = 0
    for version in versions:
        kept = BACKENDS / name / "results" / f"{prefix}{tier}-{version}.json"
        if kept.exists():
            continue
        print(f"{backend} {version} ... ", end="", file=sys.stderr, flush=True)
        try:
            with environment(name, releases_of(name)[version]) as python, tempfile.TemporaryDirectory() as scratch:
                output = (runs or Path(scratch)) / f"{prefix}{version}"
                limits = ("--max-timeouts", "0", "--max-crashes", "0", "--quiet")
                place = ("--output", output, "--overwrite", "--python", python)
                done = touchstone("run", "--backend", backend, "--tier", tier, *place, *limits)
                if done.returncode > 1:
                    raise ReleaseError(" ".join(done.stderr.split()))
                kept.parent.mkdir(exist_ok=True)
                shutil.copy(output / "result.json", kept)
            print("done", file=sys.stderr)
        except ReleaseError as error:
            print(f"no result: {error}", file=sys.stderr)
            failed += 1
    return 4 if failed else 0


def results_of(backend: str, requirement: str, cases: Sequence[str], options: Sequence[str]) -> dict[str, str]:
    """The answer class of each case."""
    results = {}
    with environment(backend.partition(":")[0], requirement) as python:
        for case in cases:
            done = touchstone("replay", case, "--backend", backend, "--python", python, *options)
            if done.returncode not in (0, 1):
                raise ReleaseError(" ".join((done.stderr or done.stdout).split()))
            results[case] = re.match(r"(.*?)  ", done.stdout)[1]
    return results


def show_bisections(backend: str, versions: Sequence[str], cases: Sequence[str], options: Sequence[str]) -> int:
    """Each release is installed once, for all cases."""
    releases = releases_of(backend.partition(":")[0])
    if len(versions) < 2:
        raise ValueError(f"releases.txt has {len(versions)} of these versions; two are needed")
    known: dict[str, dict[str, str]] = {}

    def results(version: str) -> dict[str, str]:
        if version not in known:
            known[version] = results_of(backend, releases[version], cases, options)
            print(f"{backend} {version}: {', '.join(known[version].values())}", file=sys.stderr)
        return known[version]

    unchanged = 0
    for case in cases:
        pair = bisect(versions, lambda version, case=case: results(version)[case])
        if pair is None:
            unchanged += 1
            print(f"{case}: {results(versions[0])[case]} in {versions[0]} and in {versions[-1]}", flush=True)
        else:
            before, after = pair
            print(f"{case}: {results(before)[case]} in {before}, {results(after)[case]} in {after}", flush=True)
    return 1 if unchanged else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="releases.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    names = sorted(path.parent.name for path in BACKENDS.glob("*/requirements.txt"))
    for command in ("pin", "run", "bisect"):
        one = commands.add_parser(command)
        one.add_argument("backend", metavar="NAME" if command == "pin" else "BACKEND")
        if command == "bisect":
            one.add_argument("cases", metavar="CASE", nargs="+", help="ids of cases; touchstone list shows them")
        if command != "pin":
            one.add_argument("--versions", metavar="A..B", help="only these releases; either end may be absent")
            one.add_argument("--newest", action="store_true", help="only the newest release of each minor series")
        if command == "run":
            one.add_argument("--tier", default="smoke", help="a tier of touchstone run")
            one.add_argument("--output", type=Path, metavar="DIR", help="keep the runs here, for touchstone diff")
    options, others = parser.parse_known_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # removes the environment
    if others and options.command != "bisect":
        parser.error(f"unknown arguments: {' '.join(others)}")
    name, colon, _ = options.backend.partition(":")
    if name not in names or (colon and options.command == "pin"):
        parser.error(f"unknown backend '{options.backend}': {', '.join(names)}")
    try:
        if options.command == "pin":
            pin(name)
            return 0
        versions = within(list(releases_of(name)), options.versions)
        if options.newest:
            versions = newest_of_series(versions)
        if options.command == "run":
            return run(options.backend, versions, options.tier, options.output)
        return show_bisections(options.backend, versions, options.cases, others)
    except ValueError as error:
        parser.error(str(error))
    except ReleaseError as error:
        print(f"releases.py: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())

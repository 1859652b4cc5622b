#!/usr/bin/env python3
"""Runs earlier releases of a runtime, each in an environment of its own, which is removed afterwards.

    releases.py pin NAME            list the releases that this Python can install, with hashes, in NAME/releases.txt
    releases.py run BACKEND         test each release that has no result yet, and keep it in NAME/results/
    releases.py bisect BACKEND CASE... [--cause NAME]...
                                    find the releases between which the result of each case changes, or each cause
                                    appears or vanishes; other options are those of touchstone replay and run

NAME is a directory of tools/backends, such as ort, and BACKEND a NAME or a variant of it, such as ort:optimized. The
first package in NAME/requirements.txt is the runtime. NAME/missing has the releases without a result, and why.
Exit codes: 0 done; 1 the first and the last release have the same result for a case, or both or none have a cause;
2 usage; 3 a download failed, or fewer than two releases can be tried; 4 some releases have no result.
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
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

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


def bisect(versions: Sequence[str], result_of: Callable[[str], str]) -> tuple[str, str]:
    """Two versions with different results, or the first and the last one if these have the same.

    Skips versions for which `result_of` raises ReleaseError: only those are between the two.
    """

    def first_of(places: Iterable[int]) -> tuple[int, str] | None:
        for place in places:
            with contextlib.suppress(ReleaseError):
                return place, result_of(versions[place])
        return None

    oldest, newest = first_of(range(len(versions))), first_of(reversed(range(len(versions))))
    if oldest is None or newest is None or oldest[0] == newest[0]:
        raise ReleaseError("fewer than two of these releases can be tried")
    (low, first), (high, last) = oldest, newest
    if first == last:
        return versions[low], versions[high]
    while found := first_of(sorted(range(low + 1, high), key=lambda place: abs(2 * place - low - high))):
        if found[1] == first:
            low = found[0]
        else:
            high = found[0]
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


def judged(*arguments: str | Path) -> str:
    """What touchstone run or replay prints. Raises ValueError if its arguments are wrong for every release."""
    done = touchstone(*arguments)
    if done.returncode in (2, 5):  # 5: no case is selected
        raise ValueError(" ".join(done.stderr.split()))
    if done.returncode > 1:
        raise ReleaseError(" ".join((done.stderr or done.stdout).split()))
    return done.stdout


def run_tier(backend: str, tier: str, python: Path, output: Path, options: Sequence[str] = ()) -> None:
    limits = ("--max-timeouts", "0", "--max-crashes", "0", "--quiet")
    place = ("--output", output, "--overwrite", "--python", python)
    judged("run", "--backend", backend, "--tier", tier, *place, *limits, *options)


LONGEST_REASON = 200


def keep_reason(backend: str, version: str, reason: str) -> None:
    """Writes to NAME/missing why a release has no result; an empty reason if it has one."""
    missing = BACKENDS / backend.partition(":")[0] / "missing"
    begin = f"{backend} {version}  "
    lines = missing.read_text().splitlines() if missing.exists() else []
    rows = [line for line in lines if line and not line.startswith(("#", begin))]
    if reason:
        without_paths = re.sub(r"/\S*/", "", " ".join(reason.split()))
        rows.append(begin + textwrap.shorten(without_paths, LONGEST_REASON, placeholder=" ..."))
    if rows:
        heading = "# Releases without a result, and why: `releases.py run` writes it, and the scoreboard shows it."
        missing.write_text("\n".join([heading, *sorted(rows)]) + "\n")
    else:
        missing.unlink(missing_ok=True)


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
                run_tier(backend, tier, python, output)
                kept.parent.mkdir(exist_ok=True)
                shutil.copy(output / "result.json", kept)
            keep_reason(backend, version, "")
            print("done", file=sys.stderr)
        except ReleaseError as error:
            print(f"no result: {error}", file=sys.stderr)
            keep_reason(backend, version, str(error))
            failed += 1
    return 4 if failed else 0


class Questions(NamedTuple):
    """What to bisect."""

    cases: Sequence[str]
    causes: Sequence[str]
    tier: str
    filter: str
    options: Sequence[str]

    def all(self) -> list[str]:
        return [*self.cases, *self.causes]


def has_cause(report: Path, name: str) -> bool:
    """Whether a cause of the run has this name, which may be one of several joined by +."""
    return any(name in (cause["name"] or "").split("+") for cause in json.loads(report.read_text())["causes"])


def results_of(backend: str, requirement: str, questions: Questions) -> dict[str, str]:
    """The answer class of each case, and whether there is each cause."""
    results = {}
    with environment(backend.partition(":")[0], requirement) as python:
        for case in questions.cases:
            options = ("--backend", backend, "--tier", questions.tier, "--python", python, *questions.options)
            results[case] = re.match(r"(.*?)  ", judged("replay", case, *options))[1]
        if questions.causes:
            with tempfile.TemporaryDirectory() as scratch:
                options = ("--filter", questions.filter, *questions.options)
                run_tier(backend, questions.tier, python, Path(scratch), options)
                for cause in questions.causes:
                    results[cause] = "there" if has_cause(Path(scratch) / "report.json", cause) else "not there"
    return results


def show_bisections(backend: str, versions: Sequence[str], questions: Questions) -> int:
    """Each release is installed once, for all questions. One that cannot be tried is skipped."""
    releases = releases_of(backend.partition(":")[0])
    if len(versions) < 2:
        raise ValueError(f"releases.txt has {len(versions)} of these versions; two are needed")
    known: dict[str, dict[str, str] | ReleaseError] = {}

    def results(version: str) -> dict[str, str]:
        if version not in known:
            try:
                found = results_of(backend, releases[version], questions)
                print(f"{backend} {version}: {', '.join(found.values())}", file=sys.stderr)
            except ReleaseError as error:
                found = error
                print(f"{backend} {version} is skipped: {error}", file=sys.stderr)
            known[version] = found
        if isinstance(known[version], ReleaseError):
            raise known[version]
        return known[version]

    unchanged = 0
    for asked in questions.all():
        first, last = bisect(versions, lambda version, asked=asked: results(version)[asked])
        before, after = results(first)[asked], results(last)[asked]
        if before == after:
            unchanged += 1
            print(f"{asked}: {before} in {first} and in {last}", flush=True)
            continue
        skipped = versions[versions.index(first) + 1 : versions.index(last)]
        untried = f" (between them, these cannot be tried: {', '.join(skipped)})" if skipped else ""
        print(f"{asked}: {before} in {first}, {after} in {last}{untried}", flush=True)
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
            one.add_argument("cases", metavar="CASE", nargs="*", help="ids of cases; touchstone list shows them")
            named = "the name of a cause of a run, which its report has in brackets"
            one.add_argument("--cause", dest="causes", metavar="NAME", action="append", default=[], help=named)
            one.add_argument("--filter", default="*", help="of touchstone run, to find causes")
        if command != "pin":
            one.add_argument("--versions", metavar="A..B", help="only these releases; either end may be absent")
            one.add_argument("--newest", action="store_true", help="only the newest release of each minor series")
            one.add_argument("--tier", default="smoke", help="a tier of touchstone run")
        if command == "run":
            one.add_argument("--output", type=Path, metavar="DIR", help="keep the runs here, for touchstone diff")
    options, others = parser.parse_known_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # removes the environment
    if others and options.command != "bisect":
        parser.error(f"unknown arguments: {' '.join(others)}")
    if options.command == "bisect" and not (options.cases or options.causes):
        parser.error("bisect needs a CASE or --cause NAME")
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
        questions = Questions(options.cases, options.causes, options.tier, options.filter, others)
        return show_bisections(options.backend, versions, questions)
    except ValueError as error:
        parser.error(str(error))
    except ReleaseError as error:
        print(f"releases.py: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())

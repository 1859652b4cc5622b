"""Edited manifests, and files that are something else."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path
from typing import Any

from attacks.journals import compact
from attacks.lab import EXPECTATIONS, JOURNAL, QUIET, QUIET_RUN, Lab, Surprise, expect_refused, refused


def other_value(value: Any, rng: random.Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value[:-1] + ("0" if value[-1:] != "0" else "1")
        case list():
            return value[1:] if value else ["more"]
        case dict():
            name = rng.choice(sorted(value))
            return {**value, name: other_value(value[name], rng)}
    raise AssertionError(value)


def attack_pack(lab: Lab, i: int, rng: random.Random) -> str:
    """One member of a manifest is changed or removed."""
    manifest = json.loads((lab.pack / "manifest.json").read_text())
    of_cases = sorted({name for row in manifest["cases"] for name in row})
    of_plan, of_head = sorted(manifest["plan"]), sorted(set(manifest) - {"plan", "cases"})
    places = [("case", name) for name in of_cases] + [("plan", name) for name in of_plan]
    places += [("head", name) for name in of_head] + [("cases", "")]
    owner, name = places[i // 2 % len(places)]
    is_removed = i % 2 == 1
    case = rng.choice([row for row in manifest["cases"] if owner != "case" or name in row])
    what = f"judge of a pack, {name} of {owner} {case['id'] if owner == 'case' else ''}"
    if owner == "cases":
        what = "judge of a pack with a case less"
        manifest["cases"] = [row for row in manifest["cases"] if row is not case or not is_removed]
    else:
        changed = {"case": case, "plan": manifest["plan"], "head": manifest}[owner]
        changed[name] = other_value(changed[name], rng)
        if is_removed:
            del changed[name]
    pack = lab.fresh() / "pack"
    pack.mkdir()
    write_manifest(pack / "manifest.json", manifest)
    done = lab.run("judge", pack, "--answers", lab.answers, *QUIET, "--output", pack.parent / "judged")
    if owner == "cases" and not is_removed:
        if refused(done):
            raise Surprise("an unchanged manifest is refused, so that the other attempts show nothing", done.line)
        return "harmless"
    if name in ("comparison", "data"):  # words; a directory that is not read
        return "refused" if refused(done) else "harmless"
    return expect_refused(done, what)


def write_manifest(path: Path, manifest: dict[str, Any]) -> None:
    """A case in each line, as touchstone export writes it."""
    head = compact({name: value for name, value in manifest.items() if name != "cases"})
    rows = ",\n".join(compact(row) for row in manifest.get("cases", []))
    path.write_text(f'{head[:-1]},"cases":[\n{rows}\n]}}\n')


# Which file is something else, and whether an exit code of 0 would be wrong.
FILES = (
    ("pack", "manifest.json", True),
    ("answers", "cases/*/test_data_set_0/output_0.pb", True),
    ("answers", "must_reject/*/refused.txt", True),
    ("answers", "cases/*", True),
    ("answers", "backend.txt", False),
    ("tests", "*/model.onnx", True),
    ("tests", "*/test_data_set_0/input_0.pb", True),
    ("run", JOURNAL, True),
    ("run", EXPECTATIONS, True),
    ("resumed", JOURNAL, True),
)
KINDS_OF_FILE = ("link", "fifo", "huge", "directory", "bytes", "device", "empty")


def make_file(kind: str, file: Path, original: Path, rng: random.Random) -> None:
    match kind:
        case "link":
            file.symlink_to(original)
        case "fifo":
            os.mkfifo(file)
        case "huge":
            with file.open("wb") as stream:
                stream.truncate(1 << 40)
        case "directory":
            file.mkdir()
        case "device":
            file.symlink_to("/dev/zero")
        case _:
            file.write_bytes(rng.randbytes(1000) if kind == "bytes" else b"")


def attack_files(lab: Lab, i: int, rng: random.Random) -> str:
    """A file of a pack, of answers, of tests or of a run is something else."""
    owner, pattern, is_needed = FILES[i % len(FILES)]
    kind = KINDS_OF_FILE[i // len(FILES) % len(KINDS_OF_FILE)]
    folder = lab.fresh()
    copied, output = folder / owner, folder / "output"
    if owner == "pack":
        copied.mkdir()
        shutil.copy(lab.pack / "manifest.json", copied)
    else:
        shutil.copytree({"answers": lab.answers, "tests": lab.pack / "cases"}.get(owner, lab.whole), copied)
    file, original = rng.choice(sorted(copied.glob(pattern))), folder / "original"
    file.rename(original)
    make_file(kind, file, original, rng)
    done = lab.run(
        *{
            "pack": ["judge", copied, "--answers", lab.answers, *QUIET, "--output", output],
            "answers": ["judge", lab.pack, "--answers", copied, *QUIET, "--output", output],
            "tests": ["run", "--suite", "onnx", "--data", copied, *QUIET_RUN, "--output", output],
            "run": ["report", copied, "--format", "json"],
            "resumed": ["run", "--resume", copied, *QUIET_RUN],
        }[owner]
    )
    is_own_link = kind == "link" and owner == "run"  # of the user, who may keep a journal elsewhere
    is_reason = file.name == "refused.txt" and kind in ("bytes", "empty")  # a refusal can have any
    if done.code == 0 and is_needed and not is_own_link and not is_reason:
        raise Surprise(f"{owner}/{file.relative_to(copied)} is {kind}: accepted", done.line)
    return "refused" if done.code else "harmless"

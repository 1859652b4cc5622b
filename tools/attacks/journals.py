"""Damaged and forged journals. conformance/run/line_chain.h and conformance/files/gzip_lines.h describe the format."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from attacks.lab import EXPECTATIONS, JOURNAL, QUIET, QUIET_RUN, Lab, Surprise, expect_refused, expect_same, refused


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def lines_of(journal: Path) -> list[str]:
    return gzip.decompress(journal.read_bytes()).decode().splitlines()


def write_lines(journal: Path, lines: list[str]) -> None:
    """A member of gzip, with a flush after each line."""
    compressor = zlib.compressobj(6, zlib.DEFLATED, 31)
    parts = [compressor.compress(f"{line}\n".encode()) + compressor.flush(zlib.Z_FULL_FLUSH) for line in lines]
    journal.write_bytes(b"".join(parts) + compressor.flush())


def with_checksums(lines: list[str]) -> list[str]:
    """Recomputes the checksum of each line. In a line, it comes last, and the time before it."""
    total, written = "", []
    for line in lines:
        text = line[: line.rindex(',"checksum":')] + "}"
        found = re.search(r',"time":[^{}\[\],]*}$', text)
        time_begin = found.start() if found else len(text) - 1
        total = hashlib.sha256(f"{total}{text[:time_begin]}}}".encode()).hexdigest()
        checksum = hashlib.sha256(f"{total}{text[time_begin:]}".encode()).hexdigest()
        written.append(f'{text[:-1]},"checksum":"{checksum}"}}')
    return written


def edited(line: str, **members: Any) -> str:
    """A line with other values of members; None removes one. The time and the checksum stay at the end."""
    content = json.loads(line)
    end = {name: content.pop(name) for name in ("time", "checksum") if name in content}
    content.update(members)
    return compact({name: value for name, value in content.items() if value is not None} | end)


def damage(rng: random.Random, kind: int, original: Path, other: Path, target: Path) -> str:
    """Damages a journal without new checksums. Returns what it did."""
    content, lines = bytearray(original.read_bytes()), lines_of(original)
    place, second = rng.randrange(len(content)), rng.randrange(len(content))
    row = rng.randrange(len(lines))
    match kind:
        case 0:
            content[place] ^= 1 << rng.randrange(8)
            what = f"a bit of byte {place} flipped"
        case 1:
            content[place : place + 4] = rng.randbytes(4)
            what = f"4 bytes at {place} replaced"
        case 2:
            del content[place:]
            what = f"cut off at byte {place}"
        case 3:
            low, high = sorted((place, second))
            del content[low:high]
            what = f"bytes {low} to {high} removed"
        case 4:
            content += content[place:]
            what = f"its end from byte {place} repeated"
        case 5:
            content += other.read_bytes()
            what = "followed by another journal"
        case 6:
            content = bytearray(gzip.compress(gzip.decompress(content)))
            what = "compressed again by another program"
        case 7:
            content = bytearray(gzip.compress(gzip.decompress(content)[: rng.randrange(1000, 50000)])) + content
            what = "preceded by a member of gzip"
        case _:
            of_other = lines_of(other)
            changes: dict[int, tuple[str, list[str]]] = {
                8: (f"line {row + 1} removed", lines[:row] + lines[row + 1 :]),
                9: (f"line {row + 1} repeated", lines[: row + 1] + lines[row:]),
                10: (f"line {row + 1} moved to the end", [*lines[:row], *lines[row + 1 :], lines[row]]),
                11: (
                    f"line {row + 1} replaced by that of another run",
                    [*lines[:row], of_other[row % len(of_other)], *lines[row + 1 :]],
                ),
                12: ("the last line removed", lines[:-1]),
                13: (f"ends after line {row}", lines[:row]),
                14: (
                    f"line {row + 1} without its checksum",
                    [*lines[:row], lines[row][: lines[row].rindex(",")] + "}", *lines[row + 1 :]],
                ),
            }
            what, changed = changes[kind]
            write_lines(target, changed)
            return what
    target.write_bytes(content)
    return what


KINDS_OF_DAMAGE = 15


def copy_for(lab: Lab, use: str) -> Path:
    """A copy of a run to report or resume, or of a shard to merge."""
    target = lab.fresh() / "run"
    target.mkdir()
    for name in (JOURNAL, EXPECTATIONS):
        shutil.copy(source_of(lab, use) / name, target)
    return target


def source_of(lab: Lab, use: str) -> Path:
    return lab.shards[0] if use == "merge" else lab.whole


def use_run(lab: Lab, use: str, run: Path, what: str, must_refuse: bool = False) -> str:
    """Reports, resumes or merges the run. If that is accepted, the results must be the right ones."""
    what, results = f"{use} of a journal, {what}", run
    if use == "report":
        done = lab.report(run)
    elif use == "resume":
        done = lab.run("run", "--resume", run, *QUIET_RUN)
    else:
        results = run.parent / "merged"
        done = lab.run("merge", run, lab.shards[1], *QUIET, "--output", results)
    if must_refuse or refused(done):
        return expect_refused(done, what)
    return expect_same(done, lab.report(results).out, lab.results, what)


def attack_journal(lab: Lab, i: int, rng: random.Random) -> str:
    """A damaged journal. Every third attempt continues or merges it."""
    # A resumed run may run again what is missing at the end.
    use = ("report", "report", rng.choice(("resume", "merge")))[i % 3]
    run = copy_for(lab, use)
    what = damage(rng, i // 3 % KINDS_OF_DAMAGE, source_of(lab, use) / JOURNAL, lab.other / JOURNAL, run / JOURNAL)
    return use_run(lab, use, run, what)


class Forgery(NamedTuple):
    what: str
    edit: Callable[[list[str], random.Random], None]  # of the lines
    refusing: tuple[str, ...]  # the commands that can know


def cases_in(lines: list[str]) -> dict[int, dict[str, Any]]:
    """The cases by the places of their lines."""
    return {i: content for i, line in enumerate(lines) if "id" in (content := json.loads(line))}


def edit_case(member: str, value: Any, **members: Any) -> Callable[[list[str], random.Random], None]:
    """Changes a case that has the member, with this value if it is not None."""

    def edit(lines: list[str], rng: random.Random) -> None:
        rows = [i for i, case in cases_in(lines).items() if member in case and value in (None, case[member])]
        i = rng.choice(rows)
        lines[i] = edited(lines[i], **members)

    return edit


def move_element(lines: list[str], rng: random.Random) -> None:
    """To where the output has no element."""
    i, case = rng.choice([row for row in cases_in(lines).items() if "wrong_elements" in row[1]])
    case["wrong_elements"][0]["index"] = case["elements"] + rng.randrange(10**18)
    lines[i] = edited(lines[i], wrong_elements=case["wrong_elements"])


def pass_open_elements(lines: list[str], _: random.Random) -> None:
    i = next(i for i, case in cases_in(lines).items() if case.get("masked") == case["elements"])
    lines[i] = edited(lines[i], verdict="pass", reason=None)


def change_digest(lines: list[str], rng: random.Random) -> None:
    i = rng.choice(list(cases_in(lines)))
    lines[i] = edited(lines[i], digest=rng.randbytes(32).hex())


def exchange_ids(lines: list[str], rng: random.Random) -> None:
    cases = cases_in(lines)
    i, j = rng.sample(list(cases), 2)
    lines[i], lines[j] = edited(lines[i], id=cases[j]["id"]), edited(lines[j], id=cases[i]["id"])


def remove_case(lines: list[str], rng: random.Random) -> None:
    del lines[rng.choice(list(cases_in(lines))[:-1])]  # after the last one, a run could be resumed


def remove_case_and_count(lines: list[str], rng: random.Random) -> None:
    remove_case(lines, rng)
    change_plan(lines, cases=json.loads(lines[0])["plan"]["cases"] - 1)


def change_plan(lines: list[str], **members: Any) -> None:
    plan = {**json.loads(lines[0])["plan"], **members}
    lines[0] = edited(lines[0], plan=plan)


def change_options(lines: list[str], rng: random.Random) -> None:
    lines[0] = edited(lines[0], judge={"strict": True, "sign_of_zero": False})


def remove_fingerprint_row(lines: list[str], rng: random.Random) -> None:
    for i, line in enumerate(lines):
        if rows := json.loads(line).get("fingerprint"):  # shards have none
            del rows[rng.randrange(len(rows))]
            lines[i] = edited(line, fingerprint=rows)


EVERYONE = ("report", "resume", "merge")
WITH_PLAN = ("resume", "merge")
FORGERIES = (
    Forgery("another digest", change_digest, WITH_PLAN),
    Forgery("the ids of two cases exchanged", exchange_ids, WITH_PLAN),
    Forgery("a case removed", remove_case, EVERYONE),
    Forgery("a case removed, and counted", remove_case_and_count, WITH_PLAN),
    Forgery("more cases in its plan", lambda lines, _: change_plan(lines, cases=100000), EVERYONE),
    Forgery("another hash of its plan", lambda lines, _: change_plan(lines, hash="0" * 64), WITH_PLAN),
    Forgery("another seed", lambda lines, _: change_plan(lines, seed=1), WITH_PLAN),
    Forgery("other options of the judge", change_options, WITH_PLAN),
    Forgery("a pass with wrong elements", edit_case("verdict", "fail", verdict="pass"), EVERYONE),
    Forgery(
        "a pass with hypotheses",
        edit_case("hypotheses", None, verdict="pass", wrong_elements=None, data_set=None),
        EVERYONE,
    ),
    Forgery(
        "a legal model that was to be rejected",
        edit_case("verdict", "pass", verdict="accepts_invalid", violated=None),
        EVERYONE,
    ),
    Forgery("a variant without a reading", edit_case("verdict", "pass", verdict="pass_variant"), EVERYONE),
    Forgery("a pass that was declined", edit_case("verdict", "pass", declined=True), EVERYONE),
    Forgery("more masked elements than elements", edit_case("elements", None, masked=10**9), EVERYONE),
    Forgery("a wrong element beyond the output", move_element, EVERYONE),
    Forgery("a pass whose elements are all open", pass_open_elements, EVERYONE),
    Forgery("an unknown verdict", edit_case("verdict", "pass", verdict="right"), EVERYONE),
    Forgery("no last line", lambda lines, _: lines.pop(), ("report", "merge")),
    Forgery("no row of the fingerprint", remove_fingerprint_row, ()),
    Forgery("nothing changed", lambda lines, _: None, ()),
)


def attack_forged(lab: Lab, i: int, rng: random.Random) -> str:
    """A journal that somebody edited, and whose checksums all follow from its lines."""
    forgeries = len(FORGERIES) + 1
    use = EVERYONE[(i + i // forgeries) % 3]
    run = copy_for(lab, use)
    if i % forgeries == len(FORGERIES):
        (run / EXPECTATIONS).write_text((run / EXPECTATIONS).read_text().replace("dequantize_linear/*", "*"))
        return use_run(lab, use, run, "with other expectations", must_refuse=True)
    forgery = FORGERIES[i % forgeries]
    lines = lines_of(run / JOURNAL)
    forgery.edit(lines, rng)
    write_lines(run / JOURNAL, with_checksums(lines))
    if forgery is FORGERIES[-1] and refused(done := lab.report(run)):
        raise Surprise("an unchanged journal is refused, so that the other attempts show nothing", done.line)
    if use == "report" and use not in forgery.refusing:  # it shows what the journal says
        return "refused" if refused(lab.report(run)) else "harmless"
    return use_run(lab, use, run, forgery.what, must_refuse=use in forgery.refusing)

"""layers_test.py ROOT LAYERS: checks that the sources below ROOT include only headers of the layers that their target
links. LAYERS is the file layers.txt of a build directory, which the CMake function touchstone_layers writes. Tests and
benchmarks are left out: their programs may link everything."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path, PurePosixPath

FOLDERS = ("spec", "reference", "optimized", "conformance", "tools", "fuzz")
FOR_TESTS = re.compile(r"(_test\.cpp|_benchmark\.cpp|testing\.(h|cpp)|/hostile_worker\.cpp)$")
OTHER_PROJECTS = ("tools/consumer", "tools/backends", "optimized/example")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+/[^"]+)"', re.MULTILINE)


class Layers:
    """The folders that have targets, and the folders whose headers each of them may include."""

    def __init__(self, lines: list[str]):
        links = {target: layers for target, _, *layers in map(str.split, lines)}
        self.folders = {target: folder for target, folder, *_ in map(str.split, lines) if folder != "GROUP"}
        groups = links.keys() - self.folders.keys()
        self.allowed: dict[str, set[str]] = {folder: set() for folder in self.folders.values()}
        self.declared: set[tuple[str, str]] = set()  # dependencies on a single layer, not on a group
        for target, folder in self.folders.items():
            for layer in links[target]:
                members = links[layer] if layer in groups else [layer]
                self.allowed[folder] |= {self.folders[member] for member in members}
                if layer not in groups and self.folders[layer] != folder:
                    self.declared.add((folder, self.folders[layer]))

    def owner(self, path: str) -> str | None:
        """The folder of the target that a file belongs to: the nearest one above the file."""
        return next((str(folder) for folder in PurePosixPath(path).parents if str(folder) in self.allowed), None)


def find_cycle(allowed: dict[str, set[str]]) -> list[str]:
    """A cycle: each folder may include the next one, and the last one the first. Empty if there is no cycle."""
    done: set[str] = set()

    def visit(folder: str, path: list[str]) -> list[str]:
        if folder in path:
            return path[path.index(folder) :]
        cycles = (visit(layer, [*path, folder]) for layer in sorted(allowed[folder] - {folder}) if layer not in done)
        found = next(filter(None, cycles), [])
        done.add(folder)
        return found

    return next(filter(None, (visit(folder, []) for folder in sorted(allowed))), [])


def check(root: Path, lines: list[str]) -> list[str]:
    layers = Layers(lines)
    problems = []
    if cycle := find_cycle(layers.allowed):
        problems.append(f"these folders use each other: {', '.join(cycle)}")
    used = set()
    for path in sources(root):
        owner = layers.owner(path)
        if owner is None and is_left_out(path, layers):
            continue
        if owner is None:
            problems.append(f"{path}: its folder has no target that is declared with touchstone_layers")
            continue
        for header in INCLUDE.findall((root / path).read_text("utf-8")):
            if not (root / header).exists():  # generated
                continue
            target = layers.owner(header)
            used.add((owner, target))
            if target != owner and target not in layers.allowed[owner]:
                problems.append(f"{path}: {header}: {owner} does not declare the layer {target}")
    unused = sorted(layers.declared - used)
    problems += [f"{owner} declares the layer {layer}, but does not use it" for owner, layer in unused]
    return problems


def is_left_out(path: str, layers: Layers) -> bool:
    """Whether the build has no fuzz targets, to which the file belongs."""
    return path.startswith("fuzz/") and "fuzz" not in layers.allowed


def sources(root: Path) -> list[str]:
    paths = (path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in {".c", ".cpp", ".h"})
    names = sorted(str(path.relative_to(root)) for path in paths)
    return [
        name
        for name in names
        if not FOR_TESTS.search(name) and not name.startswith(OTHER_PROJECTS) and "/build/" not in name
    ]


def check_this_test() -> None:
    """A tree with one violation of each kind must give one problem of each kind. A tree without violations gives none."""
    lines = ["t_low spec", "t_high tools/high t_low", "t_all GROUP t_low t_high", "t_top tools/top t_all"]
    files = {
        "spec/low.h": "",
        "tools/high/high.h": '#include "spec/low.h"',
        "tools/high/high_test.cpp": '#include "tools/top/top.h"',
        "tools/top/top.h": '#include "spec/low.h"\n#include "tools/high/high.h"\n#include "tools/generated.h"',
    }
    forbidden = {"spec/low.h": '#include "tools/high/high.h"'}
    undeclared = {"tools/new/new.cpp": ""}
    fuzzed = {"fuzz/target.cpp": '#include "tools/high/high.h"'}
    through_another = {"tools/top/other.h": "", "tools/high/high.h": '#include "tools/top/other.h"'}
    for changes, more, expected in [
        ({}, [], []),
        (forbidden, [], ["spec/low.h: tools/high/high.h: spec does not declare the layer tools/high"]),
        (undeclared, [], ["tools/new/new.cpp: its folder has no target"]),
        (fuzzed, [], []),
        (fuzzed, ["t_fuzz fuzz t_low"], ["fuzz does not declare the layer tools/high", "fuzz declares the layer spec, but"]),
        (through_another, [], ["does not declare the layer tools/top", "tools/high declares the layer spec, but"]),
        ({}, ["t_more spec t_high"], ["use each other: spec, tools/high", "spec declares the layer tools/high, but"]),
    ]:
        with tempfile.TemporaryDirectory() as scratch:
            for name, text in (files | changes).items():
                path = Path(scratch) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            problems = check(Path(scratch), lines + more)
        if len(problems) != len(expected) or any(part not in one for part, one in zip(expected, problems)):
            sys.exit(f"the test does not work: {problems} instead of {expected}")


def main(root: Path, layers: Path) -> int:
    check_this_test()
    read = sources(root)
    if len(read) < 300:
        sys.exit(f"only {len(read)} sources below {root}: is that the root?")
    problems = check(root, layers.read_text("utf-8").splitlines())
    print("\n".join([*problems, f"{len(read)} sources, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))

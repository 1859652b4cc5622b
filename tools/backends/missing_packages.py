"""missing_packages.py REQUIREMENTS: prints the packages that this Python lacks."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Iterator
from pathlib import Path


def required(file: Path) -> Iterator[str]:
    """The names in a file of pinned packages and in the files that it includes."""
    for line in file.read_text().splitlines():
        if included := re.match(r"-r (\S+)", line):
            yield from required(file.parent / included[1])
        elif pinned := re.match(r"([\w.-]+)==", line):
            yield pinned[1]


def is_missing(package: str) -> bool:
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return True
    return False


print(", ".join(filter(is_missing, required(Path(sys.argv[1])))))

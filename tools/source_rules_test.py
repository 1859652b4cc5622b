"""source_rules_test.py ROOT: checks that no source of the program passes text to a shell or to another interpreter.
Tests may: they run lines that users are to run in a shell."""

from __future__ import annotations

import re
import sys
from pathlib import Path

FOLDERS = ("spec", "reference", "optimized", "conformance", "fuzz", "tools")
OF_TESTS = re.compile(r"(_test\.\w+|testing\.(h|cpp)|test_\w+\.py|conftest\.py)$|/tests/")
NOT_OURS = re.compile(r"/(\.[^/]+|build|target|node_modules|__pycache__)/")
CXX = {".c", ".cpp", ".h", ".in"}

# File types, a forbidden pattern, an example of it, and the replacement to suggest.
RULES = [
    (CXX, r"\bsystem\s*\(", "  return std::system(command.c_str());", "start a program with an argument vector"),
    (CXX, r"\bpopen\s*\(", 'FILE* out = ::popen("ls", "r");', "start a program with an argument vector"),
    (CXX, r"\bwordexp\s*\(", "wordexp(text, &words, 0);", "split words with shell_words"),
    (CXX, r"\b(execlp?|execle|execvpe?|posix_spawnp)\s*\(", "execvp(argv[0], argv);", "find_program, and execve"),
    # What completes arguments in bash is made by bash_script.
    (
        CXX | {".py", ".rs"},
        r"""["'](/bin/)?(ba|da)?sh["'](?!, bash_script)""",
        'run({"sh", "-c", text});',
        "start the program itself",
    ),
    ({".py"}, r"\bos\.(system|popen|exec[lv]p?e?|spawn\w+)\s*\(", "os.system(line)", "subprocess.run with a list"),
    ({".py"}, r"\bshell\s*=\s*True", "subprocess.run(line, shell=True)", "subprocess.run with a list"),
    ({".py"}, r"\bsubprocess\.get(status)?output\b", "subprocess.getoutput(line)", "subprocess.run with a list"),
    ({".py"}, r"(?<![.\w])(eval|exec)\s*\(", "value = eval(text)", "a parser of what is meant"),
    ({".py"}, r"\b(pickle|marshal|shelve)\b", "import pickle", "JSON or Protocol Buffers"),
    ({".js", ".html"}, r"\b(inner|outer)HTML\b|\binsertAdjacentHTML\b", "cell.innerHTML = one.id;", "element()"),
    ({".js", ".html"}, r"\bdocument\.write|\bsrcdoc\b|\beval\s*\(|\bFunction\s*\(", "eval(text)", "element()"),
    ({".js", ".html"}, r"javascript:", '<a href="javascript:x">', "a listener of the element"),
]


def violations(path: str, text: str) -> list[str]:
    lines = text.splitlines()
    return [
        f"{path}:{number}: {found.group(0)}: {instead} instead"
        for suffixes, pattern, _, instead in RULES
        if Path(path).suffix in suffixes
        for number, line in enumerate(lines, 1)
        if (found := re.search(pattern, line)) and not line.lstrip().startswith(("//", "/*", "#", "*"))
    ]


def sources(root: Path) -> list[Path]:
    paths = (path for folder in FOLDERS for path in (root / folder).rglob("*") if path.is_file())
    ours = (path for path in paths if not NOT_OURS.search(f"/{path.relative_to(root)}"))
    return [path for path in ours if not OF_TESTS.search(f"/{path.relative_to(root)}")]


def main(root: Path) -> int:
    for suffixes, pattern, planted, _ in RULES:
        for suffix in suffixes:
            if len(violations(f"planted{suffix}", f"\n{planted}\n")) == 0:
                sys.exit(f"the rule {pattern} does not find its own example: {planted}")
    known = set().union(*(suffixes for suffixes, *_ in RULES))
    read = [path for path in sources(root) if path.suffix in known]
    if len(read) < 300:
        sys.exit(f"only {len(read)} sources below {root}: is that the root?")
    found = [line for path in read for line in violations(str(path.relative_to(root)), path.read_text("utf-8"))]
    print("\n".join([*found, f"{len(read)} sources, {len(found)} violations"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

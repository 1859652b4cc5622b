"""Tests the recipes: their syntax, their security settings, and their commands."""

from __future__ import annotations

import lzma
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_support import (
    ACTION,
    CI,
    COMPONENT,
    PIPELINES,
    PROJECT,
    TOOLS,
    VENDOR,
    WORKFLOWS,
    content,
    jobs,
    kept_paths,
    name,
    scripts,
    shell,
    steps,
)

BIN = Path(sys.executable).parent


def checked(*command: object) -> None:
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


# ---- well formed


@pytest.mark.parametrize("path", WORKFLOWS, ids=name)
def test_a_workflow_satisfies_the_schema(path: Path):
    checked(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", path)


def test_the_action_satisfies_the_schema():
    checked(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", ACTION)


@pytest.mark.parametrize("path", [*PIPELINES, COMPONENT], ids=name)
def test_a_pipeline_satisfies_the_schema(path: Path, tmp_path: Path):
    documents = path.read_text().split("\n---\n")
    options = ["--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"]
    for index, text in enumerate(documents):
        document = tmp_path / f"{index}.yml"
        document.write_text(text)
        checked(sys.executable, "-m", "check_jsonschema", *options, document)


@pytest.mark.parametrize("path", [CI / "touchstone-ci", CI / "clusterfuzzlite" / "build.sh"], ids=name)
def test_a_script_passes_shellcheck(path: Path):
    checked(BIN / "shellcheck", "--external-sources", "--source-path", TOOLS.parent, path)
    assert os.access(path, os.X_OK)


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION, *PIPELINES, COMPONENT], ids=name)
def test_the_commands_of_a_recipe_pass_shellcheck(path: Path, tmp_path: Path):
    script = tmp_path / "script.sh"
    for _, commands in scripts(path):
        script.write_text(f"#!/bin/bash\nset -euo pipefail\n{commands}\n")
        checked(BIN / "shellcheck", script)


def test_the_dockerfile_passes_hadolint():
    checked(BIN / "hadolint", CI / "clusterfuzzlite" / "Dockerfile")


# ---- security


def test_zizmor_finds_nothing(tmp_path: Path):
    """Except the place of the action, whose owner the user has to write there."""
    paths = [tmp_path / f"{index}.yml" for index, _ in enumerate([*WORKFLOWS, ACTION])]
    for path, recipe in zip(paths, [*WORKFLOWS, ACTION], strict=True):
        text = re.sub("uses: WRITE_ITS_OWNER_HERE/[^ ]+", f"uses: owner/touchstone/action@{'0' * 40}", recipe.read_text())
        path.write_text(text)
    checked(BIN / "zizmor", "--offline", "--no-progress", *paths)


@pytest.mark.parametrize("path", WORKFLOWS, ids=name)
def test_a_workflow_has_least_privileges(path: Path):
    workflow = content(path)
    assert set(workflow["permissions"].values()) == {"read"}
    assert "pull_request_target" not in workflow["on"], "it gives secrets to the code of others"
    for step in steps(path):
        if "actions/checkout@" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION], ids=name)
def test_steps_use_no_code_of_others(path: Path):
    for step in steps(path):
        assert "${{" not in step.get("run", ""), "what others wrote comes in by the environment, never as shell"
    for line in path.read_text().splitlines():
        if "uses:" in line and "uses: WRITE_ITS_OWNER_HERE/touchstone/" not in line:
            assert re.search(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+(\.\d+\.\d+)?$", line), line


def test_a_component_uses_its_inputs_as_variables():
    """So that they cannot become a part of a command; GitLab does not replace anything in their values."""
    job = content(COMPONENT)["$[[ inputs.job ]]"]
    assert "inputs." not in "".join(job["script"])
    for variable in job["variables"].values():
        assert "inputs." not in str(variable) or variable["expand"] is False


def test_an_action_has_one_commit():
    uses = {step["uses"] for path in [*WORKFLOWS, ACTION] for step in steps(path) if "uses" in step}
    actions = sorted(use.split("@")[0] for use in uses)
    assert actions == sorted(set(actions))


@pytest.mark.parametrize("path", WORKFLOWS, ids=name)
def test_a_workflow_ends(path: Path):
    assert content(path)["concurrency"]["cancel-in-progress"] == "${{ github.event_name == 'pull_request' }}"
    for job in jobs(path).values():
        assert job["timeout-minutes"] <= 150


@pytest.mark.parametrize("path", [*sorted({*PIPELINES} - {*VENDOR}), COMPONENT], ids=name)
def test_a_pipeline_ends(path: Path):
    pipeline = content(path)
    if path != COMPONENT:
        assert pipeline["workflow"]["auto_cancel"] == {"on_new_commit": "interruptible"}
    for job in jobs(path).values():
        assert (job if path == COMPONENT else pipeline["default"])["interruptible"] is True
        assert re.fullmatch(r"\d+ minutes", job["timeout"])


@pytest.mark.parametrize("path", PROJECT, ids=name)
def test_every_fuzz_target_is_fuzzed(path: Path):
    fuzz = jobs(path)["fuzz"]
    listed = fuzz["strategy"]["matrix"]["target"] if path in WORKFLOWS else fuzz["parallel"]["matrix"][0]["TARGET"]
    built = re.findall(r"^touchstone_fuzz_target\((\w+)", (TOOLS.parent / "fuzz" / "CMakeLists.txt").read_text(), re.M)
    assert sorted(listed) == sorted(set(built) - {"backend_differential"})


def test_clusterfuzzlite_finds_its_image():
    """The image is in project.yaml, for which its actions search the files of the job."""
    assert content(CI / "clusterfuzzlite" / "project.yaml")["base_os_version"] == "ubuntu-24-04"
    for job in jobs(CI / "clusterfuzzlite" / "workflow.yml").values():
        used = [step["uses"].split("@")[0] for step in job["steps"]]
        assert used.index("actions/checkout") < used.index("google/clusterfuzzlite/actions/build_fuzzers")


@pytest.mark.parametrize("path", PROJECT, ids=name)
def test_lint_has_the_history(path: Path):
    lint = jobs(path)["lint"]
    if path in PIPELINES:
        assert lint["variables"]["GIT_DEPTH"] == "0"
        return
    (checkout,) = [i for i, step in enumerate(lint["steps"]) if "actions/checkout@" in step.get("uses", "")]
    assert lint["steps"][checkout]["with"]["fetch-depth"] == 0
    # Without git, the action would download the files instead of cloning.
    assert any("apt-get install" in step.get("run", "") and " git" in step["run"] for step in lint["steps"][:checkout])


# ---- the commands


class Clone:
    """The environment of a job of Touchstone: tools/ci, the built program, and scripts that only log arguments."""

    def __init__(self, root: Path, tools: Path):
        self.root = root
        self.tools = tools
        shutil.copytree(CI, tools / "ci", ignore=shutil.ignore_patterns("__pycache__"))
        for file in ["lib.sh", "onnx-source.txt"]:
            shutil.copy(TOOLS / file, tools)
        with (tools / "lib.sh").open("a") as lib:
            lib.write("build() { :; }\n")
        self.program = tools.parent / "build" / "release" / "tools" / "touchstone"
        self.program.parent.mkdir(parents=True)
        self.program.symlink_to(os.environ["TOUCHSTONE_PROGRAM"])
        for script in ["setup", "test", "fuzz", "lint", "package", "package_test", "backends/scoreboard"]:
            self.script(script, 'echo "called: ${0##*/} $*"')
        # Some of the cases suffice here.
        self.run_is(
            'arguments=" $* " && arguments=${arguments/ --tier standard / --tier smoke }\n'
            "part='--suite generated --filter quantize_linear/13/f32-f32-?8/*:-*/large/*'\n"
            f"exec {shlex.quote(str(self.program))} run $arguments $part --quiet"
        )

    def script(self, name: str, text: str) -> None:
        path = self.tools / name
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)

    def run_is(self, text: str) -> None:
        self.script("run", text)

    def diff_is(self, text: str) -> None:
        self.script(os.path.relpath(self.program, self.tools), text)

    def shell(self, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return shell(self.root, script, **variables)


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path, tmp_path / "tools")


@pytest.mark.parametrize("path", PROJECT, ids=name)
def test_the_commands_of_a_recipe_work(path: Path, clone: Clone):
    clone.script("apt-get", 'echo "called: apt-get $*"')
    for job, commands in scripts(path):
        summary = clone.root / "step-summary"
        variables = {} if path in WORKFLOWS else {"GITLAB_CI": "true"}
        variables |= {"TARGET": "journal", "MINUTES": "5", "PATH": f"{clone.tools}:{os.environ['PATH']}"}
        result = clone.shell(commands, GITHUB_STEP_SUMMARY=str(summary), **variables)
        assert result.returncode == 0, result.stdout + result.stderr
        if "touchstone-ci" in commands:
            assert " right, 0 wrong, " in summary.read_text()
            for kept in kept_paths(job):
                assert list(clone.root.glob(kept)), f"{kept} is kept, and nothing makes it"
        else:
            assert "called: " in result.stdout


@pytest.mark.parametrize("path", PROJECT, ids=name)
def test_the_options_of_our_scripts_exist(path: Path):
    for _, commands in scripts(path):
        for line in commands.splitlines():
            words = [word for word in shlex.split(line) if not re.match(r"\w+=", word)]
            command = words[0] if words else ""
            if not command.startswith("tools/"):
                continue
            help_text = subprocess.run([TOOLS.parent / command, "--help"], capture_output=True, text=True).stdout
            options = [word for word in words[: words.index("--") if "--" in words else None] if word.startswith("-")]
            assert "Usage: " + command.removeprefix("tools/ci/") in help_text
            assert set(options) <= set(re.findall(r"--[\w-]+", help_text))


@pytest.mark.parametrize("path", PROJECT, ids=name)
def test_findings_are_kept(path: Path):
    fuzz = jobs(path)["fuzz"]
    text = (TOOLS / "fuzz").read_text()
    if path in PIPELINES:
        finds = fuzz["artifacts"]["paths"]
    else:
        finds = [step["with"]["path"] for step in fuzz["steps"] if "upload-artifact" in step.get("uses", "")]
    corpora = [path for path in kept_paths(fuzz) if path not in finds]
    assert finds == ["build/fuzz-finds"]
    assert set(corpora) <= {"build/fuzz-corpus"}
    assert all("$root/" + path in text for path in ["build/fuzz-finds/", "build/fuzz-corpus/"])


@pytest.mark.parametrize("path", PROJECT, ids=name)
def test_findings_of_the_tests_are_kept(path: Path):
    assert {"build/*/Testing/Temporary/LastTest.log", "build/asan/fuzz/finds"} == set(kept_paths(jobs(path)["test"]))
    build = (TOOLS.parent / "fuzz" / "CMakeLists.txt").read_text()
    assert "set(finds ${CMAKE_CURRENT_BINARY_DIR}/finds)" in build
    assert "-artifact_prefix=${finds}/" in build
    assert "TOUCHSTONE_FUZZ_REPRODUCERS=${finds}" in build


# ---- lint


def lint_commands(path: Path) -> str:
    lint = jobs(path)["lint"]
    return "\n".join(lint["script"]) if path in PIPELINES else lint["steps"][-1]["run"]


@pytest.mark.parametrize("path", PROJECT, ids=name)
@pytest.mark.parametrize(("lint", "job"), [(0, 0), (5, 0), (1, 1), (2, 1), (3, 1)])
def test_a_change_is_compared_with_its_target_branch(clone: Clone, path: Path, lint: int, job: int):
    """A change without files to check counts as passing."""
    base = "origin/main"
    if path in WORKFLOWS:
        assert jobs(path)["lint"]["steps"][-1]["env"] == {"BASE": "${{ github.base_ref }}"}
    else:
        base = "0123abc"
    clone.script("lint", f'echo "called: lint $*"; exit {lint}')
    result = clone.shell(lint_commands(path), BASE="main", CI_MERGE_REQUEST_DIFF_BASE_SHA="0123abc")
    assert result.returncode == job, result.stderr
    assert result.stdout.splitlines() == ["called: setup --for test", f"called: lint --changed {base}"]


@pytest.mark.parametrize("path", PROJECT, ids=name)
def test_lint_reads_a_clone_of_another_user(clone: Clone, path: Path):
    subprocess.run(["git", "init", "--quiet", str(clone.root)], check=True)
    clone.script("lint", "GIT_TEST_ASSUME_DIFFERENT_OWNER=1 git rev-parse --git-dir")
    assert clone.shell("tools/lint").returncode == 128
    assert clone.shell(lint_commands(path)).returncode == 0


def test_caches_in_the_clone_do_not_count_as_changes():
    ignored = (TOOLS.parent / ".gitignore").read_text().splitlines()
    for path in sorted({*PIPELINES} & {*PROJECT}):
        cache = content(path)["variables"]["XDG_CACHE_HOME"].removeprefix("$CI_PROJECT_DIR")
        assert f"{cache}/" in ignored


# ---- the output of a backend


def test_github_does_not_interpret_the_output_of_a_backend(clone: Clone):
    clone.run_is("mkdir out; touch out/report.md out/journal.ndjson.gz; echo '::error::of a backend'; exit 1")
    result = clone.shell("tools/ci/touchstone-ci --output out", GITHUB_ACTIONS="true")
    assert result.returncode == 1
    assert_stopped(result.stdout)


def assert_stopped(printed: str) -> None:
    lines = printed.splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    assert re.fullmatch(r"[0-9a-f-]{36}", token)
    assert lines[1:] == ["::error::of a backend", f"::{token}::"]


def test_github_shows_what_is_unexpected(clone: Clone):
    result = clone.shell(f"tools/ci/touchstone-ci -- {WORSE}", GITHUB_ACTIONS="true")
    lines = result.stdout.splitlines()
    end = lines.index(f"::{lines[0].removeprefix('::stop-commands::')}::")
    assert lines[end + 1].startswith("::error title=Touchstone%3A required%2C and not asked%3A ")
    assert not any(line.startswith("::error") for line in lines[:end])
    assert len(lines) <= end + 11
    fine = clone.shell("tools/ci/touchstone-ci", GITHUB_ACTIONS="true")
    assert fine.returncode == 0 and "::error" not in fine.stdout


def test_github_shows_that_something_is_worse_than_the_baseline(clone: Clone):
    clone.shell("tools/ci/touchstone-ci --output before --baseline baseline")
    command = f"tools/ci/touchstone-ci --baseline baseline --gate diff -- {WORSE}"
    worse = clone.shell(command, GITHUB_ACTIONS="true").stdout.splitlines()
    assert worse[-1].startswith("::error title=Touchstone::cases that passed in the baseline no longer do")
    assert worse[-2].startswith("::") and worse[-2].endswith("::")


# ---- touchstone-ci

FEWER = "--assume types=FLOAT,UINT8"  # a backend that supports less than before: everything else is not asked
WORSE = FEWER + " --require all"  # and fails the run
NOTHING = "--assume types=BOOL"  # not one case is asked
REPORTED = ["summary.md", "journal.ndjson.gz", "report.junit.xml", "report.html"]


def test_a_failure_leaves_the_reports(clone: Clone):
    result = clone.shell(f"tools/ci/touchstone-ci -- {WORSE}")
    assert result.returncode == 1
    reports = clone.root / "touchstone-report"
    assert all((reports / file).stat().st_size for file in REPORTED)
    for file in ["report.csv", "report.junit.xml"]:
        assert lzma.decompress((reports / f"{file}.xz").read_bytes()) == (reports / file).read_bytes()


def test_the_report_becomes_the_summary_of_the_job(clone: Clone):
    summary = clone.root / "step-summary"
    summary.write_text("of the step before\n")
    result = clone.shell("tools/ci/touchstone-ci --output out", GITHUB_STEP_SUMMARY=str(summary))
    assert result.returncode == 0, result.stderr
    assert summary.read_text() == "of the step before\n" + (clone.root / "out" / "summary.md").read_text()


@pytest.mark.parametrize(
    ("previous", "now", "code", "said"),
    [
        ("", "", 0, "    no difference in "),
        ("", WORSE, 1, "    newly failing: "),
        (WORSE, "", 0, "    newly passing: "),
        (WORSE, WORSE, 0, "    no difference in "),  # wrong, as before
        ("", FEWER, 1, "pass -> not asked"),  # the run itself ends with 0
        (FEWER, "", 0, "    newly passing: "),
    ],
)
def test_the_gate_diff_fails_for_regressions(clone: Clone, previous: str, now: str, code: int, said: str):
    clone.shell(f"tools/ci/touchstone-ci --output before --baseline baseline -- {previous}")
    result = clone.shell(f"tools/ci/touchstone-ci --baseline baseline --gate diff -- {now}")
    assert result.returncode == code, result.stderr
    assert said in (clone.root / "touchstone-report" / "summary.md").read_text()
    assert_is_baseline(clone, "before" if code else "touchstone-report")


def test_the_gate_diff_fails_until_the_regression_is_mended(clone: Clone):
    clone.shell("tools/ci/touchstone-ci --output before --baseline baseline")
    runs = [clone.shell(f"tools/ci/touchstone-ci --baseline baseline --gate diff -- {now}") for now in [FEWER, FEWER, ""]]
    assert [run.returncode for run in runs] == [1, 1, 0]
    assert ["the baseline stays" in run.stderr for run in runs] == [True, True, False]


@pytest.mark.parametrize(
    ("run", "diff", "code"), [(0, 0, 0), (0, 1, 1), (1, 0, 0), (1, 1, 1), (3, 0, 3), (4, 0, 4), (4, 1, 4), (5, 1, 5)]
)
def test_the_gate_diff_decides_about_complete_runs(clone: Clone, run: int, diff: int, code: int):
    """Also about a run that ends with 0, because cases that are no longer asked do not fail it."""
    clone.run_is(f"mkdir out; touch out/report.md out/journal.ndjson.gz; exit {run}")
    clone.diff_is(f"exit {diff}")
    assert clone.shell("tools/ci/touchstone-ci --output out --baseline baseline --gate diff").returncode == code


@pytest.mark.parametrize("gate", ["run", "diff"])
def test_a_run_with_nothing_right_fails_and_is_no_baseline(clone: Clone, gate: str):
    assert clone.shell("tools/ci/touchstone-ci --output before --baseline baseline").returncode == 0
    result = clone.shell(f"tools/ci/touchstone-ci --baseline baseline --gate {gate} -- {NOTHING}")
    assert result.returncode == 5
    assert "touchstone-ci: nothing is right" in result.stderr
    assert "pass -> not asked" in (clone.root / "touchstone-report" / "summary.md").read_text()
    assert_is_baseline(clone, "before")


def test_the_gate_run_shows_a_baseline_but_fails_for_every_failure(clone: Clone):
    clone.shell(f"tools/ci/touchstone-ci --output before --baseline baseline -- {WORSE}")
    assert clone.shell(f"tools/ci/touchstone-ci --baseline baseline -- {WORSE}").returncode == 1


@pytest.mark.parametrize("journal", [None, "", "damaged\n"])
def test_without_a_baseline_the_run_decides(clone: Clone, journal: str | None):
    if journal is not None:
        (clone.root / "baseline").mkdir()
        (clone.root / "baseline" / "journal.ndjson.gz").write_text(journal)
    result = clone.shell(f"tools/ci/touchstone-ci --baseline baseline --gate diff -- {WORSE}")
    assert result.returncode == 1
    assert "### Since the baseline" in (clone.root / "touchstone-report" / "summary.md").read_text()
    assert_is_baseline(clone, "touchstone-report")


def assert_is_baseline(clone: Clone, report: str) -> None:
    journals = [clone.root / folder / "journal.ndjson.gz" for folder in ["baseline", report]]
    assert journals[0].read_bytes() == journals[1].read_bytes()


@pytest.mark.parametrize("code", [2, 3, 4, 5])
@pytest.mark.parametrize("reported", [True, False])
def test_an_incomplete_run_is_not_a_baseline(clone: Clone, code: int, reported: bool):
    clone.run_is(f"mkdir out; {'echo incomplete >out/report.md;' if reported else ''} exit {code}")
    result = clone.shell("tools/ci/touchstone-ci --output out --baseline baseline --gate diff")
    assert result.returncode == code
    assert (clone.root / "out" / "summary.md").exists() == reported
    assert not (clone.root / "baseline").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        "--nosuch",
        "--gate",
        "--gate both",
        "--tier smoke",
        "--shard 1/2 --merge shards",
        "--merge shards -- --tier smoke",
    ],
)
def test_wrong_usage(clone: Clone, arguments: str):
    result = clone.shell(f"tools/ci/touchstone-ci {arguments}")
    assert result.returncode == 2
    assert re.search("--gate|--merge", result.stderr)


@pytest.mark.parametrize(("run", "job"), [(0, 0), (1, 0), (2, 2), (3, 3), (4, 0), (5, 5)])
def test_the_merge_decides_about_what_a_shard_found(clone: Clone, run: int, job: int):
    clone.run_is(f'echo "called: $*"; mkdir out; touch out/report.md; exit {run}')
    result = clone.shell("tools/ci/touchstone-ci --shard 3/8 --output out -- --tier smoke")
    assert result.returncode == job
    assert result.stdout == "called: --output out --shard 3/8 --tier smoke\n"
    assert not (clone.root / "out" / "summary.md").exists()


def test_the_merge_fails_if_a_shard_is_missing(clone: Clone):
    assert clone.shell("tools/ci/touchstone-ci --shard 1/2 --output shards/1 -- --tier smoke").returncode == 0
    result = clone.shell("tools/ci/touchstone-ci --merge shards --baseline baseline --gate diff")
    assert result.returncode == 4
    assert "--shard 2/2" in result.stderr
    assert not (clone.root / "baseline").exists()


def test_the_merge_fails_for_what_a_shard_found(clone: Clone):
    for index in [1, 2]:
        shard = f"--shard {index}/2 --output shards/{index}"
        assert clone.shell(f"tools/ci/touchstone-ci {shard} -- {WORSE}").returncode == 0
    assert clone.shell("tools/ci/touchstone-ci --merge shards").returncode == 1
    assert " not asked, " in (clone.root / "touchstone-report" / "summary.md").read_text()


def test_hostile_names_cannot_end_the_block_of_changes(clone: Clone):
    """Names of cases come from directories of tests, which may be untrusted."""
    clone.diff_is("printf 'newly failing: 1\\n\\n```\\n<b>\\n'; exit 1")
    clone.run_is("mkdir out; touch out/report.md out/journal.ndjson.gz; exit 1")
    clone.shell("tools/ci/touchstone-ci --output out --baseline baseline")
    lines = (clone.root / "out" / "summary.md").read_text().split("### Since the baseline\n")[1].splitlines()
    assert all(line.startswith("    ") for line in lines if line)

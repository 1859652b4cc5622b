"""Runs the action, the component and the recipes for vendors, in clones of a small project that has a backend."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from test_support import (
    ACTION,
    CI,
    COMPONENT,
    PIPELINES,
    TOOLS,
    WORKFLOWS,
    content,
    jobs,
    kept_paths,
    name,
    scripts,
    shell,
)

SHARDED = [CI / "github" / "vendor-shards.yml", CI / "gitlab" / "vendor-shards.gitlab-ci.yml"]
SOME_CASES = {"tier": "smoke", "filter": "quantize_linear/13/f32-f32-?8/*:-*/large/*"}
OWNER = "WRITE_ITS_OWNER_HERE"
FEWER = {"assume": "types=FLOAT,UINT8 constant-scales"}  # everything else is not asked


# ---- a wheel, and a project


def write_wheel(folder: Path, distribution: str, files: dict[str, str]) -> None:
    """Files in the layout of wheels."""
    info = f"{distribution}.dist-info"
    files |= {
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: {}\nVersion: {}\n".format(*distribution.split("-")),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "".join(f"{file},,\n" for file in [*files, f"{info}/METADATA", f"{info}/WHEEL"]),
    }
    with zipfile.ZipFile(folder / f"{distribution}-py3-none-any.whl", "w") as wheel:
        for file, text in files.items():
            entry = zipfile.ZipInfo(file)
            entry.external_attr = 0o100755 << 16
            wheel.writestr(entry, text)


def make_wheel_of_the_build(folder: Path) -> None:
    """A package like that of tools/package, whose program is the one that was built here. It notes its arguments."""
    program = shlex.quote(os.environ["TOUCHSTONE_PROGRAM"])
    start = f'#!/bin/bash\nprintf "%s\\n" "$*" >>"${{CALLS:-/dev/null}}"\nexec {program} "$@"\n'
    scripts = "touchstone_onnx-1.0.0.data/data/bin"
    script = (CI / "touchstone-ci").read_text()
    write_wheel(folder, "touchstone_onnx-1.0.0", {f"{scripts}/touchstone": start, f"{scripts}/touchstone-ci": script})


def copy_wheel_of_dist(folder: Path) -> None:
    """The package in dist/, if it is of this state of tools/ci."""
    for wheel in (TOOLS.parent / "dist").glob("touchstone_onnx-*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            for file in archive.namelist():
                if file.endswith("/bin/touchstone-ci") and archive.read(file) == (CI / "touchstone-ci").read_bytes():
                    shutil.copy(wheel, folder)
                    return
    pytest.skip("dist/ has no wheel with this touchstone-ci; tools/package wheel makes it")


PYPROJECT = """
[build-system]
requires = []
build-backend = "build_backend"
backend-path = ["."]
"""
BUILD_BACKEND = """
import pathlib, zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    with zipfile.ZipFile(pathlib.Path(folder, "my_runtime-1-py3-none-any.whl"), "w") as wheel:
        wheel.write("my_runtime/backend.py")
        info = "my_runtime-1.dist-info"
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\\nName: my_runtime\\nVersion: 1\\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{info}/RECORD", "")
    return "my_runtime-1-py3-none-any.whl"
"""
# What the backend answers is right, because it asks Touchstone.
BACKEND = """
from touchstone.backend import optimized
prepare = optimized.prepare
"""


class Job:
    """A clean clone of a project with a backend, a Python, and a wheel of Touchstone. Nothing else is shared."""

    def __init__(self, folder: Path, make_wheel):
        self.folder = folder
        project, wheels = folder / "project", folder / "wheels"
        (project / "my_runtime").mkdir(parents=True)
        wheels.mkdir()
        make_wheel(wheels)
        (project / "pyproject.toml").write_text(PYPROJECT)
        (project / "build_backend.py").write_text(BUILD_BACKEND)
        (project / "my_runtime" / "backend.py").write_text(BACKEND)
        identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"]
        for command in [["init", "--quiet"], ["add", "."], [*identity, "commit", "--quiet", "--message=all"]]:
            subprocess.run(["git", *command], cwd=project, check=True)

        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "python"], check=True)
        python = folder / "python" / "bin"
        # pip, and the packages that the wheel needs, are those that are installed here.
        query = [python / "python3", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        site = Path(subprocess.check_output(query, text=True).strip())
        (site / "installed.pth").write_text(sysconfig.get_path("purelib") + "\n")
        (self.wheel,) = wheels.iterdir()
        self.variables = {
            "PATH": f"{python}:{os.environ['PATH']}",
            "PIP_NO_INDEX": "1",
            "CALLS": str(folder / "calls"),
        }

    def clone(self) -> Path:
        workspace = self.folder / "workspace"
        shutil.rmtree(workspace, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", self.folder / "project", workspace], check=True)
        return workspace

    def calls(self) -> str:
        return (self.folder / "calls").read_text()


# ---- the engines, as far as the recipes use them


class Result:
    def __init__(self, code: int, printed: str, summary: Path, kept: Path):
        self.code = code
        self.printed = printed
        self.summary = summary.read_text() if summary.exists() else ""
        self.kept = sorted(str(path.relative_to(kept)) for path in kept.rglob("*") if path.is_file())


class GitHub:
    recipe = CI / "github" / "vendor.yml"

    def __init__(self, job: Job):
        self.job = job

    def run(self, inputs: dict[str, str], event: str) -> Result:
        """The steps of vendor.yml and of the action, with more inputs, until one fails."""
        workspace = self.job.clone()
        summary, outputs, kept = (self.job.folder / name for name in ["summary", "outputs", "artifact"])
        summary.unlink(missing_ok=True)
        outputs.unlink(missing_ok=True)
        shutil.rmtree(kept, ignore_errors=True)
        (vendor,) = jobs(self.recipe).values()
        (use,) = [step for step in vendor["steps"] if step.get("uses", "").startswith(f"{OWNER}/touchstone/")]
        assert use["uses"].split("@")[0] == f"{OWNER}/touchstone/" + str(ACTION.parent.relative_to(TOOLS.parent))
        action = content(ACTION)
        assert set(use["with"]) | set(inputs) <= set(action["inputs"])
        given = {key: value.get("default", "") for key, value in action["inputs"].items()} | use["with"]
        given |= {"package": str(self.job.wheel)} | inputs
        conditions = {
            None: lambda failed: not failed,
            "always()": lambda failed: True,
            "inputs.cpu": lambda failed: given["cpu"] and not failed,
            "inputs.baseline": lambda failed: given["baseline"] and not failed,
            "!cancelled() && inputs.baseline && github.event_name == 'push' && "
            "github.ref_name == github.event.repository.default_branch": lambda failed: (
                given["baseline"] and event == "push"
            ),
        }

        def text(value: str) -> str:
            return re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda match: given[match[1]], value)

        code, printed = 0, ""
        before = [step for step in vendor["steps"] if "run" in step]
        for step in [*before, *action["runs"]["steps"]]:
            if not conditions[step.get("if")](code):
                continue
            if "run" in step:
                variables = {key: text(value) for key, value in step.get("env", {}).items()}
                variables |= {"GITHUB_OUTPUT": str(outputs), "GITHUB_STEP_SUMMARY": str(summary)}
                result = shell(workspace, step["run"], **self.job.variables, **variables)
                code, printed = result.returncode, printed + result.stdout + result.stderr
                continue
            paths = [text(path) for path in step["with"]["path"].splitlines()]
            cache = self.job.folder / "cache"
            match step["uses"].split("@")[0]:
                case "actions/cache/restore" if cache.exists():
                    assert re.sub(r"\$\{\{ github.*", "", step["with"]["key"]) == step["with"]["restore-keys"]
                    shutil.copytree(cache, workspace / paths[0])
                case "actions/cache/save" if (workspace / paths[0]).exists():
                    shutil.copytree(workspace / paths[0], cache, dirs_exist_ok=True)
                case "actions/upload-artifact" if (workspace / paths[0]).exists():
                    shutil.copytree(workspace / paths[0], kept / paths[0])
                    for path in paths[1:]:
                        (kept / path.removeprefix("!")).unlink()
        if outputs.exists():
            assert outputs.read_text() == f"exit-code={code}\n"
        return Result(code, printed, summary, kept)


class GitLab:
    recipe = CI / "gitlab" / "vendor.gitlab-ci.yml"

    def __init__(self, job: Job):
        self.job = job

    def run(self, inputs: dict[str, str], event: str) -> Result:
        """The job of the component, with more inputs, merged with that of vendor.gitlab-ci.yml."""
        workspace = self.job.clone()
        kept = self.job.folder / "artifact"
        shutil.rmtree(kept, ignore_errors=True)
        (include,) = content(self.recipe)["include"]
        assert include["file"] == str(COMPONENT.relative_to(TOOLS.parent))
        spec = next(iter(YAML(typ="safe").load_all(COMPONENT)))["spec"]["inputs"]
        assert set(include["inputs"]) | set(inputs) <= set(spec)
        given = {key: value.get("default", "") for key, value in spec.items()} | include["inputs"]
        given |= {"package": str(self.job.wheel)} | inputs
        replaced = re.sub(
            r"\$\[\[ inputs\.(\w+) \]\]",
            lambda match: given[match[1]],
            COMPONENT.read_text().split("\n---\n")[1],
        )
        (key,) = jobs(self.recipe)
        merged = YAML(typ="safe").load(replaced)[key] | jobs(self.recipe)[key]
        variables = {k: v["value"] for k, v in merged["variables"].items() if isinstance(v, dict)}
        cache = self.job.folder / "cache"
        (path,) = merged["cache"]["paths"]
        if cache.exists():
            shutil.copytree(cache, workspace / path)
        commands = "\n".join([*merged["before_script"], *merged["script"]])
        result = shell(workspace, commands, **self.job.variables, **variables)
        if event == "push" and (workspace / path).exists():
            shutil.copytree(workspace / path, cache, dirs_exist_ok=True)
        for path in merged["artifacts"]["paths"]:
            if (workspace / path).exists():
                shutil.copytree(workspace / path, kept / path)
        if kept.exists():
            assert (workspace / merged["artifacts"]["reports"]["junit"]).exists()
            for path in merged["artifacts"]["exclude"]:
                (kept / path).unlink()
        summary = workspace / "touchstone-report" / "summary.md"
        return Result(result.returncode, result.stdout + result.stderr, summary, kept)


@pytest.fixture(params=[GitHub, GitLab])
def engine(request: pytest.FixtureRequest, tmp_path: Path):
    return request.param(Job(tmp_path, make_wheel_of_the_build))


# ---- what a vendor sees


# What no account of the engine can be called: GitHub permits at most one underscore, and GitLab no spaces.
IMPOSSIBLE = {"github/vendor.yml": r"\w*_\w*_\w*", "gitlab/vendor.gitlab-ci.yml": r"<.* .*>"}


@pytest.mark.parametrize("recipe", IMPOSSIBLE)
def test_a_recipe_that_nobody_adapted_uses_no_code_of_others(recipe):
    """The engine then shows the words instead of the owner, because it finds no such repository."""
    (owner,) = re.findall(r"(?:uses|project): (.*)/touchstone\b(?!-)", (CI / recipe).read_text())
    assert re.fullmatch(IMPOSSIBLE[recipe], owner)


@pytest.mark.parametrize("recipe", [*IMPOSSIBLE, *map(name, SHARDED)])
def test_a_recipe_without_a_wheel_fails_with_a_sentence(recipe, tmp_path: Path):
    (words,) = re.findall(r"(?:package|TOUCHSTONE): (.*) # CHANGE", (CI / recipe).read_text())
    assert " " in words, "no package can have that name"
    job = Job(tmp_path, make_wheel_of_the_build)
    for _, commands in scripts(CI / recipe) if CI / recipe in SHARDED else []:
        result = shell(job.clone(), commands, **job.variables, TOUCHSTONE=words)
        assert result.returncode != 0 and f"Invalid requirement: '{words}'" in result.stderr
    for engine in GitHub(job), GitLab(job):
        if engine.recipe == CI / recipe:
            result = engine.run({"package": words}, "push")
            assert result.code != 0 and f"Invalid requirement: '{words}'" in result.printed
    assert not (tmp_path / "calls").exists()


def test_the_action_needs_a_package(tmp_path: Path):
    result = GitHub(Job(tmp_path, make_wheel_of_the_build)).run({"package": ""}, "push")
    assert result.code != 0 and "the input package is missing" in result.printed


def test_the_hash_of_a_url_is_compared(engine):
    result = engine.run({"package": f"{engine.job.wheel.as_uri()}#sha256={'0' * 64}"}, "push")
    assert result.code != 0 and "DO NOT MATCH THE HASHES" in result.printed


@pytest.mark.parametrize("make_wheel", [make_wheel_of_the_build, copy_wheel_of_dist])
@pytest.mark.parametrize("engine_type", [GitHub, GitLab])
def test_a_change_is_compared_with_the_main_branch(engine_type, make_wheel, tmp_path: Path):
    engine = engine_type(Job(tmp_path, make_wheel))
    first = engine.run(SOME_CASES, "push")
    assert first.code == 0, first.printed
    assert " right, 0 wrong, " in first.summary
    kept = {Path(path).name for path in first.kept}
    assert {"report.csv.xz", "report.junit.xml.xz", "report.html", "journal.ndjson.gz", "summary.md"} <= kept
    assert not {"report.csv", "report.junit.xml"} & kept

    same = engine.run(SOME_CASES, "pull_request")
    assert same.code == 0, same.printed
    assert "    no difference in " in same.summary

    fewer = engine.run(SOME_CASES | FEWER, "pull_request")
    assert fewer.code == 1, fewer.printed
    assert "pass -> not asked" in fewer.summary
    assert fewer.kept

    # It did not become the baseline.
    assert "    no difference in " in engine.run(SOME_CASES, "pull_request").summary


def test_without_a_baseline_nothing_is_compared(engine):
    engine.run(SOME_CASES, "push")
    result = engine.run(SOME_CASES | FEWER | {"baseline": ""}, "pull_request")
    assert result.code == 0, result.printed
    assert "Since the baseline" not in result.summary


def test_known_failures_decide_what_fails(engine):
    """Also with a baseline, in which the case failed as well."""
    (engine.job.folder / "project" / "known.json").write_text('{"expectations": []}\n')
    commit = "git add . && git -c user.name=test -c user.email=test@example.com commit --quiet --message=known"
    assert shell(engine.job.folder / "project", commit).returncode == 0
    wrong = SOME_CASES | {"backend": "wrong:rounds-half-up"}
    assert engine.run(wrong, "push").code == 1
    assert engine.run(wrong, "pull_request").code == 0
    result = engine.run(wrong | {"expectations": "known.json"}, "pull_request")
    assert result.code == 1, result.printed
    assert "    no difference in " in result.summary


def test_a_backend_that_cannot_start_fails_and_says_why(engine):
    result = engine.run({"backend": "onnx:no_such_module"}, "push")
    assert result.code == 3
    assert "no_such_module" in result.printed


def test_every_input_is_given_to_the_program_as_one_argument(engine):
    hostile = '*"; $(touch hacked) `touch hacked` $HOME &'
    result = engine.run({"filter": hostile, "require": hostile, "tier": "smoke", **FEWER}, "push")
    assert result.code == 5, result.printed  # no id is like that
    assert not list(engine.job.folder.rglob("hacked"))
    (call,) = [line for line in engine.job.calls().splitlines() if line.startswith("run ")]
    python = re.escape(str(engine.job.folder / "python" / "bin")) + r"/python[\d.]*"
    assert re.fullmatch(
        "run --output touchstone-report --backend onnx:my_runtime.backend --python " + python + " --tier smoke "
        f"--filter {re.escape(hostile)} --require {re.escape(hostile)} "
        "--assume types=FLOAT,UINT8 --assume constant-scales",
        call,
    )


def test_limits_are_words_and_not_patterns_of_files(engine):
    result = engine.run({"assume": "*"}, "push")
    assert result.code == 2, result.printed
    assert " --assume *" in engine.job.calls()


# ---- shards


def shard_variables(path: Path, job: dict) -> list[dict[str, str]]:
    """What the engine sets in each job that runs a shard."""
    if path in PIPELINES:
        count = job["parallel"]
        return [{"CI_NODE_INDEX": str(index), "CI_NODE_TOTAL": str(count)} for index in range(1, count + 1)]
    (step,) = [step for step in job["steps"] if "env" in step]
    assert step["env"] == {"SHARD": "${{ matrix.shard }}/${{ strategy.job-total }}"}
    shards = job["strategy"]["matrix"]["shard"]
    return [{"SHARD": f"{shard}/{len(shards)}"} for shard in shards]


@pytest.mark.parametrize("path", SHARDED, ids=name)
def test_the_shards_of_a_recipe_become_one_report(path: Path, tmp_path: Path):
    job = Job(tmp_path, make_wheel_of_the_build)
    variables = job.variables | {"TOUCHSTONE": str(job.wheel)}
    (shards, shard_commands), (merge, merge_commands) = scripts(path)
    some = "--tier smoke --filter 'quantize_linear/13/f32-f32-?8/*:-*/large/*'"
    assert "--tier standard" in shard_commands
    shard_commands = shard_commands.replace("--tier standard", some)
    artifacts = tmp_path / "artifacts"
    artifacts.mkdir()
    for index, shard in enumerate(shard_variables(path, shards), 1):
        workspace = job.clone()
        result = shell(workspace, shard_commands, **variables, **shard)
        assert result.returncode == 0, result.stdout + result.stderr
        (kept,) = kept_paths(shards)
        if path in WORKFLOWS:  # upload-artifact, with the name of the shard
            (workspace / kept).rename(artifacts / f"shard-{index}")
        else:
            shutil.copytree(workspace / kept, artifacts, dirs_exist_ok=True)

    workspace = job.clone()
    folder = kept
    if path in WORKFLOWS:
        (download,) = [step["with"] for step in merge["steps"] if "download-artifact" in step.get("uses", "")]
        assert all(artifact.match(download["pattern"]) for artifact in artifacts.iterdir())
        folder = download["path"]
    shutil.copytree(artifacts, workspace / folder)
    engine = {} if path in WORKFLOWS else {"GITLAB_CI": "true"}
    result = shell(workspace, merge_commands, **variables, **engine)
    assert result.returncode == 0, result.stdout + result.stderr
    for kept in kept_paths(merge):
        assert (workspace / kept).exists(), f"{kept} is kept, and nothing makes it"

    whole = f"touchstone run --backend onnx:my_runtime.backend {some} --output whole"
    assert shell(workspace, whole, **variables).returncode == 0
    for report in ["report.json", "report.csv", "report.junit.xml"]:
        merged = (workspace / "touchstone-report" / report).read_bytes()
        assert merged == (workspace / "whole" / report).read_bytes()

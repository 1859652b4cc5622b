"""Tests the manifests, scripts and commands in this folder, without the engines. slurm/test runs Slurm."""

from __future__ import annotations

import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from ruamel.yaml import YAML

CLUSTER = Path(__file__).parent
ROOT = CLUSTER.parents[1]
BIN = Path(sys.executable).parent
KUBERNETES = CLUSTER / "kubernetes"
MANIFESTS = ["volume.yaml", "shards.yaml", "merge.yaml"]
SCRIPTS = [
    CLUSTER / "bazel" / "merge",
    CLUSTER / "bazel" / "shard.sh",
    *(CLUSTER / "slurm" / script for script in ["local-cluster", "merge.sbatch", "shards.sbatch", "test"]),
]
REPORTS = ["report.json", "report.html", "report.junit.xml", "report.csv", "report.md"]
# Some of the cases suffice here.
SOME_CASES = "--filter=quantize_linear/13/f32-f32-?8/*:-*/large/*"
# Without experiments: those of shards are not those of one run.
OPTIONS = ["--suite=generated", "--tier=smoke", SOME_CASES, "--backend=wrong:rounds-half-up", "--experiments=0"]


def checked(*command: object) -> str:
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def run(*command: object, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a command as an engine does: with the program in the PATH, and the variables of the engine."""
    path = f"{Path(os.environ['TOUCHSTONE_PROGRAM']).parent}:{os.environ['PATH']}"
    words = [str(word) for word in command]
    return subprocess.run(words, env={**os.environ, "PATH": path, **variables}, capture_output=True, text=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same cases in one run, with unexpected results."""
    directory = tmp_path_factory.mktemp("whole") / "run"
    assert run("touchstone", "run", "--output", directory, "--quiet", *OPTIONS).returncode == 1
    return directory


def assert_same_reports(merged: Path, whole: Path) -> None:
    for report in REPORTS:
        assert (merged / report).read_bytes() == (whole / report).read_bytes(), report


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(CLUSTER)))
def test_a_script_passes_shellcheck(path: Path):
    checked(BIN / "shellcheck", "--external-sources", "--source-path", ROOT, path)
    assert path.suffix == ".sbatch" or os.access(path, os.X_OK)


# ---- Slurm: what slurm/test does not run


@pytest.mark.parametrize("arguments", [[], ["--nosuch"]])
def test_a_cluster_needs_a_command(arguments: list[str]):
    result = run(CLUSTER / "slurm" / "local-cluster", *arguments)
    assert result.returncode == 2
    assert "Usage: tools/cluster/slurm/local-cluster" in result.stderr


class Tasks:
    """Runs tasks of shards.sbatch as Slurm does, in a directory of their own."""

    def __init__(self, directory: Path):
        self.directory = directory

    def run(self, task: int, array: list[int], *arguments: str) -> subprocess.CompletedProcess[str]:
        return run(
            "bash",
            CLUSTER / "slurm" / "shards.sbatch",
            self.directory,
            *arguments,
            SLURM_ARRAY_TASK_ID=str(task),
            SLURM_ARRAY_TASK_MIN=str(min(array)),
            SLURM_ARRAY_TASK_MAX=str(max(array)),
            SLURM_ARRAY_TASK_COUNT=str(len(array)),
            SLURM_ARRAY_TASK_STEP="1",
            SLURM_CPUS_PER_TASK="1",
            SLURM_JOB_ID="1",
            SLURMD_NODENAME="n1",
        )

    def merge(self) -> subprocess.CompletedProcess[str]:
        return run("bash", CLUSTER / "slurm" / "merge.sbatch", self.directory)


def test_tasks_that_are_submitted_again_run_the_same_shards(tmp_path: Path, whole: Path):
    tasks = Tasks(tmp_path)
    for task in [1, 2, 3]:
        assert tasks.run(task, [1, 2, 3, 4], "4", *OPTIONS).returncode in (0, 1)
    shutil.rmtree(tmp_path / "1")
    missing = tasks.merge()
    assert missing.returncode == 4
    assert f"--shard 1/4 --output {tmp_path}/1\n" in missing.stderr
    assert "missing shards: 1,4\n" in missing.stderr
    for task in [1, 4]:
        result = tasks.run(task, [1, 4], "4", *OPTIONS)
        assert result.returncode in (0, 1), result.stderr
    assert tasks.run(3, [3], "4", *OPTIONS).returncode in (0, 1), "continues"
    assert tasks.merge().returncode == 1
    assert_same_reports(tmp_path / "report", whole)


def test_a_task_needs_the_number_of_shards(tmp_path: Path):
    result = Tasks(tmp_path).run(3, [1, 2, 3, 4], *OPTIONS)
    assert result.returncode == 2
    assert f"--shard: '3/{OPTIONS[0]}' is not I/N" in result.stderr


def test_the_cost_is_measured():
    printed = run(CLUSTER / "cost", "--suite=generated", "--tier=smoke", "--filter=quantize_linear/13/f32*")
    assert printed.returncode == 0, printed.stderr
    for row in [r"1 \| [\d.]+ s \| \| \| \|", r"16 \| [\d.]+ s \| -?[\d.]+ s \| [\d.]+ s \| \d+ MB \|"]:
        assert re.search(rf"^\| {row}$", printed.stdout, re.M), printed.stdout
    assert re.search(r"lines of the journal have \d+ bytes on average, \d+ in the file", printed.stdout)


# ---- Kubernetes


def manifest(name: str) -> dict:
    return YAML(typ="safe").load(KUBERNETES / name)


def container(job: dict) -> dict:
    (only,) = job["spec"]["template"]["spec"]["containers"]
    return only


def action_for(job: dict, exit_code: int) -> str:
    """What Kubernetes does with a pod whose container ends with this code: the first rule that matches decides."""
    for rule in job["spec"]["podFailurePolicy"]["rules"]:
        if exit_code in rule.get("onExitCodes", {}).get("values", []):
            return rule["action"]
    return "Count"


# 1.29 is the first version that has the action FailIndex.
@pytest.mark.parametrize("version", ["1.29.0", "1.33.0", "1.37.0"])
@pytest.mark.parametrize("name", MANIFESTS)
def test_a_manifest_satisfies_the_schema(name: str, version: str):
    options = ["--strict", "--kubernetes-version", version]
    printed = checked(sys.executable, "-m", "kubernetes_validate", *options, KUBERNETES / name)
    assert "passed for resource" in printed, "a resource without a schema is no error"


def test_the_kustomization_has_every_manifest():
    kustomization = manifest("kustomization.yaml")
    assert kustomization["resources"] == MANIFESTS
    assert {*MANIFESTS, "kustomization.yaml"} == {path.name for path in KUBERNETES.glob("*.yaml")}
    names = {container(manifest(name))["image"] for name in ["shards.yaml", "merge.yaml"]}
    assert [image["name"] for image in kustomization["images"]] == list(names)


@pytest.mark.parametrize("name", ["shards.yaml", "merge.yaml"])
def test_a_job_satisfies_rules_that_no_schema_has(name: str):
    job = manifest(name)
    pod = job["spec"]["template"]["spec"]
    assert pod["restartPolicy"] == "Never", "podFailurePolicy needs it"
    actions = [rule["action"] for rule in job["spec"]["podFailurePolicy"]["rules"]]
    if "FailIndex" in actions:
        assert job["spec"]["completionMode"] == "Indexed"
        assert "backoffLimitPerIndex" in job["spec"]
    for rule in job["spec"]["podFailurePolicy"]["rules"]:
        assert ("onExitCodes" in rule) != ("onPodConditions" in rule)
        if codes := rule.get("onExitCodes"):
            assert codes["containerName"] == container(job)["name"]
            assert codes["values"] == sorted({*codes["values"]} - {0})
    mounted = [mount["name"] for mount in container(job)["volumeMounts"]]
    assert mounted == [volume["name"] for volume in pod["volumes"]]
    claims = [volume["persistentVolumeClaim"]["claimName"] for volume in pod["volumes"]]
    assert claims == [manifest("volume.yaml")["metadata"]["name"]]


@pytest.mark.parametrize(
    ("exit_code", "shard", "merge"),
    [
        (2, "FailIndex", "FailJob"),
        (3, "Count", "Count"),
        (4, "FailIndex", "FailJob"),
        (5, "FailIndex", "FailJob"),
        (137, "Count", "Count"),
    ],
)
def test_only_a_failed_backend_or_machine_is_retried(exit_code: int, shard: str, merge: str):
    assert action_for(manifest("shards.yaml"), exit_code) == shard
    assert action_for(manifest("merge.yaml"), exit_code) == merge


def test_an_unexpected_result_fails_only_the_merge(tmp_path: Path):
    assert run("touchstone", "run", "--output", tmp_path / "shard", "--shard=1/16", *OPTIONS).returncode == 1
    result = Pod(tmp_path, "shards.yaml").run(*OPTIONS, JOB_COMPLETION_INDEX="0")
    assert result.returncode == 0, result.stderr
    assert action_for(manifest("merge.yaml"), 1) == "FailJob"


class Pod:
    """Runs the command of a container as it is, except that the mounted volume is a directory here."""

    def __init__(self, volume: Path, name: str):
        job = manifest(name)
        (mount,) = container(job)["volumeMounts"]
        self.command = [word.replace(mount["mountPath"], str(volume)) for word in container(job)["command"]]
        self.variables = {variable["name"]: variable["value"] for variable in container(job)["env"]}
        self.completions = job["spec"].get("completions")

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return run(*self.command, *arguments, **self.variables, **variables)


def test_the_commands_of_the_jobs_make_one_report(tmp_path: Path, whole: Path):
    pod = Pod(tmp_path, "shards.yaml")
    for index in range(pod.completions):
        result = pod.run(*OPTIONS, JOB_COMPLETION_INDEX=str(index))
        assert result.returncode == 0, result.stderr
        assert f"the shard {index + 1}/{pod.completions}" in result.stderr
    result = Pod(tmp_path, "merge.yaml").run()
    assert result.returncode == 1, result.stderr
    assert f"{pod.completions} of {pod.completions} shards have ended" in result.stdout
    assert_same_reports(tmp_path / "report", whole)


def test_a_pod_continues_the_shard_of_an_earlier_pod(tmp_path: Path):
    pod = Pod(tmp_path, "shards.yaml")
    first = pod.run(*OPTIONS, "--time-budget=0.001s", JOB_COMPLETION_INDEX="0")
    assert first.returncode == 4, first.stderr
    journal = tmp_path / "0" / "journal.ndjson.gz"
    begun = journal.read_bytes()
    lines = gzip.decompress(begun)
    other = pod.run(*OPTIONS, "--seed", "2", JOB_COMPLETION_INDEX="0")
    assert other.returncode == 2
    assert "--seed" in other.stderr
    second = pod.run(*OPTIONS, JOB_COMPLETION_INDEX="0")
    assert second.returncode == 0, second.stderr
    whole = gzip.decompress(journal.read_bytes())
    assert whole.startswith(lines[: lines.rindex(b"\n", 0, -1)])
    journal.write_bytes(begun[:30])
    third = pod.run(*OPTIONS, JOB_COMPLETION_INDEX="0")
    assert third.returncode == 0, third.stderr
    assert gzip.decompress(journal.read_bytes()).count(b"\n") == whole.count(b"\n")


def test_the_merge_waits_for_a_shard_that_is_continued(tmp_path: Path, whole: Path):
    shards = Pod(tmp_path, "shards.yaml")
    shards.variables["TOUCHSTONE_SHARDS"] = "2"
    shards.run(*OPTIONS, JOB_COMPLETION_INDEX="0")
    assert shards.run(*OPTIONS, "--time-budget=0.001s", JOB_COMPLETION_INDEX="1").returncode == 4
    merge = Pod(tmp_path, "merge.yaml")
    merge.variables["TOUCHSTONE_SHARDS"] = "2"
    # Instead of waiting, continues the shard.
    continued = shlex.join([*shards.command, *OPTIONS])
    merge.command[2] = merge.command[2].replace("sleep 60", f"JOB_COMPLETION_INDEX=1 {continued}")
    result = merge.run()
    assert result.returncode == 1, result.stderr
    assert "have no result" in result.stderr
    assert_same_reports(tmp_path / "report", whole)


def test_the_merge_does_not_wait_for_ever(tmp_path: Path):
    shards = Pod(tmp_path, "shards.yaml")
    shards.run(*OPTIONS, JOB_COMPLETION_INDEX="3")
    merge = Pod(tmp_path, "merge.yaml")
    merge.variables["LONGEST_WAIT"] = "0"
    result = merge.run()
    assert result.returncode == 4, result.stderr
    assert f"1 of {shards.completions} shards have ended" in result.stdout
    assert f"--shard 1/{shards.completions}" in result.stderr


@pytest.mark.parametrize("name", ["shards.yaml", "merge.yaml"])
def test_the_command_of_a_container_passes_shellcheck(name: str, tmp_path: Path):
    shell, option, text, *_ = container(manifest(name))["command"]
    assert [shell, option] == ["bash", "-c"]
    script = tmp_path / "command.sh"
    script.write_text(f"#!/bin/bash\n{text}")
    checked(BIN / "shellcheck", script)


def test_the_dockerfile_passes_hadolint():
    checked(BIN / "hadolint", KUBERNETES / "Dockerfile")


# ---- Bazel


def bazel_test() -> dict:
    """The arguments of the rule in BUILD.bazel. Starlark is a part of Python."""
    calls = []
    names = {"load": lambda *_: None, "sh_test": lambda **arguments: calls.append(arguments)}
    exec((CLUSTER / "bazel" / "BUILD.bazel").read_text(), names)
    (arguments,) = calls
    return arguments


def test_the_bazel_test_names_what_it_needs():
    rule = bazel_test()
    assert [CLUSTER / "bazel" / source for source in rule["srcs"]] == [CLUSTER / "bazel" / "shard.sh"]
    assert rule["shard_count"] == 16
    assert rule["args"][0] == f"$(rootpath {rule['data'][0]})"
    modules = (CLUSTER / "bazel" / "MODULE.bazel").read_text()
    repositories = {re.match(r"@(\w+)//", label).group(1) for label in rule["data"]}
    assert repositories == set(re.findall(r'^    name = "(\w+)",', modules, re.M))
    (build,) = re.findall(r'^    build_file = "//\w+:([\w.]+)"', modules, re.M)
    assert (CLUSTER / "bazel" / build).exists()


@pytest.mark.parametrize("zipped", [False, True])
def test_the_shards_of_bazel_become_one_report(tmp_path: Path, whole: Path, zipped: bool):
    count = 4
    installation = tmp_path / "touchstone"
    (installation / "bin").mkdir(parents=True)
    shutil.copy(os.environ["TOUCHSTONE_PROGRAM"], installation / "bin" / "touchstone")
    link = tmp_path / "runfiles" / "touchstone" / "bin" / "touchstone"
    link.parent.mkdir(parents=True)
    link.symlink_to(installation / "bin" / "touchstone")
    for index in range(count):
        shard = tmp_path / "logs" / f"shard_{index + 1}_of_{count}"
        outputs = shard / "test.outputs"
        outputs.mkdir(parents=True)
        result = run(
            CLUSTER / "bazel" / "shard.sh",
            link,
            *OPTIONS,
            # What Bazel sets; the variables of GoogleTest are among them.
            TEST_SHARD_INDEX=str(index),
            TEST_TOTAL_SHARDS=str(count),
            TEST_SHARD_STATUS_FILE=str(shard / "test.shard"),
            TEST_UNDECLARED_OUTPUTS_DIR=str(outputs),
            GTEST_SHARD_INDEX=str(index),
            GTEST_TOTAL_SHARDS=str(count),
        )
        assert result.returncode in (0, 1), result.stderr
        assert (shard / "test.shard").exists()
        if zipped:
            with zipfile.ZipFile(tmp_path / "outputs.zip", "w") as archive:
                for file in outputs.rglob("*"):
                    archive.write(file, file.relative_to(outputs))
            shutil.rmtree(outputs / "shard")
            (tmp_path / "outputs.zip").rename(outputs / "outputs.zip")
    result = run(CLUSTER / "bazel" / "merge", tmp_path / "merged", *(tmp_path / "logs").glob(f"shard_*_of_{count}"))
    assert result.returncode == 1, result.stderr
    assert_same_reports(tmp_path / "merged", whole)

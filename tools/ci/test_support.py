"""The recipes, as their tests read and run them."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from ruamel.yaml import YAML

CI = Path(__file__).parent
TOOLS = CI.parent
OWN = sorted((TOOLS.parent / ".github" / "workflows").glob("*.yml"))
WORKFLOWS = [*OWN, *sorted((CI / "github").glob("*.yml")), CI / "clusterfuzzlite" / "workflow.yml"]
ACTION = CI / "github" / "action" / "action.yml"
COMPONENT = CI / "gitlab" / "component.yml"
PIPELINES = sorted({*(CI / "gitlab").glob("*.yml")} - {COMPONENT})
VENDOR = [CI / "github" / "vendor.yml", CI / "gitlab" / "vendor.gitlab-ci.yml"]
PROJECT = [TOOLS.parent / ".github" / "workflows" / "touchstone.yml", CI / "gitlab" / "project.gitlab-ci.yml"]
GITLAB_KEYWORDS = {"workflow", "variables", "default", "include"}


def name(path: Path) -> str:
    return os.path.relpath(path, CI)


def content(path: Path) -> dict:
    """The last document of the file: that of a component follows its inputs."""
    return list(YAML(typ="safe").load_all(path))[-1]


def jobs(path: Path) -> dict[str, dict]:
    if path in WORKFLOWS:
        return content(path)["jobs"]
    return {key: job for key, job in content(path).items() if key not in GITLAB_KEYWORDS and not key.startswith(".")}


def steps(path: Path) -> list[dict]:
    if path == ACTION:
        return content(path)["runs"]["steps"]
    return [step for job in jobs(path).values() for step in job["steps"]]


def scripts(path: Path) -> list[tuple[dict, str]]:
    """Each job that has shell commands, with these as one script."""
    if path == ACTION:
        return [({}, "\n".join(step["run"] for step in steps(path) if "run" in step))]
    if path in WORKFLOWS:
        found = [(job, [step["run"] for step in job["steps"] if "run" in step]) for job in jobs(path).values()]
    else:
        found = [(job, [*job.get("before_script", []), *job.get("script", [])]) for job in jobs(path).values()]
    return [(job, "\n".join(commands)) for job, commands in found if commands]


def shell(folder: Path, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a script like the engines do."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GITHUB_")}
    environment |= {"GIT_CONFIG_GLOBAL": str(folder / "gitconfig")} | variables
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def kept_paths(job: dict) -> list[str]:
    """The paths that a job keeps, except the caches of downloads and of the compiler."""
    if "steps" in job:
        keeping = [s for s in job["steps"] if re.search("upload-artifact|cache/save", s.get("uses", ""))]
        kept = [path for step in keeping for path in step["with"]["path"].splitlines()]
    else:
        caches = job.get("cache", [])
        caches = caches if isinstance(caches, list) else [caches]
        kept = [*job["artifacts"]["paths"], *job["artifacts"].get("reports", {}).values()]
        kept += [path for cache in caches for path in cache["paths"]]
    return [path for path in kept if "cache" not in path and not path.startswith("!")]

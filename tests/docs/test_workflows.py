"""Workflows, issue forms and hooks can be read, and name the same versions as `pyproject.toml`."""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = sorted(
    path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"
)
_PREFIX = "Programming Language :: Python :: "
PYTHONS = [
    line.removeprefix(_PREFIX)
    for line in PROJECT["project"]["classifiers"]
    if line.startswith(_PREFIX)
]


def read(path: Path) -> dict[Any, Any]:
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = read(path)["jobs"]
    return found


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in jobs(path).values() for step in job.get("steps", ())]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_has_triggers_time_limits_and_no_rights_by_default(path: Path) -> None:
    workflow = read(path)
    assert workflow[True]  # `on`, which YAML 1.1 reads as a truth value
    assert workflow["permissions"] == {"contents": "read"}
    for job in jobs(path).values():
        assert "uses" in job or job["timeout-minutes"] <= 60


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_to_a_version_and_scripts_exist(path: Path) -> None:
    for step in steps(path):
        if action := step.get("uses", ""):
            assert re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v\d+)", action)
        for script in re.findall(r"(?:^|\s)(\.ci/[\w-]+)", step.get("run", "")):
            assert os.access(ROOT / script, os.X_OK)


def test_ci_runs_the_supported_versions_of_python_on_each_system() -> None:
    linux, others = (jobs(ROOT / ".github/workflows/ci.yml")[name] for name in ("linux", "others"))
    assert len(PYTHONS) == 4
    for job in (linux, others):
        assert job["strategy"]["matrix"]["python"] == PYTHONS
    assert linux["runs-on"] == "ubuntu-latest"
    assert others["strategy"]["matrix"]["os"] == ["macos-latest", "windows-latest"]
    lowest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert lowest == PYTHONS[0]


def test_ci_finds_the_test_command_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = next(line for line in readme.splitlines() if "bin/pytest" in line)
    assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")
    for script in (ROOT / ".ci/run", ROOT / ".github/workflows/ci.yml"):
        assert "grep -m1 -F 'bin/pytest' README.md" in script.read_text(encoding="utf-8")


def test_a_release_is_tested_attested_and_published_without_a_token() -> None:
    path = ROOT / ".github/workflows/release.yml"
    found = jobs(path)
    assert found["test"]["uses"] == "./.github/workflows/ci.yml"
    assert (found["build"]["needs"], found["publish"]["needs"]) == ("test", "build")
    used = [step.get("uses", "").partition("@")[0] for step in found["build"]["steps"]]
    assert "actions/attest-build-provenance" in used
    assert any(".ci/test-wheel" in step.get("run", "") for step in found["build"]["steps"])
    assert found["publish"]["permissions"] == {"id-token": "write"}
    assert found["publish"]["environment"]["name"] == "pypi"
    assert "secrets." not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_an_issue_form_has_named_fields_of_known_types(path: Path) -> None:
    form = read(path)
    assert form["name"]
    assert form["description"]
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    names = [field["id"] for field in fields]
    assert len(set(names)) == len(names) > 0
    assert {field["type"] for field in fields} <= {"input", "textarea", "dropdown", "checkboxes"}
    assert all(field["attributes"]["label"] for field in fields)


def test_hooks_before_a_commit_run_the_tools_of_ci() -> None:
    (repository,) = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    programs = {hook["entry"].split()[0] for hook in repository["hooks"]}
    assert programs == {"ruff", "mypy", "lint-imports"}
    ci = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert {program for program in programs if f"bin/{program}" not in ci} == set()


def test_folders_that_the_guide_for_contributors_names_exist() -> None:
    guide = (ROOT / ".github/CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:codeindex|tests|\.ci)/[\w./-]*)`", guide))
    assert len(named) > 20
    assert {path for path in named if not (ROOT / path).exists()} == set()

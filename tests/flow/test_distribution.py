"""What clients install from: what is committed is what the generator makes, by published rules."""

import io
import json
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from codeindex.clients.distribution.__main__ import all_files
from codeindex.clients.distribution.metadata import read_metadata
from codeindex.clients.guidance import DEFAULT_TOOLS

ROOT = Path(__file__).parents[2]
REPOSITORY = "https://github.com/example/codeindex"
TEXT = {"type": "string", "minLength": 1}
NAMES = {"type": "object", "required": ["name"], "properties": {"name": TEXT}}
SERVERS = {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": {
        "type": "object",
        "required": ["command", "args"],
        "properties": {"command": TEXT, "args": {"type": "array", "items": TEXT}},
    },
}
MARKETPLACE = {
    "required": ["name", "owner", "plugins"],
    "properties": {
        "name": {"pattern": "^[a-z0-9-]+$"},
        "owner": NAMES,
        "plugins": {
            "type": "array",
            "minItems": 1,
            "items": {
                "required": ["name", "source"],
                "properties": {
                    "name": {"pattern": "^[a-z0-9-]+$"},
                    "source": {"pattern": r"^\./"},
                },
            },
        },
    },
}
PLUGIN = {
    "required": ["name"],
    "properties": {
        "name": {"pattern": "^[a-z0-9-]+$"},
        "version": {"pattern": r"^\d+\.\d+\.\d+$"},
        "author": NAMES,
        "keywords": {"type": "array", "items": TEXT},
    },
}
HOOKS = {
    "required": ["hooks"],
    "properties": {
        "hooks": {
            "propertyNames": {"enum": ["PreToolUse", "PostToolUse", "SessionStart"]},
            "additionalProperties": {
                "type": "array",
                "items": {
                    "required": ["hooks"],
                    "properties": {
                        "matcher": TEXT,
                        "hooks": {
                            "items": {
                                "oneOf": [
                                    {
                                        "required": ["type", "command"],
                                        "properties": {"type": {"const": "command"}},
                                    },
                                    {
                                        "required": ["type", "server", "tool"],
                                        "properties": {"type": {"const": "mcp_tool"}},
                                    },
                                ]
                            }
                        },
                    },
                },
            },
        }
    },
}
SERVER_JSON = {
    "required": ["$schema", "name", "description", "version", "packages"],
    "properties": {
        "name": {"pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "minLength": 3, "maxLength": 200},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": {"type": "string", "maxLength": 255},
        "repository": {"required": ["url", "source"]},
        "packages": {
            "items": {
                "additionalProperties": False,
                "required": ["registryType", "identifier", "version", "transport"],
                "properties": {
                    "registryType": {"const": "pypi"},
                    "registryBaseUrl": TEXT,
                    "identifier": TEXT,
                    "version": {"type": "string", "not": {"const": "latest"}},
                    "runtimeHint": TEXT,
                    "transport": {
                        "required": ["type"],
                        "properties": {"type": {"const": "stdio"}},
                    },
                    "packageArguments": {
                        "items": {
                            "required": ["type"],
                            "properties": {
                                "type": {"const": "positional"},
                                "format": {"enum": ["string", "number", "boolean", "filepath"]},
                            },
                            "anyOf": [{"required": ["valueHint"]}, {"required": ["value"]}],
                        }
                    },
                },
            }
        },
    },
}
MANIFEST = {
    "required": ["manifest_version", "name", "version", "description", "author", "server"],
    "properties": {
        "manifest_version": {"const": "0.4"},
        "author": NAMES,
        "server": {
            "required": ["type", "entry_point", "mcp_config"],
            "additionalProperties": False,
            "properties": {
                "type": {"enum": ["python", "node", "binary", "uv"]},
                "entry_point": TEXT,
                "mcp_config": {
                    "required": ["command"],
                    "properties": {"command": TEXT, "args": {"items": TEXT}},
                },
            },
        },
        "user_config": {
            "additionalProperties": {
                "required": ["type", "title", "description"],
                "properties": {
                    "type": {"enum": ["string", "number", "boolean", "directory", "file"]}
                },
            }
        },
    },
}
EXTENSION = {
    "required": ["name", "version"],
    "properties": {
        "name": {"pattern": "^[a-z0-9-]+$"},
        "mcpServers": SERVERS,
        "contextFileName": TEXT,
    },
}
PLUGIN_FOLDER = ".claude-plugin/codeindex"
SCHEMAS: dict[str, dict[str, Any]] = {
    ".claude-plugin/marketplace.json": MARKETPLACE,
    f"{PLUGIN_FOLDER}/.claude-plugin/plugin.json": PLUGIN,
    f"{PLUGIN_FOLDER}/.mcp.json": {
        "required": ["mcpServers"],
        "properties": {"mcpServers": SERVERS},
    },
    f"{PLUGIN_FOLDER}/hooks/hooks.json": HOOKS,
    "dist/server.json": SERVER_JSON,
    "dist/gemini-extension/gemini-extension.json": EXTENSION,
}
"""What the published rules require of the fields that we write, in our own words."""


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return dict(all_files(read_metadata(ROOT, repository=REPOSITORY)))


def members(files: dict[str, bytes]) -> dict[str, bytes]:
    (name,) = [name for name in files if name.endswith(".mcpb")]
    with zipfile.ZipFile(io.BytesIO(files[name])) as bundle:
        return {one: bundle.read(one) for one in bundle.namelist()}


def test_committed_files_equal_the_generated_ones(files: dict[str, bytes]) -> None:
    folder = ROOT / ".claude-plugin"
    committed = {
        file.relative_to(ROOT).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }
    assert committed == {name: data for name, data in files.items() if name.startswith(".claude")}


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_file_has_the_fields_that_are_required(name: str, files: dict[str, bytes]) -> None:
    jsonschema.validate(json.loads(files[name]), SCHEMAS[name])


def test_the_bundle_names_the_package_of_its_version(files: dict[str, bytes]) -> None:
    found = members(files)
    manifest = json.loads(found["manifest.json"])
    jsonschema.validate(manifest, MANIFEST)
    assert manifest["server"]["entry_point"] in found
    project = tomllib.loads(found["pyproject.toml"].decode())["project"]
    assert project["dependencies"] == [f"codeindex-local=={manifest['version']}"]
    compile(found["server.py"], "server.py", "exec")


def test_the_plugin_names_the_tools_that_the_server_lists(files: dict[str, bytes]) -> None:
    agent = files[f"{PLUGIN_FOLDER}/agents/codeindex.md"].decode()
    named = [f"mcp__plugin_codeindex_codeindex__{tool}" for tool in DEFAULT_TOOLS]
    assert f"tools: {', '.join(named)}\n" in agent
    skill = files[f"{PLUGIN_FOLDER}/skills/finding-code/SKILL.md"].decode()
    assert [tool for tool in DEFAULT_TOOLS if f"`{tool}`" not in skill] == []
    assert skill.startswith("---\nname: finding-code\ndescription: ")


def test_every_command_line_starts_a_script_of_the_package(files: dict[str, bytes]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = list(command_lines(files))
    assert len(lines) == 3
    for line in lines:
        assert line[:2] == ["uvx", f"codeindex-local@{project['version']}"]
    assert project["scripts"]["codeindex-local"] == project["scripts"]["codeindex"]


def command_lines(files: dict[str, bytes]) -> Iterator[list[str]]:
    """Yield program and arguments of both server entries and of the hook that runs a command."""
    for name in (f"{PLUGIN_FOLDER}/.mcp.json", "dist/gemini-extension/gemini-extension.json"):
        entry = json.loads(files[name])["mcpServers"]["codeindex"]
        yield [entry["command"], *entry["args"]]
    hooks = json.loads(files[f"{PLUGIN_FOLDER}/hooks/hooks.json"])["hooks"]
    for call in (call for groups in hooks.values() for group in groups for call in group["hooks"]):
        if call["type"] == "command":
            yield [call["command"], *call["args"]]


def test_one_command_writes_everything_and_the_same_twice(
    tmp_path: Path, files: dict[str, bytes]
) -> None:
    line = [sys.executable, "-m", "codeindex.clients.distribution", "--to", str(tmp_path)]
    for _ in range(2):
        done = subprocess.run(
            [*line, "--repository", REPOSITORY],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert "mcp-name: io.github.example/codeindex" in done.stderr
        assert done.stdout.split() == list(files)
    written = {
        file.relative_to(tmp_path).as_posix(): file.read_bytes()
        for file in tmp_path.rglob("*")
        if file.is_file()
    }
    assert written == files


@pytest.mark.parametrize("url", ["https://example.org/a/b", "git@github.com:a/b", "a"])
def test_a_repository_that_the_registry_cannot_name_is_refused(url: str) -> None:
    line = [sys.executable, "-m", "codeindex.clients.distribution", "--repository", url]
    done = subprocess.run(line, cwd=ROOT, check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, "is not a repository on GitHub" in done.stderr) == (2, True)


def npm(folder: Path, package: str) -> Path:
    """Install a package of npm; return the folder of its programs."""
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("there is no node or no npm")
    (folder / "package.json").write_text("{}", encoding="utf-8")
    line = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--fetch-retries=0", package]
    done = subprocess.run(
        line, cwd=folder, capture_output=True, text=True, check=False, timeout=240
    )
    if done.returncode:
        pytest.skip(f"npm cannot install {package}: {done.stderr[-300:]}")
    return folder / "node_modules/.bin"


@pytest.mark.node
def test_the_bundle_is_valid_by_its_publisher(tmp_path: Path, files: dict[str, bytes]) -> None:
    programs = npm(tmp_path, "@anthropic-ai/mcpb@2.1.2")
    (tmp_path / "manifest.json").write_bytes(members(files)["manifest.json"])
    line = [str(programs / "mcpb"), "validate", str(tmp_path / "manifest.json")]
    done = subprocess.run(line, check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, "validation passes" in done.stdout) == (0, True), done.stderr


@pytest.mark.node
def test_the_plugin_is_valid_by_its_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = npm(tmp_path, "@anthropic-ai/claude-code@2.1.197")
    monkeypatch.setenv("HOME", str(tmp_path))
    for folder in (ROOT, ROOT / PLUGIN_FOLDER):
        line = [str(programs / "claude"), "plugin", "validate", str(folder)]
        done = subprocess.run(line, check=False, capture_output=True, text=True, timeout=60)
        assert (done.returncode, "Validation passed" in done.stdout) == (0, True), done.stdout


@pytest.mark.node
def test_the_extension_is_valid_by_its_client(
    tmp_path: Path, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = npm(tmp_path, "@google/gemini-cli@0.61.0")
    monkeypatch.setenv("HOME", str(tmp_path))
    prefix = "dist/gemini-extension/"
    folder = tmp_path / "extension"
    folder.mkdir()
    for name, data in files.items():
        if name.startswith(prefix):
            (folder / name.removeprefix(prefix)).write_bytes(data)
    line = [str(programs / "gemini"), "extensions", "validate", str(folder)]
    done = subprocess.run(line, check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, "successfully validated" in done.stdout + done.stderr) == (0, True)

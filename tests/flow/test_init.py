"""Setting up clients: real files in a home folder and a repository."""

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from codeindex.cli import main
from codeindex.clients.client import SetupContext
from codeindex.clients.file_changes import BACKUP, apply_changes, changes_of_steps
from codeindex.clients.known_clients import CLIENTS
from codeindex.clients.plan import SetupOptions, plan_setup
from codeindex.config import environment, load_settings
from codeindex.errors import ConfigError

FILES = {
    "shop/cart.py": "def add(): ...\n",
    "shop/stock.py": "def take(): ...\n",
    "shop/generated/api.py": "def call(): ...\n",
    "tests/test_cart.py": "def test_add(): ...\n",
}
START = ["-P", "-m", "codeindex"]
SERVE = [*START, "serve"]
DESKTOP = CLIENTS["claude-desktop"].file.removeprefix("~/")
OTHERS = {
    ".mcp.json": '{"mcpServers": {"other": {"command": "x", "env": {"KEY": "a"}}}}',
    ".cursor/mcp.json": '{\n\t// mine\n\t"mcpServers": {\n\t\t"other": {},\n\t},\n}\n',
    ".vscode/mcp.json": '\ufeff{\r\n  "inputs": [],\r\n  "servers": {}\r\n}\r\n',
    "opencode.json": '{"$schema": "https://opencode.ai/config.json", "mcp": {"other": {}}}\n',
    ".zed/settings.json": '// mine\n{\n    "tab_size": 2, // two\n}\n',
    ".amp/settings.json": '{"amp.mcpServers":{"other":{"command":"x"}},"amp.showCosts":true}',
    "~/.cline/data/settings/cline_mcp_settings.json": '{\n  "mcpServers": {}\n}',
    ".claude/settings.json": (
        '{\n  "hooks": {\n    "PreToolUse": [\n      {"matcher": "Read", "hooks": ['
        '{"type": "command", "command": "mine"}]}\n    ]\n  },\n  "model": "x"\n}'
    ),
    f"~/{DESKTOP}": "",
    "~/.codeium/windsurf/mcp_config.json": '{"mcpServers": {}}',
    "~/.codex/config.toml": 'model = "m" # fast\n\n[mcp_servers.other]\ncommand = "x"\n',
    "CLAUDE.md": "# Shop\n\nUse tabs.",
    "AGENTS.md": "# Shop\r\n",
    ".ai-devtools.yaml": "# tools\nother-tool:\n  a: 1\n",
}
pytestmark = pytest.mark.usefixtures("home", "user")
TERMINAL = pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX systems")
EVERYTHING = ("--guidance", "--subagent", "--config")


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder of a user who has git and no client."""
    folder, programs = tmp_path / "user", tmp_path / "bin"
    folder.mkdir()
    programs.mkdir()
    (programs / "git").symlink_to(str(shutil.which("git")))
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", str(programs))
    for name in ("CODEX_HOME", "XDG_CONFIG_HOME", "CODEINDEX_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def shop(repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    root = repository(FILES)
    monkeypatch.chdir(root)
    return root


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ["init", *args], catch_exceptions=False)


def every_client() -> list[str]:
    return [word for name in CLIENTS for word in ("--client", name)]


def place(name: str, shop: Path, user: Path) -> Path:
    return user / name[2:] if name.startswith("~/") else shop / name


def write(files: Mapping[str, str], shop: Path, user: Path) -> None:
    for name, text in files.items():
        file = place(name, shop, user)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def contents(*folders: Path) -> dict[Path, bytes]:
    return {
        file: file.read_bytes()
        for folder in folders
        for file in folder.rglob("*")
        if file.is_file() and ".git" not in file.parts
    }


def servers(file: Path, key: str = "mcpServers") -> Any:
    return json.loads(file.read_text(encoding="utf-8-sig"))[key]


HERE, WINDOW = "{root}", "${workspaceFolder}"
JSON = """\
{
  "KEY": {
    "codeindex": {SETTINGS
      "command": "PYTHON",
      "args": [
        "-P",
        "-m",
        "codeindex",
        "serve"ROOT
      ],
      "env": {
        "CODEINDEX_HOME": "HOME"
      }
    }
  }
}
"""
ONE_LIST = """\
{
  "mcp": {
    "codeindex": {
      "type": "local",
      "enabled": true,
      "timeout": 30000,
      "command": [
        "PYTHON",
        "-P",
        "-m",
        "codeindex",
        "serve"
      ],
      "environment": {
        "CODEINDEX_HOME": "HOME"
      }
    }
  }
}
"""
TOML = """\
[mcp_servers.codeindex]
command = "PYTHON"
args = ["-P", "-m", "codeindex", "serve"]

[mcp_servers.codeindex.env]
CODEINDEX_HOME = "HOME"
"""
STDIO = '\n      "type": "stdio",'
TOOLS = '\n      "type": "local",\n      "tools": [\n        "*"\n      ],'


def as_json(root: str = "", *, key: str = "mcpServers", settings: str = "") -> str:
    last = f',\n        "{root}"' if root else ""
    return JSON.replace("KEY", key).replace("SETTINGS", settings).replace("ROOT", last)


WRITTEN = {
    "claude-code": (".mcp.json", as_json(settings=STDIO)),
    "claude-desktop": (f"~/{DESKTOP}", as_json(HERE)),
    "cursor": (".cursor/mcp.json", as_json(WINDOW)),
    "windsurf": ("~/.codeium/windsurf/mcp_config.json", as_json(HERE)),
    "codex": ("~/.codex/config.toml", TOML),
    "codex-project": (".codex/config.toml", TOML),
    "vscode": (".vscode/mcp.json", as_json(WINDOW, key="servers", settings=STDIO)),
    "copilot-cli": ("~/.copilot/mcp-config.json", as_json(settings=TOOLS)),
    "gemini-cli": (".gemini/settings.json", as_json()),
    "qwen-code": (".qwen/settings.json", as_json()),
    "opencode": ("opencode.json", ONE_LIST),
    "kilo-code": (".kilo/kilo.jsonc", ONE_LIST),
    "roo-code": (".roo/mcp.json", as_json(HERE)),
    "cline": ("~/.cline/data/settings/cline_mcp_settings.json", as_json()),
    "continue-dev": (".continue/mcpServers/codeindex.json", as_json(HERE)),
    "zed": (
        ".zed/settings.json",
        as_json(HERE, key="context_servers", settings='\n      "source": "custom",'),
    ),
    "junie": (".junie/mcp/mcp.json", as_json(HERE)),
    "kiro": (".kiro/settings/mcp.json", as_json(HERE)),
    "amp": (".amp/settings.json", as_json(key="amp.mcpServers")),
    "warp": (".warp/.mcp.json", as_json(HERE)),
}
"""File and text of each client that is written to."""
PASTED = {
    "copilot-agent": """\
--- Copilot coding agent: GitHub: Settings of the repository, Copilot, MCP configuration
{
  "mcpServers": {
    "codeindex": {
      "type": "local",
      "tools": [
        "explore_code",
        "search_code",
        "find_symbol",
        "summarize_code",
        "read_code",
        "batch_code"
      ],
      "command": "uvx",
      "args": [
        "codeindex-local",
        "serve"
      ]
    }
  }
}

""",
    "antigravity": f"--- Antigravity: Manage MCP Servers, View raw config\n{as_json(HERE)}\n",
    "jetbrains": (
        "--- JetBrains AI Assistant: Settings, Tools, AI Assistant,"
        f" Model Context Protocol (MCP), Add, As JSON\n{as_json(HERE)}\n"
    ),
    "goose": """\
--- Goose: ~/.config/goose/config.yaml
extensions:
  codeindex:
    name: codeindex
    type: stdio
    enabled: true
    timeout: 300
    cmd: PYTHON
    args:
    - -P
    - -m
    - codeindex
    - serve
    envs:
      CODEINDEX_HOME: HOME

""",
}
"""What is printed for each client that is not written to."""


def filled(text: str, shop: Path, home: Path) -> str:
    text = text.replace("PYTHON", sys.executable).replace("HOME", str(home), 2)
    return text.replace(f"CODEINDEX_{home}", "CODEINDEX_HOME").replace(HERE, str(shop))


def test_every_client_has_a_place_and_a_page_that_documents_it() -> None:
    assert {*WRITTEN, *PASTED} == set(CLIENTS)
    assert {name for name in CLIENTS if CLIENTS[name].by_hand} == set(PASTED)
    assert [name for name in CLIENTS if CLIENTS[name].name != name] == []
    assert [n for n in CLIENTS if not CLIENTS[n].source.startswith("https://")] == []


@pytest.mark.parametrize("name", WRITTEN)
def test_each_client_gets_its_file_byte_for_byte(
    name: str, shop: Path, user: Path, home: Path
) -> None:
    before = contents(shop, user)
    assert run("--yes", "--no-hooks", "--client", name).exit_code == 0
    file, text = WRITTEN[name]
    new = {one: data.decode() for one, data in contents(shop, user).items() if one not in before}
    assert new == {place(file, shop, user): filled(text, shop, home)}
    assert run("--yes", "--uninstall", "--client", name).exit_code == 0
    assert contents(shop, user) == before


@pytest.mark.parametrize("name", PASTED)
def test_what_a_client_without_a_file_needs_is_printed(
    name: str, shop: Path, user: Path, home: Path
) -> None:
    assert run("--print", "--client", name).stdout == filled(PASTED[name], shop, home)
    done = run("--yes", "--client", name)
    assert (done.exit_code, done.stdout) == (0, "nothing to change\n")
    assert f"codeindex init --print --client {name}" in done.stderr
    assert contents(user) == {}


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("broken", [b"{,\n", b"[\n", b"\xff"], ids=["comma", "list", "bytes"])
def test_a_broken_file_of_one_client_leaves_the_others_alone(
    name: str, broken: bytes, shop: Path, user: Path, home: Path
) -> None:
    file = place(WRITTEN[name][0], shop, user)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(broken)
    done = run("--yes", "--no-hooks", *every_client())
    title = CLIENTS[name].title
    assert (done.exit_code, file.read_bytes()) == (2, broken)
    assert f"{title} was not changed: " in done.stderr
    assert f"Not changed, for the reasons above: {title}." in done.stderr
    others = {one: text for one, text in WRITTEN.items() if one != name}
    for where, text in others.values():
        assert place(where, shop, user).read_text("utf-8") == filled(text, shop, home)
    assert run("--yes", "--uninstall").exit_code == 2
    left = [where for where, _ in others.values() if place(where, shop, user).exists()]
    assert (left, file.read_bytes()) == ([], broken)


@pytest.mark.parametrize("name", WRITTEN)
def test_another_server_of_our_name_is_left_to_its_owner(name: str, shop: Path, user: Path) -> None:
    where = WRITTEN[name][0]
    key = CLIENTS[name].key
    text = json.dumps({key: {"codeindex": {"command": "x"}}})
    text = f'[{key}.codeindex]\ncommand = "x"\n' if where.endswith(".toml") else text
    write({where: text}, shop, user)
    done = run("--yes", "--client", name)
    assert (done.exit_code, "has another server" in done.stderr) == (2, True)
    assert run("--yes", "--uninstall", "--client", name).exit_code == 0
    assert place(where, shop, user).read_text("utf-8") == text


@pytest.mark.parametrize(
    ("name", "other"), [("opencode", "opencode.jsonc"), ("kilo-code", "kilo.json")]
)
def test_the_file_that_is_there_is_changed_and_no_second_one_made(
    name: str, other: str, shop: Path, user: Path
) -> None:
    text = '{\n  // mine\n  "theme": "x"\n}\n'
    write({other: text}, shop, user)
    before = contents(shop, user)
    assert run("--yes", "--client", name).exit_code == 0
    assert "codeindex" in (shop / other).read_text("utf-8")
    assert not place(WRITTEN[name][0], shop, user).exists()
    assert run("--yes", "--uninstall").exit_code == 0
    assert contents(shop, user) == before


def test_two_clients_whose_files_are_one_are_set_up_together(shop: Path) -> None:
    (shop / ".mcp.json").write_text("{}", encoding="utf-8")
    (shop / ".cursor").mkdir()
    (shop / ".cursor/mcp.json").symlink_to("../.mcp.json")
    names = ("--client", "claude-code", "--client", "cursor", "--client", "kiro")
    assert run("--yes", "--no-hooks", *names).exit_code == 0
    entry = servers(shop / ".mcp.json")["codeindex"]
    assert (entry["type"], entry["args"]) == ("stdio", [*SERVE, WINDOW])
    (shop / ".mcp.json").write_text("{,", encoding="utf-8")
    done = run("--yes", "--no-hooks", *names)
    assert "for the reasons above: Claude Code, Cursor." in done.stderr


def test_a_project_that_was_moved_gets_its_new_root(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("--yes", "--client", "kiro").exit_code == 0
    moved = tmp_path / "moved"
    shop.rename(moved)
    monkeypatch.chdir(moved)
    assert run("--yes", "--client", "kiro").exit_code == 0
    entry = servers(moved / ".kiro/settings/mcp.json")["codeindex"]
    assert entry["args"] == [*SERVE, str(moved)]


def test_only_clients_that_left_a_trace_are_set_up(shop: Path, user: Path, tmp_path: Path) -> None:
    assert "No client was found" in run("--yes").stderr
    (user / ".codeium/windsurf").mkdir(parents=True)
    (shop / ".cursor").mkdir()
    (tmp_path / "bin/code").symlink_to(sys.executable)
    assert run("--yes").exit_code == 0
    assert sorted(file.name for file in contents(shop, user) if "shop/shop" not in str(file)) == [
        "mcp.json",
        "mcp.json",
        "mcp_config.json",
        "test_cart.py",
    ]


def test_the_hooks_call_the_running_server_and_the_start_a_command(shop: Path) -> None:
    assert run("--yes", "--client", "claude-code").exit_code == 0
    hooks = servers(shop / ".claude/settings.json", "hooks")
    call = {"type": "mcp_tool", "server": "codeindex", "timeout": 5}
    path = "${tool_input.file_path}"
    assert hooks["PreToolUse"] == [
        {
            "matcher": "Read",
            "hooks": [{**call, "tool": "suggest_context", "input": {"file_path": path}}],
        }
    ]
    edits = {group["matcher"]: group["hooks"] for group in hooks["PostToolUse"]}
    assert edits == {
        "Edit|Write": [{**call, "tool": "invalidate_file", "input": {"file_path": path}}],
        "NotebookEdit": [
            {
                **call,
                "tool": "invalidate_file",
                "input": {"file_path": "${tool_input.notebook_path}"},
            }
        ],
    }
    assert hooks["SessionStart"] == [{"hooks": [command("session-start")]}]


def command(name: str) -> dict[str, Any]:
    args = [*START, "hook", name]
    return {"type": "command", "command": sys.executable, "args": args, "timeout": 5}


def test_hooks_can_be_commands_and_changed_back(shop: Path) -> None:
    assert run("--yes", "--client", "claude-code").exit_code == 0
    before = contents(shop)
    assert run("--yes", "--client", "claude-code", "--command-hooks").exit_code == 0
    hooks = servers(shop / ".claude/settings.json", "hooks")
    called = {
        event: [one for each in groups for one in each["hooks"]] for event, groups in hooks.items()
    }
    assert called == {
        "PreToolUse": [command("pre-read")],
        "PostToolUse": [command("post-edit"), command("post-edit")],
        "SessionStart": [command("session-start")],
    }
    assert run("--yes", "--client", "claude-code").exit_code == 0
    assert json.loads(contents(shop)[shop / ".claude/settings.json"]) == json.loads(
        before[shop / ".claude/settings.json"]
    )


def test_local_hooks_are_moved_and_unwanted_ones_taken_out(shop: Path) -> None:
    assert run("--yes", "--client", "claude-code").exit_code == 0
    assert run("--yes", "--client", "claude-code", "--local").exit_code == 0
    assert [file.name for file in (shop / ".claude").iterdir()] == ["settings.local.json"]
    assert run("--yes", "--client", "claude-code", "--local", "--no-hooks").exit_code == 0
    assert not (shop / ".claude").exists()


def test_hooks_of_others_stay_even_in_a_group_with_ours(shop: Path, user: Path) -> None:
    mine = {"type": "command", "command": "mine"}
    old = {"type": "command", "command": "codeindex hook pre-read"}
    text = json.dumps({"hooks": {"PreToolUse": [{"matcher": "Read", "hooks": [old, mine]}]}})
    write({".claude/settings.json": text}, shop, user)
    assert run("--yes", "--client", "claude-code").exit_code == 0
    groups = servers(shop / ".claude/settings.json", "hooks")["PreToolUse"]
    assert groups[0] == {"matcher": "Read", "hooks": [mine]}
    assert groups[1]["hooks"][0]["tool"] == "suggest_context"
    assert run("--yes", "--uninstall").exit_code == 0
    left = servers(shop / ".claude/settings.json", "hooks")
    assert left == {"PreToolUse": [{"matcher": "Read", "hooks": [mine]}]}


@pytest.mark.parametrize("others", [{}, OTHERS], ids=["fresh", "existing"])
def test_a_second_run_changes_nothing_and_the_removal_gives_all_bytes_back(
    shop: Path, user: Path, others: Mapping[str, str]
) -> None:
    write(others, shop, user)
    before = contents(shop, user)
    assert run("--yes", *EVERYTHING, *every_client()).exit_code == 0
    after = contents(shop, user)
    assert [one for one in before if one.suffix != ".py" and before[one] == after[one]] == []
    assert {file.name for file in after if file.name.endswith(BACKUP)} == {
        f"{name.rpartition('/')[2]}{BACKUP}" for name in others
    }
    again = run("--yes", *EVERYTHING, *every_client())
    assert (again.exit_code, again.stdout) == (0, "nothing to change\n")
    assert contents(shop, user) == after
    assert run("--yes", "--uninstall").exit_code == 0
    assert contents(shop, user) == before
    assert run("--yes", "--uninstall").stdout == "nothing to change\n"


def test_what_a_file_has_besides_stays_to_the_byte(shop: Path, user: Path) -> None:
    write(OTHERS, shop, user)
    assert run("--yes", *EVERYTHING, *every_client()).exit_code == 0
    cursor = (shop / ".cursor/mcp.json").read_text(encoding="utf-8")
    start, _, end = OTHERS[".cursor/mcp.json"].partition('"other": {},')
    assert cursor.startswith(f'{start}"other": {{}},\n\t\t"codeindex": {{\n\t\t\t"command"')
    assert cursor.endswith(f"}},{end}")
    code = (shop / ".vscode/mcp.json").read_bytes()
    assert code.startswith(b"\xef\xbb\xbf{\r\n")
    assert code.count(b"\n") == code.count(b"\r\n") > 5
    guide = (shop / "CLAUDE.md").read_text(encoding="utf-8")
    assert guide.startswith(f"{OTHERS['CLAUDE.md']}\n\n<!-- codeindex:begin -->")
    codex = (user / ".codex/config.toml").read_text(encoding="utf-8")
    assert codex.startswith(OTHERS["~/.codex/config.toml"])


def test_changes_made_after_the_setup_survive_the_removal(shop: Path, user: Path) -> None:
    write({".mcp.json": '{\n  "mcpServers": {}\n}\n'}, shop, user)
    assert run("--yes", "--no-hooks", "--client", "claude-code").exit_code == 0
    file = shop / ".mcp.json"
    file.write_text(file.read_text(encoding="utf-8").replace("{\n", '{\n  "mine": 1,\n', 1))
    assert run("--yes", "--uninstall").exit_code == 0
    assert json.loads(file.read_text(encoding="utf-8")) == {"mine": 1}


def test_a_moved_python_is_corrected_and_additions_of_the_user_stay(shop: Path, user: Path) -> None:
    known = {"command": "/old/python", "args": [*SERVE, "--all-tools"], "env": {"A": "b"}}
    write({".mcp.json": json.dumps({"mcpServers": {"codeindex": known}})}, shop, user)
    assert run("--yes", "--client", "claude-code").exit_code == 0
    entry = servers(shop / ".mcp.json")["codeindex"]
    assert (entry["command"], entry["args"]) == (sys.executable, known["args"])
    assert entry["env"]["A"] == "b"


def test_a_client_without_folders_serves_several_repositories(
    shop: Path, user: Path, repository: Callable[..., Path]
) -> None:
    other = repository({"a.py": "a = 1\n"}, name="other")
    file = user / ".codeium/windsurf/mcp_config.json"
    assert run("--yes", "--client", "windsurf").exit_code == 0
    assert run(str(other), "--yes", "--client", "windsurf").exit_code == 0
    assert servers(file)["codeindex"]["args"] == [*SERVE, str(shop), str(other)]
    assert run("--yes", "--uninstall").exit_code == 0
    assert servers(file)["codeindex"]["args"] == [*SERVE, str(other)]
    assert run(str(other), "--yes", "--uninstall").exit_code == 0
    assert not file.exists()


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        (".vscode/mcp.json", '{\n  "servers": {,\n', ":2 is not valid JSON"),
        (".vscode/mcp.json", '{"servers": []}', ":1 should be an object"),
        (".claude/settings.json", '{"hooks": {"PreToolUse": {}}}', ":1 should be a list"),
        (".vscode/mcp.json", '{"servers": {"codeindex": {"command": "x"}}}', "another server"),
        ("~/.codex/config.toml", "a = \n", ":1 is not valid TOML"),
        ("CLAUDE.md", "\n<!-- codeindex:begin -->\n", ":2 has no"),
        (".claude/agents/codeindex.md", "mine\n", "was not written by codeindex"),
        (".ai-devtools.yaml", "a: [\n", "is not valid YAML"),
        (".ai-devtools.yaml", "{a: 1}\n", "write it by hand"),
    ],
)
def test_a_file_that_is_not_understood_is_refused_and_the_others_are_written(
    shop: Path, user: Path, name: str, text: str, sentence: str
) -> None:
    write({name: text}, shop, user)
    done = run("--yes", *EVERYTHING, *every_client())
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert place(name, shop, user).read_text("utf-8") == text
    assert (shop / ".cursor/mcp.json").exists()
    assert (shop / "AGENTS.md").exists()
    is_claude = name.startswith(".claude/")
    assert (shop / ".mcp.json").exists() != is_claude  # all of a client, or nothing of it


def test_files_that_are_no_text_are_refused(shop: Path) -> None:
    (shop / ".mcp.json").write_bytes(b'{"a": "\xff"}')
    assert "is not UTF-8" in run("--yes", "--client", "claude-code").stderr
    (shop / ".mcp.json").unlink()
    os.mkfifo(shop / ".mcp.json")
    assert "is not a file" in run("--yes", "--client", "claude-code").stderr


def test_links_are_followed_and_the_mode_is_kept(shop: Path, user: Path) -> None:
    target = user / "dotfiles" / "windsurf.json"
    target.parent.mkdir()
    target.write_text("{}", encoding="utf-8")
    target.chmod(0o640)
    link = user / ".codeium/windsurf/mcp_config.json"
    link.parent.mkdir(parents=True)
    link.symlink_to(target)
    assert run("--yes", "--client", "windsurf", "--client", "cursor").exit_code == 0
    assert link.is_symlink()
    assert "codeindex" in servers(target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert stat.S_IMODE((shop / ".cursor/mcp.json").stat().st_mode) == 0o600
    assert [file.name for file in target.parent.iterdir() if BACKUP in file.name]


def test_a_guide_that_links_to_another_gets_one_block(shop: Path) -> None:
    (shop / "AGENTS.md").write_text("# Shop\n", encoding="utf-8")
    (shop / "CLAUDE.md").symlink_to("AGENTS.md")
    names = ("--client", "claude-code", "--client", "cursor")
    assert run("--yes", "--guidance", *names).exit_code == 0
    assert (shop / "AGENTS.md").read_text(encoding="utf-8").count("codeindex:begin") == 1


def test_a_link_out_of_the_repository_is_refused(shop: Path, user: Path) -> None:
    (user / "shell").write_text("echo\n", encoding="utf-8")
    (shop / ".cursor").mkdir()
    (shop / ".cursor/mcp.json").symlink_to(user / "shell")
    before = contents(shop, user)
    done = run("--yes", "--client", "cursor")
    assert (done.exit_code, "link out of the repository" in done.stderr) == (2, True)
    assert contents(shop, user) == before
    (shop / ".cursor/mcp.json").unlink()
    (shop / ".cursor/mcp.json").symlink_to("mcp.json")
    assert "link to itself" in run("--yes", "--client", "cursor").stderr


def test_if_a_file_cannot_be_written_its_client_is_unchanged(shop: Path, user: Path) -> None:
    write({".mcp.json": '{"mcpServers": {"other": {}}}', ".claude": "a file"}, shop, user)
    before = contents(shop, user)
    done = run("--yes", *every_client())
    assert done.exit_code == 2
    assert "Claude Code was not changed: " in done.stderr
    assert "cannot be written" in done.stderr
    after = contents(shop, user)
    assert {one: after[one] for one in before} == before
    assert "codeindex" in servers(shop / ".vscode/mcp.json", "servers")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_reported(shop: Path) -> None:
    shop.chmod(0o555)
    done = run("--yes", "--client", "claude-code")
    shop.chmod(0o755)
    assert (done.exit_code, "see who owns it" in done.stderr) == (2, True)


def test_a_file_that_changed_while_its_user_was_asked_is_left_alone(shop: Path, user: Path) -> None:
    context = SetupContext.current(shop)
    changes = changes_of_steps(
        plan_setup(context, SetupOptions((CLIENTS["cursor"],))).steps, context
    )
    write({".cursor/mcp.json": "{}"}, shop, user)
    with pytest.raises(ConfigError, match="has changed meanwhile"):
        apply_changes(changes, context)
    assert (shop / ".cursor/mcp.json").read_text(encoding="utf-8") == "{}"


def test_without_a_terminal_the_diff_is_shown_and_nothing_done(shop: Path, user: Path) -> None:
    write({".mcp.json": '{\n  "key": "AKIAIOSFODNN7EXAMPLE"\n}\n'}, shop, user)
    before = contents(shop, user)
    done = run("--client", "claude-code")
    assert done.exit_code == 2
    assert "add `--yes`" in done.stderr
    assert contents(shop, user) == before
    assert "--- .mcp.json\n+++ .mcp.json\n" in done.stdout
    assert '+    "codeindex": {\n' in done.stdout
    assert "--- /dev/null\n+++ .claude/settings.json\n" in done.stdout
    assert "AKIA" not in done.stdout


@TERMINAL
@pytest.mark.parametrize(("answer", "status", "is_there"), [("y", 0, True), ("n", 0, False)])
def test_on_a_terminal_the_user_is_asked(
    shop: Path, answer: str, status: int, *, is_there: bool
) -> None:
    import pty  # POSIX alone has it

    ours, theirs = pty.openpty()
    line = [sys.executable, "-m", "codeindex", "init", "--client", "cursor"]
    os.write(ours, f"{answer}\n".encode())
    done = subprocess.run(line, stdin=theirs, capture_output=True, check=False, timeout=60)
    os.close(ours)
    os.close(theirs)
    assert done.returncode == status
    assert b"Make these changes?" in done.stderr
    assert (shop / ".cursor/mcp.json").exists() == is_there


@TERMINAL
def test_settings_are_asked_for_on_a_terminal(shop: Path) -> None:
    import pty  # POSIX alone has it

    ours, theirs = pty.openpty()
    line = [sys.executable, "-m", "codeindex", "init", "--config"]
    os.write(ours, b"store\n\nWhat people buy\nn\ny\n")
    done = subprocess.run(line, stdin=theirs, capture_output=True, check=False, timeout=60)
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 0
    said = yaml.safe_load((shop / ".ai-devtools.yaml").read_text(encoding="utf-8"))["code-index"]
    assert said["name"] == "store"
    assert said["modules"] == {"shop": {"description": "What people buy"}}
    assert "exclude" not in said


def test_settings_are_proposed_from_the_files_found(shop: Path, user: Path) -> None:
    assert run("--yes", "--config").exit_code == 0
    config = load_settings(shop).config
    assert (config.name, config.default_branch) == ("shop", branch(shop))
    assert list(config.modules) == ["shop"]
    assert config.test_patterns == {"python": ("test_*.py", "**/tests/**/*.py")}
    assert config.exclude == ("/shop/generated/",)
    text = "code-index:\n  name: mine\n"
    write({".ai-devtools.yaml": text}, shop, user)
    done = run("--yes", "--config")
    assert "has `code-index` already" in done.stderr
    assert (shop / ".ai-devtools.yaml").read_text(encoding="utf-8") == text


def branch(root: Path) -> str:
    name = ["git", "symbolic-ref", "--short", "HEAD"]
    return subprocess.run(name, cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def test_a_folder_without_git_is_set_up_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.py").write_text("a = 1\n", encoding="utf-8")
    assert run(str(folder), "--yes", "--config", "--client", "claude-code").exit_code == 0
    assert "codeindex" in servers(folder / ".mcp.json")
    assert load_settings(folder).config.default_branch == ""


@pytest.mark.parametrize("path", ["/", "~"])
def test_whole_disks_and_home_folders_are_refused(user: Path, path: str) -> None:
    done = run(path, "--yes", "--client", "claude-code")
    assert done.exit_code == 2
    assert "is not one project" in done.stderr
    assert contents(user) == {}


def test_the_printed_entry_equals_the_written_one(shop: Path, user: Path) -> None:
    printed = run("--print", *every_client()).stdout
    assert contents(user) == {}
    assert run("--yes", *every_client()).exit_code == 0
    for part in printed.split("--- ")[1:]:
        name, _, text = part.partition("\n")
        if ": " in name:  # to be pasted by hand
            continue
        assert place(name, shop, user).read_text(encoding="utf-8") == text.removesuffix("\n")


@pytest.mark.usefixtures("shop")
def test_codex_is_set_up_where_its_variable_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    assert run("--yes", "--client", "codex").exit_code == 0
    assert (tmp_path / "codex/config.toml").exists()


def test_the_command_of_an_entry_starts_this_program_in_any_folder(shop: Path) -> None:
    (shop / "codeindex.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    assert run("--yes", "--no-hooks", "--client", "claude-code").exit_code == 0
    entry = servers(shop / ".mcp.json")["codeindex"]
    line = [entry["command"], *entry["args"][:3], "--version"]
    done = subprocess.run(line, env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout.startswith("codeindex ")

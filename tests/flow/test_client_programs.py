"""Real agents run the default tools: programs of npm, set up by `init`, with a stand-in model."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from codeindex import Index
from codeindex.cli import main
from tests.conftest import Repository
from tests.flow.serving import FILES
from tests.flow.stand_in_model import stand_in_model

pytestmark = [pytest.mark.node, pytest.mark.usefixtures("home"), pytest.mark.timeout(900)]
CALLS: dict[str, tuple[dict[str, object], str]] = {
    "explore_code": ({"query": ["who takes money from a card"]}, "shop/pay.py"),
    "search_code": ({"query": ["take money from a card"]}, "shop/pay.py"),
    "find_symbol": ({"names": ["charge"], "mode": "callers"}, "shop/cart.py:5"),
    "summarize_code": ({"paths": ["shop/pay.py"]}, "def charge(card)"),
    "read_code": ({"places": ["shop/pay.py:1-2"]}, "Take money from a card."),
    "batch_code": (
        {"requests": [{"tool": "find_symbol", "names": ["charge"], "mode": "callers"}]},
        "shop/cart.py:5",
    ),
}


@dataclass(frozen=True, slots=True)
class Program:
    """An agent: its package, its command line, and variables, in which URL is the model's."""

    package: str
    line: tuple[str, ...]
    variables: Mapping[str, str]


PROGRAMS = {
    "claude-code": Program(
        "@anthropic-ai/claude-code@2.1.197",
        ("claude", "-p", "hi", "--mcp-config", ".mcp.json", "--allowedTools", "mcp__codeindex"),
        {
            "ANTHROPIC_BASE_URL": "URL",
            "ANTHROPIC_API_KEY": "x",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "ENABLE_TOOL_SEARCH": "false",
        },
    ),
    "gemini-cli": Program(
        "@google/gemini-cli@0.61.0",
        ("gemini", "-p", "hi", "--approval-mode", "yolo", "-m", "gemini-2.5-flash"),
        {
            "GEMINI_API_KEY": "x",
            "GOOGLE_GEMINI_BASE_URL": "URL",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
    ),
    "qwen-code": Program(
        "@qwen-code/qwen-code@0.15.10",
        ("qwen", "-p", "hi", "--yolo", "--auth-type", "openai"),
        {
            "OPENAI_API_KEY": "x",
            "OPENAI_BASE_URL": "URL/v1",
            "OPENAI_MODEL": "m",
            "QWEN_CODE_LEGACY_MCP_BLOCKING": "1",
        },
    ),
    "copilot-cli": Program(
        "@github/copilot@1.0.102",
        ("copilot", "-p", "hi", "--allow-all-tools"),
        {
            "COPILOT_PROVIDER_BASE_URL": "URL/v1",
            "COPILOT_PROVIDER_TYPE": "openai",
            "COPILOT_PROVIDER_API_KEY": "x",
            "COPILOT_MODEL": "m",
            "COPILOT_OFFLINE": "true",
        },
    ),
}
GEMINI = '{"security": {"auth": {"selectedType": "gemini-api-key"}}}'


def npm(folder: Path, package: str) -> Path:
    """Install a package; return the folder of its programs."""
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("there is no node or no npm")
    folder.mkdir()
    (folder / "package.json").write_text("{}", encoding="utf-8")
    line = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--fetch-retries=0", package]
    done = subprocess.run(
        line, cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )
    if done.returncode:
        pytest.skip(f"npm cannot install {package}: {done.stderr[-300:]}")
    return folder / "node_modules/.bin"


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_runs_the_default_tools(
    name: str, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, root, user = PROGRAMS[name], repository(FILES), tmp_path / "user"
    programs = npm(tmp_path / "npm", program.package)
    (user / ".gemini").mkdir(parents=True)
    (user / ".gemini/settings.json").write_text(GEMINI, encoding="utf-8")
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(user))
    with Index.open(root) as index:
        index.sync()
    done = CliRunner().invoke(main, ["init", "--yes", "--no-hooks", "--client", name])
    assert done.exit_code == 0
    with stand_in_model({tool: arguments for tool, (arguments, _) in CALLS.items()}) as model:
        variables = {key: one.replace("URL", model.url) for key, one in program.variables.items()}
        subprocess.run(
            [str(programs / program.line[0]), *program.line[1:]],
            cwd=root,
            env={**os.environ, **variables},  # noqa: TID251
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=240,
        )
        heard = model.heard
    answers = {tool: said for tool in CALLS for one, said in heard.answers.items() if tool in one}
    wrong = [tool for tool, (_, part) in CALLS.items() if part not in answers.get(tool, "")]
    assert wrong == [], (heard.offered, heard.answers)

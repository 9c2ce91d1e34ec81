"""The server as a client of another language sees it: the npm package of the protocol."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codeindex import Index
from codeindex.clients.guidance import DEFAULT_TOOLS
from tests.conftest import Repository
from tests.flow.serving import FILES, site

pytestmark = [pytest.mark.node, pytest.mark.usefixtures("home")]
PACKAGE = "@modelcontextprotocol/sdk@1.32.2"  # runs on Node 18 and newer
SCRIPT = Path(__file__).with_name("mcp_client.mjs")
NPM = [
    "npm",
    "install",
    "--silent",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--fetch-retries=0",
]
SECONDS = 120


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client beside the package that it imports, in a folder that goes away."""
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("the npm client is not tried: there is no node or no npm")
    folder = tmp_path_factory.mktemp("node")
    (folder / "package.json").write_text("{}")
    done = subprocess.run(
        [*NPM, "--fetch-retries=0", PACKAGE],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    if done.returncode:
        pytest.skip(
            f"the npm client is not tried, since npm cannot install it: {done.stderr[-300:]}"
        )
    return Path(shutil.copy(SCRIPT, folder))


def run(script: Path, *words: str, cwd: Path) -> Any:
    done = subprocess.run(
        ["node", str(script), *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
        env=os.environ,  # noqa: TID251
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(found: Any) -> None:
    answers = found["answers"]
    assert found["tools"] == list(DEFAULT_TOOLS)
    assert "codeindex://status" in found["resources"]
    assert answers["search_code"]["results"][0]["file_path"] == "shop/pay.py"
    assert answers["find"]["callers"][0]["file"] == "shop/cart.py"
    assert answers["summarize"]["declarations"][0]["name"] == "charge"
    assert answers["read"]["sections"]
    assert answers["status"]["repos"][0]["repo"] == "shop"
    assert found["refused"]["isError"]


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_npm_client_lists_and_calls_the_tools(
    script: Path, repository: Repository, transport: str
) -> None:
    root = repository(FILES)
    with Index.open(root) as index:
        index.sync()
    if transport == "stdio":
        check(
            run(script, sys.executable, "-P", "-m", "codeindex", "serve", "--structured", cwd=root)
        )
        return
    with site(root) as shop:
        check(run(script, f"{shop.url}/mcp", cwd=root))

"""Nothing is written but the data folder, and nothing is sent at all."""

import os
import socket
import subprocess
import sys
from pathlib import Path

from codeindex.config import environment
from tests.conftest import Repository


def test_indexing_and_searching_with_a_model_write_nothing_elsewhere(
    repository: Repository, tmp_path: Path
) -> None:
    root = repository({"cart.py": "def add(item):\n    return item\n"})
    before = sorted(root.rglob("*"))
    user = tmp_path / "user"
    user.mkdir()
    settings = {"HOME": str(user), "CODEINDEX_HOME": str(user / "data"), "HF_HUB_OFFLINE": "1"}
    known = environment(**settings)
    own = {name: text for name, text in known.items() if not name.startswith(("XDG_", "ORT_"))}
    for words in (["index"], ["search", "add an item"]):
        command = [sys.executable, "-P", "-m", "codeindex", *words]
        subprocess.run(command, cwd=root, env=own, check=True, capture_output=True)
    assert [path.name for path in user.iterdir()] == ["data"]
    assert sorted(root.rglob("*")) == before


SPY = """
import os, sys

def heard(event, arguments):
    if event.startswith("socket."):
        tell(f"{event} {arguments[1]}")

def tell(line):
    with open(os.environ["SPY_LOG"], "a", encoding="utf-8") as log:
        log.write(f"{os.getpid()} {line}\\n")

sys.addaudithook(heard)
tell("listening")
"""


def test_no_process_of_ours_opens_a_socket_to_anywhere(
    repository: Repository, tmp_path: Path
) -> None:
    root = repository({"cart.py": "def add(item):\n    return item\n"})
    (tmp_path / "spy").mkdir()
    (tmp_path / "spy" / "sitecustomize.py").write_text(SPY)
    known = environment()
    settings = {
        "CODEINDEX_HOME": str(tmp_path / "data"),
        "PYTHONPATH": os.pathsep.join((str(tmp_path / "spy"), known.get("PYTHONPATH", ""))),
        "SPY_LOG": str(tmp_path / "log"),
    }
    runs = (["index", "--offline"], ["search", "add an item"], ["callers", "add"], ["status"])
    for words in (*runs, ["hook", "pre-read", "cart.py"], ["serve"]):
        command = [sys.executable, "-P", "-m", "codeindex", *words]
        subprocess.run(
            command,
            cwd=root,
            env=known | settings,
            check=words[0] != "serve",
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
    lines = [one.split() for one in (tmp_path / "log").read_text("utf-8").splitlines()]
    assert len({pid for pid, *_ in lines}) > len(runs) + 2  # children listen too
    heard = {tuple(rest) for _, *rest in lines if rest != ["listening"]}
    assert heard <= {("socket.__new__", str(int(getattr(socket, "AF_UNIX", 1))))}

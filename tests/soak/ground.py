"""A small real repository with several states, data folders to start from, and what they become."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from codeindex import Index
from codeindex.store.datadir.home import Repository
from tests.flow.sites import Content, content

BASE, EDITED, BRANCH, HELD = "base", "edited", "branch", "held"
_GIT = ("git", "-c", "user.name=T", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")
_KINDS = {".py", ".md", ".js", ".ts", ".go", ".rs", ".java", ".rb", ".toml", ".yml"}
_MOST_BYTES = 20_000
_FEWEST_PYTHON = 17
"""Files that the states edit, rename and delete, and one that stays."""
_RANDOM = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{8,}|-\d+-")
"""What differs in the names of files from one run to the next."""
_CHROMA_METADATA = "index_metadata.pickle"


@dataclass(frozen=True, slots=True)
class Ground:
    """A repository whose states are tags, and two data folders to copy.

    `first` has no index, and most vectors in its cache; `built` has the index of `base`.
    """

    root: Path
    first: Path
    built: Path
    model: str

    @property
    def home(self) -> Path:
        """Return the data folder that is used, broken and thrown away."""
        return self.root.with_name("home")

    @property
    def variables(self) -> Mapping[str, str]:
        return {
            "CODEINDEX_HOME": str(self.home),
            "CODEINDEX_CONFIG": str(self.root.with_name("config")),
            "CODEINDEX_EMBEDDING_MODEL": self.model,
            "HF_HUB_OFFLINE": "1",
        }

    def adopt(self) -> None:
        """Have this process and its children use the data folder."""
        os.environ.update(self.variables)

    def check_out(self, state: str) -> None:
        run(*_GIT, "checkout", "-q", "-f", state, cwd=self.root)

    def reset(self, template: Path) -> None:
        """Begin anew with a copy of a data folder."""
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.copytree(template, self.home)

    def repository(self) -> Repository:
        with Index.open(self.root) as index:
            return index.repository


def prepared(place: Path, source: Path, *, files: int, model: str, seed_home: Path) -> Ground:
    """Copy files of a source tree to a new repository, make its states, and index them.

    `seed_home` is a data folder with whatever models are needed.
    """
    ground = Ground(place / "tree", place / "first", place / "built", model)
    shutil.rmtree(place, ignore_errors=True)
    ground.root.mkdir(parents=True)
    _copy(source, ground.root, files)
    _make_states(ground.root)
    ground.adopt()
    ground.reset(seed_home)
    ground.check_out(HELD)
    _sync(ground)
    shutil.copytree(ground.home, ground.first)
    for name in ("repos", "cache/merkle"):
        shutil.rmtree(ground.first / name)
    ground.check_out(BASE)
    _sync(ground)
    shutil.copytree(ground.home, ground.built)
    return ground


def reference(ground: Ground, state: str) -> Content:
    """Return what an index of a state holds that was made in one go."""
    ground.reset(ground.built)
    ground.check_out(state)
    with Index.open(ground.root) as index:
        index.sync(rebuild=True)
        return content(index.repository)


def vectors_stored(home: Path) -> dict[str, float]:
    """Return when each vector of the cache was computed, by its key."""
    path = home / "cache" / "embeddings" / "cache.db"
    if not path.exists():
        return {}
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT key, store_time FROM Cache").fetchall())


def names_of(folder: Path) -> set[str]:
    """Return the names of the files below, without what is random in them.

    Without `index_metadata.pickle`, which Chroma writes after a thousand changes, one by one.
    """
    files = (one for one in folder.rglob("*") if one.is_file() and one.name != _CHROMA_METADATA)
    found = {_RANDOM.sub("*", one.relative_to(folder).as_posix()) for one in files}
    return {one for one in found if not one.endswith(("-wal", "-shm"))}


def is_sound(catalog: Path) -> bool:
    """Have SQLite look at every page and reference of a catalog."""
    with closing(sqlite3.connect(catalog)) as connection:
        (whole,) = connection.execute("PRAGMA integrity_check").fetchone()
        return whole == "ok" and not connection.execute("PRAGMA foreign_key_check").fetchall()


def run(*words: str, cwd: Path) -> None:
    subprocess.run(words, cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "codeindex", *words]


def _sync(ground: Ground) -> None:
    with Index.open(ground.root) as index:
        index.sync()


def _copy(source: Path, root: Path, most: int) -> None:
    found = sorted(
        one
        for one in source.rglob("*")
        if one.suffix in _KINDS and one.is_file() and ".git" not in one.relative_to(source).parts
    )
    small = [one for one in found if one.stat().st_size < _MOST_BYTES]
    for one in small[:: max(1, len(small) // most)][:most]:
        (root / one.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(one, root / one.relative_to(source))


def _make_states(root: Path) -> None:
    """Tag four states of a tree: all of it, an edit of it, another branch, and a part of it."""
    run(*_GIT, "init", "-q", cwd=root)
    _commit(root, BASE)
    files = sorted(one for one in root.rglob("*.py") if ".git" not in one.parts)
    if len(files) < _FEWEST_PYTHON:
        raise SystemExit(
            f"{len(files)} Python files were copied from the source, and {_FEWEST_PYTHON} are"
            " needed: give another tree, or more `--files`."
        )
    _append(files[0], "def beacon(signal):\n    return signal or 'lighthouse'\n")
    _commit(root, EDITED)
    for number, one in enumerate(files[1:9]):
        _append(one, f"def lantern_{number}(wick):\n    return wick * {number}\n")
    for one in files[9:11]:
        one.rename(one.with_name(f"moved_{one.name}"))
    files[11].unlink()
    (root / "harbour.py").write_text("from __future__ import annotations\n\nPIERS = 7\n")
    _commit(root, BRANCH)
    run(*_GIT, "checkout", "-q", "-f", BASE, cwd=root)
    for one in files[12:16]:
        one.unlink()
    _commit(root, HELD)


def _append(path: Path, text: str) -> None:
    path.write_text(f"{path.read_text(encoding='utf-8')}\n\n{text}", encoding="utf-8")


def _commit(root: Path, tag: str) -> None:
    run(*_GIT, "add", "-A", cwd=root)
    run(*_GIT, "commit", "-q", "-m", tag, cwd=root)
    run(*_GIT, "tag", tag, cwd=root)

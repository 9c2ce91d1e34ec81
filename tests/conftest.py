"""Fixtures and options shared by all tests."""

import gc
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

from codeindex.ingest.workers.idle import IDLE_WORKERS

settings.register_profile("codeindex", deadline=None)  # a loaded machine is no error
settings.load_profile("codeindex")

Repository = Callable[..., Path]
"""Called with files by path, and a name for the folder."""
_IDENTITY = ("-c", "user.name=T", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs so, and the programs that tests interrupt would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Where the variable is set, every child process compiles the package anew, which takes .15 s.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # noqa: TID251


@pytest.fixture(scope="session", autouse=True)
def idle_workers() -> Iterator[None]:
    """Keep parser processes between tests, as while another index is open: a start takes .4 s."""
    IDLE_WORKERS.hold()
    yield
    IDLE_WORKERS.release()


def pytest_collection_finish() -> None:
    """Exempt the objects of modules and tests from garbage collection: a tenth of the time."""
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected files")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update"))


@contextmanager
def own_data(folder: Path) -> Iterator[pytest.MonkeyPatch]:
    """Have what runs in the block use a data folder and settings in `folder`, and no model."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_HOME", str(folder / "home"))
        patch.setenv("CODEINDEX_CONFIG", str(folder / "config"))
        patch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
        yield patch


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test a data folder and settings of its own, no network, and no model."""
    folder = tmp_path / "home"
    monkeypatch.setenv("CODEINDEX_HOME", str(folder))
    monkeypatch.setenv("CODEINDEX_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return folder


@pytest.fixture
def model(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test an empty data folder, and let it use the shipped encoder; takes a second."""
    monkeypatch.delenv("CODEINDEX_EMBEDDING_MODEL")
    return home


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Make a git repository of these files, committed."""

    def make(files: Mapping[str, str | bytes], name: str = "shop") -> Path:
        return made_repository(tmp_path / name, files)

    return make


def made_repository(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Make a folder a git repository of these files, committed."""
    root.mkdir()
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        (root / path).write_bytes(data)
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "first", "--allow-empty")):
        subprocess.run(["git", *_IDENTITY, *words], cwd=root, check=True)
    return root

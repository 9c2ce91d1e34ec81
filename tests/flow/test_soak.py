"""Short forms of what `tests/soak` does for minutes: `pytest -m slow tests/flow/test_soak.py`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import codeindex
from tests.flow.sites import install_pair
from tests.soak import concurrent, crash, faults
from tests.soak.ground import Ground, prepared

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(sys.platform != "linux", reason="signals, /proc and a preloaded library"),
]
SOURCE = Path(codeindex.__file__).parent


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    place = tmp_path_factory.mktemp("soak")
    install_pair(place / "models")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_HOME", str(place))  # put back when `prepared` has changed them
        patch.setenv("CODEINDEX_CONFIG", str(place))
        patch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield prepared(place / "work", SOURCE, files=40, model="tiny", seed_home=place / "models")


@pytest.fixture(scope="module")
def proof(ground: Ground) -> crash.Proof:
    return crash.proof_of(ground)


def test_some_kills_lose_nothing(ground: Ground, proof: crash.Proof) -> None:
    found = list(crash.rounds(ground, proof, kills=18, seed=1))
    assert len(found) == 18
    assert [(where, wrong) for where, wrong in found if wrong] == []


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_each_kind_of_failing_write_is_a_sentence_and_loses_nothing(
    ground: Ground, proof: crash.Proof, tmp_path: Path
) -> None:
    shim = faults.Shim.built(tmp_path)
    count = len(faults.FAULTS)
    found = list(faults.tried(ground, proof, shim, deed=faults.SYNC, count=count, seed=1))
    assert len(found) == count
    assert [(where, wrong) for where, wrong in found if wrong] == []


def test_readers_a_writer_and_an_editor_do_not_disturb_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "CONFIG", "EMBEDDING_MODEL"):
        monkeypatch.setenv(f"CODEINDEX_{name}", "")  # put back when `adopt` has changed them
    concurrent.adopt(tmp_path)
    rows = concurrent.soak(tmp_path, seconds=10)
    assert {row.name: row.faults for row in rows if row.faults} == {}
    assert all(row.count for row in rows)

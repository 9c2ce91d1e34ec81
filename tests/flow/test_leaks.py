"""The short form of `tests/soak/leaks.py`: every shape of secret once, structure only."""

from pathlib import Path

import pytest

from codeindex import Index
from tests.soak.leaks import leaks, pasted_of, plant
from tests.soak.planting import TOKENS
from tests.soak.scanning import dresses, kept
from tests.soak.sweeping import printed

_COMMANDS = ("search", "read", "files", "status", "secrets", "export-graph")


def test_no_secret_gets_into_the_data_folder_or_out_of_a_command(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, secrets = plant(tmp_path, rounds=1)
    with Index.open(root) as index:
        report = index.sync(structure_only=True)
    assert report.added > len(secrets) // 2 > len(TOKENS)
    monkeypatch.chdir(root)
    texts = printed(_COMMANDS, pasted=pasted_of(secrets)[-1:])
    said = [(place, text.encode()) for place, text in texts]
    assert sum(len(text) for _, text in said) > 10_000
    assert list(leaks(secrets, [*said, *kept(home)])) == []


def test_the_scan_finds_a_secret_in_every_dress() -> None:
    secret = "hunter2swordfish99Qx"
    looks = dresses(secret)
    for one in (
        b"hunter2swordfish99qx",
        b"hunter2swo",
        b"68756e74657232",
        b"ahvudgvymnn3b3jkzmlza",
    ):
        assert any(one in look or look in one for look in looks)

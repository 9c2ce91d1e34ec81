"""Models that several indexes share stay open when one of the indexes is closed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from codeindex import Index
from codeindex.api.resources import OpenModels
from codeindex.api.workspace import Workspace
from tests.conftest import made_repository


class StandIn:
    """A fake `Encoder` that is open until it is closed."""

    is_open = True

    def close(self) -> None:
        self.is_open = False


def test_only_the_owner_of_models_closes_them(tmp_path: Path) -> None:
    models, encoder = OpenModels(), StandIn()
    models.encoders["fake"] = cast("Any", encoder)
    root = made_repository(tmp_path / "shop", {"shop.py": "def pay():\n    return 1\n"})
    with Index.open(root) as index:
        index.use_models(models)
        for _ in range(2):  # after the first one the models are still the shared ones
            index.close()
            assert index._session.resources.models is models
    assert encoder.is_open
    models.close()
    assert not encoder.is_open


def test_a_workspace_closes_its_models(tmp_path: Path) -> None:
    encoder = StandIn()
    root = made_repository(tmp_path / "shop", {"shop.py": "def pay():\n    return 1\n"})
    with Workspace() as workspace:
        workspace.add(Index.open(root))
        workspace._models.encoders["fake"] = cast("Any", encoder)
    assert not encoder.is_open

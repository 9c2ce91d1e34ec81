"""Scores of a cross-encoder that is small enough to be checked by hand, and where it comes from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from codeindex.config import Config, EmbeddingConfig
from codeindex.embed.add import add_model
from codeindex.embed.choose import choose_model, ready_model
from codeindex.embed.fetch import pull_model
from codeindex.embed.installed import model_status
from codeindex.embed.lock import find_model, load_lock, write_added
from codeindex.embed.rerank import CrossEncoder
from codeindex.errors import ModelError
from tests.unit.embed.tiny_models import (
    VALUES,
    WORDS,
    Hub,
    install,
    serving,
    tiny_files,
    tiny_model,
    tiny_pair_files,
    tiny_reranker,
)

FILES = tiny_pair_files()
MODEL = tiny_reranker(FILES)


def by_hand(text: str, *, most: int = 1000) -> float:
    ids = [WORDS.index(word) if word in WORDS else 1 for word in text.split()][:most]
    return float(VALUES[[*ids, 3], 0].sum())  # the closing mark is the text's


@pytest.mark.parametrize("labels", [1, 2])
def test_scores_are_those_of_the_text_beside_the_question(tmp_path: Path, labels: int) -> None:
    files = tiny_pair_files(labels)
    install(tmp_path, tiny_reranker(files), files)
    texts = ["retry payment", "window tree", "", "unknown words"] * 20
    with CrossEncoder(tmp_path, tiny_reranker(files), threads=3) as reranker:
        scores = reranker.scores("tree window", texts)
    assert scores == [by_hand(one) for one in texts]
    assert scores[1] > scores[0] > scores[3]


def test_a_long_pair_is_cut_at_the_models_window(tmp_path: Path) -> None:
    install(tmp_path, MODEL, FILES)
    with CrossEncoder(tmp_path, MODEL) as reranker:
        (score,) = reranker.scores("ask", ["tree " * 5_000])
    assert score == by_hand("tree " * 28)  # the window is 32, of which marks and question take 4


def test_undecodable_text_is_read_all_the_same(tmp_path: Path) -> None:
    install(tmp_path, MODEL, FILES)
    with CrossEncoder(tmp_path, MODEL) as reranker:
        assert len(reranker.scores("\udcff", ["\udcff tree", "tree"])) == 2


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (tiny_files(), "choose a cross-encoder"),
        (tiny_pair_files(3), "choose a cross-encoder"),
        ({**FILES, "onnx/model.onnx": b"\x08"}, "cannot be loaded"),
    ],
)
def test_a_model_that_is_no_cross_encoder_is_refused(
    tmp_path: Path, files: dict[str, bytes], reason: str
) -> None:
    install(tmp_path, tiny_reranker(files), files)
    with (
        pytest.raises(ModelError, match=reason),
        CrossEncoder(tmp_path, tiny_reranker(files)) as reranker,
    ):
        reranker.scores("tree", ["window"])


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving(Hub(dict(FILES))) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.endpoint)
        yield running


def test_a_reranker_is_pulled_and_verified_like_any_model(tmp_path: Path, hub: Hub) -> None:
    pull_model(tmp_path, MODEL)
    assert model_status(tmp_path, MODEL) == "ready"
    with CrossEncoder(tmp_path, MODEL) as reranker:
        assert reranker.scores("ask", ["tree"]) == [by_hand("tree")]
    hub.files["onnx/model.onnx"] = FILES["onnx/model.onnx"][:-1] + b"\0"
    other = replace(MODEL, id="other")
    with pytest.raises(ModelError, match=r"is not the one models\.lock pins"):
        pull_model(tmp_path, other)


def test_a_model_is_found_by_its_purpose(tmp_path: Path) -> None:
    embedding = tiny_model(tiny_files())
    for model, files in ((embedding, tiny_files()), (MODEL, FILES)):
        install(tmp_path, model, files)
    write_added(tmp_path, [embedding, MODEL])
    known = load_lock(tmp_path)
    assert (known["tiny"], known["tiny-pair"]) == (embedding, MODEL)
    assert (
        find_model(known, "tiny-pair", kind="reranker")
        == find_model(known, "tiny-pair", kind=None)
        == MODEL
    )
    with pytest.raises(ModelError, match=r"tiny-pair is no embedding model: choose one of tiny,"):
        find_model(known, "tiny-pair")
    with pytest.raises(ModelError, match=r"no reranker 'nothing': choose one of tiny-pair"):
        find_model(known, "nothing", kind="reranker")
    assert ready_model(tmp_path, "tiny-pair") is None
    config = Config(embedding=EmbeddingConfig(model="tiny-pair"))
    with pytest.raises(ModelError, match="is no embedding model"):
        choose_model(tmp_path, config, may_fetch=False)


def test_no_reranker_is_shipped() -> None:
    assert {one.kind for one in load_lock().values()} == {"embedding", "static"}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("kind = 'ranker'\ndimension = 8", "which is no known kind"),
        ("", "does not say its dimension"),
    ],
)
def test_an_entry_that_fits_no_kind_is_refused(tmp_path: Path, entry: str, reason: str) -> None:
    (tmp_path / "models").mkdir()
    text = (
        f"[[model]]\nid = 'x'\nsource = 'added'\nonnx = 'm'\nwindow = 8\n{entry}\n"
        "[[model.file]]\nname = 'm'\nsize = 1\nsha256 = 'a'\n"
    )
    (tmp_path / "models" / "added.lock").write_text(text, "utf-8")
    with pytest.raises(ModelError, match=reason):
        load_lock(tmp_path)


def said(folder: Path) -> None:
    heads = {"architectures": ["BertForSequenceClassification"], "max_position_embeddings": 32}
    (folder / "config.json").write_text(json.dumps(heads), "utf-8")


@pytest.mark.parametrize("say", [said, lambda _: None])
def test_a_folder_with_a_cross_encoder_is_added(
    tmp_path: Path, say: Callable[[Path], object]
) -> None:
    folder = tmp_path / "Pair"
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    say(folder)
    model = add_model(tmp_path / "home", folder, kind=None if say is said else "reranker")
    assert (model.kind, model.id, model.dimension) == ("reranker", "pair", 0)
    assert load_lock(tmp_path / "home")["pair"] == model
    with pytest.raises(ModelError):
        add_model(tmp_path / "home", folder, kind="embedding", model_id="not-one")

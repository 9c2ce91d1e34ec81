"""Vectors against the same computed by hand, for a model small enough for that."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.embed.add import add_model
from codeindex.embed.encoder import Encoder
from codeindex.embed.installed import tokenizer_file
from codeindex.embed.lock import SHIPPED_MODEL, Pooling, load_lock
from codeindex.embed.onnx import OnnxEmbedder
from codeindex.embed.tokens import replace_surrogates, tokenizer_for
from codeindex.errors import ModelError
from codeindex.types import SafeText
from tests.unit.embed.tiny_models import DIMENSION, TABLE, WORDS, install, tiny_files, tiny_model

if TYPE_CHECKING:
    from codeindex.types.array_types import Matrix

VARIANTS = ("float", "after", "before")
TEXTS = [SafeText(t) for t in ("retry payment", "colour", "", "tree tree unknown window", "\udcff")]


def opened(
    home: Path, *, variant: str = "float", pooling: Pooling = "cls", threads: int = 2
) -> OnnxEmbedder:
    files = tiny_files(variant)
    model = tiny_model(files, pooling=pooling)
    install(home, model, files)
    return OnnxEmbedder(home, model, threads=threads)


def by_hand(text: str, *, pooling: Pooling, max_tokens: int = 32) -> Matrix:
    ids = [WORDS.index(word) if word in WORDS else 1 for word in text.split()]
    rows = TABLE[[2, *ids[: max_tokens - 2], 3]]
    sums: Matrix = rows[::-1].cumsum(axis=0)[::-1].astype(np.float32)
    vector: Matrix = sums[0] if pooling == "cls" else sums.mean(axis=0)
    return vector / np.float32(np.linalg.norm(vector))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_vectors_are_those_computed_by_hand(tmp_path: Path, variant: str, pooling: Pooling) -> None:
    with opened(tmp_path, variant=variant, pooling=pooling) as embedder:
        matrix = embedder.documents(TEXTS, max_tokens=32)
    expected = np.stack([by_hand(text, pooling=pooling) for text in TEXTS])
    np.testing.assert_allclose(matrix, expected, atol=1e-5)
    assert matrix.dtype == np.float32


def test_the_two_ways_of_pooling_differ() -> None:
    assert not np.allclose(by_hand("retry", pooling="cls"), by_hand("retry", pooling="mean"))


def test_only_questions_get_the_prefix(tmp_path: Path) -> None:
    with opened(tmp_path) as embedder:
        question = embedder.query("retry")
        document = embedder.documents([SafeText("retry")], max_tokens=32)[0]
    np.testing.assert_allclose(question, by_hand("ask retry", pooling="cls"), atol=1e-5)
    np.testing.assert_allclose(document, by_hand("retry", pooling="cls"), atol=1e-5)


def test_texts_are_cut_at_the_limit_and_not_where_the_file_says(tmp_path: Path) -> None:
    long = SafeText("retry payment colour window tree retry " * 20)
    with opened(tmp_path) as embedder:
        cut = embedder.documents([long], max_tokens=6)[0]
        window = embedder.documents([long], max_tokens=10_000)[0]
    np.testing.assert_allclose(cut, by_hand(long, pooling="cls", max_tokens=6), atol=1e-5)
    np.testing.assert_allclose(window, by_hand(long, pooling="cls"), atol=1e-5)


def test_results_come_in_order_and_the_same_from_any_number_of_threads(tmp_path: Path) -> None:
    texts = [SafeText(f"{WORDS[4 + at % 6]} " * (1 + at % 20)) for at in range(200)]
    with opened(tmp_path, threads=1) as one, opened(tmp_path, threads=4) as four:
        alone = np.stack(list(one.stream(iter(texts), max_tokens=32)))
        results: list[Matrix] = []
        workers = [
            threading.Thread(target=lambda: results.append(four.documents(texts, max_tokens=32)))
            for _ in range(3)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    assert all(np.array_equal(alone, result) for result in results)
    assert len(results) == 3


def test_a_stream_left_early_reads_no_more_than_it_needs(tmp_path: Path) -> None:
    read: list[int] = []

    def texts() -> Iterator[SafeText]:
        for at in range(10_000):
            read.append(at)
            yield SafeText("tree")

    with opened(tmp_path) as embedder:
        next(embedder.stream(texts(), max_tokens=32))
    assert len(read) < 100


def test_no_texts_give_no_rows(tmp_path: Path) -> None:
    with opened(tmp_path) as embedder:
        assert embedder.documents([], max_tokens=32).shape == (0, DIMENSION)


def test_a_folder_is_added_with_what_its_files_say(tmp_path: Path) -> None:
    folder = tmp_path / "My Model"
    for name, data in tiny_files("after").items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "1_Pooling").mkdir()
    pooling = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    (folder / "1_Pooling/config.json").write_text(json.dumps(pooling), "utf-8")
    prompts = {"prompts": {"query": "ask ", "document": ""}}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts), "utf-8")
    (folder / "config.json").write_text('{"max_position_embeddings": 32}', "utf-8")
    home = tmp_path / "home"
    model = add_model(home, folder)
    assert load_lock(home)["my-model"] == model
    assert (model.dimension, model.window, model.pooling) == (DIMENSION, 32, "cls")
    with OnnxEmbedder(home, model) as embedder:
        np.testing.assert_allclose(
            embedder.query("tree"), by_hand("ask tree", pooling="cls"), atol=1e-5
        )
    assert add_model(home, folder) == model
    with pytest.raises(ModelError, match="choose another id"):
        add_model(home, folder, model_id=SHIPPED_MODEL)


@pytest.mark.parametrize(
    ("break_it", "reason"),
    [
        (lambda f: (f / "onnx/model.onnx").unlink(), "neither model.onnx nor"),
        (lambda f: (f / "tokenizer.json").unlink(), "no tokenizer.json"),
        (lambda f: (f / "tokenizer.json").write_text("{}"), "is not a tokenizer"),
        (lambda f: (f / "onnx/model.onnx").write_bytes(b"\x08"), "cannot be loaded"),
        (lambda f: (f / "config.json").write_text("{"), "not readable JSON"),
    ],
)
def test_a_folder_that_is_no_model_is_refused_and_leaves_nothing(
    tmp_path: Path, break_it: Callable[[Path], object], reason: str
) -> None:
    folder = tmp_path / "model"
    for name, data in tiny_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    break_it(folder)
    home = tmp_path / "home"
    with pytest.raises(ModelError, match=reason):
        add_model(home, folder)
    assert [file for file in home.rglob("*") if file.is_file()] == []


def test_the_shipped_vocabulary_makes_berts_tokens() -> None:
    tokenizer = tokenizer_for(None)
    assert tokenizer.encode("Café_retry(x)  日本").tokens == (
        ["[CLS]", "cafe", "_", "re", "##try", "(", "x", ")", "日", "本", "[SEP]"]
    )
    assert tokenizer.encode("hello").ids == [101, 7592, 102]
    assert tokenizer.encode("x" * 101).tokens[1] == "[UNK]"
    assert tokenizer_for(None, max_tokens=4).encode("a b c d e").ids[-1] == 102
    assert len(tokenizer_for(None).encode("a b c d e").ids) == 7


@given(st.text())
def test_the_tokenizer_takes_any_text(text: str) -> None:
    encoding = tokenizer_for(None).encode(replace_surrogates(text), add_special_tokens=False)
    assert len(encoding.ids) <= len(text) * 2


def test_a_model_gives_its_own_tokenizer_where_it_has_one(tmp_path: Path) -> None:
    model = tiny_model(tiny_files())
    assert tokenizer_file(tmp_path, model) == tmp_path / "models/tiny/tokenizer.json"
    assert tokenizer_file(tmp_path, None) is None
    assert tokenizer_file(tmp_path, load_lock()[SHIPPED_MODEL]) is None


def test_a_model_whose_output_is_not_a_number_is_an_error(tmp_path: Path) -> None:
    files = tiny_files()
    files["onnx/model.onnx"] = files["onnx/model.onnx"].replace(
        TABLE.tobytes(), np.full_like(TABLE, np.nan).tobytes()
    )
    model = tiny_model(files)
    install(tmp_path, model, files)
    with OnnxEmbedder(tmp_path, model) as embedder, pytest.raises(ModelError, match="not a number"):
        embedder.query("tree")


def test_what_decides_a_vector_decides_the_fingerprint() -> None:
    model = tiny_model(tiny_files())
    others = [replace(model, pooling="mean"), replace(model, query_prefix=""), tiny_model({})]
    assert len({one.fingerprint for one in [model, *others]}) == 4
    assert replace(model, repo="mirror/tiny").fingerprint == model.fingerprint


GOLDEN = (-0.0045, 0.0135, -0.0433, 0.0554, -0.0894)


def test_the_shipped_encoder_gives_the_known_vector_and_tells_meanings_apart(
    tmp_path: Path,
) -> None:
    with OnnxEmbedder(tmp_path, load_lock()[SHIPPED_MODEL], threads=2) as embedder:
        question = embedder.query("retry failed payments")
        near, far = embedder.documents(
            [
                SafeText(
                    "shop/payments.py again\ndef again(card):\n    while not charge(card): wait()"
                ),
                SafeText("def draw(canvas):\n    canvas.triangle(color=BLUE)\n"),
            ],
            max_tokens=128,
        )
    np.testing.assert_allclose(question[:5], GOLDEN, atol=1e-2)
    assert question @ near > question @ far + 0.1


def test_a_query_that_was_used_lately_stays_cached(tmp_path: Path) -> None:
    runs: list[str] = []

    class Counting(Encoder):
        def _dense_query(self, text: str) -> Matrix:
            runs.append(text)
            return np.zeros(2, dtype=np.float32)

    encoder = Counting(tmp_path, cast("Any", None), threads=1)
    for number in range(200):
        encoder.dense_query("topic")
        encoder.dense_query(f"query {number}")
    assert runs.count("topic") == 1

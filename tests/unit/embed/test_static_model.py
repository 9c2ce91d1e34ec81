"""The static model that ships with the package, and damaged copies of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from codeindex.embed import installed
from codeindex.embed.lock import STATIC_MODEL, load_lock
from codeindex.embed.packing import pack_counts
from codeindex.embed.static_model import CODES_FILE, FACTORS_FILE, load_static_model
from codeindex.embed.token_vectors import learn_statistics, query_vector
from codeindex.embed.tokens import tokenizer_for
from codeindex.embed.word_ids import token_id_encoder
from codeindex.errors import ModelError


def flip_byte(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[5000] ^= 1
    file.write_bytes(content)


def write_other_dimension(file: Path) -> None:
    np.save(file, np.zeros((30_522, 128), np.int8))


DAMAGES: dict[str, Callable[[Path], None]] = {
    "absent": lambda file: file.unlink(),
    "truncated": lambda file: os.truncate(file, 100_000),
    "one byte": flip_byte,
    "other dimension": write_other_dimension,
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", [CODES_FILE, FACTORS_FILE])
def test_a_damaged_file_is_refused_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str, name: str
) -> None:
    folder, home = tmp_path / "data", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    for file in (CODES_FILE, FACTORS_FILE):
        shutil.copyfile(installed.SHIPPED_FOLDER / file, folder / file)
    monkeypatch.setattr(installed, "SHIPPED_FOLDER", folder)
    assert load_static_model(home).dimension == 256
    DAMAGES[damage](folder / name)
    with pytest.raises(ModelError, match="reinstall codeindex-local"):
        load_static_model(home)


def test_the_model_has_a_vector_for_each_token_of_the_vocabulary(tmp_path: Path) -> None:
    model = load_static_model(tmp_path)
    assert len(model) == tokenizer_for(None).get_vocab_size()
    assert model.dimension == load_lock()[STATIC_MODEL].dimension
    assert model.identity.startswith(f"{STATIC_MODEL}@")
    assert isinstance(model.codes.base, np.memmap)


def test_a_weighted_sum_is_that_of_the_rows_written_out(tmp_path: Path) -> None:
    model = load_static_model(tmp_path)
    ids, weights = np.array([2041, 7, 30_521]), np.array([0.5, 2.0, 1.5], np.float32)
    rows = [model.codes[token].astype(np.float64) * model.factors[token] for token in ids]
    expected = sum(weight * row for weight, row in zip(weights, rows, strict=True))
    np.testing.assert_allclose(model.weighted_sum(ids, weights), expected, rtol=1e-4, atol=1e-5)


def test_a_query_is_nearest_to_the_text_of_its_meaning(tmp_path: Path) -> None:
    model, encode = load_static_model(tmp_path), token_id_encoder(tokenizer_for(None))
    texts = (
        "def backoff(attempt): time.sleep(2 ** attempt)",
        "def remove(path): os.unlink(path)",
        "def login(user, password): return check(hash(password))",
        "class Triangle: def area(self): return self.base * self.height / 2",
        "SELECT user_id, sum(amount) FROM orders GROUP BY user_id",
        "def render(template, values): return template.format(values)",
        "def parse_header(line): key, value = line.split(':')",
    )
    packed = [pack_counts(dict.fromkeys(encode(text), 1)) for text in texts]
    out = np.empty((len(texts), model.dimension), np.float32)
    statistics = learn_statistics(lambda: packed, model, out)
    queries = ("wait before the next retry", "delete a file", "authenticate with credentials")
    for number, query in enumerate(queries):
        assert int((out @ query_vector(query, statistics, model)).argmax()) == number

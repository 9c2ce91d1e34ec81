"""Words in another Unicode form, and files that settings leave out, limit claims of absence."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeindex import Index
from tests.conftest import made_repository, own_data

WIDE = "".join(chr(ord(letter) + 0xFEE0) for letter in "fullwide")
"""`fullwide` in full-width letters."""
FILES = {
    "composed.py": unicodedata.normalize("NFD", "def größenwahn_café():\n    pass\n"),
    "wide.py": f"def {WIDE}():\n    pass\n",
    "lib.py": "def only_excluded():\n    return 1\n",
    "use.py": "from lib import only_excluded\nonly_excluded()\n",
    ".ai-devtools.yaml": 'code-index:\n  exclude: ["use.py"]\n',
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    root: Path = tmp_path_factory.mktemp("spellings") / "site"
    with own_data(root.parent):
        made_repository(root, FILES)
        with Index.open(root) as made:
            made.sync(structure_only=True)
            yield made


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("name", "path"), [("größenwahn_café", "composed.py"), ("fullwide", "wide.py")]
)
def test_a_name_in_another_unicode_form_is_found(
    index: Index, form: str, name: str, path: str
) -> None:
    written = unicodedata.normalize(form, name)  # type: ignore[arg-type]
    answer = index.search(written)
    assert answer.absence is None
    assert [(hit.path, hit.start_line) for hit in answer.hits][:1] == [(path, 1)]
    assert index.graph.callers(written).definitions[0].file == path


def test_answers_about_uses_name_code_that_settings_leave_out(index: Index) -> None:
    assert index.graph.callers("only_excluded").unread_paths == ("use.py",)
    assert index.graph.unused().unread_paths == ("use.py",)

"""Other Unicode forms, short names, templates and code that is left out limit claims of absence."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeindex import Index
from tests.conftest import made_repository, own_data


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def _notebook(code: str) -> str:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": code}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


WIDE = "".join(chr(ord(letter) + 0xFEE0) for letter in "fullwide")
"""`fullwide` in full-width letters."""
FILES = {
    "composed.py": _decomposed("def größenwahn_café():\n    pass\n"),
    "wide.py": f"def {WIDE}():\n    pass\n",
    "uses.py": (
        "from composed import größenwahn_café\nfrom wide import fullwide\n\n\n"
        "def uses_both():\n    größenwahn_café(fullwide())\n"
    ),
    "decomposed.js": _decomposed("export function maß_é() {}\n"),
    "same.js": _decomposed("import { maß_é } from './decomposed.js';\nmaß_é();\n"),
    "other.js": "import { maß_é } from './decomposed.js';\nmaß_é();\n",
    "both.rs": _decomposed("pub fn größe_é() {}\n") + "pub fn uses_it() {\n    größe_é()\n}\n",
    "shop.js": "export function priced(x) {}\nexport function inNotebook() {}\nfunction c9() {}\n",
    "Shop.astro": "<script>\n  import { priced } from './shop.js';\n  priced(1);\n</script>\n",
    "notes.ipynb": _notebook("from lib import in_notebook\nin_notebook()\n"),
    "q.rb": "class Q\n  def em?\n  end\nend\nclass Whole\n  private def told?\n  end\nend\n",
    "vendor/dep.go": "package dep\n\nfunc used() {}\n",
    "lib.py": "def in_notebook():\n    pass\n\n\ndef lonely_one():\n    pass\n\n\n"
    "def only_excluded():\n    return 1\n",
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


@pytest.mark.parametrize("name", ["größenwahn_café", "fullwide"])
def test_a_call_leads_to_its_definition_in_another_unicode_form(index: Index, name: str) -> None:
    callers = index.graph.callers(name)
    assert [(each.file, each.certainty) for each in callers.callers] == [("uses.py", "resolved")]
    assert name in {each.name for each in index.graph.callees("uses_both").callees}
    assert name not in {each.name for each in index.graph.unused(include_possible=True).symbols}
    assert [each.name for each in index.symbols.lookup(_decomposed(name)).symbols] == [name]


def test_a_call_is_possible_where_the_compiler_tells_the_forms_apart(index: Index) -> None:
    callers = index.graph.callers("maß_é").callers
    certainties = {each.file: each.certainty for each in callers}
    assert certainties == {"same.js": "resolved", "other.js": "ambiguous"}
    assert [each.certainty for each in index.graph.callers("größe_é").callers] == ["resolved"]


def test_source_text_stays_as_it_is_written(index: Index) -> None:
    (line,) = index.exact.grep(_decomposed("def größenwahn_café")).lines
    assert line.text == _decomposed("def größenwahn_café():")


@pytest.mark.parametrize("text", ["def größenwahn_café", "fullwide():"])
def test_an_exact_search_says_that_another_form_of_its_text_occurs(index: Index, text: str) -> None:
    found = index.exact.grep(text)
    assert (found.total_count, found.in_other_form) == (0, 1)
    assert "1 file has this text in another Unicode form" in found.hint
    assert index.exact.grep("def nowhere_größe").hint == ""


def test_an_exact_search_says_so_beside_lines_and_of_mixed_forms(tmp_path: Path) -> None:
    mixed = "Größe " + _decomposed("höher")
    (tmp_path / "a.py").write_text("X = 'höher'\n", encoding="utf-8")
    (tmp_path / "b.py").write_text(f"Y = '{mixed}'\n", encoding="utf-8")
    with own_data(tmp_path / "home"), Index.open(tmp_path) as index:
        index.sync(structure_only=True)
        found = index.exact.grep("höher")
        assert ([line.path for line in found.lines], found.in_other_form) == (["a.py"], 1)
        found = index.exact.grep("Größe höher")
        assert (found.total_count, found.in_other_form) == (0, 1)
        assert index.exact.grep(mixed).in_other_form == 0


@pytest.mark.parametrize(
    ("name", "path"), [("priced", "Shop.astro"), ("in_notebook", "notes.ipynb")]
)
def test_answers_name_templates_and_notebooks_that_have_the_name(
    index: Index, name: str, path: str
) -> None:
    assert path in index.graph.callers(name).unread_paths
    assert path in index.graph.impact(name).unread_paths
    unused = {each.name: each.reason for each in index.graph.unused(include_possible=True).symbols}
    assert unused.get(name, "its name is in 1 other place") == "its name is in 1 other place"


def test_the_reason_of_an_unused_symbol_is_limited_to_what_was_read(index: Index) -> None:
    found = index.graph.unused(include_possible=True, exported=True)
    reasons = {each.name: each.reason for each in found.symbols}
    assert reasons["lonely_one"] == "no code that was read uses it or has its name"
    assert reasons["Q"] == (
        "its name is too short to know which files have it,"
        " this file may add to a type of a library"
    )
    assert reasons["inNotebook"] == "nothing uses it, and its name is nowhere else in the index"


def test_left_out_code_of_another_language_is_not_named(index: Index) -> None:
    assert "vendor/" not in index.graph.unused().unread_paths
    assert index.graph.callers("only_excluded").unread_paths == ("use.py",)

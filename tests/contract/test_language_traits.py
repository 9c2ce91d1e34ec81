"""What languages differ in is data of `codeindex.languages`, not a comparison elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import codeindex
from codeindex.languages import LANGUAGES

ROOT = Path(codeindex.__file__).parent
CODE_LANGUAGES = frozenset(name for name, language in LANGUAGES.items() if language.symbols)
DOCUMENTS = frozenset(
    name for name, language in LANGUAGES.items() if language.prose and name != "text"
)
ALLOWED = {
    ("types/answers.py", "notebook"): "types are below languages; pages of notebooks are cells",
    ("search/retrieve/corpus.py", "asciidoc"): "a query must not import every language",
    ("search/retrieve/corpus.py", "markdown"): "a query must not import every language",
    ("search/retrieve/corpus.py", "notebook"): "a query must not import every language",
    ("search/retrieve/corpus.py", "org"): "a query must not import every language",
    ("search/retrieve/corpus.py", "pdf"): "a query must not import every language",
    ("search/retrieve/corpus.py", "pod"): "a query must not import every language",
    ("search/retrieve/corpus.py", "rst"): "a query must not import every language",
    ("search/suggest.py", "sql"): "a word of questions about databases",
    ("search/names/aliases.py", "ruby"): "a group of a regex",
    ("ingest/chunk/documents.py", "markdown"): "cells of notebooks are written in Markdown",
    ("ingest/read/documents/notebook.py", "markdown"): "a type of cell",
    ("ingest/read/documents/notebook.py", "python"): "the default kernel of notebooks",
    ("ingest/workers/prepare.py", "text"): "the language of files whose name does not tell it",
    ("analysis/repository/workspace_members.py", "go"): "the build tool",
    ("hooks/git/script_block.py", "bash"): "the shell that runs a hook",
    ("cli/completions.py", "bash"): "a shell with completion",
    ("doctor/environment.py", "python"): "the interpreter of codeindex",
    ("clients/distribution/bundle.py", "python"): "the runtime of an extension",
    ("docs/examples/filters.py", "python"): "an example",
    ("query/project_file_names.py", "julia"): "a word of questions; `query` is beside `languages`",
    ("query/project_file_names.py", "lua"): "a word of questions; `query` is beside `languages`",
    ("query/project_files.py", "rust"): "the language with `msrv`",
    ("query/project_file_names.py", "zig"): "a word of questions; `query` is beside `languages`",
}
"""Modules outside `languages` that may write the name of a language, with the reason."""


def names_in(source: str) -> Iterator[str]:
    """Yield the strings of a module that are names of languages.

    Those of programming languages and of documents count wherever they are, others (`text`, `json`)
    only where something called a language is compared with them.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and node.value in CODE_LANGUAGES | DOCUMENTS:
            yield str(node.value)
        elif isinstance(node, ast.Compare | ast.Match) and "language" in ast.unparse(node):
            yield from (
                str(inner.value)
                for inner in ast.walk(node)
                if isinstance(inner, ast.Constant) and inner.value in LANGUAGES
            )


def test_no_module_compares_with_the_name_of_a_language() -> None:
    written = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in ROOT.rglob("*.py")
        if not path.is_relative_to(ROOT / "languages")
        for name in names_in(path.read_text("utf-8"))
    }
    assert written - ALLOWED.keys() == set(), "make it a field of Language"
    assert ALLOWED.keys() - written == set(), "no longer there: remove it from the list"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ('node.language == "go"', {"go"}),
        ('_TYPE_FIRST = frozenset({"java", "dart"})', {"java", "dart"}),
        ('match known.language:\n    case "json":\n        pass', {"json"}),
        ('form == "json"', set()),
        ('{"go": 1}["go to"]', {"go"}),
    ],
)
def test_comparisons_are_found(source: str, names: set[str]) -> None:
    assert set(names_in(source)) == names

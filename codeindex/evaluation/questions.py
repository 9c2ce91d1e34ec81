"""Generate evaluation questions from commit messages and docstrings."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from codeindex import git
from codeindex.errors import GitError
from codeindex.evaluation.changed_functions import find_changed_functions
from codeindex.languages import LANGUAGES
from codeindex.redact_query import redact_text
from codeindex.store.catalog.commits import read_small_commits
from codeindex.store.symbols.symbol_lists import read_documented_functions
from codeindex.text.words import query_words
from codeindex.types import Node

if TYPE_CHECKING:
    from codeindex.evaluation.metrics import CodeSpan
    from codeindex.search.retrieve.corpus import Corpus
    from codeindex.store.catalog.connection import Catalog

EvaluationTask = Literal["commit", "docstring"]
_MOST_FILES = 5
"""Most files of a commit: larger commits have no single subject."""
_MOST_FUNCTIONS = 5
"""Most functions of a commit: commits that change more have no single subject."""
_FEWEST_WORDS = 3
"""Least query words, without stop words: `fix typo` is no question."""
_MAX_PER_FILE = 3
"""Most docstrings of a file, so that a long file does not dominate."""
_SHORTEST_DOC = 10
"""Least characters of a docstring: a shorter one does not have three words."""
_MAX_MESSAGES = 5_000
"""Most commit messages that are read, newest first; this takes 0.1 s."""
_CHORE = re.compile(
    r"merge\b|revert\b|bump|releas|prepare\b|version\b|v?\d+\.\d+|update (?:change|depend|version)"
    r"|changelog|\[pre-commit|(?:chore|build|ci)\b.*:|(?:fix(?:ed|es)? )?(?:typo|lint|flake)",
    re.IGNORECASE,
)
"""Matches commit messages that do not describe what code does."""
_MARKS = re.compile(
    r"^\w+(?:\([^)]*\))?!?:\s+|^\[[^\]]*\]\s*|\s*\((?:#|gh-)\d+\)"
    r"|\b(?:fix(?:e[sd])?|close[sd]?|refs?|see|issue) #\d+|#\d+",
    re.IGNORECASE,
)
"""Matches conventional-commit prefixes and issue numbers, which are removed."""
_TAG = re.compile(r"\s*(?:@(?!brief\b)\w|\{@)")
"""Matches docstrings that start with a tag; these state only types or inheritance."""
_SENTENCE = re.compile(r"(?<=[.!?])\s")


@dataclass(frozen=True, slots=True)
class EvaluationQuestion:
    """A query with its relevant files (`targets`), to measure the quality of searches.

    Files are positions in the corpus. `ignored` files count neither as relevant nor as irrelevant.
    `functions` are the relevant functions: the documented one, or those that the commit changed;
    empty if they are unknown or too many. `doc` is the docstring to mask.
    """

    kind: EvaluationTask
    text: str
    where: str
    targets: frozenset[int]
    ignored: frozenset[int] = frozenset()
    functions: frozenset[CodeSpan] = frozenset()
    doc: str = ""


def generate_questions(
    catalog: Catalog, corpus: Corpus, root: Path, *, limit: int
) -> tuple[list[EvaluationQuestion], tuple[str, ...]]:
    """Return (questions, notes): at most `limit` questions per kind, in a random order.

    The kinds are commit messages and docstrings; a note says why a kind has no questions. The order
    is the same in each run.
    """
    notes: tuple[str, ...]
    try:
        commits = list(islice(_ask_commits(catalog.connection, corpus, root), limit))
        notes = () if commits else (_NO_HISTORY,)
    except GitError as error:
        commits, notes = [], (f"No questions from the history: {error}",)
    docs = _ask_docstrings(catalog.connection, corpus)[:limit]
    notes += () if docs else (_NO_DOCSTRINGS,)
    return sorted([*commits, *docs], key=lambda question: _draw_key(question.text)), notes


_NO_HISTORY = (
    "No questions from the history: no commit has an informative message and changes one to five"
    " code files that still exist."
)
_NO_DOCSTRINGS = (
    "No questions from documentation: no function outside of tests has a description of its own"
    " with several words."
)


def _draw_key(text: str) -> str:
    """Return a sort key that shuffles texts in the same way each time."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def split_half(path: str) -> int:
    """Return 0 or 1: the half of the files to which a file belongs, by the digest of its path.

    One half serves to fit weights, the other to test them.
    """
    return int(_draw_key(path)[0], 16) % 2


def _ask_commits(
    connection: sqlite3.Connection, corpus: Corpus, root: Path
) -> Iterator[EvaluationQuestion]:
    """Yield questions made from commit messages, newest first.

    The code files that the commit changed are relevant.
    """
    changed = read_small_commits(connection, most_files=_MOST_FILES)
    if not changed:
        return
    places = {path: at for at, path in enumerate(corpus.paths)}
    seen_texts: set[str] = set()
    for digest, subject in _subjects(root, corpus.generation.head):
        here = [places[path] for path in changed.get(digest, ()) if path in places]
        right = frozenset(at for at in here if _is_code(corpus, at))
        text = " ".join(_MARKS.sub(" ", subject).split()).strip(" .")
        if (
            right
            and text.lower() not in seen_texts
            and _is_descriptive(text)
            and not _CHORE.match(subject)
        ):
            seen_texts.add(text.lower())
            rest = frozenset(here) - right
            paths = [corpus.paths[at] for at in sorted(right)]
            result = frozenset(
                find_changed_functions(connection, root, digest, corpus.generation.head, paths)
            )
            functions = result if len(result) <= _MOST_FUNCTIONS else frozenset()
            where = digest[:10]
            yield EvaluationQuestion("commit", redact_text(text), where, right, rest, functions)


def _subjects(root: Path, head: str) -> Iterator[tuple[str, str]]:
    options = (f"-n{_MAX_MESSAGES}", "-z", "--no-merges", "--format=%H %s", head, "--")
    for line in git.run_git("log", *options, cwd=root).split(b"\0"):
        digest, _, subject = line.decode("utf-8", "replace").partition(" ")
        yield digest, subject


def _is_code(corpus: Corpus, at: int) -> bool:
    language = LANGUAGES[corpus.languages[at]]
    is_source = bool(language.symbols) and not language.prose and bool(corpus.is_indexed[at])
    return is_source and not corpus.is_test[at] and not corpus.is_generated[at]


def _is_descriptive(text: str) -> bool:
    return len(query_words(text)) >= _FEWEST_WORDS


def _ask_docstrings(connection: sqlite3.Connection, corpus: Corpus) -> list[EvaluationQuestion]:
    """Return questions made from the first sentences of docstrings, at most a few per file.

    The name of the function is removed from the question.
    """
    rows = read_documented_functions(connection, longer_than=_SHORTEST_DOC)
    doc_counts = Counter(row.doc for row in rows)
    drawn = sorted(rows, key=lambda row: _draw_key(f"{row.qualified} {row.doc}"))
    result = (_ask_docstring(corpus, row) for row in drawn if doc_counts[row.doc] == 1)
    return list(_limit_per_file(question for question in result if question is not None))


def _ask_docstring(corpus: Corpus, node: Node) -> EvaluationQuestion | None:
    at = corpus.file_positions.get(node.file_id)
    if at is None or not _is_code(corpus, at):
        return None
    sentence = _SENTENCE.split(node.doc, maxsplit=1)[0]
    if "://" in sentence or _TAG.match(sentence):  # a reference or a type: no description
        return None
    text = " ".join(re.sub(rf"\b{re.escape(node.name)}\b", " ", sentence).split()).strip(" .:")
    if not _is_descriptive(text):
        return None
    where = f"{corpus.paths[at]}:{node.line} {node.qualified}"
    function = (corpus.paths[at], node.start_line, node.end_line)
    return EvaluationQuestion(
        "docstring", text, where, frozenset({at}), functions=frozenset({function}), doc=sentence
    )


def _limit_per_file(questions: Iterable[EvaluationQuestion]) -> Iterator[EvaluationQuestion]:
    counts: Counter[frozenset[int]] = Counter()
    for question in questions:
        counts[question.targets] += 1
        if counts[question.targets] <= _MAX_PER_FILE:
            yield question

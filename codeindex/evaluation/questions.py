"""Questions that a repository answers itself: its commits' messages and its own documentation."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from codeindex import git
from codeindex.errors import GitError
from codeindex.evaluation.changed_functions import find_changed_functions
from codeindex.languages import LANGUAGES
from codeindex.redact_query import redact_text
from codeindex.text.words import query_words

if TYPE_CHECKING:
    import sqlite3

    from codeindex.evaluation.metrics import LineSpan
    from codeindex.search.retrieve.corpus import Corpus
    from codeindex.store.catalog.connection import Catalog

QuestionKind = Literal["commit", "docstring"]
_MOST_FILES = 5
"""Of a commit: larger ones are about no one thing."""
_MOST_FUNCTIONS = 5
"""Likewise."""
_FEWEST_WORDS = 3
"""Without stop words: `fix typo` asks for nothing."""
_A_FILE = 3
"""Docstrings of one file, so that a long file is not most of the questions."""
_READ = 5_000
"""Messages that are read, newest first: a tenth of a second."""
_CHORE = re.compile(
    r"merge\b|revert\b|bump|releas|prepare\b|version\b|v?\d+\.\d+|update (?:change|depend|version)"
    r"|changelog|\[pre-commit|(?:chore|build|ci)\b.*:|(?:fix(?:ed|es)? )?(?:typo|lint|flake)",
    re.IGNORECASE,
)
"""Messages that say nothing of what the code does."""
_MARKS = re.compile(
    r"^\w+(?:\([^)]*\))?!?:\s+|^\[[^\]]*\]\s*|\s*\((?:#|gh-)\d+\)"
    r"|\b(?:fix(?:e[sd])?|close[sd]?|refs?|see|issue) #\d+|#\d+",
    re.IGNORECASE,
)
"""Conventional prefixes and numbers of issues."""
_TAG = re.compile(r"\s*(?:@(?!brief\b)\w|\{@)")
"""Of documentation that begins so only types are told, or where it is inherited from."""
_SENTENCE = re.compile(r"(?<=[.!?])\s")


@dataclass(frozen=True, slots=True)
class EvaluationQuestion:
    """A text and the files, by their places in the corpus, that answer it.

    `ignored` ones are neither right nor wrong. `functions` are those that answer: the documented
    one, or what a commit changed; none if these are not known or too many. Of a docstring, `doc` is
    taken out of the chunks of its function.
    """

    kind: QuestionKind
    text: str
    where: str
    targets: frozenset[int]
    ignored: frozenset[int] = frozenset()
    functions: frozenset[LineSpan] = frozenset()
    doc: str = ""


def generate_questions(
    catalog: Catalog, corpus: Corpus, root: Path, *, limit: int
) -> tuple[list[EvaluationQuestion], tuple[str, ...]]:
    """Return at most `limit` of each kind, mixed, and sentences on a kind that there is none of."""
    notes: tuple[str, ...]
    try:
        commits = list(islice(_of_commits(catalog.connection, corpus, root), limit))
        notes = () if commits else (_NO_HISTORY,)
    except GitError as error:
        commits, notes = [], (f"No questions from the history: {error}",)
    docs = _of_docstrings(catalog.connection, corpus)[:limit]
    notes += () if docs else (_NO_DOCSTRINGS,)
    return sorted([*commits, *docs], key=lambda one: _draw(one.text)), notes


_NO_HISTORY = (
    "No questions from the history: there is no commit with a telling message and one to five"
    " files of code that are still here."
)
_NO_DOCSTRINGS = (
    "No questions from documentation: no function outside of tests has a text of its own of"
    " several words."
)


def _draw(text: str) -> str:
    """Return what puts things into an order that is random, and the same each time."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def split_half(path: str) -> int:
    """Return the half, 0 or 1, that a file is in."""
    return int(_draw(path)[0], 16) % 2


def _of_commits(
    connection: sqlite3.Connection, corpus: Corpus, root: Path
) -> Iterator[EvaluationQuestion]:
    """Yield messages, newest first, with the files of code that they changed."""
    changed = _changed(connection)
    if not changed:
        return
    places = {path: at for at, path in enumerate(corpus.paths)}
    seen: set[str] = set()
    for digest, subject in _subjects(root, corpus.generation.head):
        here = [places[path] for path in changed.get(digest, ()) if path in places]
        right = frozenset(at for at in here if _is_code(corpus, at))
        text = _bare(subject)
        if right and text.lower() not in seen and _tells(text) and not _CHORE.match(subject):
            seen.add(text.lower())
            rest = frozenset(here) - right
            paths = [corpus.paths[at] for at in sorted(right)]
            found = frozenset(
                find_changed_functions(connection, root, digest, corpus.generation.head, paths)
            )
            functions = found if len(found) <= _MOST_FUNCTIONS else frozenset()
            where = digest[:10]
            yield EvaluationQuestion("commit", redact_text(text), where, right, rest, functions)


def _changed(connection: sqlite3.Connection) -> Mapping[str, list[str]]:
    rows = connection.execute(
        "SELECT c.digest, h.path FROM commits c JOIN commit_files h ON h.commit_id = c.id"
        " WHERE c.size <= ?",
        (_MOST_FILES,),
    )
    found: defaultdict[str, list[str]] = defaultdict(list)
    for digest, path in rows:
        found[digest].append(path)
    return found


def _subjects(root: Path, head: str) -> Iterator[tuple[str, str]]:
    asked = (f"-n{_READ}", "-z", "--no-merges", "--format=%H %s", head, "--")
    for line in git.run("log", *asked, cwd=root).split(b"\0"):
        digest, _, subject = line.decode("utf-8", "replace").partition(" ")
        yield digest, subject


def _is_code(corpus: Corpus, at: int) -> bool:
    language = LANGUAGES[corpus.languages[at]]
    is_source = bool(language.symbols) and not language.prose and bool(corpus.is_indexed[at])
    return is_source and not corpus.is_test[at] and not corpus.is_generated[at]


def _bare(subject: str) -> str:
    return " ".join(_MARKS.sub(" ", subject).split()).strip(" .")


def _tells(text: str) -> bool:
    return len(query_words(text)) >= _FEWEST_WORDS


def _of_docstrings(connection: sqlite3.Connection, corpus: Corpus) -> list[EvaluationQuestion]:
    """Return the first sentences of functions' documentation, without the function's own name."""
    rows = connection.execute(
        "SELECT file_id, name, qualified, start_line, end_line, line, doc FROM symbols"
        " WHERE kind IN ('function', 'method') AND length(doc) > 10"
    ).fetchall()
    said = Counter(row[-1] for row in rows)
    drawn = sorted(rows, key=lambda row: _draw(f"{row[2]} {row[-1]}"))
    found = (_of_docstring(corpus, row) for row in drawn if said[row[-1]] == 1)
    return list(_few_a_file(one for one in found if one is not None))


def _of_docstring(
    corpus: Corpus, row: tuple[int, str, str, int, int, int, str]
) -> EvaluationQuestion | None:
    file, name, qualified, first, last, line, doc = row
    at = corpus.file_positions.get(file)
    if at is None or not _is_code(corpus, at):
        return None
    sentence = _SENTENCE.split(doc, maxsplit=1)[0]
    if "://" in sentence or _TAG.match(sentence):  # a reference or a type, which describe nothing
        return None
    text = " ".join(re.sub(rf"\b{re.escape(name)}\b", " ", sentence).split()).strip(" .:")
    if not _tells(text):
        return None
    where = f"{corpus.paths[at]}:{line} {qualified}"
    function = (corpus.paths[at], first, last)
    return EvaluationQuestion(
        "docstring", text, where, frozenset({at}), functions=frozenset({function}), doc=sentence
    )


def _few_a_file(found: Iterable[EvaluationQuestion]) -> Iterator[EvaluationQuestion]:
    counts: Counter[frozenset[int]] = Counter()
    for one in found:
        counts[one.targets] += 1
        if counts[one.targets] <= _A_FILE:
            yield one

"""Questions that repositories' own histories and comments ask, none written by a model.

- *commit*: the subject of a commit;
- *issue*: subject and body of a commit with a long body, or with one that says what it fixes;
- *docstring*: the first paragraph of a function's documentation, which is then deleted from the
  file.

Merges, reverts and subjects that bots and release scripts write are left out. `snapshots.py` finds
the functions that answer.
"""

from __future__ import annotations

import ast
import hashlib
import io
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

from codeindex.languages import language_for_path

_SUBJECT_WORDS = 4
_BODY_WORDS = 30
_FIXING_WORDS = 15
"""A body of so many words tells as much as an issue does; of so few if it says what it fixes."""
_DOC_WORDS = 6
_DOCS_A_FILE = 2
_LONGEST = 2000
_TEST = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__|testing|test_?data|fixtures?|e2e|bench(?:marks?|es)?"
    r"|examples?|\w+Tests?|\w+\.Tests?)/"
    r"|(?:^|/)(?:test_[^/]*|conftest|[^/]*[._-](?:test|spec|tests))\.\w+$|(?:Test|Tests|Spec)\.\w+$",
)
_ROUTINE = re.compile(
    r"(?i)^(?:merge|revert|bump|release|prepare|version|v?\d+[.]\d|fixup!|squash!|wip\b|update "
    r"(?:dependenc|change|readme|version|deps)|chore|build\(deps|docs?\b|typo|fix typo)"
)
_FIXES = re.compile(r"(?i)\b(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?):? (?:#\d+|gh-\d+|https?://)")
_NOISE = re.compile(
    r"(?im)^(?:[\w-]+-by|change-id|closes?|fix(?:es)?|refs?|resolves?|cc|pr-url|reviewed-[\w-]+)\b:?"
    r" .*$|https?://\S+|\(?#\d+\)?|^\s*[*-] .*(?:\n|$)"
)
_NUMBER = re.compile(r"\(?#\d+\)?")
_WORD = re.compile(r"[^\W\d_]{2,}")
_COMMENT = re.compile(r"^\s*(?://|/\*|\*|#(?!\[|!|include|define|if|end|pragma)|--)")


def git(repository: Path, *args: str) -> str:
    command = ["git", "-C", str(repository), "-c", "core.quotePath=false", *args]
    done = subprocess.run(command, check=True, capture_output=True)
    return done.stdout.decode("utf-8", "replace")


def message_of(repository: Path, commit: str) -> tuple[str, str]:
    """Return what a commit's message asks for and its kind; "" where it asks for nothing."""
    subject, _, body = git(repository, "log", "-1", "--format=%s%x02%b", commit).partition("\x02")
    if _ROUTINE.match(subject):
        return "", "commit"
    told, title = _NOISE.sub(" ", body).strip(), _NUMBER.sub(" ", subject).strip()
    count = len(_WORD.findall(told))
    if count >= _BODY_WORDS or (count >= _FIXING_WORDS and _FIXES.search(body)):
        return f"{title}\n{told}"[:_LONGEST], "issue"
    return (title if len(_WORD.findall(title)) >= _SUBJECT_WORDS else ""), "commit"


def documented_functions(
    connection: sqlite3.Connection, root: Path, count: int
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield texts of documentation, each with its function, and delete them from the files.

    At most two of a file; a function is its path and its qualified name, which its file has once.
    """
    rows = connection.execute(
        "SELECT f.path, s.qualified, s.name, s.doc, s.line, s.start_line FROM symbols s"
        " JOIN files f ON f.id = s.file_id WHERE s.doc <> '' AND s.kind IN ('function', 'method',"
        " 'class', 'struct', 'interface', 'trait', 'enum', 'object')"
        " AND (SELECT count(*) FROM symbols o WHERE o.file_id = s.file_id"
        " AND o.qualified = s.qualified) = 1"
    ).fetchall()
    rows.sort(key=lambda row: hashlib.sha256(f"{row[0]}:{row[1]}".encode()).digest())
    chosen: dict[str, list[tuple[str, str, int, int]]] = {}
    said: set[str] = set()
    for path, qualified, name, doc, line, start in rows:
        text = re.sub(rf"\b{re.escape(name)}\b", " ", doc).strip()
        mine = chosen.setdefault(path, [])
        if text in said or len(mine) == _DOCS_A_FILE or not is_source(path):
            continue
        if len(_WORD.findall(text)) >= _DOC_WORDS:
            said.add(text)
            mine.append((text, qualified, line, start))
    for path, mine in chosen.items():
        for text, qualified, line, start in sorted(mine, key=lambda one: -one[2]):  # bottom up
            if count and _taken_out(root / path, start, line):
                count -= 1
                yield text[:_LONGEST], (path, qualified)


def delete_documentation(connection: sqlite3.Connection, root: Path) -> None:
    """Delete the documentation of all definitions from the files."""
    rows = connection.execute(
        "SELECT DISTINCT f.path, s.start_line, s.line FROM symbols s"
        " JOIN files f ON f.id = s.file_id WHERE s.doc <> '' ORDER BY f.path, s.line DESC"
    ).fetchall()
    for path, start, line in rows:  # bottom up
        if is_source(path):
            _taken_out(root / path, start, line)


def is_source(path: str) -> bool:
    language = language_for_path(path)
    return bool(language and language.symbols and not language.prose and not _TEST.search(path))


def _taken_out(file: Path, start: int, line: int) -> int:
    """Delete the comment of the definition at `line`; return how many lines that took."""
    text = file.read_text("utf-8", "surrogateescape")
    lines = list(io.StringIO(text))  # at line feeds alone, as the index counts
    if file.suffix == ".py":
        numbers = _docstring(text, line)
    else:
        numbers = [at for at in range(start, line) if _COMMENT.match(lines[at - 1])]
    if numbers:
        kept = [one for at, one in enumerate(lines, 1) if at not in set(numbers)]
        file.write_text("".join(kept), "utf-8", "surrogateescape", newline="")
    return len(numbers)


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _docstring(text: str, line: int) -> list[int]:
    """Return the lines of the docstring of the function at `line`, if it has more to its body."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    for node in ast.walk(tree):
        if isinstance(node, _DEFINITIONS) and node.lineno == line:
            first = node.body[0]
            if len(node.body) > 1 and ast.get_docstring(node):
                return list(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return []

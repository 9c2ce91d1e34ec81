"""Mine training pairs from public repositories: `mine_pairs.py MIRRORS OUT [OWNER/NAME...]`.

MIRRORS holds git directories, `<owner>+<name>/repo`, of the repositories in `repositories.tsv`.
Writes `OUT/<owner>+<name>.npz` for each; one that is there is not mined again. Run it with
`PYTHONPATH=tests/benchmarks`.

A pair is a text and the code that answers it, both as token ids of the vocabulary that ships with
codeindex. No text or label is written by a model:

- *doc*: the first paragraph of a definition's documentation -> the definition without it;
- *commit*: the message of a commit -> each function that still has lines which it wrote;
- *test*: the name of a test -> the function that it calls;
- *example*: a heading of the documents and the paragraph below -> the code shown there;
- *message*: a string that is raised, logged or printed -> its function without that line.

Repositories of semble's benchmark, of SWE-bench and of the yardsticks are refused, as are licences
that are not permissive. Files that tell nothing about the code (vendored, generated, minified) are
left out; so are texts that several functions share.
"""

from __future__ import annotations

import argparse
import ast
import csv
import functools
import hashlib
import re
import subprocess
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import tokenizers
from mined import git, is_source
from pair_batches import JUDGED_KINDS

from codeindex.embed.tokens import replace_surrogates, tokenizer_for
from codeindex.embed.word_ids import token_id_encoder
from codeindex.ingest.chunk.chunks import token_ids_by_line
from codeindex.ingest.chunk.header import chunk_header
from codeindex.ingest.parse import parser
from codeindex.ingest.read.decode import decode, has_generated_marker, is_minified
from codeindex.languages import LANGUAGES, Language, language_for_path
from codeindex.secrets import mark_as_safe
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Chunk, Symbol, SymbolKind

KINDS = (*JUDGED_KINDS, "example", "message")
MOST = {"doc": 3000, "commit": 4000, "test": 1200, "example": 500, "message": 800}
"""Pairs of each kind from one repository, so that no repository is a large share."""
MOST_FILES, MOST_TESTS, MOST_DOCUMENTS = 600, 200, 100
LARGEST = 200_000
"""Bytes of a file."""
COMMITS, LOG_SECONDS = 2000, 90
MOST_FUNCTIONS, MOST_CHANGED_FILES = 5, 12
"""Of a commit: larger ones are about no one thing."""
LONGEST_QUERY, LONGEST_CODE = 96, 800
"""Tokens."""
_HERE = Path(__file__).parent
_PERMISSIVE = {"MIT", "BSD", "Apache-2.0", "ISC", "Zlib", "BSL-1.0", "PostgreSQL", "Unlicense"}
_VENDORED = re.compile(
    r"(?i)(?:^|/)(?:vendor|vendored|third[_-]?party|node_modules|dist|external|deps|extern|contrib"
    r"|generated|gen|build|min|snapshots?|fixtures?|locales?|i18n|translations?)/"
)
_CODE_KINDS = (CALLABLE_KINDS | OWNER_KINDS | {SymbolKind.MACRO}) - {SymbolKind.IMPL}
_FUNCTION_KINDS = CALLABLE_KINDS | {SymbolKind.MACRO}
_WORD = re.compile(r"[^\W\d_]{2,}")
_ROUTINE = re.compile(
    r"(?i)^(?:merge|revert|bump|release|prepare|version|v?\d+[.]\d|fixup!|squash!|wip\b|update "
    r"(?:dependenc|change|readme|version|deps|copyright)|chore|build\(deps|docs?\b|(?:fix )?typo"
    r"|lint|format|(?:apply|run) (?:lint|format|black|prettier)|\[pre-commit|ci\b|style\b)"
)
_PREFIX = re.compile(r"^(?:\w+(?:\([^)]*\))?!?:\s+|\[[^\]]*\]\s*)")
_NOISE = re.compile(
    r"(?im)^(?:[\w-]+-by|change-id|closes?|fix(?:es)?|refs?|resolves?|cc|pr-url|reviewed-[\w-]+"
    r"|git-svn-id|co-authored.*|differential revision|test plan|reviewers|summary)\b:?.*$"
    r"|https?://\S+|\(?#\d+\)?|```.*?```|<!--.*?-->"
)
_PULL = re.compile(r"^Merge pull request #\d+ from \S+$")
_TAG = re.compile(r"\s*(?:@(?!brief\b)\w|\{@|:\w+:|TODO|FIXME|nolint|eslint|Copyright|SPDX)")
_CALLED = re.compile(r"\b([A-Za-z_]\w{3,})\s*[!?]?\(")
_EMITS = re.compile(
    r"(?i)\b(?:raise|throw|\w*error\w*|\w*exception|panic|fatal|\w*warn\w*|log\w*|print\w*|fail\w*"
    r"|die|abort|debug|info|assert\w*|expect|bail|ensure|echo|puts|reject)\b"
)
_STRING = re.compile(r"\"([^\"\n]{20,240})\"|'([^'\n]{20,240})'|`([^`\n]{20,240})`")
_PLACEHOLDER = re.compile(r"%[-+ #0]*\d*[a-zA-Z]|\$?#?\{[^}]*\}|\\[nrt\"'`]|%\{\w+\}")
_FENCE = re.compile(r"^(?:```|~~~)")
_HEADING = re.compile(r"^#{1,6}\s+(.*)")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\W]+")
_TEST_MARK = re.compile(r"(?i)^(?:tests?|should|spec|it)\b\s*|\s*\b(?:tests?|spec)$")
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")

Ids = tuple[int, ...]


class RefusedError(Exception):
    """A repository that must not be learned from."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or type of a file, from the line of its name, `first`, to the line `last`.

    `full` has its token ids in order, with its documentation; `bare` those without it.
    """

    path: str
    number: int
    symbol: Symbol
    first: int
    last: int
    full: Ids
    bare: Ids


@dataclass(frozen=True, slots=True)
class Pair:
    """A text, and the tokens of the code that answers it; `number` is the definition, or -1."""

    kind: str
    text: str
    code: Ids
    path: str
    number: int


def _digest(text: str) -> bytes:
    """Return what puts texts into an order that is random, and the same each time."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


# which repositories


def listed() -> dict[str, tuple[str, str]]:
    """Return language and license of each repository to learn from; RefusedError for a bad list."""
    with (_HERE / "repositories.tsv").open(encoding="utf-8", newline="") as rows:
        found = {
            row["repository"]: (row["language"], row["license"])
            for row in csv.DictReader(rows, delimiter="\t")
        }
    for name, (_, license_) in found.items():
        check(name, license_)
    return found


def check(name: str, license_: str) -> None:
    """Raise RefusedError if a repository is one that something is measured on."""
    if name.lower() in refused():
        raise RefusedError(f"{name} is one that is measured on: take it out of the list.")
    if license_ not in _PERMISSIVE:
        raise RefusedError(f"{name} is under {license_}, which is not a permissive licence.")


def refused() -> frozenset[str]:
    """Return the repositories of benchmarks and yardsticks, in lower case.

    Of the 63 of semble's benchmark the dev half and those that its reports name are known; others
    in `refused.txt` are well-known repositories that may be among the rest.
    """
    names = set((_HERE / "refused.txt").read_text("utf-8").split())
    for file in (_HERE.parent / "yardsticks.tsv", *(_HERE.parent / "golden").glob("*.tsv")):
        text = file.read_text("utf-8")
        names |= set(re.findall(r"(?m)(?:^|\t)([\w.-]+/[\w.-]+)\t[0-9a-f]{40}", text))
    return frozenset(one.lower() for one in names)


# what a tree has


@dataclass(frozen=True, slots=True)
class Source:
    path: str
    language: Language
    text: str
    symbols: tuple[Symbol, ...]


def blobs(repository: Path, names: Sequence[tuple[str, str]]) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of (object, path)."""
    command = ["git", "-C", str(repository), "cat-file", "--batch"]
    asked = "".join(f"{sha}\n" for sha, _ in names).encode()
    answer = subprocess.run(command, input=asked, check=True, capture_output=True).stdout
    at = 0
    for _, path in names:
        end = answer.index(b"\n", at)
        parts = answer[at:end].split()
        at = end + 1
        if parts[-1] != b"missing":
            size = int(parts[2])
            yield path, answer[at : at + size]
            at += size + 1


def tree_entries(repository: Path) -> Iterator[tuple[str, str]]:
    """Yield (object, path) of files in a known language that are neither tiny nor huge."""
    listing = git(repository, "ls-tree", "-r", "-l", "-z", "HEAD")
    for row in listing.split("\0"):
        facts, _, path = row.partition("\t")
        if not path or _VENDORED.search(path):
            continue
        _, kind, sha, size = facts.split()
        if kind != "blob" or language_for_path(path) is None or not size.isdecimal():
            continue  # a snapshot may lack large files
        if 100 < int(size) < LARGEST:
            yield sha, path


def tree_of(repository: Path) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return (object, path) of files of code and of documents, in an order by digest."""
    code: list[tuple[str, str]] = []
    tests: list[tuple[str, str]] = []
    documents: list[tuple[str, str]] = []
    for sha, path in tree_entries(repository):
        language = language_for_path(path)
        if language and language.symbols and not language.prose:
            (code if is_source(path) else tests).append((sha, path))
        elif path.lower().endswith((".md", ".markdown", ".mdx")) and "change" not in path.lower():
            documents.append((sha, path))
    for names in (code, tests, documents):
        names.sort(key=lambda one: _digest(one[1]))
    return code[:MOST_FILES] + tests[:MOST_TESTS], documents[:MOST_DOCUMENTS]


def sources(repository: Path, names: Sequence[tuple[str, str]]) -> Iterator[Source]:
    for path, data in blobs(repository, names):
        language = language_for_path(path)
        try:
            text = decode(data)
        except Exception:  # noqa: BLE001  a binary file
            continue
        if language is None or is_minified(text) or has_generated_marker(text):
            continue
        try:
            found = parser.parse_text(_plain(language.name), mark_as_safe(text), path)
        except Exception as error:  # noqa: BLE001  one file must not end an hour's work
            print(f"  {path}: {error}", file=sys.stderr)
            continue
        yield Source(path, language, text, found.symbols)


@functools.cache
def _plain(name: str) -> Language:
    """Return a language whose definitions alone are looked for, in a third of the time."""
    return replace(LANGUAGES[name], relations="", complexity="")


def definitions(source: Source, start: int) -> list[Definition]:
    """Return functions, and the heads of types, numbered from `start`."""
    lines = token_ids_by_line(source.text, _tokenizer())
    docstrings = _docstrings(source.text) if source.path.endswith(".py") else {}
    chosen = [one for one in source.symbols if one.kind in _CODE_KINDS]
    found: list[Definition] = []
    for symbol in chosen:
        last = min(symbol.end_line, len(lines))
        if symbol.kind in OWNER_KINDS:  # up to its first member
            inner = [
                it.start_line
                for it in chosen
                if symbol.line < it.start_line <= symbol.end_line and it is not symbol
            ]
            last = min([last, symbol.line + 40, *(at - 1 for at in inner)])
        hidden = docstrings.get(symbol.line, range(0))
        chunk = Chunk(
            symbol.start_line, last, symbol.kind, mark_as_safe(""), symbol=symbol.qualified
        )
        place = token_id_encoder(_tokenizer())(chunk_header(source.path, chunk))
        own = (at for at in range(symbol.line, last + 1) if at not in hidden)
        bare = tuple(chain.from_iterable(lines[at - 1] for at in own))
        full = tuple(chain.from_iterable(lines[symbol.start_line - 1 : last]))
        if len(bare) >= 12:
            tokens = ((*place, *one)[:LONGEST_CODE] for one in (full, bare))
            found.append(
                Definition(source.path, start + len(found), symbol, symbol.line, last, *tokens)
            )
    return found


def _docstrings(text: str) -> dict[int, range]:
    """Return the lines of docstrings by the line of their definition."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found[node.lineno] = range(first.lineno, (first.end_lineno or first.lineno) + 1)
    return found


# the five kinds of pairs


def documented(found: Iterable[Definition]) -> Iterator[Pair]:
    for one in found:
        text = re.sub(rf"\b{re.escape(one.symbol.name)}\b", " ", one.symbol.doc)
        if not _TAG.match(text):
            yield Pair("doc", text, one.bare, one.path, one.number)


def committed(
    repository: Path, found: Sequence[Definition], lengths: Mapping[str, int]
) -> Iterator[Pair]:
    """Yield the messages of commits with the functions that still have lines of theirs.

    The history is read from the newest commit back; `alive` tells for each line of a file, as it
    was after the commit, which line of today's file it is, 0 for none.
    """
    owner: dict[str, dict[int, Definition]] = defaultdict(dict)
    for one in sorted(found, key=lambda it: it.first - it.last):  # the innermost last
        if one.symbol.kind in _FUNCTION_KINDS:
            owner[one.path].update(dict.fromkeys(range(one.first, one.last + 1), one))
    alive = {path: list(range(1, lengths[path] + 1)) for path in owner}
    for message, patches in history(repository, {Path(path).suffix for path in owner}):
        changed: Counter[int] = Counter()
        by_number: dict[int, Definition] = {}
        for path, hunks in patches.items():
            lines = alive.get(path)
            if lines is None:
                continue
            for _, _, start, count in hunks:
                for line in lines[start - 1 : start - 1 + count]:
                    if line and (at := owner[path].get(line)):
                        changed[at.number] += 1
                        by_number[at.number] = at
            _undo(lines, hunks)
        text = _message(message)
        if text and 0 < len(changed) <= MOST_FUNCTIONS and len(patches) <= MOST_CHANGED_FILES:
            for one in by_number.values():
                yield Pair("commit", text, one.full, one.path, one.number)


Hunk = tuple[int, int, int, int]


def _undo(lines: list[int], hunks: Sequence[Hunk]) -> None:
    for _, before, start, count in reversed(hunks):
        at = start - 1 if count else start
        lines[at : at + count] = [0] * before


def history(
    repository: Path, suffixes: Iterable[str]
) -> Iterator[tuple[str, Mapping[str, list[Hunk]]]]:
    """Yield message and hunks by path of the trunk's commits, newest first."""
    command = [
        *("timeout", str(LOG_SECONDS), "git", "-C", str(repository), "-c", "core.quotePath=false"),
        *("log", "--first-parent", "-m", "--no-renames", "-p", "-U0", "--no-color"),
        *("--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/"),
        *("--format=%x01%s%x02%b%x03", "-n", str(COMMITS), "HEAD", "--"),
        *(f"*{one}" for one in sorted(suffixes) if one),
    ]
    message, patches, path, body = "", defaultdict[str, list[Hunk]](list), "", False
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as log:
        assert log.stdout is not None
        for line in log.stdout:
            if line[:1] == b"\x01":
                if message:
                    yield message, patches
                message, patches, path, body = "", defaultdict(list), "", True
            if body:
                message += line.decode("utf-8", "replace")
                body = b"\x03" not in line
            elif line.startswith(b"+++ b/"):
                path = line[6:].rstrip(b"\t\n").decode("utf-8", "replace")
            elif line.startswith(b"+++ "):
                path = ""
            elif path and (hunk := _HUNK.match(line)):
                old, before, new, after = (int(one or 1) for one in hunk.groups(default=b"1"))
                patches[path].append((old, before, new, after))
        if message:
            yield message, patches


def _message(raw: str) -> str:
    subject, _, body = raw.strip("\x01\x03\n ").partition("\x02")
    body = body.strip("\x03\n ")
    if _PULL.match(subject):
        subject, _, body = body.partition("\n")
    if _ROUTINE.match(subject):
        return ""
    subject = _NOISE.sub(" ", _PREFIX.sub("", subject)).strip()
    told = _NOISE.sub(" ", body).strip()
    if len(_WORD.findall(subject)) < 3:
        return f"{subject}\n{told}" if len(_WORD.findall(told)) >= 6 else ""
    return f"{subject}\n{told}" if len(_WORD.findall(told)) >= 8 else subject


def tested(tests: Iterable[Source], found: Sequence[Definition]) -> Iterator[Pair]:
    """Yield names of tests with the one or two functions of rare names that they call."""
    by_name: dict[str, list[Definition]] = defaultdict(list)
    for one in found:
        by_name[one.symbol.name].append(one)
    called = [
        (one.name, source, set(_CALLED.findall(_lines_of(source, one))))
        for source in tests
        for one in source.symbols
        if one.kind is SymbolKind.TEST
        or (one.kind in CALLABLE_KINDS and re.match(r"(?i)test|should|it_|spec", one.name))
    ]
    often = Counter(name for _, _, names in called for name in names)
    for name, _, names in called:
        text = _TEST_MARK.sub("", " ".join(_CAMEL.sub(" ", name).split()))
        known = [it for it in names if len(by_name.get(it, ())) == 1 and often[it] <= 40]
        known.sort(key=lambda it: (often[it], it))
        if len(_WORD.findall(text)) >= 3:
            for one in known[:2]:
                target = by_name[one][0]
                yield Pair("test", text, target.full, target.path, target.number)


def _lines_of(source: Source, symbol: Symbol) -> str:
    last = min(symbol.end_line, symbol.line + 60)
    return "\n".join(source.text.split("\n")[symbol.line - 1 : last])


def shown(documents: Iterable[tuple[str, bytes]]) -> Iterator[Pair]:
    """Yield headings with the paragraph before an example, and the example's code."""
    for path, data in documents:
        headings, inside = "", False
        paragraph: list[str] = []
        code: list[str] = []
        for line in data.decode("utf-8", "replace").split("\n"):
            if _FENCE.match(line.strip()):
                if inside and 2 <= len(code) <= 80:
                    text = f"{headings}\n{' '.join(paragraph[-4:])}"
                    ids = tokens_of("\n".join(code))[:LONGEST_CODE]
                    if len(ids) >= 20:
                        yield Pair("example", text, ids, path, -1)
                if inside:
                    paragraph = []
                inside, code = not inside, []
            elif inside:
                code.append(line)
            elif heading := _HEADING.match(line):
                headings, paragraph = heading[1].strip(), []
            elif line.strip():
                paragraph.append(line.strip())
            elif len(paragraph) > 6:
                paragraph = []


def told(source: Source, found: Sequence[Definition]) -> Iterator[Pair]:
    """Yield strings that a function raises, logs or prints."""
    lines = source.text.split("\n")
    for one in found:
        if one.symbol.kind not in _FUNCTION_KINDS:
            continue
        for at in range(one.first, min(one.last, len(lines))):
            line = lines[at]
            string = _STRING.search(line) if len(line) < 300 else None
            if string is None or not _EMITS.search(line[: string.start()]):
                continue
            text = _PLACEHOLDER.sub(" ", next(filter(None, string.groups())))
            rest = _without(one.full, tokens_of(line))
            if len(_WORD.findall(text)) >= 4 and len(rest) >= 12:
                yield Pair("message", text, rest, one.path, one.number)


def _without(ids: Ids, line: Ids) -> Ids:
    """Return a definition's ids without the first run of those of a line."""
    for at in range(len(ids) - len(line) + 1):
        if ids[at : at + len(line)] == line:
            return ids[:at] + ids[at + len(line) :]
    return tuple(one for one in ids if one not in line)  # the line goes beyond the longest code


# from pairs to a file


def _tokenizer() -> tokenizers.Tokenizer:
    return tokenizer_for(None)


def tokens_of(text: str) -> Ids:
    """Return the token ids of a text, its lines one after another."""
    ids: list[int] = []
    for line in replace_surrogates(text).split("\n"):
        ids += token_id_encoder(_tokenizer())(line)
    return tuple(ids)


def kept(pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Ids, int]]:
    """Yield pairs worth learning from with the ids of the text and its checksum."""
    shared: Counter[str] = Counter()
    ready = []
    seen: set[tuple[str, str, int]] = set()
    for one in pairs:
        text = " ".join(one.text.lower().split())[:1200]
        if len(_WORD.findall(text)) < 3 or (text, one.path, one.number) in seen:
            continue
        seen.add((text, one.path, one.number))
        shared[text] += 1
        ready.append((one, text))
    counts: Counter[str] = Counter()
    ready.sort(key=lambda it: _digest(f"{it[0].kind}{it[1]}{it[0].number}"))
    for one, text in ready:
        limit = MOST_FUNCTIONS if one.kind == "commit" else 2
        if shared[text] > limit or counts[one.kind] >= MOST[one.kind]:
            continue
        ids = tokens_of(text)[:LONGEST_QUERY]
        if len(ids) >= 3:
            counts[one.kind] += 1
            yield one, ids, zlib.crc32(text.encode())


def mine(repository: Path) -> dict[str, np.ndarray]:
    """Return the arrays of a repository's file."""
    code, documents = tree_of(repository)
    found: list[Definition] = []
    pairs: list[Pair] = []
    tests: list[Source] = []
    lengths: dict[str, int] = {}
    for source in sources(repository, code):
        if not is_source(source.path):
            tests.append(source)
            continue
        lengths[source.path] = source.text.count("\n") + 1
        mine_ = definitions(source, len(found))
        found += mine_
        pairs += documented(mine_)
        pairs += told(source, mine_)
    pairs += tested(tests, found)
    pairs += shown(blobs(repository, documents))
    pairs += committed(repository, found, lengths)
    return arrays(list(kept(pairs)), found)


def arrays(
    pairs: Sequence[tuple[Pair, Ids, int]], found: Sequence[Definition]
) -> dict[str, np.ndarray]:
    """Return texts (`q`), code (`d`) and all definitions without documentation (`pool`).

    Each is one row of token ids after another, with the ends of the rows; `number` is the row of
    the pool that a pair is about; `frequency` counts the definitions that have a token.
    """
    paths = {path: at for at, path in enumerate(sorted({one.path for one, _, _ in pairs}))}
    frequency = np.zeros(_tokenizer().get_vocab_size(), dtype=np.int32)
    for one in found:
        frequency[list(set(one.full))] += 1
    rows = {
        "q": [text for _, text, _ in pairs],
        "d": [one.code for one, _, _ in pairs],
        "pool": [one.bare for one in found],
    }
    out: dict[str, np.ndarray] = {
        "kind": np.array([KINDS.index(one.kind) for one, _, _ in pairs], dtype=np.uint8),
        "number": np.array([one.number for one, _, _ in pairs], dtype=np.int32),
        "path": np.array([paths[one.path] for one, _, _ in pairs], dtype=np.int32),
        "text": np.array([sum_ for _, _, sum_ in pairs], dtype=np.uint32),
        "frequency": frequency,
    }
    for name, texts in rows.items():
        out[name] = np.fromiter(chain.from_iterable(texts), dtype=np.uint16)
        out[f"{name}_end"] = np.cumsum([len(one) for one in texts], dtype=np.int64)
    return out


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("mirrors", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("names", nargs="*", metavar="OWNER/NAME")
    arguments.add_argument(
        "--part", default="0/1", help="N/M: every Mth repository from the Nth on"
    )
    args = arguments.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    names = args.names or sorted(listed(), key=_digest)
    first, step = map(int, args.part.split("/"))
    for name in names[first::step]:
        check(name, listed()[name][1])
        folder = name.replace("/", "+")
        repository, file = args.mirrors / folder / "repo", args.out / f"{folder}.npz"
        if file.exists() or not repository.is_dir():
            continue
        found: dict[str, Any] = mine(repository)
        partial = file.with_suffix(".partial.npz")
        np.savez_compressed(partial, **found)
        partial.replace(file)
        counts = Counter(KINDS[kind] for kind in found["kind"].tolist())
        print(name, len(found["kind"]), dict(counts), len(found["pool_end"]), flush=True)


if __name__ == "__main__":
    main()

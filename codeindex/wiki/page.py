"""Define wiki pages and their file format: YAML front matter, then markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeGuard, get_args

from codeindex.config import WIKI_FOLDER
from codeindex.errors import ConfigError, WikiError

PageType = Literal["architecture", "module", "entity", "topic"]
PAGE_TYPES: tuple[str, ...] = get_args(PageType)
_FENCE = "---"
_DIGEST = re.compile(r"[0-9a-f]{7,64}")


@dataclass(frozen=True, slots=True)
class PageSource:
    """A source file that a wiki page describes, with its digest when the page was written.

    The digest is '' if it is not known.
    """

    path: str
    digest: str = ""


@dataclass(frozen=True, slots=True)
class PageCitation:
    """A citation in a wiki page, such as `path:12-30`, with the digest that its lines had."""

    at: str
    digest: str

    @property
    def path(self) -> str:
        """The path of the cited file."""
        return self.at.rpartition(":")[0]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A reported contradiction between a page and `source`, such as a file.

    `source` is '' if it was not given.
    """

    description: str
    source: str = ""
    resolved: bool = False


@dataclass(frozen=True, slots=True)
class FailureNote:
    """A fix of a problem that was tried and failed; a page keeps it as a warning.

    `actual_fix` is the one that worked, '' if unknown.
    """

    symptom: str
    attempted_fix: str
    diagnosis: str
    actual_fix: str = ""
    source_files: tuple[str, ...] = ()
    resolved: bool = False


def map_failure_texts(failure: FailureNote, change: Callable[[str], str]) -> FailureNote:
    """Return a failure note with `change` applied to each of its texts and paths."""
    return replace(
        failure,
        symptom=change(failure.symptom),
        attempted_fix=change(failure.attempted_fix),
        diagnosis=change(failure.diagnosis),
        actual_fix=change(failure.actual_fix),
        source_files=tuple(map(change, failure.source_files)),
    )


@dataclass(frozen=True, slots=True)
class WikiPage:
    """A wiki page.

    `commit` is the commit at which it was written. `version` is the version of the file that it was
    read from (`page_version`), '' for a new page.
    """

    id: str
    title: str
    type: str = "topic"
    body: str = ""
    commit: str = ""
    draft: bool = False
    sources: tuple[PageSource, ...] = ()
    cites: tuple[PageCitation, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    failures: tuple[FailureNote, ...] = ()
    version: str = field(default="", compare=False)

    @property
    def path(self) -> str:
        return page_path(self.id)


def page_path(page: str) -> str:
    """Return the path of a page's file, relative to the root of the repository."""
    return f"{WIKI_FOLDER}/{page}.md"


def page_version(data: bytes) -> str:
    """Return the version of a page's file: 48 bits of the SHA-256 of its content.

    CRLF and LF give the same version, because git may convert line ends.
    """
    return sha256(data.replace(b"\r\n", b"\n")).hexdigest()[:12]


def serialize_page(page: WikiPage) -> str:
    """Return the text of a page's file: front matter and body."""
    return "\n".join((_FENCE, *_front_matter_lines(page), _FENCE, "", page.body.strip("\n"), ""))


def _front_matter_lines(page: WikiPage) -> Iterator[str]:
    yield f"title: {quote_yaml(page.title)}"
    yield f"type: {page.type}"
    if page.commit:
        yield f"commit: {quote_yaml(page.commit)}"
    if page.draft:
        yield "draft: true"
    for name, rows in (("sources", page.sources), ("cites", page.cites)):
        yield from [f"{name}:"] if rows else []
        for row in rows:
            yield f"  - {{{', '.join(_flow_pairs(row))}}}"
    for name, entries in (("contradictions", page.contradictions), ("failures", page.failures)):
        yield from [f"{name}:"] if entries else []
        for entry in entries:
            first, *rest = _record_lines(entry)
            yield f"  - {first}"
            yield from (f"    {line}" for line in rest)


def _flow_pairs(record: PageSource | PageCitation) -> list[str]:
    return [
        f"{name}: {quote_yaml(text)}"
        for name in record.__slots__
        if (text := getattr(record, name))
    ]


def _record_lines(record: Contradiction | FailureNote) -> Iterator[str]:
    for name in record.__slots__:
        value = getattr(record, name)
        if isinstance(value, bool):
            yield f"{name}: {str(value).lower()}"
        elif isinstance(value, tuple) and value:
            yield f"{name}: [{', '.join(map(quote_yaml, value))}]"
        elif value and isinstance(value, str):
            yield f"{name}: {quote_yaml(value)}"


def quote_yaml(text: str) -> str:
    """Return a text as a quoted YAML string on one line."""
    return f'"{"".join(map(_escape, text))}"'


def _escape(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    return "\\n" if character == "\n" else f"\\U{ord(character):08x}"


def parse_page(page: str, data: bytes) -> WikiPage:
    """Parse the file of the page with id `page`.

    Raise WikiError for a malformed line and for an unknown or invalid key; the message names it.
    """
    path = page_path(page)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise WikiError(f"'{path}' is not UTF-8; save it in that encoding.") from error
    head, body = _split_front_matter(text, path)
    values = _Values(_parse_yaml(head, path), path)
    parsed_page = WikiPage(
        id=page,
        title=values.text("title") or page,
        type=values.choice("type", (*PAGE_TYPES, "index"), "topic"),
        body=body.strip("\n"),
        commit=values.digest("commit"),
        draft=values.flag("draft"),
        sources=tuple(
            PageSource(entry.need("path"), entry.text("digest"))
            for entry in values.each("sources", "path")
        ),
        cites=tuple(
            PageCitation(entry.need("at"), entry.need("digest")) for entry in values.each("cites")
        ),
        contradictions=tuple(map(_contradiction, values.each("contradictions", "description"))),
        failures=tuple(map(_failure, values.each("failures"))),
        version=page_version(data),
    )
    values.end()
    return parsed_page


def _contradiction(values: _Values) -> Contradiction:
    return Contradiction(values.need("description"), values.text("source"), values.flag("resolved"))


def _failure(values: _Values) -> FailureNote:
    return FailureNote(
        symptom=values.need("symptom"),
        attempted_fix=values.need("attempted_fix"),
        diagnosis=values.need("diagnosis"),
        actual_fix=values.text("actual_fix"),
        source_files=values.texts("source_files"),
        resolved=values.flag("resolved"),
    )


def _split_front_matter(text: str, path: str) -> tuple[str, str]:
    """Split a file's text into (front matter, body); the first is '' if there is none.

    Raise WikiError if the front matter has no end.
    """
    if not text.startswith(f"{_FENCE}\n"):
        return "", text
    head, end, body = text[len(_FENCE) :].partition(f"\n{_FENCE}\n")
    if not end and text.endswith(f"\n{_FENCE}"):
        head, end, body = text[len(_FENCE) : -len(_FENCE)], _FENCE, ""
    if not end:
        raise WikiError(f"{path}:1: the front matter has no end; close it with a line `---`.")
    return head, body  # the head starts with an empty line, so that line numbers match the file


def _parse_yaml(head: str, path: str) -> Mapping[str, Any]:
    from codeindex.config.yaml_document import parse_yaml

    try:
        return parse_yaml(head, Path(path)).values
    except ConfigError as error:
        raise WikiError(str(error)) from error


class _Values:
    """Typed access to a mapping of the front matter; unknown keys are an error."""

    def __init__(self, values: Mapping[str, Any], path: str, around: str = "") -> None:
        self._values, self._path, self._around = values, path, around
        self._known: set[str] = set()
        self._inner: list[_Values] = []

    def text(self, name: str) -> str:
        value = self._taken(name)
        if value is None:
            return ""
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            return str(value)  # YAML reads a commit that has only digits as a number
        raise self._wrong(name, "a text")

    def need(self, name: str) -> str:
        text = self.text(name)
        if not text:
            raise self._wrong(name, "given")
        return text

    def digest(self, name: str) -> str:
        text = self.text(name)
        if text and not _DIGEST.fullmatch(text):  # it is passed to git as an argument
            raise self._wrong(name, "a commit's digest")
        return text

    def flag(self, name: str) -> bool:
        value = self._taken(name)
        if value is None or isinstance(value, bool):
            return bool(value)
        raise self._wrong(name, "true or false")

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        text = self.text(name) or default
        if text not in choices:
            raise self._wrong(name, f"one of {', '.join(choices)}")
        return text

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._taken(name)
        if value is None:
            return ()
        if _is_string_list(value):
            return tuple(value)
        raise self._wrong(name, "a list of texts")

    def each(self, name: str, only: str = "") -> list[_Values]:
        """Return the mappings in the list called `name`.

        A plain string in the list stands for a mapping with the string under the key `only`.
        """
        value = self._taken(name) or []
        rows = [{only: row} if only and isinstance(row, str) else row for row in value]
        if not isinstance(value, list) or not all(isinstance(row, dict) for row in rows):
            raise self._wrong(name, "a list of `key: value` lines")
        valueses = [_Values(row, self._path, f"{name}[{n}].") for n, row in enumerate(rows)]
        self._inner += valueses
        return valueses

    def end(self) -> None:
        """Raise WikiError for a key that was not read, because writing the page would lose it."""
        import difflib

        for values in self._inner:
            values.end()
        for name in self._values:
            if name not in self._known:
                near = difflib.get_close_matches(name, self._known, 1)
                hint = f"did you mean `{near[0]}`?" if near else "remove it."
                raise WikiError(f"{self._path}: `{self._around}{name}` is unknown: {hint}")

    def _taken(self, name: str) -> Any:
        self._known.add(name)
        return self._values.get(name)

    def _wrong(self, name: str, wanted: str) -> WikiError:
        return WikiError(f"{self._path}: `{self._around}{name}` must be {wanted}; correct it.")


def _is_string_list(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)

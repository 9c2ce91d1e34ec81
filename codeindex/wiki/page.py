"""Define wiki pages and their file format: YAML front matter, then markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

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
    values = dict(_parse_yaml(head, path))
    if values.get("title") in (None, ""):
        values["title"] = page
    found: WikiPage = _record(
        WikiPage, values, f"{path}: `", id=page, body=body.strip("\n"), version=page_version(data)
    )
    if found.type not in (*PAGE_TYPES, "index"):
        raise _wrong(f"{path}: `type", f"one of {', '.join((*PAGE_TYPES, 'index'))}")
    if found.commit and not _DIGEST.fullmatch(found.commit):  # it is passed to git as an argument
        raise _wrong(f"{path}: `commit", "a commit's digest")
    return found


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


def _record(kind: type[Any], values: Mapping[str, Any], place: str, **given: Any) -> Any:
    """Return an instance of the dataclass `kind` for a mapping of the front matter.

    The fields in `given` have these values, the others those of the keys of `values` with their
    names. Error messages have `place` before a key: the page, a backquote and the keys above.
    Raise WikiError for a missing or wrong value, and for an unknown key, which would be lost when
    the page is written.
    """
    known = {entry.name: entry for entry in fields(kind) if entry.name not in given}
    hints = get_type_hints(kind)
    for name, value in values.items():
        if name not in known:
            import difflib

            near = difflib.get_close_matches(str(name), known, 1)
            hint = f"did you mean `{near[0]}`?" if near else "remove it."
            raise WikiError(f"{place}{name}` is unknown: {hint}")
        if value not in (None, ""):
            given[name] = _convert(value, hints[name], f"{place}{name}")
    for name, entry in known.items():
        if name not in given and entry.default is MISSING:
            raise _wrong(f"{place}{name}", "given")
    return kind(**given)


def _convert(value: Any, hint: Any, place: str) -> Any:
    """Return a value of the front matter as the type `hint` of its field.

    In a list of mappings, a string stands for a mapping with the string as its first field. Raise
    WikiError for a value of another type; `place` is as in `_record`.
    """
    if hint is bool:
        if not isinstance(value, bool):
            raise _wrong(place, "true or false")
        return value
    if hint is str:
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise _wrong(place, "a text")
        return str(value)  # YAML reads a commit that has only digits as a number
    inner, _ = get_args(hint)
    if not isinstance(value, list):
        raise _wrong(place, f"a list of {'texts' if inner is str else '`key: value` lines'}")
    if inner is str:
        return tuple(_convert(item, str, f"{place}[{n}]") for n, item in enumerate(value))
    rows = [{fields(inner)[0].name: row} if isinstance(row, str) else row for row in value]
    if not all(isinstance(row, dict) for row in rows):
        raise _wrong(place, "a list of `key: value` lines")
    return tuple(_record(inner, row, f"{place}[{n}].") for n, row in enumerate(rows))


def _wrong(place: str, wanted: str) -> WikiError:
    return WikiError(f"{place}` must be {wanted}; correct it.")

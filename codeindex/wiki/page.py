"""A page, and its form as a file: front matter of YAML, then markdown."""

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
    """A file that a page is about, and what it held when the page was written."""

    path: str
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """Lines that a page cites, `path:12-30`, and what they held."""

    at: str
    digest: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Something that somebody found to be otherwise than the page, or another page, says."""

    description: str
    source: str = ""
    resolved: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """A fix that was tried and did not work, so that nobody tries it again."""

    symptom: str
    attempted_fix: str
    diagnosis: str
    actual_fix: str = ""
    source_files: tuple[str, ...] = ()
    resolved: bool = False


def map_failure_texts(one: Failure, change: Callable[[str], str]) -> Failure:
    """Return a failure with its texts passed through a function."""
    return replace(
        one,
        symptom=change(one.symptom),
        attempted_fix=change(one.attempted_fix),
        diagnosis=change(one.diagnosis),
        actual_fix=change(one.actual_fix),
        source_files=tuple(map(change, one.source_files)),
    )


@dataclass(frozen=True, slots=True)
class WikiPage:
    """A page as it is, or is to be, in its file; `version` is of the file it was read from."""

    id: str
    title: str
    type: str = "topic"
    body: str = ""
    commit: str = ""
    draft: bool = False
    sources: tuple[PageSource, ...] = ()
    cites: tuple[Citation, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    failures: tuple[Failure, ...] = ()
    version: str = field(default="", compare=False)

    @property
    def path(self) -> str:
        return page_path(self.id)


def page_path(page: str) -> str:
    """Return where the page of an id is, relative to the root."""
    return f"{WIKI_FOLDER}/{page}.md"


def page_version(data: bytes) -> str:
    """Return what tells one state of a file from others; line ends are git's business."""
    return sha256(data.replace(b"\r\n", b"\n")).hexdigest()[:12]


def serialize_page(page: WikiPage) -> str:
    """Return the text of a page's file."""
    return "\n".join((_FENCE, *_front(page), _FENCE, "", page.body.strip("\n"), ""))


def _front(page: WikiPage) -> Iterator[str]:
    yield f"title: {quote_yaml(page.title)}"
    yield f"type: {page.type}"
    if page.commit:
        yield f"commit: {quote_yaml(page.commit)}"
    if page.draft:
        yield "draft: true"
    for name, rows in (("sources", page.sources), ("cites", page.cites)):
        yield from [f"{name}:"] if rows else []
        for one in rows:
            yield f"  - {{{', '.join(_flow(one))}}}"
    for name, entries in (
        ("contradictions", page.contradictions),
        ("failures", page.failures),
    ):
        yield from [f"{name}:"] if entries else []
        for entry in entries:
            first, *rest = _lines(entry)
            yield f"  - {first}"
            yield from (f"    {line}" for line in rest)


def _flow(one: PageSource | Citation) -> list[str]:
    return [f"{name}: {quote_yaml(text)}" for name in one.__slots__ if (text := getattr(one, name))]


def _lines(one: Contradiction | Failure) -> Iterator[str]:
    for name in one.__slots__:
        value = getattr(one, name)
        if isinstance(value, bool):
            yield f"{name}: {str(value).lower()}"
        elif isinstance(value, tuple) and value:
            yield f"{name}: [{', '.join(map(quote_yaml, value))}]"
        elif value and isinstance(value, str):
            yield f"{name}: {quote_yaml(value)}"


def quote_yaml(text: str) -> str:
    """Write a string of YAML on one line, whatever is in it."""
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    return "\\n" if character == "\n" else f"\\U{ord(character):08x}"


def parse_page(page: str, data: bytes) -> WikiPage:
    """Read a page's file strictly; WikiError says which line is wrong."""
    path = page_path(page)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise WikiError(f"'{path}' is not UTF-8; save it in that encoding.") from error
    head, body = _parted(text, path)
    values = _Values(_yaml(head, path), path)
    found = WikiPage(
        id=page,
        title=values.text("title") or page,
        type=values.choice("type", (*PAGE_TYPES, "index"), "topic"),
        body=body.strip("\n"),
        commit=values.digest("commit"),
        draft=values.flag("draft"),
        sources=tuple(
            PageSource(one.need("path"), one.text("digest"))
            for one in values.each("sources", "path")
        ),
        cites=tuple(Citation(one.need("at"), one.need("digest")) for one in values.each("cites")),
        contradictions=tuple(map(_contradiction, values.each("contradictions", "description"))),
        failures=tuple(map(_failure, values.each("failures"))),
        version=page_version(data),
    )
    values.end()
    return found


def _contradiction(one: _Values) -> Contradiction:
    return Contradiction(one.need("description"), one.text("source"), one.flag("resolved"))


def _failure(one: _Values) -> Failure:
    return Failure(
        symptom=one.need("symptom"),
        attempted_fix=one.need("attempted_fix"),
        diagnosis=one.need("diagnosis"),
        actual_fix=one.text("actual_fix"),
        source_files=one.texts("source_files"),
        resolved=one.flag("resolved"),
    )


def _parted(text: str, path: str) -> tuple[str, str]:
    """Part front matter and body; a page that people wrote may have none."""
    if not text.startswith(f"{_FENCE}\n"):
        return "", text
    head, found, body = text[len(_FENCE) :].partition(f"\n{_FENCE}\n")
    if not found and text.endswith(f"\n{_FENCE}"):
        head, found, body = text[len(_FENCE) : -len(_FENCE)], _FENCE, ""
    if not found:
        raise WikiError(f"{path}:1: the front matter has no end; close it with a line `---`.")
    return head, body  # its first line is empty, so that lines are counted as in the file


def _yaml(head: str, path: str) -> Mapping[str, Any]:
    from codeindex.config.yaml_document import parse_yaml

    try:
        return parse_yaml(head, Path(path)).values
    except ConfigError as error:
        raise WikiError(str(error)) from error


class _Values:
    """Values of one mapping of the front matter, each of the type that it must have."""

    def __init__(self, values: Mapping[str, Any], path: str, around: str = "") -> None:
        self._values, self._path, self._around = values, path, around
        self._known: set[str] = set()
        self._inner: list[_Values] = []

    def text(self, name: str) -> str:
        value = self._taken(name)
        if value is None:
            return ""
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            return str(value)  # a commit of digits alone reads as a number
        raise self._wrong(name, "a text")

    def need(self, name: str) -> str:
        found = self.text(name)
        if not found:
            raise self._wrong(name, "given")
        return found

    def digest(self, name: str) -> str:
        found = self.text(name)
        if found and not _DIGEST.fullmatch(found):  # git gets to see it, on a command line
            raise self._wrong(name, "a commit's digest")
        return found

    def flag(self, name: str) -> bool:
        value = self._taken(name)
        if value is None or isinstance(value, bool):
            return bool(value)
        raise self._wrong(name, "true or false")

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        found = self.text(name) or default
        if found not in choices:
            raise self._wrong(name, f"one of {', '.join(choices)}")
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._taken(name)
        if value is None:
            return ()
        if _is_texts(value):
            return tuple(value)
        raise self._wrong(name, "a list of texts")

    def each(self, name: str, only: str = "") -> list[_Values]:
        """Return the mappings of a list; a text stands for one that has `only` this."""
        value = self._taken(name) or []
        rows = [{only: one} if only and isinstance(one, str) else one for one in value]
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in rows):
            raise self._wrong(name, "a list of `key: value` lines")
        found = [_Values(one, self._path, f"{name}[{n}].") for n, one in enumerate(rows)]
        self._inner += found
        return found

    def end(self) -> None:
        """Refuse what nothing has asked for: a misspelt key would be lost with the next write."""
        import difflib

        for one in self._inner:
            one.end()
        for name in self._values:
            if name not in self._known:
                near = difflib.get_close_matches(name, self._known, 1)
                hint = f"did you mean `{near[0]}`?" if near else "take it out."
                raise WikiError(f"{self._path}: `{self._around}{name}` is unknown: {hint}")

    def _taken(self, name: str) -> Any:
        self._known.add(name)
        return self._values.get(name)

    def _wrong(self, name: str, wanted: str) -> WikiError:
        return WikiError(f"{self._path}: `{self._around}{name}` must be {wanted}; correct it.")


def _is_texts(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)

"""Find and check citations (`path:12-30`) and links (`[[page]]`) in pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from codeindex.languages import language_for_path
from codeindex.text.code_fences import mark_code
from codeindex.wiki.page import PageCitation, WikiPage
from codeindex.wiki.source_files import SourceFiles, digest_lines

CitationState = Literal["as written", "moved", "changed", "gone"]

_PLACE = re.compile(r"(?<![\w./@+-])((?:[\w.@+-]+/)*[\w@+-][\w.@+-]*):(\d{1,7})(?:-(\d{1,7}))?\b")
_LINK = re.compile(r"\[\[([^\[\]\n|]{1,200})(?:\|[^\[\]\n]*)?\]\]")
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)[^`]+\1(?!`)")


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """The state of a citation in a wiki page; `at` is the citation, such as `path:12-30`.

    `now` is the new `path:lines` if the lines moved, else ''.
    """

    page: str
    at: str
    state: CitationState
    now: str = ""


def find_links(body: str) -> tuple[str, ...]:
    """Return the ids of the pages to which a page's text links, each once.

    Links in code are ignored.
    """
    result = (_LINK.findall(_CODE.sub("", line)) for line in _prose_lines(body))
    return tuple(dict.fromkeys(name.strip() for names in result for name in names))


def find_places(body: str, tree: SourceFiles) -> tuple[str, ...]:
    """Return the citations (`path:12-30`) in a page's text whose lines exist, each once."""
    result = (match for line in _prose_lines(body) for match in _PLACE.finditer(line))
    return tuple(
        dict.fromkeys(match[0] for match in result if _cited_lines(match[0], tree) is not None)
    )


def missing_citations(body: str, tree: SourceFiles) -> tuple[str, ...]:
    """Return the citations (`path:12-30`) in a page's text whose lines do not exist.

    Only names of files count: texts like `localhost:80` are no citations.
    """
    grouped = dict.fromkeys(
        match[0] for line in _prose_lines(body) for match in _PLACE.finditer(line)
    )
    absent = (at for at in grouped if _cited_lines(at, tree) is None)
    return tuple(at for at in absent if _is_file(_parse_citation(at)[0], tree))


def _is_file(path: str, tree: SourceFiles) -> bool:
    return language_for_path(path) is not None or tree.lines(path) is not None


def find_citations(body: str, tree: SourceFiles) -> tuple[PageCitation, ...]:
    """Return the citations in a page's text whose lines exist, with the digest of their lines."""
    result = ((at, _cited_lines(at, tree)) for at in find_places(body, tree))
    return tuple(PageCitation(at, digest_lines(lines)) for at, lines in result if lines is not None)


def check_citations(page: WikiPage, tree: SourceFiles) -> Iterator[CitationCheck]:
    """Yield the state of each citation: its lines are as written, moved, changed or gone."""
    for citation in page.cites:
        lines = _cited_lines(citation.at, tree)
        if lines is not None and digest_lines(lines) == citation.digest:
            yield CitationCheck(page.id, citation.at, "as written")
        elif now := _find_moved(citation, tree):
            yield CitationCheck(page.id, citation.at, "moved", now)
        else:
            is_there = tree.lines(_parse_citation(citation.at)[0]) is not None
            yield CitationCheck(page.id, citation.at, "changed" if is_there else "gone")


def reanchor_citations(body: str, moved: dict[str, str]) -> str:
    """Replace citations in the body of a page, given as {old: new}, except in code blocks."""

    def now(match: re.Match[str]) -> str:
        return moved.get(match[0], match[0])

    return _map_lines(body, lambda line: _PLACE.sub(now, line))


def _parse_citation(at: str) -> tuple[str, int, int]:
    match = _PLACE.fullmatch(at)
    if match is None:
        return at, 0, 0
    first = int(match[2])
    return match[1], first, int(match[3] or first)


def _cited_lines(at: str, tree: SourceFiles) -> tuple[str, ...] | None:
    path, first, last = _parse_citation(at)
    lines = tree.lines(path)
    if lines is None or not 1 <= first <= last <= len(lines):
        return None
    return lines[first - 1 : last]


def _find_moved(citation: PageCitation, tree: SourceFiles) -> str:
    """Return where the cited lines are now in their file, as `path:14-32`; '' if they are gone.

    If the lines occur several times, the place nearest to the old one is returned.
    """
    path, first, last = _parse_citation(citation.at)
    lines = tree.lines(path) or ()
    size = last - first + 1
    starts = range(len(lines) - size + 1)
    if first < 1 or size < 1 or not tree.may_compare(size * len(starts)):
        return ""
    near = sorted(starts, key=lambda at: abs(at + 1 - first))
    at = next((at for at in near if digest_lines(lines[at : at + size]) == citation.digest), None)
    if at is None:
        return ""
    return (
        f"{path}:{at + 1}"
        if size == 1 and "-" not in citation.at
        else f"{path}:{at + 1}-{at + size}"
    )


def _prose_lines(body: str) -> Iterator[str]:
    return iter(_map_lines(body, lambda line: line, code=lambda _: "").split("\n"))


def _map_lines(
    body: str, change: Callable[[str], str], *, code: Callable[[str], str] = lambda line: line
) -> str:
    """Return a page's text with `change` applied to each line outside of fenced code.

    `code` is applied to all other lines.
    """
    lines = mark_code(body.split("\n"))
    return "\n".join(code(line) if is_code else change(line) for line, is_code in lines)

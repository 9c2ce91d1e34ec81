"""What a page's text points at: lines of files, `path:12-30`, and other pages, `[[page]]`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from codeindex.languages import language_for_path
from codeindex.wiki.page import Citation, WikiPage
from codeindex.wiki.source_files import SourceFiles, digest_lines

CitationState = Literal["as written", "moved", "changed", "gone"]

_PLACE = re.compile(r"(?<![\w./@+-])((?:[\w.@+-]+/)*[\w@+-][\w.@+-]*):(\d{1,7})(?:-(\d{1,7}))?\b")
_LINK = re.compile(r"\[\[([^\[\]\n|]{1,200})(?:\|[^\[\]\n]*)?\]\]")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)[^`]+\1(?!`)")


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """A citation, and what has become of its lines; `now` is where they are if they moved."""

    page: str
    at: str
    state: CitationState
    now: str = ""


def find_links(body: str) -> tuple[str, ...]:
    """Return the pages that a text refers to, each once; code refers to none."""
    found = (_LINK.findall(_CODE.sub("", line)) for line in _prose(body))
    return tuple(dict.fromkeys(one.strip() for names in found for one in names))


def find_places(body: str, tree: SourceFiles) -> tuple[str, ...]:
    """Return the citations of a text, each once: those of lines that are there."""
    found = (match for line in _prose(body) for match in _PLACE.finditer(line))
    return tuple(dict.fromkeys(match[0] for match in found if _span(match[0], tree) is not None))


def missing_citations(body: str, tree: SourceFiles) -> tuple[str, ...]:
    """Return what a text cites although no such lines are there; `localhost:80` is no citation."""
    found = dict.fromkeys(match[0] for line in _prose(body) for match in _PLACE.finditer(line))
    absent = (at for at in found if _span(at, tree) is None)
    return tuple(at for at in absent if _is_file(_parsed(at)[0], tree))


def _is_file(path: str, tree: SourceFiles) -> bool:
    return language_for_path(path) is not None or tree.lines(path) is not None


def find_citations(body: str, tree: SourceFiles) -> tuple[Citation, ...]:
    """Return the citations of a text, with what their lines hold now."""
    found = ((at, _span(at, tree)) for at in find_places(body, tree))
    return tuple(Citation(at, digest_lines(lines)) for at, lines in found if lines is not None)


def check_citations(page: WikiPage, tree: SourceFiles) -> Iterator[CitationCheck]:
    """Compare each citation of a page with the files."""
    for one in page.cites:
        lines = _span(one.at, tree)
        if lines is not None and digest_lines(lines) == one.digest:
            yield CitationCheck(page.id, one.at, "as written")
        elif now := _moved(one, tree):
            yield CitationCheck(page.id, one.at, "moved", now)
        else:
            is_there = tree.lines(_parsed(one.at)[0]) is not None
            yield CitationCheck(page.id, one.at, "changed" if is_there else "gone")


def reanchor_citations(body: str, moved: dict[str, str]) -> str:
    """Return a text that cites lines where they are now; what is in blocks of code stays."""

    def now(match: re.Match[str]) -> str:
        return moved.get(match[0], match[0])

    return _each_prose_line(body, lambda line: _PLACE.sub(now, line))


def _parsed(at: str) -> tuple[str, int, int]:
    match = _PLACE.fullmatch(at)
    if match is None:
        return at, 0, 0
    first = int(match[2])
    return match[1], first, int(match[3] or first)


def _span(at: str, tree: SourceFiles) -> tuple[str, ...] | None:
    path, first, last = _parsed(at)
    lines = tree.lines(path)
    if lines is None or not 1 <= first <= last <= len(lines):
        return None
    return lines[first - 1 : last]


def _moved(one: Citation, tree: SourceFiles) -> str:
    """Find the lines of a citation elsewhere in their file, the nearest if they are there often."""
    path, first, last = _parsed(one.at)
    lines = tree.lines(path) or ()
    size = last - first + 1
    starts = range(len(lines) - size + 1)
    if first < 1 or size < 1 or not tree.may_compare(size * len(starts)):
        return ""
    near = sorted(starts, key=lambda at: abs(at + 1 - first))
    at = next((at for at in near if digest_lines(lines[at : at + size]) == one.digest), None)
    if at is None:
        return ""
    return f"{path}:{at + 1}" if size == 1 and "-" not in one.at else f"{path}:{at + 1}-{at + size}"


def _prose(body: str) -> Iterator[str]:
    return iter(_each_prose_line(body, lambda line: line, code=lambda _: "").split("\n"))


def _each_prose_line(
    body: str,
    change: Callable[[str], str],
    *,
    code: Callable[[str], str] = lambda line: line,
) -> str:
    """Pass the lines outside of blocks of code through a function, those within through another."""
    lines, fence = [], ""
    for line in body.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
            lines.append(code(line))
        elif mark:
            fence = mark[1]
            lines.append(code(line))
        else:
            lines.append(change(line))
    return "\n".join(lines)

"""Split prose at its headings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import unescape

from codeindex.ingest.chunk.code import LineTokens, window_spans
from codeindex.languages import LANGUAGES, HeadingNotation
from codeindex.text.code_fences import mark_code
from codeindex.types import ChunkSpan

_ATX = re.compile(r"^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$")
_ASCIIDOC = re.compile(r"^(={1,6})\s+(\S.*?)\s*$")
_ORG = re.compile(
    r"^(?:(?P<level>\*+)\s|#\+title:)\s*(?P<title>\S.*?)(?:\s+:[\w@#%:]+:)?\s*$", re.IGNORECASE
)
"""A title of an Org file, which has no level, or a headline without the tags at its end."""
_POD = re.compile(r"^=head(?P<level>[1-6])\s+(?P<title>\S.*?)\s*$")
_RULE = re.compile(r"^([=\-~^\"'`#*+.:_<>])\1{2,}\s*$")
_CODE = re.compile(r"(`+[^`]+`+)")
_ELEMENTS = (
    *("a", "abbr", "b", "br", "center", "cite", "code", "del", "div", "em", "font", "h[1-6]", "hr"),
    *("i", "img", "ins", "kbd", "mark", "p", "picture", "q", "s", "samp", "small", "source"),
    *("span", "strike", "strong", "sub", "sup", "svg", "tt", "u", "var", "wbr"),
)
"""HTML elements of headings, in lower case. Any other name in angle brackets is a type like `<T>`
or a placeholder."""
_ATTRIBUTES = r"""(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?"""
_TAG = re.compile(rf"<!--.*?-->|</?(?:{'|'.join(_ELEMENTS)}){_ATTRIBUTES}/?>")
_ALT = re.compile(r"""<img\b[^<>]*?\salt=["']?([^"'<>]+)""")
_HTML = re.compile(r"<h([1-6])\b[^<>]*>(.*?)(?:</h\1\s*>|$)", re.IGNORECASE)
_MAX_TAGGED_CHARS = 300
"""Longest heading whose tags are stripped: the time grows with the square of the length."""
_SETEXT = {"=": 1, "-": 2}


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading at a 1-based line; level 1 is the highest."""

    line: int
    level: int
    title: str


def prose_spans(text_lines: Sequence[str], lines: LineTokens, *, language: str) -> list[ChunkSpan]:
    """Split a document in a markup language at its headings; return the spans.

    Each span has the titles of its section and of the enclosing sections, outermost first.
    """
    path: list[Heading] = []
    spans: list[ChunkSpan] = []
    headings = list(read_headings(text_lines, language=language))
    ends = [heading.line - 1 for heading in headings] + [lines.count]
    spans += window_spans(lines, 1, ends[0])
    for heading, end in zip(headings, ends[1:], strict=True):
        path = [*(above for above in path if above.level < heading.level), heading]
        titles = tuple(above.title for above in path if above.title)
        for span in window_spans(lines, heading.line, end):
            spans.append(replace(span, heading=titles))
    return spans


def read_headings(text_lines: Sequence[str], *, language: str) -> Iterator[Heading]:
    """Yield the headings of a text by the notation of its language; plain text has none."""
    reader = _READERS.get(LANGUAGES[language].headings)
    return reader(text_lines) if reader else iter(())


def _markdown(text_lines: Sequence[str]) -> Iterator[Heading]:
    first = _front_matter(text_lines) + 1
    for number, (line, is_code) in enumerate(mark_code(text_lines[first - 1 :]), first):
        if is_code:
            continue
        if atx := _ATX.match(line):
            yield Heading(number, len(atx[1]), strip_html_tags(atx[2]))
        elif level := _setext_level(text_lines, number):
            yield Heading(number, level, strip_html_tags(line.strip()))


def strip_html_tags(title: str) -> str:
    """Return a heading without HTML tags; if no text is left, the `alt` texts of its images.

    Code between backticks and types like `<T>` are kept.
    """
    if "<" not in title or len(title) > _MAX_TAGGED_CHARS:
        return title
    kept = "".join(
        part if part.startswith("`") else _TAG.sub(_blank, part) for part in _CODE.split(title)
    )
    text = " ".join(kept.split())
    return text or " ".join(_ALT.findall(title))


def _blank(tag: re.Match[str]) -> str:
    return " " if tag[0].startswith("<br") else ""


def _front_matter(text_lines: Sequence[str]) -> int:
    """Return the number of lines of the front matter, a leading block between `---` lines."""
    if not text_lines or text_lines[0].strip() != "---":
        return 0
    ends = (n for n, line in enumerate(text_lines[1:], 2) if line.strip() in {"---", "..."})
    return next(ends, len(text_lines))


def _setext_level(text_lines: Sequence[str], number: int) -> int:
    """Return the level of a setext heading at line `number`, 1 for `=` or 2 for `-`; 0 for none."""
    line = text_lines[number - 1].strip()
    under = text_lines[number].rstrip() if number < len(text_lines) else ""
    alone = number == 1 or not text_lines[number - 2].strip()
    if not line or not alone or line[0] in "-*+>|#`=" or not re.fullmatch(r"=+|-{2,}", under):
        return 0
    return _SETEXT[under[0]]


def _rst(text_lines: Sequence[str]) -> Iterator[Heading]:
    """Yield the underlined titles of reStructuredText.

    Levels follow the order in which underline styles first appear.
    """
    styles: list[str] = []
    for number, line in enumerate(text_lines, 1):
        under = text_lines[number].rstrip() if number < len(text_lines) else ""
        rule = _RULE.match(under)
        title = line.strip()
        if not rule or not title or _RULE.match(title) or len(under) < len(title):
            continue
        over = number > 1 and text_lines[number - 2].rstrip() == under
        if not over and number > 1 and text_lines[number - 2].strip():
            continue
        style = rule[1] * (2 if over else 1)
        if style not in styles:
            styles.append(style)
        yield Heading(number, styles.index(style) + 1, title)


def _asciidoc(text_lines: Sequence[str]) -> Iterator[Heading]:
    block = ""
    for number, line in enumerate(text_lines, 1):
        bare = line.rstrip()
        if re.fullmatch(r"-{4,}|\.{4,}|={4,}|/{4,}", bare):
            block = "" if bare == block else (block or bare)
        elif not block and (match := _ASCIIDOC.match(line)):
            yield Heading(number, len(match[1]), match[2])


def _match_headings(pattern: re.Pattern[str], text_lines: Sequence[str]) -> Iterator[Heading]:
    """Yield the lines that a pattern matches; its `level` is a number, marks to count, or none."""
    for number, line in enumerate(text_lines, 1):
        if match := pattern.match(line):
            level = match["level"] or ""
            yield Heading(number, int(level) if level.isdigit() else len(level), match["title"])


def _html(text_lines: Sequence[str]) -> Iterator[Heading]:
    """Yield the first HTML heading of each line; if it is empty, the next line has its text."""
    for number, line in enumerate(text_lines, 1):
        if len(line) > _MAX_TAGGED_CHARS * 10 or not (match := _HTML.search(line)):
            continue
        title = match[2].strip() or "".join(text_lines[number : number + 1]).strip()
        title = unescape(strip_html_tags(title))
        if title:
            yield Heading(number, int(match[1]), " ".join(title.split()))


_READERS: Mapping[HeadingNotation, Callable[[Sequence[str]], Iterator[Heading]]] = {
    "hash": _markdown,
    "underline": _rst,
    "equals": _asciidoc,
    "elements": _html,
    "stars": partial(_match_headings, _ORG),
    "commands": partial(_match_headings, _POD),
}

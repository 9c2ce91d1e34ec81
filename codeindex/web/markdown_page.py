"""Render the Markdown of wiki pages as HTML.

Headings, paragraphs, lists, tables, quotes, code, emphasis and links are rendered. All else is
shown as text: HTML as it is written, images as their description.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from codeindex.text.sanitize import escape_text
from codeindex.text.urls import split_url

_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_ITEM = re.compile(r"^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_BREAK = re.compile(r"^\s{0,3}([-*_])(?:\s*\1){2,}\s*$")
_INLINE = re.compile(
    r"(?P<code>`+)(?P<coded>.+?)(?P=code)(?!`)"
    r"|\[\[(?P<page>[^\[\]\n|]{1,200})(?:\|(?P<label>[^\[\]\n]*))?\]\]"
    r"|!?\[(?P<text>[^\[\]\n]*)\]\((?P<url>[^()\s]*)\)"
    r"|\*\*(?P<strong>[^*\n]+)\*\*|(?<![\w*])\*(?P<em>[^*\n]+)\*(?![\w*])"
    r"|(?P<place>(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*:\d{1,7}(?:-\d{1,7})?)\b"
)
_LINKED_SCHEMES = frozenset({"http", "https"})

Place = Callable[[str, int], str]
"""Returns the address of a line of a file, or '' if the file is not part of the site."""


class _Lines(NamedTuple):
    """The lines of a Markdown page. `place` returns the address of a cited line."""

    lines: Sequence[str]
    place: Place


def render_markdown(text: str, place: Place) -> str:
    """Return the HTML of a Markdown text.

    `place` returns the address to which the citation of a line links.
    """
    lines = escape_text(text).split("\n")
    blocks, position = [], 0
    while position < len(lines):
        block, position = _block(_Lines(lines, place), position)
        blocks.append(block)
    return "\n".join(filter(None, blocks))


def _block(page: _Lines, start: int) -> tuple[str, int]:
    """Return (HTML of the block that begins at line `start`, index of the line after the block)."""
    line = page.lines[start]
    if not line.strip() or _BREAK.match(line):
        return ("<hr>" if line.strip() else ""), start + 1
    if fence := _FENCE.match(line):
        return _code_block(page, start, fence[1])
    if heading := _HEADING.match(line):
        level = len(heading[1])
        return f"<h{level}>{_inline(heading[2], page.place)}</h{level}>", start + 1
    if _ITEM.match(line):
        return _list_block(page, start)
    if start + 1 < len(page.lines) and "|" in line and _TABLE_RULE.match(page.lines[start + 1]):
        return _table_block(page, start)
    end = start + 1
    while end < len(page.lines) and _continues(page.lines[end]):
        end += 1
    text = " ".join(part.strip().removeprefix(">").strip() for part in page.lines[start:end])
    tag = "blockquote" if line.lstrip().startswith(">") else "p"
    return f"<{tag}>{_inline(text, page.place)}</{tag}>", end


def _continues(line: str) -> bool:
    """Tell whether a line may continue the paragraph above it.

    It may if it is not blank and begins no other block.
    """
    return bool(line.strip()) and not any(
        pattern.match(line) for pattern in (_FENCE, _HEADING, _ITEM, _BREAK)
    )


def _code_block(page: _Lines, start: int, fence: str) -> tuple[str, int]:
    end = start + 1
    while end < len(page.lines) and not page.lines[end].strip().startswith(fence):
        end += 1
    code = "\n".join(page.lines[start + 1 : end])
    return f'<pre tabindex="0"><code>{escape(code)}</code></pre>', end + 1


def _list_block(page: _Lines, start: int) -> tuple[str, int]:
    """Return (HTML of the list that begins at line `start`, index of the line after it).

    Nested items become items of the same list. Lines below an item are added to its text.
    """
    items: list[str] = []
    end = start
    first = _ITEM.match(page.lines[start])
    tag = "ol" if first and first[2] else "ul"
    while end < len(page.lines) and page.lines[end].strip():
        item = _ITEM.match(page.lines[end])
        if item is None and not _continues(page.lines[end]):
            break
        if item:
            items.append(item[3])
        else:
            items[-1] += f" {page.lines[end].strip()}"
        end += 1
    rows = "".join(f"<li>{_inline(text, page.place)}</li>" for text in items)
    return f"<{tag}>{rows}</{tag}>", end


def _table_block(page: _Lines, start: int) -> tuple[str, int]:
    end = start + 2
    while end < len(page.lines) and "|" in page.lines[end]:
        end += 1
    rows = [page.lines[start], *page.lines[start + 2 : end]]
    made = "".join(
        f"<tr>{''.join(_cells(row, 'th' if not number else 'td', page.place))}</tr>"
        for number, row in enumerate(rows)
    )
    return f"<table>{made}</table>", end


def _cells(row: str, tag: str, place: Place) -> Iterator[str]:
    for cell in re.split(r"(?<!\\)\|", row.strip().strip("|")):
        text = cell.strip().replace("\\|", "|")
        yield f"<{tag}>{_inline(text, place)}</{tag}>"


def _inline(text: str, place: Place) -> str:
    made, end = list[str](), 0
    for match in _INLINE.finditer(text):
        made += escape(text[end : match.start()]), _span(match, place)
        end = match.end()
    return "".join((*made, escape(text[end:])))


def _span(match: re.Match[str], place: Place) -> str:
    if coded := match["coded"]:
        cited = _citation(coded, place) if _INLINE.fullmatch(coded) else ""
        return cited or f"<code>{escape(coded.strip())}</code>"
    if match["place"]:
        return _citation(match["place"], place) or escape(match[0])
    if page := match["page"]:
        return _link(f"{page.strip()}.md", match["label"] or page)
    if match["text"] is not None:
        return escape(match["text"]) if match[0][0] == "!" else _link(match["url"], match["text"])
    tag = "strong" if match["strong"] else "em"
    return f"<{tag}>{_inline(match[tag], place)}</{tag}>"


def _citation(text: str, place: Place) -> str:
    """Return the HTML link of a citation `path:first-last`, '' if the site lacks the file."""
    path, _, lines = text.rpartition(":")
    first = lines.partition("-")[0]
    address = place(path, int(first)) if first.isdecimal() else ""
    return f'<a href="{escape(address)}"><code>{escape(text)}</code></a>' if address else ""


def _link(url: str, text: str) -> str:
    """Return the HTML of a link to a wiki page or to the web; for other URLs, only the text."""
    parts = split_url(url)
    if parts.scheme in _LINKED_SCHEMES:
        return f'<a href="{escape(url)}" rel="noreferrer">{escape(text)}</a>'
    page = parts.path.removesuffix(".md")
    if parts.scheme or parts.netloc or not re.fullmatch(r"[a-z0-9-]+", page):
        return escape(text)
    return f'<a href="{quote(page)}.html">{escape(text)}</a>'

"""Read navigation documents such as README.md: title, description, linked code."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from html import unescape

from codeindex.analysis.subject import find_file_path
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.document_mentions import (
    document_headings,
    read_document_targets,
    read_unresolved_mentions,
)
from codeindex.store.catalog.files import file_records, stored_text
from codeindex.text.code_fences import mark_code
from codeindex.types.report import DataReport, Table, make_table

_README = re.compile(r"(?:.*/)?readme(?:\.\w+)?", re.IGNORECASE)
_READ_CHARACTERS = 10_000
"""Most characters that are searched for a title and a first paragraph. Text that was written to be
slow for the patterns below takes .14 s."""
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_HTML_HEADING = re.compile(r"<h([1-6])\b[^>]*>(.*?)</h\1>", re.DOTALL | re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"</?([a-zA-Z]\w*)(?=[\s/>])[^<>]*>")
_INLINE_TAGS = frozenset(
    {"a", "b", "code", "em", "i", "img", "kbd", "span", "strong", "sub", "sup"}
)
_MARKS = re.compile(r"^[#=*]+(?:\+title:)?\s*|\s*[#=*]+$", re.IGNORECASE)
"""Marks around the text of a heading."""
_UNDERLINE = re.compile(r"\s*[=~^-]{2,}\s*")
_TARGET = r"(?:\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])"
_IMAGE = re.compile(rf"\[?!\[[^\]]*\]{_TARGET}?(?:\]{_TARGET})?")
"""An image of Markdown, which may be the text of a link."""
_LINK = re.compile(rf"\[[^\]]*\]+{_TARGET}?")
_NO_PROSE = re.compile(
    r"\s*(?:\.\.(?:[ _\n]|$)|[|>:=]|[-*+] |\d+\. |\[[^\]]*\]:|#\+|//)|.*\S [|·•] "
)
"""Matches a paragraph that is not prose, by its first line: that of a table, quote, list, directive
or link target, or a row of links."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A navigation document such as README.md, with the code that it links to.

    `unresolved` are names in the document that match no code.
    """

    file: str
    title: str
    description: str
    sections: tuple[str, ...]
    entry_points: tuple[str, ...]
    describes: tuple[str, ...]
    mentioned_symbols: tuple[str, ...]
    mentioned_files: tuple[str, ...]
    unresolved: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guides(DataReport):
    guides: tuple[Guide, ...]

    def columns(self) -> Table:
        return make_table(self.guides, ("file", "title", "description"), blank="-")

    def text(self) -> Iterator[str]:
        for guide in self.guides:
            yield f"{guide.file}: {guide.title}" if guide.title else guide.file
            if guide.description:
                yield f"  {guide.description}"
            for label, names in (
                ("sections", guide.sections),
                ("entry points", guide.entry_points),
                ("describes", guide.describes),
                ("symbols", guide.mentioned_symbols),
                ("files", guide.mentioned_files),
            ):
                if names:
                    yield f"  {label}: {', '.join(names)}"
        if not self.guides:
            yield "This repository has no navigation document: add an AGENTS.md or README.md."


def read_guides(connection: sqlite3.Connection, path: str = "") -> Guides:
    """Read one document, or for '' all navigation documents and READMEs in any notation.

    Raise QueryError for an unknown path.
    """
    documents = (
        file.path
        for file in file_records(connection)
        if file.is_navigation or (_README.fullmatch(file.path) and LANGUAGES[file.language].prose)
    )
    paths = [find_file_path(connection, path)] if path else documents
    return Guides(tuple(_guide(connection, path) for path in paths))


def _guide(connection: sqlite3.Connection, path: str) -> Guide:
    headings = document_headings(connection, path)
    titles = {title for heading in headings for title in heading.split(" > ")}
    title, description = _opening(stored_text(connection, path), titles)
    targets = read_document_targets(connection, path)
    return Guide(
        file=path,
        title=title,
        description=description,
        sections=tuple(dict.fromkeys(_below(title, heading) for heading in headings)),
        entry_points=_targets_of_kind(targets, "entry_point"),
        describes=_targets_of_kind(targets, "describes"),
        mentioned_symbols=tuple(
            name for name in _targets_of_kind(targets, "mentions") if "::" in name
        ),
        mentioned_files=tuple(
            name for name in _targets_of_kind(targets, "mentions") if "::" not in name
        ),
        unresolved=read_unresolved_mentions(connection, path),
    )


def _below(title: str, heading: str) -> str:
    """Return a path of headings, like `Title > Usage > Install`, without the document's title."""
    return heading.removeprefix(f"{title} > ")


def _opening(text: str, headings: Collection[str]) -> tuple[str, str]:
    """Return (title, first paragraph of prose) of a document; "" for what it does not have.

    `headings` are the texts of its headings. The paragraph may come before the title. HTML tags,
    images and code are left out.
    """
    text = _COMMENT.sub("", _FRONT_MATTER.sub("", text[:_READ_CHARACTERS]))
    text = _HTML_HEADING.sub(_as_markdown, text)
    lines = ["" if is_code else line for line, is_code in mark_code(text.split("\n"))]
    plain = unescape(_IMAGE.sub("", _TAG.sub(_break, "\n".join(lines))))
    title = ""
    for paragraph in re.split(r"\n\s*\n", plain):
        block: list[str] = []
        for line in paragraph.split("\n"):
            words = _MARKS.sub("", line.strip())
            if not block and _UNDERLINE.fullmatch(line):
                continue
            if not words or not (words in headings or re.match("#{1,6} ", line)):
                block.append(line)
                continue
            title = title or ("" if line.startswith("##") else words)
            block.clear()
            if line.startswith("= "):  # the lines after a title of AsciiDoc are no prose
                break
        prose = [line.strip() for line in block if _is_prose(line)]
        is_text = prose and not (_NO_PROSE.match("\n".join(block)) or _NO_PROSE.match(prose[0]))
        if is_text and _is_prose(_LINK.sub("", " ".join(prose))):
            return title, " ".join(prose)
    return title, ""


def _as_markdown(heading: re.Match[str]) -> str:
    return f"\n\n{'#' * int(heading[1])} {' '.join(heading[2].split())}\n\n"


def _break(tag: re.Match[str]) -> str:
    return "" if tag[1].lower() in _INLINE_TAGS else "\n" if tag[1].lower() == "br" else "\n\n"


def _is_prose(line: str) -> bool:
    """Tell whether most characters are letters; in rules, badges and drawings they are not."""
    return 2 * sum(map(str.isalpha, line)) > len("".join(line.split()))


def _targets_of_kind(targets: Sequence[tuple[str, str]], kind: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for target_kind, name in targets if target_kind == kind))

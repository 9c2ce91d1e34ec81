"""Split documents into paragraphs and sentences, and tell which may be quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from codeindex.ask.extract import Citation
from codeindex.ask.question import WeightedQuestion
from codeindex.types import Hit

_LINES = 400
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])[\"')]?\s+(?=[A-Z`*\"'(\[])")
BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")
_NOT_PROSE = re.compile(
    r"^\s*(?:#{1,6}\s|(?:single|pair|see): |\.\. |:[\w -]+:|\|"
    r"|[=~^\"'`#*+-]{3,}\s*$|>>>|<|\$ |!\[|\[(?:page|cell) )"
)
FENCE = re.compile(r"^\s*(?:```|~~~(?!~))")
_UNDERLINE = re.compile(r"^\s*([=~^\"'`#*+-])\1{2,}\s*$")
_HISTORY = re.compile(r"(?i)(?:change|history|news|release|whatsnew|upgrad)")
_ASKS_HISTORY = re.compile(r"(?i)\b(?:changelog|history|news|releas|version|upgrad)")
_INTERNAL = re.compile(
    r"(?i)(?:^|/)(?:\.|(?:claude|agents|gemini|code_of_conduct|licen[cs]e|copying|notice|patents)\b)|\.(?:diff|patch|pot?)$"
)
_PROSE_WORD = re.compile(
    r"[`*_\"'\u201c(\[]*[^\W\d_][^\W_]*(?:['\u2019/-]\w+)*[`*_\"'\u201d)\].,:;!?]*"
)
_CODE = re.compile(r"(?:import|from \S+ import|def|const|let|var|func|fn|using|package|#include)\s")
"""Beginnings of code statements that consist of words, so that they look like prose."""
_ROFF = re.compile(r"\\f(?:[A-Z]|\[)|(?:^|\s)\.(?:TP|IP|SH|SS|PP)\b")
"""Markup of the source of manual pages."""
_TABLE_MARKS = 3
"""A paragraph with this many column separators is a table."""
_LEAST_PROSE, _FEWEST_WORDS = 0.65, 4
"""Least share of plain words in prose, and least words of a paragraph."""
_MOST_OTHER_LETTERS = 0.1
_INLINE_TAG = re.compile(r"\{@(\w+)\s+([\w#.$]*(?:\([^)]*\))?)([^}]*)\}")
_ROLE = re.compile(r":[a-z][\w:+-]*:`([^`<]+?)(?:\s*<[^`>]*>)?`")
_LINK = re.compile(r"(?<!!)\[([^\]\[]+)\](?:\([^)\s]*\)|\[[^\]\[]*\])|\[(`[^`\]]+`)\]")
_TAG = re.compile(r"</?(?:br|sup|sub|b|i|em|strong|code|kbd|a|p)\b[^<>]*>")
_STRESS = re.compile(r"(?<![\w*])(\*{1,2})(\S(?:[^*]*\S)?)\1(?![\w*])")


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a document that may be quoted.

    `line` is the number of its first line in the file.
    """

    hit: Hit
    line: int
    text: str

    @property
    def citation(self) -> Citation:
        return Citation(self.hit.path, self.line, self.text.split()[0][:12])


def is_quotable(path: str, question: WeightedQuestion) -> bool:
    """Tell whether an answer may quote the document at `path`.

    Licences, codes of conduct, instructions to agents, patches, translations and files in hidden
    folders may not be quoted; changelogs, news and upgrade notes only if the question is about
    history.
    """
    is_history = _HISTORY.search(path) and not _ASKS_HISTORY.search(question.text)
    return not (is_history or _INTERNAL.search(path))


def is_prose(text: str) -> bool:
    """Tell whether a text is prose: enough words, most of them plain, unlike code and tables."""
    words = text.split()
    plain = sum(bool(_PROSE_WORD.fullmatch(word)) for word in words)
    is_worded = len(words) >= _FEWEST_WORDS and plain >= _LEAST_PROSE * len(words)
    is_marked_up = text.count(" | ") >= _TABLE_MARKS or _ROFF.search(text)
    return is_worded and not (_CODE.match(text) or is_marked_up)


def is_in_script(text: str, question: WeightedQuestion) -> bool:
    """Tell whether a text is in a script that the reader of the answer can read.

    Return False if the text has many non-ASCII letters and the question has none.
    """
    other = sum(letter.isalpha() for letter in text if not letter.isascii())
    return not question.text.isascii() or other <= _MOST_OTHER_LETTERS * len(text)


def strip_markup(text: str) -> str:
    """Remove Markdown and reStructuredText markup: HTML tags, roles, links and emphasis.

    The text of links and roles stays.
    """
    text = _INLINE_TAG.sub(_inline_tag, _TAG.sub("", text))
    text = _ROLE.sub(lambda match: f"`{match[1].lstrip('~@!.')}`", text)
    text = _LINK.sub(lambda match: match[1] or match[2], text).replace("``", "`")
    return _STRESS.sub(r"\2", text)


def _inline_tag(match: re.Match[str]) -> str:
    """Return the text that a tag of Javadoc stands for: its label, or the name it links to."""
    kind, name, label = match[1], match[2], match[3]
    if kind in {"link", "linkplain"}:
        return label.strip() or name.lstrip("#").replace("#", ".")
    return f"{name}{label}"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Adjacent lines of a document joined by blanks; `line` is the number of the first line."""

    line: int
    text: str
    breaks: tuple[int, ...]
    """Offsets in the text at which the second and later lines begin."""
    is_item: bool = False
    """Whether it is an item of a list."""

    @property
    def last_line(self) -> int:
        return self.line + len(self.breaks)

    def line_at(self, offset: int) -> int:
        """Return the number of the line that contains the character at `offset` in the text."""
        return self.line + sum(1 for place in self.breaks if place <= offset)

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Yield (line number, sentence) for each sentence; the number is that of its first line."""
        at = 0
        for piece in _SENTENCE_ENDS.split(self.text):
            place = self.text.index(piece, at)
            at = place + len(piece)
            if sentence := piece.strip():
                yield self.line_at(place), sentence


def paragraphs(hit: Hit) -> Iterator[Paragraph]:
    """Yield the paragraphs and list items of a section; skip fenced code."""
    text, start, fenced, is_item = "", 0, False, False
    breaks: list[int] = []
    for number, line in enumerate((*hit.lines[:_LINES], ""), hit.start_line):
        is_fence = bool(FENCE.match(line))
        fenced ^= is_fence
        bullet = BULLET.match(line)
        ends = not line.strip() or fenced or is_fence or bool(_NOT_PROSE.match(line))
        if _UNDERLINE.match(line) and not breaks:
            text = ""
        if (ends or bullet) and text:
            yield Paragraph(start, text, tuple(breaks), is_item)
            text, breaks = "", []
        if ends:
            continue
        body = line[bullet.end() :] if bullet else line.strip().lstrip("> ")
        if text:
            breaks.append(len(text) + 1)
            text = f"{text} {body.strip()}"
        else:
            text, start, is_item = body.strip(), number, bool(bullet)

"""Find the sentences of documents that best match a question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codeindex.ask.extract import Citation
from codeindex.ask.question import WeightedQuestion
from codeindex.text.words import stemmed_words
from codeindex.types import Hit

_SHORTEST, _LONGEST = 30, 420
_LINES = 400
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])[\"')]?\s+(?=[A-Z`*\"'(\[])")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")
_NOT_PROSE = re.compile(
    r"^\s*(?:#{1,6}\s|(?:single|pair|see): |\.\. |:[\w -]+:|\|"
    r"|[=~^\"'`#*+-]{3,}\s*$|>>>|<|\$ |!\[|\[(?:page|cell) )"
)
FENCE = re.compile(r"^\s*(?:```|~~~(?!~))")
_UNDERLINE = re.compile(r"^\s*([=~^\"'`#*+-])\1{2,}\s*$")
_BEGINS = re.compile(r"[A-Z`*_\"':(\[<]")
_DEFINED = re.compile(
    r"(?i)[\W_]*(?:an? |the )?((?:[\w`*:~.-]+ ){1,3})(?:is|are|means|stands for)\b"
)
_DEFINES = 0.3
"""Added to the score of a sentence that defines a word, if the question asks what something is."""
_IN_HEADING = 0.5
"""Factor for the weight of words that occur only in the headings above a sentence."""
_HEADING_BONUS = 0.05
"""Factor for the headings' share, added to the score; it orders sentences of otherwise equal
score."""
_LEAST_OWN = 0.21
"""Least share of the question's weight in the sentence itself, without its headings."""
_HISTORY = re.compile(r"(?i)(?:change|history|news|release|whatsnew|upgrad)")
_ASKS_HISTORY = re.compile(r"(?i)\b(?:changelog|history|news|releas|version|upgrad)")
_INTERNAL = re.compile(
    r"(?i)(?:^|/)(?:\.|(?:claude|agents|gemini|code_of_conduct|licen[cs]e|copying|notice|patents)\b)|\.(?:diff|patch)$"
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
_FEWEST_BLANKS = 4
"""Least blanks of a sentence."""
_MOST_OTHER_LETTERS = 0.1
_NEAR_BEST = 0.7
_INLINE_TAG = re.compile(r"\{@(\w+)\s+([\w#.$]*(?:\([^)]*\))?)([^}]*)\}")
_ROLE = re.compile(r":[a-z][\w:+-]*:`([^`<]+?)(?:\s*<[^`>]*>)?`")
_LINK = re.compile(r"(?<!!)\[([^\]\[]+)\](?:\([^)\s]*\)|\[[^\]\[]*\])|\[(`[^`\]]+`)\]")
_TAG = re.compile(r"</?(?:br|sup|sub|b|i|em|strong|code|kbd|a|p)\b[^<>]*>")
_STRESS = re.compile(r"(?<![\w*])(\*{1,2})(\S(?:[^*]*\S)?)\1(?![\w*])")


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a document that may be quoted.

    `line` is the number of its first line in the file. `score` tells how well it fits the question.
    """

    hit: Hit
    line: int
    text: str
    score: float

    @property
    def citation(self) -> Citation:
        return Citation(self.hit.path, self.line, self.text.split()[0][:12])


def is_quotable(path: str, question: WeightedQuestion) -> bool:
    """Tell whether an answer may quote the document at `path`.

    Licences, codes of conduct, instructions to agents, patches and files in hidden folders may not
    be quoted; changelogs, news and upgrade notes only if the question is about history.
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


def find_passages(
    hits: Iterable[Hit], question: WeightedQuestion, *, least: float, most: int
) -> list[Passage]:
    """Return at most `most` sentences that score at least `least` for the question, best first.

    `hits` are sections of documents; a section gives at most two sentences.
    """
    passages: list[Passage] = []
    for hit in hits:
        if not is_quotable(hit.path, question):
            continue
        own = sorted(
            _score_sentences(hit, question), key=lambda passage: (-passage.score, passage.line)
        )
        passages += own[:2]
    passages.sort(key=lambda passage: (-passage.score, passage.hit.path, passage.line))
    kept: dict[str, Passage] = {}
    for passage in passages:
        kept.setdefault(" ".join(passage.text.lower().split()), passage)
    best = passages[0].score if passages else 0.0
    enough = max(least, best * _NEAR_BEST)
    return [passage for passage in kept.values() if passage.score >= enough][:most]


def _score_sentences(hit: Hit, question: WeightedQuestion) -> Iterator[Passage]:
    above = question.share_in(hit.heading_path)
    for line, text in section_sentences(hit):
        share = question.share_in(text)
        together = question.share_in(f"{text} {hit.heading_path}")
        score = share + (together - share) * _IN_HEADING + _HEADING_BONUS * above
        if question.wants_definition and (defined := _DEFINED.match(text)):
            score += _DEFINES * bool(question.terms(stemmed_words(defined[1])))
        if share >= _LEAST_OWN and is_in_script(text, question):
            yield Passage(hit, line, text, score)


def section_sentences(hit: Hit) -> Iterator[tuple[int, str]]:
    """Yield (line number, sentence) for each sentence of prose in a section.

    Skip code and tables.
    """
    for paragraph in paragraphs(hit):
        for line, sentence in paragraph.sentences():
            is_whole = _SHORTEST <= len(sentence) <= _LONGEST and _is_sentence(sentence)
            if is_whole and is_prose(sentence):
                yield line, sentence


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


def _is_sentence(text: str) -> bool:
    return bool(_BEGINS.match(text)) and text[-1] in ".!)" and text.count(" ") >= _FEWEST_BLANKS


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
        bullet = _BULLET.match(line)
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

"""Describe the code that answers a question by its name, documentation and most relevant lines."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from codeindex.ask.extract import Citation, Sentence
from codeindex.ask.passages import strip_markup
from codeindex.ask.question import WeightedQuestion
from codeindex.ask.relation_sentences import DOC, truncate
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.lookups import symbol_ids_in_lines, symbols_with_words
from codeindex.store.symbols.nodes import symbol_of_hit, symbols_by_id
from codeindex.text.words import stem_word, stemmed_words
from codeindex.types import OWNER_KINDS, Hit, Node, SafeText

_WHOLE = 14
"""Most lines of a definition that is shown whole."""
_WINDOW = 8
"""Of a longer definition, the first line and this many adjacent lines are shown."""
_MOST_WIDTH = 120
"""Most characters of a shown line of code."""
_INLINE_TAG = re.compile(r"\{@\w+\s+#?([^}]*)\}|</?[a-zA-Z][^<>]*>")
_BLOCK_TAG = re.compile(
    r"\n\s*\n|(?:^|\n)\s*(?:```|#+ |[@\\][A-Za-z]+\b|:[a-z]+[ :]"
    r"|(?:Args|Arguments|Returns|Raises|Examples?):)"
)
_BRIEF = re.compile(r"^[@\\]brief\s+")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_FEWEST_WORDS = 2
"""Least words of a sentence in a description; fewer are markup."""
_LEAST_MORE = 0.2
"""A later sentence is quoted too if its share of the question's weight is higher by at least
this."""
_TESTS = re.compile(r"(?i)\btest")
_DEFINING_TERMS = frozenset(map(stem_word, ("defined", "declared", "constant", "definition")))
"""Words such as "defined", which a question may contain though the name of its subject does not."""
_MOST_NAMED = 40
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(])")


@dataclass(frozen=True, slots=True)
class FoundDefinition:
    """A search hit, and the symbol in it that answers the question.

    `node` is None for code outside of any symbol.
    """

    hit: Hit
    node: Node | None

    @property
    def name(self) -> str:
        return self.node.qualified if self.node else self.hit.path.rpartition("/")[2]

    @property
    def end_line(self) -> int:
        """The last line of the symbol; without a symbol, the last line of the hit."""
        return self.node.end_line if self.node else self.hit.end_line

    @property
    def citation(self) -> Citation:
        if self.node:
            return Citation(self.node.path, self.node.line, self.node.name)
        return Citation(self.hit.path, self.hit.start_line)


def found_definitions(
    connection: sqlite3.Connection, hits: Iterable[Hit], question: WeightedQuestion, *, most: int
) -> list[FoundDefinition]:
    """Return up to `most` distinct definitions that answer the question, from the hits in code.

    The best hit comes first. Tests are left out unless the question names tests or there is nothing
    else.
    """
    code = [hit for hit in hits if not LANGUAGES[hit.language].prose]
    if not _TESTS.search(question.text):
        code = [hit for hit in code if not hit.is_test] or code
    found: dict[tuple[str, int], FoundDefinition] = {}
    for hit in code:
        node = _answering_symbol(connection, hit, question)
        key = (hit.path, node.id if node else -hit.start_line)
        found.setdefault(key, FoundDefinition(hit, node))
        if len(found) == most:
            break
    return list(found.values())


def _answering_symbol(
    connection: sqlite3.Connection, hit: Hit, question: WeightedQuestion
) -> Node | None:
    """Return the symbol in a hit whose name best matches the question; None if it has none.

    Among equally good ones, the symbol that the hit names is preferred.
    """
    inside = symbols_by_id(
        connection, symbol_ids_in_lines(connection, hit.path, hit.start_line, hit.end_line)
    )
    named = [node for node in inside if node.line == hit.line]
    named.sort(key=lambda node: node.qualified != hit.symbol)
    own = named[0] if named else symbol_of_hit(connection, hit)
    candidates = [own, *inside] if own else inside
    return max(candidates, key=lambda node: question.share_in(node.name), default=None)


def named_definition(
    connection: sqlite3.Connection, hit: Hit, question: WeightedQuestion
) -> FoundDefinition | None:
    """Return the definition whose name contains all words of a question like "what is a X".

    Among several, the one with the shortest name is returned; None if there is none. The repository
    and scores of the result are copied from `hit`, which may be any hit of the search.
    """
    terms = [term for term in question.weights if term not in _DEFINING_TERMS]
    nodes = symbols_with_words(connection, terms, least=len(terms), limit=_MOST_NAMED)
    words = {node.id: stemmed_words(node.name.rpartition(".")[2]) for node in nodes}
    nodes = [it for it in nodes if not it.is_test and set(terms).issubset(words[it.id])]
    if not terms or not nodes:
        return None
    node = min(nodes, key=lambda it: (len(words[it.id]), it.kind not in OWNER_KINDS))
    lines = stored_text(connection, node.path).split("\n")[node.start_line - 1 : node.end_line]
    found = replace(
        hit,
        path=node.path,
        start_line=node.start_line,
        end_line=node.start_line + len(lines) - 1,
        text=SafeText("\n".join(lines)),
        symbol=node.qualified,
        kind=node.kind,
        language=node.language,
        module=node.module,
        is_test=False,
        heading_path="",
        page=0,
        line=node.line,
        signature="",
    )
    return FoundDefinition(found, node)


def definition_sentences(
    definition: FoundDefinition, question: WeightedQuestion
) -> Iterator[Sentence]:
    """Yield a sentence with the name and description of a definition, then one with its main lines.

    `shown_lines` selects the lines.
    """
    yield _headline(definition, question, "definition")
    numbers = shown_lines(definition, question)
    if numbers:
        yield code_sentence(definition.hit, numbers, definition.end_line)


def code_sentence(hit: Hit, numbers: Iterable[int], end_line: int = 0) -> Sentence:
    """Return a sentence that shows the lines `numbers` of a hit as code, with a citation of each.

    `end_line` is the last line of the definition: if more code follows, `…` marks it. 0 shows no
    mark.
    """
    lines = dict(enumerate(hit.lines, hit.start_line))
    if hit.signature:
        lines[hit.line] = hit.signature
    shown = [at for at in numbers if lines[at].strip()]
    places = tuple(Citation(hit.path, at, lines[at].strip()[:30]) for at in shown)
    return Sentence(_numbered(lines, shown, end_line), places, "code")


def further_sentences(
    definitions: Iterable[FoundDefinition], question: WeightedQuestion
) -> Iterator[Sentence]:
    """Yield a "See also" sentence for each definition, with its name and description."""
    for definition in definitions:
        yield _headline(definition, question, "more")


def _headline(
    definition: FoundDefinition,
    question: WeightedQuestion,
    part: Literal["definition", "more"],
) -> Sentence:
    doc = describe(definition.node.doc, question) if definition.node else ""
    described = f": “{doc}”" if doc else ""
    return Sentence(f"`{definition.name}`{described}", (definition.citation,), part)


def describe(doc: str, question: WeightedQuestion) -> str:
    """Return one or two sentences of a docstring that describe a symbol; "" if it has none.

    They are the first one and, if it matches the question much better, a later one. Markup of
    documentation tools is removed.
    """
    text = _INLINE_TAG.sub(r"\1", _BRIEF.sub("", doc.strip()))
    paragraphs = [strip_markup(" ".join(part.split())) for part in _BLOCK_TAG.split(text)]
    sentences = [
        sentence
        for paragraph in paragraphs
        for sentence in _SENTENCE_END.split(paragraph)
        if len(_LETTERS.findall(sentence)) >= _FEWEST_WORDS
    ]
    if not sentences or not paragraphs[0]:
        return ""
    first = sentences[0]
    best = max(sentences, key=question.share_in)
    more = question.share_in(best) - question.share_in(first)
    return truncate(f"{first} {best}" if more >= _LEAST_MORE else first, DOC)


def shown_lines(definition: FoundDefinition, question: WeightedQuestion) -> list[int]:
    """Return the numbers of the lines to show of a definition; a short one is shown whole.

    Of a longer one, they are the line with its name, and those adjacent lines of the search hit
    that best match the question. Of a class or other type that begins before the hit, there are
    none.
    """
    hit, node = definition.hit, definition.node
    if node and node.kind in OWNER_KINDS and node.line < hit.start_line:
        return []
    lines = dict(enumerate(hit.lines, hit.start_line))
    first = node.line if node else hit.start_line
    last = min(node.end_line if node else hit.end_line, hit.end_line)
    inside = [at for at in lines if first <= at <= last]
    code = _without_documentation(lines, inside)
    if len(code) <= _WHOLE:
        chosen = code
    else:
        best = _best_window(lines, [at for at in code if at != first], question)
        chosen = [at for at in code if at in best]
    head = {first} if first in lines or (hit.signature and first == hit.line) else set()
    return sorted({*chosen, *head} - {at for at in lines if not lines[at].strip()})


def _without_documentation(lines: dict[int, str], inside: Sequence[int]) -> list[int]:
    """Return the line numbers `inside` without docstrings and without blank lines at the end.

    `lines` maps numbers to lines.
    """
    kept, in_docstring = [], False
    for at in inside:
        marks = lines[at].count('"""') + lines[at].count("'''")
        starts_with_mark = lines[at].lstrip().startswith(('"""', "'''", 'r"""'))
        if not (in_docstring or starts_with_mark):
            kept.append(at)
        if starts_with_mark or in_docstring:
            in_docstring ^= marks % 2 == 1
    while kept and not lines[kept[-1]].strip():
        kept.pop()
    return kept


def _best_window(lines: dict[int, str], inside: Sequence[int], question: WeightedQuestion) -> range:
    """Return the range of `_WINDOW` adjacent lines that best matches the question.

    It begins at a line that contains a word of the question, if there is one. `lines` maps numbers
    to lines; `inside` are the numbers to choose from.
    """
    shares = {at: question.share_in(lines[at]) for at in inside}

    def weight(start: int) -> float:
        return question.share_in(
            "\n".join(lines[at] for at in inside if start <= at < start + _WINDOW)
        )

    starts = [at for at in inside if shares[at]] or list(inside[:1])
    best = max(starts, key=lambda at: (round(weight(at), 6), -at))
    return range(best, best + _WINDOW)


def _numbered(lines: dict[int, str], numbers: Sequence[int], end_line: int) -> str:
    """Return the lines with these numbers as text, each after its number, without common indent.

    `…` stands for omitted lines, also at the end if the code continues until `end_line`.
    """
    indent = min(len(lines[at]) - len(lines[at].lstrip()) for at in numbers)
    width = len(str(numbers[-1]))
    gap = f"{'…':>{width}}"
    shown, before = [], numbers[0] - 1
    for at in numbers:
        if any(lines.get(between, "…").strip() for between in range(before + 1, at)):
            shown.append(gap)
        shown.append(f"{at:>{width}} {truncate(lines[at][indent:].rstrip(), _MOST_WIDTH)}")
        before = at
    return "\n".join([*shown, gap] if before < end_line else shown)

"""Describe the code that answers a question by its name, documentation and most relevant lines."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from codeindex.ask.extract import Citation, Sentence
from codeindex.ask.passages import strip_markup
from codeindex.ask.question import WeightedQuestion
from codeindex.ask.relation_sentences import DOC, shorten_quote
from codeindex.ask.sections import SectionQuote
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.lookups import callable_around, symbols_in_lines, symbols_with_words
from codeindex.store.symbols.nodes import symbol_of_hit
from codeindex.text.indent import indentation
from codeindex.text.words import stem_word, stemmed_words
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Hit, Node, SafeText, SymbolKind

_MOST_WIDTH = 120
"""Most characters of a shown line of code."""
_HTML_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_BLOCK_TAG = re.compile(
    r"\n\s*\n|(?:^|\n)\s*(?:```|#+ |[@\\][A-Za-z]+\b|:[a-z]+[ :]"
    r"|(?:Args|Arguments|Returns|Raises|Examples?):)"
)
_BRIEF = re.compile(r"^[@\\]brief\s+")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_MOST_DESCRIPTION = 480
"""Most characters of a first paragraph of documentation that is shown whole, as of a quote."""
_FEWEST_WORDS = 2
"""Least words of a sentence in a description; fewer are markup."""
_LEAST_MORE = 0.2
"""A later sentence is quoted too if its share of the question's weight is higher by at least
this."""
_IS_TEST = re.compile(r"tests?(?:_|$)")
_TESTS = re.compile(r"(?i)\btest")
_DEFINING_TERMS = frozenset(map(stem_word, ("defined", "declared", "constant", "definition")))
"""Words such as "defined", which a question may contain though the name of its subject does not."""
_MOST_NAMED = 40
_FIRST_WORDS = 4
"""A comment that begins with so many words of a symbol's description is that description."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(])")


@dataclass(frozen=True, slots=True)
class FoundDefinition:
    """A search hit, and the symbol in it that answers the question.

    `node` is None for code outside of any symbol.
    """

    hit: Hit
    node: Node | None
    comment: SectionQuote | None = None
    """The comment in the symbol that answers the question, if the comment was found first."""

    @property
    def name(self) -> str:
        return self.node.qualified if self.node else self.hit.path.rpartition("/")[2]

    @property
    def is_prototype(self) -> bool:
        """Whether the symbol is a function that is declared without a body."""
        return self.node is not None and self.node.is_bodiless

    @property
    def is_described(self) -> bool:
        """Whether `comment` is part of the documentation of the symbol."""
        return bool(self.comment and self.node and _describes(self.comment, self.node))

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
    else. A prototype is left out beside the function with the body.
    """
    code = [hit for hit in hits if not LANGUAGES[hit.language].prose]
    if not _TESTS.search(question.text):
        code = [hit for hit in code if not hit.is_test] or code
    found: dict[tuple[str, int], FoundDefinition] = {}
    for hit in code:
        node = _answering_symbol(connection, hit, question)
        key = (hit.path, node.id if node else -hit.start_line)
        found.setdefault(key, FoundDefinition(hit, node))
    definitions = list(found.values())
    if not _TESTS.search(question.text):
        plain = [each for each in definitions if not (each.node and is_test_code(each.node))]
        definitions = plain or definitions
    definitions = definitions[:most]
    bodies = {each.name for each in definitions if each.node and each.node.has_body}
    return [each for each in definitions if not (each.is_prototype and each.name in bodies)]


def is_test_code(node: Node) -> bool:
    """Tell whether a symbol is a test, or in a module of tests, as its name or kind says."""
    words = node.qualified.lower().split(".")
    return node.is_test or node.kind == SymbolKind.TEST or any(map(_IS_TEST.match, words))


def commented_function(
    connection: sqlite3.Connection, quote: SectionQuote
) -> FoundDefinition | None:
    """Return the function whose body contains the quoted comment.

    Return None if the quote is from a document, a docstring, or a comment above or outside of a
    function.
    """
    if quote.passage is None or LANGUAGES[quote.hit.language].prose:
        return None
    node = callable_around(connection, quote.hit.path, quote.passage.line)
    if node is None or quote.passage.line < node.line or _describes(quote, node):
        return None
    return FoundDefinition(replace(quote.hit, score=0.0), node, quote)


def described_definition(
    connection: sqlite3.Connection, quote: SectionQuote
) -> FoundDefinition | None:
    """Return the function or type whose documentation contains the quoted comment.

    Return None if there is none. The comment of a field says enough by itself.
    """
    hit = quote.hit
    if quote.passage is None or LANGUAGES[hit.language].prose:
        return None
    own = symbol_of_hit(connection, hit)
    inside = symbols_in_lines(connection, hit.path, hit.start_line, hit.end_line)
    for node in [own, *inside] if own else inside:
        if node.kind in CALLABLE_KINDS | OWNER_KINDS and _describes(quote, node):
            return FoundDefinition(replace(hit, score=0.0), node, quote)
    return None


def _describes(quote: SectionQuote, node: Node) -> bool:
    """Tell whether a quote is part of the documentation of a symbol.

    `Node.doc` has only the first paragraph; comments above a symbol belong to it.
    """
    if quote.passage is None:
        return False
    words = quote.passage.text.split()[:_FIRST_WORDS]
    is_above = node.start_line <= quote.passage.line < node.line
    return is_above or " ".join(words) in " ".join(node.doc.split())


def _answering_symbol(
    connection: sqlite3.Connection, hit: Hit, question: WeightedQuestion
) -> Node | None:
    """Return the symbol in a hit whose name best matches the question; None if it has none.

    Among equally good ones, the symbol that the hit names is preferred.
    """
    inside = symbols_in_lines(connection, hit.path, hit.start_line, hit.end_line)
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


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A definition and the numbers of its lines to show; `lines` maps numbers to lines.

    `score` tells how well these lines answer the question.
    """

    definition: FoundDefinition
    lines: Mapping[int, str]
    shown: tuple[int, ...]
    score: float


def definition_sentences(excerpt: Excerpt, question: WeightedQuestion) -> Iterator[Sentence]:
    """Yield a sentence with the name and description of a definition, then one with its lines."""
    definition = excerpt.definition
    yield _headline(definition, question, "definition")
    if excerpt.shown:
        yield _code_sentence(definition.hit.path, excerpt.lines, excerpt.shown, definition.end_line)


def example_sentence(hit: Hit, numbers: Iterable[int]) -> Sentence:
    """Return a sentence that shows the lines `numbers` of a section, with a citation of each."""
    return _code_sentence(hit.path, dict(enumerate(hit.lines, hit.start_line)), numbers, 0)


def _code_sentence(
    path: str, lines: Mapping[int, str], numbers: Iterable[int], end_line: int
) -> Sentence:
    """Return a sentence that shows the lines `numbers` as code, with a citation of each.

    `end_line` is the last line of the definition: if more code follows, `…` marks it. 0 shows no
    mark.
    """
    shown = [at for at in numbers if lines[at].strip()]
    places = tuple(Citation(path, at, lines[at].strip()[:30]) for at in shown)
    return Sentence(_numbered(lines, shown, end_line), places, "code")


def further_sentences(
    definitions: Iterable[FoundDefinition], question: WeightedQuestion
) -> Iterator[Sentence]:
    """Yield a "See also" sentence for each definition, with its name and description."""
    for definition in definitions:
        yield _headline(definition, question, "more")


def _headline(
    definition: FoundDefinition, question: WeightedQuestion, part: Literal["definition", "more"]
) -> Sentence:
    node, quote = definition.node, definition.comment
    if part == "definition" and definition.is_described and quote and quote.passage:
        doc = strip_markup(quote.passage.text)
    else:
        most = _MOST_DESCRIPTION if part == "definition" else DOC
        doc = describe(node.doc, question, most=most) if node else ""
    described = f": “{doc}”" if doc else ""
    return Sentence(f"`{definition.name}`{described}", (definition.citation,), part)


def describe(doc: str, question: WeightedQuestion, *, most: int = DOC) -> str:
    """Return sentences of a docstring that describe a symbol; "" if it has none.

    They are the first paragraph if `most`, the most characters, is more than `DOC` and it fits,
    else the first sentence; and, if it matches the question much better, a later sentence. Markup
    of documentation tools is removed.
    """
    text = _HTML_TAG.sub("", _BRIEF.sub("", doc.strip()))
    paragraphs = [strip_markup(" ".join(part.split())) for part in _BLOCK_TAG.split(text)]
    sentences = [
        sentence
        for paragraph in paragraphs
        for sentence in _SENTENCE_END.split(paragraph)
        if len(_LETTERS.findall(sentence)) >= _FEWEST_WORDS
    ]
    if not sentences or not paragraphs[0]:
        return ""
    first = paragraphs[0] if len(paragraphs[0]) <= most and most > DOC else sentences[0]
    best = max(sentences, key=question.share_in)
    more = question.share_in(best) - question.share_in(first)
    return shorten_quote(f"{first} {best}" if more >= _LEAST_MORE else first, most)


def _numbered(lines: Mapping[int, str], numbers: Sequence[int], end_line: int) -> str:
    """Return the lines with these numbers as text, each after its number, without common indent.

    `…` stands for omitted lines, also at the end if the code continues until `end_line`.
    """
    indent = min(indentation(lines[at]) for at in numbers)
    width = len(str(numbers[-1]))
    gap = f"{'…':>{width}}"
    shown, before = [], numbers[0] - 1
    for at in numbers:
        if any(lines.get(between, "…").strip() for between in range(before + 1, at)):
            shown.append(gap)
        shown.append(f"{at:>{width}} {shorten_quote(lines[at][indent:].rstrip(), _MOST_WIDTH)}")
        before = at
    return "\n".join([*shown, gap] if before < end_line else shown)

"""Find the functions and types that answer a question, and their lines that decide.

In: the hits of a search. Out: the code that `explore` ranks first for them, best first: of a short
definition all lines, of a longer one those with words of the question and the lines below them.
"""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from codeindex.ask.extract import Citation, Sentence
from codeindex.ask.lines import cite_line, code_sentence
from codeindex.ask.markup import strip_markup
from codeindex.ask.question import WeightedQuestion
from codeindex.languages import LANGUAGES, language_for_path
from codeindex.search.neighbors import NeighborReader
from codeindex.search.pack.text_lines import has_content
from codeindex.search.region_candidates import Candidate, rank_regions
from codeindex.search.unsearched_files import may_pass
from codeindex.store.catalog.file_lines import FileLines
from codeindex.store.symbols.lookups import symbols_in_lines
from codeindex.store.symbols.nodes import symbol_of_hit
from codeindex.text.comments import comment_lines
from codeindex.text.truncate import first_sentence, truncate_to_words
from codeindex.text.words import stemmed_words
from codeindex.types import CALLABLE_KINDS, Answer, Filters, Hit, Node, SafeText, SymbolKind

_MOST_WHOLE = 12
"""Most lines of a definition that is shown whole."""
_MOST_LINES, _MOST_LATER_LINES = 10, 8
"""Most lines that are shown of a longer definition, of the first place and of others. Of the lines
that answers to forty questions about four repositories cite (`first_answer.jsonl`), in 64 functions
of 167 lines on average, .67 are shown with 10 and .65 with 8; with the ten lines that `excerpt`
chooses .30 are."""
_BELOW = 2
"""Lines that are shown below a line with words of the question. With 4, .64 and .64 of those lines
are shown, and with conditions counting as a tenth of the question .66 and .63."""
_MOST_DESCRIPTION, _MOST_POINTER = 480, 240
"""Most characters of a description: of shown code, and below "See also"."""
_MOST_CANDIDATES = 12
"""Most candidates that are looked at: some of them are tests, prototypes or shown already."""
_LEAST_MORE = 0.2
"""Another paragraph of documentation is quoted if its share of the question is higher by this."""
_MARK = re.compile(r"""^\s*(?:/\*+!?|\*+/?|//[/!]?|#+|--[-|]?|;+|%+|[rR]?(?:"{3}|'{3}))?[ \t]?""")
"""What is before the text in a line of a comment or docstring."""
_HTML_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_PARAGRAPH_END = re.compile(r"\n\s*\n")
_BLOCK_TAG = re.compile(
    r"(?:^|\n)\s*(?:```|#+ |[@\\](?!brief\b)[A-Za-z]+\b|:[a-z]+[ :]"
    r"|(?:Args|Arguments|Returns|Raises|Examples?):)"
)
"""Where the paragraphs of a documentation comment end."""
_BRIEF = re.compile(r"^[@\\]brief\s+")
_IS_TEST = re.compile(r"tests?(?:_|$)")


@dataclass(frozen=True, slots=True)
class CodePlace:
    """A definition, or other lines of a file, and the lines of it to show: {number: line}.

    `hit` has all of its code. `node` is None for code outside of any symbol. `description` has the
    paragraphs of the documentation that are worth quoting, the first one and then the best.
    """

    hit: Hit
    node: Node | None
    lines: Mapping[int, str]
    description: tuple[str, ...]

    @property
    def is_test(self) -> bool:
        """Whether it is the code of a test."""
        return self.node is not None and is_test_code(self.node)

    @property
    def name(self) -> str:
        return self.node.qualified if self.node else self.hit.path.rpartition("/")[2]

    def sentences(self) -> Iterator[Sentence]:
        """Yield a sentence with the name and the description, then one with the lines to show."""
        text = truncate_to_words(" ".join(self.description), _MOST_DESCRIPTION)
        yield self._named(text, "definition")
        if self.lines:
            end = self.node.end_line if self.node else self.hit.end_line
            yield code_sentence(self.hit.path, self.lines, end_line=end)

    def pointer(self) -> Sentence:
        """Return the "See also" sentence of the definition."""
        return self._named(first_sentence("".join(self.description[:1]), _MOST_POINTER), "more")

    def _named(self, description: str, part: Literal["definition", "more"]) -> Sentence:
        described = f": “{description}”" if description else ""
        if self.node:
            place = Citation(self.node.path, self.node.line, self.node.name)
        else:
            at, line = next(iter(self.lines.items()), (self.hit.start_line, ""))
            place = cite_line(self.hit.path, at, line)
        return Sentence(f"`{self.name}`{described}", (place,), part)


def find_code(
    connection: sqlite3.Connection,
    answer: Answer,
    question: WeightedQuestion,
    filters: Filters,
    *,
    most: int,
) -> list[CodePlace]:
    """Return up to `most` definitions or other parts of code that answer the question, best first.

    Tests are left out unless the question names tests or there is nothing else, and so is a
    prototype of a function that is there.
    """
    hits = _code_hits(answer, question)
    if not hits:
        return []
    texts, neighbors = FileLines(connection), NeighborReader(connection)
    ranked, _ = rank_regions(neighbors, replace(answer, hits=hits), filters=filters, texts=texts)
    candidates = [one for one in ranked if may_pass(one.path, filters)][:_MOST_CANDIDATES]
    best = max((candidate.worth for candidate in candidates), default=1.0)
    found = []
    for candidate in candidates:
        hit = _hit_at(
            candidate, hits[0], texts.lines(candidate.path), relative=candidate.worth / best
        )
        found.append((hit, _answering_symbol(connection, hit, question)))
    if question.wants_definition:
        found.sort(key=lambda one: not (one[1] and question.is_name(one[1].name)))
    if not question.names_tests:
        found = [one for one in found if not (one[1] and is_test_code(one[1]))] or found
    places: list[CodePlace] = []
    for hit, node in found:
        if len(places) < most and not _is_shown(hit, node, places):
            shown = _MOST_LATER_LINES if places else _MOST_LINES
            places.append(_place(hit, node, texts.lines(hit.path), question, shown))
    return places


def _code_hits(answer: Answer, question: WeightedQuestion) -> tuple[Hit, ...]:
    code = tuple(hit for hit in answer.hits if not LANGUAGES[hit.language].prose)
    if question.names_tests:
        return code
    return tuple(hit for hit in code if not hit.is_test) or code


def is_test_code(node: Node) -> bool:
    """Tell whether a symbol is a test, or in a module of tests, as its name or kind says."""
    words = node.qualified.lower().split(".")
    return node.is_test or node.kind == SymbolKind.TEST or any(map(_IS_TEST.match, words))


def _hit_at(candidate: Candidate, best: Hit, lines: Sequence[str], *, relative: float) -> Hit:
    """Return a hit with the code of a candidate; `lines` are those of its file.

    Its repository is that of the best hit of the search, and its score that hit's times `relative`,
    at most 1.
    """
    first, last = candidate.start_line, min(candidate.end_line, len(lines))
    language = language_for_path(candidate.path)
    return replace(
        best,
        score=min(1.0, best.score * relative),
        path=candidate.path,
        start_line=first,
        end_line=last,
        text=SafeText("\n".join(lines[first - 1 : last])),
        symbol=candidate.symbol,
        kind=candidate.kind,
        language=language.name if language else best.language,
        module="",
        is_test=False,
        heading_path="",
        page=0,
        line=candidate.line,
        signature="",
    )


def _answering_symbol(
    connection: sqlite3.Connection, hit: Hit, question: WeightedQuestion
) -> Node | None:
    """Return the function that a hit names, or the symbol in it that best matches the question.

    Return None if no symbol is in it.
    """
    own = symbol_of_hit(connection, hit)
    if own and own.kind in CALLABLE_KINDS:
        return own
    inside = symbols_in_lines(connection, hit.path, hit.start_line, hit.end_line)
    candidates = [own, *inside] if own else inside
    return max(candidates, key=lambda node: question.share_in(node.name), default=None)


def _is_shown(hit: Hit, node: Node | None, places: Sequence[CodePlace]) -> bool:
    """Tell whether a place has the symbol or the first line of a hit, or a prototype's body."""
    return any(
        (node and place.node and node.id == place.node.id)
        or (place.hit.path == hit.path and place.hit.start_line <= hit.line <= place.hit.end_line)
        or (node and node.is_bodiless and place.name == node.qualified)
        for place in places
    )


def _place(
    hit: Hit, node: Node | None, lines: Sequence[str], question: WeightedQuestion, most: int
) -> CodePlace:
    """Return the place of a symbol in a hit; `lines` are those of the file."""
    first, last = hit.line, hit.end_line
    if node and node.kind not in CALLABLE_KINDS:
        first, last = node.line, min(node.end_line, len(lines))
    body, docstring = _without_docstring([(at, lines[at - 1]) for at in range(first, last + 1)])
    shown = _deciding_lines(body, question, most)
    if node is None:
        return CodePlace(hit, None, shown, ())
    above = [(at, lines[at - 1]) for at in range(node.start_line, node.line)]
    commented = set(comment_lines(above))
    comment = [line for at, line in above if at in commented] or docstring
    return CodePlace(hit, node, shown, _descriptions(node.doc, comment, question))


def _descriptions(doc: str, comment: Sequence[str], question: WeightedQuestion) -> tuple[str, ...]:
    """Return the first paragraph of a documentation comment, and another one that answers.

    `doc` is the first paragraph, `comment` has the lines of the comment with their marks.
    """
    text = "\n".join(_MARK.sub("", line) for line in comment)
    first = _plain(_BLOCK_TAG.split(doc.strip())[0])
    others = map(_plain, _PARAGRAPH_END.split(_BLOCK_TAG.split(text)[0])[1:])
    best = max(others, key=question.share_in, default="")
    is_better = question.share_in(best) >= question.share_in(first) + _LEAST_MORE
    return tuple(filter(None, (first, best if is_better else "")))


def _plain(paragraph: str) -> str:
    """Return a paragraph of a documentation comment as one line without markup."""
    return strip_markup(" ".join(_HTML_TAG.sub("", _BRIEF.sub("", paragraph)).split()))


def _deciding_lines(
    body: Sequence[tuple[int, str]], question: WeightedQuestion, most: int
) -> Mapping[int, str]:
    """Return {number: line} of the lines to show: all if they are few, else about `most`.

    The first line is shown, and those with rare words of the question, each with the lines below.
    """
    code = [(at, line) for at, line in body if has_content(line)]
    if len(code) <= _MOST_WHOLE:
        return {at: line for at, line in body if line.strip()}
    terms = [question.terms(stemmed_words(line)) for _, line in code]
    counts = Counter(chain.from_iterable(terms))
    weights = {
        term: question.weights[term] * math.log(1 + len(code) / (1 + count))
        for term, count in counts.items()
    }
    values = [math.fsum(map(weights.__getitem__, of)) for of in terms]
    chosen = {0}
    for at in sorted(range(1, len(code)), key=lambda at: -values[at]):
        new = chosen.union(range(at, min(len(code), at + 1 + _BELOW)))
        chosen = new if len(new) <= most else chosen
    shown = {code[at][0] for at in chosen}
    between = {code[at][0]: code[at + 1][0] for at in chosen if at + 1 in chosen}
    shown.update(chain.from_iterable(map(range, between, between.values())))
    return {at: line for at, line in body if at in shown and line.strip()}


def _without_docstring(
    body: Sequence[tuple[int, str]],
) -> tuple[list[tuple[int, str]], list[str]]:
    """Return (the lines of a definition without those of its docstring, the docstring's lines)."""
    kept, dropped, inside = list[tuple[int, str]](), list[str](), False
    for at, line in body:
        quotes = line.count('"""') + line.count("'''")
        below_head = not dropped and bool(kept) and kept[-1][1].rstrip().endswith(":")
        starts = below_head and line.lstrip().startswith(('"""', "'''", 'r"""'))
        if starts or inside:
            dropped.append(line)
            inside ^= quotes % 2 == 1
        else:
            kept.append((at, line))
    return kept, dropped

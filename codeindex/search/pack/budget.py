"""Pack an answer into a token budget: show each hit in full, as a skeleton, or as a pointer.

Hits are taken in rank order. Each step either adds the next hit or shows an earlier hit more fully,
whichever gains more per character.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from codeindex.errors import QueryError
from codeindex.files.digest import line_digests
from codeindex.query.identifiers import query_names
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN, JsonFormat
from codeindex.search.pack.agent_text import TextFormat
from codeindex.search.pack.outline import hit_skeleton
from codeindex.search.pack.pieces import (
    AnswerPieces,
    HitForm,
    HitForms,
    PackStep,
    cite_step,
    expand_steps,
)
from codeindex.text.words import query_words
from codeindex.types import AgentFormat, Answer, Hit, LineSpan, SafeText

Outline = Callable[[Hit], Mapping[int, str]]
"""Returns the definitions in a hit, as texts by line number."""
CursorAfter = Callable[[Sequence[Hit]], str]
"""Returns the cursor that continues after the given hits of the page."""


class AnswerFormat(Protocol):
    """Measures the parts of an answer in characters, in the form in which the answer is sent."""

    def hit_size(self, hit: Hit, *, several: bool) -> int:
        """Return the size of a result; `several` is true if several repositories were searched."""

    def doc_size(self, hit: Hit, *, several: bool) -> int:
        """Return the size of the entry for a document, of which no text is shown."""

    def frame_size(self, frame: Answer, first: Hit | None) -> int:
        """Return the size of an answer without results.

        It includes the suggestion of a call that reads `first`, the best result.
        """


FORMATS: Mapping[str, AnswerFormat] = {"json": JsonFormat(), "text": TextFormat()}
"""Formats whose characters a budget may count: JSON (`agent_json`) or text (`agent_text`)."""
_FIRST = 1 / 3
"""In a small budget, the code of the first hit may take at most this share of the room."""
_WHOLE_FIRST = 1_100
"""From this budget on, in tokens, the first hit is shown in full before all others, if it fits.
From 500 on, the first right file would be in view for .963 of the dev questions instead of .977.
From 1,000 on, an answer would have 694 tokens instead of 663 and name no right file earlier. With a
budget of 1,125, the part for hits of two questions to `explore_code`, the code of the best function
is shown for .691 instead of .673."""
_DOCS = 1 / 4
"""Pointers to documents may take at most this share of the room."""
_SHORTER = 0.8
"""A skeleton is used only if it is shorter than this share of the full hit."""
_FAINT = 0.1
_BESIDE = 0.6
"""A hit is only a pointer if it scores below `_FAINT` or below `_BESIDE` times the best score,
unless it is the best hit. For 43, 42 and 42 of 55 dev questions with places (words, token vectors,
model), an answer of at most 1,000 tokens then has the code of a right function, in 746 tokens on
average. With .05 and no share: 41, 41 and 42, in 920 tokens. With .1 and .7: 42, 41 and 39, in 686
tokens."""
_LESS: tuple[dict[str, Any], ...] = (
    {"meta": {}},
    {"suggestions": (), "related_areas": (), "hint": ""},
)
"""Fields that a small answer omits, in the order in which they are dropped."""


def fit_answer(
    answer: Answer,
    *,
    budget: int,
    seen: Sequence[LineSpan],
    outline: Outline,
    cursor_after: CursorAfter,
    sent_as: AgentFormat = "json",
) -> Answer:
    """Return the part of an answer that fits into `budget` tokens, without repeated code.

    `seen` are the lines that the client has received; hits in them become pointers (places without
    code). A budget of 0 means no limit. Raise QueryError if even an answer without results does not
    fit.
    """
    answer = point_to_seen(answer, seen)
    if not budget:
        return answer
    sizes = FORMATS[sent_as]
    frame, room = _framed(answer, budget * CHARACTERS_A_TOKEN, cursor_after, sizes)
    forms = _forms(answer, outline, sizes)
    cheapest = forms(answer.hits[0])[0].size if answer.hits else 0
    docs_room = min(room * _DOCS, room - cheapest) if cheapest else room
    docs = tuple(_docs(answer, docs_room, sizes))
    share = 1 if budget >= _WHOLE_FIRST else _FIRST
    pieces, count = _chosen(answer.hits, forms, room - sum(doc.size for doc in docs), share)
    cut = count < len(answer.hits)
    return replace(
        frame,
        hits=tuple(piece.form.hit for piece in pieces),
        navigation=tuple(doc.hit for doc in docs),
        truncated=cut or len(docs) < len(answer.navigation),
        cursor=cursor_after(answer.hits[:count]) if cut else answer.cursor,
    )


def point_to_seen(answer: Answer, seen: Sequence[LineSpan]) -> Answer:
    """Replace each hit whose lines are all in `seen` by a pointer: its place without the code."""
    if not seen:
        return answer
    hits, docs = (
        tuple(_pointer(hit, again=True) if _was_seen(hit, seen) else hit for hit in every)
        for every in (answer.hits, answer.navigation)
    )
    return replace(answer, hits=hits, navigation=docs)


def _pointer(hit: Hit, *, again: bool = False) -> Hit:
    return replace(hit, text=SafeText(""), shown="seen" if again else "pointer")


def _was_seen(hit: Hit, seen: Sequence[LineSpan]) -> bool:
    """Tell whether the client has received every line of a hit with its present text."""
    spans = [span for span in seen if span.path == hit.path and span.repo in {"", hit.repo}]
    if not spans:
        return False
    digests = dict(enumerate(line_digests(hit.lines), hit.start_line))
    lines = range(hit.start_line, hit.end_line + 1)
    return all(any(_shows(span, line, digests.get(line)) for span in spans) for line in lines)


def lines_shown(path: str, lines: Mapping[int, str], seen: Sequence[LineSpan]) -> frozenset[int]:
    """Return the numbers of those lines of a file that the client has received unchanged.

    `lines` maps the numbers to the present text.
    """
    spans = [span for span in seen if span.path == path]
    if not spans:
        return frozenset()
    digests = dict(zip(lines, line_digests(lines.values()), strict=True))
    return frozenset(
        number
        for number, digest in digests.items()
        if any(_shows(span, number, digest) for span in spans)
    )


def _shows(span: LineSpan, line: int, digest: str | None) -> bool:
    """Tell whether a span of received lines contains `line` with this digest of its text."""
    if not span.start_line <= line <= span.end_line:
        return False
    if not span.digests:
        return True
    at = line - span.start_line
    return at < len(span.digests) and span.digests[at] == digest


def _framed(
    answer: Answer, most: int, cursor_after: CursorAfter, sizes: AnswerFormat
) -> tuple[Answer, int]:
    """Return (the answer without hits, number of characters that remain for hits).

    `most` is the size of the whole answer in characters. Optional fields are dropped if the answer
    without hits takes more than half of it.
    """
    cursor = answer.cursor or (cursor_after(answer.hits) if answer.hits else None)
    frame = replace(answer, hits=(), navigation=(), truncated=True, cursor=cursor)
    first = answer.hits[0] if answer.hits else None
    size = sizes.frame_size(frame, first)
    for less in _LESS:
        if size > most / 2:
            frame = replace(frame, **less)
            size = sizes.frame_size(frame, first)
    if size > most:
        least = -(-size // CHARACTERS_A_TOKEN)
        raise QueryError(
            f"A budget of {most // CHARACTERS_A_TOKEN} is too small: an answer without results"
            f" takes {least}."
        )
    return frame, most - size


def _forms(answer: Answer, outline: Outline, sizes: AnswerFormat) -> HitForms:
    """Return a function that gives the forms in which a hit may be shown, shortest first.

    The forms are a pointer (place only), a skeleton (the main lines) and the full code. The
    skeleton is left out if it saves too little; weak hits and copies of other hits have only the
    pointer.
    """
    terms = frozenset(query_words(answer.query))
    names = tuple(dict.fromkeys(name.removesuffix("()") for name in query_names(answer.query)))
    several = len(answer.searched_repos) > 1
    best = answer.hits[0].score if answer.hits else 0.0
    faint = min(max(_FAINT, best * _BESIDE), best)
    copies = _copies(answer.hits)

    def form(hit: Hit) -> HitForm:
        return HitForm(hit, sizes.hit_size(hit, several=several))

    def forms(hit: Hit) -> tuple[HitForm, ...]:
        if hit.shown == "seen":
            return (form(hit),)
        place, whole = form(_pointer(hit)), form(hit)
        if not hit.text or hit.score < faint or (hit.repo, hit.path, hit.start_line) in copies:
            return (place,)
        drawn = replace(hit, text=hit_skeleton(hit, outline(hit), terms, names), shown="skeleton")
        outlined = form(drawn)
        worthwhile = place.size < outlined.size < _SHORTER * whole.size
        return (place, outlined, whole) if worthwhile else (place, whole)

    return forms


def _copies(hits: Sequence[Hit]) -> frozenset[tuple[str, str, int]]:
    """Return (repo, path, start line) of hits whose code is also in an earlier hit of another file.

    Differences in white space do not count.
    """
    first: dict[str, str] = {}
    return frozenset(
        (hit.repo, hit.path, hit.start_line)
        for hit in hits
        if hit.text and first.setdefault("".join(hit.text.split()), hit.path) != hit.path
    )


def _docs(answer: Answer, room: float, sizes: AnswerFormat) -> Iterator[HitForm]:
    """Yield the entries for documents, without their text, as long as they fit into `room`."""
    several = len(answer.searched_repos) > 1
    for hit in answer.navigation:
        place = hit if hit.shown == "seen" else _pointer(hit)
        size = sizes.doc_size(place, several=several)
        room -= size
        if room < 0:
            return
        yield HitForm(place, size)


def _chosen(
    hits: Sequence[Hit], forms: HitForms, room: int, first_share: float
) -> tuple[AnswerPieces, int]:
    """Choose how to show hits in `room` characters; return (pieces, number of hits in them).

    `forms` gives the forms of a hit. The code of the first hit may take the share `first_share` of
    the room before other hits are considered.
    """
    pieces: AnswerPieces = ()
    cited, body = 0, room * first_share
    while True:
        steps = list(expand_steps(pieces))
        if cited < len(hits):
            steps.append(cite_step(pieces, hits[cited], cited, forms, room=room))
        fitting = [step for step in steps if step.cost <= room]
        if not fitting:
            return pieces, cited
        best = max(fitting, key=lambda step: step.gain / max(step.cost, 1))
        if best.cites and not cited:
            best = _with_body(best, body)
        pieces, room, cited = best.pieces, room - best.cost, cited + best.cites


def _with_body(first: PackStep, most: float) -> PackStep:
    """Change a step so that it shows the first hit in full, in at most `most` characters.

    Return the step unchanged if the code does not fit.
    """
    whole = [step for step in expand_steps(first.pieces) if step.cost + first.cost <= most]
    last = next((step for step in whole if step.pieces[0].form.hit.shown == "full"), None)
    return replace(first, pieces=last.pieces, cost=first.cost + last.cost) if last else first

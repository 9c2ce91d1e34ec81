"""Format an answer as plain text for agents: a header, one line per result, then the code.

The list comes before the code, so that the first few hundred characters show every place. A number
in brackets above code is the number of its result in the list. Budgets of text answers count these
characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from codeindex.search.advice import NO_MATCH_ADVICE
from codeindex.search.pack.text_lines import numbered_lines, unusual_kind
from codeindex.text.sanitize import escape_line
from codeindex.text.short_names import shorten_names
from codeindex.text.truncate import name_some, truncate
from codeindex.types import Answer, Confidence, Hit, unparsed_suffix
from codeindex.types.report import plural

_CONFIDENCE: Mapping[Confidence | None, str] = {
    "strong": "confidence strong",
    "likely": "confidence likely",
    "weak": "confidence weak: the code may not have this",
}
_SURE = frozenset({"strong", "likely"})
"""Confidence levels at which the answer suggests a call to read the best result."""
_LISTS = frozenset({"relationship", "flow"})
"""Query types whose results are a complete list, so that later pages matter as much as the
first."""
_OTHERWISE: Mapping[str, str] = {
    "relationship": ", by relevance: no symbol with the name in the question is known",
    "flow": ", by relevance: no path between the two is known",
}
"""Text for the header if a relationship or flow query got ordinary results."""
_NAMED = 3
"""Most subjects that the header of a relationship answer lists."""
_WIDEST = 200
"""Most characters of a line of code in the list; under 1 % of lines are longer."""


class TextFormat:
    """Measures the parts of an answer that is sent as text, in characters; see `AnswerFormat`."""

    def hit_size(self, hit: Hit, *, several: bool) -> int:
        """Return the size of a result's line in the list plus its code."""
        line = _list_line(99, hit, several=several)
        return len(line) + 1 + sum(len(code) + 1 for code in _code(99, hit))

    def doc_size(self, hit: Hit, *, several: bool) -> int:
        """Return the size of the line for a document."""
        return len(_document_line(hit, several=several)) + 1

    def frame_size(self, frame: Answer, first: Hit | None) -> int:
        """Return the size of the header, the notes and the suggested call."""
        lines = [_header(frame), *_notes(frame), _DOCUMENTS]
        if first and frame.confidence in _SURE:
            lines.append(f"next: {_read(first)}")
        return sum(len(line) + 1 for line in lines)


_DOCUMENTS = "documents:"


def answer_text(answer: Answer) -> str:
    """Return an answer as text for agents; empty fields and default values are left out."""
    return "\n".join(_lines(answer))


def frame_lines(answer: Answer) -> tuple[list[str], list[str]]:
    """Return the lines before the results (header) and those after them (documents, notes)."""
    after = [_DOCUMENTS] if answer.navigation else []
    after += [_document_line(hit, several=False) for hit in answer.navigation]
    is_empty = not answer.hits and bool(answer.message)
    return [] if is_empty else [_header(answer)], [*after, *_limit_lines(answer)]


def _lines(answer: Answer) -> Iterator[str]:
    several = len(answer.searched_repos) > 1
    if answer.hits or not answer.message or "relation" in answer.meta:
        yield _header(answer)
    for number, hit in enumerate(answer.hits, 1):
        yield _list_line(number, hit, several=several)
    if answer.navigation:
        yield _DOCUMENTS
    for hit in answer.navigation:
        yield _document_line(hit, several=several)
    for number, hit in enumerate(answer.hits, 1):
        yield from _code(number, hit)
    yield from _notes(answer)


def _header(answer: Answer) -> str:
    """Return a line with the number of results, their kind, and how certain they are."""
    counts = f"{len(answer.hits)} of {plural(answer.total_count, 'result')}"
    if relation := answer.meta.get("relation"):
        return f"{counts}, {_relation(relation)}"
    if flow := answer.meta.get("flow"):
        return f"{counts}, {_flow(flow)}"
    if untested := answer.meta.get("untested"):
        return f"{counts}, {escape_line(untested_note(untested))}"
    counts += _OTHERWISE.get(answer.query_type, "")
    confidence = _CONFIDENCE.get(answer.confidence, "")
    return f"{counts}, best first{', ' if confidence else ''}{confidence}"


def _relation(relation: Mapping[str, Any]) -> str:
    """Return a phrase such as "callers of Cart.add: 3 certain, 1 possible".

    `relation` is `meta.relation` of the answer. Uses that are known by name only are counted too.
    """
    named = name_some(list(relation["of"]), _NAMED)
    counts = {
        "certain": relation.get("resolved"),
        "possible": relation.get("ambiguous"),
        "by name only": relation.get("textual"),
    }
    sure = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    unparsed = relation.get("unparsed") or ()
    gaps = escape_line(unparsed_suffix(len(unparsed), unparsed))
    of = escape_line(named or "nothing")
    return f"{relation['relation']} of {of}{': ' if sure else ''}{sure}{gaps}"


def _flow(flow: Mapping[str, Any]) -> str:
    """Return a phrase with the first and last symbol of a path, and how certain its steps are.

    `flow` is `meta.flow` of the answer. If the question named the two ends differently, the names
    in the question are added.
    """
    ends = [flow["from"], *([flow["to"]] if flow.get("to") else [])]
    steps = flow["paths"][0] if flow.get("paths") else []
    endpoints = [steps[0]["source"], steps[-1]["target"]] if steps else ends
    between = " to ".join(escape_line(end) for end in endpoints[: len(ends)])
    requested = " to ".join(escape_line(end) for end in ends)
    taken = "" if all(map(_names, ends, endpoints)) else f" (for {requested!r})"
    certainty = escape_line(flow_certainty(flow))
    return (
        f"steps of a static call path from {between}{taken}, {certainty}:"
        " whether it runs is not known"
    )


def searched_files(answer: Answer) -> str:
    """Return "indexed file" if some files are not indexed, otherwise "file".

    The answer's sentences use it as the noun for the files that were searched.
    """
    return "indexed file" if answer.coverage.skipped or answer.coverage.failed else "file"


def untested_note(untested: Mapping[str, Any]) -> str:
    """Return the sentence for a question for tests where no test is known to run the subject.

    `untested` is `meta.untested` of the answer.
    """
    unparsed = unparsed_suffix(len(untested["unparsed"]), untested["unparsed"])
    of = name_some(list(untested["of"]), _NAMED)
    return f"no test of {of} is known, so these are tests with the question's words{unparsed}"


def flow_certainty(flow: Mapping[str, Any]) -> str:
    """Return a clause that lists the uncertain steps in `meta.flow`, or "all certain"."""
    steps = [step for path in flow["paths"] for step in path]
    places = (f"{step['path']}:{step['line']}" for step in steps if step["certainty"] != "resolved")
    possible = [*dict.fromkeys(places)]
    return f"only possible at {name_some(possible, _NAMED)}" if possible else "all certain"


def _names(text: str, key: str) -> bool:
    """Tell whether the last word of `text` is one of the names in the key of a symbol.

    `"the add"` and `"add()"` fit the key `shop/cart.py::Cart.add`.
    """
    name = re.split(r"\W+", text.removesuffix("()"))[-1]
    return bool(name) and name in re.split(r"\W+", key)


def _list_line(number: int, hit: Hit, *, several: bool) -> str:
    """Return the line for a result: place, symbol, kind and, if it is a single line, its code."""
    name = shorten_names(hit.symbol, hit.path) or hit.heading_path
    parts = [f"{number} {_place(hit, several=several)}", name, _remarks(hit)]
    line = " ".join(part for part in parts if part)
    return escape_line(f"{line}: {_one_line(hit)}" if _is_one_line(hit) else line)


def _place(hit: Hit, *, several: bool) -> str:
    path = f"{hit.repo}: {hit.path}" if several else hit.path
    if hit.shown == "pointer" or hit.start_line == hit.end_line:
        return f"{path}:{hit.line or hit.start_line}"
    return f"{path}:{hit.start_line}-{hit.end_line}"


def _remarks(hit: Hit) -> str:
    """Return the kind, page and marks of a result in brackets: `(class, secrets removed)`.

    Functions and methods have no kind there.
    """
    remarks = (
        unusual_kind(hit.kind),
        f"page {hit.page}" if hit.page else "",
        "generated" if hit.is_generated else "",
        "like others" if hit.follows_pattern else "",
        "secrets removed" if hit.has_secrets else "",
        "shown before" if hit.shown == "seen" else "",
    )
    return f"({', '.join(remark for remark in remarks if remark)})" if any(remarks) else ""


def _is_one_line(hit: Hit) -> bool:
    return hit.shown == "full" and bool(hit.text) and hit.start_line == hit.end_line


def _one_line(hit: Hit) -> str:
    return truncate(hit.lines[0].strip(), _WIDEST)


def _code(number: int, hit: Hit) -> Iterator[str]:
    """Yield the number and code of a result; nothing for a single line, which the list shows."""
    if not hit.text or _is_one_line(hit):
        return
    yield f"[{number}]"
    if hit.shown == "skeleton":  # its lines already have numbers
        yield from hit.text.rstrip("\n").split("\n")
    else:
        yield from numbered_lines(list(enumerate(_trimmed(hit), hit.start_line)))


def _trimmed(hit: Hit) -> Sequence[str]:
    """Return the lines of a result without blank lines at the end."""
    lines = hit.lines
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def _document_line(hit: Hit, *, several: bool) -> str:
    place = f"{hit.repo}: {hit.path}" if several else hit.path
    line = f"{place}:{hit.line or hit.start_line} {hit.heading_path or hit.symbol}"
    return escape_line(line.rstrip())


def _notes(answer: Answer) -> Iterator[str]:
    """Yield the lines below the results: limits, suggestions, the next call, and the cursor."""
    yield from _limit_lines(answer)
    if call := _next_call(answer):
        yield f"next: {call}"
    if answer.cursor and (answer.truncated or answer.query_type in _LISTS):
        yield f"more: cursor {answer.cursor}"


def _limit_lines(answer: Answer) -> Iterator[str]:
    """Yield the message of an empty answer, then a `note:` for each limit and suggestion."""
    if not answer.hits and answer.message:
        yield escape_line(answer.message)
    yield from (f"note: {escape_line(limit)}" for limit in _limits(answer))


def _limits(answer: Answer) -> Iterator[str]:
    """Yield sentences about the limits of an answer, and suggestions.

    They are about missing words, other words to search for, repositories that failed, areas of the
    repository, and similar names.
    """
    if answer.missing_words and not answer.absence:
        yield f"in no {searched_files(answer)}: {', '.join(answer.missing_words)}"
    yield from (
        suggestion for suggestion in answer.suggestions if suggestion not in NO_MATCH_ADVICE
    )
    for repo, why in (answer.meta.get("failed") or {}).items():
        yield f"not searched: {repo}: {why}"
    if commits := answer.meta.get("commits"):
        yield "commits: " + ", ".join(f"{repo} {commit}" for repo, commit in commits.items())
    if not answer.hits and answer.related_areas:
        yield f"areas of this repository: {', '.join(answer.related_areas)}"
    if near := answer.meta.get("nearest"):
        yield f"the nearest names are {', '.join(near)}"


def _next_call(answer: Answer) -> str:
    """Return the call that reads the best result, to suggest it to the agent.

    Return "" if the code is shown already or if the answer is uncertain.
    """
    first = answer.hits[0] if answer.hits else None
    if first is None or answer.confidence not in _SURE or first.shown in {"full", "seen"}:
        return ""
    return _read(first)


def _read(hit: Hit) -> str:
    return escape_line(f"read_code {hit.path}:{hit.start_line}-{hit.end_line}")

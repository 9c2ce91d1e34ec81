"""Write notes about an answer for standard error: confidence, route, gaps, secrets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from codeindex.search.pack.agent_text import flow_certainty, searched_files, untested_note
from codeindex.types import Answer, unparsed_suffix
from codeindex.types.report import plural

_MAX_SYMBOLS = 4
"""Most symbols of one name that are listed."""


def answer_notes(answer: Answer) -> Iterator[str]:
    """Yield notes about an answer: its reliability, missing data, and results left out."""
    yield from _confidence_notes(answer)
    if route := _route_note(answer):
        yield route
    for meta in (answer.meta, *answer.meta.get("routes", {}).values()):
        if reason := meta.get("reranker", {}).get("failed"):
            yield f"not reranked: {reason}"
    for repo, reason in answer.meta.get("failed", {}).items():
        yield f"{repo} was not searched: {reason}"
    if commits := answer.meta.get("commits"):
        yield "commits: " + ", ".join(f"{repo} {commit}" for repo, commit in commits.items())
    if answer.truncated:
        yield f"results were left out to fit the budget: continue with --cursor {answer.cursor}"
    yield from _gap_notes(answer)
    paths = dict.fromkeys(hit.path for hit in (*answer.hits, *answer.navigation) if hit.has_secrets)
    if paths:
        yield f"secrets are redacted in {', '.join(paths)}"


def _confidence_notes(answer: Answer) -> Iterator[str]:
    if answer.confidence == "weak":
        yield "weak: the code may not have this"
    if answer.missing_words and not answer.absence:
        yield f"no {searched_files(answer)} has {', '.join(answer.missing_words)}"


def _gap_notes(answer: Answer) -> Iterator[str]:
    # Relations need no vectors.
    vectors = 1.0 if "relation" in answer.meta else answer.readiness.vectors
    if total := answer.meta.get("likely_of"):
        yield (
            f"answered from {answer.coverage.indexed:,} of {total:,} files, the likeliest by their"
            " words; the others are being indexed"
        )
    elif answer.readiness.words < 1:
        yield f"words {answer.readiness.words:.0%}: the rest of the files is not searchable yet"
    if 0 < vectors < 1:
        yield f"vectors {vectors:.0%}: `codeindex index` embeds the rest, which finds more"
    yield from answer.refreshed.remarks()
    if answer.coverage.failed:
        files = plural(answer.coverage.failed, "file")
        yield f"{files} could not be indexed: codeindex files --skipped"


def _route_note(answer: Answer) -> str:
    """Return a note on how a question about relations or flows was answered.

    Return '' for other queries.
    """
    if relation := answer.meta.get("relation"):
        return _relation_note(relation, answer)
    if untested := answer.meta.get("untested"):
        return untested_note(untested)
    if answer.query_type == "relationship":
        nearest = " or ".join(answer.meta.get("nearest", ()))
        hint = f" (did you mean {nearest}?)" if nearest else ""
        return f"no symbol has the name in the question{hint}: these are ordinary results"
    if flow := answer.meta.get("flow"):
        return f"steps from {flow['from']} to {flow['to']}, {flow_certainty(flow)}"
    if answer.query_type == "flow":
        return "no path between the two is known: these are ordinary results"
    return ""


def _relation_note(relation: Mapping[str, Any], answer: Answer) -> str:
    """Return a note on an answer that lists relations, such as callers.

    The note counts the certain and the possible relations, and the files that were not parsed.
    """
    counts = f"{relation['resolved']} certain, {relation['ambiguous']} possible"
    textual = f", {relation['textual']} that only mention it" if "textual" in relation else ""
    unparsed = unparsed_suffix(len(relation["unparsed"]), relation["unparsed"])
    shown = len(answer.hits)
    rest = f" ({shown} shown: -m)" if shown < answer.total_count else ""
    subject = _format_symbols(relation["of"])
    return f"{relation['relation']} of {subject}: {counts}{textual}{rest}{unparsed}"


def _format_symbols(keys: Sequence[str]) -> str:
    """Return the symbols as a list; of many, only the number and the first ones."""
    if len(keys) <= _MAX_SYMBOLS:
        return ", ".join(keys)
    first = ", ".join(keys[:_MAX_SYMBOLS])
    return f"{len(keys)} symbols of this name ({first}, ...; give a full name to ask for one)"

"""Turn the results of relationship and flow questions into sentences."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

from codeindex.ask.extract import Citation, Sentence
from codeindex.store.symbols.nodes import symbols_by_name
from codeindex.text.truncate import fit_width
from codeindex.types import Answer, Hit
from codeindex.types.report import plural

_SIGNATURE, _DOC = 100, 240
"""Most characters of a quoted line of code, and of a description."""


def usage_sentences(connection: sqlite3.Connection, answer: Answer) -> list[Sentence]:
    """Return the sentences of an answer about uses, as to "who calls X".

    They describe the subject X and list its uses by the symbol that contains them.
    """
    relation = answer.meta["relation"]
    sentences = []
    name = ", ".join(f"`{_without_path(key)}`" for key in relation["of"][:3])
    for node in symbols_by_name(connection, relation["of"][0])[:1] if relation["of"] else ():
        description = f" — “{fit_width(' '.join(node.doc.split()), _DOC)}”" if node.doc else ""
        place = Citation(node.path, node.line, node.name)
        sentences.append(Sentence(f"`{node.qualified}`{description}", (place,), "definition"))
    counts = (
        (relation.get("resolved", 0), "for certain"),
        (relation.get("ambiguous", 0), "possible"),
        (relation.get("textual", 0), "that only name it"),
    )
    counted = ", ".join(f"{count:,} {what}" for count, what in counts if count)
    head = f"{name} — {relation['relation']}: {plural(answer.total_count, 'place')} ({counted})"
    sentences.append(Sentence(head, (), "definition"))
    grouped: dict[tuple[str, str, float], list[Hit]] = {}
    for hit in answer.hits:
        grouped.setdefault((hit.path, hit.symbol, hit.score), []).append(hit)
    for (path, symbol, score), hits in grouped.items():
        sure = "" if score == 1.0 else " (possibly)" if score >= _POSSIBLE else " (names it)"
        places = tuple(Citation(path, hit.start_line, hit.text.strip()[:30]) for hit in hits)
        who = f"`{symbol}`" if symbol else f"`{path.rpartition('/')[2]}`"
        line = f"`{fit_width(hits[0].text.strip(), _SIGNATURE)}`"
        sentences.append(Sentence(f"{who}{sure}: {line}", places, "connection"))
    return sentences


_POSSIBLE = 0.5
_VERBS = {
    "calls": "calls",
    "constructs": "makes an object, which runs",
    "overridden": "stands for",
    "references": "refers to",
    "imports": "imports",
    "extends": "extends",
}


def flow_sentences(flow: dict[str, Any]) -> Iterator[Sentence]:
    """Yield sentences about the path that answers a flow question, such as "how does A reach B".

    The first sentence is about the whole path, each further one about a step. `flow` is `meta.flow`
    of the answer.
    """
    path = flow["paths"][0]
    yield Sentence(
        f"From `{flow['from']}` to `{flow['to']}` in {plural(len(path), 'step')}:", (), "definition"
    )
    for at, step in enumerate(path, 1):
        source, target = (_without_path(step[end]) for end in ("source", "target"))
        sure = "" if step["certainty"] == "resolved" else " (possibly)"
        verb = _VERBS.get(step["kind"], step["kind"])
        name = target.rpartition(".")[2].rpartition("/")[2]
        if step["kind"] == "constructs":
            name = target.rpartition(".")[0].rpartition(".")[2] or name
        place = Citation(step["path"], step["line"], name if step["kind"] != "imports" else "")
        yield Sentence(f"{at}. `{source}` {verb} `{target}`{sure}", (place,), "definition")


def _without_path(key: str) -> str:
    """Return the symbol in a key `PATH::SYMBOL`; return a key without `::` unchanged."""
    return key.partition("::")[2] or key

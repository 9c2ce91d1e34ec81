"""Check the vector segments: checksums, one row per chunk, codes of unit vectors."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from codeindex.embed.token_vectors import TokenStatistics
from codeindex.errors import DamagedError
from codeindex.ingest.sync.context import model_identity
from codeindex.ingest.sync.embedding import text_to_embed
from codeindex.maintenance.checks.context import REPAIR, CheckContext
from codeindex.store.catalog.connection import Segment
from codeindex.store.segments.checksums import verify_checksum
from codeindex.store.segments.vector_codes import are_codes
from codeindex.store.segments.vectors import Vectors, match_live, read_segment
from codeindex.types.verdicts import Verdict, note, ok, problem

_SAME = 0.999
"""Smallest cosine between vectors of the same text that were computed on different processors.
Coding as int8 takes .0001 of it."""
_EMBEDDED = 40
"""Number of chunks that a deep check embeds again, which takes two seconds."""


def check_dense(context: CheckContext) -> Iterator[Verdict]:
    """Check checksums, ids and codes of the dense vectors; if deep, embed some texts again."""
    wrong = [*_segment_problems(context, "dense")]
    yield from wrong
    if wrong or not context.generation.model:
        return
    vectors = context.vectors("dense")
    missing = int((~vectors.present).sum())
    if missing:
        text = f"{missing:,} of {len(context.live):,} chunks have no vector yet"
        yield note("dense", text, remedy="run `codeindex index`")
    if context.deep:
        yield from _embed_again(context, vectors)
    if missing < len(context.live):
        yield ok("dense", f"{len(context.live) - missing:,} vectors of {context.generation.model}")


def check_token(context: CheckContext) -> Iterator[Verdict]:
    """Check checksums, ids and codes of the token vectors, and the token statistics."""
    wrong = [*_segment_problems(context, "token")]
    name = context.generation.statistics.get("file")
    if name:
        try:
            statistics = TokenStatistics.load(context.repository.segments / name)
            finite = np.isfinite(statistics.idf).all() and np.isfinite(statistics.mean).all()
            wrong += [] if finite else [_broken("statistics", "Token statistics are no numbers.")]
        except DamagedError as error:
            wrong.append(_broken("statistics", str(error)))
    yield from wrong
    if name and not wrong:
        vectors = Vectors(
            context.repository.segments, context.generation.of_kind("token"), context.live
        )
        missing = int((~vectors.present).sum())
        if missing and context.generation.complete:
            yield _broken("token", f"{missing:,} chunks have no token vector.")
        yield ok("token", f"{len(context.live) - missing:,} token vectors")


def _segment_problems(context: CheckContext, kind: str) -> Iterator[Verdict]:
    folder = context.repository.segments
    for segment in context.generation.of_kind(kind):
        try:
            ids, codes = read_segment(folder, segment)
            verify_checksum(folder, segment)
        except DamagedError as error:
            yield _broken(kind, str(error), segment)
            continue
        alive, _ = match_live(context.live, ids)
        good = are_codes(codes)
        if kind == "token":  # texts of unknown tokens have zero vectors
            good |= ~codes.any(axis=1)
        if not good.all():
            yield _broken(kind, f"Vectors {segment.name} have rows of wrong codes", segment)
        elif len(np.unique(ids[alive])) != len(alive):
            yield _broken(kind, f"Vectors {segment.name} have two rows for one chunk", segment)


def _broken(kind: str, text: str, segment: Segment | None = None) -> Verdict:
    names = (segment.name,) if segment else ()
    return problem(kind, text.rstrip("."), remedy=REPAIR, names=names)


def _embed_again(context: CheckContext, vectors: Vectors) -> Iterator[Verdict]:
    """Embed some chunks again and compare the vectors with the stored ones.

    Nothing is compared if the stored ones were made by another model.
    """
    encoder, config = context.sync_context.encoder, context.sync_context.config
    if encoder is None or model_identity(encoder.model, config) != context.generation.model:
        yield note("embedded", "not checked: another model than the one in use computed them")
        return
    places = np.flatnonzero(vectors.present)
    chosen = places[:: max(1, len(places) // _EMBEDDED)].tolist()
    texts = [text_to_embed(context.catalog, int(context.live[at])) for at in chosen]
    again = encoder.embedder().stream(texts, max_tokens=config.embedding.max_tokens)
    far = sum(float(vectors.row(at) @ row) < _SAME for at, row in zip(chosen, again, strict=True))
    if far:
        text = f"{far} of {len(chosen)} vectors differ from what the model computes"
        names = tuple(segment.name for segment in context.generation.of_kind("dense"))
        yield problem("embedded", text, remedy=REPAIR, names=names)
    else:
        yield ok("embedded", f"{len(chosen)} chunks embedded again, with the same vectors")

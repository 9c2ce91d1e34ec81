"""How many files an index holds, for every answer to say."""

from __future__ import annotations

from collections import Counter

from codeindex.search.retrieve.corpus import Corpus
from codeindex.store.catalog.connection import Catalog
from codeindex.types import Coverage


def index_coverage(catalog: Catalog, corpus: Corpus) -> Coverage:
    """Count files by what became of them; those that names rule out count as skipped."""
    counts = Counter(corpus.statuses)
    (ruled_out,) = catalog.connection.execute("SELECT count(*) FROM skipped").fetchone()
    indexed = counts["indexed"] + counts["plain"]
    return Coverage(
        files=sum(counts.values()) + ruled_out,
        indexed=indexed,
        skipped=counts["skipped"] + ruled_out,
        failed=counts["failed"],
        refreshed=0,
    )

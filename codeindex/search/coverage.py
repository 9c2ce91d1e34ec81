"""Count the files that an index covers."""

from __future__ import annotations

from collections import Counter

from codeindex.search.retrieve.corpus import Corpus
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.index_counts import excluded_count
from codeindex.types import Coverage


def index_coverage(catalog: Catalog, corpus: Corpus) -> Coverage:
    """Count an index's files by status. Files that are excluded by their path count as skipped."""
    counts = Counter(corpus.statuses)
    excluded = excluded_count(catalog.connection)
    return Coverage(
        files=sum(counts.values()) + excluded,
        indexed=counts["indexed"] + counts["plain"],
        skipped=counts["skipped"] + excluded,
        failed=counts["failed"],
        refreshed=0,
    )

"""The survey stage: what is known of files only beside others, patterns and what documents name.

It looks at the files that were stored since the last survey, and at what depends on them.
"""

from __future__ import annotations

from codeindex.config import Config
from codeindex.ingest.sync.mentions import update_mentions
from codeindex.ingest.sync.patterns import update_patterns
from codeindex.store.catalog.connection import Catalog


def update_patterns_and_mentions(catalog: Catalog, config: Config) -> None:
    """Bring patterns and the edges of documents up to date with the files in the catalog."""
    with catalog.writing():
        update_patterns(catalog.connection, config)
        update_mentions(catalog)
        catalog.connection.execute("DELETE FROM gone")
        catalog.connection.execute("UPDATE files SET surveyed = 1 WHERE NOT surveyed")

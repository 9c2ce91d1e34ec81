"""What there is to say of an index that is served."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from codeindex.errors import NotIndexedError, StoreError
from codeindex.index import Index
from codeindex.types import SyncReport


@dataclass(frozen=True, slots=True)
class Work:
    """How far a phase of indexing is."""

    phase: str
    done: int
    total: int

    def __str__(self) -> str:
        return f"{self.phase} {self.done:,} of {self.total:,}"


def version_of(index: Index) -> int:
    """Return which state of an index is published, 0 if none can be read."""
    try:
        with index.reader().catalog() as (_, generation):
            return generation.version
    except (NotIndexedError, StoreError):
        return 0


def report_facts(report: SyncReport) -> dict[str, Any]:
    """Return what a sync did, in counts."""
    return {
        "repo": report.repo,
        "version": report.version,
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "failed": len(report.failed),
        "skipped": len(report.skipped),
        "seconds": round(report.seconds, 3),
        "notes": list(report.notes),
    }


def facts_of(index: Index, work: Work | None) -> dict[str, Any]:
    facts: dict[str, Any] = {"repo": index.repository.name, "root": str(index.root)}
    facts["doing"] = str(work) if work else None
    if not index.is_indexed:
        return facts | {"indexed": False}
    found = index.status()
    return facts | {
        "indexed": True,
        "version": found.version,
        "branch": found.branch,
        "files": found.files,
        "chunks": found.chunks,
        "symbols": found.symbols,
        "readiness": {"words": found.readiness.words, "vectors": found.readiness.vectors},
        "model": found.model or None,
        "languages": dict(found.languages),
    }

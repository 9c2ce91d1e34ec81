"""What there is to say of an index that is served."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, TypedDict

from codeindex.api.index import Index
from codeindex.types import Readiness, SyncReport
from codeindex.watch.state import PhaseProgress


class IndexStatusDict(TypedDict, total=False):
    """What is known of an index; of one that is not `indexed`, no more than the first four."""

    repo: str
    root: str
    doing: str | None
    indexed: bool
    version: int
    branch: str
    files: int
    chunks: int
    symbols: int
    readiness: Annotated[dict[str, Any], Readiness]
    model: str | None
    languages: dict[str, int]


def sync_counts(report: SyncReport) -> dict[str, Any]:
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


def describe_index(index: Index, work: PhaseProgress | None) -> IndexStatusDict:
    """Return what there is to say of an index; `work` is what is being done to it."""
    facts: IndexStatusDict = {
        "repo": index.repository.name,
        "root": str(index.root),
        "doing": str(work) if work else None,
        "indexed": index.is_indexed,
    }
    if not facts["indexed"]:
        return facts
    found = index.status()
    more: IndexStatusDict = {
        "version": found.version,
        "branch": found.branch,
        "files": found.files,
        "chunks": found.chunks,
        "symbols": found.symbols,
        "readiness": asdict(found.readiness),
        "model": found.model or None,
        "languages": dict(found.languages),
    }
    return {**facts, **more}

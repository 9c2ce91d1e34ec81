"""What there is to say of an index that is served."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any, TypedDict

from codeindex.errors import NotIndexedError, StoreError
from codeindex.index import Index
from codeindex.store.catalog import Generation
from codeindex.types import Readiness, SyncReport


class FactsDict(TypedDict, total=False):
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


@dataclass(frozen=True, slots=True)
class Work:
    """How far a phase of indexing is; `total` is 0 before it is known."""

    phase: str
    done: int
    total: int

    def __str__(self) -> str:
        return f"{self.phase} {self.done:,} of {self.total:,}" if self.total else self.phase


def version_of(index: Index) -> int:
    """Return which state of an index is published, 0 if none can be read."""
    return _published(index).version


def is_complete(index: Index) -> bool:
    """Tell whether the structure of everything is in an index; of one that cannot be read, no."""
    return _published(index).complete


def _published(index: Index) -> Generation:
    try:
        with index.reader().catalog() as (_, generation):
            return generation
    except (NotIndexedError, StoreError):
        return Generation()


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


def facts_of(index: Index, work: Work | None) -> FactsDict:
    """Return what there is to say of an index; `work` is what is being done to it."""
    facts: FactsDict = {
        "repo": index.repository.name,
        "root": str(index.root),
        "doing": str(work) if work else None,
        "indexed": index.is_indexed,
    }
    if not facts["indexed"]:
        return facts
    found = index.status()
    more: FactsDict = {
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

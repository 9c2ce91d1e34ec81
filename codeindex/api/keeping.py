"""Looking after the index: is it whole, can it be mended, and away with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.api.asking import QUIET, Asking, Progress
from codeindex.errors import NotIndexedError

if TYPE_CHECKING:
    from codeindex.ingest.sync.context import SyncContext
    from codeindex.maintenance.deletion import IndexPart
    from codeindex.maintenance.repair import RepairResult
    from codeindex.maintenance.verify import Verification
    from codeindex.store.datadir.home import Repository
    from codeindex.types import SyncReport


class Keeping(Asking):
    """Looking after the index: is it whole, can it be mended, and away with it."""

    repository: Repository

    def sync(
        self,
        *,
        structure_only: bool = False,
        wait_seconds: float = 0.0,
        progress: Progress = QUIET,
    ) -> SyncReport:
        """Index what changed; `Index` does."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of everything; `Index` does."""
        raise NotImplementedError

    def _own_site(self) -> SyncContext:
        """Return what a sync works on and with, the index's model among it; `Index` does."""
        raise NotImplementedError

    def verify(self, *, deep: bool = False) -> Verification:
        """Compare every store with the files and the others; nothing is changed.

        `deep` looks at everything, reads every file again and embeds some chunks anew.
        NotIndexedError without an index, LockedError while a sync changes it under our eyes.
        """
        from codeindex.maintenance.verify import verify

        return verify(self._indexed_site(), deep=deep)

    def repair(self, *, deep: bool = False, progress: Progress = QUIET) -> RepairResult:
        """Make again what `verify` finds broken; what is sound is not embedded anew.

        LockedError while another process writes.
        """
        from codeindex.maintenance.repair import RepairResult, forget_damage
        from codeindex.maintenance.verify import verify

        site = self._indexed_site()
        found = verify(site, deep=deep)
        if not found.problems:
            return RepairResult((), 0, None, ())
        saved = forget_damage(site, found)
        report = self.sync(progress=progress)
        return RepairResult(found.problems, saved, report, verify(self._indexed_site()).problems)

    def parts(self) -> tuple[IndexPart, ...]:
        """Return what the index is made of on the disk, the largest first."""
        from codeindex.maintenance.deletion import index_parts

        return index_parts(self.repository)

    def clear(self) -> int:
        """Delete the index and return its bytes; the work tree is not touched.

        LockedError while another process writes.
        """
        from codeindex.maintenance.deletion import delete_index

        merkle = self._own_site().merkle
        try:
            return delete_index(self.repository, merkle)
        finally:
            self.close()

    def _indexed_site(self) -> SyncContext:
        if not self.repository.catalog.exists():
            with self.reader().catalog():  # NotIndexedError says what to do
                raise NotIndexedError(f"'{self.root}' is not indexed.")
        return self._own_site()

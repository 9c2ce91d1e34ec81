"""`codeindex watch`."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from codeindex.cli.draft_options import drafts_of, wiki_options
from codeindex.cli.output import print_line, print_note
from codeindex.errors import CodeIndexError, RootError

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.types import SyncReport

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}
_LEAST, _MOST = 0.1, 86_400  # as `watch.interval` is bounded
_WAKE_SECONDS = 1.0  # Windows hears Ctrl-C between two waits only


def _seconds(_ctx: click.Context, _option: click.Parameter, text: str | None) -> float:
    """Read a time as people write it: 60, 60s, 1.5m; 0 for none."""
    if text is None:
        return 0.0
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text)
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if not _LEAST <= seconds <= _MOST:
        raise click.BadParameter(f"{text!r} is no time from {_LEAST} s to a day: write 60s or 5m.")
    return seconds


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--repos", metavar="NAME,…", default="", help="Indexed repositories, by their names.")
@click.option(
    "--interval", metavar="TIME", callback=_seconds, help="Look every so often, not by events."
)
@click.option(
    "--debounce-ms", type=click.IntRange(0, 60_000), help="Quiet that ends a burst of changes."
)
@wiki_options
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each sync.")
def watch(  # noqa: PLR0913 (its options)
    paths: tuple[str, ...],
    *,
    repos: str,
    interval: float,
    debounce_ms: int | None,
    wiki_auto_update: bool,
    wiki_exec: str | None,
    wiki_debounce_ms: int | None,
    as_json: bool,
) -> None:
    """Keep the indexes of PATHS up to date until Ctrl-C, this folder's if none is named.

    A change is searchable by words about half a second after it was saved; vectors follow when it
    is quiet. An INDEX.md that codeindex has made is kept up to date too.
    """
    drafts = drafts_of(auto=wiki_auto_update, command=wiki_exec, debounce_ms=wiki_debounce_ms)
    from codeindex.watch.background_sync import BackgroundSync
    from codeindex.watch.intervals import WatchIntervals
    from codeindex.watch.post_sync_tasks import PostSyncTasks
    from codeindex.watch.watcher import Watcher

    teller = _Json() if as_json else _Lines()
    chores = PostSyncTasks(drafts, notify=teller.note)
    background = BackgroundSync(teller.done, after=chores.run)
    watcher = Watcher(background, WatchIntervals(debounce_ms, interval), notify=teller.note)
    indexes = list(_indexes(paths, repos))
    try:
        for index in indexes:
            watcher.add(index)
        while background.is_alive:
            threading.Event().wait(_WAKE_SECONDS)
        raise click.exceptions.Exit(CodeIndexError.exit_code)  # its fault was printed
    finally:
        watcher.close()
        chores.close()
        if background.close():
            for index in indexes:
                index.close()


def _indexes(paths: tuple[str, ...], repos: str) -> Iterator[Index]:
    """Open each repository once, whatever names it goes by."""
    from codeindex.api.index import Index
    from codeindex.config import data_home
    from codeindex.store.datadir.home import repository_by_name
    from codeindex.store.datadir.roots import locate_root, refuse_too_wide_root

    names = [one.strip() for one in repos.split(",") if one.strip()]
    named = [repository_by_name(data_home(), one).root for one in names]
    roots = [locate_root(one).root for one in paths or (() if named else (".",))]
    for root in dict.fromkeys([*named, *roots]):
        refuse_too_wide_root(root)
        yield Index.open(root, root=True)


class _Lines:
    """Tells a person, on standard error, what was done."""

    def note(self, index: Index, sentence: str) -> None:
        now = time.strftime("%H:%M:%S")
        print_note(f"{now} {index.repository.name}: {sentence}")

    def done(self, index: Index, what: SyncReport | CodeIndexError) -> None:
        if said := _sentence(what):
            self.note(index, said)


class _Json:
    """Tells a program, on standard output, a line for each sync and each sentence."""

    def note(self, index: Index, sentence: str) -> None:
        self._write({"event": "note", "repo": index.repository.name, "message": sentence})

    def done(self, index: Index, what: SyncReport | CodeIndexError) -> None:
        from codeindex.types import SyncReport

        said = _sentence(what)
        if said and not isinstance(what, SyncReport):
            self.note(index, said)
        elif said and isinstance(what, SyncReport):
            counts = ("added", "changed", "removed", "embedded", "version")
            done = {name: getattr(what, name) for name in counts}
            more = {"failed": len(what.failed), "seconds": round(what.seconds, 3)}
            self._write({"event": "sync", "repo": what.repo, **done, **more})

    def _write(self, fields: dict[str, Any]) -> None:
        print_line(json.dumps(fields | {"at": round(time.time(), 3)}))


def _sentence(what: SyncReport | CodeIndexError) -> str:
    """Say in one line what a sync did; '' for nothing."""
    from codeindex.types import SyncReport

    if isinstance(what, RootError):
        return ""  # the watcher says so, once
    if not isinstance(what, SyncReport):
        return str(what)
    counts = ((what.added, "added"), (what.changed, "changed"), (what.removed, "removed"))
    parts = [f"{count:,} {word}" for count, word in counts if count]
    parts += [f"{what.embedded:,} chunks embedded"] if what.embedded else []
    return f"{', '.join(parts)} in {what.seconds:.2f} s" if parts else ""

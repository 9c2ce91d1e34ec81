"""Keep indexes up to date while files change: `codeindex watch`."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

import codeindex
from codeindex.cli.draft_options import draft_options, parse_draft_options
from codeindex.cli.options import json_option
from codeindex.cli.output import print_line, print_note
from codeindex.cli.sync_output import changed_counts
from codeindex.config import data_home
from codeindex.errors import CodeIndexError, RootError
from codeindex.store.datadir.home import repository_by_name
from codeindex.store.datadir.roots import locate_root, refuse_too_wide_root
from codeindex.types import SyncReport
from codeindex.types.report import plural
from codeindex.watch.options import WatchOptions

if TYPE_CHECKING:
    from codeindex.api.index import Index

_SECONDS_BY_UNIT = {"": 1, "s": 1, "m": 60, "h": 3600}
_MIN_SECONDS, _MAX_SECONDS = 0.1, 86_400  # the bounds of the setting `watch.interval`
_WAKE_SECONDS = 1.0  # on Windows, Ctrl-C has no effect during a wait


def _parse_interval(_ctx: click.Context, _option: click.Parameter, text: str | None) -> float:
    """Parse a time such as 60, 60s or 1.5m; return it in seconds, 0 for None."""
    if text is None:
        return 0.0
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text)
    seconds = float(match[1]) * _SECONDS_BY_UNIT[match[2]] if match else 0.0
    if not _MIN_SECONDS <= seconds <= _MAX_SECONDS:
        raise click.BadParameter(
            f"{text!r} is not a time from {_MIN_SECONDS} s to a day: write 60s or 5m."
        )
    return seconds


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--repos", metavar="NAME,…", default="", help="Names of indexed repositories.")
@click.option(
    "--interval", metavar="TIME", callback=_parse_interval, help="Poll instead of using events."
)
@click.option(
    "--debounce-ms", type=click.IntRange(0, 60_000), help="Quiet time that ends a burst of changes."
)
@draft_options
@json_option
def watch_command(
    paths: tuple[str, ...],
    *,
    repos: str,
    interval: float,
    debounce_ms: int | None,
    as_json: bool,
    **draft_arguments: Any,
) -> None:
    """Keep the indexes of PATHS, or of the current folder, up to date until Ctrl-C.

    A change can be found by its words about half a second after it was saved; vectors follow after
    a quiet time. An existing generated INDEX.md is kept up to date too.
    """
    drafts = parse_draft_options(
        auto=draft_arguments["wiki_auto_update"],
        command=draft_arguments["wiki_exec"],
        debounce_ms=draft_arguments["wiki_debounce_ms"],
    )
    # These modules import the whole library.
    from codeindex.logs import INDEXER, enable_log_file
    from codeindex.watch.background_sync import BackgroundSync
    from codeindex.watch.post_sync_tasks import PostSyncTasks
    from codeindex.watch.watcher import Watcher

    enable_log_file(INDEXER)
    reporter = _Reporter(as_json=as_json)
    tasks = PostSyncTasks(drafts, notify=reporter.print_message)
    background = BackgroundSync(reporter.print_result, after=tasks.run)
    watch_options = WatchOptions(debounce_ms, interval)
    watcher = Watcher(background, watch_options, notify=reporter.print_message)
    indexes = list(_open_indexes(paths, repos))
    try:
        for index in indexes:
            watcher.add(index)
        while not reporter.failed.wait(_WAKE_SECONDS):
            pass
        raise reporter.error
    finally:
        watcher.close()
        tasks.close()
        if background.close():
            for index in indexes:
                index.close()


def _open_indexes(paths: tuple[str, ...], repos: str) -> Iterator[Index]:
    """Open the indexes of the roots that `repos` and `paths` name, and yield each once.

    `repos` are names of repositories, separated by commas. Without both, the root is that of the
    current folder.
    """
    names = [name.strip() for name in repos.split(",") if name.strip()]
    named_roots = [repository_by_name(data_home(), name).root for name in names]
    roots = [locate_root(path).root for path in paths or (() if named_roots else (".",))]
    for root in dict.fromkeys([*named_roots, *roots]):
        refuse_too_wide_root(root)
        yield codeindex.Index.open(root, root=True)


class _Reporter:
    """Prints messages and results of syncs for the threads that watch and sync.

    They are lines for people on standard error, or with `as_json` lines of JSON on standard output.
    If a line cannot be printed, because nobody reads the output any more, `failed` is set and
    `error` has the reason.
    """

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self.failed = threading.Event()
        self.error = OSError()

    def print_message(self, index: Index, message: str) -> None:
        name = index.repository.name
        if self._as_json:
            self._print_fields({"event": "note", "repo": name, "message": message})
        else:
            self._print(print_note, f"{time.strftime('%H:%M:%S')} {name}: {message}")

    def print_result(self, index: Index, result: SyncReport | CodeIndexError) -> None:
        """Print the result of a sync, unless nothing has changed."""
        message = _format_result(result)
        if message and self._as_json and isinstance(result, SyncReport):
            names = ("added", "changed", "removed", "embedded", "version")
            counts = {name: getattr(result, name) for name in names}
            more = {"failed": len(result.failed), "seconds": round(result.seconds, 3)}
            self._print_fields({"event": "sync", "repo": result.repo, **counts, **more})
        elif message:
            self.print_message(index, message)

    def _print_fields(self, fields: dict[str, Any]) -> None:
        self._print(print_line, json.dumps(fields | {"at": round(time.time(), 3)}))

    def _print(self, write: Callable[[str], None], line: str) -> None:
        try:
            write(line)
        except OSError as error:
            self.error = error
            self.failed.set()


def _format_result(result: SyncReport | CodeIndexError) -> str:
    """Return a line about the result of a sync; '' if nothing has changed."""
    if isinstance(result, RootError):
        return ""  # the watcher prints it once
    if not isinstance(result, SyncReport):
        return str(result)
    parts = changed_counts(result)
    if result.embedded:
        parts.append(f"{plural(result.embedded, 'chunk')} embedded")
    return f"{', '.join(parts)} in {result.seconds:.2f} s" if parts else ""

"""Index a repository for its first question, and answer as soon as that can be done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import codeindex
from codeindex.cli.output import print_note
from codeindex.cli.progress import ProgressBar
from codeindex.cli.search_options import SearchOptions
from codeindex.cli.sync_output import WAIT_SECONDS, summarize_sync, sync_with_progress
from codeindex.errors import CodeIndexError

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.types import Answer, Filters, Hit

_COMPARED = 3
"""First results by which the answer of the likeliest files is compared with that of all files."""


@dataclass(frozen=True, slots=True)
class LikelySearch:
    """A ranked search that the likeliest files may answer before all files are indexed."""

    question: str
    filters: Filters
    ask: Callable[[Index], Answer]
    show: Callable[[Answer], bool]
    """Prints an answer, and returns whether anything was found."""


def prepare_index(index: Index, options: SearchOptions) -> None:
    """Sync if the first sync has not ended yet, or if `--sync` is given.

    Print notes about options without effect.
    """
    _prepare(index, options, is_due=_is_first_sync_due(index))


def _prepare(index: Index, options: SearchOptions, *, is_due: bool) -> None:
    if options.hidden:
        print_note("--hidden: hidden files that git tracks are in the index anyway")
    if options.no_ignore:
        print_note("--no-ignore: ignored files are not indexed; `include_override` takes them in")
    if not (is_due or options.sync):
        return
    if is_due:
        print_note(_first_sync_note(index))
    print_note(summarize_sync(sync_with_progress(index, structure_only=not options.sync)))


def answer_when_ready(
    index: Index,
    options: SearchOptions,
    answer: Callable[[Index], bool],
    *,
    related: bool,
    likely: LikelySearch | None = None,
) -> bool:
    """Call `answer` as soon as the index is ready, and return its result.

    `answer` searches, prints what it finds, and returns whether it found anything. With `related`,
    it needs the edges between files. Otherwise it is called in the middle of a first sync, as soon
    as all files are stored. The search `likely` runs earlier, when only the likeliest files are
    stored; its results are printed if they are good.
    """
    is_due = _is_first_sync_due(index)
    if related or options.sync or not is_due:
        _prepare(index, options, is_due=is_due)
        return answer(index)
    print_note(_first_sync_note(index))
    with ProgressBar() as bar:
        once = _AnswerDuringSync(bar, index, answer, likely)
        report = index.sync(
            wait_seconds=WAIT_SECONDS,
            progress=once,
            structure_only=True,
            next_question=lambda: likely.question if likely else "",
            filters=likely.filters if likely else None,
        )
    print_note(summarize_sync(report))
    return once.result()


class _AnswerDuringSync:
    """A progress callback of a sync that prints one answer before the sync has ended.

    When the likeliest files are stored, the callback runs `likely`. If that finds no good answer,
    the callback runs `answer` before the sync resolves edges.
    """

    def __init__(
        self,
        bar: ProgressBar,
        index: Index,
        answer: Callable[[Index], bool],
        likely: LikelySearch | None,
    ) -> None:
        self._bar, self._index, self._answer, self._likely = bar, index, answer, likely
        self._answered: Future[bool] = Future()
        self._shown: Answer | None = None
        """The answer of the likeliest files, if it was printed."""

    def __call__(self, phase: str, done: int, total: int) -> None:
        if phase == "structure" and done == 1 and self._likely:
            import codeindex.api.search  # noqa: F401 (this process waits for the others now)
        if phase == "first":
            self._bar.clear()
            self._answer_likely(total)
            return
        if phase == "graph" and not self._answered.done():
            self._bar.clear()
            self._set_result(self._answer_early)
        self._bar(phase, done, total)

    def result(self) -> bool:
        """Return the result of the printed answer, or raise its error.

        If nothing was printed yet, because the sync had no edges to resolve, call `answer` now.
        """
        if not self._answered.done():
            self._set_result(lambda: self._answer(self._index))
        elif self._likely and self._shown:
            _note_differences(self._shown, self._likely.ask(self._index))
        return self._answered.result()

    def _answer_likely(self, total: int) -> None:
        """Print the answer from the likeliest files if it is probably right.

        `total` is the number of all files; a note on the answer says that the rest is not searched.
        """
        if not self._likely:
            return
        with suppress(CodeIndexError), _opened_as_stored(self._index) as index:
            answer = self._likely.ask(index)
            if answer.hits and answer.confidence in {"strong", "likely"}:
                self._shown = replace(answer, meta={**answer.meta, "likely_of": total})
                self._set_result(partial(self._likely.show, self._shown))

    def _answer_early(self) -> bool:
        with _opened_as_stored(self._index) as index:
            return self._answer(index)

    def _set_result(self, answer: Callable[[], bool]) -> None:
        try:
            found = answer()
            sys.stdout.flush()
        except Exception as error:  # noqa: BLE001 (raised again by `result`, when the sync is done)
            self._answered.set_exception(error)
        else:
            self._answered.set_result(found)


@contextmanager
def _opened_as_stored(index: Index) -> Iterator[Index]:
    """Open an index that is not compared with the files on disk: a sync has just read them."""
    flags = {"search.fresh": False}
    with codeindex.Index.open(index.root, root=True, flags=flags) as stored:
        yield stored


def _note_differences(shown: Answer, complete: Answer) -> None:
    """Print how the first results of the complete index differ from those that were shown."""
    first = _places(complete.hits)
    if first == _places(shown.hits):
        print_note("with all files indexed, the first results are the same")
    elif first:
        print_note(f"with all files indexed, the first results are {', '.join(first)}")


def _places(hits: Iterable[Hit]) -> list[str]:
    return [f"{hit.path}:{hit.line or hit.start_line}" for hit in list(hits)[:_COMPARED]]


def _is_first_sync_due(index: Index) -> bool:
    if not index.repository.catalog.exists():
        return True
    from codeindex.watch.state import is_first_sync_due  # opens an index: not for --help

    return is_first_sync_due(index)


def _first_sync_note(index: Index) -> str:
    name = index.repository.name
    if index.repository.catalog.exists():
        return f"the first sync of {name} was interrupted; it goes on"
    return f"{name} is not indexed yet; indexing its structure first"

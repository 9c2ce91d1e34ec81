"""Have a first sync store the files first that questions need, while it is running."""

from __future__ import annotations

import time
from collections.abc import Sequence

from codeindex.ingest.sync.context import WaitingQuestions
from codeindex.ingest.workers.file_queue import FileQueue
from codeindex.types import MIN_REORDERED_FILES, PreparedFile, SourceFile

_MOST_SECONDS = 5.0
"""Seconds after which `_ENOUGH_FILES` of the files for a question are enough to answer it."""
_ENOUGH_FILES = 20
"""Of 240 questions about 20 repositories, .946 have the file of the first result of all files among
the 20 likeliest, .892 among ten, .979 among sixty."""


class FirstFiles:
    """Moves the files that are likeliest to answer a waiting question to the front of a queue.

    Questions are taken one at a time. `files` are all files of the first sync, `queue` those that
    no worker has taken yet.
    """

    def __init__(
        self, questions: WaitingQuestions, files: Sequence[SourceFile], queue: FileQueue
    ) -> None:
        self._questions, self._files, self._queue = questions, files, queue
        self._prepared: set[str] = set()
        self._answered: set[str] = set()
        self._question = ""
        self._missing: set[str] = set()
        """Paths of the files for the question that are not prepared yet."""
        self._most_missing = 0
        """After `_until`, the question is answered when at most this many of these are missing."""
        self._until = 0.0
        """Time of `time.monotonic()` until which the question waits for all of these files."""

    @property
    def is_waiting(self) -> bool:
        """Whether a question waits for its files."""
        return bool(self._question)

    def choose(self) -> None:
        """If no question waits for its files, take the next one and move its files to the front.

        A question is taken once, and only while `MIN_REORDERED_FILES` or more files wait.
        """
        if self._question or len(self._queue) < MIN_REORDERED_FILES:
            return
        question = self._questions.next_question()
        if not question or question in self._answered:
            return
        chosen = self._questions.choose(self._files, question)
        self._queue.move_to_front(chosen)
        self._question = question
        self._missing = {file.path for file in chosen} - self._prepared
        self._most_missing = max(len(chosen) - _ENOUGH_FILES, 0)
        self._until = time.monotonic() + _MOST_SECONDS

    def is_last(self, file: PreparedFile) -> bool:
        """Note that a file is prepared; tell whether a question can be answered with it.

        This is so if all files for the question are prepared, or enough of them after some seconds.
        """
        self._prepared.add(file.path)
        self._missing.discard(file.path)
        self.choose()
        is_late = self._question and time.monotonic() > self._until
        if is_late and len(self._missing) <= self._most_missing:
            self._missing.clear()
        return self.is_waiting and not self._missing

    def finish_question(self) -> bool:
        """Tell whether the waiting question can be answered; then `choose` takes the next one.

        Call it when all prepared files are stored.
        """
        if not self.is_waiting or self._missing:
            return False
        self._answered.add(self._question)
        self._question = ""
        return True

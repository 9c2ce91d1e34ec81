"""Keep the questions that the first sync of an index can answer before all files are stored."""

from __future__ import annotations

import threading
from collections import defaultdict

_MOST_WAITING = 16
"""Most questions of one index that wait; an agent sends a few at a time."""


class FirstQuestions:
    """Questions to indexes whose first sync is running; thread-safe.

    A sync takes one question at a time, and stores the files next that are likeliest to answer it.
    Indexes are told apart by the names of their repositories.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: defaultdict[str, list[str]] = defaultdict(list)
        self._stored: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, name: str, question: str) -> bool:
        """Add a question to those that wait for the first sync of an index, unless it is known.

        Return False if it is blank, or if too many wait already.
        """
        with self._lock:
            waiting = self._waiting[name]
            if question in waiting or question in self._stored[name]:
                return True
            is_taken = bool(question.strip()) and len(waiting) < _MOST_WAITING
            if is_taken:
                waiting.append(question)
            return is_taken

    def next_of(self, name: str) -> str:
        """Return the question that has waited longest; "" if none waits."""
        with self._lock:
            return next(iter(self._waiting[name]), "")

    def mark_next_stored(self, name: str) -> None:
        """Record that the files for the question that `next_of` returns can be searched."""
        with self._lock:
            if self._waiting[name]:
                self._stored[name].add(self._waiting[name].pop(0))

    def are_stored(self, name: str, question: str) -> bool:
        """Tell whether the files likeliest to answer a question can be searched."""
        with self._lock:
            return question in self._stored[name]

    def has_stored(self, name: str) -> bool:
        """Tell whether files of an index were stored because they are likely to answer."""
        with self._lock:
            return bool(self._stored[name])

    def forget(self, name: str) -> None:
        """Forget the questions to an index, because all of its files can be searched."""
        with self._lock:
            self._waiting.pop(name, None)
            self._stored.pop(name, None)

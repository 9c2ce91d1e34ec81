"""Build the search index of an exported site: its chunks, and for each word the chunks with it.

The browser loads the words with the same first two characters as one file, and searches with them
(`site/server.js`, with the scores that are described at `_weights`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from codeindex.store.catalog.chunks import ExportedChunk, ExportedFile
from codeindex.text.words import stemmed_words, stop_stems

_IN_NAME, _IN_PATH = 30, 10
"""Weights, in tenths, of a word in a symbol or heading, and of a word in the path; a word in the
text has up to 10. They order results as the ranking of the index does: name, path, then text."""
_KEY_LENGTH = 2
"""Number of first characters by which words are grouped into files: 1,300 files for 5,000 files of
code."""


@dataclass(slots=True)
class SearchData:
    """The search index of an exported site.

    It has the files, their chunks (`places`), and for each word the chunks that contain it.
    """

    files: list[list[Any]] = field(default_factory=list)
    """[path, language, module, lines, is_test] of each file."""
    places: list[list[Any]] = field(default_factory=list)
    """[file, start line, end line, line, kind, symbol, heading] of each chunk."""
    _postings: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """{word: [place, weight, place, weight, ...]}; a place is an index into `places`."""

    def add(self, file: ExportedFile) -> None:
        number = len(self.files)
        self.files.append([file.path, file.language, file.module, file.lines, bool(file.is_test)])
        path_words = frozenset(stemmed_words(file.path))
        for chunk in file.chunks:
            place = len(self.places)
            self.places.append(
                [
                    number,
                    chunk.start_line,
                    chunk.end_line,
                    chunk.line or chunk.start_line,
                    chunk.kind,
                    chunk.symbol,
                    chunk.heading,
                ]
            )
            for word, weight in _weights(chunk, path_words).items():
                self._postings[word] += (place, weight)

    def word_files(self) -> Iterator[tuple[str, dict[str, list[int]]]]:
        """Yield (key, {word: postings}) for each file of words to write.

        A file has the words that begin with the same two characters; the key is their code points
        in hexadecimal, such as `63-61` for "ca". Postings are [place, weight, place, weight, ...].
        """
        groups: dict[str, dict[str, list[int]]] = defaultdict(dict)
        for word in sorted(self._postings):
            groups[word[:_KEY_LENGTH]][word] = self._postings[word]
        for start, postings in groups.items():
            yield "-".join(f"{ord(character):x}" for character in start), postings

    def index(self, repo: str) -> dict[str, Any]:
        """Return the JSON object that a browser loads first: files, chunks and stop words.

        `repo` is the name of the repository.
        """
        return {
            "repo": repo,
            "files": self.files,
            "places": self.places,
            "stop": sorted(stop_stems()),
        }


def _weights(chunk: ExportedChunk, path_words: frozenset[str]) -> dict[str, int]:
    """Return {word: weight in tenths} of a chunk.

    Each further use of a word in the text adds less; words of the path and the name weigh more.
    """
    uses = Counter(stemmed_words(chunk.text))
    weights = {word: math.ceil(10 * count / (count + 1)) for word, count in uses.items()}
    for words, weight in (
        (path_words, _IN_PATH),
        (stemmed_words(f"{chunk.symbol} {chunk.heading}"), _IN_NAME),
    ):
        for word in words:
            weights[word] = weights.get(word, 0) + weight
    return weights

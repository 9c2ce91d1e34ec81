"""Find the files that answer a question for files of the project, such as its licence."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from codeindex.query.project_files import ProjectFiles
from codeindex.search.names.boosts import SPOKEN_NAME_BOOST, NameMatch
from codeindex.search.retrieve.corpus import Corpus, is_example
from codeindex.search.retrieve.scores import NamedDefinition
from codeindex.search.retrieve.term_matches import MAX_VERIFIED_CHUNKS, ChunkTextReader
from codeindex.text.words import stemmed_words
from codeindex.types.array_types import Floats

_MENTION = 0.7
_DEFINITION = 0.9
_DEPTH = 0.1
_MINOR = re.compile(
    r"(?:3party|third[-_]?party|ignore|_?todo|baseline|drafter|[-_.]lock)(?:\.\w+)*$"
)
_MINOR_FIT = 0.8
"""A file with a right name fits with 1, so do a manifest with a section and a document with a
heading. A manifest or guide that only contains the word fits with `_MENTION`, a file that defines
the function `main` with `_DEFINITION`. `_MINOR_FIT` is the factor for a name such as
`.eslintignore`, which answers less well than `.eslintrc`. The result is divided by 1 and `_DEPTH`
for each folder of the path, so that root files come first. Of 942 questions about 29 repositories,
.903 have the right file first; with .5 for a mention, or twice the depth, .90."""


def grade_project_files(
    corpus: Corpus,
    wanted: ProjectFiles,
    definitions: Iterable[NamedDefinition],
    read_texts: ChunkTextReader,
) -> Floats | None:
    """Return how well each file of the corpus fits, 0 to 1; None if no file does.

    A test or an example fits only if no other file does. `definitions` are found by name, among
    them those of `wanted.symbol`.
    """
    defining = (
        corpus.file_positions[definition.file_id]
        for definition in definitions
        if wanted.symbol and definition.symbol == wanted.symbol
    )
    fit = {
        **_fit_by_text(corpus, wanted, read_texts),
        **dict.fromkeys(defining, _DEFINITION),
        **dict.fromkeys(
            (at for at, path in enumerate(corpus.paths) if wanted.named.fullmatch(path)), 1.0
        ),
    }
    grades = np.zeros(len(corpus.paths), dtype=np.float32)
    for at, grade in fit.items():
        path = corpus.paths[at]
        minor = _MINOR_FIT if _MINOR.search(path) else 1.0
        grades[at] = grade * minor / (1 + _DEPTH * path.count("/"))
    grades *= corpus.is_indexed
    own = grades * ~corpus.is_test
    own[[at for at in fit if is_example(corpus.paths[at])]] = 0.0
    grades = own if own.any() else grades
    return grades if grades.any() else None


def project_file_matches(
    corpus: Corpus, wanted: ProjectFiles | None, grades: Floats | None
) -> tuple[NameMatch, ...]:
    """Return a match at the first line of each file that fits best, if the beginning answers.

    Return () for questions that other parts of a file answer (`ProjectFiles.is_whole`). `grades`
    are those of `grade_project_files`.
    """
    if wanted is None or not wanted.is_whole or grades is None:
        return ()
    best = np.flatnonzero(grades == grades.max()).tolist()
    reason = "for a file of this name"
    return tuple(NameMatch(int(corpus.file_ids[at]), 1, SPOKEN_NAME_BOOST, reason) for at in best)


def _fit_by_text(
    corpus: Corpus, wanted: ProjectFiles, read_texts: ChunkTextReader
) -> dict[int, float]:
    """Return {position: how well it fits} of manifests, guides and documents with the word."""
    chunks: dict[int, int] = {}
    patterns: dict[int, re.Pattern[str]] = {}
    fit: dict[int, float] = {}
    for word in stemmed_words(wanted.word):
        positions = corpus.words.occurrences(word).positions
        files = corpus.chunk_file[positions]
        for file in np.unique(files).tolist():
            path = corpus.paths[file]
            if wanted.manifests.fullmatch(path):
                fit[file], patterns[file] = _MENTION, wanted.section
                continue
            if wanted.guides.fullmatch(path):
                fit[file] = _MENTION
            if wanted.documents.fullmatch(path):
                patterns[file] = wanted.heading
        found = zip(positions.tolist(), files.tolist(), strict=True)
        chunks |= {at: file for at, file in found if file in patterns}
    for at, text in read_texts(list(chunks)[:MAX_VERIFIED_CHUNKS]):
        if patterns[chunks[at]].search(text):
            fit[chunks[at]] = 1.0
    return fit

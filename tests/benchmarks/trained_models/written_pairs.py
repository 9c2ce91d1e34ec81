"""Pair written questions with their functions: `written_pairs.py MIRRORS OUT.npz [--rows two]`.

`questions.tsv.xz` has texts for 14,487 functions of 264 of the repositories that `mine_pairs.py`
learns from: a question or request and key words, and for 6,572 of them a text in other words than
the code's. A language model that saw the function wrote them, as somebody would ask who is new to
the repository; they are the only texts of training that a model wrote. With `--rows two`, only
functions with two texts are taken, from which revision 2 of the encoder has learned. MIRRORS holds
git directories, `<owner>+<name>/repo`. OUT.npz has the arrays that `pack_pairs.py` writes for
training, without `answer` and `sum`. Run it with `PYTHONPATH=tests/benchmarks`.
"""

from __future__ import annotations

import argparse
import csv
import io
import lzma
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from mine_pairs import Definition, definitions, sources, tokens_of, tree_entries
from mined_pairs import Ids
from pack_pairs import packed

_QUESTIONS = Path(__file__).parent / "questions.tsv.xz"
_TEXTS = ("question", "key words", "other words")


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A function by path and line of its name, and the two or three texts that ask for it."""

    path: str
    line: int
    texts: tuple[str, ...]


def by_repository() -> dict[str, list[WrittenQuestion]]:
    """Return the questions of each repository (owner/name), in the order of path and line."""
    found: dict[str, list[WrittenQuestion]] = defaultdict(list)
    rows = io.StringIO(lzma.decompress(_QUESTIONS.read_bytes()).decode())
    for row in csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE):
        texts = tuple(row[name] for name in _TEXTS if row[name])
        found[row["repository"]].append(WrittenQuestion(row["path"], int(row["line"]), texts))
    return found


def answered(
    repository: Path, questions: Sequence[WrittenQuestion]
) -> Iterator[tuple[WrittenQuestion, Definition]]:
    """Yield each question with its function; one whose function is gone is left out."""
    paths = {one.path for one in questions}
    entries = [(sha, path) for sha, path in tree_entries(repository) if path in paths]
    known = {
        (one.path, one.first): one
        for source in sources(repository, entries)
        for one in definitions(source, 0)
    }
    for one in questions:
        if (one.path, one.line) in known:
            yield one, known[one.path, one.line]


def pairs(mirrors: Path, most_texts: int) -> dict[str, np.ndarray]:
    """Return the arrays; `code` has the row of each text's code, `repository` its row in `names`.

    Functions with more texts than `most_texts` are left out.
    """
    codes: list[Ids] = []
    texts: list[Ids] = []
    code: list[int] = []
    repository: list[int] = []
    found = sorted(by_repository().items())
    for number, (name, questions) in enumerate(found):
        folder = mirrors / name.replace("/", "+") / "repo"
        taken = [one for one in questions if len(one.texts) <= most_texts]
        for one, definition in answered(folder, taken) if folder.is_dir() else ():
            ids = [np.array(tokens_of(text), np.uint16) for text in one.texts]
            texts += ids
            code += [len(codes)] * len(ids)
            repository += [number] * len(ids)
            codes.append(np.array(definition.full, np.uint16))
    names = np.array([name.replace("/", "+") for name, _ in found])
    numbers = {"code": np.array(code), "repository": np.array(repository), "names": names}
    return numbers | packed("text", texts) | packed("code", codes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rows", choices=("two", "all"), default="all")
    args = parser.parse_args()
    found: dict[str, Any] = pairs(args.mirrors, 2 if args.rows == "two" else len(_TEXTS))
    np.savez(args.out, **found)
    print(f"{len(found['code']):,} texts, {len(found['code_lengths']):,} functions")


if __name__ == "__main__":
    main()

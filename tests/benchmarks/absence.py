"""How often a search answers what is not there, or denies what is: `absence.py REPO... [--show N]`.

**Absurd** questions are 100 lines of `golden/absurd.txt`, topics of other trades, of which the
first word, the subject, stands nowhere in the repository, in any case, not even inside of others
(`git grep -i`); their other words may. **Real** questions are the repository's own: first sentences
of its docstrings, and subjects of its commits of which half of the words stand in a file that they
changed, 50 of each (more of one where the other has less). They are paraphrased by recipe: what is
quoted, code or a name is left out, words that have one get a synonym from the table below, every
fourth telling word is dropped, and a question word is put before one in two. Both samples are drawn
with seed 11.

A *false answer* is an absurd question with results that are not said to be faint; a *false
absence* a real one with none, or with such as are.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from codeindex import Index
from codeindex.types import Answer
from codeindex.words import STOP_WORDS

SAMPLE, SEED = 100, 11
_TOPICS = Path(__file__).parent / "golden" / "absurd.txt"
_FEWEST, _MOST_WORDS = 3, 12
"""Words of a paraphrase: fewer say nothing, more are cut."""
_DROPPED = 4
_SYNONYMS = {
    "add": "append", "adds": "appends", "allow": "permit", "allows": "permits", "build": "assemble",
    "builds": "assembles", "call": "invoke", "called": "invoked", "calls": "invokes",
    "change": "alter", "check": "verify", "checks": "verifies", "convert": "transform",
    "converts": "transforms", "create": "construct", "created": "constructed",
    "creates": "constructs", "current": "present", "default": "standard", "delete": "erase",
    "error": "failure", "errors": "failures", "fetch": "retrieve", "fix": "repair",
    "function": "routine", "given": "supplied", "handle": "process", "handles": "processes",
    "list": "sequence", "make": "produce", "new": "fresh", "number": "amount", "object": "thing",
    "parse": "interpret", "parses": "interprets", "print": "output", "remove": "strip",
    "removes": "strips", "replace": "swap", "return": "yield", "returned": "yielded",
    "returns": "yields", "run": "execute", "runs": "executes", "save": "store", "send": "transmit",
    "sends": "transmits", "set": "assign", "sets": "assigns", "start": "begin", "starts": "begins",
    "stop": "halt", "string": "text", "support": "enable", "update": "refresh", "value": "content",
    "values": "contents", "wait": "pause", "write": "emit", "writes": "emits",
}  # fmt: skip
_QUESTIONS = ("where do we", "how does it", "code that", "what", "which part")


def absurd(root: Path, chance: random.Random) -> list[str]:
    """Return topics whose subject the repository never says."""
    lines = _TOPICS.read_text("utf-8").splitlines()
    chance.shuffle(lines)
    return [line for line in lines if not _says(root, line.split()[0])][:SAMPLE]


def _says(root: Path, word: str) -> bool:
    command = ["git", "-C", str(root), "grep", "-qiF", word]
    return subprocess.run(command, check=False).returncode == 0


def real(index: Index, chance: random.Random) -> list[str]:
    """Return paraphrases of what the repository says of itself."""
    kinds = [list(dict.fromkeys(one)) for one in (_docs(index), _subjects(index.root))]
    for one in kinds:
        chance.shuffle(one)
    half = SAMPLE // 2
    few = min(len(one) for one in kinds)
    docs, subjects = (one[: half if few >= half else SAMPLE - few] for one in kinds)
    return [_paraphrased(one, at) for at, one in enumerate((docs + subjects)[:SAMPLE])]


def _docs(index: Index) -> Iterator[str]:
    with index.reader().catalog() as (catalog, _):
        rows = catalog.connection.execute(
            "SELECT s.doc FROM symbols s JOIN files f ON f.id = s.file_id WHERE s.doc != ''"
            " AND NOT f.is_test ORDER BY f.path, s.number"
        ).fetchall()
    for (doc,) in rows:
        if len(_telling(sentence := re.split(r"[.:;]\s|\n\n", doc)[0])) >= _FEWEST:
            yield sentence


def _subjects(root: Path) -> Iterator[str]:
    log = ["git", "-C", str(root), "log", "--no-merges", "-n300", "--format=%x00%s", "--name-only"]
    shown = subprocess.run(log, check=True, capture_output=True, text=True, errors="replace")
    for block in shown.stdout.split("\0")[1:]:
        subject, *paths = [line for line in block.splitlines() if line]
        code = [p for p in paths if re.search(r"\.(py|rb|go|rs|php|ex|cs|dart|tsx?|js)$", p)]
        telling = _telling(subject)
        if len(telling) >= _FEWEST and any(_speaks_of(root / path, telling) for path in code):
            yield re.sub(r"^\w+(\([^)]*\))?!?: |\(?#\d+\)?|v?\d+(\.\d+)+", "", subject)


def _speaks_of(path: Path, telling: Sequence[str]) -> bool:
    """Tell whether a file has half of these words: else the code does not say what was done."""
    text = path.read_text("utf-8", errors="replace").lower() if path.is_file() else ""
    return 2 * sum(word in text for word in telling) >= len(telling)


def _telling(text: str) -> list[str]:
    text = re.sub(r"`[^`]*`|\{[^}]*\}|<[^>]*>|https?:\S+", " ", text)
    plain = re.findall(r"(?<![\w.@/:])[A-Za-z][a-z]+(?![\w/:]|\.\w)", text)
    return [one.lower() for one in plain if one.lower() not in STOP_WORDS]


def _paraphrased(sentence: str, at: int) -> str:
    words = [word for n, word in enumerate(_telling(sentence)) if n % _DROPPED != _DROPPED - 1]
    said = [_SYNONYMS.get(word, word) for word in words][:_MOST_WORDS]
    question = _QUESTIONS[at // 2 % len(_QUESTIONS)] if at % 2 else ""
    return f"{question} {' '.join(said)}".strip()


def denied(answer: Answer) -> bool:
    """Tell whether an answer says that there is nothing of this here."""
    return not answer.hits or answer.absence is not None


def measure(root: Path, show: int) -> None:
    chance = random.Random(SEED)
    with Index.open(root) as index:
        index.sync()
        foreign, own = absurd(root, chance), real(index, chance)
        started = time.perf_counter()
        answered = [one for one in foreign if not denied(index.search(one))]
        missed = [one for one in own if denied(index.search(one))]
        each = (time.perf_counter() - started) / max(len(foreign) + len(own), 1)
        model = index.status().model.partition("@")[0] or "words"
    rates = (len(answered) / max(len(foreign), 1), len(missed) / max(len(own), 1))
    print(
        f"{root.name:10} {model:16} absurd {len(foreign):3} false answers {rates[0]:.3f}"
        f"   real {len(own):3} false absences {rates[1]:.3f}   {each * 1000:.0f} ms each",
        flush=True,
    )
    for label, found in (("answered", answered), ("denied", missed)):
        for query in found[:show]:
            print(f"    {label}: {query}")


def main(roots: Sequence[Path], show: int) -> None:
    for root in roots:
        measure(root, show)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repos", type=Path, nargs="+")
    parser.add_argument("--show", type=int, default=0, help="Mistakes of each kind to print.")
    given = parser.parse_args()
    main(given.repos, given.show)

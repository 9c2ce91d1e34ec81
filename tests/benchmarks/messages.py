"""How surely pasted messages and stack frames find their code: `messages.py REPO... [--show N]`.

Messages are string literals that code of a repository raises, logs or prints (seed 11, no tests);
their placeholders are filled in and a prefix as programs print one goes before them. Frames are
functions of the index, written as the language's runtime does, at a line of their body or 40 lines
off. Both are asked through `Index.search`. A hit is right if it is in a file that has the literal
and holds its line (messages), or covers the cited line, or, 40 lines off, that of
the function's definition (frames).
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex import Index
from codeindex.ingest.parse.grammars import create_parser
from codeindex.text.words import STOP_WORDS

if TYPE_CHECKING:
    from tree_sitter import Node

MESSAGES, FRAMES, SEED, SHOWN = 16, 10, 11, 10
"""Of a repository; the last is how many hits are asked for."""
_LEAST_WORDS, _MOST_WORDS, _LEAST_TELLING = 4, 40, 2
_EMITS = re.compile(
    r"(?i)raise|throw|error|exception|panic|fatal|warn|log|print|fail|die|abort|debug|info|trace"
    r"|assert|expect|bail|ensure|echo|puts|err\b|reject|cerr|cout|stderr"
)
_EMITTERS = (
    *("call", "raise", "throw", "macro", "creation", "instance", "invocation", "new_exp"),
    *("echo", "statement", "binary"),
)
_PRINTF = re.compile(
    r"%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|ll|[hlzjt])?[diouxXeEfgGcspqvTwr@]"
    r"|\{\{?[\w.!:?\-<>#@+]*\}?\}|%\{\w+\}|%<\w+>\w|\$\w+"
)
_ESCAPE = re.compile(r"\\[nrtse\"'`\\$#]|\\x[0-9a-fA-F]{2}|\\u\{?[0-9a-fA-F]{4}\}?")
_VALUES = ("42", "/var/data/in.json", "alice", "'timeout'", "0x7ffee3c", "3.5", "[1, 2]", "main")
_PREFIXES = (
    "",
    "error: ",
    "{program}: ",
    "{program}: (7) ",
    "2026-11-22 10:00:03,120 ERROR [worker-3] ",
    "Nov 22 10:00:03 web1 {program}[4711]: WARN ",
    "RuntimeError: ",
    'Exception in thread "main" java.lang.IllegalStateException: ',
    "npm ERR! ",
    "error[E0382]: ",
    "why do I get ",
    "thread 'main' panicked at ",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trial:
    """A question, and the lines of files that are right for it."""

    kind: str
    question: str
    right: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Literal:
    """A message of code: its first quoted part as it is spelt, and what a program prints of it.

    `fixed` is the same for messages that differ in the values that they are given alone.
    """

    path: str
    line: int
    spelt: str
    fixed: str
    printed: str
    is_filled: bool


class _Blank(random.Random):
    """A stand-in for `random.Random` whose `choice` returns NUL, the mark of a placeholder."""

    def choice(self, seq: object) -> str:  # type: ignore[override]
        del seq
        return "\0"


def literals(path: str, language: str, text: str, chance: random.Random) -> Iterator[Literal]:
    """Yield the messages that a file emits."""
    source = text.encode()
    stack = [(create_parser(language).parse(source).root_node, False)]
    while stack:
        node, emits = stack.pop()
        emits = _emits(node, emits, source)
        if (string := _first_string(node)) is not None:
            if emits and (one := _literal(path, node, string, chance)):
                yield one
            continue
        stack += [(child, emits) for child in node.children]


def _emits(node: Node, outer: bool, source: bytes) -> bool:
    """Tell whether a node is within a call that raises, logs or prints; blocks begin anew."""
    if any(one in node.type for one in _EMITTERS):
        head = source[node.start_byte : min(node.start_byte + 80, node.end_byte)].decode(
            "utf-8", "replace"
        )
        return outer or bool(_EMITS.search(re.split(r"[\"'`({]", head)[0]))
    return outer and not any(one in node.type for one in ("block", "body", "function", "lambda"))


def _is_string(node: Node) -> bool:
    return node.is_named and "string" in node.type and "content" not in node.type


def _first_string(node: Node) -> Node | None:
    """Return the first string of a string, or of strings and values that are put together."""
    if _is_string(node):
        return node.children[0] if node.children and _is_string(node.children[0]) else node
    if "binary" in node.type and len(node.children) == 3:
        operator = node.children[1].type
        if operator in {"+", ".", "..", "<>", "++", "&"}:
            return next(filter(None, map(_first_string, node.children)), None)
    return None


def _printed(node: Node, chance: random.Random) -> tuple[str, bool]:
    """Return what is printed of a string expression, and whether a value was put in."""
    if not _is_string(node):
        if "binary" in node.type and _first_string(node) is not None:
            left, right = _printed(node.children[0], chance), _printed(node.children[-1], chance)
            return left[0] + right[0], left[1] or right[1]
        return chance.choice(_VALUES), True
    inner = [one for one in node.named_children if _is_string(one) or _is_value(one)]
    out, at, filled = [], 0, False
    raw = (node.text or b"").decode("utf-8", "replace")
    data = raw.encode()
    for one in inner:
        part, has = _printed(one, chance)
        start, end = one.start_byte - node.start_byte, one.end_byte - node.start_byte
        out += [_plain(data[at:start].decode("utf-8", "replace"), chance), part]
        at, filled = end, True if not _is_string(one) else filled or has
    out.append(_plain(data[at:].decode("utf-8", "replace"), chance))
    text = "".join(out)
    return text, filled or bool(_PRINTF.search(raw))


def _is_value(node: Node) -> bool:
    return any(one in node.type for one in ("interpol", "substitution", "variable", "format_exp"))


def _plain(spelt: str, chance: random.Random) -> str:
    spelt = re.sub(r"^(?:[frbuFRBULc$@]*[\"'`]+|R\"\()|[\"'`]+$", "", spelt)
    spelt = re.sub(r"^\}|\$\{?$", "", spelt)  # what some grammars leave of a placeholder
    filled = _PRINTF.sub(lambda _: chance.choice(_VALUES), spelt)
    return _ESCAPE.sub(" ", filled)


def _literal(path: str, node: Node, string: Node, chance: random.Random) -> Literal | None:
    printed, filled = _printed(node, chance)
    spelt = (string.text or b"").decode("utf-8", "replace")
    fixed = _printed(node, _Blank())[0]
    words = re.findall(r"[^\W\d_]{2,}", fixed)
    telling = [one for one in words if one.lower() not in STOP_WORDS]
    if not _LEAST_WORDS <= len(words) <= _MOST_WORDS or len(telling) < _LEAST_TELLING:
        return None
    printed = re.sub(r"\s+", " ", printed).strip()
    return Literal(path, string.start_point[0] + 1, spelt, fixed, printed, filled)


def message_trials(index: Index, root: Path, chance: random.Random) -> list[Trial]:
    """Return messages of the code of an index, half of them with values if it has so many."""
    with index.reader().corpus() as (_, corpus):
        code = [
            (path, language)
            for path, language, is_code in zip(
                corpus.paths, corpus.languages, corpus.is_code, strict=True
            )
            if is_code
        ]
    texts = {path: (root / path).read_text("utf-8", "replace") for path, _ in code}
    found = [
        one for path, language in code for one in literals(path, language, texts[path], chance)
    ]
    chance.shuffle(found)
    every = list({one.fixed: one for one in found}.values())
    filled = [one for one in every if one.is_filled][: MESSAGES // 2]
    plain = [one for one in every if not one.is_filled][: MESSAGES - len(filled)]
    trials = []
    for one in (*filled, *plain):
        prefix = chance.choice(_PREFIXES).format(program=root.name)
        same = ((two.path, two.line) for two in found if two.fixed == one.fixed)
        right = frozenset((*_lines_with(texts, one.spelt), *same))
        kind = "templated" if one.is_filled else "plain"
        trials.append(Trial(kind, prefix + one.printed, right))
    return trials


def _lines_with(texts: dict[str, str], spelt: str) -> Iterator[tuple[str, int]]:
    for path, text in texts.items():
        at = text.find(spelt)
        while at >= 0:
            yield path, text.count("\n", 0, at) + 1
            at = text.find(spelt, at + 1)


Frame = Callable[[str, str, str, int], str]
"""Writes a frame: path, owner ("" for none), function, line."""


def _dotted(owner: str, name: str) -> str:
    return f"{owner}.{name}" if owner else name


def _java(path: str, owner: str, name: str, line: int) -> str:
    owner = owner.replace(".", "$") or "FileKt"
    return f"    at com.acme.app.{owner}.{name}({Path(path).name}:{line})"


def _go(path: str, owner: str, name: str, line: int) -> str:
    of = f"(*{owner})." if owner else ""
    return f"github.com/acme/app.{of}{name}(0xc000010000)\n\t/go/src/app/{path}:{line} +0x1d"


def _rust(path: str, owner: str, name: str, line: int) -> str:
    full = f"{owner.replace('.', '::')}::{name}" if owner else name
    return f"   3: app::{full}::{{{{closure}}}}\n             at ./{path}:{line}:9"


FRAME_FORMS: dict[str, Frame] = {
    "python": lambda p, _, n, at: f'  File "/usr/lib/{p}", line {at}, in {n}',
    "javascript": lambda p, o, n, at: f"    at async {_dotted(o, n)} (/app/{p}:{at}:13)",
    "typescript": lambda p, o, n, at: f"    at {_dotted(o, n)} (file:///app/{p}:{at}:13)",
    "java": _java,
    "kotlin": _java,
    "scala": _java,
    "go": _go,
    "rust": _rust,
    "ruby": lambda p, o, n, at: f"/gems/{p}:{at}:in `block in {o.replace('.', '::')}#{n}'",
    "php": lambda p, o, n, at: f"#0 /var/www/{p}({at}): " + o.replace(".", "\\") + f"->{n}()",
    "csharp": lambda p, o, n, at: (
        f"   at Acme.{o}.<{n}>d__3.MoveNext() in C:\\src\\" + p.replace("/", "\\") + f":line {at}"
    ),
    "c": lambda p, _, n, at: f"#1  0x00005555 in {n} (self=0x0, n=3) at {p}:{at}",
    "cpp": lambda p, o, n, at: (
        f"    #1 0x4f2a in {_dotted(o, n).replace('.', '::')}(int) {p}:{at}:7"
    ),
    "elixir": lambda p, o, n, at: f"    (app 1.2.0) {p}:{at}: {o}.{n}/2",
    "lua": lambda p, _, n, at: f"\t{p}:{at}: in function '{n}'",
    "dart": lambda p, o, n, at: f"#0      {_dotted(o, n)} (package:{p.replace('lib/', '')}:{at}:3)",
    "swift": lambda p, _, n, at: f"{p}:{at}: Fatal error: no value in {n}",
    "haskell": lambda p, _, n, at: f"  {n}, called at {p}:{at}:5 in app-1.0:Main",
}


def frame_trials(index: Index, chance: random.Random) -> list[Trial]:
    """Return frames of functions that no other of their file is called like."""
    with index.reader().corpus() as (catalog, _):
        rows = catalog.connection.execute(
            "SELECT f.path, f.language, s.name, s.qualified, s.line, s.end_line FROM symbols s"
            " JOIN files f ON f.id = s.file_id WHERE s.kind IN ('function', 'method')"
            " AND s.body_lines > 1 AND NOT f.is_test ORDER BY f.path, s.line"
        ).fetchall()
    names = Counter((path, name) for path, _, name, *_ in rows)
    once = [one for one in rows if names[one[0], one[2]] == 1 and one[1] in FRAME_FORMS]
    trials = []
    for path, language, name, qualified, line, end in chance.sample(once, min(FRAMES, len(once))):
        owner = qualified.rpartition(".")[0]
        for kind, at in (("frame", chance.randint(line, end)), ("frame, 40 lines off", end + 40)):
            if kind != "frame" and language == "swift":
                continue  # says no function
            asked = FRAME_FORMS[language](path, owner, name, at)
            right = at if kind == "frame" else line
            trials.append(Trial(f"{kind}: {language}", asked, frozenset({(path, right)})))
    return trials


def rank_of(index: Index, trial: Trial) -> int:
    """Return the place of the first right hit; 0 without one, -1 if there was no hit at all."""
    hits = index.search(trial.question, limit=SHOWN).hits
    for place, hit in enumerate(hits, 1):
        if any(hit.path == p and hit.start_line <= n <= hit.end_line for p, n in trial.right):
            return place
    return 0 if hits else -1


def measure(repos: Sequence[Path], show: int) -> None:
    ranks: dict[str, list[int]] = defaultdict(list)
    for root in repos:
        chance = random.Random(f"{SEED} {root.name}")
        missed = 0
        with Index.open(root) as index:
            index.sync(structure_only=True)
            for trial in (*message_trials(index, root, chance), *frame_trials(index, chance)):
                rank = rank_of(index, trial)
                ranks[trial.kind].append(rank)
                if not trial.kind.startswith("frame"):
                    ranks["all messages"].append(rank)
                else:
                    ranks[f"all {trial.kind.partition(':')[0]}s"].append(rank)
                if rank != 1 and missed < show:
                    missed += 1
                    print(f"  {root.name} {trial.kind} came {rank}: {trial.question[:150]!r}")
                    print(f"      {sorted(trial.right)[:3]}", flush=True)
    print(f"{'kind':32} {'n':>4} first among-3 no-answer")
    for kind, found in sorted(ranks.items()):
        first = sum(one == 1 for one in found) / len(found)
        three = sum(1 <= one <= 3 for one in found) / len(found)
        print(f"{kind:32} {len(found):4} {first:.3f}    {three:.3f} {found.count(-1):9}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repos", type=Path, nargs="+")
    parser.add_argument("--show", type=int, default=0, help="Misses to print of each repository.")
    given = parser.parse_args()
    measure(given.repos, given.show)

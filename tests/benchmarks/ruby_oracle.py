"""What a run of a Ruby test suite says: the methods that each line called.

`ruby_tracer.rb` records the calls. Only lines that ran are known, and of a method that runs in
several classes only those that the tests used. Constructors, attributes, operators and methods that
a name in the line does not call, such as those that `send` or a library calls, are left out.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from graph_oracles import Answer, Target

_NAME = re.compile(r"[a-z_]\w*[?!]?")


def ruby(root: Path, _: Sequence[str], size: int, calls: Path) -> list[Answer]:
    """Return up to `size` calls of a test run, drawn at random, each with the methods that ran.

    `calls` is what `ruby_tracer.rb` wrote.
    """
    found: defaultdict[tuple[str, int, str], set[Target]] = defaultdict(set)
    for row in calls.read_text().splitlines():
        path, at_line, called, target, at, name = row.split("\t")
        if _NAME.fullmatch(called):
            found[path, int(at_line), called].add(Target(target, int(at), name, "method", False))
    lines = {path: (root / path).read_text().split("\n") for path, _, _ in found}
    answers = []
    for (path, line, name), targets in sorted(found.items()):
        text = lines[path][line - 1]
        places = [*re.finditer(rf"(?<![\w@$:]){re.escape(name)}(?![\w?!])", text)]
        if len(places) == 1:
            targets_ = tuple(sorted(targets))
            answers.append(Answer(path, line, places[0].start(), name, targets_, use="call"))
    random.shuffle(answers)
    return answers[:size]

"""What a run of a Ruby test suite says: the methods that each line called.

`ruby_tracer.rb` records the calls. Only lines that ran are known, and of a method that runs in
several classes only those that the tests used. A method that a called one overrides is right, too:
a call means the method of the receiver's class as it is written, as in the other oracles, and what
runs may be an override. Constructors, attributes, operators, aliases and methods that a name in the
line does not call, such as those that `send` or a library calls, are left out. Definitions of one
name in one class, as in both branches of an `if`, count as one.
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
        path, at_line, called, target, at, name, above = row.split("\t")
        if _NAME.fullmatch(called) and called == name:
            run = [(target, at), *(place.rsplit(":", 1) for place in above.split())]
            found[path, int(at_line), called].update(
                Target(file, int(line), name, "function", False) for file, line in run
            )
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

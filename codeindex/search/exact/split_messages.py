"""Find a text that code splits over several string literals, one below the other.

No line contains such a text. In aria2, unbound, libarchive and keepalived, that holds for 8 to 26 %
of the literals with four words or more; in languages with long lines for 1 % and less.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import islice

from codeindex.languages import is_code_path
from codeindex.search.exact.lines import GrepResult

_LEAST_WORDS = 3
_MOST_LINES, _MOST_PLACES = 2_000, 3
"""Most lines with the first words that are checked, and most places that are returned."""
_LONGEST, _MOST_WORDS = 1_000, 60
"""Most characters of a text that is searched for, and most of its words that the first literal may
have. For 1,000 words, the regular expression is nested too deeply for `re`."""
_END = r"""(?:\\n)? ?["'](?:\s*(?:[+.&~\\]|\+\+|<[<>]))?\s*$"""
"""Matches the end of a literal and of its line, with an operator that joins it to the next one."""
_NEXT = re.compile(r"""\s*(?:[+.&~]|\+\+|<[<>])?\s*[frbuFRBULc$@]{0,2}["']([^"']*)""")
"""Matches a literal at the start of a line, or after such an operator; group 1 is its content."""


def find_split_text(text: str, result: GrepResult, search: Callable[..., GrepResult]) -> GrepResult:
    """Add to a result the places where code splits `text`, if no line of code has it whole.

    A place is the line that ends with the first words of the text, where the next line has further
    ones. `search` returns the lines that match a regular expression, given fields of a
    `GrepRequest`.
    """
    words = text.split()
    if len(words) < _LEAST_WORDS or len(text) > _LONGEST or any(map(is_code_path, result.counts)):
        return result
    first, *others = map(re.escape, words[:-1][:_MOST_WORDS])
    beginning = reduce(lambda rest, word: f"(?: {word}{rest})?", reversed(others), "")
    found = search(f"{first}{beginning}{_END}", limit=_MOST_LINES, after=1, symbols=True)
    texts = found.texts()
    split = (
        line
        for line in found.matches
        if _goes_on(line.text, texts.get((line.path, line.line + 1), ""), words)
    )
    return replace(result, split=tuple(islice(split, _MOST_PLACES)))


def _goes_on(line: str, after: str, words: Sequence[str]) -> bool:
    """Tell whether `line` ends with the first of `words`, and `after` begins with the next ones.

    The literal in `after` need not have all other words: a third literal may have the last ones.
    Case is ignored, because `line` was matched in the case that is asked for.
    """
    literal = _NEXT.match(after)
    words = [word.casefold() for word in words]
    following = " ".join(literal[1].casefold().split()) if literal else ""
    beginning = " ".join(re.sub(_END, "", line).casefold().split())
    for count in range(1, len(words)) if following else ():
        rest = " ".join(words[count:])
        is_next = following.startswith(rest) or rest.startswith(f"{following} ")
        if is_next and beginning.endswith(" ".join(words[:count])):
            return True
    return False

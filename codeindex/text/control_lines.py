"""Find the lines of code that tell when other lines run: conditions, loops, jumps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from codeindex.text.indent import indentation

CONTROL = re.compile(
    r"\s*(?:[})]\s*)?(?:if|else|elif|elsif|unless|case|when|switch|match|for|foreach|while|until|loop"
    r"|try|except|catch|rescue|with|default|guard|do|cond|select|finally|ensure|repeat)\b"
)
"""A line that tells when the lines indented under it run."""
LAST_BRANCH = re.compile(
    r"\s*(?:[})]\s*)?(?:else(?!\s*if\b)|default|otherwise|_\s*(?:=>|->)|case _)(?!\w)"
)
"""A line that begins what runs if no condition holds."""
JUMP = re.compile(r"\s*(?:return|raise|throw|goto|break|continue|yield|panic|exit)\b")
"""A line that leaves the function, a loop or a branch."""
ASSERTION = re.compile(
    r"(?!.*(?i:no_?err(?:or)?\b))\s*(?:(?:await|return)\s+)?(?:(?:\w+\.)*"
    r"(?:[aA]ssert|XCTAssert|ASSERT_|EXPECT_|CHECK\b|REQUIRE|expect(?:\w+)?!?[\s({]|refute|verify\w*\("
    r"|(?<=\brequire\.)[A-Z]|(?<=\bt\.)(?:Error|Fatal)|(?:is|ok|is_deeply|isnt|like|cmp_ok)[ (])"
    r"|.*(?:\.(?:to[BEHMT]\w+|[sS]hould|must_\w+)\b|\bshould(?:\w*\s|[A-Z(])))"
)
"""A line that checks a result in a test, in the forms of common frameworks. That there is no error
is checked after each step of a test's set-up, and so is left out."""
_MAX_ABOVE = 80
"""Most lines above a line that are read for conditions."""
_NO_HEAD = re.compile(r"\W*$|\s*(?:#|//)")
"""A bracket alone, a comment or a directive such as `#if`: no line is nested under it."""
_TAB = 8
_MAX_CONTINUED = 3
"""Most lines that continue one whose brackets are not closed."""


def statement_lines(lines: Sequence[str], at: int) -> range:
    """Return the indexes of line `at` and of the lines after it until its brackets are closed."""
    end, depth = at + 1, lines[at].count("(") - lines[at].count(")")
    while depth > 0 and end < len(lines) and end - at <= _MAX_CONTINUED:
        depth += lines[end].count("(") - lines[end].count(")")
        end += 1
    return range(at, end)


def conditions_above(lines: Sequence[str], at: int) -> Iterator[int]:
    """Yield the indexes of the conditions and loops that line `at` is indented under.

    The innermost comes first. A condition of several lines yields all of them.
    """
    indent = indent_width(lines[at])
    for above in range(at - 1, max(-1, at - 1 - _MAX_ABOVE), -1):
        if indent <= 0:
            return
        text = lines[above]
        if not _NO_HEAD.match(text) and (width := indent_width(text)) < indent:
            indent = width
            if CONTROL.match(text):
                yield from (line for line in statement_lines(lines, above) if line < at)


def indent_width(line: str) -> int:
    """Return how many columns a line is indented by blanks and tabs."""
    return indentation(line.expandtabs(_TAB))

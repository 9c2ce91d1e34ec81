r"""Lines of a text answer that are its own, and what keeps code from looking like them.

Where code has begun, a line of the answer begins with one of a few marks: `== ` above code of
another place or query, `[2]` above the code of a result, and `note: `, `next: `, `more: `,
`also: `, `left: `, `… `. Code whose line begins so is shown with a backslash before it, and file
names with their line ends spelt out, so that no text of a repository can pass for the answer's.
"""

from __future__ import annotations

import re

from codeindex.text.sanitize import escape_line

_OWN = re.compile(r"(?:\[\d+\]\s*$|== |note: |next: |more: |also: |left: |… )")


def section_title(text: str) -> str:
    """Return the line above code of another place, or above the answer to another query."""
    return f"== {escape_line(text)}"


def escape_code_line(line: str) -> str:
    """Return a line of code as answers show it: with a backslash if it looks like their own."""
    return f"\\{line}" if _OWN.match(line) else line

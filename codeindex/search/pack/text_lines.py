r"""Mark the lines of a text answer that are its own, and escape code that looks like them.

After code, a line of the answer begins with one of a few marks: `== ` above code of
another place or query, `[2]` above the code of a result, and `note: `, `next: `, `more: `,
`also: `, `left: `, `… `. A line of code that begins with a mark gets a backslash before the mark,
and line ends in file names are escaped, so that no text of a repository can look like a line of
the answer.
"""

from __future__ import annotations

import re

from codeindex.text.sanitize import escape_line

_OWN = re.compile(r"(?:\[\d+\]\s*$|== |note: |next: |more: |also: |left: |… )")


def section_title(text: str) -> str:
    """Return the line above the code of a place, or above the answer to a query."""
    return f"== {escape_line(text)}"


def escape_code_line(line: str) -> str:
    """Return a line of code, with a backslash if it looks like a line of the answer."""
    return f"\\{line}" if _OWN.match(line) else line

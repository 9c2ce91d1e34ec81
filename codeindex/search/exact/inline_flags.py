"""Give `(?i)` within a pattern the meaning that it has in ripgrep and grep -P.

`re` accepts flags such as `(?i)` only at the start of a pattern. Elsewhere they hold for the rest
of their group, so `ab|(?i)c|d` is `ab|(?i:c)|(?i:d)`.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"\\."  # an escaped character
    r"|\[\^?\]?(?:\\.|[^\]\\])*\]"  # a set of characters
    r"|\(\?(?P<flags>[ims]+)\)|(?P<open>\()|(?P<bar>\|)|(?P<close>\))",
    re.DOTALL,
)


def scope_inline_flags(pattern: str) -> str:
    """Return a pattern of the same meaning in which only the start may have flags without a scope.

    Only `i`, `m` and `s` are scoped. A pattern without such flags inside is returned unchanged.
    """
    parts: list[str] = []
    groups = [""]  # the flags that hold in each open group, as `(?i:`
    read = 0
    for token in _TOKEN.finditer(pattern):
        parts.append(pattern[read : token.start()])
        read = token.end()
        opened = groups[-1]
        closing = ")" * opened.count("(")
        if token["flags"] and token.start():
            parts.append(f"(?{token['flags']}:")
            groups[-1] += f"(?{token['flags']}:"
        elif token["bar"]:
            parts.append(f"{closing}|{opened}")
        elif token["close"] and len(groups) > 1:
            parts.append(f"{closing})")
            groups.pop()
        else:
            parts.append(token[0])
            groups += [""] * bool(token["open"])
    return f"{''.join(parts)}{pattern[read:]}{')' * groups[0].count('(')}"

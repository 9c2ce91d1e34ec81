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
    """Rewrite flags inside a pattern, such as `(?i)`, as groups that `re` accepts: `(?i:...)`.

    Only `i`, `m` and `s` are rewritten. Flags at the start stay as they are.
    """
    parts: list[str] = []
    groups: list[list[str]] = [[]]  # for each open group, the scopes that flags opened in it
    read = 0
    for token in _TOKEN.finditer(pattern):
        parts.append(pattern[read : token.start()])
        read = token.end()
        scopes = groups[-1]
        if token["flags"] and token.start():
            scopes.append(f"(?{token['flags']}:")
            parts.append(scopes[-1])
        elif token["bar"]:
            parts += [")" * len(scopes), "|", *scopes]
        elif token["close"] and len(groups) > 1:
            parts.append(")" * len(groups.pop()) + ")")
        else:
            parts.append(token[0])
            if token["open"]:
                groups.append([])
    return "".join([*parts, pattern[read:], ")" * len(groups[0])])

"""Find the lines of code that tell when other lines run: conditions, loops, jumps."""

from __future__ import annotations

import re

CONTROL = re.compile(
    r"\s*(?:[})]\s*)?(?:if|else|elif|elsif|unless|case|when|switch|match|for|foreach|while|until|loop"
    r"|try|except|catch|rescue|with|default|guard|do|cond|select|finally|ensure|repeat)\b"
)
"""A line that tells when the lines indented under it run."""
JUMP = re.compile(r"\s*(?:return|raise|throw|goto|break|continue|yield|panic|exit)\b")
"""A line that leaves the function, a loop or a branch."""

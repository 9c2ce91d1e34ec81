"""The lines that are ours in a hook of git's."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import PurePosixPath

_SHEBANG = re.compile(rb"#!\s*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?")
_SHELLS = {"sh", "bash", "dash", "ash", "ksh", "zsh"}
_FIRST = b"#!/bin/sh\n"
_BEGIN = b"# >>> codeindex: syncs its index; `codeindex hooks uninstall` removes these lines >>>"
_END = b"# <<< codeindex <<<"
_MADE = b"# There was no such hook before."


def program(name: str, variables: dict[str, str]) -> bytes:
    """Return the lines that have a hook's work done: git waits neither for it nor for its output.

    The interpreter is named whole, as a hook's PATH may be any; once it is gone, nothing happens.
    """
    python = shlex.quote(PurePosixPath(sys.executable.replace("\\", "/")).as_posix())
    set_to = "".join(f"{key}={shlex.quote(value)} " for key, value in sorted(variables.items()))
    line = f'{set_to}{python} -P -m codeindex hooks run {name} "$@"'
    return f"if [ -x {python} ]; then\n    ({line} </dev/null >/dev/null 2>&1 &)\nfi".encode()


def shell_of(text: bytes) -> str:
    """Return the shell that a script is for, '' if it is for none."""
    found = _SHEBANG.match(text)
    if not found:
        return ""
    words = [PurePosixPath(one.decode(errors="replace")).name for one in found.groups() if one]
    name = words[-1] if words[0] == "env" else words[0]
    name = name.removesuffix(".exe")
    return name if name in _SHELLS else ""


def put(text: bytes | None, lines: bytes) -> bytes:
    """Return a hook with our lines first, as others may end it; None is no hook."""
    if text is None:
        return b"\n".join((_FIRST.rstrip(), _BEGIN, _MADE, lines, _END, b""))
    before = take(text)
    made = _made_by_us(text)
    block = b"\n".join((_BEGIN, *((_MADE,) if made else ()), lines, _END))
    head, newline, rest = (_FIRST if before is None else before).partition(b"\n")
    return head + b"\n" + block + (newline + rest)


def take(text: bytes) -> bytes | None:
    """Return a hook as it was without our lines; None if there was none."""
    start = text.find(b"\n" + _BEGIN)
    end = text.find(_END, start)
    if start < 0 or end < 0:
        return text
    rest = text[:start] + text[end + len(_END) :]
    return None if _made_by_us(text) and rest == _FIRST else rest


def is_in(text: bytes) -> bool:
    return take(text) != text


def _made_by_us(text: bytes) -> bool:
    return b"\n".join((_BEGIN, _MADE, b"")) in text

"""Insert, find and remove the marked block of lines that we add to a hook script."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import PurePosixPath

_SHEBANG = re.compile(rb"#!\s*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?")
_SHELLS = {"sh", "bash", "dash", "ash", "ksh", "zsh"}
_SHEBANG_LINE = b"#!/bin/sh\n"
_BEGIN = b"# >>> codeindex: syncs its index; `codeindex hooks uninstall` removes these lines >>>"
_END = b"# <<< codeindex <<<"
_CREATED = b"# There was no such hook before."
"""Marks a script that we created for the block: removing the block deletes the script."""


def hook_commands(name: str, variables: dict[str, str]) -> bytes:
    """Return shell lines that run `codeindex hooks run NAME` in the background without output.

    The lines name the Python interpreter by its path, since the PATH of a hook is unknown. They do
    nothing if the interpreter does not exist any more.
    """
    python = shlex.quote(PurePosixPath(sys.executable.replace("\\", "/")).as_posix())
    assignments = "".join(
        f"{key}={shlex.quote(value)} " for key, value in sorted(variables.items())
    )
    command = f'{assignments}{python} -P -m codeindex hooks run {name} "$@"'
    return f"if [ -x {python} ]; then\n    ({command} </dev/null >/dev/null 2>&1 &)\nfi".encode()


def script_shell(script: bytes) -> str:
    """Return the name of the shell in a script's first line, like `bash`.

    Return '' without such a line, or if it names no shell.
    """
    match = _SHEBANG.match(script)
    if not match:
        return ""
    paths = [group.decode(errors="replace") for group in match.groups() if group]
    names = [PurePosixPath(path).name for path in paths]
    name = names[-1] if names[0] == "env" else names[0]
    name = name.removesuffix(".exe")
    return name if name in _SHELLS else ""


def insert_block(script: bytes | None, commands: bytes) -> bytes:
    """Return a script with our block of `commands` after its first line.

    An earlier block is replaced. The block comes first because other lines may end the script. A
    `script` of None means that the hook does not exist yet.
    """
    if script is None:
        return b"\n".join((_SHEBANG_LINE.rstrip(), _BEGIN, _CREATED, commands, _END, b""))
    other_lines = remove_block(script)
    mark = (_CREATED,) if _is_created_by_us(script) else ()
    block = b"\n".join((_BEGIN, *mark, commands, _END))
    first_line, newline, rest = (_SHEBANG_LINE if other_lines is None else other_lines).partition(
        b"\n"
    )
    return first_line + b"\n" + block + newline + rest


def remove_block(script: bytes) -> bytes | None:
    """Return a script without our block; None if only lines that we created are left."""
    start = script.find(b"\n" + _BEGIN)
    end = script.find(_END, start)
    if start < 0 or end < 0:
        return script
    rest = script[:start] + script[end + len(_END) :]
    return None if _is_created_by_us(script) and rest == _SHEBANG_LINE else rest


def script_has_block(script: bytes) -> bool:
    return remove_block(script) != script


def _is_created_by_us(script: bytes) -> bool:
    return b"\n".join((_BEGIN, _CREATED, b"")) in script

"""Open a file at a line in the user's editor."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path, PurePath

from codeindex.config import environment
from codeindex.errors import QueryError

_PLUS_LINE = {
    *("vi", "vim", "nvim", "gvim", "mvim", "view", "emacs", "emacsclient", "nano", "pico"),
    *("micro", "kak", "joe", "ne", "mg", "jed", "less", "most", "gedit", "pluma", "xed"),
}
_COLON_LINE = {"subl", "sublime_text", "zed", "zeditor", "hx", "helix", "lapce", "pulsar", "atom"}
_GOTO_FLAG = {
    "code",
    "code-insiders",
    "codium",
    "vscodium",
    "cursor",
    "windsurf",
    "positron",
    "trae",
}
_LINE_FLAG = {
    *(
        "idea",
        "pycharm",
        "goland",
        "webstorm",
        "clion",
        "rubymine",
        "phpstorm",
        "rider",
        "rustrover",
    ),
    *("kate", "kwrite", "mate"),
}


def editor_command(editor: str, path: Path, line: int) -> Sequence[str]:
    """Return the command line that opens a file at a line.

    For an unknown editor, it has the file only. Raise QueryError if `editor` is not a command.
    """
    try:
        words = shlex.split(editor)
    except ValueError:
        words = []
    if not words:
        raise QueryError(f"$VISUAL or $EDITOR is {editor!r}, which is not a command.")
    name = PurePath(words[0]).name.lower().removesuffix(".exe").removesuffix(".cmd")
    file = str(path.absolute())
    if name in _PLUS_LINE:
        return [*words, f"+{line}", file]
    if name in _COLON_LINE:
        return [*words, f"{file}:{line}"]
    if name in _GOTO_FLAG:
        return [*words, "-g", f"{file}:{line}"]
    if name in _LINE_FLAG:
        return [*words, "--line", str(line), file]
    return [*words, file]


def open_in_editor(path: Path, line: int) -> None:
    """Open a file at a line, and wait until the editor ends; raise QueryError if it fails."""
    variables = environment()
    editor = variables.get("VISUAL", "").strip() or variables.get("EDITOR", "").strip()
    if not editor:
        raise QueryError("No editor is set: set VISUAL or EDITOR, like EDITOR='code' or 'vim'.")
    words = editor_command(editor, path, line)
    try:
        status = subprocess.call(words, env=variables)
    except OSError as error:
        reason = error.strerror or str(error)
        raise QueryError(f"The editor '{words[0]}' does not start: {reason}.") from error
    if status:
        raise QueryError(f"The editor '{words[0]}' ended with status {status}.")

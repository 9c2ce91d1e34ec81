"""Opening a place in the editor of the user."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path, PurePath

from codeindex.config import environment
from codeindex.errors import QueryError

_PLUS = {
    *("vi", "vim", "nvim", "gvim", "mvim", "view", "emacs", "emacsclient", "nano", "pico"),
    *("micro", "kak", "joe", "ne", "mg", "jed", "less", "most", "gedit", "pluma", "xed"),
}
_COLON = {"subl", "sublime_text", "zed", "zeditor", "hx", "helix", "lapce", "pulsar", "atom"}
_GO = {"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf", "positron", "trae"}
_LINE = {
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


def command(editor: str, path: Path, line: int) -> Sequence[str]:
    """Return how an editor is asked for a line; one that is not known is given the file alone."""
    try:
        words = shlex.split(editor)
    except ValueError:
        words = []
    if not words:
        raise QueryError(f"$VISUAL or $EDITOR is {editor!r}, which is no command.")
    name = PurePath(words[0]).name.lower().removesuffix(".exe").removesuffix(".cmd")
    place = str(path.absolute())
    if name in _PLUS:
        return [*words, f"+{line}", place]
    if name in _COLON:
        return [*words, f"{place}:{line}"]
    if name in _GO:
        return [*words, "-g", f"{place}:{line}"]
    if name in _LINE:
        return [*words, "--line", str(line), place]
    return [*words, place]


def edit(path: Path, line: int) -> None:
    """Open a file at a line and wait for the editor; QueryError if there is none."""
    said = environment()
    editor = said.get("VISUAL", "").strip() or said.get("EDITOR", "").strip()
    if not editor:
        raise QueryError("No editor is set: set VISUAL or EDITOR, like EDITOR='code' or 'vim'.")
    import subprocess

    words = command(editor, path, line)
    try:
        status = subprocess.call(words, env=said)
    except OSError as error:
        reason = error.strerror or str(error)
        raise QueryError(f"The editor '{words[0]}' does not start: {reason}.") from error
    if status:
        raise QueryError(f"The editor '{words[0]}' ended with status {status}.")

"""`python -m codeindex` and the command `codeindex`."""

from __future__ import annotations

import sys
from typing import NoReturn

_HELP = {"-h", "--help"}


def main() -> NoReturn:
    """Run the command line, or a hook, which must neither wait for it nor fail with it."""
    name, *words = sys.argv[1:] or [""]
    if name == "suggest-context" and "--for-read" in words:
        name, words = "hook", ["pre-read", *words]
    if name == "hook" and _HELP.isdisjoint(words):
        from codeindex.hooks.run import main as run_hook

        run_hook(words)
    from codeindex.cli import main as run_command

    run_command(prog_name="codeindex")
    raise SystemExit  # not reached: click ends the process


if __name__ == "__main__":
    main()

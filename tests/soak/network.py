"""Run the whole tool where there is no network, and again with every network call recorded.

python -m tests.soak.network

First each command runs in a network namespace of its own, which has no interface that is up; then
under strace, which follows every child and sees what native libraries do as well. Nothing but
sockets within this machine (AF_UNIX: the pairs of an event loop, the system's database of users)
may be opened. `index` is told to stay offline: where no model is here, it would ask the hub for
one, as the one command that does. Needs Linux with unshare and strace.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from codeindex.cli import COMMANDS
from codeindex.config import environment

_SECONDS = 600.0
_FILES = {
    "shop/pay.py": 'def charge(card):\n    """Take money."""\n    return bool(card)\n\n\n'
    "class Till:\n    def open(self):\n        return charge(self)\n",
    "shop/cart.py": "from shop.pay import charge\n\n\ndef checkout(card):\n    charge(card)\n",
    "tests/test_pay.py": "from shop.pay import charge\n\n\ndef test_it():\n    charge(1)\n",
    "README.md": "# Shop\n\nSee https://example.org and call `charge`.\n",
}
WORDS: dict[str, tuple[str, ...]] = {
    "search": ("how is money taken",),
    "explore": ("how is money taken",),
    "explain-search": ("how is money taken",),
    "why-not": ("shop/cart.py", "how is money taken"),
    "similar": ("shop/pay.py:1",),
    "implementers": ("Till",),
    "wiki": ("generate",),
    "hooks": ("install",),
    "cluster": ("status", "--store", "store"),
    "graph": ("compare",),
    "cache": ("stats",),
    "completions": ("bash",),
    "gc": ("--dry-run",),
    "export": ("--to", "../bundle"),
    "import": ("../bundle",),
    "clear": ("--yes",),
    "hook": ("pre-read", "shop/pay.py"),
    "config": ("list",),
    "models": ("verify",),
    "diff-summary": ("HEAD",),
    "type-flow": ("Till",),
    "init": ("--client", "claude-code", "--print"),
    **dict.fromkeys(("show", "outline"), ("shop/pay.py",)),
    **dict.fromkeys(
        ("callers", "callees", "lookup", "signatures", "explain-symbol", "find"), ("charge",)
    ),
    **dict.fromkeys(("impact", "related-tests"), ("charge",)),
    **dict.fromkeys(("ask", "search-relevant"), ("how is money taken",)),
    **dict.fromkeys(("read", "declarations", "summary", "file-context"), ("shop/pay.py",)),
    **dict.fromkeys(("imports", "context", "suggest-context", "invalidate-file"), ("shop/pay.py",)),
    **dict.fromkeys(("summaries", "token-estimate", "summarize"), ("shop/pay.py",)),
}
_ENDLESS = {"serve", "watch"}
_HELLO = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "soak", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "search_code", "arguments": {"query": "how is money taken"}},
    },
)


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended, and the calls that it made of the network, by family and name."""

    name: str
    status: int
    calls: Counter[str]


def commands() -> list[tuple[str, tuple[str, ...]]]:
    """Return every command that ends by itself, from the index of all to its end."""
    ends = {"index", "clear", *_ENDLESS}
    rest = [(name, WORDS.get(name, ())) for name in COMMANDS if name not in ends]
    return [("index", ("--offline",)), *rest]


def run(before: Sequence[str], words: Sequence[str], root: Path) -> int:
    line = [*before, sys.executable, "-P", "-m", "codeindex", *words]
    settings = {
        "CODEINDEX_HOME": str(root.parent / "home"),
        "CODEINDEX_CONFIG": str(root.parent / "config"),
        "HOME": str(root.parent),
    }
    asks = "\n".join(map(json.dumps, _HELLO)) + "\n"
    with subprocess.Popen(
        line,
        cwd=root,
        env=environment(**settings),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        if words[0] != "serve":
            process.communicate(timeout=_SECONDS)
            return process.returncode
        return _asked(process, asks)


def _asked(process: subprocess.Popen[str], asks: str) -> int:
    """Ask a server that speaks over its pipes; 0 if it answers."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(asks)
    process.stdin.flush()
    for line in process.stdout:
        reply = json.loads(line)
        if reply.get("id") == 2:
            process.communicate(timeout=_SECONDS)
            return int("shop/pay.py" not in json.dumps(reply.get("result", "")))
    return 1


def alone(words: Sequence[str], root: Path) -> Ran:
    """Run where there is no network at all."""
    return Ran(words[0], run(("unshare", "-rn", "--"), words, root), Counter())


def recorded(words: Sequence[str], root: Path) -> Ran:
    """Run under strace."""
    with tempfile.NamedTemporaryFile("r") as log:
        before = ("strace", "-f", "-qq", "-e", "trace=%network", "-o", log.name)
        status = run(before, words, root)
        return Ran(words[0], status, calls_in(log.read()))


def calls_in(log: str) -> Counter[str]:
    """Count what opens, connects or sends, by family; a descriptor's later use names none."""
    call = r"\b(socket|socketpair|connect|bind|sendto)\((?:\d+, )?[^)]*?(AF_\w+)"
    found = re.findall(call, log)
    return Counter(f"{family} {call}" for call, family in found)


def rounds(way: Callable[[Sequence[str], Path], Ran]) -> list[Ran]:
    """Run everything on a repository and with a data folder that are new."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "shop"
        for path, text in _FILES.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        who = ("-c", "user.name=T", "-c", "user.email=t@t")
        for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "first")):
            subprocess.run(["git", *who, *words], cwd=root, check=True)
        done = [way((name, *words), root) for name, words in commands()]
        done.append(way(("hook", "session-start"), root))
        done.append(way(("serve",), root))
        done.append(way(("clear", *WORDS["clear"]), root))
        return done


def main() -> None:
    missing = [one for one in ("unshare", "strace") if shutil.which(one) is None]
    if missing:
        sys.exit(f"Install {' and '.join(missing)} first.")
    off, traced = rounds(alone), rounds(recorded)
    print(f"{'command':20}{'no network':>12}{'recorded':>10}  network calls")
    foreign = 0
    for one, two in zip(off, traced, strict=True):
        calls = ", ".join(f"{count} {call}" for call, count in sorted(two.calls.items()))
        foreign += sum(count for call, count in two.calls.items() if "AF_UNIX" not in call)
        print(f"{one.name:20}{one.status:12}{two.status:10}  {calls or '-'}")
    failed = sum(bool(one.status) for one in (*off, *traced))
    print(f"{len(off)} runs; {failed} failed; {foreign} calls beyond this machine's own sockets")
    sys.exit(1 if failed or foreign else 0)


if __name__ == "__main__":
    main()

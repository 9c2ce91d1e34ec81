"""Send a server lines of every kind over its pipe: each is answered or refused.

    python -m tests.soak.messages [--messages 5000] [--seed 1]

Lines are damaged JSON, bytes that are no UTF-8, wrong types, lone surrogates, huge numbers, deep
nesting, batches, ids used twice, requests before `initialize`, calls of every tool with odd
arguments, cancelled calls, made-up cursors and addresses. Whoever sends an id that can be repeated
must get as many replies under it; another line that is no notification gets an error without id.
Each reply must be one line of JSON-RPC. A new server is started for each 500 lines; each must still
answer a question at the end, write no traceback, and end with status 0.
"""

from __future__ import annotations

import argparse
import json
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codeindex.mcp.tools import TOOLS
from tests.conftest import made_repository, own_data

_FILES = {"pay.py": 'def charge(card):\n    """Take money from a card."""\n    return bool(card)\n'}
_A_SERVER, _AT_ONCE, _BEFORE_HELLO = 500, 25, 10
_SECONDS = 120.0
"""How long a reply may take; a loaded machine needs a few."""
_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "soak", "version": "1"},
}
_METHODS = (
    *("ping", "tools/list", "tools/call", "resources/list", "resources/templates/list"),
    *("resources/read", "resources/subscribe", "resources/unsubscribe", "prompts/list"),
    *("prompts/get", "completion/complete", "logging/setLevel", "initialize", "server/discover"),
    *("tasks/get", "tasks/list", "nonesuch", "", "rpc.discover", "tools/call\n", "__class__"),
)
_STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 10**30, -(10**400), 1e308, float("nan"), float("inf")),
    *("", " ", "x" * 3_000, "\0", "\x1b[31m", "\ud800", "\u2028", "é" * 50, "../../etc/passwd"),
    *("/dev/zero", "charge", "pay.py", "pay.py:1-99999999999", "**/*" * 20, "(" * 200, "{}"),
    *([], {}, [[]], {"a": None}, ["pay.py"] * 40, [None], {"": ""}, [0.1, "x"]),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line to send; `key` is its id as JSON, and `expected` what must be answered.

    `expected` is "reply" (under the id), "refusal" (without an id), or "" where either is right.
    """

    kind: str
    data: bytes
    expected: str
    key: str = ""


@dataclass(slots=True)
class Tally:
    """Counts of sent lines by kind, of replies and refusals; seconds of the slowest; problems."""

    sent: Counter[str] = field(default_factory=Counter)
    replies: int = 0
    refusals: int = 0
    slowest: float = 0.0
    problems: list[str] = field(default_factory=list)


def told(kind: str, data: bytes) -> Line:
    """Return a line with what a client may expect for it, as the protocol has it."""
    data = data.replace(b"\n", b" ").replace(b"\r", b" ")
    text = data.decode("utf-8", "replace")
    if not text.strip():
        return Line(kind, data, "")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    expected, key = _expected(found)
    return Line(kind, data, expected, key)


def _expected(message: object) -> tuple[str, str]:
    """Return what must be answered to a message, None for what is no JSON, and under which id."""
    if not isinstance(message, dict):
        return "refusal", ""
    if {"result", "error"} & message.keys():
        return "", ""
    given = message.get("id")
    if isinstance(given, int | str) and not isinstance(given, bool):
        return ("reply", json.dumps(given)) if str(given).isprintable() else ("", "")
    is_notification = "id" not in message and isinstance(message.get("method"), str)
    return ("" if is_notification else "refusal"), ""


class Maker:
    """Makes lines; ids are numbers or texts that no other line has, but for those used twice."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._number = 1_000
        self._kinds: Mapping[Callable[[], Iterator[bytes]], int] = {
            self.tool_call: 30,
            self.request: 12,
            self.damaged: 15,
            self.wrong_form: 12,
            self.deep: 3,
            self.odd_bytes: 8,
            self.batch: 4,
            self.twice: 4,
            self.cancelled: 4,
            self.notification: 4,
            self.response: 3,
            self.large: 1,
        }

    def lines(self) -> Iterator[Line]:
        """Yield lines for ever."""
        kinds, weights = list(self._kinds), list(self._kinds.values())
        while True:
            (kind,) = self._dice.choices(kinds, weights)
            for data in kind():
                yield self._judged(kind.__name__, data)

    def _judged(self, kind: str, data: bytes) -> Line:
        line = told(kind, data)
        is_open = kind == "cancelled"  # such a call may be answered, and need not be
        return Line(kind, line.data, "", line.key) if is_open else line

    def _id(self) -> int | str:
        self._number += 1
        return self._dice.choice((self._number, f"n{self._number}"))

    def _message(self, **more: Any) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": self._id(), **more}

    def _strange(self) -> Any:
        return self._dice.choice(_STRANGE)

    def _arguments(self, properties: Mapping[str, Any]) -> dict[str, Any]:
        names = [one for one in properties if self._dice.random() < 0.5]
        found = {one: self._strange() for one in names}
        if self._dice.random() < 0.1:
            found["nonesuch"] = self._strange()
        if self._dice.random() < 0.3 and "query" in properties:
            found |= {"query": "take money from a card"}
        return found

    def tool_call(self) -> Iterator[bytes]:
        name = self._dice.choice([*TOOLS, "nonesuch"])
        given = self._arguments(TOOLS[name].input["properties"]) if name in TOOLS else {}
        params = {"name": name, "arguments": given}
        if self._dice.random() < 0.1:
            params["arguments"] = self._strange()
        yield _written(self._message(method="tools/call", params=params))

    def request(self) -> Iterator[bytes]:
        names = ("cursor", "uri", "name", "arguments", "level", "ref", "_meta", "taskId")
        params = {one: self._strange() for one in names if self._dice.random() < 0.4}
        yield _written(self._message(method=self._dice.choice(_METHODS), params=params))

    def damaged(self) -> Iterator[bytes]:
        (data,) = self.tool_call()
        cut = self._dice.randrange(len(data) + 1)
        other = self._dice.choice((b"", b"{", b'"', b"\\", b"\x00", b"]", b",", b"}}"))
        yield data[:cut] + other + (data[cut + 1 :] if self._dice.random() < 0.5 else b"")

    def wrong_form(self) -> Iterator[bytes]:
        message = self._message(method="ping", params={})
        for name in self._dice.choices(("jsonrpc", "id", "method", "params"), k=2):
            if self._dice.random() < 0.3:
                message.pop(name, None)
            else:
                message[name] = self._strange()
        yield _written(message)

    def deep(self) -> Iterator[bytes]:
        depth = self._dice.choice((50, 150, 500, 3_000, 50_000))
        inner = b'{"a":' * depth + b"1" + b"}" * depth
        if self._dice.random() < 0.5:
            inner = b"[" * depth + b"]" * self._dice.choice((depth, depth - 1))
        call = {"name": "search_code", "arguments": {"query": "QUERY"}}
        data = _written(self._message(method="tools/call", params=call))
        yield data.replace(b'"QUERY"', inner)

    def odd_bytes(self) -> Iterator[bytes]:
        (data,) = self.tool_call()
        for _ in range(self._dice.randint(1, 4)):
            at = self._dice.randrange(len(data))
            odd = (
                b"\xff",
                b"\xc0\x80",
                b"\xed\xa0\x80",
                b"\xef\xbb\xbf",
                b"\r",
                b"\\ud83d",
                b"\\u0000",
            )
            data = data[:at] + self._dice.choice(odd) + data[at:]
        yield data

    def batch(self) -> Iterator[bytes]:
        size = self._dice.choice((0, 1, 2, 300))
        yield _written([self._message(method="ping") for _ in range(size)])

    def twice(self) -> Iterator[bytes]:
        for message in [self._message(method="ping")] * 2:
            yield _written(message)

    def cancelled(self) -> Iterator[bytes]:
        call = {"name": "search_code", "arguments": {"query": "take money"}}
        message = self._message(method="tools/call", params=call)
        yield _written(message)
        given = self._dice.choice((message["id"], self._strange()))
        params = {"requestId": given, "reason": self._strange()}
        yield _written({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})

    def notification(self) -> Iterator[bytes]:
        names = ("initialized", "progress", "roots/list_changed", "nonesuch", "message")
        params = {"progressToken": self._strange(), "progress": self._strange()}
        method = f"notifications/{self._dice.choice(names)}"
        yield _written({"jsonrpc": "2.0", "method": method, "params": params})

    def response(self) -> Iterator[bytes]:
        body = {"result": self._strange()}
        if self._dice.random() < 0.5:
            body = {"error": {"code": self._strange(), "message": self._strange()}}
        yield _written({"jsonrpc": "2.0", "id": self._strange(), **body})

    def large(self) -> Iterator[bytes]:
        call = {"name": "search_code", "arguments": {"query": "money " * 200_000}}
        yield _written(self._message(method="tools/call", params=call))


def _written(message: Any) -> bytes:
    return json.dumps(message).encode()


class Server:
    """A running server; its replies are read by a thread of its own."""

    def __init__(self, root: Path) -> None:
        command = [sys.executable, "-P", "-m", "codeindex", "serve", "--structured"]
        pipe = subprocess.PIPE
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the server)
        self.process = subprocess.Popen(
            command, cwd=root, stdin=pipe, stdout=pipe, stderr=self._errors
        )
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def send(self, lines: Sequence[bytes]) -> None:
        assert self.process.stdin
        self.process.stdin.write(b"".join(line + b"\n" for line in lines))
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """Return the next reply; queue.Empty where none comes, ValueError where it is none."""
        line = self._lines.get(timeout=_SECONDS)
        found = json.loads(line)
        if not isinstance(found, dict) or found.get("jsonrpc") != "2.0":
            raise ValueError(f"no message: {line[:200]!r}")
        return found

    def end(self) -> str:
        """Close the pipe; return what is wrong with how the server ended."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        try:
            status = self.process.wait(timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace")
        self._errors.close()
        self._reader.join()
        self.process.stdout.close()
        at = said.find("Traceback")
        return f"status {status}; {said[at:][-1500:] if at >= 0 else ''}" * (status != 0 or at >= 0)


def exchange(server: Server, lines: Sequence[Line], tally: Tally) -> None:
    """Send lines at once and wait for all that must be answered."""
    expected = Counter(one.key for one in lines if one.expected == "reply")
    refusals = sum(one.expected == "refusal" for one in lines)
    tally.sent.update(one.kind for one in lines)
    started = time.monotonic()
    server.send([one.data for one in lines])
    while expected.total() or refusals > 0:
        try:
            reply = server.receive()
        except queue.Empty:
            missing = [one.data[:300] for one in lines if one.key in expected]
            tally.problems.append(f"{refusals} refusals and replies are missing to {missing}")
            return
        except ValueError as error:
            tally.problems.append(f"{error} after {[one.data[:200] for one in lines][-5:]}")
            return
        if "method" in reply:
            continue  # what the server tells or asks by itself
        key = json.dumps(reply["id"])
        if key == "null":
            refusals -= 1
            tally.refusals += 1
        else:
            tally.replies += 1
            expected[key] -= 1
            expected += Counter()  # without those that have come
    tally.slowest = max(tally.slowest, time.monotonic() - started)


def converse(root: Path, maker: Iterator[Line], count: int, tally: Tally) -> None:
    """Send so many lines to a server of its own, and see that it is well at the end."""
    server = Server(root)
    sent = 0
    while sent < count:
        if sent == _BEFORE_HELLO:
            hello = {"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": _HELLO}
            exchange(server, [told("hello", _written(hello))], tally)
            server.send([b'{"jsonrpc": "2.0", "method": "notifications/initialized"}'])
        most = _BEFORE_HELLO if sent < _BEFORE_HELLO else min(_AT_ONCE, count - sent)
        lines = [next(maker) for _ in range(most)]
        exchange(server, [one for one in lines if one.expected], tally)
        ping = told("ping", _written({"jsonrpc": "2.0", "id": f"ping {sent}", "method": "ping"}))
        exchange(server, [*(one for one in lines if not one.expected), ping], tally)
        sent += most
        if server.process.poll() is not None:
            break
    call = {"name": "search_code", "arguments": {"query": "take money from a card"}}
    last = {"jsonrpc": "2.0", "id": "last", "method": "tools/call", "params": call}
    if server.process.poll() is None:
        exchange(server, [told("last", _written(last))], tally)
    if problem := server.end():
        tally.problems.append(problem)


def fuzz(root: Path, count: int, seed: int) -> Tally:
    tally, maker = Tally(), Maker(random.Random(seed)).lines()
    for start in range(0, count, _A_SERVER):
        converse(root, maker, min(_A_SERVER, count - start), tally)
        print(f"{sum(tally.sent.values()):,} lines, {len(tally.problems)} problems", flush=True)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--messages", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, own_data(Path(scratch)):
        root = made_repository(Path(scratch) / "shop", _FILES)
        tally = fuzz(root, given.messages, given.seed)
    for kind, count in sorted(tally.sent.items()):
        print(f"{kind:16}{count:8,}")
    print(f"replies {tally.replies:,}, refusals {tally.refusals:,}")
    print(f"slowest {_AT_ONCE} lines: {tally.slowest:.1f} s; {len(tally.problems)} problems")
    print(*tally.problems, sep="\n")
    return int(bool(tally.problems))


if __name__ == "__main__":
    sys.exit(main())

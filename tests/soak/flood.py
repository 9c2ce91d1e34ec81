"""A flood of connections that never end their headers, and a client that behaves well.

    python -m tests.soak.flood [--seconds 60] [--rate 200]

Starts `codeindex serve --http` on a small repository. A client asks over one connection that it
keeps, with pauses between its requests, while `rate` connections a second begin a request and send
no more of it. Nothing that the client asks may fail, and its connection may not be closed.
"""

from __future__ import annotations

import argparse
import http.client
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from codeindex import Index
from tests.conftest import made_repository, own_data

HEAD = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
QUESTION = "/api/search/code?query=take+money+from+a+card"
_FILES = {"pay.py": 'def charge(card):\n    """Take money from a card."""\n    return bool(card)\n'}
_PAUSE_SECONDS = 1.5
"""Between two requests, in which more connections are opened than the server lets wait."""
_MOST_OPEN = 800


@dataclass(slots=True)
class Tally:
    """What the client asked and the flood opened; all but the first two are to be 0."""

    asked: int = 0
    opened: int = 0
    failed: int = 0
    reconnected: int = 0


class Flood:
    """Connections that begin a request and send no more of it; at most `most` are open."""

    def __init__(self, port: int, most: int = _MOST_OPEN) -> None:
        self._port, self._most = port, most
        self._open: list[socket.socket] = []

    def add(self) -> None:
        connection = socket.create_connection(("127.0.0.1", self._port), timeout=30)
        connection.sendall(HEAD)
        self._open.append(connection)
        if len(self._open) > self._most:
            self._open.pop(0).close()

    def close(self) -> None:
        for one in self._open:
            one.close()


class KeptConnection:
    """A client that asks over one connection and notices when the server has closed it."""

    def __init__(self, port: int, headers: Mapping[str, str] | None = None) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = dict(headers or {})
        self._socket: socket.socket | None = None

    def ask(self, path: str, tally: Tally) -> None:
        tally.asked += 1
        try:
            self._connection.request("GET", path, headers=self._headers)
            answer = self._connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            tally.failed += 1
            self._connection.close()
            return
        tally.failed += answer.status != http.client.OK
        tally.reconnected += self._socket not in {None, self._connection.sock}
        self._socket = self._connection.sock

    def close(self) -> None:
        self._connection.close()


@contextmanager
def serving(root: Path) -> Iterator[int]:
    """Start the server of a repository; yield its port."""
    command = [sys.executable, "-P", "-m", "codeindex", "serve", "--http", "0"]
    with subprocess.Popen(
        command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr
            found = re.search(r":(\d+)/mcp", process.stderr.readline())
            assert found
            threading.Thread(target=process.stderr.read, daemon=True).start()
            yield int(found[1])
        finally:
            process.kill()


def flooded(port: int, *, seconds: float, rate: float) -> Tally:
    """Ask and flood at once for some seconds; return what came of it."""
    tally, ended = Tally(), threading.Event()
    flood = Flood(port)

    def open_many() -> None:
        while not ended.wait(1 / rate):
            with suppress(OSError):  # refused or closed at once: that is the server's right
                flood.add()
                tally.opened += 1

    client = KeptConnection(port)
    client.ask(QUESTION, tally)
    thread = threading.Thread(target=open_many)
    thread.start()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(_PAUSE_SECONDS)
        client.ask(QUESTION, tally)
    ended.set()
    thread.join()
    flood.close()
    client.close()
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=200.0, help="connections a second")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, own_data(Path(scratch)):
        root = made_repository(Path(scratch) / "shop", _FILES)
        with Index.open(root) as index:
            index.sync()
        with serving(root) as port:
            tally = flooded(port, seconds=given.seconds, rate=given.rate)
    print(f"connections of the flood  {tally.opened:,}")
    print(f"requests of the client    {tally.asked:,}")
    print(f"  that failed             {tally.failed:,}")
    print(f"  that had to reconnect   {tally.reconnected:,}")
    return int(bool(tally.failed or tally.reconnected))


if __name__ == "__main__":
    sys.exit(main())

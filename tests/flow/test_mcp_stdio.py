"""`codeindex serve` as a process: what it writes, imports and serves, and when it ends."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import anyio
import psutil
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.context import ClientRequestContext
from mcp_types import ListRootsResult, Root

from codeindex import Index
from tests.conftest import Repository
from tests.flow.serving import FILES, HELLO

pytestmark = pytest.mark.usefixtures("home")
POSIX = pytest.mark.skipif(os.name != "posix", reason="parents and signals of POSIX systems")
SERVE = ["-P", "-m", "codeindex", "serve", "--structured"]
QUESTION = {"query": "take money from a card"}
HEAVY = {"chromadb", "diskcache", "networkx", "numpy", "onnxruntime", "tokenizers", "tree_sitter"}
SOON = 20.0
"""Seconds that a busy machine may take to end a process; a stuck one takes for ever."""


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, **more}  # noqa: TID251


@contextmanager
def serving(cwd: Path, *words: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    """Start a server; its input is closed and its end awaited when the block is left."""
    pipe = subprocess.PIPE
    command = [sys.executable, *SERVE, *words]
    with subprocess.Popen(
        command, cwd=cwd, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment(**more)
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def shop(repository: Repository) -> Path:
    """A repository whose structure is indexed, so that its server has nothing to index."""
    return indexed(repository(FILES))


def indexed(root: Path) -> Path:
    with Index.open(root) as index:
        index.sync(structure_only=True)
    return root


def say(stream: IO[str] | None, message: Mapping[str, Any]) -> None:
    assert stream is not None
    stream.write(json.dumps(message) + "\n")
    stream.flush()


def heard(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    found: dict[str, Any] = json.loads(process.stdout.readline())
    return found


def client(cwd: Path, *words: str, **more: Any) -> Client:
    env = environment(**more.pop("env", {}))
    command = StdioServerParameters(
        command=sys.executable, args=[*SERVE, *words], cwd=str(cwd), env=env
    )
    return Client(command, **more)


def asked(one: Client, name: str, **arguments: Any) -> Any:
    """Return what a tool answers in a session of its own: data, or the sentence of an error."""

    async def ask() -> Any:
        async with one as connected:
            found = await connected.call_tool(name, arguments)
            return found.content[0].text if found.is_error else found.structured_content  # type: ignore[union-attr]

    return anyio.run(ask)


def names(found: Any) -> list[str]:
    return [one["repo"] for one in found["repos"]]


def test_standard_output_is_the_protocols_whatever_prints(shop: Path, tmp_path: Path) -> None:
    loud = tmp_path / "loud"
    loud.mkdir()
    for module in ("starlette", "httpx2"):  # two that are imported on the way
        (loud / f"{module}.py").write_text(
            "import os, sys, importlib.util, importlib.machinery\n"
            f"print('printed by {module}'); os.write(1, b'written')\n"
            "sys.path.remove(os.path.dirname(__file__)); del sys.modules[__name__]\n"
            f"import {module}\n"
            "sys.path.insert(0, os.path.dirname(__file__))\n"
        )
    path = os.pathsep.join([str(loud), *filter(None, [os.environ.get("PYTHONPATH")])])  # noqa: TID251
    call = {"name": "search_code", "arguments": QUESTION}
    with serving(shop, PYTHONPATH=path) as server:
        say(server.stdin, HELLO)
        first = heard(server)
        say(server.stdin, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        say(server.stdin, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call})
        second = heard(server)
        out, err = server.communicate(timeout=SOON)
    assert (first["id"], second["id"]) == (1, 2)
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in out.splitlines())
    assert "printed by starlette" in err


def test_greeting_a_client_imports_nothing_that_answers_need(repository: Repository) -> None:
    with serving(repository(FILES), PYTHONPROFILEIMPORTTIME="1") as server:
        say(server.stdin, HELLO)
        assert heard(server)["result"]["serverInfo"]["name"] == "codeindex"
        server.kill()
        _, err = server.communicate(timeout=SOON)
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in err.splitlines()}
    assert "mcp" in imported
    assert imported & HEAVY == set()


def test_it_ends_when_its_input_ends(shop: Path) -> None:
    with serving(shop) as server:
        say(server.stdin, HELLO)
        heard(server)
        server.communicate(timeout=SOON)
        assert server.returncode == 0


@POSIX
def test_it_ends_without_a_traceback_when_nobody_reads_it(shop: Path) -> None:
    command = [sys.executable, "-P", "-m", "codeindex", "serve"]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, cwd=shop, text=True, **pipes) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(json.dumps(HELLO) + "\n")
        process.stdin.flush()
        assert process.wait(30) == 0
        assert "Traceback" not in process.stderr.read()


@POSIX
def test_it_ends_when_its_parent_is_killed(repository: Repository) -> None:
    """Its input stays open: we hold the other end of it."""
    reading, writing = os.pipe()
    code = (
        "import subprocess, sys; p = subprocess.Popen(sys.argv[1:], stdin=0);"
        "print(p.pid, file=sys.stderr, flush=True); p.wait()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, sys.executable, *SERVE],
        cwd=repository(FILES),
        stdin=reading,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stderr is not None
        server = psutil.Process(int(parent.stderr.readline()))
        os.write(writing, (json.dumps(HELLO) + "\n").encode())
        heard(parent)
        parent.send_signal(signal.SIGKILL)
        server.wait(timeout=SOON)
    os.close(reading)
    os.close(writing)


def test_the_folders_of_a_client_are_served_if_it_offers_them(shop: Path, tmp_path: Path) -> None:
    async def offered(_: ClientRequestContext) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=shop.as_uri())])  # type: ignore[arg-type]

    one = client(tmp_path, mode="legacy", list_roots_callback=offered)
    assert names(asked(one, "status")) == ["shop"]


def test_the_folders_of_a_client_come_before_the_current_folder_of_the_server(
    repository: Repository, shop: Path
) -> None:
    other = repository(FILES, name="other")

    async def offered(_: ClientRequestContext) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=shop.as_uri())])  # type: ignore[arg-type]

    async def ask() -> Any:
        async with client(other, mode="legacy", list_roots_callback=offered) as one:
            await one.list_tools()  # clients do so first; it opens the repositories
            await anyio.sleep(1.0)
            return (await one.call_tool("status", {})).structured_content

    assert names(anyio.run(ask)) == ["shop"]


@POSIX
def test_a_server_ends_with_the_terminal_that_it_reads_from(shop: Path) -> None:
    import pty
    import tty

    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    command = [sys.executable, *SERVE]
    with subprocess.Popen(
        command, cwd=shop, stdin=theirs, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as server:
        os.close(theirs)
        os.write(ours, (json.dumps(HELLO) + "\n").encode())
        assert heard(server)["id"] == 1
        os.close(ours)
        try:
            assert server.wait(timeout=SOON) == 0
        finally:
            server.kill()


def _answer_roots(
    server: subprocess.Popen[str], *, until: int, roots: object
) -> tuple[dict[str, Any], int]:
    """Answer each `roots/list` of a server; return its answer to request `until`, and their number.

    The server may ask once more if a tool is called before it has the first answer.
    """
    count = 0
    while (message := heard(server)).get("method") == "roots/list":
        count += 1
        say(server.stdin, {"jsonrpc": "2.0", "id": message["id"], "result": {"roots": roots}})
    assert message["id"] == until
    return message, count


def test_roots_that_are_no_roots_end_no_server(shop: Path) -> None:
    params: dict[str, Any] = HELLO["params"]  # type: ignore[assignment]
    offers_roots = {**HELLO, "params": {**params, "capabilities": {"roots": {}}}}
    with serving(shop) as server:
        say(server.stdin, offers_roots)
        heard(server)
        say(server.stdin, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        say(server.stdin, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
        answer, count = _answer_roots(server, until=2, roots="none")
        if not count:  # the question came after the list of tools
            say(server.stdin, {"jsonrpc": "2.0", "id": heard(server)["id"], "result": {"roots": 1}})
        call = {"name": "status", "arguments": {}}
        say(server.stdin, {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call})
        answer, _ = _answer_roots(server, until=3, roots="none")
    assert names(answer["result"]["structuredContent"]) == ["shop"]


def test_the_project_of_the_environment_is_served_before_the_current_folder(
    repository: Repository, shop: Path
) -> None:
    other = repository(FILES, name="other")
    one = client(other, env={"CLAUDE_PROJECT_DIR": str(shop)})
    assert names(asked(one, "status")) == ["shop"]


def test_only_named_repositories_are_served(repository: Repository, shop: Path) -> None:
    other = indexed(repository(FILES, name="other"))
    one = client(shop, str(other), str(shop), env={"CLAUDE_PROJECT_DIR": "/"})
    found = asked(one, "search_code", **QUESTION, repo="shop")
    assert found["results"][0]["file_path"] == "shop/pay.py"


def others(shop: Path, other: Path, tmp_path: Path) -> list[str]:
    """Return every way of naming another repository than the one that is served."""
    link = tmp_path / "link"
    link.symlink_to(other)
    inner = shop / "inner"
    inner.symlink_to(other)
    return ["other", str(other), "../other", f"{shop}/../other", str(link), str(inner), "inner"]


def test_no_other_repository_is_read_or_written_however_it_is_named(
    repository: Repository, shop: Path, tmp_path: Path
) -> None:
    other = indexed(repository({"secret.py": "def hidden(): ...\n"}, name="other"))
    named = others(shop, other, tmp_path)

    async def ask() -> list[Any]:
        async with client(shop, "--root", ".") as connected:
            found = []
            for name in named:
                scope = {"type": "repos", "repos": [name]}
                for tool, given in (
                    ("find", {"query": "hidden", "mode": "symbol", "repo": name}),
                    ("search_code", {"query": "hidden", "scope": scope}),
                    ("ask_code", {"query": "hidden", "scope": scope}),
                    ("open_file", {"path": "secret.py", "repo": name}),
                    ("regenerate_index", {"repo": name}),
                    ("wiki_generate", {"repo": name}),
                ):
                    found.append(await connected.call_tool(tool, given))
            found.append(await connected.call_tool("status", {"repo": "nonesuch"}))
            status = await connected.call_tool("status", {})
            assert names(status.structured_content) == ["shop"]
            return found

    for one in anyio.run(ask):
        assert one.is_error
        assert "Served here: shop." in one.content[0].text
        assert "def hidden" not in one.content[0].text
    assert {one.name for one in other.iterdir()} == {".git", "secret.py"}


def test_another_repository_is_asked_when_that_is_allowed_and_is_not_mixed_in(
    repository: Repository, shop: Path
) -> None:
    other = indexed(repository({"secret.py": "def hidden(): ...\n"}, name="other"))

    async def ask() -> list[Any]:
        async with client(shop, "--any-repo") as connected:
            asked = {"query": "hidden", "mode": "symbol"}
            found = [await connected.call_tool("find", {**asked, "repo": str(other)})]
            found.append(await connected.call_tool("search_code", {"query": "hidden"}))
            found.append(await connected.call_tool("status", {}))
            return [one.structured_content for one in found]

    found, mixed, status = anyio.run(ask)
    assert found["symbols"][0]["file"] == "secret.py"
    assert not [one for one in mixed["results"] if one["file_path"] == "secret.py"]
    assert names(status) == ["shop"]


@pytest.mark.parametrize("place", ["/", "~"])
def test_a_whole_disk_or_home_is_refused(tmp_path: Path, place: str) -> None:
    own = tmp_path / "me"
    own.mkdir()
    one = client(own if place == "~" else Path(place), env={"HOME": str(own)})
    assert "is not one project" in asked(one, "search_code", **QUESTION)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_first_question_hears_how_far_the_index_is(repository: Repository, mode: Any) -> None:
    root = repository({f"lib/part_{n}.py": f"def step_{n}(): ...\n" * 40 for n in range(60)})
    steps: list[tuple[float, float | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        assert message is not None
        steps.append((progress, total))

    async def ask() -> Any:
        async with client(root, mode=mode) as one:
            question = {"query": "step"}
            return await one.call_tool("search_code", question, progress_callback=note)

    assert not anyio.run(ask).is_error
    assert steps == sorted(set(steps), key=lambda step: step[0])
    assert steps
    assert {total for _, total in steps} <= {None, 60}


def test_subscribers_hear_of_a_change_over_a_pipe(repository: Repository) -> None:
    root = repository(FILES)
    with Index.open(root) as index:
        index.sync()
    uri = "codeindex://relevant"

    async def hear() -> Any:
        async with client(root) as one, one.listen(resource_subscriptions=[uri]) as told:
            await one.call_tool("search_code", QUESTION)
            (root / "shop/new.py").write_text("def fresh(): ...\n")
            await one.call_tool("search_code", {**QUESTION, "sync": True})
            with anyio.fail_after(SOON):
                return await anext(told)

    assert anyio.run(hear).uri == uri


def test_a_port_that_is_taken_is_a_sentence_and_status_2(shop: Path) -> None:
    with serving(shop, "--http", "0") as first:
        assert first.stderr is not None
        url = first.stderr.readline().split()[-1]
        port = url.removesuffix("/mcp").rpartition(":")[2]
        done = subprocess.run(
            [sys.executable, *SERVE, "--http", port], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert done.stderr.startswith(f"codeindex: Nothing can listen at '127.0.0.1:{port}'")
        assert done.stderr.count("\n") == 1
        first.send_signal(signal.SIGTERM)
        out, _ = first.communicate(timeout=SOON)
        assert (first.returncode, out) == (0, "")


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]"])
def test_a_token_is_made_up_and_told_where_others_can_connect(shop: Path, host: str) -> None:
    with serving(shop, "--http", f"{host}:0") as server:
        assert server.stderr is not None
        lines = [server.stderr.readline() for _ in range(2)]
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=SOON)
    assert host in lines[0]
    assert len(lines[1].split()[-1]) >= 40
    assert server.returncode == 0


BAD_LINES: list[tuple[str, int, Any]] = [
    ("{", -32700, None),
    ("[" * 50_000, -32700, None),
    ("[1]", -32600, None),
    ('{"jsonrpc": "2.0", "id": 7, "method": 5}', -32600, 7),
    ('{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600, None),
    ('{"jsonrpc": "2.0", "id": "a", "method": "ping", "params": {"a": "\\ud800"}}', -32600, "a"),
    ('{"jsonrpc": "2.0", "id": 3, "result": 5}', -32600, None),
]


def test_every_line_is_answered_though_it_is_no_message(shop: Path) -> None:
    with serving(shop) as server:
        assert server.stdin is not None
        for line, code, given in BAD_LINES:
            server.stdin.write(f"{line}\n")
            server.stdin.flush()
            told = heard(server)
            assert (told["error"]["code"], told["id"]) == (code, given), line[:60]
        say(server.stdin, HELLO)
        assert heard(server)["id"] == HELLO["id"]


@POSIX
@pytest.mark.parametrize("words", [(), ("--http", "0")])
def test_one_interrupt_ends_it(shop: Path, words: tuple[str, ...]) -> None:
    with serving(shop, *words) as server:
        if words:
            assert server.stderr is not None
            assert "/mcp" in server.stderr.readline()
        else:
            say(server.stdin, HELLO)
            assert heard(server)["id"] == HELLO["id"]
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=SOON) == (0 if words else 130)

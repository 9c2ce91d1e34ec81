"""The server by HTTP, as clients, browsers and strangers see it."""

import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, closing, suppress
from functools import partial
from http.client import HTTPResponse
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import anyio
import anyio.to_thread
import httpx2
import mcp_types as wire
import pytest
from mcp import Client
from mcp.client.session import IncomingMessage
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ResourceUpdated

from codeindex import Index, __version__
from codeindex.mcp.auth_middleware import RateLimiter
from codeindex.mcp.connection_limits import ConnectionLimits
from codeindex.mcp.http import MAX_BODY_BYTES
from tests.conftest import Repository
from tests.flow.asking import DEFAULT, indexed_shop
from tests.flow.serving import BOTH, FILES, HELLO, Site, site
from tests.soak import flood

Mode = Literal["auto", "legacy"]
MODES: list[Mode] = ["auto", "legacy"]
TOKEN = "a-token-for-a-test"
STATUS = "codeindex://status"
HOME = pytest.mark.usefixtures("home")
QUESTION = {"query": "take money from a card"}


def indexed(root: Path) -> Path:
    with Index.open(root) as index:
        index.sync()
    return root


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An indexed repository that no test changes."""
    with indexed_shop(tmp_path_factory.mktemp("http"), FILES) as shop_root:
        yield shop_root


@pytest.fixture(scope="module")
def shop(root: Path) -> Iterator[Site]:
    with site(root) as running:
        yield running


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_gets_answers_in_both_protocols(shop: Site, mode: Mode) -> None:
    async def ask() -> Any:
        async with Client(f"{shop.url}/mcp", mode=mode) as client:
            tools = await client.list_tools()
            found = await client.call_tool("search_code", QUESTION)
            return {one.name for one in tools.tools}, found.structured_content

    names, found = anyio.run(ask)
    assert names == DEFAULT
    assert found["results"][0]["file_path"] == "shop/pay.py"


def test_health_names_no_served_repository(shop: Site) -> None:
    assert shop.ask("/health").json() == {"status": "ok", "version": __version__}


def test_a_search_by_plain_http_has_the_older_contracts_shape(shop: Site) -> None:
    found = shop.ask("/api/search/code", params={**QUESTION, "limit": "1", "language": "python"})
    (hit,) = found.json()["results"]
    assert set(hit) == {"file_path", "line_start", "line_end", "snippet", "score"}
    assert hit["file_path"] == "shop/pay.py"


def test_several_queries_by_plain_http_are_answered_apart(shop: Site) -> None:
    found = shop.ask("/api/search/code?query=charge&query=checkout&query=%20").json()
    assert {
        query: answer["results"][0]["file_path"] for query, answer in found["answers"].items()
    } == {
        "charge": "shop/pay.py",
        "checkout": "shop/cart.py",
    }
    assert "empty" in found["failed"][" "]
    many = shop.ask("/api/search/code", params={"query": [f"q{n}" for n in range(11)]})
    assert (many.status_code, "at most 10" in many.json()["error"]) == (400, True)


@HOME
def test_files_are_listed_and_synced_by_plain_http(repository: Repository) -> None:
    root = indexed(repository(FILES))
    with site(root) as shop:
        assert shop.ask("/api/code-files/list").json()["files"] == sorted(FILES)
        shop.ask("/api/code-files/sync", "POST")  # waits for the sync that a server starts with
        (root / "shop/new.py").write_text("def fresh(): ...\n")
        done = shop.ask("/api/code-files/sync", "POST").json()
        assert (done["repo"], done["added"], done["changed"]) == ("shop", 1, 0)
        assert "shop/new.py" in shop.ask("/api/code-files/list").json()["files"]


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/api/search/code", 400, "'query' is missing"),
        ("/api/search/code?query=", 400, "empty"),
        ("/api/search/code?query=x&limit=ten", 400, "give an integer"),
        ("/api/search/code?query=charge&path=nowhere", 400, "called 'nowhere'"),
        ("/api/search/code?query=x&colour=red", 400, "no parameter 'colour'"),
        ("/api/code-files/list?limit=3", 400, "no parameter 'limit'"),
        ("/api/code-files/list?repo=nowhere", 404, "Served here: shop."),
        ("/api/code-files/list?repo=/", 404, "Served here: shop."),
        ("/nowhere", 404, "GET /api/search/code"),
        ("/api/code-files/sync", 405, "POST /api/code-files/sync"),
    ],
)
def test_a_bad_request_is_a_sentence_in_json(
    shop: Site, path: str, status: int, sentence: str
) -> None:
    found = shop.ask(path)
    assert (found.status_code, sentence in found.json()["error"]) == (status, True)


@pytest.mark.parametrize("path", ["/health", "/api/code-files/list", "/mcp"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Host": "127.0.0.1.evil.example"},
        {"Host": "192.0.2.1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
    ids=str,
)
def test_other_sites_are_refused_on_every_path(
    shop: Site, path: str, headers: dict[str, str]
) -> None:
    found = shop.ask(path, headers=headers)
    assert found.status_code == 403
    assert "server" in found.json()["error"]


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST:9"])
def test_this_machine_may_be_called_by_its_usual_names(shop: Site, name: str) -> None:
    headers = {"Host": name, "Origin": f"http://{name}"}
    assert shop.ask("/health", headers=headers).status_code == 200


def test_clients_cannot_have_other_repositories_opened(shop: Site, repository: Repository) -> None:
    other = repository({"secret.py": "x = 1\n"}, name="other")

    async def ask() -> Any:
        async with Client(f"{shop.url}/mcp") as client:
            found = await client.call_tool("find", {"query": "x", "repo": str(other)})
            return found.is_error, found.content[0].text  # type: ignore[union-attr]

    failed, sentence = anyio.run(ask)
    assert failed
    assert "Served here: shop." in sentence


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": TOKEN},
        {"Authorization": "Bearer \xe9".encode("latin-1")},
    ],
    ids=str,
)
def test_without_the_token_only_health_is_answered(root: Path, headers: Any) -> None:
    with site(root, token=TOKEN) as shop:
        assert shop.ask("/health", headers=headers).status_code == 200
        for path in ("/mcp", "/api/search/code?query=card", "/nowhere"):
            found = shop.ask(path, headers=headers)
            assert (found.status_code, found.headers["WWW-Authenticate"]) == (401, "Bearer")


def test_with_the_token_a_client_is_served_under_any_number(root: Path) -> None:
    headers = {"Authorization": f"bearer {TOKEN}", "Host": "192.0.2.1:80"}

    async def ask(url: str) -> Any:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
        ):
            return (await client.call_tool("search_code", QUESTION)).is_error

    with site(root, host="0.0.0.0", token=TOKEN) as shop:
        assert shop.ask("/api/code-files/list", headers=headers).status_code == 200
        assert shop.ask("/health", headers={"Host": "evil.example"}).status_code == 403
        assert not anyio.run(ask, shop.url)


def test_a_request_that_is_too_large_is_not_read(shop: Site) -> None:
    assert shop.post({**HELLO, "params": {"fill": "x" * MAX_BODY_BYTES}}).status_code == 413


def test_too_many_requests_are_told_when_to_come_back(root: Path) -> None:
    with site(root, limiter=RateLimiter(0.01, 3)) as shop:
        statuses = [shop.ask("/health").status_code for _ in range(4)]
        late = shop.ask("/health")
        assert (statuses, late.status_code) == ([200, 200, 200, 429], 429)
        assert 90 <= int(late.headers["Retry-After"]) <= 100


def test_wrong_tokens_keep_the_right_one_of_the_same_address_not_out(root: Path) -> None:
    right = {"Authorization": f"Bearer {TOKEN}"}
    wrong = {"Authorization": "Bearer wrong"}
    with site(root, token=TOKEN, limiter=RateLimiter(0.01, 3)) as shop:
        path = "/api/code-files/list"
        refused = [shop.ask(path, headers=wrong).status_code for _ in range(5)]
        assert refused == [401, 401, 401, 429, 429]
        assert shop.ask("/health").status_code == 429
        statuses = [shop.ask(path, headers=right).status_code for _ in range(4)]
        assert statuses == [200, 200, 200, 429]


def test_clients_of_a_proxy_have_a_bucket_each(root: Path) -> None:
    def statuses(shop: Site, *clients: str) -> list[int]:
        sent = [{"X-Forwarded-For": one} for one in clients]
        return [shop.ask("/health", headers=one).status_code for one in sent]

    clients = ("192.0.2.1", "192.0.2.1", "192.0.2.2")
    with site(root, limiter=RateLimiter(0.01, 1), proxies="127.0.0.1") as shop:
        assert statuses(shop, *clients) == [200, 429, 200]
    with site(root, limiter=RateLimiter(0.01, 1)) as shop:  # anybody could say to be any address
        assert statuses(shop, *clients) == [200, 429, 429]


def silent_connection(port: int) -> socket.socket:
    """Open a connection that begins a request and sends no more of it."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(b"GET /health HTTP/1.1\r\n")
    return connection


def test_clients_that_never_end_their_headers_keep_nobody_out(root: Path) -> None:
    with site(root, limits=ConnectionLimits(max_pending=20)) as shop, ExitStack() as held:
        port = int(shop.url.rpartition(":")[2])
        for _ in range(150):
            held.enter_context(silent_connection(port))
        assert [shop.ask("/health").status_code for _ in range(3)] == [200, 200, 200]


def test_a_request_that_does_not_come_in_time_is_not_waited_for(root: Path) -> None:
    with site(root, limits=ConnectionLimits(header_seconds=0.5, body_seconds=1.0)) as shop:
        port = int(shop.url.rpartition(":")[2])
        with silent_connection(port) as one:
            one.settimeout(20)
            assert not received(one)
        with socket.create_connection(("127.0.0.1", port)) as one:
            one.settimeout(20)
            lines = (
                "POST /mcp HTTP/1.1",
                "Host: 127.0.0.1",
                "Content-Length: 9",
                f"Accept: {BOTH}",
            )
            kind = "Content-Type: application/json"
            one.sendall("\r\n".join((*lines, kind, "", "{")).encode())
            assert not received(one)


@pytest.mark.parametrize("line", [b"X: a\r\n", b"X-Long-" + b"a" * 1_000])
def test_a_head_that_never_ends_is_refused(root: Path, line: bytes) -> None:
    with site(root) as shop:
        port = int(shop.url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as one:
            one.settimeout(20)
            one.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            with suppress(ConnectionError):
                for _ in range(40):
                    one.sendall(line * (100_000 // len(line)))
            answer = received(one)  # nothing if the rest of what was sent resets the connection
            assert not answer or b"400 Bad Request" in answer
        assert shop.ask("/health").status_code == 200


def test_a_body_and_further_requests_do_not_count_as_a_head(root: Path) -> None:
    with site(root) as shop:
        port = int(shop.url.rpartition(":")[2])
        lines = ("POST /mcp HTTP/1.1", f"Host: 127.0.0.1:{port}", "Content-Length: 90000", "", "")
        head = "\r\n".join(lines).encode()
        for pause in (0.0, 0.2):
            with socket.create_connection(("127.0.0.1", port)) as one:
                one.settimeout(20)
                one.sendall(head[:-2])
                time.sleep(pause)
                one.sendall(head[-2:] + b"b" * 90_000)
                answer = one.recv(4_096)
                assert answer.startswith(b"HTTP/1.1 4")
                assert b"no valid HTTP" not in answer
        with socket.create_connection(("127.0.0.1", port)) as one:
            one.settimeout(20)
            for _ in range(70):  # together more than a head may have
                one.sendall(
                    b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 1_000 + b"\r\n\r\n"
                )
                assert status_of_answer(one) == 200


def test_a_client_keeps_its_connection_between_requests_but_not_within_one(root: Path) -> None:
    with site(root, limits=ConnectionLimits(header_seconds=0.5)) as shop:
        port = int(shop.url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as one:
            one.settimeout(20)
            for _ in range(2):
                one.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                assert status_of_answer(one) == 200
                time.sleep(1.2)
            one.sendall(flood.HEAD)
            assert not received(one)


@pytest.mark.parametrize("token", ["", TOKEN])
def test_a_flood_of_slow_headers_costs_no_client_its_connection(root: Path, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    tally = flood.Tally()
    with site(root, token=token, limits=ConnectionLimits(max_pending=20)) as shop:
        port = int(shop.url.rpartition(":")[2])
        with closing(flood.KeptConnection(port, headers)) as client, ExitStack() as held:
            for answered in (b"", b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"):
                client.ask(flood.QUESTION, tally)
                for _ in range(100):
                    one = held.enter_context(socket.create_connection(("127.0.0.1", port)))
                    if token or not answered:  # without a token, who asks is let in
                        one.sendall(answered + flood.HEAD)
                client.ask(flood.QUESTION, tally)
    assert (tally.asked, tally.failed, tally.reconnected) == (4, 0, 0)


def status_of_answer(connection: socket.socket) -> int:
    """Read one whole answer, whose head and body may come in two parts; return its status."""
    with HTTPResponse(connection) as answer:
        answer.begin()
        answer.read()
        return answer.status


def received(connection: socket.socket) -> bytes:
    """Return what a server sent before it closed the connection; a timeout is an error."""
    try:
        return connection.recv(100)
    except ConnectionResetError:
        return b""


def test_without_a_token_nothing_is_written_unless_it_is_allowed(root: Path) -> None:
    async def ask(url: str, tool: str, **arguments: Any) -> Any:
        async with Client(f"{url}/mcp") as client:
            listed = {one.name for one in (await client.list_tools()).tools}
            found = await client.call_tool(tool, arguments)
            return listed, found.is_error, found.content[0].text  # type: ignore[union-attr]

    with site(root, read_only=True) as shop:
        for tool in ("regenerate_index", "wiki_generate", "invalidate_file"):
            listed, failed, sentence = anyio.run(partial(ask, shop.url, tool, path="shop/pay.py"))
            assert failed
            assert "read-only" in sentence
            assert tool not in listed
        assert not (root / "INDEX.md").exists()
        assert not (root / ".codeindex").exists()
        assert not anyio.run(partial(ask, shop.url, "search_code", query="card"))[1]


def in_time(statuses: Callable[[float], tuple[list[int], float]]) -> list[int]:
    """Return what `statuses` returns for sessions that last longer than its requests take.

    `statuses` takes the seconds that a session lasts, and returns (HTTP statuses, seconds taken).
    It is called with longer sessions on a machine that is too busy for shorter ones.
    """
    found: list[int] = []
    for seconds in (1.5, 6.0, 24.0):
        found, taken = statuses(seconds)
        if taken < seconds:
            break
    return found


def test_a_session_ends_when_nothing_is_asked_in_it(root: Path) -> None:
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}

    def statuses(seconds: float) -> tuple[list[int], float]:
        """Send four requests in one session; return (their HTTP statuses, seconds taken).

        The seconds are the most between the beginnings of two requests, without the last one.
        """
        with site(root, session_seconds=seconds) as shop:
            session, found, sent = shop.post(HELLO).headers["mcp-session-id"], [], []
            for share in (0.4, 0.4, 0.4, 2.0):  # together longer than a session lasts
                sent.append(time.monotonic())
                time.sleep(share * seconds)
                found.append(shop.post(ping, **{"mcp-session-id": session}).status_code)
        return found, max(later - earlier for earlier, later in pairwise(sent))

    assert in_time(statuses) == [200, 200, 200, 404]


def test_a_client_that_closes_no_session_keeps_nobody_out(root: Path) -> None:
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    with site(root, max_sessions=3, proxies="127.0.0.1") as shop:

        def open_session(address: str) -> str:
            opened = shop.post(HELLO, **{"X-Forwarded-For": address})
            assert opened.status_code == 200
            return opened.headers["mcp-session-id"]

        own = open_session("10.0.0.1")
        others = [open_session("10.0.0.2") for _ in range(12)]
        statuses = [shop.post(ping, **{"mcp-session-id": session}) for session in [own, *others]]
        assert [found.status_code for found in statuses] == [200, *[404] * 10, 200, 200]
        refused = [shop.post(ping).status_code for _ in range(5)]  # these open none
        assert refused == [400] * 5
        assert shop.post(ping, **{"mcp-session-id": own}).status_code == 200


def test_sessions_that_ended_by_themselves_do_not_count_as_open(root: Path) -> None:
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}

    def statuses(seconds: float) -> tuple[list[int], float]:
        """Let one of four sessions end by itself; return (HTTP statuses, seconds taken).

        The statuses are of a request in it and in two later ones; the seconds are those since it
        ended.
        """
        with site(root, max_sessions=3, session_seconds=seconds, proxies="127.0.0.1") as shop:

            def open_session(address: str) -> str:
                return shop.post(HELLO, **{"X-Forwarded-For": address}).headers["mcp-session-id"]

            ended = open_session("10.0.0.1")
            time.sleep(2 * seconds)
            since = time.monotonic()
            busy = [open_session("10.0.0.2") for _ in range(2)]
            open_session("10.0.0.3")
            found = [
                shop.post(ping, **{"mcp-session-id": session}).status_code
                for session in [ended, *busy]
            ]
            return found, time.monotonic() - since

    assert in_time(statuses) == [404, 200, 200]


def test_a_session_with_an_open_stream_is_not_closed_for_another(root: Path) -> None:
    with (
        site(root, max_sessions=1) as shop,
        httpx2.stream(
            "GET",
            f"{shop.url}/mcp",
            headers={
                "Accept": "text/event-stream",
                "mcp-session-id": shop.post(HELLO).headers["mcp-session-id"],
            },
        ) as stream,
    ):
        assert stream.status_code == 200
        assert shop.post(HELLO).status_code == 503


def test_a_first_request_must_be_a_greeting(shop: Site) -> None:
    found = shop.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    session = found.headers["mcp-session-id"]
    again = shop.post(HELLO, **{"mcp-session-id": session})
    assert (found.status_code, again.status_code) == (400, 404)


@asynccontextmanager
async def updates(url: str, mode: Mode) -> AsyncIterator[Any]:
    """Subscribe to the status; the block gets a function that waits for the next update."""
    send, heard = anyio.create_memory_object_stream[str](100)

    async def note(message: IncomingMessage) -> None:
        if isinstance(message, wire.ResourceUpdatedNotification):
            await send.send(str(message.params.uri))

    async with send, heard, Client(url, mode=mode, message_handler=note) as client:
        if mode == "legacy":
            params = wire.SubscribeRequestParams(uri=STATUS)
            await client.session.send_request(
                wire.SubscribeRequest(params=params), wire.EmptyResult
            )
            yield heard.receive
            await client.session.send_request(
                wire.UnsubscribeRequest(params=wire.UnsubscribeRequestParams(uri=STATUS)),
                wire.EmptyResult,
            )
        else:
            async with client.listen(resource_subscriptions=[STATUS]) as told:

                async def next_uri() -> str:
                    event = await anext(told)
                    assert isinstance(event, ResourceUpdated)
                    return event.uri

                yield next_uri


@HOME
@pytest.mark.parametrize("mode", MODES)
def test_subscribers_hear_of_a_changed_index_and_of_nothing_else(
    repository: Repository, mode: Mode
) -> None:
    root = indexed(repository(FILES))

    async def hear(shop: Site) -> str:
        async with updates(f"{shop.url}/mcp", mode) as heard:
            await anyio.to_thread.run_sync(shop.ask, "/api/code-files/sync", "POST")
            with anyio.move_on_after(1.0) as quiet:
                await heard()
            assert quiet.cancelled_caught
            (root / "shop/new.py").write_text("def fresh(): ...\n")
            await anyio.to_thread.run_sync(shop.ask, "/api/code-files/sync", "POST")
            with anyio.fail_after(20):
                uri: str = await heard()
                return uri

    with site(root) as shop:
        assert anyio.run(hear, shop) == STATUS


def test_what_never_changes_by_itself_cannot_be_subscribed_to(shop: Site) -> None:
    session = shop.post(HELLO).headers["mcp-session-id"]
    params = {"uri": "codeindex://file/shop/pay.py"}
    wanted = {"jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": params}
    assert "use codeindex://status" in shop.post(wanted, **{"mcp-session-id": session}).text


def test_fifty_clients_at_once_are_all_answered(shop: Site) -> None:
    def ask(_: int) -> int:
        return shop.ask("/api/search/code", params=QUESTION).status_code

    with ThreadPoolExecutor(50) as clients:
        assert set(clients.map(ask, range(100))) == {200}

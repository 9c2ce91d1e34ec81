"""Build and search several repositories with a store between the machines."""

import http.server
import json
import shutil
import socket
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import anyio
import httpx2
import pytest
from click.testing import CliRunner
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from codeindex import Index
from codeindex.api.requests import Request
from codeindex.api.workspace import Workspace
from codeindex.cli import main
from codeindex.cluster.build import BuildOptions, BuildOutcome, build_repository
from codeindex.cluster.cluster import Cluster
from codeindex.cluster.cluster_workspace import ClusterWorkspace
from codeindex.cluster.entries import (
    StoredRepositories,
    StoredRepository,
    bundle_place,
    delete_entry,
    parse_entry,
    read_entries,
    repository_key,
    write_entry,
)
from codeindex.cluster.polling import follow_once, follow_store
from codeindex.cluster.repository_list import RepositorySource, read_repository_list
from codeindex.cluster.share import RepositoryShare
from codeindex.config import data_home
from codeindex.errors import (
    AddressError,
    ClusterError,
    NotReadyError,
    QueryError,
    ScopeError,
    SharingError,
    StoreAccessError,
)
from codeindex.ingest.bundle.layout import pack_part
from codeindex.mcp.access_tokens import read_access_grants
from codeindex.mcp.address import Address, open_listener
from codeindex.mcp.cluster_http import cluster_app
from codeindex.store.datadir.home import repository_by_name
from tests.conftest import made_repository, own_data
from tests.flow.local_shares import OPEN, LocalShare, loaded_cluster
from tests.flow.serving import running
from tests.flow.test_watch import until

FILES = {
    "cart": {"cart.py": '"""Carts."""\n\n\ndef checkout(cart):\n    """Pay a cart."""\n'},
    "money": {"money.py": '"""Money."""\n\n\ndef checkout(bill):\n    """Pay a bill."""\n'},
    "stock": {"stock.py": '"""Stock."""\n\n\ndef reserve(item):\n    """Keep an item."""\n'},
}


def commit(root: Path, path: str, text: str) -> str:
    """Commit a file and return the commit."""
    (root / path).write_text(text)
    identity = ("-c", "user.name=T", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")
    for words in (("add", "-A"), ("commit", "-qm", "next")):
        subprocess.run(["git", *identity, *words], cwd=root, check=True)
    return head(root)


def head(root: Path) -> str:
    words = ["git", "rev-parse", "HEAD"]
    return subprocess.run(words, cwd=root, check=True, capture_output=True, text=True).stdout[:-1]


def build(root: Path, store: Path, verify: bool = False) -> BuildOutcome:
    source = RepositorySource(root.name, str(root))
    return build_repository(source, str(store), BuildOptions(verify=verify))


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Have three repositories, and a folder `store` with the bundle of each."""
    folder = tmp_path_factory.mktemp("cluster")
    with own_data(folder):
        for name, files in FILES.items():
            root = made_repository(folder / name, files)
            assert build(root, folder / "store").state == "built"
        yield folder


@pytest.fixture(autouse=True)
def _closed_shares() -> Iterator[None]:
    """End the processes of the shares that a test has made."""
    yield
    while OPEN:
        share = OPEN.pop().share
        if share:
            share.close()


@pytest.fixture
def store(team: Path, tmp_path: Path) -> Path:
    """Return a copy of the store, which the test may damage."""
    return shutil.copytree(team / "store", tmp_path / "store")


def part_of(store: Path, name: str) -> Path:
    return next((Path(bundle_place(str(store), name)) / "parts").iterdir())


def test_a_bundle_that_is_there_is_not_built_again(team: Path, store: Path) -> None:
    outcome = build(team / "cart", store)
    assert (outcome.state, outcome.commit) == ("skipped", head(team / "cart"))
    (store / "repositories" / f"{repository_key('cart')}.json").unlink()
    assert build(team / "cart", store).state == "skipped"
    assert read_entries(str(store)).by_name.keys() == FILES.keys()


def test_damaged_bundles_are_built_again(team: Path, store: Path) -> None:
    part_of(store, "cart").write_bytes(b"x")
    assert build(team / "cart", store).state == "skipped"  # only `verify` reads parts
    outcome = build(team / "cart", store, verify=True)
    assert outcome.state == "built"
    assert outcome.why.startswith("damaged: Part ")
    assert build(team / "cart", store, verify=True).state == "skipped"
    part_of(store, "cart").unlink()
    assert "is missing" in build(team / "cart", store).why
    (Path(bundle_place(str(store), "cart")) / "manifest.json").write_text("{")
    assert build(team / "cart", store).state == "built"


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("/nonexistent/shop", "'/nonexistent/shop' cannot be fetched: there is no git repository."),
        ("file:///nonexistent/shop", "there is no git repository."),
        ("ext::sh -c id", "is not the address of a repository"),
        ("--upload-pack=id", "is not the address of a repository"),
        ("https://me:secret@example.org/shop", "has a password or token in it"),
    ],
)
@pytest.mark.usefixtures("team")
def test_a_repository_that_cannot_be_fetched_fails_alone(
    url: str, sentence: str, tmp_path: Path
) -> None:
    outcome = build_repository(RepositorySource("shop", url), str(tmp_path), BuildOptions())
    assert outcome.state == "failed"
    assert sentence in outcome.why
    assert "secret" not in outcome.why
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_cannot_be_written_is_one_sentence(team: Path, tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file")
    outcome = build(team / "cart", tmp_path / "store")
    assert outcome.state == "failed"
    assert "see who may read and write it, and whether its disk is full" in outcome.why


def test_another_version_of_codeindex_is_refused(team: Path, store: Path) -> None:
    source = RepositorySource("cart", str(team / "cart"))
    outcome = build_repository(source, str(store), BuildOptions(version="9.9"))
    assert "install the same version on all machines" in outcome.why
    share = LocalShare("one", str(store), version="9.9")
    with pytest.raises(ClusterError, match="install the same version"):
        share.submit("state").result()


ENTRY = StoredRepository("cart", "/srv/cart", "", "a" * 40, 1, 0)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"format": 99}, "was written by a newer codeindex"),
        ({"format": "1"}, "has no format"),
        ({"commit": "../../etc"}, "has no commit"),
        ({"commit": "--upload-pack=id"}, "has no commit"),
        ({"url": "ext::sh -c id"}, "has no address"),
        ({"name": "../other"}, "is of another repository"),
        ({"name": "car\x1bt"}, "cannot be printed"),
        ({"files": "many"}, "lacks a field"),
        ({"url": None}, "lacks a field"),
    ],
)
def test_a_malformed_entry_is_refused(
    changed: dict[str, object], problem: str, tmp_path: Path
) -> None:
    write_entry(str(tmp_path), ENTRY)
    file = tmp_path / "repositories" / f"{repository_key('cart')}.json"
    name = f"repositories/{file.name}"
    assert parse_entry(file.read_bytes(), name) == ENTRY
    data = json.dumps({**json.loads(file.read_text()), **changed}).encode()
    with pytest.raises(SharingError, match=problem):
        parse_entry(data, name)
    file.write_bytes(data)
    write_entry(str(tmp_path), replace(ENTRY, name="money"))
    stored = read_entries(str(tmp_path))
    assert list(stored.by_name) == ["money"]
    assert problem in stored.problems[0]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("# nothing\n\n", "is empty"),
        ("/srv/a/shop\n/srv/b/shop.git\n", "2 lines of '.*' have the name 'shop'"),
        ("/srv/shop shop main more\n", "Line 1 of '.*' has 4 words"),
        ("/srv/shop\nshop\n", "Line 2 of '.*': 'shop' is not the address"),
    ],
)
def test_a_bad_list_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "repos.txt"
    file.write_text(text)
    with pytest.raises(ClusterError, match=problem):
        read_repository_list(file)


def test_a_list_has_names_and_branches(tmp_path: Path) -> None:
    file = tmp_path / "repos.txt"
    file.write_text("# ours\ngit@example.org:team/shop.git\nhttps://example.org/x y next\n")
    assert read_repository_list(file) == (
        RepositorySource("shop", "git@example.org:team/shop.git"),
        RepositorySource("y", "https://example.org/x", "next"),
    )


def test_shares_search_all_repositories_and_tell_their_commits(team: Path, store: Path) -> None:
    cluster = loaded_cluster(store)
    workspace = ClusterWorkspace(cluster)
    answer = workspace.search("where is a bill or cart paid")
    assert {hit.repo for hit in answer.hits[:2]} == {"cart", "money"}
    commits = {name: head(team / name)[:12] for name in FILES}
    assert answer.meta["commits"].items() <= commits.items()
    assert answer.searched_repos == ("cart", "money", "stock")
    assert "failed" not in answer.meta
    one = workspace.search("reserve", repo="stock")
    assert one.meta["commits"] == {"stock": commits["stock"]}
    report = workspace.index("cart").graph.callers("checkout")
    assert report.symbol.endswith("checkout")
    for name in ("carts", "x"):
        with pytest.raises(ScopeError, match=f"no repository '{name}'"):
            workspace.search("x", repo=name)
    with pytest.raises(QueryError):
        workspace.search("checkout", filters=None, cursor="nonsense")


def test_pages_of_a_search_have_every_hit_once(store: Path) -> None:
    workspace = ClusterWorkspace(loaded_cluster(store))
    whole = workspace.search("checkout", limit=50)
    first = workspace.search("checkout", limit=1)
    hits, cursor = list(first.hits), first.cursor
    while cursor:
        page = workspace.search("checkout", limit=1, cursor=cursor)
        hits += page.hits
        cursor = page.cursor
    assert [(hit.repo, hit.path, hit.start_line) for hit in hits] == [
        (hit.repo, hit.path, hit.start_line) for hit in whole.hits
    ]


def test_a_view_has_only_what_its_caller_may_see(store: Path) -> None:
    cluster = loaded_cluster(store)
    workspace = ClusterWorkspace(cluster, {"stock"}.__contains__)
    answer = workspace.search("checkout")
    assert answer.searched_repos == ("stock",)
    assert not answer.meta.get("failed")
    for names in (["all"], ("all",)):
        assert workspace.scope({"type": "repos", "repos": names}).repos == ("stock",)
    for attempt in ({"repo": "cart"}, {"scope": {"type": "repos", "repos": ["stock", "cart"]}}):
        with pytest.raises(ScopeError, match="no repository 'cart'"):
            workspace.search("checkout", **attempt)
    with pytest.raises(ScopeError, match="no repository 'cart'"):
        workspace.index("cart")


def test_a_new_commit_is_swapped_in_and_a_damaged_bundle_is_not(
    team: Path, store: Path, tmp_path: Path
) -> None:
    root = Path(shutil.copytree(team / "stock", tmp_path / "depot"))
    assert build(root, store).state == "built"
    cluster = loaded_cluster(store)
    index = ClusterWorkspace(cluster).index("depot")
    before = index.status().head
    now = commit(root, "more.py", "def restock(item):\n    return item\n")
    outcome = build(root, store)
    assert (outcome.state, outcome.commit) == ("built", now)
    assert outcome.why == f"new commit: the bundle was of {before[:12]}"
    for part in (Path(bundle_place(str(store), "depot")) / "parts").iterdir():
        part.write_bytes(b"x")
    share = LocalShare("other", str(store))
    damaged = Cluster(str(store), [share])
    damaged.refresh()
    problems = damaged.wait_until_loaded()
    cluster.refresh()
    cluster.wait_until_loaded()
    assert index.status().head == now
    assert index.search("restock").hits[0].path == "more.py"
    assert problems == {}  # the index of this machine is of that commit already


GRANTS = """\
# all of it, a part, and nothing that exists
aaaaaaaaaaaaaaaa *
bbbbbbbbbbbbbbbb st* depot
cccccccccccccccc none
"""


@pytest.fixture
def site(store: Path, tmp_path: Path) -> Iterator[str]:
    """Serve the store by HTTP with three tokens; yield the address."""
    file = tmp_path / "tokens"
    file.write_text(GRANTS)
    file.chmod(0o600)
    cluster = loaded_cluster(store)

    def rebuild(name: str) -> BuildOutcome:
        return build_repository(cluster.entry(name).source, str(store), BuildOptions())

    with open_listener(Address("127.0.0.1", 0)) as listener:
        address = Address("127.0.0.1", listener.getsockname()[1])
        app = cluster_app(cluster, rebuild, address, read_access_grants(file))
        with running(app, listener) as url:
            yield url


def get(url: str, token: str = "", verb: str = "GET") -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {token * 16}"} if token else {}
    answer = httpx2.request(verb, url, headers=headers, timeout=30)
    return answer.status_code, answer.json()


def test_each_token_sees_its_repositories_by_http(site: str, team: Path) -> None:
    search = f"{site}/api/search/code?query=checkout"
    for token in ("", "d"):
        status, answer = get(search, token)
        assert (status, "Send the server's token" in answer["error"]) == (401, True)
    status, answer = get(search, "a")
    assert {row["repo"] for row in answer["results"][:2]} == {"cart", "money"}
    assert answer["commits"]["cart"] == head(team / "cart")[:12]
    status, answer = get(search, "b")
    assert "cart" not in json.dumps(answer)
    assert get(f"{site}/api/code-files/list?repo=stock", "b") == (
        200,
        {"repo": "stock", "files": ["stock.py"]},
    )
    assert get(f"{site}/api/code-files/list?repo=cart", "b")[0] == 404
    status, answer = get(search, "c")
    assert (status, "/" in answer["error"]) == (404, False)
    assert [row["repo"] for row in get(f"{site}/api/ui/status", "b")[1]["repos"]] == ["stock"]
    status, answer = get(f"{site}/api/code-files/sync?repo=stock", "b", "POST")
    assert head(team / "stock")[:12] in answer["notes"][0]
    assert get(f"{site}/api/code-files/sync?repo=cart", "b", "POST")[0] == 404


def test_tools_of_mcp_answer_from_the_cluster(site: str, team: Path) -> None:
    async def ask(tool: str, **arguments: Any) -> str:
        headers = {"Authorization": f"Bearer {'a' * 16}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(f"{site}/mcp", http_client=http)) as client,
        ):
            return str((await client.call_tool(tool, arguments)).content[0])

    def call(tool: str, **arguments: Any) -> str:
        return anyio.run(partial(ask, tool, **arguments))

    commit_of_cart = head(team / "cart")[:12]
    assert commit_of_cart in call("search_code", query=["checkout"])
    assert f"cart at commit {commit_of_cart}." in call("read_code", names=["checkout"], repo="cart")
    several = call("find_symbol", names=["checkout"])
    assert "This answers about one repository: give one as `repo`, of cart, money, stock" in several
    assert "def checkout" in call("find_symbol", names=["checkout"], repo="money")
    assert "checkout" in call("explore_code", query=["pay a cart"], repo="cart")
    assert "read-only" in call("regenerate_index", repo="cart")
    assert "name it as `repo`" in call("search_code", query=["x"], sync=True)
    assert "cart.py" in call("search_code", query=["Pay a"], mode="exact")


@pytest.mark.parametrize(
    ("text", "mode", "problem"),
    [
        (GRANTS, 0o644, "open to others"),
        ("", 0o600, "has no token"),
        ("short *", 0o600, "Line 1 of '.*' begins with no token"),
        ("aaaaaaaaaaaaaaaa", 0o600, "Line 1 of '.*' allows no repository"),
        (GRANTS + "aaaaaaaaaaaaaaaa x", 0o600, "Line 5 of '.*' has the token of an earlier line"),
        ("aaaaaaaaaaaaaaaa * !pay", 0o600, "has '!pay': a glob cannot take repositories away"),
        ("aaaaaaaaaaaaaaaa # *", 0o600, "Line 1 of '.*' allows no repository"),
    ],
)
def test_bad_token_files_are_refused(text: str, mode: int, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(text)
    file.chmod(mode)
    with pytest.raises(AddressError, match=problem):
        read_access_grants(file)


def test_a_comment_in_a_token_file_allows_nothing(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text("aaaaaaaaaaaaaaaa cart  # not payroll, see * ticket\n")
    file.chmod(0o600)
    (grant,) = read_access_grants(file).values()
    assert grant.globs == ("cart",)


@pytest.fixture
def cluster_with_damage(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    """Return a cluster on another machine that begins to load; the bundle of `cart` is damaged."""
    part_of(store, "cart").write_bytes(b"x")
    monkeypatch.setenv("CODEINDEX_HOME", str(tmp_path / "another machine"))
    cluster = Cluster(str(store), [LocalShare("one", str(store))])
    cluster.refresh()
    return cluster


def test_a_bundle_that_a_share_refuses_is_built_again(
    store: Path, cluster_with_damage: Cluster
) -> None:
    cluster = cluster_with_damage
    problems = cluster.wait_until_loaded()
    assert problems.keys() == {"cart"}
    assert "is damaged: its digest differs" in problems["cart"]
    assert cluster.damaged() == ("cart",)
    answer = ClusterWorkspace(cluster).search("checkout")
    assert answer.searched_repos == ("money", "stock")
    assert answer.meta["failed"] == problems

    def repair(name: str) -> BuildOutcome:
        return build_repository(cluster.entry(name).source, str(store), BuildOptions(verify=True))

    follow_once(cluster, repair)
    assert cluster.wait_until_loaded() == {}
    assert ClusterWorkspace(cluster).search("checkout").searched_repos == ("cart", "money", "stock")


def test_a_record_that_a_share_refuses_is_built_again_once(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison(Path(bundle_place(str(store), "cart")))
    monkeypatch.setenv("CODEINDEX_HOME", str(tmp_path / "another machine"))
    cluster = Cluster(str(store), [LocalShare("one", str(store))])
    cluster.refresh()
    assert "differ" in cluster.wait_until_loaded()["cart"]
    options = BuildOptions(verify=True, rebuild=True)
    built: list[str] = []

    def repair(name: str) -> BuildOutcome:
        built.append(name)
        return build_repository(cluster.entry(name).source, str(store), options)

    repaired: dict[str, float] = {}
    follow_once(cluster, repair, repaired)
    assert cluster.wait_until_loaded() == {}
    poison(Path(bundle_place(str(store), "cart")))
    monkeypatch.setattr(Cluster, "damaged", lambda _: ("cart",))
    follow_once(cluster, repair, repaired)
    assert built == ["cart"]


def poison(bundle: Path) -> None:
    """Call a function a class in a bundle whose digests are right."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    (part,) = manifest["records"]
    data = zlib.decompress((bundle / "parts" / part["digest"]).read_bytes())
    described, packed = pack_part(data.replace(b'"function"', b'"class"'), part["rows"])
    (bundle / "parts" / described.digest).write_bytes(packed)
    manifest["records"] = [asdict(described)]
    (bundle / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    "address",
    [
        "https://ghp_aBcD3fGh1jKlMn0pQrStUvWxYz9876543210@git.example.org/shop.git",
        "https://git.example.org/shop.git?access_token=f3a91c07be5d4428",
        "https://user:f3a91c07be5d4428@git.example.org/shop.git",
    ],
)
def test_an_address_with_a_token_is_refused_without_it(address: str, tmp_path: Path) -> None:
    (tmp_path / "repos.txt").write_text(f"{address}\n")
    words = ["cluster", "index", str(tmp_path / "repos.txt"), "--store", str(tmp_path / "store")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "'git.example.org' has a password or token in it" in done.stderr
    assert "f3a91c" not in done.stderr
    assert "ghp_" not in done.stderr


def test_a_store_that_lists_nothing_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("obstore", reason="install the extra `shared`")
    place = "https://me:hunter2@127.0.0.1:9/team?token=hunter3"
    (tmp_path / "repos.txt").write_text("/srv/shop\n")
    for words in (("status",), ("search", "x"), ("index", str(tmp_path / "repos.txt"))):
        done = CliRunner().invoke(main, ["cluster", *words, "--store", place])
        assert done.exit_code == 2
        assert "'https://127.0.0.1:9/team' cannot tell which repositories it has" in done.stderr
        assert "hunter" not in done.stderr


def test_a_bundle_is_in_the_path_of_a_url() -> None:
    key = repository_key("cart")
    assert bundle_place("s3://team/x/?a=b#c", "cart") == f"s3://team/x/bundles/{key}?a=b#c"
    assert bundle_place("/srv/what?/", "cart") == f"/srv/what?/bundles/{key}"


def test_a_repository_at_another_address_is_served_from_there(store: Path, tmp_path: Path) -> None:
    cluster = loaded_cluster(store)
    index = ClusterWorkspace(cluster).index("stock")
    assert index.search("reserve").hits
    files = {"depot.py": "def restock(item):\n    return item\n"}
    moved = made_repository(tmp_path / "moved", files)
    source = RepositorySource("stock", str(moved))
    assert build_repository(source, str(store), BuildOptions()).state == "built"
    cluster.refresh()
    assert cluster.wait_until_loaded() == {}
    assert index.status().head == head(moved)
    assert index.search("restock").hits[0].path == "depot.py"


def test_a_cluster_goes_on_polling_after_an_unforeseen_error(store: Path) -> None:
    cluster = Cluster(str(store), [LocalShare("one", str(store))])
    calls: list[int] = []

    class Broken(Cluster):
        def refresh(self) -> StoredRepositories:
            calls.append(len(calls))
            if len(calls) == 1:
                raise KeyError("internal")
            return cluster.refresh()

    def repair(name: str) -> BuildOutcome:
        raise AssertionError(name)

    with follow_store(Broken(str(store), [LocalShare("two", str(store))]), repair, 0.05):
        until(lambda: len(calls) > 1)
    assert cluster.wait_until_loaded() == {}


def test_a_store_that_lost_everything_at_once_is_not_believed(store: Path) -> None:
    cluster = loaded_cluster(store)
    (store / "repositories").rename(store / "moved")
    with pytest.raises(StoreAccessError, match="has no repositories any more"):
        cluster.refresh()
    assert ClusterWorkspace(cluster).search("reserve").searched_repos == ("cart", "money", "stock")


class _Refusing(http.server.SimpleHTTPRequestHandler):
    """A web server of files that takes DELETE, and refuses to send parts."""

    deleted: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        if "/parts/" in self.path:
            self.send_error(403)
        else:
            super().do_GET()

    def do_DELETE(self) -> None:
        self.deleted.append(self.path)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def refusing_store(store: Path) -> Iterator[str]:
    """Serve the store from a web server that refuses to send parts; yield its address."""
    pytest.importorskip("obstore", reason="install the extra `shared`")
    handler = partial(_Refusing, directory=str(store))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_what_cannot_be_reached_is_not_damaged(
    store: Path, refusing_store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = read_entries(str(store)).by_name["cart"]
    outcome = build_repository(entry.source, refusing_store, BuildOptions(verify=True))
    assert (outcome.state, _Refusing.deleted) == ("failed", [])
    assert "access is denied" in outcome.why
    monkeypatch.setenv("CODEINDEX_HOME", str(tmp_path / "another machine"))
    share = RepositoryShare(refusing_store)
    share.assign([entry])
    until(lambda: not share.state().waiting)
    assert "access is denied" in share.state().problems["cart"]
    assert share.state().damaged == ()
    share.assign([])
    assert share.state().problems == {}
    share.close()


@pytest.fixture
def silent_server() -> Iterator[str]:
    """Yield the address of a git server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"git://127.0.0.1:{server.getsockname()[1]}/shop"


def test_a_git_server_that_does_not_answer_holds_up_no_other_repository(
    store: Path, silent_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINDEX_HOME", str(tmp_path / "another machine"))
    monkeypatch.setattr("codeindex.cluster.share._CHECKOUT_SECONDS", 0.5)
    entries = read_entries(str(store)).by_name
    silent = [replace(entries["cart"], name=f"silent{n}", url=silent_server) for n in range(3)]
    share = RepositoryShare(str(store))
    share.assign([*silent, entries["money"], entries["stock"]])
    until(lambda: len(share.state().commits) == 2)
    assert share.state().waiting == 3
    share.assign([*silent, *entries.values()])  # a new one, while they still hang
    until(lambda: len(share.state().commits) == 3)
    assert not share.state().problems
    share.close()


def test_the_library_and_other_commands_do_not_import_ray(store: Path) -> None:
    code = (
        "import sys\nfrom codeindex.cli import main\n"
        "import codeindex.cluster.build, codeindex.cluster.cluster_workspace\n"
        f"try: main(['cluster', 'status', '--store', {str(store)!r}])\n"
        "except SystemExit: pass\n"
        "print(sum(name.partition('.')[0] == 'ray' for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0"
    assert len(done.stdout.splitlines()) == len(FILES) + 1


def test_two_machines_build_and_search_and_one_is_lost(team: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="there are no wheels of Ray for this system")
    from ray.cluster_utils import Cluster as Machines

    from codeindex.cluster.ray_runtime import ray_cluster, start_shares

    store = str(shutil.copytree(team / "store", tmp_path / "store"))
    more = made_repository(tmp_path / "more", {"more.py": "def extra():\n    return 1\n"})
    listed = "\n".join(str(team / name) for name in FILES)
    (tmp_path / "repos.txt").write_text(f"{listed}\n{more}\n/nonexistent/shop\n")
    quiet = {"num_cpus": 1, "include_dashboard": False}
    machines = Machines(initialize_head=True, head_node_args=quiet)
    try:
        second = machines.add_node(num_cpus=1)
        words = ["--store", store, "--ray", machines.address]
        done = CliRunner().invoke(main, ["cluster", "index", str(tmp_path / "repos.txt"), *words])
        assert done.exit_code == 2
        states = sorted(line.split()[0] for line in done.stdout.splitlines())
        assert states == ["built", "failed", *["skipped"] * len(FILES)]
        with ray_cluster(machines.address):
            cluster = Cluster(store, start_shares(store, 2), seconds=60)
            cluster.refresh()
            assert cluster.wait_until_loaded() == {}
            workspace = ClusterWorkspace(cluster)
            assert len(workspace.search("checkout").searched_repos) == len(FILES) + 1
            machines.remove_node(second)
            answer = workspace.search("checkout")
            assert len(answer.searched_repos) == len(FILES) + 1
            assert "failed" not in answer.meta
    finally:
        machines.shutdown()  # type: ignore[no-untyped-call]


def test_a_repository_that_its_user_has_indexed_too_is_built(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINDEX_HOME", str(tmp_path / "home"))
    root = made_repository(tmp_path / "own", {"own.py": "def mine():\n    return 1\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
    assert build(root, store).why == ""
    share = RepositoryShare(str(store))
    entry = read_entries(str(store)).by_name["own"]
    share.assign([entry])
    until(lambda: not share.state().waiting)
    assert share.state().commits == {"own": head(root)}
    share.close()
    assert repository_by_name(data_home(), "own").root == root
    with Workspace(allow_global=True) as workspace:
        answer = workspace.search("mine", scope={"type": "all"})
    assert [(hit.repo, hit.path) for hit in answer.hits] == [("own", "own.py")]
    later = made_repository(tmp_path / "deep", {"a.py": "x = 1\n"})
    assert build(later, store).state == "built"
    with Index.open(later) as index:
        assert index.repository.name == "deep"


def test_a_damaged_repository_that_left_the_store_is_forgotten(
    store: Path, cluster_with_damage: Cluster
) -> None:
    cluster = cluster_with_damage
    cluster.wait_until_loaded()
    assert cluster.damaged() == ("cart",)
    repaired: list[str] = []

    def repair(name: str) -> BuildOutcome:
        repaired.append(name)
        return build_repository(cluster.entry(name).source, str(store), BuildOptions())

    delete_entry(str(store), "cart")
    follow_once(cluster, repair)
    assert repaired == []
    assert cluster.wait_until_loaded() == {}
    assert cluster.damaged() == ()
    assert cluster.names() == ("money", "stock")


def test_an_unforeseen_error_in_one_repository_leaves_the_others_searched(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = loaded_cluster(store, shares=2)
    run = Index.run

    def broken(index: Index, request: Request) -> Any:
        if index.repository.name == "cart":
            raise KeyError("internal")
        return run(index, request)

    monkeypatch.setattr(Index, "run", broken)
    answer = ClusterWorkspace(cluster).search("checkout")
    assert answer.searched_repos == ("money", "stock")
    assert answer.meta["failed"] == {"cart": "Unexpected KeyError: see the log of Ray."}


def test_an_error_on_a_machine_is_not_taken_for_a_lost_machine() -> None:
    ray = pytest.importorskip("ray", reason="there are no wheels of Ray for this system")
    from codeindex.cluster.ray_runtime import RayShare

    class Actor:
        """Answers as a handle of Ray does whose method has raised an error."""

        def __init__(self, error: Exception) -> None:
            self._error = error
            self.state = self

        def remote(self) -> "Actor":
            return self

        def future(self) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(self._error)
            return future

    task_error = ray.exceptions.RayTaskError
    bug = RayShare("one", Actor(task_error("state", "", KeyError("internal")))).submit("state")
    with pytest.raises(ClusterError, match="Unexpected KeyError on its machine") as raised:
        bug.result(1)
    assert not isinstance(raised.value, NotReadyError)
    refused = RayShare("one", Actor(task_error("state", "", QueryError("no")))).submit("state")
    with pytest.raises(QueryError, match="no"):
        refused.result(1)
    lost = RayShare("one", Actor(ray.exceptions.RayActorError())).submit("state")
    with pytest.raises(NotReadyError, match="is lost"):
        lost.result(1)

"""Bundles and vectors in stores that a team shares: a folder, S3 and HTTP, by real servers."""

import http.server
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from codeindex import Index
from codeindex.cli import main
from codeindex.errors import SharingError
from codeindex.store.cache.contents import read_contents, with_digest
from codeindex.store.cache.shared_vectors import SharedVectors
from codeindex.store.objects.object_store import ObjectStore
from codeindex.store.objects.open import open_store
from tests.conftest import made_repository
from tests.flow.sites import content, install_tiny

FILES = {
    "app/money.py": 'def total(items):\n    """Add up prices."""\n    return sum(items)\n',
    "app/cart.py": "from app.money import total\n\n\ndef pay(cart):\n    return total(cart)\n",
}
SECONDS = 60.0


class Files(http.server.SimpleHTTPRequestHandler):
    """A web server that takes PUT, as WebDAV servers and artifact stores do."""

    def do_PUT(self) -> None:
        path = Path(self.translate_path(self.path))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = str(tmp_path_factory.mktemp("web"))

    def handler(*arguments: object) -> Files:
        return Files(*arguments, directory=folder)  # type: ignore[arg-type]

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/team"
        server.shutdown()


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """Have moto's server speak the protocol of S3, with a bucket `team`."""
    pytest.importorskip("moto", reason="install the extra `dev`")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    code = f"from moto.server import main; main(['-H', '127.0.0.1', '-p', '{port}'])"
    server = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code], stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "key")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        patch.setenv("AWS_REGION", "us-east-1")
        patch.setenv("AWS_ENDPOINT_URL", address)
        _make_bucket(f"{address}/team")
        yield "s3://team/shop"
    server.kill()
    server.wait()


def _make_bucket(url: str) -> None:
    until = time.monotonic() + SECONDS
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, method="PUT"), timeout=5):
                return
        except OSError:
            assert time.monotonic() < until
            time.sleep(0.1)


@pytest.fixture(params=["folder", "web", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A folder, a web server, or a bucket."""
    if request.param == "folder":
        return str(tmp_path / "team")
    pytest.importorskip("obstore", reason="install the extra `shared`")
    return str(request.getfixturevalue(request.param))


def test_every_store_returns_what_was_put(place: str) -> None:
    store: ObjectStore = open_store(place)
    assert (store.get("a/b.json", most=9), store.exists("a/b.json")) == (None, False)
    store.put("a/b.json", b"first")
    store.put("a/b.json", b"second")
    store.put("a/c", b"")
    assert store.get("a/b.json", most=6) == b"second"
    assert (store.get("a/c", most=6), store.exists("a/c")) == (b"", True)
    with pytest.raises(SharingError, match="has more than 5 bytes: refused"):
        store.get("a/b.json", most=5)
    if not place.startswith("http"):
        assert sorted(store.names("a")) == ["a/b.json", "a/c"]
        store.delete("a/b.json")
        store.delete("a/b.json")
        assert list(store.names("a")) == ["a/c"]
        assert list(store.names("none")) == []


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the author `one` a checkout, and a data folder with the tiny model."""
    monkeypatch.setenv("CODEINDEX_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    monkeypatch.setenv("CODEINDEX_HOME", str(tmp_path / "one"))
    install_tiny(tmp_path / "one")
    return made_repository(tmp_path / "shop", FILES)


def move_to_another_machine(team: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINDEX_HOME", str(team.parent / "two"))
    install_tiny(team.parent / "two")


def test_an_index_is_exported_and_imported_by_url(
    place: str, team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = CliRunner().invoke
    with Index.open(team) as index:
        index.sync(structure_only=True)
        made = content(index.repository)
    done = run(main, ["export", str(team), "--to", place])
    assert done.exit_code == 0, done.stderr
    move_to_another_machine(team, monkeypatch)
    done = run(main, ["index", str(team), "--from", place, "--structure-only"])
    assert "note: 2 of 2 files were taken from the bundle" in done.stderr
    with Index.open(team) as index:
        assert content(index.repository) == made


def test_vectors_of_a_team_are_computed_once(team: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINDEX_CACHE_SHARED", str(team.parent / "vectors"))
    with Index.open(team) as index:
        assert [note for note in index.sync().notes if "shared" in note] == []
        made = content(index.repository).dense
    move_to_another_machine(team, monkeypatch)
    monkeypatch.delattr("codeindex.embed.onnx.OnnxEmbedder.stream")
    with Index.open(team) as index:
        index.sync()
        assert content(index.repository).dense == made
    assert read_contents(team.parent / "two/cache/embeddings").entries == len(made) > 0


def test_damaged_vectors_are_not_used(place: str) -> None:
    store = open_store(place)
    shared = SharedVectors(place)
    row = np.array([0.6, 0.8], dtype=np.float32)
    keys = [f"{number:064x}" for number in range(5)]
    shared.put({keys[0]: row, keys[1]: row * 0, keys[2]: np.append(row, 0).astype(np.float32)})
    shared.flush()
    store.put(f"vectors/00/{keys[3]}", b"no vector")
    store.put(f"vectors/00/{keys[4]}", with_digest((row * 2).tobytes()))  # float32, as earlier
    assert list(shared.get([*keys, "f" * 64], dimension=2)) == keys[:1]
    shared.close()
    assert shared.note == ""


class Slow(Files):
    def do_GET(self) -> None:
        time.sleep(0.5)
        super().do_GET()


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[str]:
    """A web server that takes half a second for an answer."""
    pytest.importorskip("obstore", reason="install the extra `shared`")

    def handler(*arguments: object) -> Slow:
        return Slow(*arguments, directory=str(tmp_path))  # type: ignore[arg-type]

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/team"
        server.shutdown()


def test_a_store_that_is_slower_than_embedding_is_left_alone(
    slow: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeindex.store.cache.shared_vectors._PATIENCE_SECONDS", 0.2)
    monkeypatch.setattr("codeindex.store.cache.shared_vectors._SECONDS_EACH", 0.001)
    shared = SharedVectors(slow)
    assert shared.get([f"{number:064x}" for number in range(100)], dimension=2) == {}
    assert "takes longer than to embed the code here" in shared.note
    shared.put({"a" * 64: np.array([0.6, 0.8], dtype=np.float32)})
    shared.close()


def test_what_stands_in_the_place_of_a_vector_costs_only_that_vector(tmp_path: Path) -> None:
    places = [tmp_path / f"vectors/{digit}{digit}/{digit * 64}" for digit in "abcde"]
    for place in places:
        place.parent.mkdir(parents=True)
    os.mkfifo(places[0])
    places[1].symlink_to("/dev/zero")
    places[2].mkdir()
    places[3].write_bytes(b"0" * 100_000)
    shared = SharedVectors(str(tmp_path))
    row = np.array([0.6, 0.8], dtype=np.float32)
    rows = {place.name: row for place in places}
    assert shared.get(list(rows), dimension=2) == {}
    shared.put(rows)
    shared.flush()
    assert list(shared.get(list(rows), dimension=2)) == [name * 64 for name in "abde"]
    shared.close()
    assert shared.note == ""


def test_a_large_object_is_put_in_one_request(place: str) -> None:
    store = open_store(place)
    data = os.urandom(6 * 1024 * 1024)
    store.put("parts/large", data)
    assert store.get("parts/large", most=len(data)) == data


@pytest.mark.parametrize(
    "place",
    ["https:/me:hunter2@h/x", "s3:bucket/hunter2", "file://hunter2@h/x", "me:hunter2@h/x"],
)
def test_a_url_with_a_slip_of_the_pen_is_no_folder(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("obstore", reason="install the extra `shared`")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SharingError, match="give a folder") as raised:
        open_store(place)
    assert "hunter2" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_a_shared_cache_in_the_current_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shared = SharedVectors("team/vectors")
    shared.put({"a" * 64: np.array([0.6, 0.8], dtype=np.float32)})
    shared.close()
    assert "give its whole path" in shared.note
    assert list(tmp_path.iterdir()) == []


class Failing(http.server.BaseHTTPRequestHandler):
    """A web server that answers as the first part of the path says."""

    def do_GET(self) -> None:
        how = self.path.split("/")[1]
        self.send_response(302 if how == "circle" else int(how))
        self.send_header("Content-Length", "0")
        self.send_header("Location", self.path)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("403", "access is denied"),
        ("429", "it asks for fewer requests"),
        ("500", "it refuses the request or has an error"),
        ("circle", "its redirect leads nowhere"),
    ],
)
def test_a_message_tells_the_reason_and_not_another(how: str, reason: str) -> None:
    pytest.importorskip("obstore", reason="install the extra `shared`")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Failing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        store = open_store(f"http://127.0.0.1:{server.server_port}/{how}")
        with pytest.raises(SharingError) as raised:
            store.get("manifest.json", most=9)
        server.shutdown()
    assert f"cannot be read ({reason})" in str(raised.value)
    with pytest.raises(SharingError, match=r"\(the connection was refused\)"):
        open_store("http://127.0.0.1:9/x").get("manifest.json", most=9)


AWAY = {
    "no folder": ("{file}", "cannot be"),
    "a port without server": ("http://127.0.0.1:9/team", "cannot be read"),
    "a server without S3": ("s3://nobody/shop", "cannot be read"),
}


@pytest.mark.parametrize("case", AWAY)
def test_without_the_store_local_work_goes_on_and_one_line_says_so(
    case: str, team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, message = AWAY[case]
    if "://" in place:
        pytest.importorskip("obstore", reason="install the extra `shared`")
    for name, value in (
        ("AWS_ENDPOINT_URL", "http://127.0.0.1:9"),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)
    (team.parent / "file").write_text("")
    monkeypatch.setenv("CODEINDEX_CACHE_SHARED", place.format(file=team.parent / "file"))
    with Index.open(team) as index:
        report = index.sync()
        assert len(content(index.repository).dense) == report.embedded > 0
    (note,) = (note for note in report.notes if "shared vector cache" in note)
    assert message in note
    assert "\n" not in note
    if "://" in place:
        done = CliRunner().invoke(main, ["import", place, str(team)])
        assert (done.exit_code, len(done.stderr.strip().splitlines())) == (2, 1), done.stderr
        assert "cannot be read" in done.stderr


def test_offline_means_no_url(team: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINDEX_OFFLINE", "true")
    done = CliRunner().invoke(main, ["import", "s3://team/shop", str(team)])
    assert (done.exit_code, "The setting `offline` forbids" in done.stderr) == (2, True)
    monkeypatch.setenv("CODEINDEX_CACHE_SHARED", "https://example.org/team")
    with Index.open(team) as index:
        report = index.sync()
    assert [note for note in report.notes if "`offline` forbids the network" in note]


def test_a_repository_cannot_name_the_shared_cache(team: Path) -> None:
    (team / ".ai-devtools.yaml").write_text("cache:\n  shared: https://evil.example/x\n")
    with Index.open(team) as index:
        assert index.settings.config.cache.shared == ""


def test_a_message_names_a_place_without_its_password() -> None:
    pytest.importorskip("obstore", reason="install the extra `shared`")
    store = open_store("http://user:hunter2@127.0.0.1:9/team?token=abc")
    with pytest.raises(SharingError) as raised:
        store.get("manifest.json", most=9)
    assert "hunter2" not in str(raised.value)
    assert "abc" not in str(raised.value)
    assert "'http://127.0.0.1:9/team' cannot be read" in str(raised.value)
    assert os.linesep not in str(raised.value)

"""The requests that the search page sends, over HTTP without a browser."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from codeindex import Index
from codeindex.text.sanitize import escape_text
from codeindex.web.static_files import PAGE_HEADERS, static_files
from tests.conftest import Repository
from tests.flow.asking import indexed_shop
from tests.flow.serving import FILES, Site, site

TOKEN = "a-token-for-a-test"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("routes")
    with indexed_shop(folder, FILES) as root, site(root, token=TOKEN) as running:
        yield running


def test_only_the_files_of_the_page_need_no_token(shop: Site) -> None:
    for path, (_, content_type) in static_files().items():
        answer = shop.ask(path)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == content_type
        assert (
            PAGE_HEADERS.items()
            <= {name: answer.headers.get(name) for name in PAGE_HEADERS}.items()
        )
    for path in ("/api/ui/status", "/api/ui/search?q=x", "/static/", "/static/../page.css", "/x"):
        assert shop.ask(path).status_code == 401
    strange = {"Origin": "http://elsewhere", "Authorization": f"Bearer {TOKEN}"}
    assert shop.ask("/api/ui/status", headers=strange).status_code == 403


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("search?q=", 400),
        ("search?q=x&limit=many", 400),
        ("search?q=x&vector=1", 400),
        ("ask?query=x&llm_cmd=true", 400),
        ("read?path=%00", 400),
    ],
)
def test_bad_requests_get_one_sentence(shop: Site, path: str, status: int) -> None:
    answer = shop.ask(f"/api/ui/{path}", headers={"Authorization": f"Bearer {TOKEN}"})
    assert (answer.status_code, list(answer.json())) == (status, ["error"])


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b"[" * 5000, b"x" * 500_000])
def test_bad_texts_to_highlight_get_one_sentence(shop: Site, body: bytes) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    answer = shop.ask("/api/ui/highlight", "POST", content=body, headers=headers)
    assert (answer.status_code, list(answer.json())) == (400, ["error"])


def ask(shop: Site, route: str, /, **parameters: str) -> Any:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    return shop.ask(f"/api/ui/{route}", params=parameters, headers=headers).json()


@pytest.mark.usefixtures("home")
def test_a_question_to_all_repositories_is_asked_of_each(
    shop: Site, repository: Repository
) -> None:
    other = _indexed(repository({"till.py": "def charge_cash(coins):\n    return coins\n"}, "till"))
    with site(other, _indexed(shop.served.index().root), token=TOKEN) as both:
        asked = ask(both, "ask", query="how does it charge a card or cash")
    assert "error" not in asked, asked
    places = {
        (cited["repo"], cited["path"]) for it in asked["sentences"] for cited in it["citations"]
    }
    assert {("till", "till.py"), ("shop", "shop/pay.py")} <= places


@pytest.mark.usefixtures("home")
def test_a_repository_without_an_index_does_not_fail_a_question_to_all(
    shop: Site, repository: Repository
) -> None:
    other = repository({"till.py": "def charge_cash(coins):\n    return coins\n"}, "till")
    with site(_indexed(shop.served.index().root), other, token=TOKEN) as both:
        asked = ask(both, "ask", query="how does it charge a card")
        found = ask(both, "search", q="charge_cash")  # the server may have indexed it by now
    assert {cited["path"] for it in asked["sentences"] for cited in it["citations"]}
    is_named = any(note.startswith("not searched: till: ") for note in asked["notes"])
    assert is_named or "till.py" in str(found), asked["notes"]


ODD = "shop/turn\u202eyp \x1b[1m.py"
LARGE = "".join(f"{number:06}: {'entry ' * 12}of the ledger\n" for number in range(22_000))
MANY = {
    f"many/m{file}.py": "\n\n".join(
        f"def handle_{number}_of_{file}(order):\n    return order" for number in range(250)
    )
    for file in range(40)
}
"""Ten thousand functions that a search finds, of which five a file are results."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("large")
    files = {**MANY, "ledger.txt": LARGE, ODD: "def odd():\n    return 1\n"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_LIMITS_MAX_FILE_KB", "4096")
        patch.setenv("CODEINDEX_PATTERN_DETECTION_ENABLED", "false")  # else one file stands for all
        patch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
        with indexed_shop(folder, files) as root, site(root, token=TOKEN) as running:
            yield running


def test_ten_thousand_results_are_paged_without_repeats(large: Site) -> None:
    seen: list[tuple[str, int]] = []
    page: dict[str, Any] = {"cursor": ""}
    while page["cursor"] is not None:
        page = ask(large, "search", q="handle", limit="100", cursor=page["cursor"])
        seen += [(hit["file_path"], hit["start_line"]) for hit in page["results"]]
    assert len(seen) == len(set(seen)) == page["total_count"]
    assert len(seen) > 100
    assert len(ask(large, "search", q="handle", limit="9999")["results"]) <= 100


def test_a_file_of_two_megabytes_is_read_in_parts(large: Site) -> None:
    assert len(LARGE) > 2_000_000
    part = ask(large, "read", path="ledger.txt", start_line="20000", end_line="20399")
    (section,) = part["sections"]
    assert section["content"].startswith("019999: entry ")
    assert part["total_lines"] >= 22_000
    assert len(section["content"]) < 50_000


def test_names_with_control_characters_are_shown_escaped_and_open(large: Site) -> None:
    (hit, *_) = ask(large, "search", q="odd")["results"]
    assert hit["file_path"] == escape_text(ODD) != ODD
    for route in ("read", "declarations"):
        assert "error" not in ask(large, route, path=hit["file_path"])
    assert "error" in ask(large, "read", path="no\\u202esuch.py")


@pytest.mark.usefixtures("home")
def test_a_tree_that_changes_while_the_page_is_open(repository: Repository) -> None:
    with site(_indexed(repository(FILES)), token=TOKEN) as running:
        root = running.served.index().root
        first = ask(running, "search", q="charge card", limit="1")
        (root / "shop/pay.py").write_text("def refund(card):\n    return card\n")
        (root / "shop/cart.py").unlink()
        assert "refund" in ask(running, "read", path="shop/pay.py")["sections"][0]["content"]
        assert "shop/cart.py" in ask(running, "read", path="shop/cart.py")["error"]
        names = [hit["symbol"] for hit in ask(running, "search", q="refund")["results"]]
        assert names == ["refund"]
        assert "error" in ask(running, "search", q="charge card", cursor=first["cursor"])
        for path in FILES:
            (root / path).unlink(missing_ok=True)
        assert ask(running, "search", q="refund")["results"] == []


@pytest.mark.usefixtures("home")
def test_requests_that_the_page_gives_up_are_not_answered(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    with site(_indexed(repository(FILES)), token=TOKEN) as running:
        searched: list[str] = []
        is_free, search = threading.Event(), running.served.search

        def slow(query: str, **options: Any) -> Any:
            searched.append(query)
            is_free.wait(20)
            return search(query, **options)

        monkeypatch.setattr(running.served, "search", slow)

        def give_up(number: int) -> None:
            with pytest.raises(httpx2.TimeoutException):
                httpx2.get(
                    f"{running.url}/api/ui/search?q=charge{number}",
                    headers={"Authorization": f"Bearer {TOKEN}"},
                    timeout=0.5,
                )

        threads = [threading.Thread(target=give_up, args=(number,)) for number in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        before = len(searched)
        is_free.set()
        assert ask(running, "search", q="charge")["results"]
        assert before <= 4
        assert len(searched) == before + 1


def test_an_unforeseen_error_gets_one_sentence(shop: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("internal")

    monkeypatch.setattr(shop.served, "search", broken)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    answer = shop.ask("/api/ui/search?q=charge", headers=headers)
    assert answer.status_code == 500
    assert answer.json() == {"error": "unexpected KeyError in a request: 'internal'"}


def _indexed(root: Path) -> Path:
    with Index.open(root) as index:
        index.sync(structure_only=True)
    return root

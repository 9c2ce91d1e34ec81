"""The requests that the search page sends, over HTTP without a browser."""

from collections.abc import Iterator

import pytest

from codeindex.web.static_files import PAGE_HEADERS, static_files
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

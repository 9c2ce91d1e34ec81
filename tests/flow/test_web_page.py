"""The search page, used in Chromium as a person would use it."""

import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Repository
from tests.flow.asking import indexed_shop
from tests.flow.browser import MISSING, Browser, installed
from tests.flow.serving import Site, site

pytestmark = [pytest.mark.browser, pytest.mark.skipif(not installed(), reason=MISSING)]
DOWN, ENTER, ESCAPE = "\ue015", "\ue007", "\ue00c"
TOKEN = "a-token-for-a-test"
MARKUP = "<img src=x onerror=alert(1)>"
FILES = {
    "shop/pay.py": 'def charge(card):\n    """Take money from a card."""\n    return bool(card)\n',
    "shop/cart.py": "from shop.pay import charge\n\n\ndef checkout(card):\n    charge(card)\n",
    "tests/test_cart.py": (
        "from shop.cart import checkout\n\n\ndef test_checkout():\n    checkout(1)\n"
    ),
    f"web/{MARKUP}.js": (
        f'// {MARKUP} banner\nfunction banner() {{ return "{MARKUP}</script>"; }}\n'
    ),
    **{f"parts/p{part}.py": f"def handle_{part}():\n    return {part}\n" for part in range(25)},
    "long.py": "".join(f"value_{number} = {number}\n" for number in range(1, 3001)),
}
AXE = Path(tempfile.gettempdir()) / "ui-web/node_modules/axe-core/axe.min.js"
"""Where `npm i --prefix /tmp/ui-web axe-core` puts it; without it, access is not checked."""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("page")
    with indexed_shop(folder, FILES) as root, site(root, token=TOKEN) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as opened:
        yield opened


@pytest.fixture
def page(shop: Site, browser: Browser) -> Browser:
    browser.open_url("about:blank")
    browser.open_url(f"{shop.url}/#token={TOKEN}")
    browser.resize_window(1280, 900)
    browser.said()
    return browser


def wait(browser: Browser, condition: str, *arguments: object) -> Any:
    """Return the value of a JavaScript expression as soon as it is true; fail after 20 seconds."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if value := browser.run(f"return {condition}", *arguments):
            return value
        time.sleep(0.05)
    text = browser.run("return document.body.innerText")
    raise AssertionError(f"{condition} stays false: {text}")


def shows(browser: Browser, text: str) -> None:
    wait(browser, "document.body.innerText.includes(arguments[0])", text)


def follow(browser: Browser, part: str, text: str) -> None:
    """Click the link with a text in a part of the page."""
    links = "[...document.querySelectorAll(arguments[0] + ' a')]"
    browser.run(f"{links}.find(link => link.textContent == arguments[1]).click()", part, text)


def test_results_come_while_typing_and_keys_open_and_close_them(page: Browser) -> None:
    page.press(*"take money")
    wait(page, "document.querySelector('#list .title')?.textContent.startsWith('charge')")
    wait(page, "document.querySelector('#list .s-keyword')")
    page.press(DOWN, ENTER)
    wait(page, "document.querySelector('#file [aria-current]')?.textContent.includes('def charge')")
    wait(page, "[...document.querySelectorAll('aside a')].some(a => a.textContent == 'checkout')")
    assert "file=shop%2Fpay.py" in page.run("return location.href")
    page.press(ESCAPE)
    wait(page, "document.getElementById('file').hidden")
    assert page.run("return document.activeElement.className") == "result"
    page.press("?")
    wait(page, "document.getElementById('help').open")
    page.press(ESCAPE, "/")
    assert page.run("return document.activeElement.id") == "query"
    assert page.said() == []


def test_an_address_shows_the_same_in_another_tab_and_back_returns(
    page: Browser, shop: Site
) -> None:
    page.open_url(f"{shop.url}/?q=take+money&language=python&file=shop/cart.py&line=4")
    wait(page, "document.querySelector('#file [aria-current]')?.textContent.includes('checkout')")
    assert page.run("return document.getElementById('language').value") == "python"
    shows(page, "test_checkout")
    wait(page, "[...document.querySelectorAll('aside a')].some(a => a.textContent == 'charge')")
    follow(page, "aside", "charge")
    wait(page, "document.querySelector('#file h2')?.textContent == 'shop/pay.py'")
    page.back()
    wait(page, "document.querySelector('#file h2')?.textContent == 'shop/cart.py'")


def test_the_token_leaves_the_address_and_without_it_the_page_asks_for_it(
    page: Browser, shop: Site
) -> None:
    wait(page, "location.hash == ''")
    page.run("sessionStorage.clear()")
    page.open_url(f"{shop.url}/?q=money")
    shows(page, "This server asks for its token")


def test_markup_in_names_and_code_is_text(page: Browser, shop: Site) -> None:
    page.open_url(f"{shop.url}/?q=banner")
    shows(page, MARKUP)
    page.press(DOWN, ENTER)
    wait(
        page, "document.querySelector('#file h2')?.textContent == arguments[0]", f"web/{MARKUP}.js"
    )
    page.open_url(f"{shop.url}/?q={MARKUP}&view=ask&file={MARKUP}&line=%00&kind={MARKUP}")
    wait(page, "document.querySelector('#file .empty')")
    assert page.run("return document.querySelectorAll('img, main script').length") == 0


def test_a_long_file_is_shown_in_parts(page: Browser, shop: Site) -> None:
    page.open_url(f"{shop.url}/?file=long.py&line=2000")
    wait(page, "document.querySelector('#L2000[aria-current]')")
    shows(page, "Later lines")
    assert page.run("return document.querySelectorAll('#file .line').length") < 600


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("file=no/such.py", "no/such.py"),
        ("q=money&kind=nothing", "No kind is called"),
        ("q=money&repo=elsewhere", "was not started for"),
        ("q=zzzqqq&path=shop", "No results"),
        ("view=map&path=no/such", "no/such"),
        ("line=-5&file=../../etc/passwd", "etc/passwd"),
    ],
)
def test_arbitrary_addresses_are_explained_and_the_page_stays_usable(
    page: Browser, shop: Site, query: str, text: str
) -> None:
    page.open_url(f"{shop.url}/?{query}")
    shows(page, text)
    page.run("document.getElementById('home').click()")
    page.run("document.getElementById('query').focus()")
    page.press(*"charge")
    wait(page, "document.querySelector('#list .title')")


def test_more_than_twenty_results_are_added_below(page: Browser, shop: Site) -> None:
    page.open_url(f"{shop.url}/?q=handle&path=parts")
    shows(page, "20 results, best first")
    page.run("document.getElementById('more').click()")
    wait(page, "document.querySelectorAll('#list li').length == 25")
    assert page.run("return document.getElementById('more')") is None
    assert page.run("return document.activeElement.className") == "result"


def test_questions_and_the_map(page: Browser, shop: Site) -> None:
    page.open_url(f"{shop.url}/?view=ask&q=how+is+money+taken+from+a+card")
    wait(page, "[...document.querySelectorAll('#list a')].some(a => a.href.includes('pay.py'))")
    page.run("document.getElementById('mode-map').click()")
    wait(page, "[...document.querySelectorAll('#list a')].some(a => a.textContent == 'shop/')")
    follow(page, "#list", "shop/")
    wait(page, "[...document.querySelectorAll('#list a')].some(a => a.textContent == 'pay.py')")


@pytest.mark.parametrize("width", [400, 1280, 2560])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_view_is_wider_than_its_window_or_has_serious_faults_of_access(
    page: Browser, shop: Site, width: int, scheme: str
) -> None:
    page.media(prefers_color_scheme=scheme)
    page.resize_window(width, 900)
    for query in ("q=money", "q=money&file=shop/cart.py&line=4", "view=map", "view=ask&q=money"):
        page.open_url(f"{shop.url}/?{query}")
        wait(page, "document.querySelector('#list a')")
        if "file=" in query:
            wait(page, "document.querySelector('#file .relation a')")
        root = "document.documentElement"
        assert page.run(f"return {root}.scrollWidth <= {root}.clientWidth"), query
        if AXE.exists():
            page.run(f"{AXE.read_text()}; window.axe = axe;")
            found = page.run("return axe.run().then(result => result.violations)")
            faults = [
                (fault["id"], fault["nodes"][0]["html"])
                for fault in found
                if fault["impact"] in {"serious", "critical"}
            ]
            assert faults == [], query


@pytest.mark.usefixtures("home")
def test_a_repository_without_an_index_is_reported_as_not_indexed(
    browser: Browser, repository: Repository
) -> None:
    with site(repository(FILES)) as fresh:
        browser.open_url(f"{fresh.url}/?q=money")
        wait(browser, "document.body.innerText.match(/no index|not indexed|partial|charge/i)")
        fresh.served.background.sync_now(fresh.served.index())
        wait(browser, "document.querySelector('#list .title')")


@pytest.mark.usefixtures("home")
def test_the_command_prints_an_address_that_works(browser: Browser, repository: Repository) -> None:
    command = [sys.executable, "-m", "codeindex", "ui", "--no-browser"]
    process = subprocess.Popen(command, cwd=repository(FILES), stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        url = next(
            found[0]
            for line in process.stderr
            if (found := re.search(r"http://\S+#token=\S+", line))
        )
        browser.open_url(url)
        browser.run("document.getElementById('query').focus()")
        browser.press(*"money")
        wait(browser, "document.querySelector('#list .title')")
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
        process.stderr.close()

"""The report's page in Chromium: `pytest -m browser`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeindex import Index
from tests.flow.browser import MISSING, Browser, installed
from tests.flow.reporting import HOSTILE, reported_shop

pytestmark = [pytest.mark.browser, pytest.mark.skipif(not installed(), reason=MISSING)]

DOWN, RIGHT, LEFT, ENTER, END = "\ue015", "\ue014", "\ue012", "\ue007", "\ue010"
NAMES = "return [...document.querySelectorAll('[role=treeitem]')].map((one) => one.node.name)"
CHOSEN = "return document.querySelector('#detail h3').textContent"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("browser")
    with reported_shop(folder) as root, Index.open(root) as index:
        file = folder / "report.html"
        file.write_text(index.overview.report().html(), encoding="utf-8")
        yield file


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture
def browser(opened: Browser, page: Path) -> Iterator[Browser]:
    opened.open(page)
    yield opened
    assert opened.said() == []


def search(browser: Browser, text: str) -> str:
    browser.run(
        "const box = document.getElementById('find'); box.value = arguments[0];"
        "box.dispatchEvent(new Event('input'));",
        text,
    )
    return str(
        browser.run(
            "return new Promise((done) => setTimeout(() =>"
            " done(document.getElementById('found').textContent), 200))"
        )
    )


def test_the_page_loads_nothing_and_no_name_has_become_a_part_of_it(browser: Browser) -> None:
    loaded = "return performance.getEntriesByType('resource').map((one) => one.name)"
    assert browser.run(loaded) == []
    assert browser.run("return [typeof window.escaped, document.scripts.length]") == [
        "undefined",
        2,
    ]
    assert search(browser, HOSTILE[2][8:12]) == "1 found"
    assert browser.run(CHOSEN) == HOSTILE[2]


def test_the_search_box_finds_opens_and_chooses(browser: Browser) -> None:
    assert search(browser, "CART") == "1 found"
    assert browser.run(NAMES) == ["shop", "src", "shop", "cart.py"]
    assert browser.run(CHOSEN) == "cart.py"
    assert search(browser, "nowhere") == "nothing of this name"
    assert search(browser, "") == ""
    assert browser.run(CHOSEN) == "shop"


def test_everything_can_be_expanded_and_collapsed(browser: Browser) -> None:
    folded = browser.run(NAMES)
    browser.run("document.getElementById('open').click()")
    assert {"pay.py", "keys.py", "test_pay.py", HOSTILE[2]} <= set(browser.run(NAMES))
    browser.run("document.getElementById('shut').click()")
    assert browser.run(NAMES) == folded


def test_the_tree_is_walked_by_keys(browser: Browser) -> None:
    browser.run("document.querySelector('[role=treeitem]').focus()")
    focused = "return document.activeElement.getAttribute('aria-label')"
    browser.press(DOWN)
    assert browser.run(focused).startswith("src, folder, ")
    browser.press(RIGHT, RIGHT, DOWN, RIGHT, RIGHT)
    assert browser.run(focused).startswith("cart.py, python, ")
    browser.press(ENTER)
    assert browser.run(CHOSEN) == "cart.py"
    browser.press(LEFT, LEFT)
    expanded = "return document.activeElement.getAttribute('aria-expanded')"
    assert browser.run(expanded) == "false"
    browser.press(END)
    assert browser.run(focused).startswith("README.md, ")


def test_what_a_file_uses_is_drawn_and_leads_on(browser: Browser) -> None:
    search(browser, "pay.py")
    boxes = (
        "return [...document.querySelectorAll('.diagram .box text')].map((one) => one.textContent)"
    )
    assert browser.run(boxes) == ["test_pay.py", "pay.py", "cart.py"]
    browser.run("[...document.querySelectorAll('.diagram .box')].at(-1).focus()")
    browser.press(ENTER)
    assert browser.run(CHOSEN) == "cart.py"


def test_a_table_is_sorted_by_any_column_and_says_so(browser: Browser) -> None:
    script = (
        "const head = document.querySelector('#hot-table th'); head.firstChild.click();"
        "const first = document.querySelector('#hot-table td').textContent;"
        "const said = head.getAttribute('aria-sort'); head.firstChild.click();"
        "return [first, said, document.querySelector('#hot-table td').textContent,"
        " head.getAttribute('aria-sort')]"
    )
    first, up, last, down = browser.run(script)
    assert (first < last, up, down) == (True, "ascending", "descending")


def test_every_control_has_a_name_and_every_picture_a_text(browser: Browser) -> None:
    browser.run("document.getElementById('open').click()")
    unnamed = (
        "const all = 'button, [role=treeitem], [role=button], [role=img]';"
        "return [...document.querySelectorAll(all)]"
        ".filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim()))"
        ".map((one) => one.outerHTML)"
    )
    assert browser.run(unnamed) == []
    levels = "return [...document.querySelectorAll('h1, h2')].map((one) => one.tagName)"
    assert browser.run(levels) == ["H1", *["H2"] * 8]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(browser: Browser, scheme: str) -> None:
    """4.5 to 1 is what WCAG asks for."""
    browser.media(prefers_color_scheme=scheme)
    light = (
        "const part = (value) => (value /= 255, value <= 0.03928 ? value / 12.92 :"
        " ((value + 0.055) / 1.055) ** 2.4);"
        "const of = (colour) => { const [r, g, b] = colour.match(/\\d+/g).map(Number);"
        " return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };"
        "const paper = of(getComputedStyle(document.body).backgroundColor);"
        "return ['h1', '.lead', '.row .count', '#tree .name', '.crumbs', 'nav a', 'th button'].map("
        "(name) => { const ink = of(getComputedStyle(document.querySelector(name)).color);"
        " return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05); })"
    )
    ratios = browser.run(light)
    assert min(ratios) >= 4.5, ratios
    paper = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(20, 24, 28)") == (scheme == "dark")
    assert browser.picture().startswith(b"\x89PNG")


def test_the_page_is_readable_on_a_phone(page: Path) -> None:
    """Nothing is wider than the screen, and letters of drawings are not scaled down."""
    small = (
        "return [...document.querySelectorAll('svg text')]"
        ".filter((one) => one.textContent && one.getBoundingClientRect().width)"
        ".filter((one) => one.getScreenCTM().a < 0.85).map((one) => one.textContent)"
    )
    with Browser() as browser:
        browser.resize(400, 900)
        browser.open(page)
        assert browser.run("return document.documentElement.scrollWidth") == 400
        assert browser.run("return document.querySelectorAll('svg text').length") > 0
        assert browser.run(small) == []
        first = "return document.querySelector('#hot-table td').getBoundingClientRect().width"
        assert browser.run(first) >= 150

"""The report: what it says, and what its page may not say or do."""

import base64
import hashlib
import html.parser
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from codeindex import Index
from codeindex.analysis.overview.page import page_data, render_html
from codeindex.analysis.overview.repository_overview import RepositoryOverview
from codeindex.cli import main
from tests.conftest import Repository
from tests.flow.reporting import FILES, HOSTILE, reported_shop


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with reported_shop(tmp_path_factory.mktemp("report")) as root:
        yield root


@pytest.fixture(scope="module")
def found(shop: Path) -> RepositoryOverview:
    with Index.open(shop) as index:
        return index.overview.report()


@pytest.fixture(scope="module")
def page(found: RepositoryOverview) -> str:
    return render_html(found)


class Parts(html.parser.HTMLParser):
    """What a browser would see as elements, scripts and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.tags[-1][0] if self.tags else "", []).append(data)


def parts_of(page: str) -> Parts:
    parts = Parts()
    parts.feed(page)
    return parts


def test_the_hottest_file_is_hard_and_changes_often(found: RepositoryOverview) -> None:
    first = found.hot_files[0]
    assert (first.path, first.commits) == ("src/shop/pay.py", 5)
    assert first.score == first.complexity * 5 >= 15 * 5
    assert found.hotspots.hotspots[0].name == "hard"
    assert dict(found.spread)["11 to 20"] == 1


def test_files_that_change_together_without_a_use_are_told(found: RepositoryOverview) -> None:
    (cluster,) = found.clusters
    assert cluster.files == ("src/shop/free.py", "src/shop/pay.py")
    assert (cluster.commits, cluster.linked) == (5, False)


def test_the_map_has_every_file_and_who_uses_whom(found: RepositoryOverview) -> None:
    paths = [one.path for one in found.landscape.files]
    assert set(paths) == set(FILES) - {"logo.png", ".env"}
    links = {(paths[one.source], paths[one.target]) for one in found.landscape.links}
    assert links == {
        ("src/shop/pay.py", "src/shop/cart.py"),
        ("tests/test_pay.py", "src/shop/pay.py"),
    }


def test_skipped_files_are_reported_with_their_reason(found: RepositoryOverview) -> None:
    left = {path: one.reason for one in found.cover.reasons for path in one.paths}
    assert set(left) == {"logo.png", ".env"}
    assert (found.cover.indexed, found.cover.skipped) == (len(FILES) - 2, 2)


def test_searches_are_counted_and_their_questions_are_not_told(
    found: RepositoryOverview, page: str
) -> None:
    (day,) = found.use.days
    assert (day.searches, day.found_nothing) == (2, 1)
    assert day.answer_tokens > 0
    assert "zyxwvut" not in page


def test_a_part_of_the_repository_has_a_report_of_its_own(shop: Path) -> None:
    with Index.open(shop) as index:
        found = index.overview.report("tests")
    assert [one.path for one in found.landscape.files] == ["tests/test_pay.py"]
    assert (found.hot_files, found.cover.skipped, found.clusters) == ((), 0, ())
    assert "symbols" not in list(found.text())[2]  # the count is that of the whole repository


def test_the_page_runs_its_own_script_alone_and_loads_nothing(page: str) -> None:
    parts = parts_of(page)
    policy = next(
        attributes["content"]
        for tag, attributes in parts.tags
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    script = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    style = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert [len(script), len(style)] == [1, 1]
    assert policy == (
        f"default-src 'none'; style-src '{digest(style[0])}'; script-src '{digest(script[0])}';"
        " base-uri 'none'; form-action 'none'"
    )
    addresses = {"src", "srcset", "data", "action", "poster"}
    assert [one for one in parts.tags if addresses & set(one[1])] == []
    assert [a["href"] for _, a in parts.tags if str(a.get("href", "#"))[0] != "#"] == []


def digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def test_no_name_of_a_file_gets_out_of_the_data(page: str) -> None:
    parts = parts_of(page)
    assert [tag for tag, _ in parts.tags].count("script") == 2
    assert not any("onmouseover" in attributes for _, attributes in parts.tags)
    text = re.search(r'<script id="data" type="application/json">(.*?)</script>', page)
    assert text is not None
    assert re.search(r"[<>&\x7f]|[^\x00-\x7f]", text[1]) is None
    names = [row[0] for row in json.loads(text[1])["files"]]
    assert "/".join(HOSTILE) in names
    assert {r"src/odd/turn\u202eyp.py", r"src/odd/line\u2028end.py"} <= set(names)


def test_the_page_tells_no_secret_and_no_folder_of_this_machine(
    shop: Path, found: RepositoryOverview, page: str
) -> None:
    said = page + json.dumps(found.as_dict()) + "\n".join(found.text())
    for hidden in ("hunter2", "ghp_0123", str(shop), str(shop.parent), str(Path.home()) + "/"):
        assert hidden not in said


def test_the_text_fits_into_80_columns_and_says_what_matters(found: RepositoryOverview) -> None:
    lines = list(found.text())
    assert max(map(len, lines)) <= 80
    heads = [line.split("  ")[0] for line in lines if line.isupper() or line[:4].isupper()]
    assert heads == ["LANGUAGES", "HOTSPOTS", "HEALTH", "CHANGE TOGETHER", "COVERAGE", "USE"]
    assert any(line.endswith("src/shop/pay.py") for line in lines)


def run(*words: str) -> Any:
    return CliRunner().invoke(main, ["report", *words])


def test_the_command_writes_prints_or_gives_json(shop: Path, tmp_path: Path) -> None:
    done = run(str(shop), "--html", str(tmp_path / "report.html"))
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.startswith("wrote ")
    assert (tmp_path / "report.html").read_text("utf-8").startswith("<!doctype html>")
    assert json.loads(run(str(shop), "--json").stdout)["state"]["repo"] == "shop"
    assert run(str(shop / "src")).stdout.startswith("shop · src\n")


def test_a_page_that_cannot_be_written_is_one_sentence(shop: Path, tmp_path: Path) -> None:
    done = run(str(shop), "--html", str(tmp_path / "none" / "report.html"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "there is no folder" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("report", "--html", "page.html"),
        ("report", "--html", "pages/page.html"),
        ("dependency-graph", "--html", "page.html"),
        ("ui", "--export", "pages"),
        ("export", "--to", "pages"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("has_git", [True, False])
@pytest.mark.usefixtures("home")
def test_a_page_is_not_written_through_a_link_that_leads_out_of_the_repository(
    words: tuple[str, ...],
    has_git: bool,
    tmp_path: Path,
    repository: Repository,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = repository({"a.py": "def a(): ...\n"})
    if not has_git:
        shutil.rmtree(root / ".git")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "page.html").write_text("mine")
    (root / "page.html").symlink_to(outside / "page.html")
    (root / "pages").symlink_to(outside)
    monkeypatch.chdir(root)
    options = ("--root",) if words[0] == "ui" else ()
    if words[0] == "export":
        with Index.open(root, root=True) as index:
            index.sync(structure_only=True)
    done = CliRunner().invoke(main, [*words, *options])
    assert done.exit_code == 2, done.output
    assert "leads out of the repository" in done.stderr
    assert [path.name for path in outside.iterdir()] == ["page.html"]
    assert (outside / "page.html").read_text() == "mine"


@pytest.mark.usefixtures("home")
def test_a_link_that_leads_out_is_refused_though_another_link_leads_to_the_repository(
    tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository({"a.py": "def a(): ...\n"})
    shutil.rmtree(root / ".git")
    (tmp_path / "mine.html").write_text("mine")
    (root / "page.html").symlink_to(tmp_path / "mine.html")
    (tmp_path / "alias").symlink_to(root)
    monkeypatch.chdir(root)
    done = run("--html", str(tmp_path / "alias" / "page.html"))
    assert done.exit_code == 2, done.output
    assert "leads out of the repository" in done.stderr
    assert (tmp_path / "mine.html").read_text() == "mine"


def test_a_page_is_written_through_a_link_within_the_repository(
    shop: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    for name in ("newest.html", "first.html"):  # other tests count the files of the shop
        request.addfinalizer((shop / name).unlink)
    (shop / "newest.html").symlink_to(shop / "first.html")
    monkeypatch.chdir(shop)
    assert run("--html", "newest.html").exit_code == 0
    assert (shop / "first.html").read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.usefixtures("home")
def test_an_empty_report_can_be_drawn(repository: Repository) -> None:
    root = repository({"notes.txt": "nothing to measure\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        found = index.overview.report()
    assert (found.hot_files, found.clusters, found.use.days) == ((), (), ())
    assert json.loads(page_data(found))["files"] == [["notes.txt", "text", 1, 0, 0, 1]]
    assert max(map(len, found.text())) <= 80

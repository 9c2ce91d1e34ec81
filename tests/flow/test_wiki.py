"""The wiki of a repository, with its own git: written, overtaken, found, and never lost."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeindex import Index
from codeindex.errors import CodeIndexError, OutdatedError, QueryError, WikiError
from codeindex.watch.background_sync import BackgroundSync
from codeindex.watch.options import DraftCommand, WatchOptions
from codeindex.watch.post_sync_tasks import PostSyncTasks
from codeindex.watch.watcher import Watcher
from tests.conftest import Repository
from tests.flow.asking import FILES

SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
PAGE = "# Paying\n\n`shop/pay.py:4-9` tries three times. See [[cart]] and [[nowhere]]."
PATIENCE = 60.0


@pytest.fixture(autouse=True)
def words_only(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not home.exists()
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")


@pytest.fixture
def shop(repository: Repository) -> Iterator[Index]:
    """An indexed repository whose wiki has two pages, committed."""
    root = repository(FILES).resolve()
    with Index.open(root) as index:
        index.wiki.generate()
        index.wiki.contribute("pay", PAGE, title="Paying", page_type="module")
        index.wiki.contribute(
            "cart", "# The cart\n\nHolds things.", title="Cart", source_files=("shop/cart.py",)
        )
        commit(root)
        yield index


def commit(root: Path) -> None:
    for words in (
        ["add", "-A"],
        ["-c", "user.name=T", "-c", "user.email=t@t", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *words], cwd=root, check=True)


def test_citations_of_missing_places_are_reported_and_kept(shop: Index) -> None:
    text = (
        "# Times\n\n`shop/pay.py:4-9`, shop/pay.py:4-999, nosuch/file.go:3, README.md:0 and"
        " shop/keys.py:2-1; at 12:30 on localhost:8080, http://example.com:80.\n\n"
        "```\nother.py:99\n```\n"
    )
    written = shop.wiki.contribute("times", text, title="Times")
    absent = ("shop/pay.py:4-999", "nosuch/file.go:3", "README.md:0", "shop/keys.py:2-1")
    assert (written.citations, written.unfounded) == (1, absent)
    assert f"Cites files or lines that do not exist: {', '.join(absent)}." in written.message
    assert "nosuch/file.go:3" in shop.wiki.read("times").content
    again = shop.wiki.compound("Also nosuch/file.go:4.", source_pages=("times",))
    assert "nosuch/file.go:4" in again.unfounded


def page_file(index: Index, page: str) -> Path:
    return index.root / ".codeindex/wiki" / f"{page}.md"


def until(is_so: Callable[[], bool]) -> None:
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() - began < PATIENCE, "it never came to be so"
        time.sleep(0.05)


def test_a_changed_source_affects_its_page_until_the_page_is_rewritten(shop: Index) -> None:
    source = shop.root / "shop/pay.py"
    assert shop.wiki.update().affected == ()
    source.write_text("# one more line\n" + source.read_text())
    moved = shop.wiki.update()
    (one,) = moved.reanchored
    assert (one.at, one.now) == ("shop/pay.py:4-9", "shop/pay.py:5-10")
    assert "`shop/pay.py:5-10` tries" in page_file(shop, "pay").read_text()
    (affected,) = moved.affected
    assert (affected.page, affected.stale) == ("pay", ())
    assert "+# one more line" in affected.changes[0].diff
    source.write_text(source.read_text().replace("range(3)", "range(5)"))
    commit(shop.root)
    (affected,) = shop.wiki.update().affected
    assert [one.state for one in affected.stale] == ["changed"]
    status = shop.wiki.status()
    assert (status.commits_behind, status.stale_pages, status.page_count) == (1, 1, 2)
    shop.wiki.contribute(
        "pay", "# Paying\n\nFive times: `shop/pay.py:5-10`.", base=affected.version
    )
    assert shop.wiki.update().affected == ()
    assert shop.wiki.status().stale_pages == 0
    first = subprocess.run(
        ["git", "rev-list", "--max-parents=0", "HEAD"],
        cwd=shop.root,
        check=True,
        capture_output=True,
    )
    since = shop.wiki.update(since=first.stdout.decode().strip())
    assert [one.page for one in since.affected] == ["pay"]
    with pytest.raises(QueryError, match="no commit"):
        shop.wiki.update(since="--output=x")


def test_status_counts_coverage_failures_and_problems(shop: Index) -> None:
    page_file(shop, "bad").write_text("---\ntittle: x\n---\n")
    page_file(shop, "Odd Name").write_text("x")
    shop.wiki.record_failure("a red test", "ran it again", "it is red", page="pay")
    status = shop.wiki.status()
    assert (status.coverage.covered, status.coverage.total) == (2, 3)
    assert status.coverage.uncovered == ("shop/keys.py",)
    assert [one.page for one in status.pages] == ["cart", "pay"]
    pay = status.pages[1]
    assert (pay.failures, pay.broken_links) == (1, ("nowhere",))
    assert len(status.problems) == 2
    assert "architecture" in status.planned
    with pytest.raises(WikiError, match="did you mean `title`"):
        shop.wiki.contribute("bad", "# x", title="x")
    with pytest.raises(QueryError, match="tittle"):
        shop.wiki.read("bad")


def test_pages_are_read_by_title_and_searched_with_their_failures(shop: Index) -> None:
    shop.wiki.record_failure(
        "timeout when charging",
        "raised the limit",
        "the bank is slow",
        source_files=("shop/pay.py",),
    )
    found = shop.wiki.read("payi")
    assert (found.page, found.linked_from, found.links) == ("pay", (), ("cart", "nowhere"))
    assert shop.wiki.read("cart").linked_from == ("pay",)
    assert found.failures[0].diagnosis == "the bank is slow"
    (result,) = shop.wiki.search("slow bank", include_failures=True).results
    assert (result.page, len(result.failures)) == ("pay", 1)
    assert shop.wiki.search("slow bank").results[0].failures == ()
    with pytest.raises(QueryError, match="Existing pages: pay"):
        shop.wiki.read("pai")
    assert shop.wiki.search("zyxwv").results == ()


def test_knowledge_is_added_to_the_page_of_its_topic_or_a_new_one(shop: Index) -> None:
    text = "Paying tries three times because of `shop/pay.py:12-13`."
    assert shop.wiki.suggest_contribution(text, source_pages=("pay",)).action == "update"
    written = shop.wiki.compound(text, source_pages=("pay", "cart"))
    assert (written.page, written.status, written.citations) == ("pay", "updated", 2)
    assert "## Notes\n\nPaying tries" in page_file(shop, "pay").read_text()
    other = "Deployments happen on Tuesdays. Nobody knows why."
    suggested = shop.wiki.suggest_contribution(other)
    assert (suggested.action, suggested.page) == ("create", "deployments-happen-on-tuesdays")
    written = shop.wiki.compound(other, title="Deployment")
    assert (written.page, written.status) == ("deployment", "created")
    with pytest.raises(QueryError, match="There is no page 'nope'"):
        shop.wiki.compound(other, source_pages=("nope",))
    orphan = shop.wiki.record_failure("moon phase", "waited a night", "nothing came of it")
    assert orphan.page == "failures"


def test_contradictions_and_failures_are_added_and_resolved(shop: Index) -> None:
    shop.wiki.contribute(
        "pay",
        PAGE,
        contradictions=({"description": "twice, says the README", "source": "README.md"},),
        failures=({"symptom": "s", "attempted_fix": "f", "diagnosis": "d"},),
    )
    found = shop.wiki.read("pay")
    assert [found.contradictions[0].resolved, found.failures[0].resolved] == [False, False]
    shop.wiki.contribute(
        "pay", PAGE, base=found.version, resolve_contradictions=True, resolve_failures=True
    )
    found = shop.wiki.read("pay")
    assert [found.contradictions[0].resolved, found.failures[0].resolved] == [True, True]
    bad: dict[str, str] = {"attempted_fix": "f", "diagnosis": "d"}
    with pytest.raises(QueryError, match="`symptom` is missing"):
        shop.wiki.contribute("pay", PAGE, base=found.version, failures=(bad,))  # type: ignore[arg-type]


def test_who_has_not_read_a_page_does_not_replace_it(shop: Index) -> None:
    old = shop.wiki.read("pay").version
    shop.wiki.contribute("pay", "# Paying\n\nOne.", base=old)
    with pytest.raises(OutdatedError, match="was changed since you read it"):
        shop.wiki.contribute("pay", "# Paying\n\nTwo.", base=old)
    with pytest.raises(OutdatedError, match="uncommitted text"):
        shop.wiki.contribute("pay", "# Paying\n\nTwo.")
    assert "One." in page_file(shop, "pay").read_text()
    commit(shop.root)
    shop.wiki.contribute("pay", "# Paying\n\nTwo.")
    page_file(shop, "pay").unlink()
    with pytest.raises(OutdatedError, match="was deleted since you read it"):
        shop.wiki.contribute("pay", "# Paying\n\nThree.", base=old)
    with pytest.raises(QueryError, match="give a `title`"):
        shop.wiki.contribute("pay", "# Paying\n\nThree.")


@settings(max_examples=5, suppress_health_check=list(HealthCheck))
@given(writers=st.integers(2, 6))
def test_of_writers_at_once_none_loses_anything(shop: Index, writers: int) -> None:
    base = shop.wiki.read("pay").version
    before = len(shop.wiki.read("cart").failures)
    won: list[int] = []
    told: list[CodeIndexError] = []

    def write(number: int) -> None:
        with Index.open(shop.root) as own:
            own.wiki.record_failure(f"s{number}", "f", "d", page="cart")
            try:
                own.wiki.contribute("pay", f"# Paying\n\nBy {number}, {base}.", base=base)
                won.append(number)
            except OutdatedError as error:
                told.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert (len(won), len(told)) == (1, writers - 1)
    assert f"By {won[0]}, {base}." in page_file(shop, "pay").read_text()
    failures = shop.wiki.read("cart").failures[before:]
    assert {one.symptom for one in failures} == {f"s{number}" for number in range(writers)}
    assert not [one for one in page_file(shop, "pay").parent.iterdir() if one.suffix != ".md"]


def test_no_secret_reaches_a_page_or_comes_out_of_one(shop: Index) -> None:
    body = f"# Keys\n\nIt is {SECRET}.\n\x1b[31m"
    shop.wiki.contribute("keys", body, title=f"Keys {SECRET}", source_files=("shop/keys.py",))
    failure = (f"s {SECRET}", f"f {SECRET}", f"d {SECRET}")
    shop.wiki.record_failure(*failure, actual_fix=SECRET, source_files=(SECRET,))
    shop.wiki.compound(f"Keys are like {SECRET}", title=SECRET)
    folder = page_file(shop, "keys").parent
    for one in folder.iterdir():
        assert SECRET.encode() not in one.read_bytes()
        assert b"\x1b" not in one.read_bytes()
    page_file(shop, "cart").write_text(f"# Cart\n\nBy hand: {SECRET}")
    assert SECRET not in json.dumps(shop.wiki.read("cart").as_dict())
    assert SECRET not in json.dumps(shop.wiki.search("hand").as_dict())
    source = shop.root / "shop/keys.py"
    source.write_text(source.read_text() + "x = 1\n")
    (shop.root / f"shop/{SECRET}.py").write_text("x = 1\n")
    told = json.dumps(shop.wiki.update().as_dict())
    assert "+x = 1" in told
    assert "shop/[REDACTED].py" in told
    assert SECRET not in told


def test_nothing_is_written_or_read_through_a_link(shop: Index, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("# Secret")
    page_file(shop, "linked").symlink_to(outside / "secret.md")
    with pytest.raises(WikiError, match="is a link"):
        shop.wiki.contribute("linked", "# x", title="x")
    with pytest.raises(QueryError, match="is a link"):
        shop.wiki.read("linked")
    page_file(shop, "Big").write_text("# Big")
    with pytest.raises(WikiError, match=r"rename it to 'big\.md'"):
        shop.wiki.contribute("big", "# x", title="x")
    folder = page_file(shop, "linked").parent
    folder.rename(tmp_path / "wiki")
    folder.symlink_to(tmp_path / "wiki")
    for ask in (
        lambda: shop.wiki.contribute("new", "# x", title="x"),
        lambda: shop.wiki.read("pay"),
    ):
        with pytest.raises(WikiError, match="is a link"):
            ask()
    assert (outside / "secret.md").read_text() == "# Secret"
    assert not (tmp_path / "wiki/new.md").exists()


def test_a_restart_deletes_only_what_git_has(shop: Index) -> None:
    with pytest.raises(WikiError, match="has a wiki"):
        shop.wiki.generate()
    shop.wiki.contribute("new", "# New", title="New")
    with pytest.raises(WikiError, match="uncommitted changes: index, new"):
        shop.wiki.generate(force=True)
    commit(shop.root)
    assert shop.wiki.generate(force=True).removed == ("cart", "new", "pay")
    assert [one.name for one in page_file(shop, "index").parent.iterdir()] == ["index.md"]


def test_without_a_wiki_every_question_says_how_to_begin(repository: Repository) -> None:
    with Index.open(repository(FILES)) as index:
        index.sync(structure_only=True)
        assert not index.wiki.status().exists
        with pytest.raises(WikiError, match="codeindex wiki generate"):
            index.wiki.search("x")
        with pytest.raises(WikiError, match="codeindex wiki generate"):
            index.wiki.contribute("x", "# x", title="x")
        plan = index.wiki.generate()
        assert {one.page_type for one in plan.pages} >= {"architecture", "module"}
        known = {one for page in plan.pages for one in page.source_files}
        assert known <= set(FILES)


def test_without_git_sources_are_compared_by_their_content(tmp_path: Path) -> None:
    for path, text in FILES.items():
        (tmp_path / "plain" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "plain" / path).write_text(text)
    with Index.open(tmp_path / "plain", root=True) as index:
        index.wiki.generate()
        index.wiki.contribute("pay", PAGE, title="Paying")
        (index.root / "shop/pay.py").write_text("x = 1\n")
        (affected,) = index.wiki.update().affected
        assert (affected.changes[0].path, affected.changes[0].diff) == ("shop/pay.py", "")


def test_pages_are_navigation_docs_and_nothing_else_of_ours_is_indexed(shop: Index) -> None:
    (page_file(shop, "pay").parent / "notes.txt").write_text("x")
    (shop.root / ".codeindex/other.md").write_text("x")
    (shop.root / "shop/.codeindex").mkdir()
    (shop.root / "shop/.codeindex/a.md").write_text("x")
    own = {one for one in shop.files() if ".codeindex" in one}
    assert own == {f".codeindex/wiki/{one}.md" for one in ("cart", "index", "pay")}
    found = shop.search("how does paying work, tries three times")
    assert ".codeindex/wiki/pay.md" in {one.path for one in (*found.navigation, *found.hits)}


def test_a_map_is_stable_fits_its_budget_and_replaces_no_other_file(shop: Index) -> None:
    made = shop.overview.regenerate_index()
    text = made.path.read_text()
    assert "- `shop/` (3 files)" in text
    assert "`charge`" in text
    assert not shop.overview.regenerate_index().changed
    assert made.path.read_text() == text
    small = shop.overview.regenerate_index(budget=200)
    assert small.tokens <= 200
    (shop.root / "shop/more.py").write_text("from shop.pay import charge\n\ncharge('1', 1)\n")
    assert shop.overview.keep_index_file()
    assert "--budget 200" in made.path.read_text()
    made.path.write_text("# Our own index\n")
    with pytest.raises(QueryError, match="was not written by codeindex"):
        shop.overview.regenerate_index()
    assert not shop.overview.keep_index_file()
    made.path.unlink()
    made.path.symlink_to(shop.root / "README.md")
    with pytest.raises(QueryError, match="is a link"):
        shop.overview.regenerate_index()
    assert (shop.root / "README.md").read_text() == FILES["README.md"]


def python(code: str) -> tuple[str, ...]:
    return sys.executable, "-c", f"import sys, time; prompt = sys.stdin.read(); {code}"


def overtaken(index: Index) -> None:
    source = index.root / "shop/pay.py"
    source.write_text(source.read_text().replace("range(3)", "range(7)") + f"# {SECRET}\n")


def test_a_draft_is_written_of_what_was_overtaken_and_again_while_nobody_edits(
    shop: Index, tmp_path: Path
) -> None:
    overtaken(shop)
    seen = tmp_path / "prompt"
    code = f"open({str(seen)!r}, 'w').write(prompt); "
    code += "print('```markdown\\n# Paying\\n\\nSeven.\\n```')"
    (drafted,) = shop.wiki.drafts(python(code))
    assert (drafted.page, drafted.reason) == ("pay", "")
    prompt = seen.read_text()
    assert "+    for _ in range(7):" in prompt
    assert "CITATION shop/pay.py:4-9: changed" in prompt
    assert SECRET not in prompt
    page = shop.wiki.read("pay")
    assert (page.draft, page.content.endswith("# Paying\n\nSeven.")) == (True, True)
    assert list(shop.wiki.drafts(python(code))) == []
    (shop.root / "shop/pay.py").write_text("x = 2\n")
    (again,) = shop.wiki.drafts(python("print('# Paying\\n\\nNothing.')"))
    assert again.reason == ""
    page_file(shop, "pay").write_text(page_file(shop, "pay").read_text() + "\nBy hand.\n")
    (shop.root / "shop/pay.py").write_text("x = 3\n")
    (spared,) = shop.wiki.drafts(python("print('# Paying\\n\\nOver it.')"))
    assert "uncommitted" in spared.reason
    assert "By hand." in page_file(shop, "pay").read_text()


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (python("print('I cannot do that.')"), "no heading"),
        (python("print('')"), "wrote nothing"),
        (python("print('---\\ntitle: x\\n---\\n# x')"), "not the Markdown"),
        (python("sys.stdout.buffer.write(b'# \\xff')"), "is not text"),
        (python("sys.exit('no credit left')"), "status 1: no credit left"),
        (python("print('# x' * 200_000)"), "more than"),
        (python("[print('# x') for _ in iter(int, 1)]"), "more than"),
        (("/no/such/program",), "did not start"),
    ],
)
def test_a_draft_that_is_no_page_is_dropped(
    shop: Index, command: tuple[str, ...], sentence: str
) -> None:
    overtaken(shop)
    before = page_file(shop, "pay").read_bytes()
    (drafted,) = shop.wiki.drafts(command)
    assert sentence in drafted.reason
    assert page_file(shop, "pay").read_bytes() == before


def test_watching_keeps_the_map_and_drafts_without_going_round_in_circles(shop: Index) -> None:
    made = shop.overview.regenerate_index()
    commit(shop.root)
    said: list[str] = []
    synced: list[object] = []
    drafts = DraftCommand(python("print('# Paying\\n\\nSeven times now.')"), debounce_ms=50)
    chores = PostSyncTasks(drafts, notify=lambda _, text: said.append(text))
    background = BackgroundSync(lambda _, what: synced.append(what), after=chores.run)
    watcher = Watcher(background, WatchOptions(debounce_ms=30))
    watcher.add(shop)
    try:
        overtaken(shop)
        (shop.root / "shop/extra.py").write_text("from shop.pay import send\n\nsend('1', 1)\n")
        until(lambda: "Seven times now." in page_file(shop, "pay").read_text())
        until(lambda: "(4 files)" in made.path.read_text())
        until(lambda: background.current_work(shop) is None)
        time.sleep(0.5)  # whatever would go round in circles does so now
        until(lambda: background.current_work(shop) is None)
        count = len(synced)
        time.sleep(0.5)
        assert len(synced) == count
        assert sum("is drafted" in one for one in said) == 1
    finally:
        watcher.close()
        chores.close()
        background.close()

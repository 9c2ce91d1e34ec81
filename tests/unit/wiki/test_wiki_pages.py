"""Pages of the wiki as files: their names, their front matter, and what their text points at."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeindex.errors import QueryError, WikiError
from codeindex.wiki.citations import check_citations, find_citations, find_links, reanchor_citations
from codeindex.wiki.contents import PlannedPage, new_contents, parse_planned_pages, update_contents
from codeindex.wiki.page import (
    Contradiction,
    FailureNote,
    PageCitation,
    PageSource,
    WikiPage,
    page_path,
    parse_page,
    serialize_page,
)
from codeindex.wiki.page_ids import MAX_ID_LENGTH, is_page_id, make_page_id, require_page_id
from codeindex.wiki.ranking import page_excerpt, rank_pages, rank_targets
from codeindex.wiki.source_files import SourceFiles

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
LINE = TEXT.filter(lambda one: one.strip() == one and "\r" not in one)
FAILURE = st.builds(
    FailureNote,
    LINE,
    LINE,
    LINE,
    actual_fix=LINE,
    source_files=st.tuples(LINE),
    resolved=st.booleans(),
)
PAGES = st.builds(
    WikiPage,
    id=st.just("one"),
    title=LINE,
    type=st.sampled_from(["architecture", "module", "entity", "topic"]),
    body=st.text(st.sampled_from("ab #-\n`[]"), max_size=40).map(lambda one: one.strip("\n")),
    commit=st.text("0123456789abcdef", min_size=7, max_size=40),
    draft=st.booleans(),
    sources=st.tuples(st.builds(PageSource, LINE, LINE)),
    cites=st.tuples(st.builds(PageCitation, LINE, LINE)),
    contradictions=st.tuples(st.builds(Contradiction, LINE, LINE, st.booleans())),
    failures=st.tuples(FAILURE),
)


@given(st.text(max_size=80))
def test_an_id_is_a_file_of_the_folder_and_nothing_else(text: str) -> None:
    if not is_page_id(text):
        return
    assert os.path.normpath(page_path(text)) == page_path(text)
    assert page_path(text).rpartition("/")[0] == ".codeindex/wiki"
    assert text == text.lower()
    assert len(text) <= MAX_ID_LENGTH


@given(st.text(max_size=200))
def test_every_title_has_an_id(text: str) -> None:
    assert require_page_id(make_page_id(text))


@pytest.mark.parametrize(
    "text",
    [
        *("..", "../x", "/etc/passwd", "a/b", "a\\b", "C:x", "con", "lpt1", "nul", "Ä", "A", "-a"),
        *("", ".", "a.md", "a\0", "index", "x" * 65, "a b", "$(x)", "a\n", "a-"),
    ],
)
def test_an_invalid_page_id_is_refused(text: str) -> None:
    with pytest.raises(QueryError):
        require_page_id(text)


@settings(max_examples=40)
@given(PAGES)
def test_a_page_is_read_as_it_was_written(page: WikiPage) -> None:
    assert parse_page("one", serialize_page(page).encode()) == page


def test_pages_that_people_wrote_are_read() -> None:
    plain = parse_page("one", b"# One\r\n\r\nText.\r\n")
    assert (plain.title, plain.type, plain.body) == ("one", "topic", "# One\n\nText.")
    said = b"---\ntitle: One\nsources: [a.py]\nfailures: []\n---\nText\n"
    assert parse_page("one", said).sources == (PageSource("a.py"),)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("---\ntitle: x\n", "has no end"),
        ("---\ntittle: x\n---\n", "did you mean `title`"),
        ("---\ntitle: [x]\n---\n", "`title` must be a text"),
        ("---\ntitle: x\ntitle: y\n---\n", "given twice"),
        ("---\ntype: song\n---\n", "`type` must be one of"),
        ("---\ncommit: --output=x\n---\n", "`commit` must be a commit's digest"),
        ("---\ncites:\n  - {at: x}\n---\n", "`cites[0].digest` must be given"),
        ("---\nfailures: x\n---\n", "`failures` must be a list"),
        (
            "---\ncontradictions:\n  - {description: x, sauce: y}\n---\n",
            "`contradictions[0].sauce`",
        ),
        ("---\na: !!python/object/apply:os.system [id]\n---\n", "one.md"),
        ("---\na: {\n---\n", "not valid YAML"),
    ],
)
def test_an_error_of_a_page_has_its_place(text: str, sentence: str) -> None:
    with pytest.raises(WikiError) as caught:
        parse_page("one", text.encode())
    assert sentence in str(caught.value)
    assert "one.md" in str(caught.value)


def tree_of(root: Path, **files: str) -> SourceFiles:
    for name, text in files.items():
        (root / f"{name}.py").write_text(text)
    return SourceFiles(root)


def test_citations_are_followed_when_lines_move_and_flagged_when_they_change(
    tmp_path: Path,
) -> None:
    code = "".join(f"line {n}\n" for n in range(30))
    body = "See `a.py:5-8` and a.py:12, not b.py:3 or http://a.py:80/ or\n```\na.py:1\n```\n"
    page = WikiPage("one", "One", body=body, cites=find_citations(body, tree_of(tmp_path, a=code)))
    assert [one.at for one in page.cites] == ["a.py:5-8", "a.py:12"]
    moved = tree_of(tmp_path, a="new\nnew\n" + code)
    found = {one.at: (one.state, one.now) for one in check_citations(page, moved)}
    assert found == {"a.py:5-8": ("moved", "a.py:7-10"), "a.py:12": ("moved", "a.py:14")}
    text = reanchor_citations(body, {at: now for at, (_, now) in found.items()})
    assert text == body.replace("a.py:5-8", "a.py:7-10").replace("a.py:12", "a.py:14")
    changed = tree_of(tmp_path, a=code.replace("line 5\n", "other\n"))
    assert [one.state for one in check_citations(page, changed)] == ["changed", "as written"]
    (tmp_path / "a.py").unlink()
    assert {one.state for one in check_citations(page, SourceFiles(tmp_path))} == {"gone"}


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30), st.data())
def test_a_moved_citation_has_the_same_text(lines: list[int], data: st.DataObject) -> None:
    class Known(SourceFiles):
        def __init__(self, held: list[int]) -> None:
            super().__init__(Path())
            self.held = tuple(map(str, held))

        def lines(self, path: str) -> tuple[str, ...]:
            return self.held

    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    (cite,) = find_citations(f"`a.py:{first}-{last}`", Known(lines))
    later = data.draw(st.lists(st.integers(0, 3), max_size=5)) + lines
    (found,) = check_citations(WikiPage("one", "One", cites=(cite,)), Known(later))
    assert found.state in {"as written", "moved"}
    (again,) = find_citations(f"`{found.now or found.at}`", Known(later))
    assert again.digest == cite.digest


def test_links_are_those_of_the_text_and_not_of_code() -> None:
    text = "[[a]] [[b|B]] `[[c]]`\n~~~\n[[d]]\n~~~\n[[a]]"
    assert find_links(text) == ("a", "b")


def test_files_outside_and_of_secrets_are_no_sources(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out.py").write_text("x")
    (tmp_path / "in" / ".env").write_text("x")
    (tmp_path / "in" / "link.py").symlink_to(tmp_path / "out.py")
    tree = SourceFiles(tmp_path / "in")
    for path in ("../out.py", str(tmp_path / "out.py"), ".env", "link.py", "", ".", "a\0b"):
        assert tree.lines(path) is None


def test_the_contents_list_pages_and_plans_and_keep_text_of_people() -> None:
    plans = [PlannedPage("a", "A", "module", "why: this"), PlannedPage("b", "B", "topic", "")]
    contents = new_contents("shop", plans)
    assert [(one.page, one.title, one.reason) for one in parse_planned_pages(contents)] == [
        ("a", "A", "why: this"),
        ("b", "B", ""),
    ]
    edited = WikiPage(**{name: getattr(contents, name) for name in ("id", "title", "type")})
    edited = WikiPage("index", "x", "index", body=f"Ours.\n\n{contents.body}\n\nOurs too.")
    page = WikiPage("a", "A", "module", body="# A\n\nIt does this. And that.")
    found = update_contents(edited, {"a": page})
    assert "- [A](a.md): It does this.\n" in found.body
    assert [one.page for one in parse_planned_pages(found)] == ["b"]
    assert found.body.startswith("Ours.")
    assert found.body.endswith("Ours too.")
    assert update_contents(found, {"a": page}) == found


def test_a_text_is_routed_by_its_words_and_by_the_files_it_names() -> None:
    pay = WikiPage(
        "pay", "Paying", body="Cards are charged three times.", sources=(PageSource("pay.py"),)
    )
    cart = WikiPage("cart", "Cart", body="Holds what somebody wants.\n\nThe total is a sum.")
    assert [one.page.id for one in rank_pages([cart, pay], "charging cards")] == ["pay"]
    assert rank_targets([cart, pay], "sum of the total", consulted=(), files=())[0].page is cart
    gained = rank_targets([cart, pay], "total", consulted=(), files=("pay.py",))
    assert gained[0].page is cart
    assert page_excerpt(cart, "total", failures=False) == "The total is a sum."


@pytest.mark.parametrize(
    "unit",
    ["`", "[[", "[[a|", "a/", "a.py:1", "a.py:1-", "<!-- pages: kept by codeindex -->", "- [ ] `"],
)
def test_pages_that_are_made_to_be_slow_are_not(tmp_path: Path, unit: str) -> None:
    """A page is half a megabyte at most; what grew with the square of it would take minutes."""
    body = unit * (500_000 // len(unit))
    tree = tree_of(tmp_path, a="x\n")
    assert isinstance(find_links(body), tuple)
    assert len(find_citations(body, tree)) <= 1
    assert parse_planned_pages(WikiPage("index", "x", "index", body=body)) == ()


def test_lines_that_moved_are_not_looked_for_without_end(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, a="x\n" * 100_000)
    cites = tuple(PageCitation(f"a.py:{n}-50000", "0" * 12) for n in range(1, 300))
    found = {one.state for one in check_citations(WikiPage("one", "One", cites=cites), tree)}
    assert found == {"changed"}

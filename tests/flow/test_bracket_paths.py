"""Paths with the characters of globs, such as the routes of Next.js, name files and folders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from codeindex import Filters, Index
from codeindex.api.index_limits import IndexLimits
from codeindex.api.secret_review import check_secrets
from codeindex.clients.proposal import propose_settings
from codeindex.config import Config
from codeindex.errors import QueryError
from tests.conftest import Repository
from tests.flow.asking import call
from tests.flow.sites import indexed_repository

PAGE = """import {{ loadOrder }} from "{1}/lib/orders";

/** Show the order page. */
export function {0}(id) {{
  return loadOrder(id);
}}
"""
FILES = {
    "app/[id]/page.tsx": PAGE.format("OrderPage", "../.."),
    "app/[id]/edit/form.tsx": PAGE.format("OrderForm", "../../.."),
    "app/i/page.tsx": PAGE.format("OtherPage", "../.."),
    "lib/orders.ts": "export function loadOrder(id) {\n  return id;\n}\n",
}
IN_FOLDER = {"app/[id]/page.tsx", "app/[id]/edit/form.tsx"}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with indexed_repository(tmp_path_factory.mktemp("brackets") / "shop", FILES) as root:
        yield root


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (["app/[id]/page.tsx"], {"app/[id]/page.tsx"}),
        (["app/[id]"], IN_FOLDER),
        (["./app/[id]/"], IN_FOLDER),
        (["app/[id]/*.tsx"], {"app/[id]/page.tsx"}),
        (["app/[id]", "app/i"], {*IN_FOLDER, "app/i/page.tsx"}),
        (["app", "!app/[id]"], {"app/i/page.tsx"}),
        (["app/[hij]/*.tsx"], {"app/i/page.tsx"}),
        (["app/*/page.tsx"], {"app/[id]/page.tsx", "app/i/page.tsx"}),
        (["app/{h,i}/*.{ts,tsx}"], {"app/i/page.tsx"}),
        (["app/[id]/{page,other}.tsx"], {"app/[id]/page.tsx"}),
        (["app", "!app/{i,[id]/edit}/"], {"app/[id]/page.tsx"}),
    ],
)
def test_a_path_with_brackets_is_a_filter(shop: Path, path: list[str], expected: set[str]) -> None:
    assert _files(call(shop, "search_code", {"query": "order page", "path": path})) == expected
    lines = call(shop, "search_code", {"query": "return loadOrder", "mode": "exact", "path": path})
    assert {line.partition(":")[0] for line in lines["lines"]} == expected


def _files(answer: Any) -> set[str]:
    assert not isinstance(answer, str), answer
    return {hit["file_path"] for hit in answer["results"]}


def test_other_tools_take_it_too(shop: Path) -> None:
    path = ["app/[id]"]
    explored = call(shop, "explore_code", {"query": "order page", "path": path})
    assert _files(explored["answer"]) == IN_FOLDER
    callers = call(shop, "find_symbol", {"names": "loadOrder", "mode": "callers", "path": path})
    assert {caller["file"] for caller in callers["callers"]} == IN_FOLDER
    summary = call(shop, "summarize_code", {"path": "app/[id]/*.tsx"})
    assert [file["file"] for file in summary["files"]] == ["app/[id]/page.tsx"]


def test_an_unread_file_below_the_folder_is_named(home: Path, repository: Repository) -> None:
    assert not home.exists()
    root = repository(FILES | {"app/[id]/huge.tsx": b"\0" * 100})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        for glob, left_out in (("app/[id]", 1), ("app/i", 0), ("app/[id]/*.tsx", 1)):
            (result,) = [index.exact.grep("nowhere", filters=Filters(globs=(glob,)))]
            assert sum(result.not_searched.values()) == left_out, glob


def test_proposed_settings_and_members_name_the_folder_itself(
    home: Path, repository: Repository
) -> None:
    assert not home.exists()
    root = repository(
        FILES
        | {
            "app/[id]/generated/api.ts": "export function call() {}\n",
            "package.json": json.dumps({"private": True, "workspaces": ["packages/*"]}),
            "packages/[x]/package.json": json.dumps({"name": "ex"}),
            "packages/[x]/index.js": "export function ex() {}\n",
            "packages/x/package.json": json.dumps({"name": "other"}),
        }
    )
    assert propose_settings(root).exclude == (r"/app/\[id]/generated/",)
    flags = IndexLimits(members=("ex",)).settings_of(root)
    with Index.open(root, flags=flags) as index:
        index.sync(structure_only=True)
        assert {"packages/[x]/index.js", "packages/[x]/package.json"} <= set(index.files())


@pytest.mark.usefixtures("home")
def test_settings_take_braces_and_a_query_s_broken_brace_is_refused(
    repository: Repository,
) -> None:
    root = repository(
        {
            ".ai-devtools.yaml": "code-index:\n  include: ['src/*.{ts,tsx}']\n",
            **{f"src/a.{suffix}": "export const limit = 1;\n" for suffix in ("ts", "tsx", "js")},
        }
    )
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert index.status().files == 2
        for glob in ("{src,}", "src/{,a.ts}"):
            assert len(index.search("limit", filters=Filters(globs=(glob,))).hits) == 2
        for glob in ("src/{a,{b", "src/{a,b"):
            with pytest.raises(QueryError, match=r"a '\{' has no '\}'"):
                index.search("limit", filters=Filters(globs=(glob,)))


@pytest.mark.usefixtures("home")
def test_globs_of_navigation_documents_and_of_trusted_files_take_braces(
    repository: Repository,
) -> None:
    text = "# Cart\n\nThe cart keeps its items for thirty days.\n"
    settings = "  navigation_docs: ['notes/*.{md,rst}']\n  navigation_doc_boost: 0\n"
    root = repository(
        {
            ".ai-devtools.yaml": f"code-index:\n{settings}",
            **{f"{folder}/cart.md": text for folder in ("notes", "other")},
            "shop/cart.py": "def keep(items: list[str]) -> None:\n    print(items)\n",
        }
    )
    with Index.open(root) as index:
        index.sync(structure_only=True)
        found = index.search("how long does the cart keep its items")
        paths = {hit.path for hit in (*found.hits, *found.navigation)}
        assert paths & {"notes/cart.md", "other/cart.md"} == {"other/cart.md"}
    code = 'password = "hT7xq9Lm2vRz4Kd8"\n'
    config = Config()
    config = replace(config, secrets=replace(config.secrets, ignore=("tests/{unit,flow}/",)))
    assert check_secrets(code, path="tests/flow/a.py", config=config).text == code
    assert check_secrets(code, path="tests/soak/a.py", config=config).text != code

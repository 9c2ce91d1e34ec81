"""What a query may answer with, by the files of a small catalog."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.errors import QueryError
from codeindex.search.filters import check_filters, file_mask, language_test
from codeindex.search.retrieve.corpus import Corpus, load_corpus
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.types import Filters, PreparedFile
from tests.prepared_files import store_file

FILES = {
    "docs/guide.md": ("markdown", "docs.guide"),
    "shop/cart.py": ("python", "shop.cart"),
    "shop/cart/view.ts": ("typescript", "shop.cart.view"),
    "shop2/pay.py": ("python", "shop2.pay"),
    "tests/test_cart.py": ("python", "tests.test_cart"),
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus")
    with Catalog.create(folder / "c") as catalog:
        with catalog.writing():
            for path, (language, module) in FILES.items():
                one = PreparedFile(
                    path=path,
                    language=language,
                    digest="",
                    size=1,
                    mtime_ns=1,
                    ctime_ns=1,
                    is_test=path.startswith("tests/"),
                    status="indexed",
                )
                store_file(catalog.connection, one, module=module, is_navigation=False)
        return load_corpus(catalog, Generation(), folder)


def kept(corpus: Corpus, filters: Filters) -> list[str]:
    mask = file_mask(corpus, check_filters(filters))
    return [path for path, ok in zip(corpus.paths, mask, strict=True) if ok]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), list(FILES)),
        (Filters(languages=("py",)), ["shop/cart.py", "shop2/pay.py", "tests/test_cart.py"]),
        (Filters(languages=("TS", "markdown")), ["docs/guide.md", "shop/cart/view.ts"]),
        (Filters(tests="only"), ["tests/test_cart.py"]),
        (Filters(tests="exclude", languages=("python",)), ["shop/cart.py", "shop2/pay.py"]),
        (Filters(paths=("shop",)), ["shop/cart.py", "shop/cart/view.ts"]),
        (Filters(paths=("shop/cart.py", "docs")), ["docs/guide.md", "shop/cart.py"]),
        (Filters(module="shop"), ["shop/cart.py", "shop/cart/view.ts"]),
        (Filters(module="shop.cart"), ["shop/cart.py", "shop/cart/view.ts"]),
        (Filters(globs=("*.ts",)), ["shop/cart/view.ts"]),
        (Filters(globs=("!*.py",)), ["docs/guide.md", "shop/cart/view.ts"]),
        (Filters(globs=("*.py", "!tests/")), ["shop/cart.py", "shop2/pay.py"]),
        (Filters(globs=("!*.py", "shop2/pay.py")), ["shop2/pay.py"]),
        (Filters(globs=("!tests/", "*.py")), ["shop/cart.py", "shop2/pay.py"]),
        (Filters(globs=("/shop",)), ["shop/cart.py", "shop/cart/view.ts"]),
        (Filters(paths=("nowhere",)), []),
    ],
)
def test_filters_leave_in_what_they_say(
    corpus: Corpus, filters: Filters, expected: list[str]
) -> None:
    assert kept(corpus, filters) == expected


@pytest.mark.parametrize(
    ("languages", "expected"),
    [
        (("c",), ["lib/a.c", "lib/a.h"]),
        (("cpp",), ["lib/a.h", "lib/b.cc"]),
        (("ts",), ["web/a.ts", "web/b.TSX"]),
        (("tsx",), ["web/b.TSX"]),
        (("!c",), ["lib/b.cc", "web/a.ts", "web/b.TSX"]),
        (("!tsx",), ["lib/a.c", "lib/a.h", "lib/b.cc", "web/a.ts"]),
        (("ts", "!tsx"), ["web/a.ts"]),
    ],
)
def test_files_whose_suffix_two_languages_share_are_of_both(
    languages: tuple[str, ...], expected: list[str]
) -> None:
    paths = ("lib/a.c", "lib/a.h", "lib/b.cc", "web/a.ts", "web/b.TSX")
    own = ("c", "cpp", "cpp", "typescript", "tsx")
    passes = language_test(check_filters(Filters(languages=languages)).languages)
    assert [path for path, name in zip(paths, own, strict=True) if passes(path, name)] == expected


ANY = st.builds(
    Filters,
    languages=st.lists(st.sampled_from(["python", "go", "!markdown"]), max_size=2).map(tuple),
    globs=st.lists(st.sampled_from(["*.py", "!tests/", "shop/**"]), max_size=2).map(tuple),
    paths=st.lists(st.sampled_from(["shop", "tests", "docs"]), max_size=2).map(tuple),
    tests=st.sampled_from(["include", "exclude", "only"]),
    module=st.sampled_from(["", "shop"]),
)


@given(ANY)
def test_filters_narrow_one_another(corpus: Corpus, filters: Filters) -> None:
    together = set(kept(corpus, filters))
    for name in ("languages", "globs", "paths", "tests", "module"):
        assert together <= set(kept(corpus, replace(Filters(), **{name: getattr(filters, name)})))


@given(ANY)
def test_checking_twice_changes_nothing(filters: Filters) -> None:
    assert check_filters(check_filters(filters)) == check_filters(filters)


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        (Filters(languages=("klingon",)), "No language is called 'klingon'"),
        (Filters(languages=("!klingon",)), "No language is called 'klingon'"),
        (Filters(kinds=("klass",)), "No kind is called 'klass': use one of"),
    ],
)
def test_a_filter_that_cannot_match_is_refused(filters: Filters, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        check_filters(filters)


@pytest.mark.parametrize(
    "glob", ["", "#", "!", "\\", "[z-a]", "***", "a" * 5000, "[", "{a,b}", "/"]
)
def test_an_odd_glob_is_an_answer_or_a_sentence(corpus: Corpus, glob: str) -> None:
    try:
        found = kept(corpus, Filters(globs=(glob,)))
    except QueryError as error:
        assert "is invalid: it matches no file" in str(error)  # noqa: PT017 (either is right)
    else:
        assert set(found) <= set(FILES)

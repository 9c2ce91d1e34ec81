"""What a relationship question is about, however it is said, and in which manner that is used."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.types import Answer
from tests.conftest import made_repository, own_data

FILES = {
    "src/shop/__init__.py": "from .cart import Cart\n",
    "src/shop/cart.py": (
        "from outer.errors import HTTPGone\n\n\n"
        "class EmptyError(Exception):\n    pass\n\n\n"
        "class Cart:\n    def __init__(self):\n        self.total = 0\n\n"
        "    @property\n    def json(self):\n        return self.total\n\n\n"
        "def checked(cart: Cart) -> Cart:\n    try:\n        cart.total = cart.total + 1\n"
        "    except EmptyError:\n        raise HTTPGone() from None\n    return cart\n"
    ),
    "src/shop/json/__init__.py": "def dumps(x):\n    return x\n",
    "src/shop/use.py": (
        "from shop.cart import Cart, EmptyError, checked\nfrom shop.json import dumps\n\n\n"
        "def use(thing):\n    thing.fly_away()\n    if not dumps(1):\n        raise EmptyError\n"
        "    return checked(Cart())\n"
    ),
    "src/shop/deep.py": "class Deep:\n    def __init__(self):\n        pass\n\n\nDeep()\n",
    "tests/test_use.py": "from shop.use import use\n\n\ndef test_use():\n    use(1)\n",
    "web/jsx/index.ts": "export const render = () => 1\n",
    "web/page.ts": "import { render } from './jsx'\nimport fs from 'node:fs'\n\nrender()\n",
    "web/other/page.ts": "import { a } from 'left-pad'\n\nexport const page = a\n",
    "go.mod": "module example.org/own\n",
    "own.go": "package own\n\ntype Own struct{ size int }\n\nfunc New() *Own { return new(Own) }\n",
    "remote.go": "package own\n\nfunc Remote() {}\n",
    "sub/sub.go": (
        'package sub\n\nimport (\n\t"example.org/own"\n\t"github.com/some/yaml"\n)\n\n'
        "var _ = own.New\nvar _ = yaml.Read\n"
    ),
    "remote/far.go": (
        "package remote\n\ntype Far interface{ Go() }\n\n"
        "func make() any {\n\treturn struct{ Far }{}\n}\n"
    ),
    "fig/pick.go": "package fig\n\nfunc Pick() {}\n\nfunc all() { Pick() }\n",
    "copy/fig/fig.go": "package fig\n\nfunc Pick() {}\n\nfunc some() { Pick() }\n",
    "fig.tf": "locals {}\n",
    "engine/src/lib.rs": (
        "pub struct Engine { on: bool }\n\nimpl Engine {\n    pub fn make() -> Engine {\n"
        "        Engine { on: true }\n    }\n}\n"
    ),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("objects")
    with own_data(folder):
        root = made_repository(folder / "shop", FILES)
        with Index.open(root) as index:
            index.sync(structure_only=True)
        yield root


@pytest.fixture(scope="module")
def index(root: Path) -> Iterator[Index]:
    with Index.open(root) as index:
        yield index


def told(answer: Answer, certainty: str = "resolved") -> list[str]:
    return [
        f"{hit.path}:{hit.start_line}"
        for hit in answer.hits
        if f"({certainty})" in next(iter(hit.why))
    ]


def of(answer: Answer) -> list[str]:
    return list(answer.meta["relation"]["of"])


@pytest.mark.parametrize(
    "said",
    [
        "src/shop/json",
        "./src/shop/json/",
        "shop.json",
        "shop/json",
        "`src/shop/json`",
        "{root}/src/shop/json",
    ],
)
def test_a_folder_goes_before_a_member_of_its_name(index: Index, root: Path, said: str) -> None:
    answer = index.search(f"who imports {said}".replace("{root}", str(root)))
    assert told(answer) == ["src/shop/use.py:2"]
    assert of(answer) in (["src/shop/json/"], ["src/shop/json/__init__.py"])


@pytest.mark.parametrize("said", ["web/page", "./web/page", "web/page.ts"])
def test_a_path_may_leave_out_its_suffix_and_is_no_end_of_another(index: Index, said: str) -> None:
    answer = index.search(f"what does {said} import")
    assert {hit.path for hit in answer.hits} == {"web/page.ts"}
    assert of(answer) == ["web/page.ts"]


@pytest.mark.parametrize(
    ("question", "lines", "meant"),
    [
        ("who imports HTTPGone", ["src/shop/cart.py:1"], ["outer.errors.HTTPGone"]),
        ("who imports yaml", ["sub/sub.go:5"], ["github.com/some/yaml"]),
        ("who imports github.com/some/yaml", ["sub/sub.go:5"], ["github.com/some/yaml"]),
        ("who imports fs", ["web/page.ts:2"], ["node:fs"]),
        ("who imports left_pad", [], None),
        ("who imports own", ["sub/sub.go:4"], ["example.org/own"]),
        ("who imports example.org/own", ["sub/sub.go:4"], ["example.org/own"]),
        ("who imports remote", [], ["remote/"]),
    ],
)
def test_external_names_and_packages_are_found_by_their_last_name(
    index: Index, question: str, lines: list[str], meant: list[str] | None
) -> None:
    answer = index.search(question)
    assert told(answer) == lines
    assert answer.meta.get("relation", {}).get("of") == meant


def test_a_symbol_that_no_import_can_name_is_imported_with_its_package(index: Index) -> None:
    answer = index.search("who imports Own")
    assert told(answer, "ambiguous") == ["sub/sub.go:4"]
    assert told(answer) == []


def test_users_of_a_file_are_users_of_its_definitions(index: Index) -> None:
    assert "sub/sub.go:8" in told(index.search("who uses own.go"))
    assert {hit.path for hit in index.search("dependencies of src/shop/use.py").hits} == {
        "src/shop/use.py"
    }
    inside = {hit.symbol for hit in index.search("dependencies of src/shop").hits}
    assert not {one for one in inside if one.startswith("src/shop/")}


def test_a_constructor_is_called_where_objects_are_made(index: Index) -> None:
    assert told(index.search("who calls Deep.__init__")) == ["src/shop/deep.py:6"]
    assert told(index.search("who calls EmptyError.__init__")) == []


def test_calls_without_a_definition_in_the_repository_are_possible(index: Index) -> None:
    answer = index.search("who calls fly_away")
    assert told(answer, "ambiguous") == ["src/shop/use.py:6"]
    assert "relation" not in index.search("who calls fly_nowhere").meta


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("who instantiates Cart", ["src/shop/use.py:9"]),
        ("who instantiates Own", ["own.go:5"]),
        ("who instantiates Engine", ["engine/src/lib.rs:5"]),
        ("who raises EmptyError", ["src/shop/use.py:8"]),
        ("who raises HTTPGone", ["src/shop/cart.py:21"]),
        ("where is EmptyError caught", ["src/shop/cart.py:20"]),
        ("functions that return Cart", ["src/shop/cart.py:17"]),
        ("who sets Cart.total", ["src/shop/cart.py:10", "src/shop/cart.py:19"]),
        ("who reads Cart.total", ["src/shop/cart.py:14", "src/shop/cart.py:19"]),
    ],
)
def test_the_line_says_in_which_manner_something_is_used(
    index: Index, question: str, lines: list[str]
) -> None:
    assert told(index.search(question)) == lines


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("who calls use in tests", ["tests/test_use.py:5"]),
        ("who calls use outside tests", []),
        ("usages of dumps in src/shop/use.py", ["src/shop/use.py:2", "src/shop/use.py:7"]),
        ("usages of dumps outside src/shop", []),
        ("functions calling dumps in module shop.use", ["src/shop/use.py:7"]),
    ],
)
def test_a_question_is_answered_from_where_it_says(
    index: Index, question: str, lines: list[str]
) -> None:
    answer = index.search(question)
    assert answer.meta["relation"]["resolved"] == len(lines)
    assert told(answer) == lines


def test_a_place_that_is_not_here_is_no_answer_of_nothing(index: Index) -> None:
    assert "relation" not in index.search("who calls use in no/such/folder").meta


def test_ends_that_are_called_like_nothing_lead_through_no_imports(index: Index) -> None:
    assert "flow" not in index.search("how does the page get to the wares").meta


def test_an_answer_for_a_name_in_another_case_has_a_note(index: Index) -> None:
    other = index.source.read(symbols=("cart.Total",))
    assert other.spelt_otherwise == ("Cart.total",)
    assert next(iter(other.text())) == "there is no exact match: this is Cart.total"
    assert index.source.read(symbols=("Cart.total",)).spelt_otherwise == ()
    assert index.source.read("src/shop/cart.py", symbols=("checked",)).spelt_otherwise == ()
    assert index.source.read("src/shop/cart.py", symbols=("Checked",)).spelt_otherwise == (
        "checked",
    )


def test_a_function_in_which_a_type_has_no_name_is_no_type(index: Index) -> None:
    found = index.graph.implementers("Far").implementers
    assert [(one.name, one.kind) for one in found] == [("make", "unnamed type in function")]


def test_a_package_has_the_definitions_of_all_its_files(index: Index) -> None:
    answer = index.search("who calls fig.Pick")
    assert told(answer) == ["copy/fig/fig.go:5", "fig/pick.go:5"]
    assert of(index.search("who imports fig")) == ["copy/fig/", "fig/"]


def test_rust_modules_and_php_namespaces_are_found_in_their_own_notation(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "shop-core"\n',
        "src/lib.rs": "pub mod tax;\n",
        "src/tax/mod.rs": "pub mod rate;\n",
        "src/tax/rate.rs": "pub struct Rate;\n",
        "tests/it.rs": "use shop_core::tax::rate::Rate;\n\nfn go(_: Rate) {}\n",
        "app/Models/Item.php": "<?php\n\nnamespace Shop\\Models;\n\nclass Item\n{\n}\n",
        "app/use.php": "<?php\n\nuse Shop\\Models\\Item;\n\nnew Item();\n",
    }
    with own_data(tmp_path), Index.open(made_repository(tmp_path / "core", files)) as index:
        index.sync(structure_only=True)
        for said in ("crate::tax", "crate::tax::rate"):
            assert "tests/it.rs:1" in told(index.search(f"who imports {said}"))
        for said in ("Shop\\Models\\Item", "\\Shop\\Models"):
            assert told(index.search(f"who imports {said}")) == ["app/use.php:3"]

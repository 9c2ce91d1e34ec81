"""An answer without users lists lines with the name, since frameworks use names as texts."""

import pytest

from codeindex import Index
from tests.conftest import Repository

pytestmark = pytest.mark.usefixtures("home")
RAILS = {
    "app/models/order.rb": "class Order\n  before_save :norm_total\n  # norm_total is called\n\n"
    "  private\n\n  def norm_total\n    norm_total\n  end\nend\n"
}
PYTHON = {
    "shop/pay.py": "def settle(n):\n    return n\n\n\ndef rate_of(n):\n    return n\n\n\n"
    "def _format_eur(n):\n    return n\n\n\ndef show(currency, n):\n"
    '    return globals()[f"_format_{currency}"](n)\n\n\ndef alone():\n    return 1\n',
    "shop/job.py": 'import importlib\n\n\ndef run():\n    module = importlib.import_module("pay")\n'
    '    return getattr(module, "settle")(3)\n',
    "shop/rules.ini": "[rules]\nrate = shop.pay:rate_of\n",
    "other.py": "def settle_all():\n    return 1\n",
}


def _sync(index: Index) -> None:
    index.sync(structure_only=True)


def test_a_symbol_of_a_callback_is_named(repository: Repository) -> None:
    with Index.open(repository(RAILS)) as index:
        _sync(index)
        callers = index.graph.callers("norm_total")
        assert [caller.name for caller in callers.callers] == ["Order.norm_total"]  # by itself
        assert [(each.file, each.line) for each in callers.mentions.lines] == [
            ("app/models/order.rb", 2)
        ]
        assert "1 other line has the name, and may use it:" in list(callers.text())


@pytest.mark.parametrize(
    ("symbol", "place"), [("settle", ("shop/job.py", 6)), ("rate_of", ("shop/rules.ini", 2))]
)
def test_texts_and_settings_with_the_name_are_listed(
    repository: Repository, symbol: str, place: tuple[str, int]
) -> None:
    with Index.open(repository(PYTHON)) as index:
        _sync(index)
        for answer in (index.graph.callers(symbol), index.graph.impact(symbol)):
            assert [(each.file, each.line) for each in answer.mentions.lines] == [place]
            assert any(f"{place[0]}:{place[1]}: " in line for line in answer.text())
        assert not index.graph.callers(symbol, include_tests="only").mentions.lines


def test_names_that_code_builds_are_said(repository: Repository) -> None:
    with Index.open(repository(PYTHON)) as index:
        _sync(index)
        assert index.graph.callers("_format_eur").mentions.may_be_built
        assert any(
            "joins names like this" in line for line in index.graph.callers("_format_eur").text()
        )
        assert not index.graph.callers("alone").mentions.may_be_built
        assert list(index.graph.callers("alone").mentions.text()) == []


def test_a_diff_lists_lines_that_may_use_what_changed(repository: Repository) -> None:
    root = repository(PYTHON)
    with Index.open(root) as index:
        _sync(index)
        text = PYTHON["shop/pay.py"].replace(
            "def settle(n):\n    return n", "def settle(n):\n    return -n"
        )
        (root / "shop/pay.py").write_text(text)
        impact = index.changes.for_diff()
        assert impact.total_users == 0
        assert [(each.file, each.line) for each in impact.mentions.lines] == [("shop/job.py", 6)]


def test_uses_of_other_symbols_of_the_name_do_not_count(repository: Repository) -> None:
    files = {
        "a.py": "def save():\n    return 1\n",
        "b.py": "def save():\n    return 2\n\n\ndef run():\n    return save()\n",
    }
    with Index.open(repository(files)) as index:
        _sync(index)
        assert index.graph.callers("a.py::save").mentions.total == 0


def test_what_is_not_read_is_said_where_no_implementer_is_known(repository: Repository) -> None:
    text = "local Animal = {}\nfunction Animal:speak() end\nlocal Dog = Animal:extend()\n"
    with Index.open(repository({"a.lua": f"{text}function Dog:speak() end\n"})) as index:
        _sync(index)
        answer = index.graph.implementers("Animal.speak")
        assert answer.total == 0
        assert "what extends what is not read in lua code" in list(answer.text())


def test_an_import_that_is_not_found_may_mean_it(repository: Repository) -> None:
    files = {
        "lib/one/a.py": "def alpha():\n    return 1\n",
        "b.py": "from a import alpha\n\n\ndef run():\n    return alpha()\n",
        "c.py": 'NAMES = ["alpha"]\n',
    }
    with Index.open(repository(files)) as index:
        _sync(index)
        callers = index.graph.callers("alpha")
        assert callers.total_certain == 0
        assert [(each.file, each.line) for each in callers.mentions.lines] == [
            *(("c.py", 1), ("b.py", 1), ("b.py", 5))
        ]


def test_files_that_were_not_read_are_counted_and_a_folder_is_read_first(
    repository: Repository,
) -> None:
    files = {"core/core.py": "def settle_all():\n    return 1\n"}
    files |= {f"a/f{n}.py": f"# settle_all is told here\nx = {n}\n" for n in range(46)}
    files["zz/reg.py"] = 'names = ["settle_all"]\n'
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        text = "\n".join(index.graph.callers("settle_all").text())
        below = "\n".join(index.graph.callers("settle_all", path=("zz",)).text())
    assert "files with the name that were not read" in text
    assert "zz/reg.py:1" in below


def test_files_in_languages_that_cannot_use_a_symbol_are_not_named_as_unread(
    repository: Repository,
) -> None:
    files = {
        "a.py": "def pay_all():\n    return 1\n\n\ndef run():\n    return pay_all()\n",
        "b.c": "int settle(void) { return 1; }\n\nstatic void half( {\n  if (\n}\n\n"
        "int after(int y) { return y; }\n",
    }
    with Index.open(repository(files)) as index:
        _sync(index)
        assert index.graph.impact("pay_all").unread == 0
        assert index.graph.impact("settle").unread == 1

"""All commands print a count of one with a singular noun: `1 file`, not `1 files`."""

import re

import pytest
from click.testing import CliRunner

from codeindex.cli import main
from tests.conftest import Repository

pytestmark = pytest.mark.usefixtures("home")

CODE = """class Priced:
    def price(self, year):
        return 1


class Cart(Priced):
    def price(self, year):
        return tax(year)


def tax(year):
    return year
"""
TEST = "from shop.cart import Cart\n\n\ndef test_cart():\n    assert Cart().price(1)\n"
ONE_OF_SEVERAL = re.compile(
    r"(?<![\w.,:-])1 (?!is |was |has |uses |of |leaves |across )(?:[a-z]+ )?[a-z]+s\b"
)


@pytest.mark.parametrize(
    "command",
    [
        "stats", "tree", "modules", "health", "hotspots", "patterns", "declarations shop",
        "outline shop/cart.py", "explain-symbol tax", "file-context shop/cart.py", "lookup tax",
        "token-estimate", "imports tests/test_cart.py", "callers tax", "callees Cart.price",
        "implementers Priced", "impact tax", "related-tests tax", "type-flow Cart", "unused",
        "context shop/cart.py", "summary", "report", "for-diff", "dependency-graph", "members",
        "search --all tax shop", "search -e tax -m 1", "search -e tax -l", "search price",
        "secrets list", "status", "verify", "why-not shop/cart.py:1 tax", "wiki status",
    ],
)  # fmt: skip
def test_one_thing_is_not_counted_in_the_plural(repository: Repository, command: str) -> None:
    root = repository({"shop/cart.py": CODE, "tests/test_cart.py": TEST})
    CliRunner().invoke(main, ["index", "--structure-only", str(root)])
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        done = CliRunner().invoke(main, command.split())
    assert done.exit_code in {0, 1, 2}
    assert not ONE_OF_SEVERAL.findall(done.output), done.output

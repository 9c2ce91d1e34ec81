"""What relationship questions ask for, and of what."""

import pytest

from codeindex.search.classify import QueryType, classify
from codeindex.search.phrases import Relation
from codeindex.search.relations import Asked, asked_of
from codeindex.types import OWNER_KINDS, SymbolKind

FUNCTIONS = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.TEST}
)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("what calls validateToken", Asked(Relation.CALLERS, "validateToken")),
        ("what calls validateToken?", Asked(Relation.CALLERS, "validateToken")),
        ("who calls `Cart.add`", Asked(Relation.CALLERS, "Cart.add")),
        ("callers of the function retry_payment", Asked(Relation.CALLERS, "retry_payment")),
        ("show me all callers of Cart.add()", Asked(Relation.CALLERS, "Cart.add()")),
        ("retry_payment callers", Asked(Relation.CALLERS, "retry_payment")),
        ("where is Cart used", Asked(Relation.USERS, "Cart")),
        ("where is get_user called?", Asked(Relation.CALLERS, "get_user")),
        ("functions that use redis", Asked(Relation.USERS, "redis", FUNCTIONS)),
        ("list all functions using the redis module", Asked(Relation.USERS, "redis", FUNCTIONS)),
        ("who imports auth module", Asked(Relation.IMPORTERS, "auth")),
        ("files that import shop.cart", Asked(Relation.IMPORTERS, "shop.cart")),
        ("subclasses of BaseBackend", Asked(Relation.SUBTYPES, "BaseBackend")),
        ("classes that extend Handler", Asked(Relation.SUBTYPES, "Handler", OWNER_KINDS)),
        ("what implements Reader", Asked(Relation.SUBTYPES, "Reader")),
        ("what overrides Task.run", Asked(Relation.SUBTYPES, "Task.run")),
        ("what does send_task call", Asked(Relation.CALLEES, "send_task")),
        ("what does cart.py import", Asked(Relation.IMPORTED, "cart.py")),
        ("dependencies of Checkout", Asked(Relation.USED, "Checkout")),
        ("what breaks if I change Cart.add", Asked(Relation.USERS, "Cart.add")),
        ("what breaks if Cart.add changes", Asked(Relation.USERS, "Cart.add")),
    ],
)
def test_the_relation_and_its_object_are_read_out_of_the_question(
    question: str, asked: Asked
) -> None:
    assert classify(question).type is QueryType.RELATIONSHIP
    assert asked_of(question) == asked

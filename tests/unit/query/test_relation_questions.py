"""What relationship questions ask for, and of what."""

import pytest

from codeindex.query.classify import QueryType, classify
from codeindex.query.flow_phrases import parse_flow_endpoints
from codeindex.query.relation import RelationQuery, parse_relation
from codeindex.query.relation_phrases import Relation
from codeindex.query.scope_filter import ScopeFilter
from codeindex.types import OWNER_KINDS, SymbolKind

FUNCTIONS = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.TEST}
)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("what calls validateToken", RelationQuery(Relation.CALLERS, "validateToken")),
        ("what calls validateToken?", RelationQuery(Relation.CALLERS, "validateToken")),
        ("who calls `Cart.add`", RelationQuery(Relation.CALLERS, "Cart.add")),
        ("callers of the function retry_payment", RelationQuery(Relation.CALLERS, "retry_payment")),
        ("show me all callers of Cart.add()", RelationQuery(Relation.CALLERS, "Cart.add()")),
        ("retry_payment callers", RelationQuery(Relation.CALLERS, "retry_payment")),
        ("where is Cart used", RelationQuery(Relation.USERS, "Cart")),
        ("where is get_user called?", RelationQuery(Relation.CALLERS, "get_user")),
        ("functions that use redis", RelationQuery(Relation.USERS, "redis", FUNCTIONS)),
        (
            "list all functions using the redis module",
            RelationQuery(Relation.USERS, "redis", FUNCTIONS),
        ),
        ("who imports auth module", RelationQuery(Relation.IMPORTERS, "auth")),
        ("files that import shop.cart", RelationQuery(Relation.IMPORTERS, "shop.cart")),
        ("subclasses of BaseBackend", RelationQuery(Relation.SUBTYPES, "BaseBackend")),
        ("classes that extend Handler", RelationQuery(Relation.SUBTYPES, "Handler", OWNER_KINDS)),
        ("what implements Reader", RelationQuery(Relation.SUBTYPES, "Reader")),
        ("what overrides Task.run", RelationQuery(Relation.SUBTYPES, "Task.run")),
        ("what does send_task call", RelationQuery(Relation.CALLEES, "send_task")),
        ("what does cart.py import", RelationQuery(Relation.IMPORTED, "cart.py")),
        ("dependencies of Checkout", RelationQuery(Relation.USED, "Checkout")),
        ("what breaks if I change Cart.add", RelationQuery(Relation.USERS, "Cart.add")),
        ("what breaks if Cart.add changes", RelationQuery(Relation.USERS, "Cart.add")),
    ],
)
def test_the_relation_and_its_object_are_read_out_of_the_question(
    question: str, asked: RelationQuery
) -> None:
    assert classify(question).type is QueryType.RELATIONSHIP
    assert parse_relation(question) == asked


@pytest.mark.parametrize(
    ("question", "relation", "name"),
    [
        ("where is render_template called from", Relation.CALLERS, "render_template"),
        ("please show me all calls to `Cart.add`", Relation.CALLERS, "Cart.add"),
        ("who's calling add", Relation.CALLERS, "add"),
        ("I want to know who calls (*Cart).add", Relation.CALLERS, "Cart.add"),
        ("who calls the method add of class Cart", Relation.CALLERS, "Cart.add"),
        ("does anyone call Cart.add", Relation.CALLERS, "Cart.add"),
        ("what files import ./src/context", Relation.IMPORTERS, "/src/context"),
        ("files that require sidekiq/api", Relation.IMPORTERS, "sidekiq/api"),
        ("does anything import celery", Relation.IMPORTERS, "celery"),
        ("is werkzeug used anywhere", Relation.USERS, "werkzeug"),
        ("how is Cart used", Relation.USERS, "Cart"),
        ("where are we using redis", Relation.USERS, "redis"),
        ("what would break if I changed Cart", Relation.USERS, "Cart"),
        ("what breaks if Cart is removed", Relation.USERS, "Cart"),
        ("impact of changing Cart", Relation.USERS, "Cart"),
        ("who instantiates Cart", Relation.MAKERS, "Cart"),
        ("where are instances of Cart created", Relation.MAKERS, "Cart"),
        ("functions that return Cart", Relation.RETURNERS, "Cart"),
        ("where is NotFound raised", Relation.RAISERS, "NotFound"),
        ("who throws HTTPException", Relation.RAISERS, "HTTPException"),
        ("who catches NotFound", Relation.CATCHERS, "NotFound"),
        ("who reads config.debug", Relation.READERS, "config.debug"),
        ("where is SECRET_KEY set", Relation.WRITERS, "SECRET_KEY"),
        ("functions decorated with @cached", Relation.DECORATED, "cached"),
        ("methods with the decorator cached", Relation.DECORATED, "cached"),
        ("classes derived from Cart", Relation.SUBTYPES, "Cart"),
        ("which classes have Cart as base class", Relation.SUBTYPES, "Cart"),
        ("classes that include Sidekiq::Job", Relation.SUBTYPES, "Sidekiq::Job"),
        ("what are the dependencies of the folder shop/json", Relation.USED, "shop/json"),
        ("which functions does pay_all call", Relation.CALLEES, "pay_all"),
        ("what is imported by cart.py", Relation.IMPORTED, "cart.py"),
        ("what tests Cart", Relation.TESTS, "Cart"),
    ],
)
def test_a_relation_is_asked_for_in_many_words(
    question: str, relation: Relation, name: str
) -> None:
    assert classify(question).type is QueryType.RELATIONSHIP
    asked = parse_relation(question)
    assert asked
    assert (asked.relation, asked.object) == (relation, name)


@pytest.mark.parametrize("question", ["do any tests use Cart", "which tests call Cart"])
def test_tests_that_are_asked_about_are_all_that_is_in_them(question: str) -> None:
    asked = parse_relation(question)
    assert asked
    assert (asked.scope.tests, asked.sources) == ("only", frozenset())


@pytest.mark.parametrize(
    ("question", "scope"),
    [
        ("who calls add in tests", ScopeFilter("only")),
        ("who calls add outside of tests", ScopeFilter("exclude")),
        ("usages of Cart in shop/pay.py", ScopeFilter(place="shop/pay.py")),
        ("functions calling add in module shop.pay", ScopeFilter(place="shop.pay")),
        ("which functions in pay.py call add", ScopeFilter(place="pay.py")),
        (
            "who calls add outside shop/ except tests",
            ScopeFilter("exclude", "shop/", is_outside=True),
        ),
        ("who calls add in this repository", ScopeFilter()),
    ],
)
def test_a_question_may_say_where_to_look(question: str, scope: ScopeFilter) -> None:
    asked = parse_relation(question)
    assert asked
    assert asked.object.lower() in {"add", "cart"}
    assert asked.scope == scope


@pytest.mark.parametrize(
    "question",
    [
        "how does import work",
        "what uses too much memory",
        "what happens when a request fails",
        "what calls are made to the server",
        "what returns an error",
        "what raises an exception when the config is missing",
        "what handles errors",
        "functions that return early",
        "what reads the config file",
        "what writes to disk",
        "what sets the timeout",
        "where are errors raised",
        "how are errors handled",
        "how is the cache used",
        "how is memory used",
        "who creates the session",
        "what is used for logging",
        "what requires authentication",
        "is authentication required",
        "what includes static files",
        "references to other documents",
        "calls to the server",
        "children of a node",
        "user references",
        "usage of memory",
        "tests for error handling",
        "what is Cart used for",
        "which methods of Cart call add",
        "where is TLS handled",
        "route from one page to the next",
        "does the server reach the database",
    ],
)
def test_a_question_about_no_name_asks_for_a_concept(question: str) -> None:
    assert classify(question).type is QueryType.CONCEPT


@pytest.mark.parametrize(
    "question",
    [
        "call chain from Shop.run to Cart.add",
        "call chain Shop.run -> Cart.add",
        "Shop.run -> Cart.add",
        "how does Shop.run reach Cart.add",
        "how is Cart.add reached from Shop.run",
        "how is Shop.run connected to Cart.add",
        "does Shop.run call Cart.add",
        "can Shop.run end up in Cart.add",
        "how do I get from Shop.run to Cart.add",
        "connection between Shop.run and Cart.add",
        "trace Shop.run to Cart.add",
    ],
)
def test_a_way_between_two_names_is_asked_for_in_many_words(question: str) -> None:
    assert classify(question).type is QueryType.FLOW
    assert parse_flow_endpoints(question) == ("Shop.run", "Cart.add")

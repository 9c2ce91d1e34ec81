"""Which kind of question a query is taken for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.query.classify import QueryType, classify
from codeindex.query.identifiers import query_names
from codeindex.query.wanted_files import WantedFiles

TABLE = {
    "symbol": (
        '"validateToken"',
        "what is getUserById",
        "find handleAuthError",
        "what is validateToken?",
    ),
    "relationship": (
        "what calls validateToken",
        "functions that use redis",
        "who imports auth module",
    ),
    "flow": (
        "data flow from API to database",
        "how does request get to handler",
        "path from login to session",
    ),
    "pattern": (
        "how do importers work",
        "pattern for error handling",
        "typical structure of a test",
    ),
    "concept": (
        "authentication timeout handling",
        "where is user validation",
        "error handling for database",
        "where do we handle auth?",
    ),
}
MORE = {
    "symbol": (
        "formatter",
        "Mux",
        "Rack::Response",
        "res.send",
        "basic_format_args",
        "_private",
        "$scope",
        "main()",
        "`retry_payment`",
        "HTTPClient",
        "MAX_RETRIES",
        "class Router",
        "def login",
        "fn dispatch",
        "Show me the function parse_args",
        "WHERE IS validateToken?",
        "where is validateToken defined?",
        "go to UserService.save",
        "definition of the class HandlerStack",
        "the on_close method",
        "toJson signature",
        "größe",
    ),
    "relationship": (
        "What Calls validateToken?",
        "who is calling send_mail",
        "which tests use the clock",
        "what else imports utils.py",
        "classes that extend Handler",
        "middleware which depends on the session",
        "modules importing requests",
        "callers of retry_payment",
        "list all the subclasses of Base",
        "references to the config",
        "find usages of 'parse'",
        "dispatch_request callers",
        "where is logging used?",
        "where do we use Redis",
        "what does the scheduler depend on",
        "what breaks if I rename load_config",
    ),
    "flow": (
        "request flow through the middleware",
        "how do values get from the environment into the options",
        "how is an upload passed to the virus scanner",
        "trace a request from the router to the handler",
        "Follow the token through the parser",
        "call path from main to exit",
        "from login to checkout, step by step",
        "what happens between a click and the redraw",
    ),
    "pattern": (
        "how are the migrations structured?",
        "how do our background jobs work",
        "naming convention for tests",
        "what is the usual way to write a handler",
        "what does a typical importer look like",
        "examples of fixtures",
        "template for a new command",
    ),
}
CONCEPTS = (
    "resolving hostnames asynchronously using the thread pool",
    "from_fn middleware for wrapping handlers with async functions",
    "HTTP client request sending and defaults",
    "how does the client retry requests",
    "serving a file index page for a folder on disk",
    "random number generation using OS entropy",
    "utility methods for parameter parsing and URL encoding",
    "how custom serializers are registered and resolved",
    "how the observable pattern is used for subscriptions",
    "how do I get into debug mode",
    "how do I get from a user to their orders",
    "how do we work with time zones",
    "how do things work",
    "how does the cache work",
    "url pattern matching",
    "regex pattern for email addresses",
    "email template for password reset",
    "standard form validation",
    "common layout components",
    "splitting a path from its query string",
    "copy from source to destination",
    "follow redirects from http to https",
    "trace logging to a file",
    "flow control on sockets",
    "data flowing slowly",
    "type checking",
    "class hierarchy",
    "method chaining",
    "function composition",
    "module loading",
    "retry backoff",
    "connection pool",
    "find slow queries",
    "show progress to the user",
    "open files without blocking",
    "get user by id",
    "what is the retry policy",
    "user of the month page",
    "users of the admin group",
    "calls per second limit",
    "import of csv files",
    "implementation of retry logic",
    "extending the session lifetime",
    "TCP stream connect and accept implementation",
    "res.send body encoding and ETag generation",
    "format_to and back_insert_iterator output adapters",
    "where errors are logged before the process exits",
    "why does the build fail on Windows",
    "用户认证超时处理",
    '"connection refused by peer"',
    "how",
    "what is",
    "",
    " ?!",
)
CASES = [
    *((text, kind) for kind, texts in TABLE.items() for text in texts),
    *((text, kind) for kind, texts in MORE.items() for text in texts),
    *((text, "concept") for text in CONCEPTS),
]
HOSTILE = st.sampled_from(
    ["how do ", "get ", "from ", "to ", "the ", "find ", "a", ".", "_", "::", '"', "'", "()", " "]
)


@pytest.mark.parametrize(("text", "kind"), CASES)
def test_queries_are_classified_by_their_intent(text: str, kind: str) -> None:
    assert classify(text).type == kind


@pytest.mark.parametrize("text", ["How is it cached?", "explain retries", "why two locks", "HOW"])
def test_questions_about_how_something_works_are_marked(text: str) -> None:
    assert classify(text).is_how


@pytest.mark.parametrize("text", ["what calls main", "however it fails", "show how", "showcase"])
def test_other_questions_are_not(text: str) -> None:
    assert not classify(text).is_how


@given(st.text())
def test_any_text_has_a_type(text: str) -> None:
    assert classify(text).type in QueryType


@given(st.text(min_size=500, max_size=500), st.text())
def test_only_the_first_characters_of_a_long_query_are_read(start: str, rest: str) -> None:
    start = start.strip().ljust(500, "x")
    assert classify(start + rest) == classify(start)


@given(st.lists(HOSTILE, min_size=1, max_size=4), st.integers(min_value=1, max_value=2500))
def test_long_repetitive_queries_come_to_an_end(parts: list[str], times: int) -> None:
    text = "".join(parts) * times
    assert classify(text).type in QueryType
    assert all(name in text for name in query_names(text))


@given(st.from_regex(r"[a-z]{2,8}[A-Z][a-z]{2,8}", fullmatch=True))
def test_a_name_is_a_symbol_and_its_callers_are_a_relationship(name: str) -> None:
    assert classify(name).type is QueryType.SYMBOL
    assert classify(f"what is {name}?").type is QueryType.SYMBOL
    assert classify(f"what calls {name}").type is QueryType.RELATIONSHIP
    assert query_names(f"what calls {name}, and why?") == [name]


@pytest.mark.parametrize("text", [text for text, _ in CASES if text and not query_names(text)])
def test_the_case_of_plain_words_does_not_matter(text: str) -> None:
    assert classify(text.upper()).type == classify(text.lower()).type


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("how does fmt::format call vformat_to()", ["fmt::format", "vformat_to()"]),
        ("""find "parse" or 'dump' in jsonReader""", ["parse", "dump"]),
        ("the user's profile isn't saved", []),
        ("HTTP 1.1 and UTF-8", []),
        ("std::map and self.items", ["std::map", "self.items"]),
    ],
)
def test_names_are_read_out_of_a_sentence(text: str, names: list[str]) -> None:
    assert query_names(text) == names


INTENTS = {
    "task": (
        "How do I add a custom command?",
        "how to log to a file",
        "why two locks",
        "Can I use it without a server?",
        "is it safe to share a client",
        "difference between a queue and a topic",
        "migrating from v1",
        "Installation on Windows",
    ),
    "instruction": (
        "add a custom command",
        "configure logging to a file",
        "migrate from v1",
        "test a route without a port",
        "what is the retry policy",
    ),
    "working": ("how middleware chains are composed", "explain retries of requests"),
    "lookup": (
        "test runner for commands",
        "retry middleware and backoff",
        "parse command line arguments",
        "what is parse_args",
        "Router",
        "configuring serializers",
        "",
    ),
}


@pytest.mark.parametrize(
    ("text", "intent"), [(text, intent) for intent, texts in INTENTS.items() for text in texts]
)
def test_questions_for_documents_differ_from_questions_for_code(text: str, intent: str) -> None:
    assert classify(text).intent == intent


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("tests for auto pairs", WantedFiles.TESTS),
        ("find the tests that check retries", WantedFiles.TESTS),
        ("which tests cover the jump list", WantedFiles.TESTS),
        ("integration test for login", WantedFiles.TESTS),
        ("where is the retry logic tested", WantedFiles.TESTS),
        ("test for equality of two trees", WantedFiles.ANY),
        ("mock client used in tests", WantedFiles.ANY),
        ("run tests for a package", WantedFiles.ANY),
        ("flaky tests for a package", WantedFiles.TESTS),
        ("how do I run the tests for one module", WantedFiles.ANY),
        ("example of a graceful shutdown", WantedFiles.EXAMPLES),
        ("show me a sample app that uses websockets", WantedFiles.EXAMPLES),
        ("sample rate of the encoder", WantedFiles.ANY),
        ("docs for soft wrap", WantedFiles.DOCUMENTS),
        ("where is the jump list documented", WantedFiles.DOCUMENTS),
        ("which page explains retention", WantedFiles.DOCUMENTS),
        ("document of an order", WantedFiles.ANY),
        ("generate docs for a class", WantedFiles.ANY),
        ("api docs for a class", WantedFiles.DOCUMENTS),
        ("css of the document card", WantedFiles.STYLES),
        ("html template of the login page", WantedFiles.TEMPLATES),
        ("template for a matrix", WantedFiles.ANY),
        ("github workflow that publishes a release", WantedFiles.PROJECT),
        ("workflow that approves orders", WantedFiles.ANY),
    ],
)
def test_a_question_may_ask_for_a_kind_of_files(text: str, wanted: WantedFiles) -> None:
    assert classify(text).wanted is wanted

"""Messages that are pasted lead to the code that spells them, not to what has their words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeindex import Index
from tests.conftest import made_repository, own_data

MESSAGE = "Context is not finalized. Did you forget to return a response?"
DISPATCH = "".join(
    f"def step_{n}(request):\n    return request.part({n})\n\n\n" for n in range(150)
) + (
    "def dispatch(request):\n    answer = handle(request)\n    if answer is None:\n"
    "        raise Unfinished(\n            'Context is not finalized. '\n"
    "            'Did you forget to return a response?'\n        )\n    return answer\n"
)
CONTEXT = '''\
"""The context of a request and its response."""


class Context:
    """Holds a request, its response and whether the context is finalized."""

    def finalized(self):
        """Tell if the context is finalized and has a response to return."""
        return self.response is not None

    def forget(self):
        """Forget the response of the context."""
        self.response = None
'''
STORE = (
    "export function open(name) {\n  if (!name) {\n"
    "    throw new Error(`${name} is no store that can be opened: ${reason(name)}`);\n  }\n}\n"
    "export function close(name) {\n  log('store ' + name + ' was closed after ' + uses());\n}\n"
)
NET = (
    "#include <stdio.h>\n\nint dial(const char *host, int port) {\n"
    '  fprintf(stderr, "Failed to connect to %s port %d after %" PRId64 " ms",\n'
    "          host, port, spent());\n  return 7;\n}\n"
)
PROXY = """\
# The address on a slow network hop: note that the X-Forwarded-For header can be forged.


def peer(request, proxies):
    return request.address not in proxies
"""
FILES = {
    "web/dispatch.py": DISPATCH,
    "web/proxy.py": PROXY,
    "web/context.py": CONTEXT,
    "web/response.py": "class Response:\n    def forget(self, context):\n        return 1\n",
    "tests/test_context.py": f"def test_it():\n    assert message() == {MESSAGE!r}\n",
    "web/store.js": STORE,
    "src/net.c": NET,
    "NEWS.md": f"# News\n\nIt says: {MESSAGE}\n",
}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("verbatim")
    with own_data(folder), Index.open(made_repository(folder / "web", FILES)) as index:
        index.sync()
        yield index


@pytest.mark.parametrize(
    "pasted",
    [
        MESSAGE,
        "2026-11-22 10:00:03 ERROR [worker-3] Context is not finalized. Did you forget to return",
        "why do I get CONTEXT IS NOT FINALIZED; did you forget to return a response",
    ],
)
def test_a_message_leads_to_the_code_that_spells_it(web: Index, pasted: str) -> None:
    first, *others = web.search(pasted).hits
    assert first.symbol == "dispatch"
    assert first.why["place_named"] > 0
    assert all("place_named" not in hit.why for hit in others)  # tests and documents only quote it


@pytest.mark.parametrize(
    ("pasted", "symbol"),
    [
        ("curl: (7) Failed to connect to localhost port 80 after 3 ms", "dial"),
        ("'basket' is no store that can be opened: it is gone", "open"),
        ("npm ERR! /srv/a.js: basket is no store that can be opened: [1, 2]", "open"),
        ("2026-11-22 10:00:03 WARN store basket was closed after 42", "close"),
    ],
)
def test_values_and_prefixes_do_not_matter(web: Index, pasted: str, symbol: str) -> None:
    assert web.search(pasted).hits[0].symbol == symbol


@pytest.mark.parametrize(
    "asked", ["is the context finalized", "forget the response", "context of a request", "?"]
)
def test_few_words_in_a_row_are_no_message(web: Index, asked: str) -> None:
    assert all(
        "place_named" not in hit.why for hit in web.search(asked).hits if hit.symbol == "dispatch"
    )


@pytest.mark.parametrize(
    "asked",
    [
        "slow network hop latency budget",  # three of five words
        "only believe the X-Forwarded-For header of a proxy",  # a name of three
    ],
)
def test_key_words_and_names_of_several_words_are_no_message(web: Index, asked: str) -> None:
    assert all("place_named" not in hit.why for hit in web.search(asked).hits)


def test_the_reason_of_a_match_is_named(web: Index) -> None:
    assert web.explain.search(MESSAGE).hits[0].named == "its words in this order"

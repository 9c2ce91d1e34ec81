"""Questions whose words are written otherwise in the code: the right place comes first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeindex import Index
from tests.conftest import made_repository, own_data

FILLER = {
    f"src/part{number}.py": f"def part_{number}(value):\n"
    f'    """Handle the size of thing {number} for a type of pool or thread."""\n'
    f"    return value + {number}\n"
    for number in range(12)
}
FILES = FILLER | {
    "src/threadpool.py": "MAX = 8\n\n\ndef start_threadpool(count):\n    return min(count, MAX)\n",
    "src/waiting.py": "def wait(jobs):\n"
    '    """Wait until the job queue is empty, before the process ends."""\n'
    "    return [job.done() for job in jobs]\n",
    "src/headers.py": "def client(request):\n"
    "    return request.headers.get('X-Forwarded-For', request.address)\n\n\n"
    "def forwarded(message, x):\n"
    '    """Say whether a message was forwarded, and x for whom it was handled."""\n'
    "    return message.forwarded\n",
    "src/options.py": "def main(parser):\n"
    "    parser.add('--max-file-size', default=10)\n\n\n"
    "def largest(sizes):\n"
    '    """Return the max of the size of each file, for all of the sizes."""\n'
    "    return max(sizes)\n",
    "src/users.py": "def check(user):\n"
    '    """\u7528\u6237\u8ba4\u8bc1\u7684\u5165\u53e3"""\n    return user.token\n',
    "src/extract.rs": "".join(
        f"/// Line {line} explains how captures of the address are extracted.\n"
        for line in range(150)
    )
    + "/// A placeholder is a segment in braces.\npub struct Captured<T>(pub T);\n\n"
    "impl<T> Captured<T> {\n    pub fn into_inner(self) -> T {\n        self.0\n    }\n}\n",
    "client/index.ts": "export {\n  createClient as createProxyClient,\n} from './client';\n",
    "client/client.ts": "export function createClient(url: string) {\n  return url;\n}\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("words")
    with (
        own_data(folder),
        Index.open(made_repository(folder / "shop", FILES)) as opened,
    ):
        opened.sync(structure_only=True)
        yield opened


def first(index: Index, query: str) -> str:
    return index.search(query).hits[0].path


@pytest.mark.parametrize(
    "query", ["where is the thread pool started", "thread-pool start", "start of a ThreadPool"]
)
def test_two_words_are_found_as_one(index: Index, query: str) -> None:
    assert first(index, query) == "src/threadpool.py"


def test_one_word_is_found_as_two(index: Index) -> None:
    assert first(index, "when is the jobqueue empty") == "src/waiting.py"


@pytest.mark.parametrize(
    ("query", "path", "symbol"),
    [
        ("where is X-Forwarded-For handled", "src/headers.py", "client"),
        ("--max-file-size", "src/options.py", "main"),
        ("what is --max-file-size for", "src/options.py", "main"),
    ],
)
def test_a_literal_comes_before_its_words(index: Index, query: str, path: str, symbol: str) -> None:
    hit = index.search(query).hits[0]
    assert (hit.path, hit.symbol) == (path, symbol)


@pytest.mark.parametrize(
    "query",
    [
        "createProxyCleint",
        "create_proxy_cleint",
        "create-proxy-cleint",
        "create proxy cleint",
        "createPorxyClient",
    ],
)
def test_an_alias_is_found_by_a_name_spelt_wrongly(index: Index, query: str) -> None:
    hit = index.explain.search(query).hits[0]
    assert hit.file_path == "client/index.ts"
    assert hit.named == "its name, spelt wrongly for createProxyClient"


def test_an_alias_leads_to_its_original(index: Index) -> None:
    hits = index.explain.search("createProxyClient").hits
    assert [(hit.file_path, hit.named) for hit in hits[:2]] == [
        ("client/index.ts", "its name, an alias of createClient"),
        ("client/client.ts", "what its name is an alias of"),
    ]


def test_a_word_that_is_spelt_wrongly_is_found(index: Index) -> None:
    assert first(index, "where is the therad pool started") == "src/threadpool.py"


@pytest.mark.parametrize(
    "query", ["\u7528\u6237\u8ba4\u8bc1\u5728\u54ea\u91cc", "\u7528\u6237", "\u8ba4"]
)
def test_chinese_is_found_in_part(index: Index, query: str) -> None:
    assert first(index, query) == "src/users.py"


def test_stop_words_alone_are_ranked(index: Index) -> None:
    assert index.search("what is it for").hits


ODD = {
    "long": "where is the thread pool started " * 300,
    "distinct": " ".join(f"w{number}x" for number in range(30_000)),
    "one word": "a" * 200_000,
    "lines": "start the thread pool\n" * 9_000,
    "marks": "`a` " * 50_000,
    "comments": "<!--" * 50_000,
    "literals": "ab-" * 66_000,
    "chinese": "\u7528\u6237\u8ba4\u8bc1" * 50_000,
    "emoji": "\U0001f389 \U0001f525",
    "operators": "&& || -> :: => ** //",
    "control": "\x00\x01\x1b[31m thread pool \x7f",
    "surrogates": "thread pool \ud800",
}


@pytest.mark.parametrize("kind", ODD)
def test_any_text_is_searched_for(index: Index, kind: str) -> None:
    answer = index.search(ODD[kind])
    assert answer.hits or answer.message


@pytest.mark.parametrize("kind", ["long", "lines", "control", "surrogates"])
def test_the_known_words_of_an_odd_text_are_found(index: Index, kind: str) -> None:
    assert first(index, ODD[kind]) == "src/threadpool.py"


@pytest.mark.parametrize(
    "query", ["kafka thorttling", "xylophone threads", "jobsqueue zebra", "12345 qqqq", "the pool"]
)
def test_suggestions_are_words_that_find_something(index: Index, query: str) -> None:
    terms = [one.split("'")[1] for one in index.search(query).suggestions if "Try: '" in one]
    for term in terms:
        assert term.lower() not in {"the", "of", "for", "until", "and"}
        assert index.search(term).hits


def test_documentation_that_is_a_chunk_of_its_own_leads_to_its_definition(index: Index) -> None:
    hit = index.search("how captures of the address are extracted").hits[0]
    assert (hit.path, hit.symbol, hit.line) == ("src/extract.rs", "Captured", 152)
    assert hit.start_line <= 152 <= hit.end_line

"""Documents that lead around, modules, and what is said where nothing is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codeindex import Filters, Index
from codeindex.errors import QueryError
from codeindex.search import pipeline
from codeindex.search.suggest import suggest_replacements

pytestmark = pytest.mark.usefixtures("home")

AGENTS = """\
# Fisio

Main ETL engine for data imports.

## Entry Points

- `fisio/main.py` - CLI entry point
- `fisio/imports/command.py` - Import commands

## Key Patterns

### Import Pattern

All importers inherit from BaseImporter and implement:
- fetch_data()
- transform()
- upsert()

## Important Classes

- `BOUpserter` - Business object upserter
- `RetryManager` - Handles retries with backoff
"""
FISIO = {
    "fisio/AGENTS.md": AGENTS,
    "fisio/__init__.py": "",
    "fisio/main.py": "from fisio.retry import RetryManager\n",
    "fisio/imports/__init__.py": "",
    "fisio/imports/command.py": "def run():\n    pass\n",
    "fisio/upsert.py": "class BOUpserter:\n    pass\n",
    "fisio/retry.py": "class RetryManager:\n    def wait(self):\n        '''Back off.'''\n",
    ".ai-devtools.yaml": (
        "code-index:\n  modules:\n    fisio:\n      description: The ETL engine.\n"
        "      submodules:\n        imports: Reads what others send.\n"
    ),
}


@pytest.fixture
def fisio(repository: Callable[..., Path]) -> Iterator[Index]:
    root = repository(FISIO)
    with Index.open(root) as index:
        index.sync(structure_only=True)
        yield index


def test_a_guide_has_its_title_and_its_mentions(fisio: Index) -> None:
    (guide,) = fisio.overview.guides().guides
    assert (guide.title, guide.description) == ("Fisio", "Main ETL engine for data imports.")
    assert guide.entry_points == ("fisio/main.py", "fisio/imports/command.py")
    assert guide.mentioned_symbols == (
        "fisio/upsert.py::BOUpserter",
        "fisio/retry.py::RetryManager",
    )
    assert guide.describes == ("fisio/__init__.py",)
    assert [one for one in guide.sections if " > " not in one and one != "Fisio"] == [
        "Entry Points",
        "Key Patterns",
        "Important Classes",
    ]
    assert "Key Patterns > Import Pattern" in guide.sections


def test_code_of_a_document_is_neither_its_title_nor_its_text(
    repository: Callable[..., Path],
) -> None:
    readme = (
        "&nbsp;\n\n```sh\n# Install it\n~~~\n# Or\n```\n\n"
        "**Lark** sings.\n\n## Use\n\n~~~\n# Run\n~~~\n"
    )
    with Index.open(repository({"README.md": readme, "a.py": "x = 1\n"})) as index:
        index.sync(structure_only=True)
        (guide,) = (found := index.overview.guides()).guides
    assert (guide.title, guide.description) == ("", "**Lark** sings.")
    assert next(iter(found.text())) == "README.md"


@pytest.mark.parametrize(
    ("name", "text", "title", "description"),
    [
        ("README.rst", "Shop\n====\n\n.. image:: a.png\n   :alt: x\n\nSells things.\n", "Shop", ""),
        (
            "README.md",
            "Shop\n----\n\nSells\n[many](a) things.\n",
            "Shop",
            "Sells [many](a) things.",
        ),
        ("README.adoc", "= Shop\nAnn <a@b.org>\n:toc:\n\nSells things.\n", "Shop", ""),
        ("README.org", "#+TITLE: Shop\n\n* About\nSells things.\n", "Shop", ""),
        (
            "README.md",
            "<!-- no\n\ntext -->\n<h1>\n Shop\n</h1>\n<p>Sells things.</p>\n",
            "Shop",
            "",
        ),
        (
            "README.md",
            "# Shop\n\n ___  _\n/_ / / |\n\n- [Use](#use)\n\nSells things.\n",
            "Shop",
            "",
        ),
        (
            "README.md",
            "# Shop [![CI](a(b).svg)](c)\n\n[English](a) | [中文](b)\n\nSells things.",
            "Shop",
            "",
        ),
        ("README.md", "Sells things.\n\n# Licence\n\nMIT applies here.\n", "", ""),
    ],
)
def test_the_opening_of_a_document_is_prose_in_any_notation(
    repository: Callable[..., Path], name: str, text: str, title: str, description: str
) -> None:
    with Index.open(repository({name: text, "a.py": "x = 1\n"})) as index:
        index.sync(structure_only=True)
        (guide,) = index.overview.guides().guides
    assert (guide.title, guide.description) == (title, description or "Sells things.")


def test_a_name_of_two_things_is_left_unresolved(fisio: Index) -> None:
    (fisio.root / "fisio/other.py").write_text("class RetryManager:\n    pass\n")
    fisio.sync(structure_only=True)
    (guide,) = fisio.overview.guides("fisio/AGENTS.md").guides
    assert guide.mentioned_symbols == ("fisio/upsert.py::BOUpserter",)
    assert guide.unresolved == ("RetryManager",)


def test_a_symbol_that_moves_takes_its_mentions_with_it(fisio: Index) -> None:
    (fisio.root / "fisio/upsert.py").rename(fisio.root / "fisio/write.py")
    fisio.sync(structure_only=True)
    (guide,) = fisio.overview.guides().guides
    assert "fisio/write.py::BOUpserter" in guide.mentioned_symbols


def test_modules_have_the_description_in_the_settings(fisio: Index) -> None:
    (module,) = (one for one in fisio.overview.modules().modules if one.name == "fisio")
    assert (module.description, module.configured) == ("The ETL engine.", True)
    assert [(one.name, one.description) for one in module.submodules] == [
        ("imports", "Reads what others send.")
    ]


def test_a_hidden_folder_is_a_module_by_its_own_name(repository: Callable[..., Path]) -> None:
    files = {f".github/{kind}/{kind}.yml": "a: 1\n" for kind in ("workflows", "actions")}
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        said = list(index.overview.modules().text())
    assert said == [".github  2 files", "  actions  1 file", "  workflows  1 file"]


def test_an_unknown_document_names_the_nearest(fisio: Index) -> None:
    with pytest.raises(QueryError, match=r"did you mean 'fisio/AGENTS\.md'"):
        fisio.overview.guides("AGENTS.md")


QUEUES = {
    "jobs/queue.py": "def publish(message):\n    '''Put a message into the queue.'''\n",
    "jobs/worker.py": "def drain(queue):\n    '''Take every message.'''\n",
}


def test_an_index_without_the_words_suggests_those_that_it_has(
    repository: Callable[..., Path],
) -> None:
    with Index.open(repository(QUEUES)) as index:
        index.sync(structure_only=True)
        answer = index.search("kafka consumer throttling")
    assert not answer.hits
    assert answer.suggestions == ("Try: 'message' (2 results)", "Try: 'queue' (2 results)")
    assert answer.related_areas == ("jobs.queue", "jobs.worker")
    assert answer.hint == "Searched only in shop."


def test_a_weak_answer_suggests_commoner_words(repository: Callable[..., Path]) -> None:
    with Index.open(repository(QUEUES | {"words.py": 'BROKER = "kafka"\n'})) as index:
        index.sync(structure_only=True)
        with index.reader().corpus() as (catalog, corpus):
            weak, strong = (
                suggest_replacements(catalog, corpus, "kafka message", is_weak=is_weak).sentences
                for is_weak in (True, False)
            )
    assert (weak, strong) == (("Try: 'queue' (2 results)",), ())


def test_a_result_of_a_document_has_its_title(fisio: Index) -> None:
    (hit, *_) = fisio.search("how does the import pattern work").hits
    assert hit.path == "fisio/AGENTS.md"
    assert hit.heading_path.split(" > ")[0] == fisio.overview.guides(hit.path).guides[0].title


def test_a_part_of_a_word_is_suggested_as_it_is_written(repository: Callable[..., Path]) -> None:
    files = {"a.py": "def throttling_interval():\n    return throttling\n"}
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        answer = index.search("getThrottling")
    assert not answer.hits
    assert answer.suggestions[0].startswith("Try: 'throttling' (1 result)")


def test_where_no_word_is_near_there_is_advice(repository: Callable[..., Path]) -> None:
    with Index.open(repository(QUEUES)) as index:
        index.sync(structure_only=True)
        answer = index.search("zygomorphic xylophones")
    assert answer.suggestions == ("Try broader search terms",)  # all of it is indexed


def test_where_no_file_passes_the_filters_no_words_are_suggested(
    repository: Callable[..., Path],
) -> None:
    with Index.open(repository(QUEUES)) as index:
        index.sync(structure_only=True)
        answer = index.search("queue of messages", filters=Filters(languages=("rust",)))
    assert answer.message == "No indexed file passes these filters: remove one of them."
    assert answer.suggestions == ()


def test_words_that_no_file_has_are_told_beside_what_was_found(
    repository: Callable[..., Path],
) -> None:
    with Index.open(repository(QUEUES)) as index:
        index.sync(structure_only=True)
        few = index.search("take every message queue of kafka")
        many = index.search("how is a message of kafka throttled sometimes")
    assert few.hits
    assert few.missing_words == ("kafka",)
    assert many.hits
    assert many.missing_words == ("kafka", "throttled")
    assert many.suggestions == (
        "Try: 'message' (2 results)",
        "Try: 'queue' (2 results)",
    )


def test_filters_that_leave_no_file_are_named_as_the_reason(
    repository: Callable[..., Path],
) -> None:
    with Index.open(repository(QUEUES)) as index:
        index.sync(structure_only=True)
        answer = index.search("queue", filters=Filters(languages=("go",)))
    assert "filters" in answer.message


def test_a_heading_with_all_words_of_the_question_is_no_weak_answer(
    repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "_rate_confidence", lambda *_: "weak")
    faq = "# Questions\n\n## Where are lost parcels kept?\n\nIn the depot.\n"
    with Index.open(repository({"docs/faq.md": faq, "a.py": "def parcels(lost): ...\n"})) as index:
        index.sync(structure_only=True)
        asked = ("where are lost parcels kept", "where are lost parcels kept warm", "lost parcels")
        assert [index.search(one).confidence for one in asked] == ["likely", "weak", "weak"]


def test_a_heading_that_is_not_among_the_first_results_does_not_raise_the_confidence(
    repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "_rate_confidence", lambda *_: "weak")
    code = "def lost_parcels_depot(lost, parcels):\n    return depot(lost, parcels)\n"
    files = {f"lost_parcels_depot_{n}.py": code for n in range(6)}
    files["notes/parcels.md"] = f"# Lost parcels depot\n\n{'Ships and harbours. ' * 60}\n"
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        answer = index.search("lost parcels depot")
    assert "notes/parcels.md" not in [hit.path for hit in (*answer.hits[:3], *answer.navigation)]
    assert answer.confidence == "weak"

"""Links inside the repository's documents lead to a file and, with `#`, to a heading in it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", ".github/*.md", "codeindex/docs/**/*.md", "tests/*.md")
    for path in ROOT.glob(pattern)
)
_FENCE = re.compile(r"^(```+|~~~+).*?^\1", re.MULTILINE | re.DOTALL)
_CONSOLE = re.compile(r"^```console\n.*?^```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]+`")
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)")
_MODULE = re.compile(r"python -m (tests(?:\.\w+)+)")
_PATH = re.compile(r"(?<![\w/.-])tests/[\w/*-]+\.(?:py|tsv|md)\b")
_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)


def prose(text: str) -> str:
    """Return a document without code, in which brackets mean something else."""
    return _CODE.sub("`", _FENCE.sub("", text))


def anchors(path: Path) -> set[str]:
    """Return the anchors of a document's headings, formed as GitHub and the site form them."""
    text = _FENCE.sub("", path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for heading in _HEADING.findall(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        number = 0
        while (name := f"{slug}-{number}" if number else slug) in found:
            number += 1
        found.add(name)
    return found


def broken(document: Path, link: str) -> str:
    """Return what is wrong with a link, '' if nothing is."""
    place, _, anchor = link.partition("#")
    target = (document.parent / place).resolve() if place else document
    if not target.exists():
        return f"{link}: no such file"
    if not target.is_relative_to(ROOT):
        return f"{link}: outside of the repository"
    if anchor and target.suffix == ".md" and anchor not in anchors(target):
        return f"{link}: no such heading"
    return ""


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_inside_the_repository_lead_somewhere(name: str) -> None:
    document = ROOT / name
    links = _LINK.findall(prose(document.read_text(encoding="utf-8")))
    inside = [link for link in links if not re.match(r"[a-z][a-z0-9+.-]*:", link)]
    assert [problem for link in inside if (problem := broken(document, link))] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_scripts_and_tests_that_a_document_names_exist(name: str) -> None:
    """Console samples are left out: some are answers about other repositories."""
    text = _CONSOLE.sub("", (ROOT / name).read_text(encoding="utf-8"))
    modules = {place.replace(".", "/") + ".py" for place in _MODULE.findall(text)}
    named = modules | set(_PATH.findall(text))
    assert {path for path in named if not list(ROOT.glob(path))} == set()


def test_documents_are_found() -> None:
    assert {"README.md", ".github/CONTRIBUTING.md", "codeindex/docs/index.md"} <= set(DOCUMENTS)


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("missing.md", "no such file"),
        ("quality.md#no-such-heading", "no such heading"),
        ("../../../outside.md", "no such file"),
        ("quality.md#where-it-stands", ""),
        ("#layers", ""),
    ],
)
def test_a_broken_link_is_noticed(link: str, problem: str) -> None:
    found = broken(ROOT / "codeindex/docs/architecture.md", link)
    assert found.partition(": ")[2] == problem

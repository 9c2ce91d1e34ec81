"""Find out which kind of files a question asks for by its words, such as tests or documents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum


class WantedFiles(StrEnum):
    """The kind of files that a question asks for."""

    ANY = "any"
    TESTS = "tests"
    EXAMPLES = "examples"
    DOCUMENTS = "documents"
    STYLES = "styles"
    TEMPLATES = "templates"
    PROJECT = "project"
    """Files that `project_files` finds by their names."""


_FIND = (
    "^(?:(?:find|show|show me|give me|list|where are|where is|what are) )?(?:the |all |some |an? )?"
)
_ATTRIBUTE = (
    "(?:(?!(?:collect|convert|delete|discover|execute|extract|fetch|generate|parse|publish|remove|run"
    r"|save|skip|upload|validate) )\S+ )?"
)
"""A word such as `flaky` or `API`, but no verb: "run tests for a package" asks for code."""
_PHRASES: Mapping[WantedFiles, re.Pattern[str]] = {
    WantedFiles.TESTS: re.compile(
        rf"{_FIND}{_ATTRIBUTE}tests (?:for|of|that|which) "
        rf"|{_FIND}(?:unit|integration|regression|end-to-end|e2e) tests? (?:for|of|that|which) "
        r"|^(?:which|what) tests (?:cover|check|exercise|run|use|verify)"
        r"|^(?:how|where) (?:is|are) .+ tested$"
    ),
    WantedFiles.EXAMPLES: re.compile(
        rf"{_FIND}{_ATTRIBUTE}(?:examples?|demos?|samples? (?:code|apps?|applications?|programs?))"
        r" (?:for|of|that|which|with|showing|using) "
    ),
    WantedFiles.DOCUMENTS: re.compile(
        rf"{_FIND}{_ATTRIBUTE}(?:docs?|documentation) (?:for|of|on|about) "
        r"|^(?:which|what) (?:docs?|documents?|pages?|sections?) (?:covers?|describes?|explains?)"
        r"|^(?:how|where) (?:is|are) .+ documented$"
    ),
    WantedFiles.STYLES: re.compile(
        rf"{_FIND}(?:css|scss|sass|less|styles|stylesheets?)(?: rules?| classes)? (?:for|of) "
    ),
    WantedFiles.TEMPLATES: re.compile(
        rf"{_FIND}(?:html|erb|haml|jinja2?|twig|blade|handlebars|django|e?mail)"
        r" (?:templates?|pages?|views?|markup) (?:for|of|that|which) "
    ),
}
"""Match the questions that ask for a kind of files. A singular "test for equality" asks for a
check, what helps "in tests" is not a test, and a plain "template" may be one of C++."""


def wanted_files(shape: str) -> WantedFiles:
    """Return the kind of files that a question asks for, by its words in lower case."""
    return next(
        (files for files, phrase in _PHRASES.items() if phrase.search(shape)), WantedFiles.ANY
    )

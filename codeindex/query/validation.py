"""Check the parameters of queries; each error names the parameter and the values that it accepts.

Callers with a type checker do not meet these errors; scripts and agents may.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args, get_type_hints

from codeindex.errors import QueryError
from codeindex.text.truncate import truncate
from codeindex.types import LineSpan, TestScope
from codeindex.types.array_types import Vector

MOST_RESULTS = 100
MOST_TOKENS = 1_000_000
LONGEST_NAME = 4_096
"""Most characters of a name, path or glob: the longest path on Linux. Even if each character takes
four bytes and an escape, the text fits into the 50,000 bytes that SQLite accepts as a pattern."""
_SURROGATES = re.compile("[\ud800-\udfff]")
_SHOWN = 60
"""Most characters of a wrong value that the error message repeats."""


def check_budget(budget: Any) -> None:
    """Raise QueryError for a token budget that is out of range."""
    if type(budget) is not int or not 0 <= budget <= MOST_TOKENS:
        raise parameter_error(
            "budget", budget, f"use a whole number to {MOST_TOKENS}, 0 for no limit"
        )


def check_not_blank(query: Any) -> None:
    """Raise QueryError for a query that is not text or has no printable character."""
    if not isinstance(query, str):
        raise parameter_error("query", query, "use text that says what you are looking for")
    if not any(char.isprintable() and not char.isspace() for char in query):
        raise QueryError("The query is empty: say what you are looking for.")


def check_length(name: str, given: str) -> None:
    """Raise QueryError for a name, path or glob that is longer than any path can be."""
    if len(given) > LONGEST_NAME:
        bounds = f"it has {len(given):,} characters, of {LONGEST_NAME:,} at most"
        raise parameter_error(name, given, bounds)


def mask_surrogates(text: str) -> str:
    """Replace lone surrogates, which stand for bytes that are not UTF-8 and which no store accepts.

    The replacement is U+FFFD, because a question mark would be a wildcard in a glob.
    """
    return _SURROGATES.sub("\ufffd", text)


def check_texts(name: str, given: Any) -> tuple[str, ...]:
    """Return a sequence of texts as a tuple; raise QueryError for anything else, even one text."""
    if isinstance(given, str):
        raise parameter_error(name, given, f"use a tuple of texts, ({given!r},)")
    if not isinstance(given, Sequence) or not all(isinstance(text, str) for text in given):
        raise parameter_error(name, given, "use a tuple of texts")
    return tuple(given)


def check_text(name: str, given: Any) -> str:
    if not isinstance(given, str):
        raise parameter_error(name, given, "use text")
    return given


def check_object(given: Mapping[str, object], kind: Any) -> None:
    """Raise QueryError unless `given` is an object of the TypedDict `kind`.

    The error names a key that is missing or unknown, or whose value is no text or list of texts.
    """
    required, hints = kind.__required_keys__, get_type_hints(kind)
    optional = hints.keys() - required
    known = f"it has {', '.join(sorted(required))}, and may have {', '.join(sorted(optional))}"
    if not isinstance(given, Mapping):
        raise QueryError(f"{given!r} is not an object: {known}.")
    if missing := sorted(required - set(given)):
        raise QueryError(f"`{missing[0]}` is missing: {known}.")
    if unknown := sorted(given.keys() - hints):
        raise QueryError(f"`{unknown[0]}` is unknown: {known}.")
    for name, value in given.items():
        is_list = hints[name] is not str
        texts = value if is_list and isinstance(value, (list, tuple)) else [value]
        if (is_list and isinstance(value, str)) or not all(isinstance(text, str) for text in texts):
            advice = "a list of texts" if is_list else "a text"
            raise QueryError(f"`{name}` is {value!r}: give {advice}.")


def check_spans(given: Any) -> tuple[LineSpan, ...]:
    """Return spans of lines as `LineSpan`; also accept plain tuples.

    Raise QueryError for other values.
    """
    try:
        spans = tuple(LineSpan(*fields) for fields in given)
    except TypeError:
        spans = (LineSpan("", "", ""),)  # type: ignore[arg-type]
    for span in spans:
        if tuple(map(type, span)) != (str, int, int, str, tuple):
            raise parameter_error(
                "seen", given, "use tuples of a path, its first and its last line"
            )
    return spans


def check_vector(given: Any) -> Vector | None:
    """Return a query's vector scaled to length 1; None for an empty vector."""
    import numpy as np

    if isinstance(given, Sequence) and not len(given):
        return None
    try:
        vector = np.asarray(given, dtype=np.float32)
    except (TypeError, ValueError):
        vector = np.zeros(0, dtype=np.float32)
    length = float(np.linalg.norm(vector))
    if vector.ndim != 1 or not math.isfinite(length) or not length:
        raise parameter_error("vector", given, "use a list of numbers that are not all 0")
    return vector / np.float32(length)


def check_tests_scope(given: Any) -> TestScope:
    if given not in get_args(TestScope):
        raise parameter_error("tests", given, f"use one of {', '.join(get_args(TestScope))}")
    scope: TestScope = given
    return scope


def parameter_error(name: str, given: object, wanted: str) -> QueryError:
    """Return an error about a parameter's value, such as "limit is 0: use 1 or more".

    `given` is the value, which is cut if it is long; `wanted` says what is accepted.
    """
    return QueryError(f"{name} is {truncate(repr(given), _SHOWN)}: {wanted}.")

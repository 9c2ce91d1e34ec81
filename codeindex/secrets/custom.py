"""Patterns of the setting `secret_patterns`; a repository supplies them too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeindex.errors import ConfigError
from codeindex.secrets._base import GROUP, Hit, Pattern
from codeindex.text.bounded_regex import SECONDS, spans


class SlowPatternError(ConfigError):
    """A pattern of `secret_patterns` takes too long, so it is unknown what is a secret."""


def custom_hits(patterns: Iterable[Pattern], text: str) -> Iterator[Hit]:
    """Yield the matches of each pattern; SlowPatternError if one takes too long."""
    for one in patterns:
        try:
            yield from (Hit(span, one.name) for span in spans(one.pattern, text, group=GROUP))
        except TimeoutError:
            raise SlowPatternError(
                f"The pattern `{one.name}` of `secret_patterns` takes over {SECONDS:g} s on one"
                " text: do without repeats in repeats such as `(a+)+`."
            ) from None

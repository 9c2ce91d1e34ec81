"""Patterns of the setting `secret_patterns`; a repository supplies them too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeindex.errors import ConfigError
from codeindex.secrets.detector import GROUP, CustomPattern, SecretHit
from codeindex.text.bounded_regex import SECONDS, match_spans


class SlowPatternError(ConfigError):
    """A pattern of `secret_patterns` takes too long, so it is unknown what is a secret."""


def detect_custom(patterns: Iterable[CustomPattern], text: str) -> Iterator[SecretHit]:
    """Yield the matches of each pattern; SlowPatternError if one takes too long."""
    for one in patterns:
        try:
            yield from (
                SecretHit(span, one.name) for span in match_spans(one.pattern, text, group=GROUP)
            )
        except TimeoutError:
            raise SlowPatternError(
                f"The pattern `{one.name}` of `secret_patterns` takes over {SECONDS:g} s on one"
                " text: do without repeats in repeats such as `(a+)+`."
            ) from None

"""Searches text for the patterns of the setting `secret_patterns`, in bounded time.

The patterns are not trusted, because a repository's own settings file may contain them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeindex.errors import ConfigError
from codeindex.secrets.detector import GROUP, CustomPattern, SecretHit
from codeindex.text.bounded_regex import SECONDS, match_spans


class SlowPatternError(ConfigError):
    """Raised if a pattern of `secret_patterns` takes too long, so that nothing can be redacted."""


def detect_custom(patterns: Iterable[CustomPattern], text: str) -> Iterator[SecretHit]:
    """Yield the matches of the user's patterns; raise SlowPatternError if one takes too long."""
    for custom in patterns:
        try:
            yield from (
                SecretHit(span, custom.name)
                for span in match_spans(custom.pattern, text, group=GROUP)
            )
        except TimeoutError:
            raise SlowPatternError(
                f"The pattern `{custom.name}` of `secret_patterns` takes over {SECONDS:g} s on one"
                " text: avoid nested repetitions such as `(a+)+`."
            ) from None

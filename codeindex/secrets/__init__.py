"""Redaction: removes secrets from text before it is stored, embedded or shown.

The pipeline of `redact`:

1. Detectors search the text. `engine` runs the detectors that are patterns (`Detector`). Private
   keys, Kubernetes manifests and tokens split over literals have functions of their own.
2. Each match gives spans. The detector's value test (`value_tests`) drops spans whose value is a
   placeholder, a variable or a plain word.
3. Overlapping spans are merged. Filters drop trusted lines and secrets known to be harmless.
4. Each remaining span is replaced by `[REDACTED]`. All steps are repeated until no span is found,
   since one redaction can uncover another secret.

Only this package makes `SafeText`. Whole texts are redacted before they are cut into chunks, so
that no cut hides a secret. The package does not use files on disk, settings or the index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.lazy import lazy_exports

if TYPE_CHECKING:
    from codeindex.secrets.detector import REDACTION_MARK, Detector
    from codeindex.secrets.fingerprints import Fingerprints
    from codeindex.secrets.paths import is_secret_file, is_settings_file, safe_path
    from codeindex.secrets.redaction import DETECTORS, RedactedText, SecretFinding, redact
    from codeindex.secrets.safe_text import mark_as_safe, slice_lines

__all__ = [
    "DETECTORS",
    "REDACTION_MARK",
    "Detector",
    "Fingerprints",
    "RedactedText",
    "SecretFinding",
    "is_secret_file",
    "is_settings_file",
    "mark_as_safe",
    "redact",
    "safe_path",
    "slice_lines",
]

# `redaction` compiles hundreds of patterns, for a quarter of a second: searches need none of them.
__getattr__ = lazy_exports(__name__, "detector", "safe_text", "fingerprints", "paths", "redaction")

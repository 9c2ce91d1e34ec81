"""Find the secrets that a sync redacts, so that a user can review them; nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from codeindex.config import Config, LimitsConfig
from codeindex.ingest.read.decode import NotTextError, decode
from codeindex.ingest.read.documents.subprocess import extract_in_subprocess
from codeindex.ingest.read.redact import SecretRules, redact_file
from codeindex.ingest.read.source import read_file
from codeindex.languages import language_for_path
from codeindex.secrets import SecretFinding


def review_rules(config: Config, key: bytes) -> SecretRules:
    """Return the redaction rules of a sync; `key` is the key for fingerprints of secrets."""
    return SecretRules(config.secrets.ignore, config.secret_patterns, key)


def readable_text(root: Path, path: str, limits: LimitsConfig) -> str:
    """Return the text of a file, before redaction, as a sync reads it.

    Raise OSError if the file is missing or too large, NotTextError if it has no text.
    """
    is_document = bool((known := language_for_path(path)) and known.document)
    most = limits.max_document_kb if is_document else limits.max_file_kb
    return text_of_bytes(path, read_file(root, path, most * 1024).data, limits)


def text_of_bytes(path: str, data: bytes, limits: LimitsConfig) -> str:
    """Return the text in `data`, not redacted; raise NotTextError if it has none.

    The suffix of `path` tells whether `data` is a document, such as a PDF.
    """
    known = language_for_path(path)
    return extract_in_subprocess(known, data, limits) if known and known.document else decode(data)


def review_findings(
    root: Path, paths: Iterable[str], rules: SecretRules, *, limits: LimitsConfig
) -> Iterator[tuple[str, SecretFinding]]:
    """Yield (path, finding) for each secret that a sync would redact; skip files without text."""
    for path in paths:
        try:
            text = readable_text(root, path, limits)
        except (OSError, NotTextError):
            continue
        yield from (
            (path, finding) for finding in redact_file(text, path=path, rules=rules).findings
        )

"""What a sync takes out, looked at again for people: nothing of it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from codeindex.config import Config
from codeindex.ingest.decode import NotTextError, decode
from codeindex.ingest.prepare import read_file
from codeindex.ingest.redact import SecretRules, redact_file
from codeindex.secrets import Finding


def rules_of(config: Config, key: bytes) -> SecretRules:
    """Return the rules of a sync, with fingerprints."""
    secrets = config.secrets
    return SecretRules(secrets.ignore, secrets.repository_ignore, config.secret_patterns, key)


def findings_in(
    root: Path, paths: Iterable[str], rules: SecretRules, *, max_bytes: int
) -> Iterator[tuple[str, Finding]]:
    """Yield what would be taken out of files; one that is gone or no text any more has nothing."""
    for path in paths:
        try:
            text = decode(read_file(root, path, max_bytes).data)
        except (OSError, NotTextError):
            continue
        yield from ((path, one) for one in redact_file(text, path=path, rules=rules).findings)

"""Compute the digest of the settings with which an index was made (`Generation.settings`)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from codeindex.config import Config, ingest_digest

CONTENT_REVISION = 49
"""Increased when the code redacts, cuts or tokenises the same file differently than before, so that
the next sync reads every file again."""
EXEMPTION_MARK = "-"
"""Separator before the digest of each entry of the user's `secrets.ignore`."""
MIXED_MARK = "+"
"""Suffix of the digest while files of an index were made with different settings. No settings have
a digest with this suffix, so that the next sync reads every file again."""

_SELECTION = re.compile(r"\.\w+")


def settings_digest(config: Config) -> str:
    """Return the digest of all settings that affect chunks and token counts.

    Each entry of `secrets.ignore` has its own digest in it, because a new entry concerns only files
    with secrets.
    """
    head, exemptions = _parts(config)
    marked = "".join(f"{EXEMPTION_MARK}{digest}" for digest in exemptions)
    return f"{head}{marked}"


def mixed_digest(kept: str) -> str:
    """Mark a settings digest as mixed: some files of the index were read under newer settings.

    `kept` is the digest of the index. If it is '', which makes the next sync read every file, it
    stays ''.
    """
    return kept and f"{kept.rstrip(MIXED_MARK)}{MIXED_MARK}"


def matches_settings(kept: str, config: Config) -> bool:
    """Tell whether an index with the settings digest `kept` was made with these settings.

    Return True for the empty digest, so that queries use the index as it is until the next sync.
    """
    if not kept:
        return True
    head, exemptions = _parts(config)
    was, *known = kept.split(EXEMPTION_MARK)
    return was.startswith(head) and tuple(known) == exemptions and not kept.endswith(MIXED_MARK)


def without_selection(digest: str) -> str:
    """Return a settings digest without the part of the settings that only select files."""
    return _SELECTION.sub("", digest)


def only_adds_exemptions(kept: str, now: str) -> bool:
    """Tell whether the settings changed only by additional `secrets.ignore` entries.

    `kept` and `now` are the digests before and after.
    """
    was, known = kept.partition(EXEMPTION_MARK)[::2]
    others, exemptions = now.partition(EXEMPTION_MARK)[::2]
    return was == others and set(known.split(EXEMPTION_MARK)) - {""} <= set(
        exemptions.split(EXEMPTION_MARK)
    )


def _parts(config: Config) -> tuple[str, tuple[str, ...]]:
    """Return (digest of the settings except `secrets.ignore`, digests of its entries)."""
    others = replace(config, secrets=replace(config.secrets, ignore=()))
    entries = config.secrets.ignore
    digests = {hashlib.sha256(entry.encode()).hexdigest()[:16] for entry in entries}
    return f"{CONTENT_REVISION}:{ingest_digest(others)}", tuple(sorted(digests))

"""Digest of the settings that an index was made with, as `Generation.settings` keeps it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from codeindex.config import Config, ingest_digest

CONTENT_REVISION = 9
"""Raised whenever the same file would be redacted, cut or tokenised differently than before: the
next sync then does every file again."""
EXEMPTION_MARK = "-"
"""Stands before the digest of each entry of the user's `secrets.ignore`."""
MIXED_MARK = "+"
"""Ends the digest of an index some of whose files were made with newer settings than others: no
settings have it, so that the next sync reads every file again."""


def settings_digest(config: Config, tokenizer: Path | None) -> str:
    """Digest what decides chunks and token counts; both default models share one tokenizer.

    What the user calls no secret stands apart: more of it concerns the files with secrets alone.
    """
    own = hashlib.sha256(tokenizer.read_bytes()).hexdigest() if tokenizer else ""
    head, pardons = _parts(config)
    return f"{head}{own[:16]}{''.join(f'{EXEMPTION_MARK}{one}' for one in pardons)}"


def mixed_digest(kept: str) -> str:
    """Return the digest of an index of which some files are made with newer settings.

    One that is to be read anew whatever its settings, with '', stays so.
    """
    return kept and f"{kept.rstrip(MIXED_MARK)}{MIXED_MARK}"


def matches_settings(kept: str, config: Config) -> bool:
    """Tell whether an index was made with these settings, whatever its model's tokenizer.

    One that is to be read anew, with '', answers as it is until then.
    """
    if not kept:
        return True
    head, pardons = _parts(config)
    was, *known = kept.split(EXEMPTION_MARK)
    return was.startswith(head) and tuple(known) == pardons and not kept.endswith(MIXED_MARK)


def only_adds_exemptions(kept: str, now: str) -> bool:
    """Tell whether settings differ only in that more is called no secret than before."""
    was, known = kept.partition(EXEMPTION_MARK)[::2]
    others, pardons = now.partition(EXEMPTION_MARK)[::2]
    return was == others and set(known.split(EXEMPTION_MARK)) - {""} <= set(
        pardons.split(EXEMPTION_MARK)
    )


def _parts(config: Config) -> tuple[str, tuple[str, ...]]:
    """Return the digest of all settings but one, and those of what is called no secret."""
    others = replace(config, secrets=replace(config.secrets, ignore=()))
    digests = {hashlib.sha256(one.encode()).hexdigest()[:16] for one in config.secrets.ignore}
    return f"{CONTENT_REVISION}:{ingest_digest(others)[:32]}", tuple(sorted(digests))

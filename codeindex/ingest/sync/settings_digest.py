"""Digest of the settings that an index was made with, as `Generation.settings` keeps it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from codeindex.config import Config, ingest_digest

REVISION = 9
"""Raised whenever the same file would be redacted, cut or tokenised differently than before: the
next sync then does every file again."""
PARDON = "-"
"""Stands before the digest of each entry of the user's `secrets.ignore`."""
MIXED = "+"
"""Ends the digest of an index some of whose files were made with newer settings than others: no
settings have it, so that the next sync reads every file again."""


def settings_digest(config: Config, tokenizer: Path | None) -> str:
    """Digest what decides chunks and token counts; both default models share one tokenizer.

    What the user calls no secret stands apart: more of it concerns the files with secrets alone.
    """
    own = hashlib.sha256(tokenizer.read_bytes()).hexdigest() if tokenizer else ""
    head, pardons = _parts(config)
    return f"{head}{own[:16]}{''.join(f'{PARDON}{one}' for one in pardons)}"


def mixed(kept: str) -> str:
    """Return the digest of an index of which some files are made with newer settings.

    One that is to be read anew whatever its settings, with '', stays so.
    """
    return kept and f"{kept.rstrip(MIXED)}{MIXED}"


def is_made_with(kept: str, config: Config) -> bool:
    """Tell whether an index was made with these settings, whatever its model's tokenizer.

    One that is to be read anew, with '', answers as it is until then.
    """
    if not kept:
        return True
    head, pardons = _parts(config)
    was, *known = kept.split(PARDON)
    return was.startswith(head) and tuple(known) == pardons and not kept.endswith(MIXED)


def only_pardons_more(kept: str, now: str) -> bool:
    """Tell whether settings differ only in that more is called no secret than before."""
    was, known = kept.partition(PARDON)[::2]
    others, pardons = now.partition(PARDON)[::2]
    return was == others and set(known.split(PARDON)) - {""} <= set(pardons.split(PARDON))


def _parts(config: Config) -> tuple[str, tuple[str, ...]]:
    """Return the digest of all settings but one, and those of what is called no secret."""
    others = replace(config, secrets=replace(config.secrets, ignore=()))
    digests = {hashlib.sha256(one.encode()).hexdigest()[:16] for one in config.secrets.ignore}
    return f"{REVISION}:{ingest_digest(others)[:32]}", tuple(sorted(digests))

"""Which secrets were taken out, without the secrets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RedactedSecret:
    """Where a secret stands and of what kind it is; the fingerprint tells it again."""

    file: str
    line: int
    column: int
    kind: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class RedactedSecrets:
    """What to review: secrets, files that are secrets as a whole, and what is let through."""

    secrets: tuple[RedactedSecret, ...]
    files_left_out: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.file for one in self.secrets))

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [tuple(str(cell) for cell in asdict(one).values()) for one in self.secrets]
        return ("file", "line", "column", "kind", "fingerprint"), rows

    def text(self) -> Iterator[str]:
        for one in self.secrets:
            yield f"{one.file}:{one.line}:{one.column}  {one.kind}  {one.fingerprint}"
        for file in self.files_left_out:
            yield f"{file}  the whole file is left out"
        for entry in self.ignored:
            yield f"ignored by your settings: {entry}"
        count, files = len(self.secrets), len(self.files_left_out)
        yield f"{count:,} secrets in {len(self.paths):,} files taken out, {files:,} files left out"


@dataclass(frozen=True, slots=True)
class RedactedText:
    """A text as it would be kept, and what was taken out of it."""

    text: str
    secrets: tuple[RedactedSecret, ...]

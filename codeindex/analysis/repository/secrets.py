"""Report the secrets that were redacted, without their values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codeindex.types.report import DataReport, Table, make_table, plural


@dataclass(frozen=True, slots=True)
class RedactedSecret:
    """The place, kind and fingerprint of a secret.

    The same secret has the same fingerprint in all files.
    """

    file: str
    line: int
    column: int
    kind: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class RedactedSecrets(DataReport):
    """The redacted secrets, the files skipped as secret, and settings that allow some secrets."""

    secrets: tuple[RedactedSecret, ...]
    files_left_out: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    def columns(self) -> Table:
        return make_table(self.secrets, ("file", "line", "column", "kind", "fingerprint"))

    def text(self) -> Iterator[str]:
        for secret in self.secrets:
            yield (
                f"{secret.file}:{secret.line}:{secret.column}  {secret.kind}  {secret.fingerprint}"
            )
        for file in self.files_left_out:
            yield f"{file}  the whole file is left out"
        for entry in self.ignored:
            yield f"ignored by your settings: {entry}"
        count, files = len(self.secrets), len(self.files_left_out)
        yield (
            f"{plural(count, 'secret')} redacted in {plural(len(self.paths), 'file')};"
            f" {plural(files, 'file')} skipped"
        )


@dataclass(frozen=True, slots=True)
class RedactionCheck:
    """A redacted text, and the secrets that were removed from it."""

    text: str
    secrets: tuple[RedactedSecret, ...]

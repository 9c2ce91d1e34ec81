"""About secrets: what was taken out, what would be, and what is none."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.api.asking import Asking
from codeindex.errors import CodeIndexError

if TYPE_CHECKING:
    import sqlite3

    from codeindex.analysis.repository.secrets import RedactedSecret, RedactedSecrets, RedactedText
    from codeindex.config import Config
    from codeindex.secrets import Finding


class Review(Asking):
    """About secrets: what was taken out of the files of this repository."""

    def secrets(self, path: str = "") -> RedactedSecrets:
        """List what was taken out of PATH or of everything: where, of what kind, its fingerprint.

        The secret itself is never shown. A fingerprint is made with a key of this data folder and
        tells nothing without it.
        """
        return self._ask(lambda connection: self._secrets(connection, self._inside(path)))

    def _secrets(self, connection: sqlite3.Connection, path: str) -> RedactedSecrets:
        from codeindex.analysis.repository.secrets import RedactedSecrets
        from codeindex.config import data_home
        from codeindex.ingest.on_demand.secret_review import review_findings, review_rules
        from codeindex.store.catalog.files import files_skipped_as_secret, files_with_secrets
        from codeindex.store.datadir.home import fingerprint_key

        config = self.settings.config
        found = review_findings(
            self.root,
            files_with_secrets(connection, path),
            review_rules(config, fingerprint_key(data_home())),
            limits=config.limits,
        )
        return RedactedSecrets(
            tuple(_secret(file, one) for file, one in found),
            files_skipped_as_secret(connection, path),
            config.secrets.ignore,
        )


def check_secrets(text: str, *, path: str, config: Config) -> RedactedText:
    """Redact a text as a file at `path` would be; nothing of it is kept."""
    from codeindex.analysis.repository.secrets import RedactedText
    from codeindex.config import data_home
    from codeindex.ingest.on_demand.secret_review import review_rules
    from codeindex.ingest.read.redact import redact_file
    from codeindex.store.datadir.home import fingerprint_key

    found = redact_file(text, path=path, rules=review_rules(config, fingerprint_key(data_home())))
    return RedactedText(found.text, tuple(_secret(path, one) for one in found.findings))


def ignore_secret(entry: str, *, reason: str = "") -> Path:
    """Add a fingerprint, a glob or `path:line` to the user's own settings; return their file.

    ConfigError for what is none, and where the file has the list in a form that cannot be edited.
    """
    from codeindex.config import config_folder
    from codeindex.config.edit_yaml import add_list_item
    from codeindex.config.load import USER_FILE
    from codeindex.store.datadir.home import write_atomically

    file = config_folder() / USER_FILE
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    after = add_list_item(
        before, ("secrets", "ignore"), entry, comment=reason, name=file.as_posix()
    )
    if after != before:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(file, after.encode("utf-8"))
    return file


def as_entry(said: str) -> str:
    """Return a fingerprint as settings have it; QueryError for anything else."""
    import re

    from codeindex.errors import QueryError
    from codeindex.secrets.fingerprints import LENGTH, PREFIX

    digits = said.strip().removeprefix(PREFIX).lower()
    if not re.fullmatch(rf"[0-9a-f]{{{LENGTH}}}", digits):
        raise QueryError(
            f"{said!r} is no fingerprint: `codeindex secrets list` shows them, {LENGTH} hex digits"
            " each; for a file or a line use --path."
        )
    return f"{PREFIX}{digits}"


def refuse_unknown(entry: str) -> None:
    """Raise QueryError for a fingerprint that no file of an index has: it may be mistyped."""
    from codeindex.config import data_home, load_settings
    from codeindex.errors import QueryError
    from codeindex.ingest.on_demand.secret_review import review_findings, review_rules
    from codeindex.secrets.fingerprints import PREFIX
    from codeindex.store.catalog.connection import Catalog
    from codeindex.store.catalog.files import files_with_secrets
    from codeindex.store.datadir.home import fingerprint_key, repositories

    if entry in load_settings(None).config.secrets.ignore:
        return
    wanted = entry.removeprefix(PREFIX)
    for one in repositories(data_home()):
        with suppress(CodeIndexError):  # one that cannot be read has nothing to compare with
            with Catalog.open(one.catalog) as catalog, catalog.reading():
                paths = files_with_secrets(catalog.connection)
            config = load_settings(one.root).config
            rules = review_rules(config, fingerprint_key(data_home()))
            found = review_findings(one.root, paths, rules, limits=config.limits)
            if any(finding.fingerprint == wanted for _, finding in found):
                return
    raise QueryError(
        f"Nothing that is indexed has the fingerprint {wanted}: see `codeindex secrets list`, or"
        " keep it all the same by `--force`."
    )


def _secret(file: str, one: Finding) -> RedactedSecret:
    from codeindex.analysis.repository.secrets import RedactedSecret

    return RedactedSecret(file, one.line, one.column, one.rule, one.fingerprint)

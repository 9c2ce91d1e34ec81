"""Review redacted secrets: list them, check a text for secrets, and ignore false findings."""

from __future__ import annotations

import re
import sqlite3
from contextlib import suppress
from pathlib import Path

from codeindex.analysis.repository.secrets import RedactedSecret, RedactedSecrets, RedactionCheck
from codeindex.config import Config, config_folder, data_home, load_settings
from codeindex.config.edit_yaml import add_list_item
from codeindex.config.load import USER_FILE
from codeindex.errors import CodeIndexError, QueryError
from codeindex.files.write import write_atomically
from codeindex.ingest.on_demand.secret_review import review_findings, review_rules
from codeindex.ingest.read.redact import redact_file
from codeindex.secrets import SecretFinding
from codeindex.secrets.fingerprints import LENGTH, PREFIX
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.files import files_skipped_as_secret, files_with_secrets
from codeindex.store.datadir.home import fingerprint_key, repositories


def list_secrets(
    connection: sqlite3.Connection, path: str, *, root: Path, config: Config
) -> RedactedSecrets:
    """List the redacted secrets in the files below `path`, without their values.

    The files are read again from the work tree, since the index holds no secrets.
    """
    findings = review_findings(
        root,
        files_with_secrets(connection, path),
        review_rules(config, fingerprint_key(data_home())),
        limits=config.limits,
    )
    return RedactedSecrets(
        tuple(_secret(file, finding) for file, finding in findings),
        files_skipped_as_secret(connection, path),
        config.secrets.ignore,
    )


def check_secrets(text: str, *, path: str, config: Config) -> RedactionCheck:
    """Redact a text as if it were a file at `path`; nothing is stored."""
    redacted = redact_file(
        text, path=path, rules=review_rules(config, fingerprint_key(data_home()))
    )
    return RedactionCheck(
        redacted.text, tuple(_secret(path, finding) for finding in redacted.findings)
    )


def ignore_secret(entry: str, *, reason: str = "") -> Path:
    """Add a fingerprint, a glob or `path:line` to the user's settings; return the settings file.

    Raises ConfigError if the entry is invalid, or if the file cannot be edited.
    """
    file = config_folder() / USER_FILE
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    after = add_list_item(
        before, ("secrets", "ignore"), entry, comment=reason, name=file.as_posix()
    )
    if after != before:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(file, after.encode("utf-8"))
    return file


def parse_fingerprint(text: str) -> str:
    """Return a fingerprint as the settings write it; raise QueryError for any other text."""
    digits = text.strip().removeprefix(PREFIX).lower()
    if not re.fullmatch(rf"[0-9a-f]{{{LENGTH}}}", digits):
        raise QueryError(
            f"{text!r} is not a fingerprint: `codeindex secrets list` shows them, {LENGTH} hex"
            " digits each; for a file or a line use --path."
        )
    return f"{PREFIX}{digits}"


def refuse_unknown_fingerprint(entry: str) -> None:
    """Raise QueryError if no indexed file has a secret with this fingerprint, a probable typo.

    A fingerprint that the user's settings already ignore is accepted.
    """
    if entry in load_settings(None).config.secrets.ignore:
        return
    fingerprint = entry.removeprefix(PREFIX)
    for repository in repositories(data_home()):
        with suppress(CodeIndexError):  # one that cannot be read has nothing to compare with
            with Catalog.open(repository.catalog) as catalog, catalog.reading():
                paths = files_with_secrets(catalog.connection)
            config = load_settings(repository.root).config
            rules = review_rules(config, fingerprint_key(data_home()))
            findings = review_findings(repository.root, paths, rules, limits=config.limits)
            if any(finding.fingerprint == fingerprint for _, finding in findings):
                return
    raise QueryError(
        f"No indexed secret has the fingerprint {fingerprint}: see `codeindex secrets list`,"
        " or keep it all the same by `--force`."
    )


def _secret(file: str, finding: SecretFinding) -> RedactedSecret:
    return RedactedSecret(file, finding.line, finding.column, finding.rule, finding.fingerprint)

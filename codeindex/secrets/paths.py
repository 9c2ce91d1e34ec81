"""Classify files by name as secret files or settings files, and redact secrets in paths."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeindex.secrets.detector import REDACTION_MARK, Span
from codeindex.secrets.engine import run_detectors
from codeindex.secrets.name_patterns import KEY_NAME, NAME_SUFFIX, PASSWORD_NAME
from codeindex.secrets.tokens import TOKEN_DETECTORS
from codeindex.secrets.value_tests import is_secret_in_path, is_strict_password
from codeindex.types import SafeText

_SUFFIXES = (
    *(".pem", ".key", ".p12", ".pfx", ".p8", ".jks", ".jceks", ".keystore", ".bcfks", ".ppk"),
    *(".kdb", ".kdbx", ".agekey", ".asc.key", ".gpg.key", ".ovpn", ".keytab", ".htpasswd"),
    *(".tfstate", ".tfstate.backup"),  # Terraform stores passwords and outputs in plain text
    *(".keyring", ".secrets", "-keypair.json"),  # Ceph; act and IPsec; Solana
)
_NAMES = frozenset(
    {
        *(".env", ".envrc", ".netrc", "_netrc", ".npmrc", ".yarnrc.yml", ".pypirc", ".pgpass"),
        *(".my.cnf", ".mylogin.cnf", ".git-credentials", ".dockercfg", ".htpasswd", ".vault-token"),
        *(".vault_pass", ".s3cfg", ".boto", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"),
        *("master.key", "wallet.dat", "secring.gpg", ".terraformrc", "terraform.rc"),
        *("kubeconfig", "chap-secrets", "pap-secrets", "sasl_passwd", ".smbcredentials"),
        *("rclone.conf", "credentials.tfrc.json", "application_default_credentials.json"),
    }
)
_IN_FOLDER = frozenset(
    {
        *((".aws", "credentials"), (".docker", "config.json"), (".kube", "config")),
        *((".gem", "credentials"), (".cargo", "credentials"), (".cargo", "credentials.toml")),
        *((".gcloud", "credentials.db"), (".azure", "accessTokens.json"), ("gh", "hosts.yml")),
        (".m2", "settings-security.xml"),
    }
)
_EXAMPLES = frozenset(
    {"example", "examples", "sample", "template", "tmpl", "dist", "defaults", "schema", "tpl"}
)

_SETTINGS = (
    *(".ini", ".cfg", ".cnf", ".conf", ".config", ".properties", ".toml", ".yaml", ".yml", ".env"),
)
_LANGUAGE = (
    r"(?:a[abefkmnrsvyz]|b[aeghimnors]|c[aehorsuvy]|d[aevz]|e[elnostu]|f[afijory]|g[adlnuv]"
    r"|h[aeiortuyz]|i[adegikostu]|j[av]|k[agijklmnorsuvwy]|l[abginotuv]|m[ghiklnorsty]"
    r"|n[abdeglnorvy]|o[cjmrs]|p[ailst]|qu|r[mnouw]|s[acdeghiklmnoqrstuvw]|t[aeghiklnortwy]"
    r"|u[grkz]|v[eio]|w[ao]|xh|y[io]|z[ahu]|ast|ckb|fil|kab|nds)"
    r"(?:[-_](?:r?[A-Za-z]{2}|[A-Z][a-z]{3}|han[st]|\d{3}))*"
)
"""A language of ISO 639, and a script or region: `pt-BR`, `pt-rBR`, `zh_Hans`; `ts` is a suffix."""
_TRANSLATION = re.compile(
    r"/(?i:_?locales?|i18n|l10n|langs?|languages?|locali[sz]ations?|translations?|strings)"
    rf"/(?:.*/)?(?:{_LANGUAGE}/|(?:[^/]*[._-])?{_LANGUAGE}\.[^/]*$)"
    rf"|/values-{_LANGUAGE}/|/strings\.xml$|(?i:\.(?:po|arb|xliff?|xlf|resx|strings))$"
)
"""A path of a file with translations: `locale/fr.json`, `values-fr/strings.xml`, `fr.po`.

A folder such as `translation` is not enough: a service that translates has passwords."""
_NAME_FILTER = re.compile(r"(?:pass|pwd|pw|secret|token|key)\w*[=:_ -]", re.IGNORECASE)
"""A cheap filter: only a path that matches it is searched for `_NAMED_VALUE`."""
_NAMED_VALUE = re.compile(
    rf"(?:{PASSWORD_NAME}|{KEY_NAME}){NAME_SUFFIX}(?P<sign>[=:]|[-_ ])"
    r"(?P<secret>[^/=:\s.]{6,128}+)",
    re.ASCII | re.IGNORECASE,
)
_TOKEN_LENGTH_FILTER = re.compile(r"[\w.:-]{18}", re.ASCII)
"""A cheap filter: 18 token characters; no provider's token is shorter."""
_RANDOM_PART = re.compile(r"(?=[^\W_]*\d)[^\W_]{12}", re.ASCII)
"""Twelve letters and digits, with a digit: every token has such a part, file names rarely do."""


def is_secret_file(path: str) -> bool:
    """Tell by its name whether a file holds secrets, like `.env`; `path` is POSIX."""
    folder, _, name = path.rpartition("/")
    lowered = name.lower()
    if lowered.endswith(_SUFFIXES) or lowered in _NAMES:
        return True
    if lowered.startswith(".env."):
        return _EXAMPLES.isdisjoint(lowered.split(".")[2:])
    if lowered.startswith(("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519")):
        return not lowered.endswith((".pub", ".py", ".go", ".rs", ".md"))
    return (folder.rpartition("/")[2], lowered) in _IN_FOLDER


def is_settings_file(path: str) -> bool:
    """Tell by its name whether a file holds settings with unquoted values; `path` is POSIX."""
    name = path.rpartition("/")[2].lower()
    return name.endswith(_SETTINGS) or name.startswith(".env.")


def is_translation_file(path: str) -> bool:
    """Tell by its path whether a file has texts in other languages; `path` is POSIX."""
    return bool(_TRANSLATION.search(f"/{path}"))


def safe_path(path: str) -> SafeText:
    """Return a path with tokens and passwords redacted, as in `backup-password=value.sql`."""
    spans = [*_tokens(path), *_named_values(path)]
    for start, end in sorted(spans, reverse=True):
        path = path[:start] + REDACTION_MARK + path[end:]
    return SafeText(path)


def _tokens(path: str) -> Iterator[Span]:
    if _TOKEN_LENGTH_FILTER.search(path) and _RANDOM_PART.search(path):
        spans = [hit.span for hit in run_detectors(TOKEN_DETECTORS, path)]
        yield from (span for span in spans if _RANDOM_PART.search(path, *span))


def _named_values(path: str) -> Iterator[Span]:
    """Yield the spans of values that follow the name of a password or key in a path."""
    if not _NAME_FILTER.search(path):
        return
    for match in _NAMED_VALUE.finditer(path):
        is_sign = match["sign"] in "=:"
        accepts = is_strict_password if is_sign else is_secret_in_path
        if accepts(match):
            yield match.span("secret")

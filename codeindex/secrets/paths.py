"""Files that are secrets by name."""

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
)
_NAMES = frozenset(
    {
        *(".env", ".envrc", ".netrc", "_netrc", ".npmrc", ".yarnrc.yml", ".pypirc", ".pgpass"),
        *(".my.cnf", ".mylogin.cnf", ".git-credentials", ".dockercfg", ".htpasswd", ".vault-token"),
        *(".vault_pass", ".s3cfg", ".boto", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"),
        *("master.key", "wallet.dat", "secring.gpg", ".terraformrc", "terraform.rc"),
        *("terraform.tfstate", "terraform.tfstate.backup", "kubeconfig"),
    }
)
_IN_FOLDER = frozenset(
    {
        *((".aws", "credentials"), (".docker", "config.json"), (".kube", "config")),
        *((".gem", "credentials"), (".cargo", "credentials"), (".cargo", "credentials.toml")),
        *((".gcloud", "credentials.db"), (".azure", "accessTokens.json")),
    }
)
_EXAMPLES = frozenset(
    {"example", "examples", "sample", "template", "tmpl", "dist", "defaults", "schema", "tpl"}
)

_SETTINGS = (
    *(".ini", ".cfg", ".cnf", ".conf", ".config", ".properties", ".toml", ".yaml", ".yml", ".env"),
)
_MAY_NAME = re.compile(r"(?:pass|pwd|pw|secret|token|key)\w*[=:_ -]", re.IGNORECASE)
_NAMED = re.compile(
    rf"(?:{PASSWORD_NAME}|{KEY_NAME}){NAME_SUFFIX}(?P<sign>[=:]|[-_ ])"
    r"(?P<secret>[^/=:\s.]{6,128}+)",
    re.ASCII | re.IGNORECASE,
)
_LONG = re.compile(r"[\w.:-]{18}", re.ASCII)
"""Characters: the shortest token of a provider has as many."""
_RANDOM = re.compile(r"(?=[^\W_]*\d)[^\W_]{12}", re.ASCII)
"""Names of files are made of words; a token has at least one long part with a digit in it."""


def is_secret_file(path: str) -> bool:
    """Tell by its name alone that a file holds secrets; `path` is POSIX."""
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
    """Tell by its name that a file assigns values without quotes; `path` is POSIX."""
    name = path.rpartition("/")[2].lower()
    return name.endswith(_SETTINGS) or name.startswith(".env.")


def safe_path(path: str) -> SafeText:
    """Replace providers' tokens and passwords in a path, which must neither be stored nor shown."""
    spans = [*_tokens(path), *_named(path)]
    for start, end in sorted(spans, reverse=True):
        path = path[:start] + REDACTION_MARK + path[end:]
    return SafeText(path)


def _tokens(path: str) -> Iterator[Span]:
    if _LONG.search(path) and _RANDOM.search(path):
        spans = [hit.span for hit in run_detectors(TOKEN_DETECTORS, path)]
        yield from (span for span in spans if _RANDOM.search(path, *span))


def _named(path: str) -> Iterator[Span]:
    """Yield what a name says that its password or its key is."""
    if not _MAY_NAME.search(path):
        return
    for found in _NAMED.finditer(path):
        is_sign = found["sign"] in "=:"
        judge = is_strict_password if is_sign else is_secret_in_path
        if judge(found):
            yield found.span("secret")

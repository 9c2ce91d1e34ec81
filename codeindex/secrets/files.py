"""Files that are secrets by name."""

from __future__ import annotations

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

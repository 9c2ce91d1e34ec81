"""Define patterns for the names of passwords, keys and tokens, as parts of other patterns.

All patterns expect `re.IGNORECASE`; `(?-i:…)` marks the parts that depend on case.
"""

from __future__ import annotations

FOREIGN_PASSWORD_NAME = (
    r"(?:contrase(?:[ñÑ]|ni?)a|mots?[ _-]?de[ _-]?passe|(?<![a-z])mdp|kennwort"  # noqa: S105 (a pattern)
    r"|wachtwoord|passord"
    r"|(?<![a-z])(?:senha|has[łl]o|heslo|geslo|parol[ae]?(?![a-z])|[şŞs]ifre|l(?:[öÖo]|oe)senord)"
    r"|jelsz[óÓo]|salasana|adgangskode|lozinka|slapta[žŽz]odis|kata[_ ]?sandi|mat[_ ]?khau"
    r"|[пП]арол[ья]|ПАРОЛЬ|密码|密碼|口令|パスワード|비밀번호|κωδικός|סיסמה|كلمة المرور)"
)
"""Words for a password in other languages, as names and in texts."""
FOREIGN_PASSWORD_NEEDLES = (
    *("contrase", "kennwort", "wachtwoord", "mdp", "senha", "haslo", "heslo", "geslo", "parol"),
    *("sifre", "losenord", "loesenord", "jelsz", "salasana", "adgangskode", "lozinka"),
    *("slapta", "kata_sandi", "katasandi", "kata sandi", "mat_khau", "matkhau", "mat khau"),
    *("hasło", "şifre", "lösenord", "парол", "密码", "密碼", "口令", "パスワード"),  # texts no time
    *("비밀번호", "κωδικός", "סיסמה", "المرور"),
)
PASSWORD_NAME = (
    r"(?:pass(?:w(?:or[dt]|d|rd)|phrase|code|(?<![a-z]pass)[ ](?:word|phrase|code))|pwd"
    r"|(?<![a-z])(?:(?:db|my|user|root|admin|smtp|mail|ftp|mysql|pg|redis|ssh|http|proxy|login|become|require)?pass|(?:root|user|my)?pw|psk)"
    r"|(?-i:(?<=[a-z])P(?:ass|w))(?![a-z])"
    rf"|{FOREIGN_PASSWORD_NAME})"
)
"""Names such as `password`, `db_pass` and `userPw`, but not `compass` or `bypass`."""
API_KEY_NAME = r"(?:api|access|account)[ _.-]?key"
"""Names of API keys: `api_key`, `account key`."""
_KEY_QUALIFIERS = (
    *("auth", "encryption", "encrypt", "decryption", "decrypt", "crypt", "crypto", "validation"),
    *("sign", "signing", "signature", "private", "priv", "master", "shared", "preshared"),
    *("session", "network"),
    *("cookie", "hmac", "app", "application", "client", "consumer", "service", "server", "admin"),
    *("deploy", "license", "licence", "subscription", "storage", "fernet", "jwt", "webhook"),
    *("nonce", "logged_in", "write", "ingest", "integration", "machine", "instrumentation"),
    *("stream", "upgrade", "aes", "rsa", "ssh", "vault", "unseal", "recovery", "wallet"),
    *("function", "host", "sas", "security", "site", "project", "device", "payment", "merchant"),
)
_OTHER_KEY_NAME = (
    r"(?:secret(?:[ _.-]?(?:access[_.-]?)?key)?|(?<!publickey)token|credential|(?<![a-z])salt"
    r"|(?<=_)salt|(?-i:(?<=[a-z])Salt)|pepper|crypt\.key"
    rf"|(?:{'|'.join(_KEY_QUALIFIERS)})[_.:-]{{0,2}}key)"
)
"""Names of tokens, salts and all keys but API keys."""
KEY_QUALIFIERS = ("api", "access", "account", "secret", "crypt", *_KEY_QUALIFIERS)
"""The words before `key` that make it the name of a secret."""
KEY_NAME_END = r"(?:key|secret|token|credential|salt|pepper)"
"""Matches from a needle of `KEY_NEEDLES` to the end of the name."""
KEY_NAME = rf"(?:{API_KEY_NAME}|{_OTHER_KEY_NAME})"
NAME_SUFFIX = (
    r"(?:[_-]?(?:\d{1,3}|prod|production|dev|staging|test|live|default|value|main|root|admin|user"
    r"|old|new|base64|base|id|data))?"
)
"""What may follow a name: `password_1`, `TOKEN_PROD`."""
NAME_GROUP = "(?P<name>"
"""The start of a pattern that captures a name."""
PROSE_KEY_NAME = (
    r"(?:(?:api|access|account|auth|secret|private|encryption|signing|master|shared|bearer|client"
    r"|deploy|license)[ ](?:access[ ])?(?:key|token|secret))"
)
"""Names of keys in prose, with blanks: `access token`."""
PASSWORD_NAME_END = (
    r"(?:pass(?:w(?:or[dt]|d|rd)|phrase|code"  # noqa: S105 (a pattern)
    r"|[ ](?:word|phrase|code)|ord|e)?|pwd?|psk|contrase(?:[ñÑ]|ni?)a|mdp|kennwort|wachtwoord|senha"
    r"|has[łl]o|heslo|geslo|parol[ae]?|[şŞs]ifre|l(?:[öÖo]|oe)senord|jelsz[óÓo]|salasana|adgangskode"
    r"|lozinka|slapta[žŽz]odis|kata[_ ]?sandi|mat[_ ]?khau|[пП]арол[ья]|ПАРОЛЬ|密码|密碼"
    r"|口令|パスワード|비밀번호|κωδικός|סיסמה|المرور)"
)
"""Matches from a needle of `PASSWORD_NEEDLES` to the end of the name."""
PASSWORD_NEEDLES = ("pass", "pw", "psk", *FOREIGN_PASSWORD_NEEDLES)
KEY_NEEDLES = ("key", "secret", "token", "credential", "salt", "pepper")
AUTH_NEEDLES = ("auth",)


def captured_name(name: str) -> str:
    """Return a pattern of a name with its suffix, as the group `name`, which value tests read."""
    return f"{NAME_GROUP}{name}{NAME_SUFFIX})"

"""What people call a password, a key or a token: parts for the patterns of other modules.

All are for patterns that ignore case.
"""

from __future__ import annotations

LOGIN = (
    r"(?:pass(?:w(?:or[dt]|d|rd)|phrase|code|(?<![a-z]pass)[ ](?:word|phrase|code))|pwd"
    r"|(?<![a-z])(?:(?:db|my|user|root|admin|smtp|mail|ftp|mysql|pg|redis|ssh|http|proxy|login|become|require)?pass|(?:root|user|my)?pw|psk)"
    r"|(?-i:(?<=[a-z])P(?:ass|w))(?![a-z]))"
)
KEY = r"(?:api|access|account)[ _.-]?key"
_KINDS_OF_KEY = (
    *("auth", "encryption", "encrypt", "decryption", "decrypt", "crypt", "crypto", "validation"),
    *(
        "sign",
        "signing",
        "signature",
        "private",
        "priv",
        "master",
        "shared",
        "preshared",
        "session",
    ),
    *("cookie", "hmac", "app", "application", "client", "consumer", "service", "server", "admin"),
    *("deploy", "license", "licence", "subscription", "storage", "fernet", "jwt", "webhook"),
    *("nonce", "logged_in", "write", "ingest", "integration", "machine", "instrumentation"),
    *("stream", "upgrade", "aes", "rsa", "ssh", "vault", "unseal", "recovery", "wallet"),
    *("function", "host", "sas", "security", "site", "project"),
)
OTHER = (
    r"(?:secret(?:[ _.-]?(?:access[_.-]?)?key)?|(?<!publickey)token|credential|(?<![a-z])salt"
    r"|(?<=_)salt|(?-i:(?<=[a-z])Salt)|pepper|crypt\.key"
    rf"|(?:{'|'.join(_KINDS_OF_KEY)})[_.-]?key)"
)
BEFORE_KEY = ("api", "access", "account", "secret", "crypt", *_KINDS_OF_KEY)
"""The words in front of `key`, without which it is no secret."""
KEY_END = r"(?:key|secret|token|credential|salt|pepper)"
ANY_KEY = rf"(?:{KEY}|{OTHER})"
TAIL = (
    r"(?:[_-]?(?:\d{1,3}|prod|production|dev|staging|test|live|default|value|main|root|admin|user"
    r"|old|new|base64|base|id))?"
)
SPOKEN_KEY = (
    r"(?:(?:api|access|account|auth|secret|private|encryption|signing|master|shared|bearer|client"
    r"|deploy|license)[ ](?:access[ ])?(?:key|token|secret))"
)
"""What prose calls a key, where code has no blanks."""
LOGIN_END = r"(?:pass(?:w(?:or[dt]|d|rd)|phrase|code|[ ](?:word|phrase|code))?|pwd?|psk)"
LOGIN_NEEDLES = ("pass", "pw", "psk")
KEY_NEEDLES = ("key", "secret", "token", "credential", "salt", "pepper")
AUTH_NEEDLES = ("auth",)

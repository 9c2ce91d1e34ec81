"""What people call a password, a key or a token: parts for the patterns of other modules.

All are for patterns that ignore case.
"""

from __future__ import annotations

LOGIN = r"(?:passw(?:or)?d|passphrase|pwd|(?<![a-z])pass|requirepass)"
KEY = r"(?:api|access|account)[_.-]?key"
OTHER = (
    r"(?:secret(?:[_.-]?(?:access[_.-]?)?key)?|token|credential"
    r"|(?:auth|(?:en|de)cryption|validation|signing|private|master|shared|session|cookie|hmac)"
    r"[_.-]?key)"
)
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
LOGIN_NEEDLES = ("pass", "pwd")
KEY_NEEDLES = ("key", "secret", "token", "credential")
AUTH_NEEDLES = ("auth",)

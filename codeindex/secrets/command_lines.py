"""Logins handed to programs and to functions, told by what is called."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeindex.secrets import value_tests
from codeindex.secrets.detector import Detector, Span
from codeindex.secrets.name_patterns import AUTH_NEEDLES, KEY_NEEDLES, PASSWORD_NEEDLES
from codeindex.secrets.randomness import looks_generated

_WORD = r"""(?P<secret>[^\s"'`<>\\|;&$(){}\[\]]{3,128})"""
_PROGRAM = (
    r"\b(?:(?:mysql|mariadb)[\w-]{0,10}\s(?:[^\n|;]{0,200}?\s)?(?-i:-p)"  # a blank would end it
    r"|(?:sshpass|mongo\w{0,8}|(?:docker|podman|buildah|registry) login)"
    rf"""\s(?:[^\n|;]{{0,200}}?\s)?(?-i:-p)[ =]?)["']?{_WORD}"""
)
_CURL = rf"""\bcurl\b[^\n]{{0,200}}?\s(?:(?-i:-u)|--user)[ =]?["']?[\w.@+-]{{1,64}}:{_WORD}"""
_VARIABLE = rf"""\b(?:pgpassword|mysql_pwd|sshpass)=["']?{_WORD}"""

_SHORT = (
    rf"""\b(?:redis-cli\s(?:[^\n|;]{{0,200}}?\s)?(?-i:-a)|sqlcmd\s(?:[^\n|;]{{0,200}}?\s)?(?-i:-P)"""
    r"|ldap\w{2,8}\s(?:[^\n|;]{0,200}?\s)?(?-i:-w)|(?:plink|pscp|psftp)\s(?:[^\n|;]{0,200}?\s)?-pw"
    r"|(?:un)?zip\s(?:[^\n|;]{0,200}?\s)?(?-i:-P)|az\slogin\s(?:[^\n|;]{0,200}?\s)?(?-i:-p)"
    r"|useradd\s(?:[^\n|;]{0,200}?\s)?(?-i:-p)|mosquitto_[ps]ub\s(?:[^\n|;]{0,200}?\s)?(?-i:-P))"
    rf"""[ =]{{1,2}}["']?{_WORD}"""
)
_GLUED = (
    r"\b(?:7z\w?\s(?:[^\n|;]{0,200}?\s)?(?-i:-p)|[xw]freerdp\s[^\n|;]{0,200}?/p:)"
    rf"{_WORD}"
)
_OPENSSL = rf"""-pass(?:in|out)?\s{{1,4}}["']?pass:{_WORD}"""
_STORE = rf"""-(?:store|key)pass\s{{1,4}}["']?{_WORD}"""
_SQLPLUS = rf"\bsqlplus\s[^\n|;]{{0,80}}?[\w$]{{1,30}}/{_WORD}"
_CHPASSWD = rf"""echo\s(?:-\w\s)?["']?[\w.-]{{1,40}}:{_WORD}["']?\s?\|\s?(?:sudo\s)?chpasswd"""
_PIPED = (
    rf"""echo\s(?:-\w\s)?["']?{_WORD}["']?\s?\|\s?"""
    r"[^\n]{1,80}--(?:password|passphrase|pass)-(?:stdin|fd)"
)
_HTPASSWD = (
    r"\bhtpasswd\s(?=[^\n]{0,40}?(?-i:-[A-Za-z]{0,8}b))(?:-[A-Za-z]{1,8}\s{1,4}(?:\d{1,3}\s{1,4})?){1,5}"
    rf"""(?:[^\s-]\S{{0,200}}\s{{1,4}})?[^\s-]\S{{0,80}}\s{{1,4}}["']?{_WORD}"""
    r"""(?=["']?\s{0,4}(?:[|&;>)`#\\"]|<\s|$))"""
)
_OPENSSL_ENC = (
    r"\bopenssl\s(?:enc|aes|aria|bf|blowfish|camellia|cast|chacha|des|rc[245]|seed|sm4)[\w-]{0,20}\s"
    rf"""(?:[^\n|;]{{0,200}}?\s)?(?-i:-[kK])\s{{1,4}}["']?{_WORD}"""
)
_CHANGED = rf"\bchange_password\s[\w.-]{{1,40}}\s{_WORD}"
_VPN = rf"""\b(?:privatekey|presharedkey)\s?=\s?{_WORD}"""
_PSK = rf"""(?-i:PSK)\s{{1,4}}["']{_WORD}["']"""

_FIRST = r"""(?:["'][^"'\n]{0,80}["']|[\w.]{1,80}(?:\(\))?)"""
_LITERAL = r"""(?P<q>["'`])(?P<secret>(?:(?!(?P=q))(?:\\.|[^\s\\])){3,128})(?P=q)"""
_ARGUMENTS = rf"[ ]?[(\[ ][ ]?{_FIRST},[ ]?(?:some\()?{_LITERAL}"
"""A user, quoted or not, and a password in quotes."""
_AUTH = (
    rf"(?:basic_?auth\w{{0,14}}|digest_?auth\w{{0,8}}|passwordauthentication|\bauth[ ]?[=:])"
    rf"{_ARGUMENTS}"
)
_CREDENTIALS = rf"(?:(?:network|password)credentials?|credentials\.basic){_ARGUMENTS}"

_OPTION_NEEDLES = (" -a", " -p", " -w", "/p:")

_ROWS = (
    (_PROGRAM, _OPTION_NEEDLES),
    (_SHORT, _OPTION_NEEDLES),
    (_GLUED, _OPTION_NEEDLES),
    (_CURL, ("curl",)),
    (_VARIABLE, PASSWORD_NEEDLES),
    (_OPENSSL, PASSWORD_NEEDLES),
    (_STORE, PASSWORD_NEEDLES),
    (_SQLPLUS, ("sqlplus",)),
    (_CHPASSWD, PASSWORD_NEEDLES),
    (_PIPED, PASSWORD_NEEDLES),
    (_CHANGED, PASSWORD_NEEDLES),
    (_OPENSSL_ENC, ("openssl",)),
    (_VPN, KEY_NEEDLES),
    (_PSK, PASSWORD_NEEDLES),
    (_AUTH, AUTH_NEEDLES),
    (_CREDENTIALS, KEY_NEEDLES),
)

_PLAIN = r"""[^\s"',()]{1,80}(?:\([^"'()\n]{0,40}\))?"""
_ANY = rf"""\s{{0,80}}(?:"[^"\n]{{0,200}}"|'[^'\n]{{0,200}}'|{_PLAIN})\s{{0,80}},"""
_THIRD = re.compile(rf"{_ANY}{_ANY}\s{{0,80}}{_LITERAL}", re.ASCII)
_CONNECT = (
    r"(?:\bnew\s{1,4}\\?(?:pdo|mysqli)|\bmysqli(?:_real)?_connect|\bftp_login|\bgetconnection)\s?\("
)
_CONNECT_NEEDLES = ("pdo(", "mysqli", "login(", "getconnection(")
_OF_DRIVERS = re.compile(r"\bDriverManager\s{0,80}\.\s{0,80}getConnection\s?\(\Z")
_LONGEST_CALL = 200  # characters

_LOG_IN = rf"login{_ARGUMENTS}"
_LOG_IN_NEEDLES = ("login(",)

_USERS = (
    r"""users["'`]?(?:\s?:\s?[\w\[\], ]{1,40})?\s{0,8}(?:=>|:?=|:)\s{0,8}"""
    r"(?:new\s)?(?:dict\(|map\()?[{\[]"
)
_USER = re.compile(
    r"""[\s,]{0,80}["'`]?(?P<user>[\w.@-]{1,80})["'`]?\s{0,8}(?:=>|:)\s{0,8}"""
    r"""(?P<q>["'`])(?P<secret>[^\s"'`\\]{1,128})(?P=q)"""
)
_NO_USER = re.compile(
    r"(?i)(?:.*[_.-])?(?:id|uuid|guid|sha|hash|digest|checksum|etag|cursor|nonce|version|url|href|src"
    r"|avatar|image|class|type|kind|date|time|state)"
)
"""What objects of users are described by, where a list of logins has a user."""
_MOST_USERS = 200


def _third(match: re.Match[str]) -> Iterator[Span]:
    """Yield the span of the third argument of a call if it is a quoted password."""
    text, end = match.string, match.end()
    is_getter = match[0].lower().startswith("getconnection")
    if is_getter and not _OF_DRIVERS.search(text, max(0, end - _LONGEST_CALL), end):
        return
    found = _THIRD.match(text, end)
    if found and value_tests.is_argument(found):
        yield found.span("secret")


def _passwords_of_users(match: re.Match[str]) -> Iterator[Span]:
    """Yield the spans of values of `{user: value}` that look random; others may be roles."""
    at = match.end()
    for _ in range(_MOST_USERS):
        found = _USER.match(match.string, at)
        if not found:
            return
        if not _NO_USER.fullmatch(found["user"]) and looks_generated(found):
            yield found.span("secret")
        at = found.end()


_FLAGS = re.ASCII | re.IGNORECASE

COMMAND_LINE_DETECTORS = (
    *(
        Detector("password", re.compile(pattern, _FLAGS), needles, value_tests.is_argument)
        for pattern, needles in _ROWS
    ),
    Detector(
        "password",
        re.compile(_HTPASSWD, _FLAGS),
        PASSWORD_NEEDLES,
        value_tests.is_argument,
        line_filter=re.compile("htpasswd", re.ASCII),
    ),
    Detector("password", re.compile(_CONNECT, _FLAGS), _CONNECT_NEEDLES, find_spans=_third),
    Detector("password", re.compile(_LOG_IN, _FLAGS), _LOG_IN_NEEDLES, looks_generated),
    Detector(
        "password",
        re.compile(_USERS, _FLAGS),
        ("users",),
        find_spans=_passwords_of_users,
    ),
)

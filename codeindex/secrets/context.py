"""Secrets that only the words beside them give away: passwords, keys, logins in addresses."""

from __future__ import annotations

import re
from collections.abc import Callable

from codeindex.secrets import values
from codeindex.secrets._base import Detector

_LOGIN_NAME = r"(?:passw(?:or)?d|passphrase|pwd|(?<![a-z])pass)"
_KEY_NAME = r"(?:api|access|account)[_.-]?key"
_OTHER_NAME = (
    r"(?:secret(?:[_.-]?(?:access[_.-]?)?key)?|token|credential"
    r"|(?:auth|encryption|signing|private|master|shared)[_.-]?key)"
)
_TAIL = (
    r"(?:[_-]?(?:\d{1,3}|prod|production|dev|staging|test|live|default|value|main|root|admin|user"
    r"|old|new|base64|base|id))?"
)
_TYPE = r"(?:\[\w{0,8}\])?(?:\s{0,4}:\s{0,4}[\w&<>\[\].,|?*' ]{1,40}|\s{1,4}[\w*.&]{1,20})?"
_OPERATOR = rf"(?:{_TYPE}\s{{0,16}}[!?|:+]?={{1,3}}|\s{{0,16}}(?:=>|:|<-|\|\||\?\?|or\b))"
_QUOTED = r"""(?P<q>\\?["'`])(?P<secret>(?:(?!(?P=q))(?:\\.|[^\s\\])){6,}+)(?P=q)"""
_BARE_START = r"""^[ \t]*(?:[#;*/>]{1,6}[ \t]*)?(?:(?:export|env|arg|set|-)[ \t]+)?["']?"""
"""What was commented out is a secret still."""
_BARE = r"""(?P<secret>[^\s"'`,;(){}<>\[\]$%][^\s"'`,;(){}<>\[\]]{5,}+)[ \t\r]*+(?:\#.*)?$"""

_LOGIN_NAME_NEEDLES = ("pass", "pwd")
_KEY_NEEDLES = ("key", "secret", "token", "credential")
_URL_NEEDLES = ("://",)

_CONNECTION = (
    r"(?:mongodb|postgres|mysql|mariadb|redis|amqp|mssql|sqlserver|oracle|clickhouse)"
    r"""\w{0,3}(?:\+\w{1,16})?://(?P<secret>[^\s/:@"'`<>\\]{0,128}:[^\s"'`<>\\]{1,256})@"""
)
"""The password may hold anything, as people forget to escape it: the last `@` ends it."""
_LOGIN = r"""://(?P<secret>[^\s/:@"'`<>\\]{0,128}:[^\s/?#"'`<>\\]{1,256})@"""
_DATA_SOURCE = (
    r"(?:server|data source|host|uid|user(?: id| ?name)?|database|initial catalog)\s?="
    r"""[^"'\n]{0,200}?;\s?(?:password|pwd)\s?=\s?(?P<secret>[^;"'\s]{4,})"""
)
_HEADER = (
    r"""authorization["']?\]?\s{0,4}[:=,]\s{0,4}["'`]?(?:bearer|basic|token|digest|apikey)\s{1,4}"""
    r"(?P<secret>[\w.~+/=-]{8,})"
)


def _quoted(name: str) -> str:
    """`name = "value"` and its kin: maps, a type before the value, comparisons, escaped quotes."""
    prefix = r"""(?:[rbful@]{1,2}\#{0,3}(?=["'`]))?"""
    return rf"""{name}s?{_TAIL}\\?["'`]?[\])]?{_OPERATOR}\s{{0,16}}{prefix}{_QUOTED}"""


def _bare(name: str) -> str:
    """`NAME=value` alone on its line, as settings files have it."""
    return (
        rf"""{_BARE_START}(?P<name>[\w.:/@-]{{0,80}}{name}{_TAIL})["']?"""
        rf"(?P<op>[ \t]{{0,16}}[:=][ \t]{{0,16}}){_BARE}"
    )


def _fallback(name: str) -> str:
    """`getenv("NAME", "value")`, `define('NAME', 'value')`."""
    return (
        r"(?:env|environ|get|fetch|property|set|define)\w{0,8}\(\s{0,4}"
        rf"""["'][\w.-]{{0,60}}{name}{_TAIL}["']\s{{0,4}},\s{{0,4}}{_QUOTED}"""
    )


def _declared(name: str) -> str:
    """`#define NAME "value"` of C, `ENV NAME value` of a Dockerfile."""
    return (
        rf"""^[ \t]*(?:\#[ \t]*define|env|setenv)[ \t]+\w{{0,80}}{name}{_TAIL}[ \t]+L?["']?"""
        r"""(?P<secret>[^\s"'`,;(){}<>\[\]]{6,}+)["']?[ \t\r]*+(?:/[/*].*)?$"""
    )


def _setter(name: str) -> str:
    """`setPassword("value")`."""
    return rf"(?:set|with)_?\w{{0,40}}{name}{_TAIL}\(\s{{0,4}}{_QUOTED}"


def _inline(name: str) -> str:
    """`NAME=value command`, and `-e NAME=value` of one."""
    return (
        rf"(?<![\w$])(?P<name>\w{{0,80}}{name}{_TAIL})="
        r"""(?P<secret>[^\s"'`,;(){}<>\[\]$%]{8,256}+)(?=[ \t])"""
    )


def _element(name: str) -> str:
    return rf"<[\w.:-]{{0,40}}{name}{_TAIL}>(?P<secret>[^<\s]{{6,}}+)</"


def _flag(name: str) -> str:
    """`--name value`, and `?name=value` of an address."""
    return (
        rf"""(?:--[\w-]{{0,40}}{name}[ =]{{1,2}}|[?&][\w-]{{0,40}}{name}=)["']?"""
        r"(?P<secret>[\w.~%+/=!@#^*:-]{8,})"
    )


_SQL_LOGIN = rf"(?:identified by|(?:with|set|encrypted) password)\s{{1,4}}{_QUOTED}"
_CURL_LOGIN = (
    r"""\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]?["']?[\w.@+-]{1,64}:"""
    r"""(?P<secret>[^\s"'`<>\\]{6,}+)"""
)

_Row = tuple[str, str, tuple[str, ...], Callable[[re.Match[str]], bool]]

_ROWS: tuple[_Row, ...] = (
    ("connection_string", _CONNECTION, _URL_NEEDLES, values.is_login),
    ("connection_string", _DATA_SOURCE, _LOGIN_NAME_NEEDLES, values.is_password),
    ("url_login", _LOGIN, _URL_NEEDLES, values.is_login),
    ("authorization", _HEADER, ("authorization",), values.is_credential),
    ("authorization", r"\bbearer\s{1,4}(?P<secret>[\w.~+/=-]{16,})", ("bearer",), values.is_key),
    ("password", _quoted(_LOGIN_NAME), _LOGIN_NAME_NEEDLES, values.is_password),
    ("password", _bare(_LOGIN_NAME), _LOGIN_NAME_NEEDLES, values.is_bare_password),
    ("password", _fallback(_LOGIN_NAME), _LOGIN_NAME_NEEDLES, values.is_password),
    ("password", _element(_LOGIN_NAME), _LOGIN_NAME_NEEDLES, values.is_password),
    ("password", _flag(_LOGIN_NAME), _LOGIN_NAME_NEEDLES, values.is_credential),
    ("password", _declared(_LOGIN_NAME), _LOGIN_NAME_NEEDLES, values.is_bare_password),
    ("password", _setter(_LOGIN_NAME), _LOGIN_NAME_NEEDLES, values.is_bare_password),
    ("password", _inline(_LOGIN_NAME), _LOGIN_NAME_NEEDLES, values.is_inline),
    ("password", _SQL_LOGIN, ("password", "identified"), values.is_password),
    ("password", _CURL_LOGIN, ("curl",), values.is_credential),
    *(
        row
        for rule, name in (("api_key", _KEY_NAME), ("secret", _OTHER_NAME))
        for row in (
            (rule, _quoted(name), _KEY_NEEDLES, values.is_key),
            (rule, _bare(name), _KEY_NEEDLES, values.is_bare_key),
            (rule, _fallback(name), _KEY_NEEDLES, values.is_key),
            (rule, _element(name), _KEY_NEEDLES, values.is_key),
            (rule, _flag(name), _KEY_NEEDLES, values.is_bare_key),
            (rule, _declared(name), _KEY_NEEDLES, values.is_bare_key),
            (rule, _setter(name), _KEY_NEEDLES, values.is_bare_key),
            (rule, _inline(name), _KEY_NEEDLES, values.is_inline),
        )
    ),
)

CONTEXT = tuple(
    Detector(
        rule,
        re.compile(pattern, re.ASCII | re.IGNORECASE | re.MULTILINE),
        needles,
        accepts,
        certain=False,
    )
    for rule, pattern, needles, accepts in _ROWS
)

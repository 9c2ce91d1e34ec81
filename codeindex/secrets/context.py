"""Secrets that only the words beside them give away: passwords, keys, logins in addresses."""

from __future__ import annotations

import re

from codeindex.secrets import values
from codeindex.secrets.names import (
    AUTH_NEEDLES,
    KEY,
    KEY_NEEDLES,
    LOGIN,
    LOGIN_NEEDLES,
    OTHER,
    TAIL,
)
from codeindex.secrets.rows import Row, detectors

_TYPE = (
    r"(?:\[\w{0,8}\])?(?:\s{0,4}:\s{0,4}[\w&<>\[\].,|?*' ]{1,40}"
    r"""|(?<!["'`])\s{1,4}[\w*.&]{1,20}|\s{1,4}(?:value|default|content))?"""
)
"""Behind a quote stands the next attribute of an element; only some hold what the first names."""
_OPERATOR = (
    rf"(?:{_TYPE}\s{{0,16}}[!?|:+]?={{1,3}}|\s{{0,16}}(?:=>|:|<-)"
    r"""|(?<!["'`])\s{0,16}(?:\|\||\?\?|or\b)|\s?\{\s?get;[^}\n]{0,30}\}\s?=)"""
)
_QUOTED = r"""(?P<q>\\?(?:\"{3}|'{3}|["'`]))(?P<secret>(?:(?!(?P=q))(?:\\.|[^\s\\])){6,}+)(?P=q)"""
_WRAPPED = (
    r"(?:(?:new )?(?:String(?:::from)?|Some|Just|Optional\.of|Buffer\.from|SecureString|ByteString"
    r"|(?:\w{1,20}::)?Secret(?:Str(?:ing)?|Box)?(?:::new|::from)?|str|bytes)\()?"
)
"""Constructors that people put around a literal; what other functions take may be a name."""
_BARE_START = r"""^[ \t]*(?:[#;*/>]{1,6}[ \t]*)?(?:(?:export|env|arg|set|-)[ \t]+)?["']?"""
"""What was commented out is a secret still."""
_BARE = (
    r"""(?P<secret>[^\s"'`,;(){}<>\[\]$%][^\s"'`,;(){}<>\[\]\\]{5,}+)"""
    r"""(?:(?:\\n)?["'],?)?[ \t\r]*+(?:\#.*)?$"""
)

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
    prefix = rf"""{_WRAPPED}(?:[rbful@]{{1,2}}\#{{0,3}}(?=["'`]))?"""
    return rf"""{name}s?{TAIL}\\?["'`]?[\])]?{_OPERATOR}\s{{0,16}}{prefix}{_QUOTED}"""


def _bare(name: str) -> str:
    """`NAME=value` alone on its line, as settings files have it."""
    return (
        rf"""{_BARE_START}(?P<name>[\w.:/@-]{{0,80}}{name}{TAIL})["']?"""
        rf"(?P<op>[ \t]{{0,16}}(?:[:?+]?=|:)[ \t]{{0,16}}){_BARE}"
    )


def _fallback(name: str) -> str:
    """`getenv("NAME", "value")`, `define('NAME', 'value')`."""
    return (
        r"(?:env|environ|get|fetch|property|set|define)\w{0,20}\(\s{0,4}"
        rf"""["'][\w.-]{{0,60}}{name}{TAIL}["']\s{{0,4}},\s{{0,4}}{_QUOTED}"""
    )


def _declared(name: str) -> str:
    """`#define NAME "value"` of C, `ENV NAME value` of a Dockerfile, `set -x NAME value`."""
    return (
        r"^[ \t]*(?:\#[ \t]*define|env|setenv|setx|set(?:[ \t]+-\w{1,3}){1,3})"
        rf"""[ \t]+\w{{0,80}}{name}{TAIL}[ \t]+L?["']?"""
        r"""(?P<secret>[^\s"'`,;(){}<>\[\]]{6,}+)["']?[ \t\r]*+(?:/[/*m].*)?$"""
    )


def _setter(name: str) -> str:
    """`setPassword("value")`."""
    return rf"(?:set|with)_?\w{{0,40}}{name}{TAIL}\(\s{{0,4}}{_QUOTED}"


def _inline(name: str) -> str:
    """`NAME=value command`, and `-e NAME=value` of one."""
    return (
        rf"(?<![\w$])(?-i:(?=[A-Z\d_]{{3}}))(?P<name>\w{{0,80}}{name}{TAIL})="
        r"""(?P<secret>[^\s"'`,;(){}<>\[\]$%]{8,256}+)(?=[\s;]|\Z)"""
    )


def _element(name: str) -> str:
    """`<name>value</name>`, `<entry key="name">value</entry>`."""
    return (
        rf"""<(?:[\w.:-]{{0,40}}{name}{TAIL}|\w{{1,20}}\s(?:name|key|id)=["']"""
        rf"""[\w.:-]{{0,60}}{name}{TAIL}["'])>(?P<secret>[^<\s]{{6,}}+)</"""
    )


def _flag(name: str) -> str:
    """`--name value`, and `?name=value` of an address."""
    return (
        rf"""(?:--[\w-]{{0,40}}{name}|[?&][\w-]{{0,40}}{name}(?==))(?P<op>[ =])[ ]?["']?"""
        r"(?P<secret>(?!-)[\w.~%+/=!@#^*:-]{6,})"
    )


_SQL = rf"\s{{1,4}}{_QUOTED}"

_ROWS: tuple[Row, ...] = (
    ("connection_string", _CONNECTION, _URL_NEEDLES, values.is_login),
    ("connection_string", _DATA_SOURCE, LOGIN_NEEDLES, values.is_password),
    ("url_login", _LOGIN, _URL_NEEDLES, values.is_login),
    ("authorization", _HEADER, AUTH_NEEDLES, values.is_credential),
    ("authorization", r"\bbearer\s{1,4}(?P<secret>[\w.~+/=-]{16,})", ("bearer",), values.is_key),
    ("password", _quoted(LOGIN), LOGIN_NEEDLES, values.is_password),
    ("password", _bare(LOGIN), LOGIN_NEEDLES, values.is_bare_password),
    ("password", _fallback(LOGIN), LOGIN_NEEDLES, values.is_password),
    ("password", _element(LOGIN), LOGIN_NEEDLES, values.is_password),
    ("password", _flag(LOGIN), LOGIN_NEEDLES, values.is_flagged_password),
    ("password", _declared(LOGIN), LOGIN_NEEDLES, values.is_bare_password),
    ("password", _setter(LOGIN), LOGIN_NEEDLES, values.is_bare_password),
    ("password", _inline(LOGIN), LOGIN_NEEDLES, values.is_inline),
    ("password", rf"(?:with|set|encrypted) password{_SQL}", LOGIN_NEEDLES, values.is_password),
    ("password", rf"identified by(?=\s{{1,4}}['\"]){_SQL}", ("identified by",), values.is_password),
    *(
        row
        for rule, name in (("api_key", KEY), ("secret", OTHER))
        for row in (
            (rule, _quoted(name), KEY_NEEDLES, values.is_key),
            (rule, _bare(name), KEY_NEEDLES, values.is_bare_key),
            (rule, _fallback(name), KEY_NEEDLES, values.is_key),
            (rule, _element(name), KEY_NEEDLES, values.is_key),
            (rule, _flag(name), KEY_NEEDLES, values.is_flagged_key),
            (rule, _declared(name), KEY_NEEDLES, values.is_bare_key),
            (rule, _setter(name), KEY_NEEDLES, values.is_bare_key),
            (rule, _inline(name), KEY_NEEDLES, values.is_inline),
        )
    ),
)

_SETTINGS_ROWS: tuple[Row, ...] = (
    ("password", _bare(LOGIN), LOGIN_NEEDLES, values.is_setting_password),
    ("api_key", _bare(KEY), KEY_NEEDLES, values.is_key),
    ("secret", _bare(OTHER), KEY_NEEDLES, values.is_key),
)


_KEYLIKE = re.compile(r"\d|[^\s\"'`]{20}", re.ASCII)
"""Every key has a digit or is long (`values.looks_like_key`); two lines of three have neither."""

CONTEXT = tuple(detectors(_ROWS, keys_within=_KEYLIKE))
SETTINGS = tuple(detectors(_SETTINGS_ROWS, keys_within=_KEYLIKE))
"""For settings files alone, where a bare word is a value; in code it is a variable."""

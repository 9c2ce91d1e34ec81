"""Logins handed to programs and to functions, told by what is called."""

from __future__ import annotations

import re

from codeindex.secrets import values
from codeindex.secrets._base import Detector
from codeindex.secrets.names import AUTH_NEEDLES, KEY_NEEDLES, LOGIN_NEEDLES

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
_CHANGED = rf"\bchange_password\s[\w.-]{{1,40}}\s{_WORD}"
_VPN = rf"""\b(?:privatekey|presharedkey)\s?=\s?{_WORD}"""
_PSK = rf"""(?-i:PSK)\s{{1,4}}["']{_WORD}["']"""

_FIRST = r"""(?:["'][^"'\n]{0,80}["']|[\w.]{1,80}(?:\(\))?)"""
_ARGUMENTS = (
    rf"[ ]?[(\[ ][ ]?{_FIRST},[ ]?(?:some\()?"
    r"""(?P<q>["'`])(?P<secret>(?:(?!(?P=q))(?:\\.|[^\s\\])){3,128})(?P=q)"""
)
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
    (_VARIABLE, LOGIN_NEEDLES),
    (_OPENSSL, LOGIN_NEEDLES),
    (_STORE, LOGIN_NEEDLES),
    (_SQLPLUS, ("sqlplus",)),
    (_CHPASSWD, LOGIN_NEEDLES),
    (_PIPED, LOGIN_NEEDLES),
    (_CHANGED, LOGIN_NEEDLES),
    (_VPN, KEY_NEEDLES),
    (_PSK, LOGIN_NEEDLES),
    (_AUTH, AUTH_NEEDLES),
    (_CREDENTIALS, KEY_NEEDLES),
)

LOGINS = tuple(
    Detector(
        "password",
        re.compile(pattern, re.ASCII | re.IGNORECASE),
        needles,
        values.is_argument,
    )
    for pattern, needles in _ROWS
)

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

_ROWS = (
    (_PROGRAM, (" -p",)),
    (_CURL, ("curl",)),
    (_VARIABLE, LOGIN_NEEDLES),
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

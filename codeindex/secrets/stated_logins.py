"""Detects logins that a text states: `user: admin` above `password: word`.

A word of letters counts only where the text says that it is a login: beside the name of a user, or
in quotes after the words "default password".
"""

from __future__ import annotations

import re

from codeindex.secrets import value_tests
from codeindex.secrets.detector import FLAGS, Detector, LazyPattern
from codeindex.secrets.name_patterns import PASSWORD_NAME, PASSWORD_NEEDLES
from codeindex.secrets.named_values import ValuePattern, build_detectors

_SIGN = r"[*_`]{0,3}\s{0,2}[:\uff1a][*_`]{0,2}"
"""A colon after a name, amid marks of bold text or code."""
_USER = (
    r"(?:user(?:[ -]?name|[ -]?id)?|login|account|e-?mail|benutzer(?:name)?|usuario|utilisateur"
    r"|utente|[пП]ользователь|[лЛ]огин|用户名?|ユーザー名?|사용자)"
)
_START = r"[ \t>*#/|+-]{0,12}[*_`]{0,3}(?:\w{1,12}[ ]){0,2}"
"""The start of a line up to a name: signs of comments and lists, one or two words."""
_NAME = r"[\"'`]?(?P<user>[\w.@+-]{2,60})[\"'`]?"
_WORD = r"[A-Za-z][\w!@#$%^&*+-]{5,64}"

_QUOTED_DEFAULT = (
    PASSWORD_NAME + r"s?[*_]{0,2}(?:[ ](?:for|of|on|in|to)[ ][\w ./-]{1,40}?)?"
    r"\s{0,2}(?:is|was|[:=])[ ]?(?:set[ ]to[ ])?[*_]{0,2}"
    r"[`\"'](?P<secret>[^\s`\"']{6,64})[`\"']"
)
"""Matches `default password is "word"`, `admin password of the shop is "word"`."""
_DEFAULT = (
    r"\b(?:default|initial|temporary|factory|root|admin\w{0,10}|test|demo|master|guest)(?:'s)?[ ]"
    r"(?:\w{1,20}[ ]){0,3}"
)
_QUOTED_WORD = PASSWORD_NAME + r"(?:[ ]of)?[ ][`\"'*](?P<secret>[^\s`\"']{6,64})[`\"'*]"
"""Matches `user "name" and password "word"`."""
_IN_NOTES = r"^[ \t>*#/|+-]{0,12}[*_`]{0,3}(?:[\w'-]{1,20}[ /]){0,4}"
_STATED = (
    PASSWORD_NAME
    + r"s?[*_`]{0,2}(?:[ ]\([\w ./-]{1,30}\)|[ ](?:for|of|on|to)[ ][\w ./-]{1,40}?)?[*_`]{0,2}"
    r"[ ]?:[ ]{1,3}[`\"'*]{0,2}"
    r"(?P<secret>[^\s`\"',;()<>{}\\|]{8,64}+)(?=[`\"'.]{0,3}[ \t\r]*$)"
)
"""Matches `- wifi password (office): v4lue` in notes."""
_LOGGED_IN = (
    r"\b(?:user(?:[ -]?name)?s?|log(?:ged|ging)?[ -]?in|sign(?:ed|ing)?[ -]?in|account|root)\b"
    r"[^\n]{0,80}?\b(?:with|and|using)[ ](?:the[ ]|a[ ])?"
)
_LINE = rf"{PASSWORD_NAME}{_SIGN}\s{{1,4}}[*_]{{0,2}}[\"'`]?(?P<secret>{_WORD})[\"'`]?[ \t\r]*$"
_USER_LINE = re.compile(rf"{_START}{_USER}{_SIGN}\s{{0,4}}{_NAME}[ \t\r]*\Z", FLAGS)
"""The line above a password: `user: name`, without a comma at its end."""
_SAME_LINE = (
    rf"{PASSWORD_NAME}{_SIGN}[ ]{{1,3}}[\"'`]?(?P<secret>{_WORD})"
    r"(?=[`\"'.)]{0,4}[ \t\r]*(?:\*/)?[ \t\r]*$)"
)
_AFTER_USER = (
    rf"^[^\n{{}}(\[;=<>]{{0,200}}?(?:(?<!\w)\([^\n{{}}(\[;=<>]{{0,40}}?)?"
    rf"\b(?:{_USER}|log(?:ged)?[ -]?in[ ]as)(?:{_SIGN})?[ ]{{0,2}}"
    rf"{_NAME}(?:[ ]?[,;/|][ ]?|[ ])(?:(?:and|with|the)[ ]){{0,2}}"
)
_WORD_AFTER = rf"{PASSWORD_NAME}[ ](?P<secret>[\w!@#$%^&*+-]{{8,64}}+)(?=[ \t\r.,?!)]|$)"
"""Matches `the password v4lue`: letters and digits mixed."""
_COLON_LOGIN = (
    r"\blogin[ ](?:with|as|using|is)[ ]"
    r"[\"'`]?[\w.@-]{2,40}:(?P<secret>[^\s\"'`,;/<>(){}]{6,64}+)"
)
"""Matches `login with user:v4lue`."""


_KNOWN_USER = (
    r"[`\"']?(?:admin(?:istrator)?|root|user\d{0,2}|demo|test(?:user)?|guest|superuser|operator|sa"
    r"|postgres|[\w.+-]{1,40}@[\w.-]{3,60})[`\"']?"
)
"""A name that users of examples have, or an address."""
_USER_SLASH = (
    rf"\b(?:log(?:in|ged[ ]in)|credentials?|accounts?|sign[ -]?in)\b[^\n/=(){{}}]{{0,40}}?"
    rf"{_KNOWN_USER}[ ]/[ ]"
    rf"[`\"']?(?P<secret>{_WORD})(?=[`\"']?(?:[ \t\r.,;)]|$))"
)
"""Matches `login: admin / word`."""
_SLASH_NAMED = (
    rf"(?:user(?:[ ]?name)?|login)[ ]?/[ ]?pass(?:word)?[)`*]{{0,3}}[ ]?(?::|is|are)?[ ]{{0,2}}"
    rf"{_KNOWN_USER}[ ]?/[ ]?"
    rf"[`\"']?(?P<secret>{_WORD})(?=[`\"']?(?:[ \t\r.,;)]|$))"
)
"""Matches `user/password: admin/word`."""
_FOREIGN_DEFAULT = (
    PASSWORD_NAME + r"[ ](?:по умолчанию|por defecto|par défaut|predefinita)"
    r"(?:\s{0,2}[:\uff1a]|[ ](?:es|est|è|—|-))[ ]?[`\"']?(?P<secret>[^\s`\"',;]{6,64})"
)
"""Matches `default password is word` in other languages."""
_CJK_IS = (
    PASSWORD_NAME + r"(?:[为是は]|은|는)[ \uff1a:]{0,2}[`\"']?(?P<secret>[\w!@#$%^&*+-]{8,64}+)"
)
_LOGGED_IN_AS = (
    r"\b(?:log(?:ged)?[ -]?in|sign(?:ed)?[ -]?in|connect)[ ](?:as|with[ ]user)[ ]\S{2,40}[ ]"
    r"(?:with|and|using)[ ](?:the[ ])?"
)
_WORD_AT_END = rf"{PASSWORD_NAME}[ ](?P<secret>{_WORD})(?=[.?!]?[ \t\r]*$)"
"""Matches `log in as user with password word`."""


_ANY_USER = (
    r"\b(?:log(?:in|ged[ ]in)|credentials?|accounts?|sign[ -]?in)\b[^\n/=(){}]{0,40}?"
    r"[`\"']?[\w.@+-]{2,40}[`\"']?[ ]/[ ][`\"']?(?P<secret>[^\s`\"',;/<>(){}]{8,64}+)"
)
_ANY_COLON = (
    r"\bcred(?:ential)?s?[ ]?[:=][ ]?[`\"']?[\w.@+-]{2,40}:(?P<secret>[^\s`\"',;/<>(){}]{8,64}+)"
)
"""Matches `staging login: name / v4lue` and `creds: name:v4lue`."""


def _is_below_user(match: re.Match[str]) -> bool:
    """Tell whether a password is on the line below one that names its user."""
    text = match.string
    end = text.rfind("\n", 0, match.start())
    start = text.rfind("\n", 0, max(end, 0)) + 1
    above = _USER_LINE.match(text, start, end) if end > 0 else None
    return above is not None and _is_login(above["user"], match)


def _is_after_user(match: re.Match[str]) -> bool:
    start = match.string.rfind("\n", 0, match.start()) + 1
    before = _BEFORE.match(match.string, start, match.start())
    return before is not None and _is_login(before["user"], match)


_BEFORE = re.compile(rf"{_AFTER_USER}\Z", FLAGS)


def _is_login(user: str, match: re.Match[str]) -> bool:
    """Tell whether a user and the matched password are a login, and not types or labels."""
    return value_tests.is_user(user) and value_tests.is_literal_secret(match)


_ROWS = (
    ValuePattern(
        "password", _QUOTED_DEFAULT, PASSWORD_NEEDLES, value_tests.is_literal_secret, _DEFAULT
    ),
    ValuePattern(
        "password", _QUOTED_WORD, PASSWORD_NEEDLES, value_tests.is_literal_secret, _LOGGED_IN
    ),
    ValuePattern(
        "password", _LINE, PASSWORD_NEEDLES, _is_below_user, rf"^{_START}", reads_lines=True
    ),
    ValuePattern("password", _SAME_LINE, PASSWORD_NEEDLES, _is_after_user),
    ValuePattern("password", _FOREIGN_DEFAULT, PASSWORD_NEEDLES, value_tests.is_strict_password),
    ValuePattern("password", _CJK_IS, PASSWORD_NEEDLES, value_tests.is_mixed_word),
    ValuePattern(
        "password", _WORD_AT_END, PASSWORD_NEEDLES, value_tests.is_literal_secret, _LOGGED_IN_AS
    ),
    ValuePattern("password", _WORD_AFTER, PASSWORD_NEEDLES, value_tests.is_mixed_word),
)

_LOGIN_NEEDLES = ("login", "logged in", "credential", "account", "sign")
_SLASHED = re.compile(r"[ ]/[ ]\S")
"""Line filter: most lines with `account` or `sign` have no slash between blanks."""

_ENDS_WITH_WORD = re.compile(r":[ ]{1,3}\S{8,70}[ \t\r]*$", re.MULTILINE)
"""Line filter of `_STATED`."""

STATED_LOGIN_DETECTORS = (
    *build_detectors(_ROWS),
    *build_detectors(
        [
            ValuePattern(
                "password", _STATED, PASSWORD_NEEDLES, value_tests.is_flow_password, _IN_NOTES
            )
        ],
        line_filter=_ENDS_WITH_WORD,
    ),
    Detector("password", LazyPattern(_COLON_LOGIN), ("login ",), value_tests.is_mixed_word),
    Detector(
        "password", LazyPattern(_ANY_COLON), ("creds", "credentials:"), value_tests.is_flow_password
    ),
    Detector(
        "password",
        LazyPattern(_ANY_USER),
        _LOGIN_NEEDLES,
        value_tests.is_flow_password,
        line_filter=_SLASHED,
    ),
    *(
        Detector("password", LazyPattern(pattern), needles, value_tests.is_literal_secret)
        for pattern, needles in (
            (_USER_SLASH, _LOGIN_NEEDLES),
            (_SLASH_NAMED, ("/pass", "/ pass")),
        )
    ),
)

"""Detects named secrets inside other text: command arguments, headers, comments, prose."""

from __future__ import annotations

import re

from codeindex.secrets import value_tests
from codeindex.secrets.name_patterns import (
    AUTH_NEEDLES,
    KEY_NAME,
    KEY_NEEDLES,
    NAME_SUFFIX,
    PASSWORD_NAME,
    PASSWORD_NEEDLES,
    PROSE_KEY_NAME,
    captured_name,
)
from codeindex.secrets.named_values import ValuePattern, build_detectors

_QUOTE = r"""["'`]"""
_VALUE = r"""(?P<secret>[^\s"'`,;()<>{}\\|]{6,256}+)"""


_PLAIN = r"""[^\s"'`,;()<>{}\\|*]{6,256}+"""
# syntaxes: what follows the name; in docstrings, `name` or `NAME` is this name, `value` the secret
_ARGUMENT = r"""\]?=(?P<secret>[^\s"'`\\$<>{};|&]{6,256}+)(?:\\[nr]|["'`]|\s|$)"""
r"""An assignment in quotes or in an option of a command: `"NAME=value"`, `"NAME=value\n"` in a
notebook, `--set a.name=value`, `-Dname=value`."""
_FALLBACK = r""":?[-=]["']?(?P<secret>[^\s"'$}]{6,128}+)["']?\}"""
"""The default of a shell variable: `${NAME:-value}`."""
_DEFAULT = r""":(?P<secret>[^\s"'$}?-][^\s"'$}]{5,128}+)\}"""
"""The default of a property in Spring: `${name:value}`."""
_PARAMETER = r"""=(?P<secret>[^\s"',;(){}<>]{6,256}+)(?:["'\s]|$)"""
"""A parameter of a PostgreSQL connection string: `host=db password=value`."""
_CALL = r"""\*?[}\])]?[ ]{1,2}\(?(?P<q>["'`])(?P<secret>[^\s"'`\\=]{6,256}+)(?P=q)"""
"""A literal that follows the name after a blank: `:name "value"` (Lisp), `name 'value'` (SQL, Ruby)
and `set(ENV{name} "value")` (CMake)."""
_SPACED = r"""=(?P<secret>[^\s"'`,;(){}<>\[\]$%|&\\]{8,256}+)(?=[ \t\r]|$)"""
"""A word between blanks, in a log or a command: `with name=value to db`."""
_HEADER = r"""\s?:\s{0,2}(?P<secret>[\w.~+/=-]{12,512}+)["']"""
"""The value of an HTTP header in quotes, up to the closing quote: `curl -H 'X-Name: value'`."""
_PROSE = (
    r"(?:s?[*_`]{0,2}(?:[ ](?:for|of|on|to)[ ][\w ./-]{1,40}?)?"
    r"\s(?:is|was|are|es|est|ist|lautet|jest|är):?[ ]:?"
    rf"[`\"'*]{{0,2}}{_VALUE}"
    rf"|{NAME_SUFFIX}\s{{0,2}}[:=]\s{{0,2}}(?P<ended>{_PLAIN})\s{{0,2}}(?:-->|\*/))"
)
"""Matches the value in `the name is value`, and `name: value` that ends a comment."""
_BOLD = rf"s?:?(?:\*\*|__):?\s{{1,3}}[`\"']?(?P<bold>{_PLAIN})"
"""Matches the value in `**Name:** value` (Markdown)."""
_COMMENT = rf"{NAME_SUFFIX}[ ]?[:=][ ]?(?P<last>{_PLAIN})[ \t\r]*$"
"""A comment `// name: value` after code."""

# line prefixes: what precedes the name in its line
_IN_ARGUMENT = (
    rf"""(?:{_QUOTE}|--(?:set(?:-string)?|env|build-arg)[ =]["']?|[ ]-[eD][ ]?["']?)"""
    r"[\w.:/@\[\]-]{0,80}"
)
_IN_SHELL = r"\$\{[\w.]{0,80}"
_IN_PARAMETERS = (
    r"""\b[a-z_]\w{0,40}=[^\s,;(){}"']{1,80}[ ](?:[^\n,;(){}"']{0,400}[ ])?[\w.-]{0,40}"""
)
_BEHIND_BLANK = r"[ \t][\w.-]{0,40}"
_IN_HEADER = r"""["'][\w-]{0,40}"""
_IN_BOLD = r"(?:\*\*|__)[\w ]{0,40}"
_IN_COMMENT = r"(?://|\#|--)[ ][\w ]{0,60}"
_PROSE_KEY = (
    rf"\b{PROSE_KEY_NAME}s?[*_`]{{0,2}}\s{{0,2}}(?:is|was|[:=])[*_`]{{0,2}}\s{{0,2}}[`\"']?"
    r"(?P<secret>[\w.~+/=-]{12,512}+)"
)
"""Matches the value in `the access token is value`, `API key: value`."""
_PROSE_NEEDLES = (" key", " secret", " token")
_NETRC = r"\blogin\s{1,4}\S{1,80}\s{1,4}password\s{1,4}(?P<secret>[^\s\"'`<>{}]{4,128}+)"
"""Matches the value in `login user password value` of a `.netrc` file."""
_REDIS_SETTING = r"^[ \t]*%s[ \t]+[\"']?(?P<secret>[^\s\"']{6,128}+)"
"""Matches the value in `requirepass value` at the start of a line of `redis.conf`."""
_SECURE_STRING = r"ConvertTo-SecureString\s[^\n\"']{0,40}[\"'](?P<secret>[^\s\"'$]{6,128}+)[\"']"
"""Matches the value in `ConvertTo-SecureString "value"` of PowerShell."""
_BASIC_LOGIN = (
    r"""(?:(?:\b_?auth|basic_?auth\w{0,9})["']?\s{0,4}[:=]\s{0,4}["']?|\bbasic\s{1,4}["']?)"""
    r"(?P<secret>[A-Za-z0-9+/]{8,512}+={0,2})"
)
"""Matches the value in `Basic value`, `_auth=value`: a login in base64."""
_QUOTED_WORDS = r"""(?P<q>["'`])(?P<secret>[^\s"'`\\][^"'`\n\\]{6,120}[^\s"'`\\])(?P=q)"""
"""A literal with blanks in it: a passphrase."""
_WORDS_TO_END = r"""(?P<secret>[^\s"'#\[{|>&*!][^"'#\n]{6,120}[^\s"'#])[ \t\r]*(?:[ ]\#[^\n]*)?$"""
"""Unquoted words up to the end of the line or a comment."""
_WORD_TO_END = r"""["']?(?P<secret>[^\s"':=]{6,128}+)["']?\s*$"""
"""One word up to the end of the line."""
_ASSIGNED = r"""["'`]?\]?[ \t]{0,8}(?:=>|[:?+]?=|:)[ \t]{0,8}"""

_PASSWORDS = ("password", PASSWORD_NAME, PASSWORD_NEEDLES, value_tests.is_strict_password)
_KEYS = ("secret", KEY_NAME, KEY_NEEDLES, value_tests.is_strict_key)

_ROWS = (
    ValuePattern("authorization", _BASIC_LOGIN, AUTH_NEEDLES, value_tests.is_encoded_login),
    ValuePattern("api_key", _PROSE_KEY, _PROSE_NEEDLES, value_tests.is_strict_key),
    ValuePattern("password", _NETRC, ("login",), value_tests.is_argument),
    ValuePattern(
        "password", _REDIS_SETTING % "requirepass", ("requirepass",), value_tests.is_argument
    ),
    ValuePattern(
        "password", _REDIS_SETTING % "masterauth", ("masterauth",), value_tests.is_argument
    ),
    ValuePattern("password", _SECURE_STRING, ("-securestring",), value_tests.is_argument),
    ValuePattern(
        "password",
        rf"{PASSWORD_NAME}{NAME_SUFFIX}{_ASSIGNED}{_QUOTED_WORDS}",
        PASSWORD_NEEDLES,
        value_tests.is_passphrase,
    ),
    *(
        ValuePattern(rule, pattern, needles, accepts, line_prefix)
        for rule, name, needles, strict, literal in (
            (*_PASSWORDS, value_tests.is_password),
            (*_KEYS, value_tests.is_strict_key),
        )
        for pattern, accepts, line_prefix in (
            (name + NAME_SUFFIX + _FALLBACK, literal, _IN_SHELL),
            (name + NAME_SUFFIX + _DEFAULT, strict, _IN_SHELL),
            (captured_name(name) + _ARGUMENT, strict, _IN_ARGUMENT),
            (name + NAME_SUFFIX + _PARAMETER, strict, _IN_PARAMETERS),
            (name + NAME_SUFFIX + _CALL, strict, ""),
            (name + NAME_SUFFIX + _HEADER, strict, _IN_HEADER),
        )
    ),
)
_PROSE_ROWS, _BOLD_ROWS, _COMMENT_ROWS = (
    [
        ValuePattern(rule, name + pattern, needles, accepts, line_prefix)
        for rule, name, needles, accepts in (_PASSWORDS, _KEYS)
    ]
    for pattern, line_prefix in ((_PROSE, ""), (_BOLD, _IN_BOLD), (_COMMENT, _IN_COMMENT))
)
_SPACED_ROWS = [
    ValuePattern(rule, name + NAME_SUFFIX + _SPACED, needles, accepts, _BEHIND_BLANK)
    for (rule, name, needles, _), accepts in (
        (_PASSWORDS, value_tests.is_secret_in_path),
        (_KEYS, value_tests.is_flow_key),
    )
]
_AT_START = r"^[ \t]*[\w.-]{0,60}"
_SETTINGS_ROWS = (
    ValuePattern(
        "password",
        rf"{PASSWORD_NAME}{NAME_SUFFIX}[ \t]+{_WORD_TO_END}",
        PASSWORD_NEEDLES,
        value_tests.is_strict_password,
        _AT_START,
    ),
    ValuePattern(
        "password",
        rf"{PASSWORD_NAME}{NAME_SUFFIX}[ \t]{{0,8}}[:=][ \t]{{0,8}}{_WORDS_TO_END}",
        PASSWORD_NEEDLES,
        value_tests.is_passphrase,
        _AT_START,
    ),
)
_SHELL_ROW = ValuePattern(
    "password",
    rf"{PASSWORD_NAME}{NAME_SUFFIX}=(?P<secret>[^\s\"'`]{{6,256}}+)[ \t\r]*$",
    PASSWORD_NEEDLES,
    value_tests.is_shell_password,
    r"^[ \t]*(?:-[ ])?(?:export[ ]+)?(?-i:[A-Z\d_]{0,80})",
)


_DIGIT = re.compile(r"\d", re.ASCII)
"""Line filter for keys: every key that these detectors accept has a digit."""
_PROSE_FILTER = re.compile(r"[ ](?:is|was|are|es|est|ist|lautet|jest|är)[ ]|-->|\*/")
"""Line filter: a verb as in `the password is …`, or the end of a comment."""
_MARKUP_FILTER = re.compile(r"\*\*|__|// |[#] |-- ")
"""Line filter: bold text or a comment; few lines of code match."""
_SPACED_FILTER = re.compile(r"=[^\s\"'`,;(){}<>]{8,256}+(?:[ \t\r]|$)", re.MULTILINE)
"""Line filter: an assignment without blanks, of eight characters or more."""


INLINE_DETECTORS = (
    *build_detectors((*_ROWS, _SHELL_ROW), key_line_filter=_DIGIT),
    *build_detectors(_SPACED_ROWS, line_filter=_SPACED_FILTER),
    *build_detectors(_PROSE_ROWS, line_filter=_PROSE_FILTER),
    *build_detectors((*_BOLD_ROWS, *_COMMENT_ROWS), line_filter=_MARKUP_FILTER),
)
INLINE_SETTINGS_DETECTORS = tuple(build_detectors(_SETTINGS_ROWS))

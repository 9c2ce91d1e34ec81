"""Detects literals in places that only take a secret: signing keys, logins, defaults of options.

What stands there is told by the name of the function or option, so that a value of letters alone
counts, too; placeholders, variables and names of fields do not (`value_tests.is_literal_secret`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeindex.secrets import value_tests
from codeindex.secrets.detector import Detector, LazyPattern, Span
from codeindex.secrets.name_patterns import (
    KEY_NAME,
    KEY_NEEDLES,
    NAME_SUFFIX,
    PASSWORD_NAME,
    PASSWORD_NEEDLES,
)
from codeindex.secrets.named_values import FLAGS, ValuePattern, build_detectors

_LITERAL = (
    r"""[brfuBRFU]{0,2}\#{0,2}(?P<q>["'`])(?P<secret>(?:(?!(?P=q))(?:\\.|[^\s\\])){6,256}+)(?P=q)"""
)
_BYTES = r"(?:\[\]byte\(|(?:new\s)?[\w.]{1,40}\(\)?\.?(?:encode|getbytes|from)?\(?)?\s?"
"""A conversion of a literal to bytes: `[]byte(`, `Encoding.UTF8.GetBytes(`, `Buffer.from(`."""
_ARGUMENT = r"""(?:[^\n"'`(){},]|\([^()\n]{0,60}\)|\{[^{}\n]{0,200}\}|"[^"\n]{0,400}"|'[^'\n]{0,400}'){1,80}"""
"""An argument of a call, with at most one level of brackets."""
_ALGORITHM = r"""(?:["'][\w-]{1,20}["']|[\w.:]{1,60}(?:\([^()\n]{0,30}\))?)"""

_JWT = rf"\bjwt(?:\.|::)(?:encode|decode|sign|verify)(?:async)?[ (]\s?{_ARGUMENT},\s?{_BYTES}{_LITERAL}"
"""`jwt.encode(payload, "key")`."""
_HMAC = (
    rf"(?:\bhmac\.(?:new|digest)\(\s?(?:key\s?=\s?)?{_LITERAL}"
    rf"|createhmac\(\s?{_ALGORITHM}\s?,\s?(?P<q2>[\"'`])(?P<bold>[^\s\"'`\\]{{6,256}}+)(?P=q2)"
    rf"|hash_hmac\(\s?{_ALGORITHM}\s?,\s?{_ARGUMENT},\s?(?P<q3>[\"'])(?P<ended>[^\s\"'\\]{{6,256}}+)(?P=q3)"
    rf"|hmac(?:\.|::)(?:hex|base64)?digest\(?\s?{_ALGORITHM}\s?,\s?"
    r"(?P<q4>[\"'])(?P<last>[^\s\"'\\]{6,256}+)(?P=q4))"
)
"""`hmac.new(b"key", …)`, `createHmac("sha256", "key")` and their like."""
_KEYED = (
    r"(?:\bhmac\.new\([\w.]{1,30},\s?\[\]byte\(|\bhmac(?:sha)?-?(?:256|384|512|1)\(\s?[\w.]{0,40}\(?"
    r"|hmacshakeyfor\(\s?|hmac(?:::)?<[^<>\n]{1,30}>::new\w{0,14}\(\s?|secretkeyspec\(\s?"
    r"|symmetricsecuritykey\(\s?[\w.]{0,40}\(?|signwith\([\w.]{1,40},\s?|signedstring\(\[\]byte\("
    r"|newcookiestore\(\[\]byte\(|ingkey::from_secret\(\s?|cookieparser\(\s?"
    r"|\burlsafe(?:timed)?serializer\(\s?|\b(?:timestamp)?signer\(\s?"
    r"|\b(?:aes|des3?|arc4|blowfish)\.new\(\s?|\bfernet\(\s?|createcipheriv\(\s?[\"'][\w-]{1,30}[\"'],\s?"
    r"|\.sign\(new\stextencoder\(\)\.encode\(|cookie-?session\([^\n]{0,80}?keys\s?:\s?\[)"
    rf"{_LITERAL}"
)
"""Functions and types that take a key as their first argument, or after an algorithm."""
_KEYED_NEEDLES = (
    *("hmac", "keyspec(", "securitykey(", "signwith(", "signedstring(", "cookiestore("),
    *("from_secret(", "cookieparser(", "serializer(", "signer(", ".new(", "fernet("),
    *("cipheriv(", "textencoder(", "session("),
)
_SESSION = (
    r"""session\([^\n]{0,120}?secret["']?\s?:\s?(?P<q>["'`])(?P<secret>[^"'`\n\\]{6,120})(?P=q)"""
)
"""`session({ secret: "keyboard cat" })`, with blanks."""
_NAMED_KEY = (
    r"""(?<![a-z])(?:secret_?key|(?:jwt|session|cookie|signing|app|csrf)_?secret|signing_?key)["']?\]?"""
    rf"\s?[:=]\s?{_LITERAL}"
)
"""`secret_key = "letters"`: a name that only keys to sign with have."""

_USER = r"""(?:["'][^"'\n]{1,80}["']|[\w.$>-]{1,60})"""
_LOGIN_CALL = (
    r"(?:\b(?:smtp|imap|ftp|pop3?|mail(?:er|box)?|server|client|session|conn(?:ection)?|transporter)"
    rf"\w{{0,10}}\.login|(?<!passport\.)\bauthenticate)\(\s?{_USER},\s?{_LITERAL}\s?\)"
)
"""`smtp.login("user", "value")`, `authenticate("user", "value")`."""
_USER_COLON = r"""userpwd["']?\s?(?:,|=>|=)\s?(?P<q>["'])[\w.@+-]{1,64}:(?P<secret>[^\s"'\\$]{4,128}+)(?P=q)"""
"""`curl_setopt($c, CURLOPT_USERPWD, "user:value")`."""

_WORD = r"""["']?(?P<secret>[^\s"'`<>\\|;&$(){}\[\]]{4,128}+)"""
_PROGRAMS = (
    rf"(?:\bsmbclient\s[^\n|;]{{0,120}}?(?-i:-U)\s?[\"']?[\w.\\/-]{{1,60}}%{_WORD}"
    r"|\bmount(?:\.\w{1,8})?\s[^\n|;]{0,160}?(?-i:-o)\s?[^\s]{0,120}?\bpass(?:word)?=(?P<bold>[^\s,\"'$]{4,128}+)"
    r"|\becho\s(?:-\w\s)?(?P<q>[\"']?)(?P<ended>[^\s\"'`$|<>]{4,128}+)(?P=q)\s?\|\s?sudo\s(?:-\w\s)*?(?-i:-S)\b"
    r"|\bwpa_passphrase\s\S{1,60}\s[\"']?(?P<last>[^\s\"'`$<>]{8,63}+))"
)
_MORE_PROGRAMS = (
    rf"(?:\bipmitool\s(?:[^\n|;]{{0,160}}?\s)?(?-i:-P)\s|\bcqlsh\s(?:[^\n|;]{{0,160}}?\s)?(?-i:-p)\s"
    r"|\bchpasswd\s?<<<\s?[\"']?[\w.-]{1,40}:|\bnmcli\s[^\n|;]{0,160}?\bpassword\s"
    rf"|\baws\sconfigure\sset\s[\w.-]{{0,60}}(?:secret|token|access)\w{{0,20}}\s){_WORD}"
)
_NET_USE = rf"\bnet\suse\s(?:\w:\s)?\\\\\S{{1,120}}\s{_WORD}(?=[^\n]{{0,60}}/user)"

_ROWS = (
    ("secret", _JWT, ("jwt",), value_tests.is_signing_key),
    ("secret", _HMAC, ("hmac",), value_tests.is_signing_key),
    ("secret", _KEYED, _KEYED_NEEDLES, value_tests.is_signing_key),
    ("secret", _SESSION, ("session(",), value_tests.is_session_secret),
    ("secret", _NAMED_KEY, ("secret", "key"), value_tests.is_named_key),
    ("password", _LOGIN_CALL, ("login(", "authenticate("), value_tests.is_literal_secret),
    ("password", _USER_COLON, ("userpwd",), value_tests.is_login_argument),
    (
        "password",
        _PROGRAMS,
        ("smbclient", "mount", "sudo", "wpa_pass"),
        value_tests.is_login_argument,
    ),
    (
        "password",
        _MORE_PROGRAMS,
        ("ipmitool", "cqlsh", "chpasswd", "nmcli", "aws configure"),
        value_tests.is_login_argument,
    ),
    ("password", _NET_USE, ("net use",), value_tests.is_login_argument),
)


def _matched_span(match: re.Match[str]) -> tuple[Span]:
    return (match.span(value_tests.matched_group(match)),)


# defaults of options; every pattern starts with the name of a secret
_NAME_END = rf"""{NAME_SUFFIX}(?:[ =][<\[][\w-]{{1,20}}[>\]])?(?:["'`]|(?=,))"""
"""The end of an option's name: `password"`, `password <value>"`, `password,` of a symbol."""
_NAMED_DEFAULT = (
    r"""(?:[^\n{};]{0,160}?(?:\{[^\n{};]{0,160}?)?)\bdefault(?:_?value)?["']?\s{0,2}(?:=>|[=:(])\s{0,2}"""
    + _LITERAL
)
_NAMED_PREFIX = r"""(?:["'`]-{0,2}|(?<![:\w]):)[\w.:-]{0,40}"""
_FLAG_VALUE = rf"""{NAME_SUFFIX}",\s?(?:"\w?",\s?)?{_LITERAL}\s?,"""
_FLAG_PREFIX = r"""\.string(?:var)?p?\([^"\n]{0,60}"[\w.-]{0,40}"""
_THIRD_VALUE = (
    rf"""{NAME_SUFFIX}[ =][<\[][\w-]{{1,20}}[>\]]["'`]\s?,\s?(?:"[^"\n]{{0,120}}"|'[^'\n]{{0,120}}')\s?,\s?"""
    + _LITERAL
)
_LAST_VALUE = (
    rf"""{NAME_SUFFIX}["']\s?,[^\n'"]{{0,80}},\s?(?:"[^"\n]{{0,120}}"|'[^'\n]{{0,120}}')\s?,\s?"""
    + _LITERAL
)
_TYPED_DEFAULT = (
    r"\s?:\s?[\w\[\]. |]{1,40}=\s?(?:\w{1,20}\.)?(?:option|argument|field|query|form|body|header)\("
    rf"\s?(?:default\s?=\s?)?{_LITERAL}"
)
_LISTED = rf"""{NAME_SUFFIX}["'`]\s?,\s?(?![brf]?["'`]-){_LITERAL}\s?[,\])]"""
_SHELL_DEFAULT = (
    NAME_SUFFIX + r"""=["']?\$\{\w{1,20}:?[-=]["']?(?P<secret>[^\s"'$}]{6,128}+)["']?\}"""
)
_PLACE_DEFAULT = NAME_SUFFIX + r""":(?P<secret>[A-Za-z][^\s"'$}?-]{5,128}+)\}["']"""
_FROM_LITERAL = NAME_SUFFIX + r"""=["']?(?P<secret>[^\s"'`$<>]{4,256}+)"""


def _option_rows() -> Iterator[ValuePattern]:
    for rule, name, needles, accepts in (
        ("password", PASSWORD_NAME, PASSWORD_NEEDLES, value_tests.is_literal_secret),
        ("secret", KEY_NAME, KEY_NEEDLES, value_tests.is_strict_key),
    ):
        for pattern, prefix in (
            (_NAME_END + _NAMED_DEFAULT, _NAMED_PREFIX),
            (_FLAG_VALUE, _FLAG_PREFIX),
            (_THIRD_VALUE, r"""["'`]-{0,2}[\w.:-]{0,40}"""),
            (_LAST_VALUE, r"""addoption\(\s?["'][\w.:-]{0,40}"""),
            (_TYPED_DEFAULT, r"[\w.]{0,40}"),
            (_LISTED, r"""[\[,(]\s{0,8}["'`]--[\w-]{0,40}"""),
            (_SHELL_DEFAULT, ""),
            (_PLACE_DEFAULT, r"\$\{[\w.-]{0,60}"),
            (_FROM_LITERAL, r"--from-literal=[\w.-]{0,40}"),
        ):
            yield ValuePattern(rule, name + pattern, needles, accepts, prefix)


_DEFAULTED = re.compile(
    r"""(?i:default|\.string|addoption|option\(|argument\(|field\(|query\(|form\(|body\(|header\()"""
    r"""|--|\$\{|['"`]\s?,\s?['"`]"""
)
"""Line filter: what a line with the default of an option has."""

_VARIABLE = (
    rf"""variable\s{{1,4}}"[\w-]{{0,40}}(?:{PASSWORD_NAME}|{KEY_NAME}){NAME_SUFFIX}"\s{{0,4}}\{{"""
)
_VARIABLE_DEFAULT = re.compile(
    r"""[ \t]*default[ \t]*=[ \t]*(?P<q>")(?P<secret>[^\s"\\$]{6,256}+)"[ \t\r]*\Z""", re.ASCII
)
_MOST_LINES = 12
"""Most lines of a variable of Terraform that are read."""


def _variable_default(match: re.Match[str]) -> Iterator[Span]:
    """Yield the span of the default of a variable of Terraform, in the lines below its name."""
    text, start = match.string, match.end()
    for _ in range(_MOST_LINES):
        start = text.find("\n", start) + 1
        end = text.find("\n", start) if start else -1
        end = len(text) if end < 0 else end
        if not start or text.startswith("}", start):
            return
        found = _VARIABLE_DEFAULT.match(text, start, end)
        if found:
            if value_tests.is_literal_secret(found):
                yield found.span("secret")
            return


LITERAL_DETECTORS = (
    *(
        Detector(rule, LazyPattern(pattern, FLAGS), needles, accepts, find_spans=_matched_span)
        for rule, pattern, needles, accepts in _ROWS
    ),
    *build_detectors(_option_rows(), key_line_filter=_DEFAULTED, line_filter=_DEFAULTED),
    Detector(
        "password", LazyPattern(_VARIABLE, FLAGS), ("variable",), find_spans=_variable_default
    ),
)

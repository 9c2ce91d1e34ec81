"""Detects literals in places that only take a secret: signing keys, logins, option defaults.

The name of the function or option tells that its value is secret. So even a value of letters alone
counts, except placeholders, variables and names of fields (`value_tests.is_literal_secret`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeindex.secrets import value_tests
from codeindex.secrets.command_lines import OPTION_NEEDLES
from codeindex.secrets.detector import Detector, LazyPattern, Span
from codeindex.secrets.name_patterns import (
    KEY_NAME,
    KEY_NEEDLES,
    NAME_SUFFIX,
    PASSWORD_NAME,
    PASSWORD_NEEDLES,
)
from codeindex.secrets.named_values import ValuePattern, build_detectors

_LITERAL = (
    r"""[brfuBRFU]{0,2}\#{0,2}(?P<q>["'`])(?P<secret>(?:(?!(?P=q))(?:\\.|[^\s\\])){6,256}+)(?P=q)"""
)
_BYTES = r"(?:\[\]byte\(|(?:new\s)?[\w.]{1,40}\(\)?\.?(?:encode|getbytes|from)?\(?)?\s?"
"""A conversion of a literal to bytes: `[]byte(`, `Encoding.UTF8.GetBytes(`, `Buffer.from(`."""
_ARGUMENT = (
    r"""(?:[^\n"'`(){},]{1,60}+|\([^()\n]{0,60}\)|\{[^{}\n]{0,200}\}"""
    r"""|"[^"\n]{0,400}"|'[^'\n]{0,400}'){1,6}"""
)
"""An argument of a call, with at most one level of brackets."""
_ALGORITHM = r"""(?:["'][\w-]{1,20}["']|[\w.:]{1,60}(?:\([^()\n]{0,30}\))?)"""

_JWT = (
    r"\b(?:jwt|jsonwebtoken)(?:\.|::)(?:encode|decode|sign|verify)(?:async)?[ (]\s?"
    rf"{_ARGUMENT},\s?(?:key\s?=\s?)?{_BYTES}{_LITERAL}"
)
"""Matches `jwt.encode(payload, "key")`."""
_HMAC = (
    rf"(?:\bhmac\.(?:new|digest)\(\s?(?:key\s?=\s?)?{_LITERAL}"
    rf"|createhmac\(\s?{_ALGORITHM}\s?,\s?(?P<q2>[\"'`])(?P<bold>[^\s\"'`\\]{{6,256}}+)(?P=q2)"
    rf"|hash_hmac\(\s?{_ALGORITHM}\s?,\s?{_ARGUMENT},\s?(?P<q3>[\"'])(?P<ended>[^\s\"'\\]{{6,256}}+)(?P=q3)"
    rf"|hmac(?:\.|::)(?:hex|base64)?digest\(?\s?{_ALGORITHM}\s?,\s?"
    r"(?P<q4>[\"'])(?P<last>[^\s\"'\\]{6,256}+)(?P=q4))"
)
"""Matches `hmac.new(b"key", …)`, `createHmac("sha256", "key")` and their like."""
_OTHER_HMAC = (
    r"(?:\bhmac\.new\([\w.]{1,30},\s?\[\]byte\(|\bhmac(?:sha)?-?(?:256|384|512|1)\(\s?[\w.]{0,40}\(?"
    r"|hmacshakeyfor\(\s?"
    rf"|hmac(?:::)?<[^<>\n]{{1,30}}>::new\w{{0,14}}\(\s?){_LITERAL}"
)
_SIGNER = (
    r"(?:\bsignwith\([\w.]{1,40},\s?|\bsignedstring\(\[\]byte\(|\b(?:timestamp)?signer\(\s?"
    rf"|\.sign\(new\stextencoder\(\)\.encode\(){_LITERAL}"
)
_COOKIE = (
    r"(?:newcookiestore\(\[\]byte\(|cookieparser\(\s?|cookie-?session\([^\n]{0,80}?keys\s?:\s?\[)"
    + _LITERAL
)
_SIGNER_NEEDLES = ("signwith(", "signedstring(", "signer(", ".sign(")
_COOKIE_NEEDLES = ("newcookiestore(", "cookieparser(", "cookie-session(", "cookiesession(")
_CIPHER = (
    r"(?:\bsecretkeyspec\(\s?|\baes\.new\(\s?|\bfernet\(\s?"
    rf"""|createcipheriv\(\s?["'][\w-]{{1,30}}["'],\s?){_LITERAL}"""
)
"""Functions and types that take a key as their first argument, or after an algorithm."""
_SESSION = r"""["']?\s?:\s?(?P<q>["'`])(?P<secret>[^"'`\n\\]{6,120})(?P=q)"""
"""Matches the value in `session({ secret: "keyboard cat" })`; it may contain blanks."""

_USER = r"""(?:["'][^"'\n]{1,80}["']|[\w.$>-]{1,60})"""
_LOGIN_CALL = (
    r"(?:\b(?:smtp|imap|ftp|pop3?|mail(?:er|box)?|server|client|session|conn(?:ection)?|transporter)"
    rf"\w{{0,10}}\.login\(\s?{_USER},\s?{_LITERAL}\s?\)"
    r"|\b(?:wifi\w{0,10}\.begin|pgp_sym_(?:en|de)crypt(?:_bytea)?)"
    rf"\(\s?{_USER},\s?(?P<q2>[\"'])(?P<bold>[^\s\"'\\]{{6,256}}+)(?P=q2))"
)
"""Matches the value in `smtp.login("user", "value")`, `WiFi.begin("name", "value")` (Arduino) and
`pgp_sym_encrypt(text, 'value')` (PostgreSQL)."""
_MORE_LOGINS = (
    rf"(?:\bftp(?:_tls)?\(\s?{_USER},\s?{_USER},\s?{_LITERAL}"
    r"|\bsecretvalue\.(?:unsafe_?)?plain_?text\(\s?"
    r"(?P<q2>[\"'`])(?P<bold>[^\s\"'`\\]{6,256}+)(?P=q2))"
)
"""Matches the value in `FTP("host", "user", "value")`, `SecretValue.unsafePlainText("value")`."""
_ONE_TIME = r"""\b[th]otp(?:\.new|\.now)?\(\s?b?["'](?P<secret>(?-i:[A-Z2-7]{16,64}={0,6}))["']"""
_KEY_BYTES = (
    r"\bkey\s?:?=\s?(?:[\w.]{1,40}getbytes|\[\]byte)\(\s?"
    r'"(?P<secret>(?:[^"\s\\]{16}|[^"\s\\]{24}|[^"\s\\]{32}))"'
)
"""Matches `key = Encoding.UTF8.GetBytes("value")`: a key of AES has 16, 24 or 32 bytes."""
_WORD = r"""["']?(?P<secret>[^\s"'`<>\\|;&$(){}\[\]]{4,128}+)"""
_SHORT_OPTION = (
    r"(?:\bipmitool\s(?:[^\n|;]{0,160}?\s)?(?-i:-P)\s|\bcqlsh\s(?:[^\n|;]{0,160}?\s)?(?-i:-p)\s)"
    + _WORD
)
_PROGRAMS = (
    rf"(?:\b(?:smbclient|rpcclient|smbget|winexe)\s[^\n|;]{{0,120}}?(?-i:-U)\s?[\"']?[\w.\\/-]{{1,60}}%{_WORD}"
    r"|\becho\s(?:-\w\s)?(?P<q>[\"']?)(?P<ended>[^\s\"'`$|<>]{4,128}+)(?P=q)\s?\|\s?sudo\s(?:-\w\s){0,4}(?-i:-S)\b"
    r"|\bnet\suse\s(?:\w:\s)?\\\\\S{1,120}\s[\"']?(?P<bold>[^\s\"'<>|*/]{4,128}+)(?=[^\n]{0,60}/user))"
)
_MORE_PROGRAMS = (
    rf"(?:\blftp\s(?:[^\n|;]{{0,120}}?\s)?(?-i:-u)\s?[\"']?[\w.@-]{{1,60}}[\"']?,{_WORD}"
    r"|\bnet\suse\s[^\n|;]{1,160}?/user:\S{1,60}\s[\"']?(?P<bold>[^\s\"'<>|*/]{4,128}+))"
)
"""Matches the value in `lftp -u user,value`, `net use … /user:name value`."""
_VERIFIER = (
    r"(?:\b(?:timed|urlsafe)\w{0,20}serializer\(\s?|\bmessage(?:verifier|encryptor)\.new[( ]\s?"
    r"|\bsecurecookie\.new\(\[\]byte\(|\bcookie\.newstore\(\[\]byte\(|\bhash::hmac\([^\n,()]{1,60},\s?"
    rf"|\bcryptojs\.(?:(?:aes|des|tripledes|rabbit|rc4)\.(?:en|de)crypt|hmac\w{{2,8}})\(\s?{_ARGUMENT},\s?"
    rf"|\bsigner\.create\(\s?[\"']hs\d{{3}}[\"'],\s?|\bapp\.keys\s?=\s?\[\s?){_LITERAL}"
)
"""Matches the value in `MessageVerifier.new("value")`, `CryptoJS.AES.encrypt(text, "value")` and
their like."""
_VERIFIER_NEEDLES = (
    *("serializer(", "messageverifier", "messageencryptor", "securecookie.new", "cookie.newstore"),
    *("cryptojs", "hash::hmac", "signer.create", "app.keys"),
)
_JWT_OPTIONS = (
    rf"(?:\bsign\([\w.]{{1,40}},\s?{_LITERAL}(?=,\s?\{{[^\n]{{0,80}}expiresin)"
    r"|\b(?:secretorkey|expressjwt\(\s?\{\s?secret)\s?:\s?[\"'`](?P<bold>[^\s\"'`\\]{6,256}+)[\"'`])"
)
"""Matches the value in `sign(payload, "value", {expiresIn: …})`, `{secretOrKey: "value"}`."""

_OPENSSL = (
    rf"""openssl_(?:en|de)crypt\(\s?{_ARGUMENT},\s?{_ALGORITHM}\s?,\s?"""
    r"""(?P<q>["'])(?P<secret>[^\s"'\\]{6,256}+)(?P=q)"""
)
_SET_COOKIE = (
    r"\b(?:erlang|node\.)[:.]?set_cookie\(\s?(?:[\w.]{1,30}(?:\(\))?,\s?)?"
    r""":?(?P<q>["'])(?P<secret>[^\s"'\\]{6,256}+)(?P=q)"""
)
"""Matches the value in `erlang:set_cookie(node(), 'value')`. Anyone who knows this cookie can run
code on the node."""
_WALLET = (
    r"(?:wallet|(?:from|private|secret)_?key|keytoaccount)\(\s?"
    r"""[b]?["'`](?:0x)?(?P<secret>[0-9a-f]{64})["'`]"""
)
"""Matches `new Wallet("0x…")`, `from_key("0x…")`: 32 bytes in hexadecimal digits."""
_SEED_PHRASE = (
    r"""(?:mnemonic|(?:seed|recovery|secret)[ _-]?phrase)\w{0,10}["'`]?\]?"""
    r"""(?:\s?:\s?\w{1,20}(?=\s?=))?"""
    r"""\s{0,4}(?:=>|:?=|:|,)\s{0,4}["'`]?(?P<secret>(?:[a-z]{3,8}[ ]){11,23}[a-z]{3,8})(?![\w ])"""
)
"""Matches `mnemonic = "word word …"`: 12 to 24 words of three to eight letters."""
_ROWS = (
    ("secret", _SET_COOKIE, ("cookie",), value_tests.is_signing_key),
    ("private_key", _SEED_PHRASE, ("mnemonic", "phrase"), None),
    ("secret", _OPENSSL, ("openssl",), value_tests.is_signing_key),
    ("secret", _JWT, ("jwt", "webtoken"), value_tests.is_signing_key),
    ("secret", _HMAC, ("hmac",), value_tests.is_signing_key),
    ("secret", _OTHER_HMAC, ("hmac",), value_tests.is_signing_key),
    ("secret", _SIGNER, _SIGNER_NEEDLES, value_tests.is_signing_key),
    ("secret", _COOKIE, _COOKIE_NEEDLES, value_tests.is_signing_key),
    (
        "secret",
        _CIPHER,
        ("keyspec(", "aes.new(", "fernet(", "cipheriv("),
        value_tests.is_signing_key,
    ),
    ("password", _LOGIN_CALL, ("login(", ".begin(", "pgp_sym_"), value_tests.is_literal_secret),
    (
        "password",
        _MORE_LOGINS,
        ("ftp(", "ftp_tls(", "plaintext(", "plain_text("),
        value_tests.is_literal_secret,
    ),
    ("secret", _ONE_TIME, ("otp(", "otp.new(", "otp.now("), None),
    ("secret", _KEY_BYTES, ("getbytes(", "[]byte("), value_tests.is_mixed_argument),
    ("password", _SHORT_OPTION, OPTION_NEEDLES, value_tests.is_login_argument),
    (
        "password",
        _PROGRAMS,
        ("smbclient", "rpcclient", "smbget", "winexe", "sudo -", "net use"),
        value_tests.is_login_argument,
    ),
    ("password", _MORE_PROGRAMS, ("lftp", "net use"), value_tests.is_login_argument),
    ("secret", _VERIFIER, _VERIFIER_NEEDLES, value_tests.is_signing_key),
    (
        "secret",
        _JWT_OPTIONS,
        ("expiresin", "secretorkey", "expressjwt"),
        value_tests.is_signing_key,
    ),
)


# defaults of options; every pattern starts with the name of a secret
_NAME_END = rf"""{NAME_SUFFIX}(?:[ =][<\[][\w-]{{1,20}}[>\]])?(?:["'`][}}\])]?|(?=,))"""
"""The end of an option's name, as in `"--password"`, `"--password <value>"` and `:password,`."""
_NAMED_DEFAULT = (
    r"""(?:[^\n{};]{0,160}?(?:\{[^\n{};]{0,160}?)?)\bdefault(?:_?value)?["']?\s{0,2}(?:=>|[=:(])\s{0,2}"""
    + _LITERAL
)
_NAMED_PREFIX = r"""(?:["'`](?:-\w,?\s)?-{0,2}|(?<![:\w]):)[\w.:-]{0,40}"""
_FLAG_VALUE = rf"""{NAME_SUFFIX}",\s?(?:"\w?",\s?)?{_LITERAL}\s?,"""
_FLAG_PREFIX = r"""\.string(?:var)?p?\([^"\n]{0,60}"[\w.-]{0,40}"""
_DESCRIPTION = r"""(?:"[^"\n]{0,120}"|'[^'\n]{0,120}')\s?,\s?"""
_THIRD_VALUE = rf"""{NAME_SUFFIX}[ =][<\[][\w-]{{1,20}}[>\]]["'`]\s?,\s?{_DESCRIPTION}{_LITERAL}"""
_LAST_VALUE = rf"""{NAME_SUFFIX}["']\s?,[^\n'"]{{0,80}},\s?{_DESCRIPTION}{_LITERAL}"""
_TYPED_DEFAULT = (
    r"\s?:\s?[\w\[\]. |]{1,40}=\s?(?:\w{1,20}\.)?(?:option|argument|field|query|form|body|header)\("
    rf"\s?(?:default\s?=\s?)?{_LITERAL}"
)
_SIGNING_KEY = rf"""{NAME_SUFFIX}["']?\]?\s?[:=]\s?(?:\[\]byte\()?{_LITERAL}"""
"""Matches the value in `secret_key = "value"`, after a name that only signing keys have."""
_LISTED = rf"""{NAME_SUFFIX}["'`]\s?,\s?(?![brf]?["'`]-){_LITERAL}\s?[,\])]"""
_SHELL_DEFAULT = (
    NAME_SUFFIX + r"""=["']?\$\{\w{1,20}:?[-=]["']?(?P<secret>[^\s"'$}]{6,128}+)["']?\}"""
)
_PLACE_DEFAULT = NAME_SUFFIX + r""":(?P<secret>[A-Za-z][^\s"'$}?-]{5,128}+)\}["']"""
_FROM_LITERAL = NAME_SUFFIX + r"""=["']?(?P<secret>[^\s"'`$<>]{4,256}+)"""


_AT_QUOTE = r"""["'`](?:-\w,?\s)?-{0,2}[\w.:-]{0,40}"""
_OPTION_ROWS = (
    (_NAME_END + _NAMED_DEFAULT, _NAMED_PREFIX),
    (_FLAG_VALUE, _FLAG_PREFIX),
    (_LISTED, r"""[\[,(]\s{0,8}["'`]--[\w-]{0,40}"""),
    (_FROM_LITERAL, r"--from-literal=[\w.-]{0,40}"),
)
_PASSWORD_ROWS = (
    (_THIRD_VALUE, _AT_QUOTE),
    (_LAST_VALUE, r"""addoption\(\s?["'][\w.:-]{0,40}"""),
    (_TYPED_DEFAULT, r"[\w.]{0,40}"),
    (_SHELL_DEFAULT, ""),
    (_PLACE_DEFAULT, r"\$\{[\w.-]{0,60}"),
)
_COMMAND_ROWS = (
    (r"""["']?\s?(?:,|=>|=)\s?["'][\w.@+-]{1,64}:(?P<secret>[^\s"'\\$]{4,128}+)["']""", "user"),
    (r"=(?P<secret>[^\s,\"'$]{4,128}+)", r"\bmount(?:\.\w{1,8})?\s[^\n|;]{0,200}"),
    (rf"\s{_WORD}", r"\bnmcli\s[^\n|;]{0,120}"),
    (r"\s\S{1,60}\s[\"']?(?P<secret>[^\s\"'`$<>]{8,63}+)", r"\bwpa_"),
    (rf"\s?<<<\s?[\"']?[\w.-]{{1,40}}:{_WORD}", r"\bch"),
)
"""Commands with a password behind its name: `mount -o password=word`, `USERPWD, "user:word"`."""
_SIGNING_ROWS = (
    (rf"\(\s?[\w.]{{0,40}}\(?{_LITERAL}", r"\bsymmetric"),
    (rf"\(\s?{_LITERAL}", r"ingkey::from_"),
)
"""Matches `SymmetricSecurityKey(…"key")`, `EncodingKey::from_secret("key")`."""


def _password_rows() -> Iterator[ValuePattern]:
    for rows, accepts in (
        ((*_OPTION_ROWS, *_PASSWORD_ROWS), value_tests.is_literal_secret),
        (_COMMAND_ROWS, value_tests.is_login_argument),
    ):
        for pattern, prefix in rows:
            yield ValuePattern(
                "password", PASSWORD_NAME + pattern, PASSWORD_NEEDLES, accepts, prefix
            )


def _key_rows() -> Iterator[ValuePattern]:
    for rows, accepts in (
        (_OPTION_ROWS, value_tests.is_strict_key),
        (_SIGNING_ROWS, value_tests.is_signing_key),
        (((_SESSION, r"(?<![a-z_])session\([^\n]{0,120}"),), value_tests.is_session_secret),
        (
            ((r"\s(?P<secret>[^\s\"'`$<>]{12,128}+)", r"\baws\sconfigure\sset\s[\w.-]{0,60}"),),
            value_tests.is_strict_key,
        ),
        (((_SIGNING_KEY, ""),), value_tests.is_named_key),
    ):
        for pattern, prefix in rows:
            yield ValuePattern("secret", KEY_NAME + pattern, KEY_NEEDLES, accepts, prefix)


_DEFAULTED = re.compile(
    r"[dD]efault|--|\.String|\$\{|addOption|[oO]ption\(|[A-Z]\w{2,7}\(|field\(|<\w|USERPWD|userpwd|mount|wpa_|chpasswd|nmcli"
)
"""Line filter: a line with the default value of an option matches it."""
_KEY_DEFAULTED = re.compile(
    r"[dD]efault|--|\.String|session\(|aws\s|tyKey\(|from_secret\("
    r"|[sS](?:ecret|ECRET|igning|IGNING)_?[kK](?:ey|EY)|(?:[tnep]|[TNEP]|csrf)_?[sS](?:ecret|ECRET)"
)
"""Line filter for keys: their names are in more lines than those of passwords."""

_VARIABLE = (
    rf"""variable\s{{1,4}}"[\w-]{{0,40}}(?:{PASSWORD_NAME}|{KEY_NAME}){NAME_SUFFIX}"\s{{0,4}}\{{"""
)
_VARIABLE_DEFAULT = re.compile(
    r"""[ \t]*default[ \t]*=[ \t]*(?P<q>")(?P<secret>[^\s"\\$]{6,256}+)"[ \t\r]*\Z""", re.ASCII
)
_MOST_LINES = 12
"""Most lines of a variable of Terraform that are read."""


def _variable_default(match: re.Match[str]) -> Iterator[Span]:
    """Yield the span of a Terraform variable's default, in the lines below its name."""
    text, start = match.string, match.end()
    for _ in range(_MOST_LINES):
        start = text.find("\n", start) + 1
        end = text.find("\n", start) if start else -1
        end = len(text) if end < 0 else end
        if not start or text.startswith("}", start):
            return
        found = _VARIABLE_DEFAULT.match(text, start, end)
        if found:
            if value_tests.is_literal_secret(found) or value_tests.is_interleaved(found["secret"]):
                yield found.span("secret")
            return


LITERAL_DETECTORS = (
    Detector(
        "private_key",
        LazyPattern(_WALLET),
        (
            "wallet(",
            "from_key(",
            "fromkey(",
            "te_key(",
            "tekey(",
            "et_key(",
            "etkey(",
            "toaccount(",
        ),
    ),
    *(
        Detector(rule, LazyPattern(pattern), needles, accepts)
        for rule, pattern, needles, accepts in _ROWS
    ),
    *build_detectors(_password_rows(), line_filter=_DEFAULTED),
    *build_detectors(_key_rows(), line_filter=_KEY_DEFAULTED),
    Detector(
        "password",
        LazyPattern(_VARIABLE),
        ('variable "',),
        find_spans=_variable_default,
        reads_lines=True,
    ),
)

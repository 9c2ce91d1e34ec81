"""Is it a secret, or only the place for one? Judgements about what an assignment assigns."""

from __future__ import annotations

import re

from codeindex.secrets._base import MARK

_VARIABLE = re.compile(
    r"[$#@]?\{|\}\}|\$\w|\$\(|<[\w ./:-]*>|%[sdv(@]|%\w+%|^%|^\[[\w.]*\]$|^[:&][a-z]"
)
_PLACEHOLDER = re.compile(
    r"""(?ix) ^(?:
        (?:your|insert|enter|replace|example|sample|dummy|fake|placeholder|todo|fixme)[a-z_.-]*
      | change[-_. ]?(?:me|it|this)[a-z_.!-]*
      | (?:the|some|an?|any)[-_][a-z_-]*
      | .*?(?:x{4}|\*{3}|\.{3}|…).*
      | (.)\1*                                  # one character over and over
      | none | null | nil | undefined | true | false | required | optional | optionally
      | disabled | enabled | string | anonymous | not[-_ ]?set | unset | default | hidden
      | filtered | redacted | masked | readonly | varchar.* | credentials?
    )$"""
)
_FIELD = re.compile(r"(?i)^[a-z_.:/-]*(?:passw(?:or)?d|passphrase|pwd)s?[a-z_.:/-]*$")
"""The name of a form field or message: `current_password`, `users.password.label`."""
_BOAST = re.compile(r"(?i)secret|super|my|admin|root")
"""What people put before the word when it *is* the password."""
_PATH = re.compile(r"^(?:[~.]{0,2}/|[a-z]:\\|[a-z][a-z0-9+.-]*://)", re.IGNORECASE)
_WORDS = re.compile(r"^(?:[A-Za-z]+(?:[-_./:][A-Za-z]+)+|[a-z]+(?:[A-Z][a-z]+)+)$")
_IDENTIFIER = re.compile(r"^[A-Za-z_]\w*(?:(?:\.|->|::)\w+)*$")
_INNER_CAPITAL = re.compile(r"[a-z].*[A-Z].*[a-z]|=$")
"""Base64 of text has capitals all over."""
_SYMBOL = re.compile(r"[!@#^&*+~?]")
_LONG_KEY = 40
_MANY_SYMBOLS = 4
"""Django's generated keys of 50 characters have `$a` and `%s` in them by chance, and many others
of these; templates have few."""
_SHORTEST_PASSWORD = 8  # the seed's bound; shorter ones need a digit
_SHORTEST_KEY = 12
_SHORTEST_KEY_OF_LETTERS = 20  # the seed's bound


def is_password(match: re.Match[str]) -> bool:
    """Judge a literal beside a password's name: no field's name, no place to fill in."""
    value = match["secret"]
    if is_blank(value) or _PATH.match(value) or _names_a_field(value):
        return False
    return len(value) >= _SHORTEST_PASSWORD or _mixed(value)


def is_key(match: re.Match[str]) -> bool:
    """Judge a literal beside a key's or a token's name: not made of words."""
    value = match["secret"]
    if is_blank(value) or _PATH.match(value) or _WORDS.match(value):
        return False
    shortest = _SHORTEST_KEY if _mixed(value) else _SHORTEST_KEY_OF_LETTERS
    return len(value) >= shortest


def is_bare_password(match: re.Match[str]) -> bool:
    """Judge a word without quotes, which may as well be a variable."""
    value = match["secret"]
    if is_blank(value) or _PATH.match(value) or _names_a_field(value):
        return False
    if _in_shell_style(match):
        return not re.fullmatch(r"[A-Z][A-Z0-9_]*", value)
    return bool(_SYMBOL.search(value)) or (_mixed(value) and not _names_a_variable(value))


def is_bare_key(match: re.Match[str]) -> bool:
    """Judge as for passwords, but words never count."""
    value = match["secret"]
    if not is_key(match) or not _mixed(value):
        return False
    return _in_shell_style(match) or not _names_a_variable(value)


def is_inline(match: re.Match[str]) -> bool:
    """Judge what stands behind `NAME=` amid a line: in capitals, as in code it is an argument."""
    return match["name"].isupper() and is_credential(match)


def is_login(match: re.Match[str]) -> bool:
    """Judge the `user:password` of an address: no variable in either."""
    user, _, password = match["secret"].partition(":")
    if MARK in match["secret"] or _VARIABLE.search(user) or _VARIABLE.search(password):
        return False
    return not re.fullmatch(r"x{3,}|\*+|\.{2,}", password, re.IGNORECASE)


def is_credential(match: re.Match[str]) -> bool:
    """Judge what follows `Bearer`, `Basic` or a flag: neither a word nor a variable."""
    value = match["secret"]
    return not is_blank(value) and (_mixed(value) or bool(_INNER_CAPITAL.search(value)))


def is_blank(value: str) -> bool:
    """Tell whether `value` is a variable, a template or a word that stands for a secret."""
    rest = value.replace(MARK, "")
    if len(rest) >= _LONG_KEY and len(set(_SYMBOL.findall(rest))) >= _MANY_SYMBOLS:
        return False
    return not rest or bool(_VARIABLE.search(rest) or _PLACEHOLDER.match(rest))


def _names_a_field(value: str) -> bool:
    return bool(_FIELD.match(value)) and not _BOAST.search(value)


def _names_a_variable(value: str) -> bool:
    return bool(_IDENTIFIER.match(value)) and ("_" in value or "." in value or ":" in value)


def _mixed(value: str) -> bool:
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def _in_shell_style(match: re.Match[str]) -> bool:
    """`DB_PASSWORD=value`: capitals and no blanks, as in `.env` files and shells."""
    groups = match.groupdict()
    name = groups.get("name") or ""
    return groups.get("op") == "=" and name == name.upper()

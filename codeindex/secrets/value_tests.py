"""Is it a secret, or only the place for one? Judgements about what an assignment assigns."""

from __future__ import annotations

import re

from codeindex.secrets.detector import REDACTION_MARK

_EXPRESSION = re.compile(
    r"\{\{[^{}\n]{0,200}\}\}|[$#@%]\{[^{}\n]{0,200}\}|\$[(\[][^()\[\]\n]{0,200}[)\]]|<%[^\n]{0,200}?%>"
    r"|\{%[^\n]{0,200}?%\}|<[\w ./:-]*>|%\([\w.]{0,80}\)[sd]?|[$#@]\{\w*\Z|[{}]{2}"
)
"""What a template language fills in."""
_PLACE = re.compile(
    r"\{[\w.:!, ()\[\]-]{0,80}\}|%[sdv@](?![a-z])|%\w+%"
    r"|\$_*[A-Za-z][A-Za-z_]*\d{0,2}(?![a-z])(?:\[[\w'$-]{0,40}\]|->\w{1,40})*"
    r"|[xX]{4,}|\*{3,}|\.{3,}|…"
)
"""A placeholder, a variable or an elision in a value; real passwords may have one by chance."""
_ELISIONS = {"x", "X", "*", ".", "…"}
_ALNUM = re.compile(r"[^\W_]")
_NAME_ONLY = re.compile(r"[$@][\w.>\[\]'\"-]*|\[[\w.]*\]|[:&%*][A-Za-z_]\w*[?!%]?")
"""A variable, a symbol of Ruby or a reference, with nothing else."""
_SCATTERED = re.compile(r"[A-Za-z]\d+[A-Za-z]|\d[A-Za-z]+\d")
_PREFIX = re.compile(r"[A-Za-z]+\d{0,2}[-_./:]+|[-_./:]+[A-Za-z]+\d{0,2}")
"""A word before or after a placeholder: `user1-` in `user1-${name}`."""
_MIME = re.compile(
    r"(?i)(?:text|image|audio|video|application|multipart|message|font|\*)/[\w.+*-]+"
)
_PLACEHOLDER = re.compile(
    r"""(?ix) ^(?:
        (?:your|insert|enter|replace|example|sample|dummy|fake|placeholder|todo|fixme)[a-z_.-]*
      | change[-_. ]?(?:me|it|this)[a-z_.!-]*
      | (?:the|some|an?|any)[-_][a-z_-]*
      | (.)\1*                                  # one character over and over
      | none | null | nil | undefined | true | false | required | optional | optionally
      | disabled | enabled | string | anonymous | not[-_ ]?set | unset | default | hidden
      | filtered | redacted | masked | readonly | varchar.* | credentials?
    )$"""
)
_FIELD = re.compile(r"(?i)^[a-z_.:/-]*(?:passw(?:or)?d|passphrase|pwd)s?\d?[a-z_.:/-]*$")
"""The name of a form field or message: `current_password`, `users.password.label`."""
_BOAST = re.compile(r"(?i)secret|super|my|admin|root")
"""What people put before the word when it *is* the password."""
_PATH = re.compile(r"^(?:[~.]{0,2}/|[a-z]:\\|[a-z][a-z0-9+.-]*://)", re.IGNORECASE)
_WORDS = re.compile(r"^(?:_*[A-Za-z]+\d?(?:[-_./:#][A-Za-z]+)+|[A-Za-z][a-z]+(?:[A-Z][a-z]+)+)$")
_IDENTIFIER = re.compile(r"^[A-Za-z_]\w*(?:(?:\.|->|::)\w+)*$")
_INNER_CAPITAL = re.compile(r"[a-z].*[A-Z].*[a-z]|=$")
"""Base64 of text has capitals all over."""
_SYMBOL = re.compile(r"[!@#^&*+~?]")
_SIGN = re.compile(r"[^\w\s]")
_BRACED_SIGN = re.compile(r"[;@#^~%&*]")
_MANY_SIGNS = 6  # different ones; a sentence or a line of code in quotes has fewer
_LETTERS = re.compile(r"(?:[a-z]+|[A-Z]+|[A-Za-z]+[a-z][A-Z][A-Za-z]*)$")
"""A capital at the start alone makes a label, in any language: `Passwort`."""
_MENTION = re.compile(
    r"(?ix) (?:pass(?:w(?:or)?d|phrase|code)?|pwd?|pw|secret|token|key|api[_-]?key|text|value|arg"
    r"|str|foo|bar|baz|option|argument|flag|file|stdin|prompt)s?\d?$"
)
"""What documentation writes in a password's place; too short for anybody to mean it."""
_NO_PASSWORD = re.compile(
    r"(?i)x{3,}|\*+|\.{2,}|(?:your|some|the)[-_]?pass(?:word)?|[a-z_]+_(?:key|secret|token|password)"
)
_ESCAPED = re.compile(r"%[\dA-Fa-f]{2}")
_WAYS = {"secret", "bold", "ended", "last"}
_REFERENCE = re.compile(r"\$\{?\w+\}?")
_ALGORITHM = re.compile(
    r"(?i)(?:sha|md|base|utf|aes|rsa|pbkdf|argon|pkcs|hs|rs|es|ps|oauth|x|v|u?int|float|scram)"
    r"[-_]?\d{1,4}\b"
)
"""What is said of passwords with digits in it: `sha256`, `base64`, `v1`."""
_CALL = re.compile(r"[({\[<=;$]")
_SENTENCE = re.compile(
    r"(?i)a|an|the|is|are|was|be|been|must|should|can|cannot|may|will|do|does|did|not|no|has|have"
    r"|to|of|in|on|at|as|by|for|from|with|without|and|or|if|when|that|this|it|its|you|your|my|our"
    r"|we|i|please|enter|type|your|new|old|current|confirm|forgot|reset|change|set|use|used|using"
    r"|invalid|wrong|incorrect|missing|required|optional|valid|user|users?name|login|log|sign"
    r"|passw(?:or)?ds?|passphrases?|secret|token|key|field|string|text|value|only|too|least|most"
    r"|de|la|le|el|und|der|die|das|mot|passe|authentication|encrypted|hashed|plain|default|any"
)
"""Words of sentences and labels, which people do not choose for passphrases."""
_FEWEST_WORDS, _MOST_WORDS = 2, 12
_FLAG = re.compile(r" (?:--?u(?:ser(?:name)?)?[ =]?|login )[\w.@$-]+ [^\n]*\Z")
_CODE = re.compile(r"[\s(){};<>,\[\]|]|(?:^|^@?[\w./-]+@)[vV]?\d+(?:\.\d+)+[\w.+-]*$")
_PASSWORD_SIGN = re.compile(r"\w[!@#^~%$]")
_CALLED = re.compile(r"[\w.:$]+[(\[]")
_TEMPLATE = re.compile(r"(?:\$\{|\$\(|\{\{|<|%\().*[})>]s?$|\$\w+$")
_MANY_PLACES = 3  # of different kinds: no template language has them
_NEAR = 80  # characters, most of a line
_LONG_KEY = 40
_MANY_SYMBOLS = 4
"""Django's generated keys of 50 characters have `$a` and `%s` in them by chance, and many others
of these; templates have few."""
_SHORTEST_PASSWORD = 8  # the seed's bound; shorter ones need a digit
_SHORTEST_CELL = 6  # with a digit or a symbol in it; `sha1` and `utf8` are shorter
_SHORTEST_KEY = 12
_SHORTEST_KEY_OF_LETTERS = 20  # the seed's bound


def is_password(match: re.Match[str]) -> bool:
    """Accept a literal beside a password's name: no field's name, no place to fill in."""
    return looks_like_password(match["secret"])


def looks_like_password(value: str) -> bool:
    """Accept what is written as a value, so it is no variable."""
    if _is_placeholder_or_path(value):
        return False
    return len(value) >= _SHORTEST_PASSWORD or _has_letters_and_digits(value)


def is_key(match: re.Match[str]) -> bool:
    """Accept a literal beside a key's or a token's name: not made of words."""
    return looks_like_key(match["secret"])


def looks_like_key(value: str) -> bool:
    """Accept as for passwords; words and short values never count."""
    if is_placeholder(value) or value.endswith(("...", "…")):
        return False
    if _PATH.match(value) or _WORDS.match(value):
        return False
    shortest = _SHORTEST_KEY if _has_letters_and_digits(value) else _SHORTEST_KEY_OF_LETTERS
    return len(value) >= shortest


def is_bare_password(match: re.Match[str]) -> bool:
    """Accept a word without quotes, which may as well be a variable."""
    value = match["secret"]
    if _is_placeholder_or_path(value):
        return False
    if _in_shell_style(match):
        return not re.fullmatch(r"[A-Z][A-Z0-9_]*", value)
    return bool(_SYMBOL.search(value)) or (
        _has_letters_and_digits(value) and not _names_a_variable(value)
    )


def is_bare_key(match: re.Match[str]) -> bool:
    """Accept as for passwords, but words never count."""
    value = match["secret"]
    if not is_key(match) or not _has_letters_and_digits(value):
        return False
    return _in_shell_style(match) or not _names_a_variable(value)


def is_setting_password(match: re.Match[str]) -> bool:
    """Accept a bare word of a settings file: letters alone count, unless they are a label."""
    value = match["secret"]
    return bool(_LETTERS.match(value)) and looks_like_password(value)


def is_raw_password(match: re.Match[str]) -> bool:
    """Accept a settings file's value up to the end of its line, whatever signs it has."""
    value = match["secret"]
    is_braced_password = value[0] == "{" and "}" not in value[:-1]
    if (
        is_braced_password
        or value[0] in "[|>*&!<("
        or value.endswith((",", "{", "("))
        or REDACTION_MARK in value
    ):
        return False
    if _CALLED.match(value):
        return False
    return is_password(match) and (_has_letters_and_digits(value) or bool(_SYMBOL.search(value)))


def is_command_argument(match: re.Match[str]) -> bool:
    """Accept the last word of a line that begins with a name: prose ends so too."""
    return is_flow_password(match) and not _ALGORITHM.match(match["secret"])


def is_flow_password(match: re.Match[str]) -> bool:
    """Accept a bare word between braces, which is a variable in code and a value in YAML."""
    value = match["secret"]
    return is_strict_password(match) and bool(_SCATTERED.search(value) or _SYMBOL.search(value))


def is_flow_key(match: re.Match[str]) -> bool:
    """Tell whether the value of a key in a YAML flow map is a secret: letters and digits mixed."""
    return is_strict_key(match) and bool(_SCATTERED.search(match["secret"]))


def is_secret_in_path(match: re.Match[str]) -> bool:
    """Tell whether a part of a file's name is a secret, and no version or name of an algorithm."""
    value = match["secret"]
    has_many = len(_SCATTERED.findall(value)) > 1 or bool(_PASSWORD_SIGN.search(value))
    return len(value) >= _SHORTEST_PASSWORD and has_many and is_strict_password(match)


def is_lone_token(match: re.Match[str]) -> bool:
    """Accept what stands before the `@` of an address, where most have a user's name."""
    value = match["secret"]
    return len(_SCATTERED.findall(value)) > 1 and not is_placeholder(value)


def is_joined_password(value: str) -> bool:
    """Accept the value of several literals in a row."""
    return is_paired_password(value) and (
        _has_letters_and_digits(value) or bool(_SYMBOL.search(value))
    )


def is_listed_key(value: str) -> bool:
    """Accept an item or a cell under a key's name, where words are listed too."""
    if _names_a_variable(value) or _CODE.search(value):
        return False
    return looks_like_key(value) and _has_letters_and_digits(value)


def is_listed_password(value: str) -> bool:
    """Accept an item or a cell under a password's name, where types and versions stand too."""
    if _is_placeholder_or_path(value) or _names_a_variable(value) or _is_code(value):
        return False
    return len(value) >= _SHORTEST_CELL and (
        _has_letters_and_digits(value) or bool(_SYMBOL.search(value))
    )


def is_argument(match: re.Match[str]) -> bool:
    """Accept what a program or a function takes as password and nothing else, however short."""
    value = match["secret"]
    return not _is_placeholder_or_path(value) and not _MENTION.match(value)


def is_connection_string_password(match: re.Match[str]) -> bool:
    """Accept the password of a connection string whose other parts are not in this literal.

    Letters of both cases may be a variable of a program in quotes.
    """
    value = match["secret"]
    if not is_argument(match) or not looks_like_password(value):
        return False
    return is_strict_password(match) or (value.isalpha() and value.islower())


def is_braced_password(match: re.Match[str]) -> bool:
    """Tell a password in braces from the name of a template's variable, which has no such signs."""
    value = match["secret"]
    return _has_letters_and_digits(value) and bool(_BRACED_SIGN.search(value))


def is_flagged_password(match: re.Match[str]) -> bool:
    """Accept what follows `--password`: a word counts where the line is a command and no prose."""
    if is_credential(match):
        return True
    if not (match["secret"].islower() and is_argument(match)):
        return False
    start, end = match.span()
    if match["op"] == "=" or not match.string[end : end + 2].strip().isalpha():
        return True
    return bool(_FLAG.search(match.string, max(0, start - _NEAR), start))


def is_flagged_key(match: re.Match[str]) -> bool:
    """Accept what follows `--token`: letters and digits, not a name of something."""
    value = match["secret"]
    return (
        not is_placeholder(value)
        and _has_letters_and_digits(value)
        and not _names_a_variable(value)
    )


def is_inline_variable(match: re.Match[str]) -> bool:
    """Accept what stands behind `NAME=` amid a line: in capitals, as in code it is an argument."""
    if not match["name"].isupper() or _PATH.match(match["secret"]):
        return False
    return is_credential(match)


def is_shell_password(match: re.Match[str]) -> bool:
    """Accept what `DB_PASSWORD=` is followed by to the end of its line, whatever signs it has."""
    rest = _REFERENCE.sub("", match["secret"])
    if (
        "$(" in rest
        or "{" in rest
        or _PATH.match(rest)
        or REDACTION_MARK in rest
        or is_placeholder(rest)
    ):
        return False
    return len(rest) >= _SHORTEST_CELL and bool(_SYMBOL.search(rest)) and rest[:1] not in "&!*<[("


def is_encoded_login(match: re.Match[str]) -> bool:
    """Tell whether this is `user:password` in base64."""
    import base64
    import binascii

    try:
        user, colon, password = base64.b64decode(match["secret"]).decode("ascii").partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(colon and password) and f"{user}{password}".isprintable()


def is_strict_password(match: re.Match[str]) -> bool:
    """Accept a word that may stand in prose or in code: no algorithm, no member, no sentence."""
    value = match[matched_group(match)].rstrip(".:")
    return is_listed_password(value) and not _ALGORITHM.match(value)


def is_strict_key(match: re.Match[str]) -> bool:
    """Tell whether a value is a key: longer than a password, and no plain word."""
    value = match[matched_group(match)].rstrip(".:")
    return is_listed_key(value) and not _ALGORITHM.match(value)


def is_delimited_password(value: str) -> bool:
    """Accept a cell between commas, where the next argument stands too."""
    return is_listed_password(value) and bool(_SCATTERED.search(value) or _SYMBOL.search(value))


def is_paired_password(value: str) -> bool:
    """Accept the value beside a password's name, where words are passwords but types are not."""
    if _is_code(value) or _ALGORITHM.match(value):
        return False
    return looks_like_password(value) and not _names_a_variable(value)


def is_salt(match: re.Match[str]) -> bool:
    """Accept a salt, which is shorter than a key: eight characters in Phoenix."""
    value = match["secret"]
    return is_listed_password(value) and bool(_SCATTERED.search(value))


def is_generated_literal(match: re.Match[str]) -> bool:
    """Accept a long literal with blanks in it: only generated ones have many different signs."""
    value = match["secret"]
    if _PATH.match(value):
        return False
    return len(
        set(_SIGN.findall(_EXPRESSION.sub("", value)))
    ) > _MANY_SIGNS and _has_letters_and_digits(value)


def is_passphrase(match: re.Match[str]) -> bool:
    """Accept some words in quotes: `correct horse battery`, but no sentence and no label."""
    value = match["secret"]
    words = value.split()
    if (
        not _FEWEST_WORDS <= len(words) <= _MOST_WORDS
        or is_placeholder(value)
        or _CALL.search(value)
    ):
        return False
    if any(_has_all_classes(word) and len(word) >= _SHORTEST_CELL for word in words):
        return True
    if any(_SENTENCE.fullmatch(word.strip(".,:;!?")) for word in words):
        return False
    lower = all(word.isalpha() and word.islower() for word in words)
    return lower and len(words) > _FEWEST_WORDS


def matched_group(match: re.Match[str]) -> str:
    """Return the name of the group that took part, where a pattern has several ways."""
    return next(name for name, value in match.groupdict().items() if name in _WAYS and value)


def is_url_login(match: re.Match[str]) -> bool:
    """Accept the `user:password` of an address: no variable in either."""
    user, _, password = _ESCAPED.sub("", match["secret"]).partition(":")
    if REDACTION_MARK in match["secret"] or is_variable(user) or is_variable(password):
        return False
    return not (_NO_PASSWORD.fullmatch(password) or _MENTION.fullmatch(password))


def is_credential(match: re.Match[str]) -> bool:
    """Accept what follows `Bearer`, `Basic` or a flag: neither a word nor a variable."""
    value = match["secret"]
    return not is_placeholder(value) and (
        _has_letters_and_digits(value) or bool(_INNER_CAPITAL.search(value))
    )


def is_placeholder(value: str) -> bool:
    """Tell whether `value` is a variable, a template or a word that stands for a secret."""
    rest = value.replace(REDACTION_MARK, "")
    if len(rest) >= _LONG_KEY and len(set(_SYMBOL.findall(rest))) >= _MANY_SYMBOLS:
        return False
    return not rest or is_variable(rest) or bool(_PLACEHOLDER.match(rest))


def is_variable(value: str) -> bool:
    """Tell whether something else is put into `value`, and it says little without that."""
    if _NAME_ONLY.fullmatch(value) and not _SCATTERED.search(value):
        return True
    rest, expressions = _EXPRESSION.subn("", value)
    places = {found[0][:1] for found in _PLACE.finditer(rest)}
    rest = _PLACE.sub("", rest)
    if expressions:
        return not (_has_letters_and_digits(rest) and _SYMBOL.search(rest))
    if not places:
        return False
    is_elided = bool(places & _ELISIONS) and len(rest) * 2 < len(value)
    if not rest or is_elided or _PREFIX.fullmatch(rest):
        return True
    return (
        not (_has_letters_and_digits(value) and _ALNUM.search(rest)) and len(places) < _MANY_PLACES
    )


def is_template(value: str) -> bool:
    """Tell whether all of `value` is filled in later, where anything else must be a secret."""
    return bool(_TEMPLATE.match(value) or _PLACEHOLDER.match(value)) or not value.replace(
        REDACTION_MARK, ""
    )


def _is_placeholder_or_path(value: str) -> bool:
    if is_placeholder(value) or _PATH.match(value) or _names_a_field(value):
        return True
    return bool(_MIME.fullmatch(value))


def _is_code(value: str) -> bool:
    """Tell whether `value` has brackets or separators, and not the signs of a password too."""
    if not _CODE.search(value):
        return False
    return " " in value or not (_PASSWORD_SIGN.search(value) and _has_letters_and_digits(value))


def _names_a_field(value: str) -> bool:
    return bool(_FIELD.match(value)) and not _BOAST.search(value)


def _names_a_variable(value: str) -> bool:
    return bool(_IDENTIFIER.match(value)) and ("_" in value or "." in value or ":" in value)


def _has_all_classes(word: str) -> bool:
    return _has_letters_and_digits(word) and bool(_SYMBOL.search(word))


def _has_letters_and_digits(value: str) -> bool:
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def _in_shell_style(match: re.Match[str]) -> bool:
    """`DB_PASSWORD=value`: capitals and no blanks, as in `.env` files and shells."""
    groups = match.groupdict()
    name = groups.get("name") or ""
    return groups.get("op") == "=" and name == name.upper()

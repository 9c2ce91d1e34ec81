"""Value tests: tell secrets from placeholders, variables and plain words after a secret's name.

Each test returns True for a secret. The tests differ in how likely a plain word is a secret in
their context: a literal after `password =` may be a secret, an unquoted word in code is a variable.
"""

from __future__ import annotations

import re

from codeindex.secrets.detector import REDACTION_MARK, value_group
from codeindex.secrets.name_patterns import FOREIGN_PASSWORD_NAME

_EXPRESSION = re.compile(
    r"\{\{[^{}\n]{0,200}\}\}|[$#@%]\{[^{}\n]{0,200}\}|\$[(\[][^()\[\]\n]{0,200}[)\]]|<%[^\n]{0,200}?%>"
    r"|\{%[^\n]{0,200}?%\}|<[\w ./:-]*>|%\([\w.]{0,80}\)[sd]?|[$#@]\{\w*\Z|[{}]{2}"
)
"""An expression of a template language or a shell: `{{ x }}`, `${x}`, `$(x)`, `<x>`, `%(x)s`."""
_VARIABLE_PART = re.compile(
    r"\{[\w.:!, ()\[\]-]{0,80}\}|%[sdv@](?![a-z])|%\w+%"
    r"|\$_*[A-Za-z][A-Za-z_]*\d{0,2}(?![a-z])(?:\[[\w'$-]{0,40}\]|->\w{1,40})*"
    r"|[xX]{4,}|\*{3,}|\.{3,}|…"
)
"""A placeholder, variable or elision inside a value; random passwords may contain one."""
_ELISIONS = {"x", "X", "*", ".", "…"}
_ALNUM = re.compile(r"[^\W_]")
_NAME_ONLY = re.compile(
    r"[$@][\w.>\[\]'\"-]*|\[[\w.]*\]|[:&%*?][A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)*[?!%]?"
)
"""A whole value that is a variable, a symbol of Ruby, a reference such as `*user.Password`, or a
type such as `?string`."""
_INTERLEAVED = re.compile(r"[A-Za-z]\d+[A-Za-z]|\d[A-Za-z]+\d")
"""Letters and digits interleaved, as in random values; `sha256` and `v1` have digits at the end."""
_AFFIX = re.compile(r"[A-Za-z]+\d{0,2}[-_./:]+|[-_./:]+[A-Za-z]+\d{0,2}")
"""A word before or after a variable part: `user1-` in `user1-${name}`."""
_MIME = re.compile(
    r"(?i)(?:text|image|audio|video|application|multipart|message|font|\*)/[\w.+*-]+"
)
"""A media type: `text/plain`."""
_PLACEHOLDER = re.compile(
    r"""(?ix) ^(?:
        (?:your|insert|enter|replace|example|sample|dummy|fake|placeholder|todo|fixme)[a-z_.-]*
      | change[-_. ]?(?:me|it|this)[a-z_.!-]*
      | (?:the|some|an?|any)[-_][a-z_-]*
      | (.)\1*                                  # one character over and over
      | none | null | nil | undefined | true | false | required | optional | optionally
      | disabled | enabled | string | (?:string|boolean)! | anonymous
      | not[-_ ]?set | unset | default | hidden
      | obligatori[ao] | obligatoire | erforderlich | обязательно | 必填 | 必須
      | filtered | redacted | masked | readonly | varchar.* | credentials?
      | (?:required|nullable|sometimes|bail|string|confirmed)  # rules of Laravel
        (?:\|(?:required(?:_\w{2,12})?|nullable|sometimes|bail|string|confirmed|email|url|date
              |min|max|between|size|same|different|in|not_in|exists|unique|ascii|current_password
              |alpha(?:_num|_dash)?|numeric|integer|boolean|array|password|lowercase|uppercase)
          (?::[a-z0-9_,.]{1,24})?)+
    )$"""
)
"""A word in place of a secret: `changeme`, `your_token`, `none`, `xxxx`."""
_FIELD_NAME = re.compile(
    rf"(?i)^[a-z_.:/-]*(?:passw(?:or)?[dt]|passphrase|pwd|{FOREIGN_PASSWORD_NAME})s?\d?[a-z_.:/-]*$"
)
"""The name of a form field or message: `current_password`, `users.password.label`."""
_PASSWORD_WORDS = re.compile(r"(?i)secret|super|my|admin|root")
"""Words by which a value that contains `password` is a password, not a field:
`MySecretPassword`."""
_PATH = re.compile(r"^(?:[~.]{0,2}/|[a-z]:\\|[a-z][a-z0-9+.-]*://)", re.IGNORECASE)
"""A path, or the start of a URL."""
_JOINED_WORDS = re.compile(
    r"^(?:_*[A-Za-z]+\d?(?:[-_./:#][A-Za-z]+)+|[A-Za-z][a-z]+(?:[A-Z][a-z]+)+)$"
)
"""Words joined by separators or in camel case: an identifier, no key."""
_IDENTIFIER = re.compile(r"^[A-Za-z_]\w*(?:(?:\.|->|::)\w+)*$")
"""A name of a variable or member."""
_BASE64_TEXT = re.compile(r"[a-z].*[A-Z].*[a-z]|=$")
"""Capitals amid lower case, or `=` at the end: signs of text in base64."""
_SYMBOL = re.compile(r"[!@#^&*+~?]")
_PUNCTUATION = re.compile(r"[^\w\s]")
_BRACED_SIGN = re.compile(r"[;@#^~%&*]")
_MANY_PUNCTUATION_MARKS = 6  # distinct ones; sentences and lines of code have fewer
_NOT_A_LABEL = re.compile(r"(?:[a-z]+|[A-Z]+|[A-Za-z]+[a-z][A-Z][A-Za-z]*)$")
"""Letters only, but not a capital followed by lower case, as in a label: `Passwort`."""
_METASYNTACTIC = re.compile(
    r"(?ix) (?:pass(?:w(?:or)?d|phrase|code)?|pwd?|pw|secret|token|key|api[_-]?key|text|value|arg"
    r"|str|foo|bar|baz|option|argument|flag|file|stdin|prompt)s?\d?$"
)
"""A word that documentation writes in place of a password: `pass`, `secret`, `foo`."""
_NO_SECRET = re.compile(
    r"""(?ix) (?:empty|blank|random|generated|same|null|prompt|ask|stdin|env(?:ironment)?|keyring
    |vault|plain|hashed|encrypted|invalid|incorrect|wrong|correct|valid|missing|expired|default
    |required|mandatory|optional|protected|secure|insecure|strong|weak|string|text|bytes?|varchar
    |char|integer|number|boolean|object|array|list|dict|type|input|output|field|column
    |param(?:eter)?|property|attribute|variable|label|placeholder|user(?:name)?|login|email
    |database|localhost|hostname|testing|development|production|bcrypt|argon2|scrypt|plaintext
    |cleartext|message|payload|content|data|authorization|authentication|obligatori[ao]s?
    |obligatoire|erforderlich)"""
)
"""A word that tells what stands in a place of a secret, or the lack of it."""
_SECRET_NAME = re.compile(
    r"(?i)[a-z]*(?:secret|password|passwd|passphrase|key|token)s?"
    r"|(?:secret|password|key|token)[-_.]?[a-z]*|[a-z]*[-_.](?:secret|key|token|password)s?\d?"
    r"|contrase(?:ñ|n)as?|kennwort|passwort|wachtwoord|senha|passord|mot[_-]?de[_-]?passe"
)
"""A word that may name a secret instead of being one."""
_CAPITAL_NAME = re.compile(r"[A-Z]+(?:_[A-Z\d]+)+")
SIGNING_NAME = re.compile(
    r"(?i:secret_?key|(?:jwt|session|cookie|signing|app|csrf)_?secret|signing_?key)"
    r"[\"'\])]{0,2}\s?[:=]\s?(?:\[\]byte\()?[brfu]{0,2}[\"'`]"
)
"""The name of a key to sign with, up to its literal value."""
_CAPITALIZED = re.compile(r"[A-Z][a-z]+|[A-Z_]+|[a-z]+(?:[A-Z][a-z]*)+|(?:[A-Z][a-z]+)+")
"""A label, a constant or a name in camel case."""
_NO_PASSWORD = re.compile(
    r"(?i)x{3,}|\*+|\.{2,}|(?:your|some|the)[-_]?pass(?:word)?|[a-z_]+_(?:key|secret|token|password)"
)
"""A value that is no password: it is elided, or it is the name of a password."""
_ESCAPED = re.compile(r"%[\dA-Fa-f]{2}")
_REFERENCE = re.compile(r"\$\{?\w+\}?")
_ALGORITHM = re.compile(
    r"(?i)(?:sha|md|base|utf|aes|rsa|pbkdf|argon|pkcs|hs|rs|es|ps|oauth|x|v|u?int|float|scram)"
    r"[-_]?\d{1,4}\b"
)
"""The name of an algorithm or a version, which has digits like a secret: `sha256`, `v1`."""
_CODE_START = re.compile(r"[({\[<=;$]")
_SENTENCE_WORD = re.compile(
    r"(?i)a|an|the|is|are|was|be|been|must|should|can|cannot|may|will|do|does|did|not|no|has|have"
    r"|to|of|in|on|at|as|by|for|from|with|without|and|or|if|when|that|this|it|its|you|your|my|our"
    r"|we|i|please|enter|type|your|new|old|current|confirm|forgot|reset|change|set|use|used|using"
    r"|invalid|wrong|incorrect|missing|required|optional|valid|user|users?name|login|log|sign"
    r"|passw(?:or)?ds?|passphrases?|secret|token|key|field|string|text|value|only|too|least|most"
    r"|de|la|le|el|und|der|die|das|mot|passe|authentication|encrypted|hashed|plain|default|any"
)
"""Words of sentences and labels, which are rare in passphrases."""
_FEWEST_PHRASE_WORDS, _MOST_PHRASE_WORDS = 2, 12
"""Fewest and most words of a passphrase: one word is no phrase, more than twelve are a sentence."""
_LOGIN_OPTION = re.compile(r" (?:--?u(?:ser(?:name)?)?[ =]?|login )[\w.@$-]+ [^\n]*\Z")
"""A user option before a password option: `--user=name`."""
_CODE_SIGNS = re.compile(r"[\s(){};<>,\[\]|]|(?:^|^@?[\w./-]+@)[vV]?\d+(?:\.\d+)+[\w.+-]*$")
"""Brackets and separators of code, or a package with its version."""
_WORD_AND_SYMBOL = re.compile(r"\w[!@#^~%$]")
_CALL = re.compile(r"[\w.:$]+[(\[]")
_TEMPLATE = re.compile(r"(?:\$\{|\$\(|\{\{|<|%\().*[})>]s?$|\$\w+$")
_MANY_VARIABLE_PARTS = 3  # of different kinds; a template has parts of one kind
_OPTION_DISTANCE = 80  # characters before a password option: most of a line
_LONG_KEY = 40
_MANY_SYMBOLS = 4
"""A long value with as many distinct symbols is a generated key. Keys of Django contain `$a` and
`%s` by chance; templates have fewer distinct symbols."""
_SHORTEST_PASSWORD = 8  # characters, the usual minimum; shorter ones need a digit
_MOST_SECRET_WORDS = 4
_SHORTEST_CELL = 6  # characters, with a digit or symbol; `sha1` and `utf8` are shorter
_SHORTEST_KEY = 12  # characters, with letters and digits
_SHORTEST_KEY_OF_LETTERS = 20  # characters; shorter runs of letters are words


def is_password(match: re.Match[str]) -> bool:
    """Tell whether a literal assigned to a password's name is a password.

    Names of fields and placeholders are not passwords.
    """
    return looks_like_password(match["secret"])


def looks_like_password(value: str) -> bool:
    """Tell whether a value is long, or has letters and digits, and is not a placeholder.

    Use it where the syntax shows that the value is not a variable.
    """
    if _cannot_be_secret(value):
        return False
    return len(value) >= _SHORTEST_PASSWORD or _has_letters_and_digits(value)


def is_key(match: re.Match[str]) -> bool:
    """Tell whether a literal assigned to a key's name is a key, and not words or a path."""
    return looks_like_key(match["secret"])


def looks_like_key(value: str) -> bool:
    """Tell whether a value is long, and not a placeholder, a path or words."""
    if is_placeholder(value) or value.endswith(("...", "…")):
        return False
    if _PATH.match(value) or _JOINED_WORDS.match(value):
        return False
    shortest = _SHORTEST_KEY if _has_letters_and_digits(value) else _SHORTEST_KEY_OF_LETTERS
    return len(value) >= shortest


def is_bare_password(match: re.Match[str]) -> bool:
    """Tell whether an unquoted value is a password, and not a variable of code."""
    value = match["secret"]
    if _cannot_be_secret(value):
        return False
    if _in_shell_style(match):
        return not re.fullmatch(r"[A-Z][A-Z0-9_]*", value)
    return bool(_SYMBOL.search(value)) or (
        _has_letters_and_digits(value) and not _is_variable_name(value)
    )


def is_bare_key(match: re.Match[str]) -> bool:
    """Tell whether an unquoted value is a key, and not words, a path or a variable."""
    value = match["secret"]
    if not is_key(match) or not _has_letters_and_digits(value):
        return False
    return _in_shell_style(match) or not _is_variable_name(value)


def is_setting_password(match: re.Match[str]) -> bool:
    """Tell whether an unquoted word in a settings file is a password, and not a label."""
    value = match["secret"]
    return bool(_NOT_A_LABEL.match(value)) and looks_like_password(value)


def is_raw_password(match: re.Match[str]) -> bool:
    """Tell whether the rest of a line in a settings file is a password; it may have symbols."""
    value = match["secret"]
    is_braced_password = value[0] == "{" and "}" not in value[:-1]
    if (
        is_braced_password
        or value[0] in "[|>*&!<("
        or value.endswith((",", "{", "("))
        or REDACTION_MARK in value
    ):
        return False
    if _CALL.match(value):
        return False
    return is_password(match) and (_has_letters_and_digits(value) or bool(_SYMBOL.search(value)))


def is_command_argument(match: re.Match[str]) -> bool:
    """Tell whether the last word of a command line is a password, and not a sentence's end."""
    return is_flow_password(match) and not _ALGORITHM.match(match["secret"])


def is_flow_password(match: re.Match[str]) -> bool:
    """Tell whether an unquoted value between braces, as in `{password: x}`, is a password.

    An unquoted word there is a variable in code and a value in YAML. So the value must have symbols
    or interleaved letters and digits.
    """
    value = match["secret"]
    return is_strict_password(match) and bool(_INTERLEAVED.search(value) or _SYMBOL.search(value))


def is_flow_key(match: re.Match[str]) -> bool:
    """Tell whether an unquoted value between braces is a key.

    It must have interleaved letters and digits.
    """
    return is_strict_key(match) and bool(_INTERLEAVED.search(match["secret"]))


def is_secret_in_path(match: re.Match[str]) -> bool:
    """Tell whether a part of a path is a password, and not a version or an algorithm's name."""
    value = match["secret"]
    has_many = len(_INTERLEAVED.findall(value)) > 1 or bool(_WORD_AND_SYMBOL.search(value))
    return len(value) >= _SHORTEST_PASSWORD and has_many and is_strict_password(match)


def is_lone_token(match: re.Match[str]) -> bool:
    """Tell whether the text before the `@` in a URL is a token, and not a user name."""
    value = match["secret"]
    return len(_INTERLEAVED.findall(value)) > 1 and not is_placeholder(value)


def is_listed_key(value: str) -> bool:
    """Tell whether an item of a list or table is a key, and not words or a name in code."""
    if _is_variable_name(value) or _CODE_SIGNS.search(value):
        return False
    return looks_like_key(value) and _has_letters_and_digits(value)


def is_listed_password(value: str) -> bool:
    """Tell whether an item of a list or table is a password, and not a type, version or word."""
    if _cannot_be_secret(value) or _is_variable_name(value) or _is_code(value):
        return False
    return len(value) >= _SHORTEST_CELL and (
        _has_letters_and_digits(value) or bool(_SYMBOL.search(value))
    )


def is_argument(match: re.Match[str]) -> bool:
    """Tell whether an argument is a password; the function or command expects one in this place.

    It may have any length. A placeholder or an example word such as `foo` is no password.
    """
    value = match["secret"]
    return not _cannot_be_secret(value) and not _METASYNTACTIC.match(value)


def is_connection_string_password(match: re.Match[str]) -> bool:
    """Tell whether a value in a literal that is a part of a connection string is a password.

    A value of letters only must be lower case, since mixed case may be the name of a variable.
    """
    value = match["secret"]
    if not is_argument(match) or not looks_like_password(value):
        return False
    return is_strict_password(match) or (value.isalpha() and value.islower())


def is_literal_secret(match: re.Match[str]) -> bool:
    """Tell whether a literal is a secret in a place that takes nothing else.

    Even a word of letters only is a secret there.
    """
    return is_word_in_cell(match[value_group(match)])


def is_word_secret(value: str) -> bool:
    """Tell whether a word is a secret, and not a type, a label, a field or a placeholder."""
    if _cannot_be_secret(value) or _METASYNTACTIC.fullmatch(value) or _NO_SECRET.fullmatch(value):
        return False
    if _ALGORITHM.match(value) or value[:1] in "-<[{(/":
        return False
    if _has_letters_and_digits(value):
        return not (_is_variable_name(value) or _CODE_SIGNS.search(value))
    return (value.isalpha() and not _CAPITALIZED.fullmatch(value)) or bool(_SYMBOL.search(value))


def is_signing_key(match: re.Match[str]) -> bool:
    """Tell whether a literal with which a program signs or encrypts is a secret.

    Placeholders and short words are not.
    """
    value = match[value_group(match)]
    return is_word_secret(value) and len(value) >= _SHORTEST_PASSWORD


def is_word_in_cell(value: str) -> bool:
    """Tell whether a word in the password column of a table, beside a user, is a secret."""
    return (
        len(value) >= _SHORTEST_CELL and is_word_secret(value) and not _SECRET_NAME.fullmatch(value)
    )


def is_user(word: str) -> bool:
    """Tell whether a word may be a user's name, and not a type, a label or a variable."""
    return not (
        _NO_SECRET.fullmatch(word)
        or _METASYNTACTIC.fullmatch(word)
        or is_placeholder(word)
        or _is_variable_name(word.partition("@")[0])
    )


def is_interleaved(value: str) -> bool:
    """Tell whether a literal has letters and digits in turns, as random values do.

    A name in code such as `size_2x` passes too, so use it only where no such name can stand.
    """
    return bool(_INTERLEAVED.search(value)) and not _cannot_be_secret(value)


def is_mixed_argument(match: re.Match[str]) -> bool:
    """Tell whether a value is a password where a plain word, but no name in code, could stand."""
    return is_interleaved(match["secret"]) or is_flow_password(match)


def is_mixed_word(match: re.Match[str]) -> bool:
    """Tell whether the word after `password` in a sentence is a password.

    Its letters and digits must be mixed.
    """
    value = match["secret"]
    before = match.string[match.start() - 1 : match.start()]
    if before == "/" or match[0].lower().startswith("pass ") or not _INTERLEAVED.search(value):
        return False
    return is_listed_password(value) and not _ALGORITHM.match(value)


def is_login_argument(match: re.Match[str]) -> bool:
    """Tell whether a command's argument is a password, and not a placeholder word."""
    value = match[value_group(match)]
    return not (
        _cannot_be_secret(value)
        or _METASYNTACTIC.fullmatch(value)
        or _CAPITAL_NAME.fullmatch(value)
    )


def is_session_secret(match: re.Match[str]) -> bool:
    """Tell whether a literal is the secret of a session, which may be a few words."""
    words = match["secret"].split()
    return len(words) <= _MOST_SECRET_WORDS and not is_placeholder(match["secret"])


def is_named_key(match: re.Match[str]) -> bool:
    """Tell whether a lower-case word is a secret.

    It must come directly after the name of a signing key.
    """
    value, start = match["secret"], match.start("secret")
    lead = match.string[max(0, start - _OPTION_DISTANCE) : start]
    named = [*SIGNING_NAME.finditer(lead)][-1:]
    return bool(named) and named[0].end() == len(lead) and value.islower() and is_signing_key(match)


def is_braced_password(match: re.Match[str]) -> bool:
    """Tell whether a value in braces is a password, and not a template variable's name."""
    value = match["secret"]
    return _has_letters_and_digits(value) and bool(_BRACED_SIGN.search(value))


def is_flagged_password(match: re.Match[str]) -> bool:
    """Tell whether the value of `--password` is a password.

    A plain word counts only if the line is a command.
    """
    if is_credential(match):
        return True
    if not (match["secret"].islower() and is_argument(match)):
        return False
    start, end = match.span()
    if match["op"] == "=" or not match.string[end : end + 2].strip().isalpha():
        return True
    return bool(_LOGIN_OPTION.search(match.string, max(0, start - _OPTION_DISTANCE), start))


def is_flagged_key(match: re.Match[str]) -> bool:
    """Tell whether the value of `--token` is a token: letters and digits, and not a variable."""
    value = match["secret"]
    return (
        not is_placeholder(value)
        and _has_letters_and_digits(value)
        and not _is_variable_name(value)
    )


def is_inline_variable(match: re.Match[str]) -> bool:
    """Tell whether the value of `NAME=` inside a line is a secret.

    The name must be in capitals: `name=` is a keyword argument in code.
    """
    if not match["name"].isupper() or _PATH.match(match["secret"]):
        return False
    return is_credential(match)


def is_shell_password(match: re.Match[str]) -> bool:
    """Tell whether the value of `DB_PASSWORD=` up to the end of the line is a password.

    It must have a symbol, and must not contain a template, command or path of a shell.
    """
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
    """Tell whether a value is `user:password` in base64."""
    import base64
    import binascii

    try:
        user, colon, password = base64.b64decode(match["secret"]).decode("ascii").partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(colon and password) and f"{user}{password}".isprintable()


def is_strict_password(match: re.Match[str]) -> bool:
    """Tell whether a value amid prose or code is a password.

    Names of algorithms, members and plain words are not.
    """
    value = match[value_group(match)].rstrip(".:")
    return is_listed_password(value) and not _ALGORITHM.match(value)


def is_strict_key(match: re.Match[str]) -> bool:
    """Tell whether a value amid prose or code is a key, and not an algorithm or a word."""
    value = match[value_group(match)].rstrip(".:")
    return is_listed_key(value) and not _ALGORITHM.match(value)


def is_delimited_password(value: str) -> bool:
    """Tell whether a value between commas is a password, and not an argument of a call."""
    return is_listed_password(value) and bool(_INTERLEAVED.search(value) or _SYMBOL.search(value))


def is_paired_password(value: str) -> bool:
    """Tell whether the value beside a name like `password` is a password.

    In `("password", "x")` it may be the name of a type or variable instead, such as `string`.
    """
    if _is_code(value) or _ALGORITHM.match(value):
        return False
    return looks_like_password(value) and not _is_variable_name(value)


def is_salt(match: re.Match[str]) -> bool:
    """Tell whether a value is a salt; it is shorter than a key, 8 characters in Phoenix."""
    value = match["secret"]
    return is_listed_password(value) and bool(_INTERLEAVED.search(value))


def is_generated_literal(match: re.Match[str]) -> bool:
    """Tell whether a literal has so many distinct symbols that it must be generated."""
    value = match["secret"]
    if _PATH.match(value):
        return False
    return len(
        set(_PUNCTUATION.findall(_EXPRESSION.sub("", value)))
    ) > _MANY_PUNCTUATION_MARKS and _has_letters_and_digits(value)


def is_passphrase(match: re.Match[str]) -> bool:
    """Tell whether a literal is a passphrase, like `correct horse battery`.

    Sentences and labels are not.
    """
    value = match["secret"]
    words = value.split()
    if (
        not _FEWEST_PHRASE_WORDS <= len(words) <= _MOST_PHRASE_WORDS
        or is_placeholder(value)
        or _CODE_START.search(value)
    ):
        return False
    if any(_has_all_classes(word) and len(word) >= _SHORTEST_CELL for word in words):
        return True
    if any(_SENTENCE_WORD.fullmatch(word.strip(".,:;!?")) for word in words):
        return False
    lower = all(word.isalpha() and word.islower() for word in words)
    return lower and len(words) > _FEWEST_PHRASE_WORDS


def is_url_login(match: re.Match[str]) -> bool:
    """Tell whether `user:password` in a URL is a login, and not variables or an example."""
    user, _, password = _ESCAPED.sub("", match["secret"]).partition(":")
    if REDACTION_MARK in match["secret"] or is_variable(user) or is_variable(password):
        return False
    return not (_NO_PASSWORD.fullmatch(password) or _METASYNTACTIC.fullmatch(password))


def is_credential(match: re.Match[str]) -> bool:
    """Tell whether the value after `Bearer`, `Basic` or an option is a secret, not a variable."""
    value = match["secret"]
    return not is_placeholder(value) and (
        _has_letters_and_digits(value) or bool(_BASE64_TEXT.search(value))
    )


def is_placeholder(value: str) -> bool:
    """Tell whether `value` is a variable, a template or a word that stands for a secret."""
    rest = value.replace(REDACTION_MARK, "")
    if len(rest) >= _LONG_KEY and len(set(_SYMBOL.findall(rest))) >= _MANY_SYMBOLS:
        return False
    return not rest or is_variable(rest) or bool(_PLACEHOLDER.match(rest))


def is_variable(value: str) -> bool:
    """Tell whether `value` consists mostly of variables, which are filled in at run time."""
    if _NAME_ONLY.fullmatch(value) and not _INTERLEAVED.search(value):
        return True
    rest, expressions = _EXPRESSION.subn("", value)
    parts = {part[0][:1] for part in _VARIABLE_PART.finditer(rest)}
    rest = _VARIABLE_PART.sub("", rest)
    if expressions:
        return not (_has_letters_and_digits(rest) and _SYMBOL.search(rest))
    if not parts:
        return False
    is_elided = bool(parts & _ELISIONS) and len(rest) * 2 < len(value)
    if not rest or is_elided or _AFFIX.fullmatch(rest):
        return True
    return (
        not (_has_letters_and_digits(value) and _ALNUM.search(rest))
        and len(parts) < _MANY_VARIABLE_PARTS
    )


def is_template(value: str) -> bool:
    """Tell whether all of `value` is a template or placeholder.

    Use it where every other value is a secret.
    """
    return bool(_TEMPLATE.match(value) or _PLACEHOLDER.match(value)) or not value.replace(
        REDACTION_MARK, ""
    )


def _cannot_be_secret(value: str) -> bool:
    if is_placeholder(value) or _PATH.match(value) or _is_field_name(value):
        return True
    return bool(_MIME.fullmatch(value))


def _is_code(value: str) -> bool:
    """Tell whether `value` has brackets or separators like code, and no symbols of a password."""
    if not _CODE_SIGNS.search(value):
        return False
    return " " in value or not (_WORD_AND_SYMBOL.search(value) and _has_letters_and_digits(value))


def _is_field_name(value: str) -> bool:
    return bool(_FIELD_NAME.match(value)) and not _PASSWORD_WORDS.search(value)


def _is_variable_name(value: str) -> bool:
    return bool(_IDENTIFIER.match(value)) and ("_" in value or "." in value or ":" in value)


def _has_all_classes(word: str) -> bool:
    return _has_letters_and_digits(word) and bool(_SYMBOL.search(word))


def _has_letters_and_digits(value: str) -> bool:
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def _in_shell_style(match: re.Match[str]) -> bool:
    """Tell whether a match is like a line of an `.env` file, `DB_PASSWORD=value`.

    The name is in capitals, and there are no blanks around `=`.
    """
    groups = match.groupdict()
    name = groups.get("name") or ""
    return groups.get("op") == "=" and name == name.upper()

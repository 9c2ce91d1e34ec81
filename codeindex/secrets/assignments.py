"""Detects secrets by the name that they are assigned to: `password = "…"`, `user:…@host`.

Each row has a rule, a pattern, needles and a value test. The pattern of a syntax matches the text
from the end of a secret's name to its value, which is the group `secret`. It is appended to the
pattern of a name, so that passwords and keys are found in the same syntaxes. In the docstrings,
`name` or `NAME` stands for the name of the secret and `value` for the secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from codeindex.secrets import value_tests
from codeindex.secrets.name_patterns import (
    AUTH_NEEDLES,
    KEY_NAME,
    KEY_NEEDLES,
    NAME_SUFFIX,
    PASSWORD_NAME,
    PASSWORD_NEEDLES,
    captured_name,
)
from codeindex.secrets.named_values import ValuePattern, build_detectors

MatchTest = Callable[[re.Match[str]], bool]

_TYPE = (
    r"(?:\[\w{0,8}\])?(?:\s{0,4}:\s{0,4}[\w&<>\[\].,|?*' ]{1,40}"
    r"""|(?<!["'`])\s{1,4}(?:as\s{1,4}(?:new\s{1,4})?)?[\w*.&]{1,20}(?:\(\w{1,5}\))?"""
    r"""|\s{1,4}(?:value|default|content))?"""
)
"""A type between name and operator, or an attribute such as `value` after a quoted name."""
_OPERATOR = (
    rf"(?:{_TYPE}\s{{0,16}}(?:[!|:+]|[?|&]{{1,2}})?={{1,3}}|\s{{0,16}}(?:=>|::?|<-)"
    r"""|(?<!["'`])\s{0,16}(?:\|\||\?\?|or\b)|\s?\{\s?get;[^}\n]{0,30}\}\s?=)"""
)
"""Assignment, comparison, map arrow or default: `=`, `:=`, `==`, `=>`, `||`, `{ get; set; } =`."""
_QUOTE = r"""(?:\\{0,3}["'`]|&(?:quot|apos|\#3[49]);|\\u002[27])"""
"""A quote: plain, escaped, as an HTML entity or as a JSON escape."""
_QUOTED = (
    r"""(?P<q>\\{0,3}(?:\"{3}|'{3}|["'`])|&(?:quot|apos|\#3[49]);|\\u002[27])"""
    r"""(?P<secret>(?:(?!(?P=q))(?:\\.|[^\s\\])){6,}+)(?P=q)"""
)
"""A literal of six characters or more without blanks."""
_CONSTRUCTOR = (
    r"(?:(?:new )?(?:String(?:::from)?|Some|Just|Optional\.of|Buffer\.from|SecureString|ByteString"
    r"|(?:\w{1,20}::)?Secret(?:Str(?:ing)?|Box)?(?:::new|::from)?|str|bytes|\[\]byte)\()?"
)
"""A constructor around a literal value; the argument of any other function may be a name."""
_DECODER = (
    r"(?:[\w.:()]{0,40}(?:decode|decrypt|atob|unhex|fromhex|b64|base64|bytes|char|quote)\w{0,14}"
    r"!?\(\s?){1,2}"
)
"""Functions that decode a literal into a secret."""
_YAML_TAG = r"(?:[&!][\w!/.:<>,-]{0,40}\s){0,2}"
"""A YAML anchor and tag before the value."""
_LINE_START = r"""^[ \t]*(?:[#;*/>]{1,6}[ \t]*)?(?:(?:export|env|arg|set|-)[ \t]+)?["']?"""
"""Start of a line up to the name, commented-out lines included."""
_BARE_VALUE = (
    r"""(?P<secret>[^\s"'`,;(){}<>\[\]$%][^\s"'`,;(){}<>\[\]\\]{5,}+)"""
    r"""(?:(?:\\n)?["'],?)?[ \t\r]*+(?:\#.*)?$"""
)
"""An unquoted word at the end of a line; a comment may follow it."""

_URL_NEEDLES = ("://",)

_DATABASE_SCHEME = (
    r"(?:mongodb|postgres|mysql|mariadb|redis|amqp|mssql|sqlserver|oracle|clickhouse)"
    r"\w{0,3}(?:\+\w{1,16})?"
)
_CONNECTION = r"""://(?P<secret>[^\s/:@"'`<>\\]{0,128}:[^\s"'`<>\\]{1,256})@"""
"""Matches `://user:password@` of a database, up to the last `@`: passwords often contain an
unescaped `@`."""
_LOGIN = r"""://(?P<secret>[^\s/:@"'`<>\\]{0,128}:[^\s/?#"'`<>\\]{1,256})@"""
"""Matches `://user:password@` of any URL."""
_DATA_SOURCE = (
    r"(?:server|data source|host|uid|user(?: id| ?name)?|database|initial catalog)\s?="
    r"""[^"'\n]{0,200}?;\s?(?:password|pwd)\s?=\s?(?P<secret>[^;"'\s]{4,})"""
)
"""Matches the value in `Server=…;Password=value` of a connection string."""
_DATA_SOURCE_LAST = (
    r"""(?:password|pwd)\s?=\s?(?P<secret>[^;"'\s]{4,128}+)\s?;[^"'\n]{0,200}?"""
    r"(?:server|data source|host|uid|user(?: id| ?name)?|database|initial catalog)\s?="
)
"""Matches the value in `Password=value;…Server=`: the password comes first."""
_BRACED_DATA_SOURCE = (
    r"(?:driver|server|data source|host|uid|user(?: id| ?name)?|database|dsn)\s?="
    r"""[^"'\n]{0,200}?;\s?(?:password|pwd)\s?=\s?\{(?P<secret>[^{}"'\n]{4,128}+)\}"""
)
"""Matches the value in `Server=…;Password={value}`: ODBC requires braces around a value with a
semicolon."""
_ADDRESS_KEY = r"""://[^\s#"'<>]{1,200}\#(?:[\w-]{0,20}key=)(?P<secret>[\w-]{12,128}+)"""
"""Matches the value in `https://host/page#key=value`: a key that the server does not get."""
_LONE_LOGIN = r"""(?<!ssh)://(?P<secret>[\w.~%+=-]{16,256}):?@"""
"""Matches `://token@` of a URL: a token in place of the user name."""
_COOKIE = (
    r"""(?:cookies?["']?\s{0,4}[:=,]\s{0,4}(?:["']?value["']?\s?[:=]\s?)?"""
    r"""|\bcurl\s[^\n|]{0,200}?(?-i:-b|--cookie)[ =])"""
    r"""["'`]?(?:[^\s"';]{1,160};\s?){0,8}[\w.-]{0,40}"""
    r"(?:sess(?:ion)?(?:_?id)?|sid|auth|jwt|token|login|remember\w{0,9})=(?P<secret>[\w.~%+/=-]{16,})"
)
"""A session cookie in a header, or in `curl -b "session=value"`."""
_COOKIE_FILE = (
    r"\t(?:true|false)\t\d{1,12}\t[\w.-]{0,40}(?:sess|sid|auth|jwt|token|login)[\w.-]{0,20}\t"
    r"(?P<secret>[\w.~%+/=-]{16,})"
)
"""A session cookie in a line of a cookie file of Netscape, which curl and wget write."""
_HEADER = (
    r"""authorization["']?\]?\s{0,4}[:=,]\s{0,4}(?:["']?value["']?\s?[:=]\s?)?["'`]?"""
    r"(?:bearer|basic|token|digest|apikey)\s{1,4}"
    r"(?P<secret>[\w.~+/=-]{8,}(?::[\w.~+/=-]{8,})?)"
)
"""Matches the value in `Authorization: Bearer value` and other schemes. `Token id:value` is taken
as a whole."""


# syntaxes: what follows the name and its suffix
_QUOTED_VALUE = (
    rf"""{_QUOTE}?[\])$]?{_OPERATOR}\s{{0,16}}{_YAML_TAG}{_CONSTRUCTOR}(?:[{{(]\s?)?"""
    rf"""(?:[rbfulns@$]{{0,2}}\#{{0,3}}(?=["'`]))?{_QUOTED}"""
)
"""Matches the value in `name = "value"`, with any operator, type or quotes."""
_DELIMITED = (
    r"""["']?\]?\s{0,8}(?:=>|=|:)\s{0,8}%?q[qwQW]?[{(\[<|/!]"""
    r"(?P<secret>[^\s{}()\[\]<>|/]{6,256}+)[})\]>|/!]"
)
"""Matches the value in `name = q{value}` (Perl) and `name = %q(value)` (Ruby)."""
_SECOND_ITEM = rf"\s?,\s?(?:<<)?{_QUOTED}(?:>>)?\s?[)}}]"
"""Matches the value in `define(name, "value")` and Erlang's `{name, "value"}`."""
_CONVERTED = rf"""["'`]?[\])]?{_OPERATOR}\s{{0,16}}{_DECODER}{_QUOTED}"""
"""Matches the value in `name = decode("value")`."""
_SIGNLESS = r"\s{1,4}(?:pic\s\S{1,12}\svalue(?:\sis)?|db|to|\.asci[iz]|\.string)\s{1,4}" + _QUOTED
"""Assignments without an operator: `name PIC X(9) VALUE "value"`, `name db "value"`."""
_GENERATED = (
    r"""["'`]?[\])]?\s{0,8}(?:=>|[:?]?=|:|,)\s{0,8}(?P<q>["'])(?P<secret>[^"'\n]{24,200})(?P=q)"""
)
"""A generated value, which may have many symbols: `define('NAME', 'value')` in WordPress."""
_ARGUMENT = rf"""["'`]\s?,\s{{0,4}}{_QUOTED}\s?[)\]}}]"""
"""Matches the value in `("name", "value")`, an argument list or a pair."""
_FLOW = (
    rf"""["']?[ \t]*:[ \t]+{_YAML_TAG}"""
    r"""(?P<secret>[^\s,{}\[\]"'`()<>]{6,256}+)(?=[ \t]*[,}])"""
)
"""Matches the value in `{name: value}` without quotes (YAML)."""
_REST_OF_LINE = (
    rf"""["']?[ \t]*[:=][ \t]*{_YAML_TAG}(?P<secret>[^\s"'][^\s]{{5,256}}+)[ \t\r]*+(?:\#.*)?$"""
)
"""Matches the value in `name: value` in a settings file, with any characters."""
_BARE = (
    r"""["']?(?P<op>[ \t]{0,16}(?:[:?+]?=|::(?=[ \t])|[:\uff1a])[ \t]{0,16})"""
    rf"{_YAML_TAG}{_BARE_VALUE}"
)
"""Matches the value in `NAME=value` alone on its line."""
_FALLBACK = rf"""["']\s{{0,4}},\s{{0,4}}{_QUOTED}"""
"""Matches the value in `getenv("NAME", "value")`, `define('NAME', 'value')`."""
_DECLARED = r"""[ \t]+L?["']?(?P<secret>[^\s"'`,;(){}<>\[\]]{6,}+)["']?[ \t\r]*+(?:/[/*m].*)?$"""
"""Blanks between name and value: `#define NAME "value"`, Docker's `ENV NAME value`."""
_DEFAULT_OF_CALL = (
    r"""["']\s?\)\s?(?:(?:\{|do)\s?(?:\|\w{0,20}\|\s?)?|\?:\s?"""
    r"|\.\s?(?:unwrap_or|or_?else|get_?or_?else|or)\w{0,10}\(\s?(?:\|\w{0,8}\|\s?)?)" + _QUOTED
)
"""The default of an environment variable, after the call that reads the variable:
`fetch("NAME") { "value" }` (Ruby), `getenv("NAME") ?: "value"` (Kotlin, PHP) and
`var("NAME").unwrap_or("value")` (Rust)."""
_ATTRIBUTE = rf"""["']?\s{{0,4}},\s{{0,4}}{_QUOTED}\s?\)"""
"""Matches the value in `setattr(x, "name", "value")`."""
_BRACKETED = (
    r"""["']?\]?[ \t]{0,8}=[ \t]{0,8}\[={0,4}\["""
    r"""(?P<secret>[^\s:\[\]"',][^\s\[\]"',]{5,256}+)\]={0,4}\]"""
)
"""Matches the value in `name = [[value]]` (Lua), but no list of lists."""
_TEMPLATE_DEFAULT = (
    r"""["']?\s?[:=]\s?["']?<%=[^\n%]{0,80}?(?:\|\||\bor\b|,)\s?"""
    r"""(?P<q>["'])(?P<secret>[^\s"'%<>]{6,128}+)(?P=q)"""
)
"""Matches the value in `name: <%= ENV["NAME"] || "value" %>` (ERB)."""
_HERE_WORD = r"""\s{0,4}<<<\s{0,4}["']?(?P<secret>[^\s"'`$]{6,256}+)"""
"""Matches the value in `read -r NAME <<< "value"`."""
_SUBSTITUTED = (
    r"""=["']?(?:\$\(|`)\s?"""
    r"""(?:(?:echo|printf)\s(?:-\w{1,4}\s|["']%s(?:\\n)?["']\s)?|base64\s-{1,2}\w{1,8}\s?<<<\s?)"""
    r"""["']?(?P<secret>[^\s"'`$()|<>]{6,256}+)["']?\s?[)`|]"""
)
"""Matches the value in `NAME=$(echo value)` and `NAME=$(base64 -d <<< value)`."""
_INITIALIZED = rf"\s?(?:\(\s?|\{{\s?|=\s?\((?:const\s)?\w{{1,20}}\s?\*\)\s?){_QUOTED}"
"""The initial value of a variable of C++ or C: `std::string name{"value"}`,
`string_view name("value")`, `char *name = (char *)"value"`."""
_COPIED = (
    r"(?:\[\w{0,20}\])?\s?,\s?"
    r"(?:(?:sizeof[ (]{1,2}[\w.>-]{1,40}\)?|\d{1,5}|(?-i:[A-Z_]{1,40}))\s?,\s?)?" + _QUOTED
)
"""The literal that a call copies into a variable of C: `strcpy(name, "value")`. The size of the
variable may come before it: `strcpy_s(name, sizeof(name), "value")`."""
_INDENTED_STRING = r"""["']?\s{0,8}=\s{0,8}''(?P<secret>[^\s"'`,;=${}]{6,256}+)''\s?;"""
"""An indented string of Nix that is on one line: `name = ''value'';`."""
_PAIRED = rf"""["']\s{{0,4}}(?:->|to\b)\s{{0,4}}{_QUOTED}"""
"""The value of a key in a map: `"name" -> "value"` (Scala) and `"name" to "value"` (Kotlin)."""
_FIRST_OF_SEVERAL = rf"(?:\s?,\s?[\w.]{{1,40}}){{1,3}}\s?:?=\s?{_QUOTED}(?=\s?,)"
"""The first value of an assignment to several names: `name, user = "value", "somebody"`."""
_SECOND_OF_TWO = (
    rf"""\s?:?=\s?(?:"[^"\n]{{0,80}}"|'[^'\n]{{0,80}}'|[\w.]{{1,40}})\s?,\s?{_QUOTED}"""
)
"""The second value of an assignment to several names: `user, name = "somebody", "value"`."""
_SETTER = rf"\(\s{{0,4}}{_QUOTED}"
"""Matches the value in `setPassword("value")` and `options().password("value")`."""
_INLINE = r"""=(?P<secret>[^\s"'`,;(){}<>\[\]$%]{8,256}+)(?=[\s;]|\Z)"""
"""Matches the value in `NAME=value command` and `command -e NAME=value`."""
_ELEMENT = (
    r"""["']?(?:\s[^<>\n]{0,80})?>\s{0,4}(?:<value>\s{0,4})?(?:<!\[CDATA\[)?"""
    r"""(?P<secret>[^<\s\]]{6,}+)(?:\]\]>)?\s{0,4}</"""
)
"""Matches the value in `<name>value</name>` and `<entry key="name">value</entry>` (XML)."""
_WORD = r"""["']?(?P<secret>(?!-)[\w.~%+/=!@#^*:-]{6,1024}+)"""
"""An unquoted value of an option or a query parameter."""
_OPTION = r"(?P<op>[ =])[ ]?" + _WORD
"""Matches the value in `--name value`; the name has no suffix."""
_PARAMETER = r"(?P<op>=)" + _WORD
"""Matches the value in `?name=value` and `#name=value` in a URL; the name has no suffix."""

# line prefixes: what precedes the name in its line
_IN_QUOTES = r"""[(\[{]\s?["'`][\w.:/-]{0,60}"""
_AFTER_BRACKET = r"(?:define\(|\{)\s?[\w.]{0,40}"
_IN_BRACES = r"""[{,][ \t]*["']?[\w.-]{0,80}"""
_AT_START = rf"{_LINE_START}%?[\w.:/@\u3040-\u9fff\uac00-\ud7af-]{{0,80}}"
_IN_CALL = (
    r"""(?:env|environ|env::var|get|fetch|property|set|define)\w{0,20}\(\s{0,4}["'][\w.-]{0,60}"""
)
_IN_ATTRIBUTE = (
    r"(?:(?:__)?setattr(?:__)?|instance_variable_set|reflect\.set)\("
    r"""\s?(?:[^\s"'(),]{1,80}(?:\(\))?,\s?)?["':@]{1,2}[\w.-]{0,60}"""
)
_IN_READ = r"\bread[ ](?:-\w{1,8}[ ]){0,4}\w{0,40}"
_IN_COMMAND = (
    r"^[ \t]*(?:\#[ \t]*define|env|setenv|setx(?:[ \t]+/m)?|set(?:[ \t]+-\w{1,3}){1,3})"
    r"[ \t]+\w{0,80}"
)
_IN_DECLARATION = r"(?:string(?:_?view)?|char\s?const|char|auto)[\s*&]{1,4}[\w:]{0,60}"
_IN_COPY = r"\b(?:l?str[nl]?c(?:py|at)|wcsn?c(?:py|at))[aw]?(?:_s)?\s?\(\s?[\w.>\[\]&*-]{0,60}"
_STATEMENT_START = r"^[ \t]*(?:(?:let|var|const|local|my)[ (]{1,2})?\$?"
_IN_NAMES = _STATEMENT_START + r"[\w.]{0,60}"
_AFTER_A_NAME = _STATEMENT_START + r"[\w.]{1,60}\s?,\s?\$?[\w.]{0,60}"
_IN_LITERAL_NAME = r"""["'][\w.:/-]{0,60}"""
_IN_SETTER = r"(?:(?:set|with)_?\w{0,40}|\)\s?\.)"
_IN_CAPITALS = r"(?<![\w$])(?-i:[A-Z\d_]{0,80})"
_IN_TAG = r"""<(?:[\w.:-]{0,40}|\w{1,20}\s(?:name|key|id)=["'][\w.:-]{0,60})"""
_IN_OPTION = r"--[\w-]{0,40}"
_IN_ADDRESS = r"[?&\#;][\w-]{0,40}"
_SQL = rf"\s{{1,4}}{_QUOTED}"
_COMMANDED = (
    rf"{PASSWORD_NAME}[ \t]+(?:--\w{{1,20}}[ \t]+){{0,3}}(?:\d[ \t]+)?"
    r"""["']?(?P<secret>[^\s"'=:]{6,256}+)["']?[ \t\r]*$"""
)
_COMMAND = r"^[ \t]*(?:[\w-]{1,40}[ \t]+){0,4}"
"""Matches the words before the name in `username me password 7 value`; there may be none."""
_SALT = r"""salt["'`]?[\])]?\s{0,8}(?:=>|[:?]?=|:|,)\s{0,8}"""
_IN_SQL = r"(?:with|set|encrypted|(?:user|role|login) [\w.\"`@%'-]{1,60}) "
_CHANGED = (
    rf"{PASSWORD_NAME}(?:\sfor\s[^=\n]{{1,80}}?)?\s{{0,4}}=\s{{0,4}}"
    rf"(?:(?:old_)?password\(\s?)?{_QUOTED}"
)
"""Matches the value in `SET PASSWORD FOR x = PASSWORD('value')`."""
_IN_LITERAL = r"""["']\s?(?:[^"'\n]{0,200};\s?)?"""
_LONE_PASSWORD = rf"""{PASSWORD_NAME}\s?=\s?(?P<secret>[^;"'\s{{}}]{{4,128}}+);"""
"""Matches the value in `"Password=value;"`: a literal of a connection string whose server is in
another literal."""
_LONE_BRACED_PASSWORD = rf"""{PASSWORD_NAME}\s?=\s?\{{(?P<secret>[^{{}}"'\s]{{4,128}}+)\}}"""
"""Matches the value in `Password={value}`: ODBC requires braces around a value with a semicolon."""
_IDENTIFIED = rf"identified (?:with \S{{1,60}} (?:by|as)|by)(?=\s{{1,4}}['\"]){_SQL}"
_IDENTIFIED_BARE = r"""identified by\s{1,4}(?P<secret>[^\s"'`;,]{6,128}+)"""
_BEARER = r"\bbearer\s{1,4}(?P<secret>[\w.~+/=-]{16,})"


class _ValueTests(NamedTuple):
    """The tests by which a value counts as a secret, for passwords or for keys.

    There is one test for each way in which a value is written, such as in quotes.
    """

    quoted: MatchTest
    bare: MatchTest
    flow: MatchTest
    strict: MatchTest
    flagged: MatchTest
    setting: MatchTest
    raw: MatchTest


_PASSWORD = _ValueTests(
    quoted=value_tests.is_password,
    bare=value_tests.is_bare_password,
    flow=value_tests.is_flow_password,
    strict=value_tests.is_strict_password,
    flagged=value_tests.is_flagged_password,
    setting=value_tests.is_setting_password,
    raw=value_tests.is_raw_password,
)
_KEY = _ValueTests(
    quoted=value_tests.is_key,
    bare=value_tests.is_bare_key,
    flow=value_tests.is_flow_key,
    strict=value_tests.is_strict_key,
    flagged=value_tests.is_flagged_key,
    setting=value_tests.is_key,
    raw=value_tests.is_strict_key,
)

_KINDS = (
    ("password", PASSWORD_NAME, PASSWORD_NEEDLES, _PASSWORD),
    ("secret", KEY_NAME, KEY_NEEDLES, _KEY),
)


def _name_rows() -> Iterator[ValuePattern]:
    for rule, name, needles, tests in _KINDS:
        named = name + NAME_SUFFIX
        for pattern, accepts, line_prefix in (
            (f"{name}s?{NAME_SUFFIX}{_QUOTED_VALUE}", tests.quoted, ""),
            (named + _CONVERTED, tests.strict, ""),
            (named + _SIGNLESS, tests.strict, ""),
            (named + _DELIMITED, tests.strict, ""),
            (named + _SECOND_ITEM, tests.flow, _AFTER_BRACKET),
            (named + _ARGUMENT, tests.flow, _IN_QUOTES),
            (named + _GENERATED, value_tests.is_generated_literal, ""),
            (named + _FLOW, tests.flow, _IN_BRACES),
            (captured_name(name) + _BARE, tests.bare, _AT_START),
            (named + _FALLBACK, tests.quoted, _IN_CALL),
            (named + _ELEMENT, tests.quoted, _IN_TAG),
            (name + _OPTION, tests.flagged, _IN_OPTION),
            (name + _PARAMETER, tests.flagged, _IN_ADDRESS),
            (named + _DECLARED, tests.bare, _IN_COMMAND),
            (named + _SETTER, tests.bare, _IN_SETTER),
            (captured_name(name) + _INLINE, value_tests.is_inline_variable, _IN_CAPITALS),
        ):
            yield ValuePattern(rule, pattern, needles, accepts, line_prefix)


def _rare_rows() -> Iterator[ValuePattern]:
    """Yield the value patterns for rare syntaxes.

    The line filter `_RARE` skips most lines, so that these patterns cost little.
    """
    for rule, name, needles, tests in _KINDS:
        for pattern, accepts, line_prefix in (
            (_DEFAULT_OF_CALL, tests.quoted, _IN_CALL),
            (_ATTRIBUTE, tests.quoted, _IN_ATTRIBUTE),
            (_BRACKETED, tests.quoted, ""),
            (_TEMPLATE_DEFAULT, tests.quoted, ""),
            (_HERE_WORD, tests.quoted, _IN_READ),
            (_SUBSTITUTED, tests.quoted, ""),
            (_INITIALIZED, tests.quoted, _IN_DECLARATION),
            (_COPIED, tests.quoted, _IN_COPY),
            (_INDENTED_STRING, tests.quoted, ""),
            (_FIRST_OF_SEVERAL, tests.quoted, _IN_NAMES),
            (_SECOND_OF_TWO, tests.quoted, _AFTER_A_NAME),
            (_PAIRED, tests.flow, _IN_LITERAL_NAME),
        ):
            yield ValuePattern(rule, name + NAME_SUFFIX + pattern, needles, accepts, line_prefix)
    yield ValuePattern("password", _CHANGED, PASSWORD_NEEDLES, value_tests.is_argument, "set ")
    for pattern, accepts in (
        (_LONE_PASSWORD, value_tests.is_connection_string_password),
        (_LONE_BRACED_PASSWORD, value_tests.is_braced_password),
    ):
        yield ValuePattern("connection_string", pattern, PASSWORD_NEEDLES, accepts, _IN_LITERAL)


_URL_ROWS = (
    ValuePattern(
        "connection_string", _CONNECTION, _URL_NEEDLES, value_tests.is_url_login, _DATABASE_SCHEME
    ),
    ValuePattern("url_login", _LOGIN, _URL_NEEDLES, value_tests.is_url_login),
    ValuePattern("url_login", _LONE_LOGIN, _URL_NEEDLES, value_tests.is_lone_token),
)
_DATA_SOURCE_ROWS = (
    ValuePattern("connection_string", _DATA_SOURCE, PASSWORD_NEEDLES, value_tests.is_password),
    ValuePattern(
        "connection_string", _BRACED_DATA_SOURCE, PASSWORD_NEEDLES, value_tests.is_braced_password
    ),
    ValuePattern("connection_string", _DATA_SOURCE_LAST, PASSWORD_NEEDLES, value_tests.is_password),
)
_ROWS = (
    ValuePattern("secret", _ADDRESS_KEY, ("key=",), value_tests.is_flow_key),
    ValuePattern("cookie", _COOKIE, ("cookie", "curl"), value_tests.is_strict_key),
    ValuePattern("cookie", _COOKIE_FILE, ("\ttrue\t", "\tfalse\t"), value_tests.is_strict_key),
    ValuePattern("authorization", _HEADER, AUTH_NEEDLES, value_tests.is_credential),
    ValuePattern("authorization", _BEARER, ("bearer",), value_tests.is_key),
    ValuePattern(
        "password", rf"{PASSWORD_NAME}{_SQL}", PASSWORD_NEEDLES, value_tests.is_password, _IN_SQL
    ),
    ValuePattern("password", _IDENTIFIED, ("identified ",), value_tests.is_password),
    ValuePattern("password", _IDENTIFIED_BARE, ("identified by",), value_tests.is_flow_password),
    ValuePattern(
        "password", _COMMANDED, PASSWORD_NEEDLES, value_tests.is_command_argument, _COMMAND
    ),
    ValuePattern("secret", rf"{_SALT}{_QUOTED}", KEY_NEEDLES, value_tests.is_salt),
    *_name_rows(),
)

_SETTINGS_ROWS = (
    *(
        ValuePattern(rule, captured_name(name) + _BARE, needles, tests.setting, _AT_START)
        for rule, name, needles, tests in _KINDS
    ),
    *(
        ValuePattern(rule, name + NAME_SUFFIX + _REST_OF_LINE, needles, tests.raw, _AT_START)
        for rule, name, needles, tests in _KINDS
    ),
)

_KEYLIKE = re.compile(r"\d|[^\s\"'`]{20}", re.ASCII)
"""Line filter for keys: every key has a digit or is long (see `looks_like_key`). Two thirds of all
lines do not match it."""
_RARE = re.compile(
    r"""<(?:<<|%=)|=(?:[ \t]{0,8}\[={0,4}\[|\s?(?:[^;"'\s]{4,128}+;|\{))"""
    r"""|[(`]\s?(?:echo|printf|base64)\b|\*\)\s?["']"""
    r"""|["'](?:'|\s?\)\s?(?:\{|do\b|\?:|\.\s?[gou])|\s{0,4}(?:->|to\b))"""
    r"""|[sScCaA](?=[ehtupaHTUE])(?:et(?:attr|(?<=_set|\.set)\()|(?:py|at)\w{0,3}\s?\("""
    r"""|(?i:et\s\w{1,40}\s?(?:=|for\b)|(?:tring|har|uto)[^\n=]{1,80}[{(]\s?["']))"""
    r"""|,[^\n=("']{1,120}="""
)
"""Line filter for rare syntaxes.

It has few alternatives, which begin with signs or single letters: each alternative is tried at each
character of a line, and costs most if it ignores case.
"""

_HAS_USER = re.compile("@")
_HAS_PASSWORD_FIELD = re.compile(r"(?i)(?:password|pwd)\s?=")
"""Line filters of URLs and of connection strings."""

ASSIGNMENT_DETECTORS = (
    *build_detectors(_URL_ROWS, line_filter=_HAS_USER),
    *build_detectors(_DATA_SOURCE_ROWS, line_filter=_HAS_PASSWORD_FIELD),
    *build_detectors(_ROWS, key_line_filter=_KEYLIKE),
    *build_detectors(_rare_rows(), line_filter=_RARE),
)
SETTINGS_ASSIGNMENT_DETECTORS = tuple(build_detectors(_SETTINGS_ROWS, key_line_filter=_KEYLIKE))
"""Detectors only for settings files, in which an unquoted word is a value; in code it is a
variable."""

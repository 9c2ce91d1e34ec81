"""Detects secrets that are not directly after their name: pairs, lists, literals below it.

The pattern of a detector matches the heading: a name and the text around it. The `ValueFinder` of
the detector then looks for the value in the same object, on nearby lines, or in the list after the
heading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, Protocol

from codeindex.secrets import value_tests
from codeindex.secrets.detector import Detector, LazyPattern, Span
from codeindex.secrets.name_patterns import (
    KEY_NAME,
    KEY_NEEDLES,
    NAME_SUFFIX,
    PASSWORD_NAME,
    PASSWORD_NEEDLES,
)
from codeindex.text.indent import indentation

_ValueTest = Callable[[str], bool]


class ValueFinder(Protocol):
    """A function that yields the spans of secret values around a match of a secret's name.

    `accepts` tells whether a value is a secret.
    """

    def __call__(self, match: re.Match[str], accepts: _ValueTest) -> Iterator[Span]: ...


_NAME_KEY = (
    r"""["']?(?:[nk]|name|key|id|label|title|variable|var|env|field|property|attribute|setting"""
    r"""|option_?name|parameter_?(?:name|key)|param(?:eter)?)["']?"""
    r"[ \t]*[:=][ \t]*"
)
_VALUE_KEY = (
    r"""["']?(?:(?:default|parameter|string|option|initial|plain|secret)?_?value|v|val|default|plaintext"""
    r"""|content|data|text|secretstring)["']?"""
    r"[ \t]*[:=][ \t]*"
)
"""The keys of a name and of its value: `name: NAME`, `value: …`."""
_PAIR_VALUE = re.compile(
    rf"""[ \t]*(?:-[ \t]+)?{_VALUE_KEY}(?P<q>["']?)(?P<secret>[^\s"',]{{4,512}}+)(?P=q),?"""
    r"[ \t\r]*(?:\#.*)?$",
    re.IGNORECASE,
)
"""A line with the value of a pair."""
_PAIR_NAME = re.compile(rf"""[ \t]*(?:-[ \t]+)?{_NAME_KEY}["']?[a-z_$]""", re.IGNORECASE)
"""A line with the name of the next pair."""
_BRACE = re.compile(r"[ \t]*[{}()\[\]]")
"""A line that opens or closes an object: the search for the value of a name ends there."""
_TERRAFORM_DEFAULT = re.compile(
    r"""[ \t]*default[ \t]*=[ \t]*"(?P<secret>[^\s"$]{4,512}+)"[ \t\r]*$"""
)
"""Matches the value in `default = "value"` of a Terraform variable."""
_PREFIX = r"[rbfuL@$]{0,2}"
_JOIN_OPERATOR = r"(?:[+&~]|\.concat\(|\.{1,2}|\|\||<>)?"
_JOIN = (
    rf"[ \t]{{0,8}}{_JOIN_OPERATOR}[ \t]{{0,8}}"
    rf"(?:[\\]?\r?\n[ \t]{{0,80}}{_JOIN_OPERATOR}[ \t]{{0,8}})?{_PREFIX}"
)
"""Blanks, an operator and at most one line end between two literals."""
_PIECE = re.compile(
    rf"""(?P<q>["'`])(?P<secret>[^"'`\n\\]{{0,64}})(?P=q)(?:{_JOIN}(?=["'`](?!["'`]{{2}})))?"""
)
"""One of several literals in a row, with the operator before the next one."""
_PLIST_STRING = re.compile(r"[ \t\r\n]*<string>(?P<secret>[^<\s]{4,512}+)</string>")
"""The value after a `<key>` of a property list."""
_ITEM = re.compile(
    r"""[\s,]*(?:(?:\#|//)[^\n]*\n[\s,]*)?(?:(?P<q>["'`])(?P<secret>[^\s"'`\\]{4,512}+)(?P=q)"""
    r"""|(?P<bare>[^\s,"'`\[\](){}\\]{4,512}+))"""
)
"""An item of a list: a literal or a bare word."""
_RULES = frozenset(
    ("required", "nullable", "sometimes", "present", "filled", "bail", "string", "confirmed")
)
"""Rules by which Laravel checks a field; nearly every list of rules has one of these."""
_RULE = re.compile(r"[a-z_]{2,24}(?::\S*)?", re.ASCII)
"""A rule with its parameters: `confirmed`, `min:8`."""
_LITERAL = re.compile(
    r"""[ \t\r]*\n[ \t]*[rbfuL@]{0,2}(?P<q>["'`])(?P<secret>[^\s"'`\\]{4,512}+)(?P=q)"""
    r"""[^\w\n"'`]{0,12}(?:\n|\Z)"""
)
"""A literal alone on the line below its name."""
_INDENTED_STRING = re.compile(
    r"""[ \t\r]*\n[ \t]*(?P<secret>[^\s"'`]{4,512}+)[ \t\r]*\n[ \t]*'';"""
)
"""The only line of an indented string of Nix, between the lines that end with `''` and `'';`."""
_ASSIGNED_BELOW = re.compile(
    r"""[ \t\r]*\n[ \t]*=[ \t]*(?P<q>["'])(?P<secret>[^\s"'\\]{4,512}+)(?P=q)[ \t]*;"""
)
"""Matches the value in `= "value";` on the line below the name."""
_IN_LONG_BRACKETS = re.compile(r"\s{1,80}(?P<secret>[^\s\[\]\"',]{6,512}+)\s{0,80}\]={0,4}\]")
"""The only word between long brackets of Lua, `[[` and `]]`, on a line below the first bracket."""
_YAML_EXPLICIT = re.compile(r"""[ \t\r]*\n[ \t]*:[ \t]+["']?(?P<secret>[^\s"']{4,512}+)""")
"""Matches the value in `: value` on the line below `? name`."""
_MOST_ITEMS = 200
"""Most items of a list that are read: bounds the time for a list that never closes."""
_NEAR_LINES = 5
"""Most lines between a name and its value: a type, a comment, a few attributes."""
_LONGEST_BLOCK = 40
"""Most lines of a Terraform variable or of a multi-line literal."""
_LIST_PART = re.compile(r"""\s{0,8}(?P<q>["'`])(?P<secret>[^\s"'`\\]{1,64}+)(?P=q)\s{0,8},?""")
_JOIN_CALL = re.compile(r"\s{0,8}[\])]\s?\.?join\b")
"""A literal of a list, and the call that joins the literals before it."""
_CLOSING_MARKS = {'"""': '"""', "'''": "'''", "`": "`", '@"': '"@', "@'": "'@"}


def _adjacent_line_value(match: re.Match[str], accepts: _ValueTest) -> Iterator[Span]:
    """Yield the span of a secret value on the lines below or above the matched name.

    The search ends at the next name. `accepts` tells whether a value is a secret.
    """
    text = match.string
    at = match.end()
    for _ in range(_NEAR_LINES):
        at = text.find("\n", at) + 1
        if not at or _PAIR_NAME.match(text, at) or _BRACE.match(text, at):
            break
        if (value := _PAIR_VALUE.match(text, at, _line_end(text, at))) and accepts(value["secret"]):
            yield value.span("secret")
            return
    start = text.rfind("\n", 0, match.start()) + 1
    for _ in range(_NEAR_LINES):
        end = max(start - 1, 0)
        start = text.rfind("\n", 0, end) + 1
        if not end or _PAIR_NAME.match(text, start) or _BRACE.match(text, start):
            return
        if (value := _PAIR_VALUE.match(text, start, end)) and accepts(value["secret"]):
            yield value.span("secret")
            return


def _terraform_default(match: re.Match[str], accepts: _ValueTest) -> Iterator[Span]:
    text, at = match.string, match.end()
    for _ in range(_LONGEST_BLOCK):
        at = text.find("\n", at) + 1
        if not at or text.startswith("}", at):
            return
        if (value := _TERRAFORM_DEFAULT.match(text, at, _line_end(text, at))) and accepts(
            value["secret"]
        ):
            yield value.span("secret")


def _value_after(
    pattern: re.Pattern[str], match: re.Match[str], accepts: _ValueTest
) -> Iterator[Span]:
    """Yield the span of the secret value that `pattern` finds directly after the heading."""
    value = pattern.match(match.string, match.end())
    if value and accepts(value["secret"]):
        yield value.span("secret")


def _list_items(match: re.Match[str], accepts: _ValueTest) -> Iterator[Span]:
    """Yield the spans of secrets in a list: literals, and in YAML (after `:`) also bare words.

    Rules of validation are none: `['required', 'min:8']`.
    """
    items = _matches_in_a_row(_ITEM, match)
    has_rules = any(item["secret"] in _RULES for item in items)
    for item in items:
        group = "secret" if item["q"] else "bare"
        if has_rules and _RULE.fullmatch(item[group]):
            continue
        if (item["q"] or match["op"] == ":") and accepts(item[group]):
            yield item.span(group)


def _matches_in_a_row(pattern: re.Pattern[str], match: re.Match[str]) -> list[re.Match[str]]:
    """Return the matches of `pattern` that follow `match` without a gap, one after the other."""
    found: list[re.Match[str]] = []
    at = match.end()
    while len(found) < _MOST_ITEMS and (part := pattern.match(match.string, at)):
        found.append(part)
        at = part.end()
    return found


def _joined_literals(match: re.Match[str], accepts: _ValueTest) -> Iterator[Span]:
    """Yield the span of each part of a value that is split into several literals in a row."""
    literals = _matches_in_a_row(_PIECE, match)
    value = "".join(literal["secret"] for literal in literals)
    if len(literals) > 1 and " " not in value and accepts(value):
        yield from (literal.span("secret") for literal in literals if literal["secret"])


def _joined_list(match: re.Match[str], accepts: _ValueTest) -> Iterator[Span]:
    """Yield the span of each part of a value that code joins from the literals of a list."""
    parts = _matches_in_a_row(_LIST_PART, match)
    end = (parts or [match])[-1].end()
    if not (match["joined"] or _JOIN_CALL.match(match.string, end)):
        return
    value = "".join(part["secret"] for part in parts)
    if len(parts) > 1 and accepts(value):
        yield from (part.span("secret") for part in parts)


def _multiline_literal(match: re.Match[str], accepts: _ValueTest) -> Iterator[Span]:
    """Yield the spans of secret lines in a triple-quoted literal or a here-document."""
    text, at = match.string, match.end()
    end = _CLOSING_MARKS.get(match["mark"]) or match["end"]
    for _ in range(_LONGEST_BLOCK):
        at = text.find("\n", at) + 1
        line = text[at : _line_end(text, at)] if at else end
        if line.strip().startswith(end):
            return
        body = line.strip()
        if " " not in body and accepts(body):
            start = at + indentation(line)
            yield start, start + len(body)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


_OPENING_FILTER = re.compile(r"[=:>][ \t]{0,8}\w{0,20}[\[({]", re.ASCII)
_JOIN_FILTER = re.compile(r"""["'`][ \t]*(?:[+.&~|\\]|<>|["'`]|[\r]?$)""", re.MULTILINE)
_LINE_END_FILTER = re.compile(r"(?:[=:>(\\]|new \w{1,20}\()[ \t\r]*$", re.MULTILINE)
_MULTILINE_FILTER = re.compile(r"""<<|(?:["]{3}|'{3}|`|@["'])[ \t\r]*$""", re.MULTILINE)
_JOINED_FILTER = re.compile(r"\.join\b")
_BLOCK_FILTER = re.compile(r"(?:\{|do)(?:[ ]?\|\w{0,20}\|)?[ \t\r]*$", re.ASCII | re.MULTILINE)
_LONG_BRACKET_FILTER = re.compile(r"\[={0,4}\[[ \t\r]*$", re.MULTILINE)
_VALUE_KEY_FILTER = re.compile(r"(?i)value|default")


class _Heading(NamedTuple):
    """How to find a value that is not beside its name.

    `pattern` matches the name; `find_spans` finds the value from there. `line_prefix` and
    `line_filter` limit the lines of the name.
    """

    pattern: str
    find_spans: ValueFinder
    line_prefix: str = ""
    line_filter: re.Pattern[str] | None = None


_NAME_START = r"[\w.:/-]{0,80}"
"""The start of a longer name, as `prod/db.` before `password`."""


_IN_CALL = (
    rf"""(?:env|environ|get|fetch|property|set|put|define)\w{{0,20}}\(\s{{0,4}}["']{_NAME_START}"""
)
"""A call that gets or sets a value by its name."""


def _headings(name: str) -> Iterator[_Heading]:
    """Yield the headings for names whose value is not beside them.

    The value is on other lines, in a list, or split over literals.
    """
    assigned = (
        rf"""{name}s?{NAME_SUFFIX}["'`]?\]?(?:\s?:[ \w\[\]<>]{{1,30}}|\[\])?[ \t]{{0,8}}"""
        r"(?P<op>=>|[:?+]?=|:)[ \t]{0,8}"
    )
    alone = rf"""{name}{NAME_SUFFIX}["']?,?[ \t\r]*$"""
    yield _Heading(
        alone, _adjacent_line_value, rf"""^[ \t]*(?:-[ \t]+)?{_NAME_KEY}["']?{_NAME_START}"""
    )
    yield _Heading(
        rf"""{name}{NAME_SUFFIX}"[ \t]*\{{""",
        _terraform_default,
        rf"""^[ \t]*variable[ \t]+"{_NAME_START}""",
    )
    yield _Heading(
        rf"""{name}{NAME_SUFFIX}["']?[ \t\r]*$""",
        partial(_value_after, _YAML_EXPLICIT),
        rf"""^[ \t]*\?[ \t]+["']?{_NAME_START}""",
    )
    yield _Heading(
        rf"{name}{NAME_SUFFIX}</key>", partial(_value_after, _PLIST_STRING), rf"<key>{_NAME_START}"
    )
    items = rf"{assigned}(?:\w{{0,20}}[\[(]{{1,2}}|\[\]\w{{1,10}}\{{)(?=[\s\"'`\w]|$)"
    yield _Heading(items, _list_items, line_filter=_OPENING_FILTER)
    ended = rf"{assigned}(?:[(\\]|new \w{{1,20}}\()?[ \t\r]*$"
    literal_below = partial(_value_after, _LITERAL)
    yield _Heading(ended, literal_below, line_filter=_LINE_END_FILTER)
    typed = rf"{name}{NAME_SUFFIX}[ ]as[ ](?:new[ ])?\w{{1,20}}[ ]{{0,4}}(?P<op>=)[ ]{{0,4}}"
    yield _Heading(rf"{typed}(?=\")", _joined_literals, line_filter=_JOIN_FILTER)
    pieces = rf"""{assigned}\(?\s{{0,4}}{_PREFIX}(?=["'`])"""
    yield _Heading(pieces, _joined_literals, line_filter=_JOIN_FILTER)
    joined = rf"""{assigned}(?P<joined>["'][^"'\n]{{0,3}}["']\.join\(\s?)?[\[(](?=\s{{0,8}}["'`])"""
    yield _Heading(joined, _joined_list, line_filter=_JOINED_FILTER)
    here = r"""[^\n]{0,20}<<[-~]?[ ]?["']?(?P<end>\w{1,20})["']?"""
    marked = rf"""{assigned}(?:{here}|(?P<mark>["]{{3}}|'{{3}}|`|@["']))[ \t\r]*$"""
    yield _Heading(marked, _multiline_literal, line_filter=_MULTILINE_FILTER)
    block = rf"""{name}{NAME_SUFFIX}["']\s?\)\s?(?:\{{|do)(?:[ ]?\|\w{{0,20}}\|)?[ \t\r]*$"""
    yield _Heading(block, literal_below, rf"""fetch\(\s{{0,4}}["']{_NAME_START}""", _BLOCK_FILTER)
    yield _Heading(rf"""{name}{NAME_SUFFIX}["'][ \t]*,[ \t\r]*$""", literal_below, _IN_CALL)
    yield _Heading(rf"{assigned}''[ \t\r]*$", partial(_value_after, _INDENTED_STRING))
    yield _Heading(
        rf"""{name}{NAME_SUFFIX}["']\][ \t\r]*$""", partial(_value_after, _ASSIGNED_BELOW)
    )
    yield _Heading(
        rf"{assigned}\[={{0,4}}\[[ \t\r]*$",
        partial(_value_after, _IN_LONG_BRACKETS),
        line_filter=_LONG_BRACKET_FILTER,
    )


def _object_headings(name: str) -> Iterator[_Heading]:
    """Yield the headings with a value in the same object or XML element."""
    quoted = rf"""{_NAME_KEY}["']?{_NAME_START}"""
    yield _Heading(_same_line(name), _value_of_match, quoted, _VALUE_KEY_FILTER)
    yield _Heading(
        rf"""{name}{NAME_SUFFIX}(?:["']|(?=[ \t]*[,}}]))""",
        _value_in_object,
        rf"(?<![\w-]){quoted}",
        _VALUE_KEY_FILTER,
    )
    yield _Heading(
        rf"{name}{NAME_SUFFIX}:?\s?</[\w:.-]{{1,40}}>",
        _next_element_text,
        rf"{_TAG_OF_NAMES}{_NAME_START}",
    )
    tag = rf"""{name}{NAME_SUFFIX}["'][^<>\n]{{0,80}}(?<!/)>"""
    yield _Heading(
        rf"{name}{NAME_SUFFIX}>[ \t\r]*$", partial(_value_after, _OWN_TEXT), r"<[\w.:-]{0,40}"
    )
    inner = (
        rf"""{name}{NAME_SUFFIX}["']?\s?[:=]\s?\{{\s?{_VALUE_KEY}"""
        r"""["'](?P<secret>[^\s"']{4,512}+)"""
    )
    yield _Heading(inner, _value_of_match, line_filter=_VALUE_KEY_FILTER)
    yield _Heading(tag, _next_element_text, rf"""(?:name|key|id)=["']{_NAME_START}""")


_TAG_OF_NAMES = r"<(?:[\w:.-]{0,30}(?:name|key|id)|string|td|th|dt|b|strong|label)>\s?"
_CHILD_TEXT = re.compile(
    r"(?:\s{0,80}<[\w:.-]{1,40}(?:\s[^<>\n]{0,80})?>){1,3}\s{0,80}(?P<secret>[^<\s]{4,512}+)\s{0,80}</"
)
_OWN_TEXT = re.compile(r"\s{1,80}(?P<secret>[^<\s]{4,512}+)\s{0,80}</")
"""The text of an XML element if it has a line of its own."""
_LATER_TEXT = re.compile(
    r"(?:\s{0,80}<[\w:.-]{1,40}>[^<\n]{0,200}</[\w:.-]{1,40}>){1,3}"
    r"\s{0,80}<[\w:.-]{0,30}value>(?P<secret>[^<\s]{4,512}+)</",
    re.IGNORECASE,
)
_VALUE_IN_OBJECT = re.compile(
    rf"""(?<![\w-]){_VALUE_KEY}(?:(?P<q>\\{{0,3}}["'])(?P<secret>[^\s"'\\]{{4,512}}+)(?P=q)"""
    r"""|(?P<bare>[^\s"'\\,}]{4,512}+))""",
    re.IGNORECASE,
)
_LONGEST_OBJECT = 300  # characters before and after a name; longer objects are rare


def _next_element_text(match: re.Match[str], accepts: _ValueTest) -> Iterator[Span]:
    for pattern in (_CHILD_TEXT, _LATER_TEXT):
        element = pattern.match(match.string, match.end())
        if element and accepts(element["secret"]):
            yield element.span("secret")
            return


def _value_in_object(match: re.Match[str], accepts: _ValueTest) -> Iterator[Span]:
    text = match.string
    line = text.rfind("\n", 0, match.start()) + 1
    start = max(
        line, match.start() - _LONGEST_OBJECT, *_offsets_after_openings(text, line, match.start())
    )
    end = min(_line_end(text, match.end()), match.end() + _LONGEST_OBJECT)
    for closing in "}>":
        at = text.find(closing, match.end(), end)
        end = at if at >= 0 else end
    for value in _VALUE_IN_OBJECT.finditer(text, start, end):
        group = "secret" if value["q"] else "bare"
        if accepts(value[group]):
            yield value.span(group)


_OPENINGS = ('{"', "{'", "{ ", "{\\", "<")


def _offsets_after_openings(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offset after the last occurrence in `start:end` of each opening sign, like `{`.

    The offset is 0 for a sign that does not occur.
    """
    return (text.rfind(sign, start, end) + 1 for sign in _OPENINGS)


def _same_line(name: str) -> str:
    """Return a pattern that matches `"name": "NAME", "value": "…"`."""
    return (
        rf"""{name}{NAME_SUFFIX}["']?[ \t]*[,;][ \t]*{_VALUE_KEY}"""
        r"""["']?(?P<secret>[^\s"',}]{4,512}+)"""
    )


def _value_of_match(match: re.Match[str], accepts: _ValueTest) -> Iterator[Span]:
    if accepts(match["secret"]):
        yield match.span("secret")


_KINDS = (
    ("password", PASSWORD_NAME, PASSWORD_NEEDLES, value_tests.is_paired_password),
    ("secret", KEY_NAME, KEY_NEEDLES, value_tests.is_listed_key),
)


def _detectors() -> Iterator[Detector]:
    for rule, name, needles, accepts in _KINDS:
        for heading in (*_headings(name), *_object_headings(name)):
            yield Detector(
                rule,
                LazyPattern(heading.pattern),
                needles,
                line_filter=heading.line_filter,
                line_prefix=heading.line_prefix,
                find_spans=partial(heading.find_spans, accepts=accepts),
                reads_lines=heading.find_spans is not _value_of_match,
            )


PAIR_DETECTORS = tuple(_detectors())

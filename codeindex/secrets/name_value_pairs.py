"""Secrets whose name and value are two things: pairs, lists, literals below their name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, Protocol

from codeindex.secrets import value_tests
from codeindex.secrets.detector import Detector, Span
from codeindex.secrets.name_patterns import (
    KEY_NAME,
    KEY_NEEDLES,
    NAME_SUFFIX,
    PASSWORD_NAME,
    PASSWORD_NEEDLES,
)
from codeindex.secrets.named_values import FLAGS, compile_line_prefix, leading_name

_ValueTest = Callable[[str], bool]


class PairSpanFinder(Protocol):
    """Finds the secrets that a match announces."""

    def __call__(self, match: re.Match[str], judge: _ValueTest) -> Iterator[Span]: ...


_NAMED = (
    r"""["']?(?:[nk]|name|key|id|label|title|variable|var|env|field|property|attribute|setting"""
    r"""|option_?name|parameter_?(?:name|key)|param(?:eter)?)["']?"""
    r"[ \t]*[:=][ \t]*"
)
_VALUED = (
    r"""["']?(?:(?:default|parameter|string|option|initial|plain|secret)?_?value|v|val|default|plaintext"""
    r"""|content|data|text|secretstring)["']?"""
    r"[ \t]*[:=][ \t]*"
)
_PAIR_VALUE = re.compile(
    rf"""[ \t]*(?:-[ \t]+)?{_VALUED}(?P<q>["']?)(?P<secret>[^\s"',]{{4,512}}+)(?P=q),?"""
    r"[ \t\r]*(?:\#.*)?$",
    re.IGNORECASE,
)
_PAIR_NAME = re.compile(rf"""[ \t]*(?:-[ \t]+)?{_NAMED}["']?[a-z_$]""", re.IGNORECASE)
_BRACE = re.compile(r"[ \t]*[{}()\[\]]")
"""A line that opens or closes an object; the value of a name is never beyond it."""
_DEFAULT = re.compile(r"""[ \t]*default[ \t]*=[ \t]*"(?P<secret>[^\s"$]{4,512}+)"[ \t\r]*$""")
_PREFIX = r"[rbfuL@$]{0,2}"
_SIGN = r"(?:[+&~]|\.concat\(|\.{1,2}|\|\||<>)?"
_JOIN = rf"[ \t]{{0,8}}{_SIGN}[ \t]{{0,8}}(?:[\\]?\r?\n[ \t]{{0,80}}{_SIGN}[ \t]{{0,8}})?{_PREFIX}"
_PIECE = re.compile(
    rf"""(?P<q>["'`])(?P<secret>[^"'`\n\\]{{0,64}})(?P=q)(?:{_JOIN}(?=["'`](?!["'`]{{2}})))?"""
)
"""A literal of several in a row, and what joins it with the next."""
_PLIST = re.compile(r"[ \t\r\n]*<string>(?P<secret>[^<\s]{4,512}+)</string>")
_ITEM = re.compile(
    r"""[\s,]*(?:(?:\#|//)[^\n]*\n[\s,]*)?(?:(?P<q>["'`])(?P<secret>[^\s"'`\\]{4,512}+)(?P=q)"""
    r"""|(?P<bare>[^\s,"'`\[\](){}\\]{4,512}+))"""
)
_LITERAL = re.compile(
    r"""[ \t\r]*\n[ \t]*[rbfuL@]{0,2}(?P<q>["'`])(?P<secret>[^\s"'`\\]{4,512}+)(?P=q)"""
    r"""[^\w\n"'`]{0,12}(?:\n|\Z)"""
)
_IN_LONG_BRACKETS = re.compile(r"\s{1,80}(?P<secret>[^\s\[\]\"',]{6,512}+)\s{0,80}\]={0,4}\]")
_EXPLICIT = re.compile(r"""[ \t\r]*\n[ \t]*:[ \t]+["']?(?P<secret>[^\s"']{4,512}+)""")
_MOST_ITEMS = 200
_NEAR = 5
"""Lines: what stands between a name and its value is a type, a comment, a few attributes."""
_LONGEST_BLOCK = 40
"""Lines of a variable of Terraform, or of a text between marks."""
_ENDS = {'"""': '"""', "'''": "'''", "`": "`", '@"': '"@', "@'": "'@"}


def _neighbours(match: re.Match[str], judge: _ValueTest) -> Iterator[Span]:
    """Look below and above a name for its value, no further than the next name."""
    text = match.string
    at = match.end()
    for _ in range(_NEAR):
        at = text.find("\n", at) + 1
        if not at or _PAIR_NAME.match(text, at) or _BRACE.match(text, at):
            break
        if (found := _PAIR_VALUE.match(text, at, _line_end(text, at))) and judge(found["secret"]):
            yield found.span("secret")
            return
    start = text.rfind("\n", 0, match.start()) + 1
    for _ in range(_NEAR):
        end = max(start - 1, 0)
        start = text.rfind("\n", 0, end) + 1
        if not end or _PAIR_NAME.match(text, start) or _BRACE.match(text, start):
            return
        if (found := _PAIR_VALUE.match(text, start, end)) and judge(found["secret"]):
            yield found.span("secret")
            return


def _default(match: re.Match[str], judge: _ValueTest) -> Iterator[Span]:
    text, at = match.string, match.end()
    for _ in range(_LONGEST_BLOCK):
        at = text.find("\n", at) + 1
        if not at or text.startswith("}", at):
            return
        if (found := _DEFAULT.match(text, at, _line_end(text, at))) and judge(found["secret"]):
            yield found.span("secret")


def _next_element(match: re.Match[str], judge: _ValueTest) -> Iterator[Span]:
    found = _PLIST.match(match.string, match.end())
    if found and judge(found["secret"]):
        yield found.span("secret")


def _items(match: re.Match[str], judge: _ValueTest) -> Iterator[Span]:
    """Yield the literals of a list; of one of YAML the bare words too."""
    at = match.end()
    for _ in range(_MOST_ITEMS):
        found = _ITEM.match(match.string, at)
        if not found:
            return
        group = "secret" if found["q"] else "bare"
        if (found["q"] or match["op"] == ":") and judge(found[group]):
            yield found.span(group)
        at = found.end()


def _explicit(match: re.Match[str], judge: _ValueTest) -> Iterator[Span]:
    """Yield the value in the line below `? name` of YAML."""
    found = _EXPLICIT.match(match.string, match.end())
    if found and judge(found["secret"]):
        yield found.span("secret")


def _literal(match: re.Match[str], judge: _ValueTest) -> Iterator[Span]:
    found = _LITERAL.match(match.string, match.end())
    if found and judge(found["secret"]):
        yield found.span("secret")


def _pieces(match: re.Match[str], judge: _ValueTest) -> Iterator[Span]:
    """Yield each part of a value that is written as several literals in a row."""
    found: list[re.Match[str]] = []
    at = match.end()
    while len(found) < _MOST_ITEMS and (piece := _PIECE.match(match.string, at)):
        found.append(piece)
        at = piece.end()
    value = "".join(one["secret"] for one in found)
    if len(found) > 1 and " " not in value and judge(value):
        yield from (one.span("secret") for one in found if one["secret"])


def _text(match: re.Match[str], judge: _ValueTest) -> Iterator[Span]:
    """Yield the lines of a text in triple quotes or of a here-document."""
    text, at = match.string, match.end()
    end = _ENDS.get(match["mark"]) or match["end"]
    for _ in range(_LONGEST_BLOCK):
        at = text.find("\n", at) + 1
        line = text[at : _line_end(text, at)] if at else end
        if line.strip().startswith(end):
            return
        body = line.strip()
        if " " not in body and judge(body):
            start = at + len(line) - len(line.lstrip())
            yield start, start + len(body)


def _long_text(match: re.Match[str], judge: _ValueTest) -> Iterator[Span]:
    """Yield the only word between long brackets of Lua, in the line below the first one."""
    found = _IN_LONG_BRACKETS.match(match.string, match.end())
    if found and judge(found["secret"]):
        yield found.span("secret")


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


_OPENED = re.compile(r"[=:>][ \t]{0,8}\w{0,20}[\[({]", re.ASCII)
_JOINED = re.compile(r"""["'`][ \t]*(?:[+.&~|\\]|<>|["'`]|[\r]?$)""", re.MULTILINE)
_ENDED = re.compile(r"(?:[=:>(\\]|new \w{1,20}\()[ \t\r]*$", re.MULTILINE)
_MARKED = re.compile(r"""<<|(?:["]{3}|'{3}|`|@["'])[ \t\r]*$""", re.MULTILINE)
_BLOCK = re.compile(r"(?:\{|do)(?:[ ]?\|\w{0,20}\|)?[ \t\r]*$", re.ASCII | re.MULTILINE)
_LONG_TEXT = re.compile(r"\[={0,4}\[[ \t\r]*$", re.MULTILINE)
_VALUE_TOO = re.compile(r"(?i)value|default")


class _Head(NamedTuple):
    """What announces a secret elsewhere, what stands before it, and on which lines it is."""

    pattern: str
    find_spans: PairSpanFinder
    line_prefix: str = ""
    line_filter: re.Pattern[str] | None = None


def _heads(name: str) -> Iterator[_Head]:
    called = r"[\w.:/-]{0,80}"
    given = (
        rf"""{name}s?{NAME_SUFFIX}["'`]?\]?(?:\s?:[ \w\[\]<>]{{1,30}}|\[\])?[ \t]{{0,8}}"""
        r"(?P<op>=>|[:?+]?=|:)[ \t]{0,8}"
    )
    alone = rf"""{name}{NAME_SUFFIX}["']?,?[ \t\r]*$"""
    yield _Head(alone, _neighbours, rf"""^[ \t]*(?:-[ \t]+)?{_NAMED}["']?{called}""")
    yield _Head(
        rf"""{name}{NAME_SUFFIX}"[ \t]*\{{""", _default, rf"""^[ \t]*variable[ \t]+"{called}"""
    )
    yield _Head(
        rf"""{name}{NAME_SUFFIX}["']?[ \t\r]*$""", _explicit, rf"""^[ \t]*\?[ \t]+["']?{called}"""
    )
    yield _Head(rf"{name}{NAME_SUFFIX}</key>", _next_element, rf"<key>{called}")
    items = rf"{given}(?:\w{{0,20}}[\[(]{{1,2}}|\[\]\w{{1,10}}\{{)(?=[\s\"'`\w]|$)"
    yield _Head(items, _items, line_filter=_OPENED)
    ended = rf"{given}(?:[(\\]|new \w{{1,20}}\()?[ \t\r]*$"
    yield _Head(ended, _literal, line_filter=_ENDED)
    typed = rf"{name}{NAME_SUFFIX}[ ]as[ ](?:new[ ])?\w{{1,20}}[ ]{{0,4}}(?P<op>=)[ ]{{0,4}}"
    yield _Head(rf"{typed}(?=\")", _pieces, line_filter=_JOINED)
    pieces = rf"""{given}\(?\s{{0,4}}{_PREFIX}(?=["'`])"""
    yield _Head(pieces, _pieces, line_filter=_JOINED)
    here = r"""[^\n]{0,20}<<[-~]?[ ]?["']?(?P<end>\w{1,20})["']?"""
    marked = rf"""{given}(?:{here}|(?P<mark>["]{{3}}|'{{3}}|`|@["']))[ \t\r]*$"""
    yield _Head(marked, _text, line_filter=_MARKED)
    block = rf"""{name}{NAME_SUFFIX}["']\s?\)\s?(?:\{{|do)(?:[ ]?\|\w{{0,20}}\|)?[ \t\r]*$"""
    yield _Head(block, _literal, rf"""fetch\(\s{{0,4}}["']{called}""", _BLOCK)
    yield _Head(rf"{given}\[={{0,4}}\[[ \t\r]*$", _long_text, line_filter=_LONG_TEXT)
    quoted = rf"""{_NAMED}["']?{called}"""
    yield _Head(_same_line(name), _one, quoted, _VALUE_TOO)
    yield _Head(
        rf"""{name}{NAME_SUFFIX}(?:["']|(?=[ \t]*[,}}]))""",
        _in_object,
        rf"(?<![\w-]){quoted}",
        _VALUE_TOO,
    )
    yield _Head(
        rf"{name}{NAME_SUFFIX}:?\s?</[\w:.-]{{1,40}}>", _next_text, rf"{_TAG_OF_NAMES}{called}"
    )
    tag = rf"""{name}{NAME_SUFFIX}["'][^<>\n]{{0,80}}(?<!/)>"""
    yield _Head(rf"{name}{NAME_SUFFIX}>[ \t\r]*$", _text_below, r"<[\w.:-]{0,40}")
    inner = (
        rf"""{name}{NAME_SUFFIX}["']?\s?[:=]\s?\{{\s?{_VALUED}["'](?P<secret>[^\s"']{{4,512}}+)"""
    )
    yield _Head(inner, _one, line_filter=_VALUE_TOO)
    yield _Head(tag, _next_text, rf"""(?:name|key|id)=["']{called}""")


_TAG_OF_NAMES = r"<(?:[\w:.-]{0,30}(?:name|key|id)|string|td|th|dt|b|strong|label)>\s?"
_TEXT = re.compile(
    r"(?:\s{0,80}<[\w:.-]{1,40}(?:\s[^<>\n]{0,80})?>){1,3}\s{0,80}(?P<secret>[^<\s]{4,512}+)\s{0,80}</"
)
_OWN_TEXT = re.compile(r"\s{1,80}(?P<secret>[^<\s]{4,512}+)\s{0,80}</")
_LATER_TEXT = re.compile(
    r"(?:\s{0,80}<[\w:.-]{1,40}>[^<\n]{0,200}</[\w:.-]{1,40}>){1,3}"
    r"\s{0,80}<[\w:.-]{0,30}value>(?P<secret>[^<\s]{4,512}+)</",
    re.IGNORECASE,
)
_VALUE_IN_OBJECT = re.compile(
    rf"""(?<![\w-]){_VALUED}(?:(?P<q>\\{{0,3}}["'])(?P<secret>[^\s"'\\]{{4,512}}+)(?P=q)"""
    r"""|(?P<bare>[^\s"'\\,}]{4,512}+))""",
    re.IGNORECASE,
)
_LONGEST_OBJECT = 300  # characters on both sides of a name


def _next_text(match: re.Match[str], judge: _ValueTest) -> Iterator[Span]:
    for pattern in (_TEXT, _LATER_TEXT):
        found = pattern.match(match.string, match.end())
        if found and judge(found["secret"]):
            yield found.span("secret")
            return


def _text_below(match: re.Match[str], judge: _ValueTest) -> Iterator[Span]:
    """Yield the text of an element that stands in a line of its own."""
    found = _OWN_TEXT.match(match.string, match.end())
    if found and judge(found["secret"]):
        yield found.span("secret")


def _in_object(match: re.Match[str], judge: _ValueTest) -> Iterator[Span]:
    text = match.string
    line = text.rfind("\n", 0, match.start()) + 1
    start = max(line, match.start() - _LONGEST_OBJECT, *_after(text, line, match.start()))
    end = min(_line_end(text, match.end()), match.end() + _LONGEST_OBJECT)
    for closing in "}>":
        at = text.find(closing, match.end(), end)
        end = at if at >= 0 else end
    for found in _VALUE_IN_OBJECT.finditer(text, start, end):
        group = "secret" if found["q"] else "bare"
        if judge(found[group]):
            yield found.span(group)


_OPENINGS = ('{"', "{'", "{ ", "{\\", "<")


def _after(text: str, start: int, end: int) -> Iterator[int]:
    """Yield for each opening sign the offset behind its last occurrence in `start:end`, or 0."""
    return (text.rfind(sign, start, end) + 1 for sign in _OPENINGS)


def _same_line(name: str) -> str:
    """`"name": "NAME", "value": "…"`."""
    return (
        rf"""{name}{NAME_SUFFIX}["']?[ \t]*[,;][ \t]*{_VALUED}"""
        r"""["']?(?P<secret>[^\s"',}]{4,512}+)"""
    )


def _one(match: re.Match[str], judge: _ValueTest) -> Iterator[Span]:
    if judge(match["secret"]):
        yield match.span("secret")


_KINDS = (
    ("password", PASSWORD_NAME, PASSWORD_NEEDLES, value_tests.is_paired_password),
    ("secret", KEY_NAME, KEY_NEEDLES, value_tests.is_listed_key),
)


def _detectors() -> Iterator[Detector]:
    for rule, name, needles, judge in _KINDS:
        for head in _heads(name):
            yield Detector(
                rule,
                re.compile(head.pattern, FLAGS),
                needles,
                line_filter=head.line_filter,
                starts_with=leading_name(head.pattern),
                line_prefix=compile_line_prefix(head.line_prefix),
                near_line_start=head.line_prefix.startswith("^"),
                find_spans=partial(head.find_spans, judge=judge),
            )


PAIR_DETECTORS = tuple(_detectors())

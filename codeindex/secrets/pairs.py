"""Secrets whose name and value are two things: pairs, lists, literals below their name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

from codeindex.secrets import values
from codeindex.secrets._base import Detector, Span
from codeindex.secrets.names import ANY_KEY, KEY_NEEDLES, LOGIN, LOGIN_NEEDLES, TAIL
from codeindex.secrets.rows import FLAGS, begins

_Judge = Callable[[str], bool]


class Reach(Protocol):
    """Finds the secrets that a match announces."""

    def __call__(self, match: re.Match[str], judge: _Judge) -> Iterator[Span]: ...


_NAMED = (
    r"""["']?(?:name|key|id|variable|env|field|option_?name|parameter_?(?:name|key))["']?"""
    r"[ \t]*[:=][ \t]*"
)
_VALUED = (
    r"""["']?(?:(?:default|parameter|string|option)?_?value|default|plaintext)["']?"""
    r"[ \t]*[:=][ \t]*"
)
_PAIR_VALUE = re.compile(
    rf"""[ \t]*(?:-[ \t]+)?{_VALUED}(?P<q>["']?)(?P<secret>[^\s"',]{{4,512}}+)(?P=q),?"""
    r"[ \t\r]*(?:\#.*)?$",
    re.IGNORECASE,
)
_PAIR_NAME = re.compile(rf"[ \t]*(?:-[ \t]+)?{_NAMED}", re.IGNORECASE)
_DEFAULT = re.compile(r"""[ \t]*default[ \t]*=[ \t]*"(?P<secret>[^\s"$]{4,512}+)"[ \t\r]*$""")
_PLIST = re.compile(r"[ \t\r\n]*<string>(?P<secret>[^<\s]{4,512}+)</string>")
_ITEM = re.compile(
    r"""[\s,]*(?:(?:\#|//)[^\n]*\n[\s,]*)?(?:(?P<q>["'`])(?P<secret>[^\s"'`\\]{4,512}+)(?P=q)"""
    r"""|(?P<bare>[^\s,"'`\[\](){}\\]{4,512}+))"""
)
_LITERAL = re.compile(
    r"""[ \t\r]*\n[ \t]*[rbfuL@]{0,2}(?P<q>["'`])(?P<secret>[^\s"'`\\]{4,512}+)(?P=q)"""
    r"""[^\w\n"'`]{0,12}(?:\n|\Z)"""
)
_MOST_ITEMS = 200
_NEAR = 2
"""Lines: what stands between a name and its value is at most a type or a comment."""
_LONGEST_BLOCK = 40
"""Lines of a variable of Terraform, or of a text between marks."""
_ENDS = {'"""': '"""', "'''": "'''", "`": "`"}


def _neighbours(match: re.Match[str], judge: _Judge) -> Iterator[Span]:
    """Look below and above a name for its value, no further than the next name."""
    text = match.string
    at = match.end()
    for _ in range(_NEAR):
        at = text.find("\n", at) + 1
        if not at or _PAIR_NAME.match(text, at):
            break
        if (found := _PAIR_VALUE.match(text, at, _line_end(text, at))) and judge(found["secret"]):
            yield found.span("secret")
            return
    above = text.rfind("\n", 0, max(match.start() - 1, 0)) + 1
    found = _PAIR_VALUE.match(text, above, max(match.start() - 1, 0))
    if found and judge(found["secret"]):
        yield found.span("secret")


def _default(match: re.Match[str], judge: _Judge) -> Iterator[Span]:
    text, at = match.string, match.end()
    for _ in range(_LONGEST_BLOCK):
        at = text.find("\n", at) + 1
        if not at or text.startswith("}", at):
            return
        if (found := _DEFAULT.match(text, at, _line_end(text, at))) and judge(found["secret"]):
            yield found.span("secret")


def _next_element(match: re.Match[str], judge: _Judge) -> Iterator[Span]:
    found = _PLIST.match(match.string, match.end())
    if found and judge(found["secret"]):
        yield found.span("secret")


def _items(match: re.Match[str], judge: _Judge) -> Iterator[Span]:
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


def _literal(match: re.Match[str], judge: _Judge) -> Iterator[Span]:
    found = _LITERAL.match(match.string, match.end())
    if found and judge(found["secret"]):
        yield found.span("secret")


def _text(match: re.Match[str], judge: _Judge) -> Iterator[Span]:
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


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


_ELEMENT = re.compile("<key>")
_OPENED = re.compile(r"[=:>][ \t]{0,8}\w{0,20}[\[({]", re.ASCII)
_ENDED = re.compile(r"(?:[=:>(\\]|new \w{1,20}\()[ \t\r]*$", re.MULTILINE)
_MARKED = re.compile(r"""<<|(?:["]{3}|'{3}|`)[ \t\r]*$""", re.MULTILINE)
_VALUE_TOO = re.compile(r"(?i)value|default")


def _heads(name: str) -> Iterator[tuple[re.Pattern[str] | None, str, Reach]]:
    """Yield what announces a secret elsewhere, on which lines, and how the secret is reached."""
    called = rf"[\w.:/-]{{0,80}}{name}{TAIL}"
    given = (
        rf"""{name}s?{TAIL}["'`]?\]?(?:\s?:[ \w\[\]<>]{{1,30}}|\[\])?[ \t]{{0,8}}"""
        r"(?P<op>=>|[:?+]?=|:)[ \t]{0,8}"
    )
    yield None, rf"""^[ \t]*(?:-[ \t]+)?{_NAMED}["']?{called}["']?,?[ \t\r]*$""", _neighbours
    yield None, rf"""^[ \t]*variable[ \t]+"{called}"[ \t]*\{{""", _default
    yield _ELEMENT, rf"<key>{called}</key>", _next_element
    yield _OPENED, rf"{given}(?:\w{{0,20}}[\[(]{{1,2}}|\[\]\w{{1,10}}\{{)(?=[\s\"'`\w]|$)", _items
    yield _ENDED, rf"{given}(?:[(\\]|new \w{{1,20}}\()?[ \t\r]*$", _literal
    here = r"""[^\n]{0,20}<<[-~]?[ ]?["']?(?P<end>\w{1,20})["']?"""
    yield _MARKED, rf"""{given}(?:{here}|(?P<mark>["]{{3}}|'{{3}}|`))[ \t\r]*$""", _text
    yield _VALUE_TOO, _same_line(name), _one


def _same_line(name: str) -> str:
    """`"name": "NAME", "value": "…"`."""
    return (
        rf"""{_NAMED}["']?[\w.:/-]{{0,80}}{name}{TAIL}["']?[ \t]*[,;][ \t]*{_VALUED}"""
        r"""["']?(?P<secret>[^\s"',}]{4,512}+)"""
    )


def _one(match: re.Match[str], judge: _Judge) -> Iterator[Span]:
    if judge(match["secret"]):
        yield match.span("secret")


_KINDS = (
    ("password", LOGIN, LOGIN_NEEDLES, values.is_paired_password),
    ("secret", ANY_KEY, KEY_NEEDLES, values.is_listed_key),
)


def _detectors() -> Iterator[Detector]:
    for rule, name, needles, judge in _KINDS:
        for within, pattern, reach in _heads(name):
            yield Detector(
                rule,
                re.compile(pattern, FLAGS),
                needles,
                within=within,
                begins=begins(pattern),
                reach=partial(reach, judge=judge),
            )


PAIRS = tuple(_detectors())

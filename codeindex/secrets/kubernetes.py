"""Detects the values in Kubernetes secrets (`kind: Secret`), whatever their keys are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from codeindex.secrets.detector import Span
from codeindex.secrets.value_tests import is_template

RULE = "kubernetes_secret"

_KIND = re.compile(r"""kind["']?[ \t]*:[ \t]*["']?Secret["']?[ \t\r]*(?:[,#].*)?$""", re.MULTILINE)
"""The line that makes a mapping a secret."""
_DATA = re.compile(r"""["']?(?:data|stringData)["']?[ \t]*:[ \t]*(?P<flow>\{.*)?""")
"""The key whose values are secret, with its value if that is a flow mapping."""
_LINE = re.compile(r"^(?P<lead>[ \t]*+(?:-[ \t]+)*+)(?P<body>(?:\S[^\n]*)?)$", re.MULTILINE)
_EDGES = ("---", "...", "```")
"""The start of a line that ends a YAML document or the Markdown code block around it."""
_ENTRY = re.compile(
    r"""["']?[\w.-]+["']?[ \t]*:[ \t]*(?P<q>["']?)(?P<secret>[^\s|>].*?)(?P=q),?(?:[ \t]\#.*)?$"""
)
"""A key with its value."""
_NO_VALUE = re.compile(r"""["']?[\w.-]+["']?[ \t]*:[ \t]*(?:[|>][-+\d]{0,2})?(?:[ \t]*\#.*)?$|\#""")
"""A key without a value on its line, or a comment."""
_ONE_LINE = re.compile(r"""\\?"kind\\?"\s?:\s?\\?"Secret\\?\"""")
"""A secret as JSON on one line, in which quotes may be escaped."""
_ONE_LINE_DATA = re.compile(r"""\\?"(?:data|stringData)\\?"\s?:\s?(?P<flow>\{[^{}\n]*)""")
"""The values of a secret that is JSON on one line."""
_FLOW = re.compile(r""":\s?\\?["']?(?P<secret>[^\s"'\\,{}]+)""")


@dataclass(slots=True)
class _Mapping:
    """A YAML mapping that the next lines may continue. All of its keys are equally indented."""

    indent: int
    is_secret: bool = False
    in_data: bool = False
    depth: int = 0
    """Indentation of the keys of `data`; deeper lines belong to a block scalar."""
    spans: list[Span] = field(default_factory=list)


def kubernetes_secret_spans(text: str) -> Iterator[Span]:
    """Yield the spans of all values below `data` and `stringData` in Kubernetes secrets.

    These keys may be before or after `kind: Secret`.
    """
    if "Secret" not in text:
        return
    if _ONE_LINE.search(text):
        yield from _one_line_spans(text)
    if not _KIND.search(text):
        return
    open_: list[_Mapping] = []
    for line in _LINE.finditer(text):
        if line["body"]:
            yield from _close_mappings(open_, line)
            _add_line(open_, line)
    yield from (span for mapping in open_ if mapping.is_secret for span in mapping.spans)


def _one_line_spans(text: str) -> Iterator[Span]:
    """Yield the spans of values in one-line JSON, as `kubectl apply` writes in an annotation."""
    for line in _LINE.finditer(text):
        if _ONE_LINE.search(line["body"]):
            for data in _ONE_LINE_DATA.finditer(text, *line.span("body")):
                yield from _flow_spans(text, data.span("flow"))


def _flow_spans(text: str, flow: Span) -> Iterator[Span]:
    for value in _FLOW.finditer(text, *flow):
        if not is_template(value["secret"]):
            yield value.span("secret")


def _close_mappings(open_: list[_Mapping], line: re.Match[str]) -> Iterator[Span]:
    """Remove the mappings that end before `line`; yield the values in those that are secrets.

    A mapping ends before a line that is indented less.
    """
    ends_all = line["body"].startswith(_EDGES)
    depth = len(line["lead"].partition("-")[0])  # a dash ends the mapping before it
    while open_ and (ends_all or depth < open_[-1].indent):
        mapping = open_.pop()
        if mapping.is_secret:
            yield from mapping.spans


def _add_line(open_: list[_Mapping], line: re.Match[str]) -> None:
    """Add a line to the innermost open mapping, or open a new one if it is indented deeper."""
    indent = len(line["lead"])
    if open_ and open_[-1].in_data and indent > open_[-1].indent:
        _add_value(open_[-1], line)
        return
    if not open_ or open_[-1].indent < indent:
        open_.append(_Mapping(indent))
    mapping = open_[-1]
    data = _DATA.match(line["body"])
    mapping.in_data, mapping.depth = bool(data), 0
    mapping.is_secret |= bool(_KIND.match(line["body"].lstrip("\"'")))
    if data and data["flow"]:
        start = line.start("body")
        flow = start + data.start("flow"), start + data.end("flow")
        mapping.spans += _flow_spans(line.string, flow)


def _add_value(mapping: _Mapping, line: re.Match[str]) -> None:
    """Add the span of a key's value; in a block scalar, that of the whole line."""
    mapping.depth = mapping.depth or len(line["lead"])
    text, start = line.string, line.start("body")
    span = start, start + len(line["body"].rstrip())
    if len(line["lead"]) == mapping.depth:
        if _NO_VALUE.match(text, *span):
            return
        if entry := _ENTRY.match(text, *span):
            span = entry.span("secret")
    if not is_template(text[slice(*span)]):
        mapping.spans.append(span)

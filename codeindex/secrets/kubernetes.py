"""The values of Kubernetes secrets, whatever their keys are called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from codeindex.secrets.detector import Span
from codeindex.secrets.value_tests import is_template

RULE = "kubernetes_secret"

_KIND = re.compile(r"""kind["']?[ \t]*:[ \t]*["']?Secret["']?[ \t\r]*(?:[,#].*)?$""", re.MULTILINE)
_DATA = re.compile(r"""["']?(?:data|stringData)["']?[ \t]*:[ \t]*(?P<flow>\{.*)?""")
_LINE = re.compile(r"^(?P<lead>[ \t]*+(?:-[ \t]+)*+)(?P<body>(?:\S[^\n]*)?)$", re.MULTILINE)
_EDGES = ("---", "...", "```")
"""What ends a document: of YAML, or of the prose around it."""
_ENTRY = re.compile(
    r"""["']?[\w.-]+["']?[ \t]*:[ \t]*(?P<q>["']?)(?P<secret>[^\s|>].*?)(?P=q),?(?:[ \t]\#.*)?$"""
)
_NO_VALUE = re.compile(r"""["']?[\w.-]+["']?[ \t]*:[ \t]*(?:[|>][-+\d]{0,2})?(?:[ \t]*\#.*)?$|\#""")
_ONE_LINE = re.compile(r"""\\?"kind\\?"\s?:\s?\\?"Secret\\?\"""")
_ONE_LINE_DATA = re.compile(r"""\\?"(?:data|stringData)\\?"\s?:\s?(?P<flow>\{[^{}\n]*)""")
_FLOW = re.compile(r""":\s?\\?["']?(?P<secret>[^\s"'\\,{}]+)""")


@dataclass(slots=True)
class _Mapping:
    """The keys that stand equally deep, one below another."""

    indent: int
    is_secret: bool = False
    in_data: bool = False
    depth: int = 0
    """Where the keys of `data` begin; what is deeper belongs to a block scalar."""
    spans: list[Span] = field(default_factory=list)


def kubernetes_secret_spans(text: str) -> Iterator[Span]:
    """Yield the values of `data` and `stringData`, which may stand before the `kind` or after."""
    if "Secret" not in text:
        return
    if _ONE_LINE.search(text):
        yield from _one_line_spans(text)
    if not _KIND.search(text):
        return
    open_: list[_Mapping] = []
    for line in _LINE.finditer(text):
        if line["body"]:
            yield from _closed(open_, line)
            _take(open_, line)
    yield from (span for one in open_ if one.is_secret for span in one.spans)


def _one_line_spans(text: str) -> Iterator[Span]:
    """JSON on one line, as `kubectl apply` keeps it in an annotation."""
    for line in _LINE.finditer(text):
        if _ONE_LINE.search(line["body"]):
            for data in _ONE_LINE_DATA.finditer(text, *line.span("body")):
                yield from _flow_spans(text, data.span("flow"))


def _flow_spans(text: str, flow: Span) -> Iterator[Span]:
    for found in _FLOW.finditer(text, *flow):
        if not is_template(found["secret"]):
            yield found.span("secret")


def _closed(open_: list[_Mapping], line: re.Match[str]) -> Iterator[Span]:
    """Close the mappings that end before `line`; yield what the secrets among them hold."""
    ends_all = line["body"].startswith(_EDGES)
    depth = len(line["lead"].partition("-")[0])  # where a dash stands, the mapping before it ends
    while open_ and (ends_all or depth < open_[-1].indent):
        mapping = open_.pop()
        if mapping.is_secret:
            yield from mapping.spans


def _take(open_: list[_Mapping], line: re.Match[str]) -> None:
    indent = len(line["lead"])
    if open_ and open_[-1].in_data and indent > open_[-1].indent:
        _take_value(open_[-1], line)
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


def _take_value(mapping: _Mapping, line: re.Match[str]) -> None:
    """Take in the value of a key, or all of a line of a block scalar."""
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

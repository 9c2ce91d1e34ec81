"""Define single-file components of Vue, whose templates use the names of their scripts."""

from __future__ import annotations

import re

from codeindex.languages import typescript
from codeindex.languages._components import (
    ScriptCopy,
    block_pattern,
    component_language,
    find_blocks,
    pascal_case,
)

_BLOCK = block_pattern(rb"[A-Za-z][\w-]*")
_SETUP = re.compile(rb"\bsetup\b")
_DECLARED = re.compile(
    rb"^[ \t]*(?:import\b(?P<imported>[^;'\"]*?)\bfrom\b|(?:export\s+(?:default\s+)?)?(?:async\s+)?"
    rb"(?:const|let|var|function|class|enum)\b\s*\*?\s*(?P<names>\{[^}]*\}|\[[^\]]*\]|[\w$]+))",
    re.MULTILINE,
)
"""Matches imports and declarations of a script, with the names that they bind."""
_MARKUP = re.compile(
    rb"\{\{(?P<text>(?:(?!\{\{).)*?)\}\}"
    rb"|<(?P<tag>[A-Za-z][\w.-]*)(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(
    rb"""(?<![^\s"'<>/=])(?P<name>[^\s"'<>/=]++)\s*+=\s*+(?P<quote>["'])(?P<value>.*?)(?P=quote)""",
    re.DOTALL,
)
_LOOP = re.compile(rb"(?P<bound>.*?)\s(?:in|of)\s(?P<list>.*)", re.DOTALL)
_BINDING = re.compile(rb"#|v-slot\b|slot-scope$")
_EVENT = re.compile(rb"@|v-on:")
_VALUE = re.compile(rb"[:.]|v-|ref$")


def read_vue_script(source: bytes, *, with_markup: bool, with_bound: bool) -> bytes:
    """Return the script of a Vue component, which is as long as the component.

    Without `with_markup`, the template is blanked. Unless `with_bound`, names that the template
    binds, or that are members of the component, are replaced by others in the template.
    """
    script = ScriptCopy(source)
    blocks = [block for block in find_blocks(source, _BLOCK) if block.is_read]
    scripts = [block for block in blocks if block.name == b"script"]
    for block in scripts:
        script.keep(block.start, block.end)
    if not any(_SETUP.search(block.attributes) for block in scripts):
        _bind_declared(script)
    for block in blocks:
        if block.name == b"template" and with_markup:
            _keep_template(script, block.start, block.end)
            if not with_bound:
                script.hide_bound(block.start, block.end)
            script.put(block.end, b";")
    return script.finish()


def _bind_declared(script: ScriptCopy) -> None:
    """Bind what the script declares: a template sees it only through members of the component."""
    for match in _DECLARED.finditer(bytes(script.text)):
        script.bind(match["imported"] or match["names"])


def _keep_template(script: ScriptCopy, start: int, end: int) -> None:
    script.blank_comments(start, end)
    for match in _MARKUP.finditer(script.markup, start, end):
        if match["tag"] is None:
            script.keep(*match.span())
            continue
        tag = match["tag"].decode("ascii")
        if tag[:1].isupper() or "-" in tag:
            script.add_element(match.start("tag"), pascal_case(tag).encode())
        script.put(match.end() - 1, b";")
        for attribute in _ATTRIBUTE.finditer(script.source, *match.span("attributes")):
            _keep_attribute(script, attribute)


def _keep_attribute(script: ScriptCopy, attribute: re.Match[bytes]) -> None:
    name, (start, end) = attribute["name"], attribute.span("value")
    loop = _LOOP.fullmatch(script.source, start, end) if name == b"v-for" else None
    if loop:
        script.bind(loop["bound"])
        script.keep_expression(loop.start("list"), end)
    elif _BINDING.match(name):
        script.bind(attribute["value"])
    elif _EVENT.match(name):
        script.keep_statements(start, end)
    elif _VALUE.match(name) and attribute["value"].strip():
        script.keep_expression(start, end)


LANGUAGE = component_language(typescript.LANGUAGE, "vue", read_vue_script)

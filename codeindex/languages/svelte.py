"""Define components of Svelte, whose markup uses the names of their scripts."""

from __future__ import annotations

import re

from codeindex.languages import typescript
from codeindex.languages._components import (
    NAME,
    ScriptCopy,
    block_pattern,
    component_language,
    find_blocks,
)

_BLOCK = block_pattern(rb"script|style")
_MARKUP = re.compile(
    rb"\{|<(?P<tag>[A-Z][\w.]*)|\slet:(?P<bound>\w+)"
    rb"|\s(?:use|transition|in|out|animate):(?P<function>[A-Za-z_$][\w$]*)(?=[\s=>/|])"
)
_TOKEN = re.compile(
    rb"""[{}]|\\.|"(?:[^"\\\n]|\\.)*(?:"|$)|'(?:[^'\\\n]|\\.)*(?:'|$)|`(?:[^`\\]|\\.)*(?:`|\Z)""",
    re.DOTALL | re.MULTILINE,
)
"""Braces, and the strings in which they mean nothing; a string that nothing closes ends, too."""
_TAG = re.compile(
    rb"\s*(?:"
    rb"\#each\s(?P<list>.*)"
    rb"|\#await\s(?P<promise>.*?)(?:\s(?:then|catch)\s(?P<settled>.*))?"
    rb"|@const\s(?P<constant>[^=]*)=(?P<value>.*)"
    rb"|(?:\#snippet|:then|:catch)\s(?P<names>.*)"
    rb"|(?:\#if|\#key|:else\s+if|@html|@render|@attach|@debug|\.\.\.)(?P<expression>.*)"
    rb"|[/:\#@].*"
    rb"|(?P<plain>.*)"
    rb")\Z",
    re.DOTALL,
)
_EXPRESSIONS = ("list", "promise", "value", "expression", "plain")
_BOUND = ("settled", "constant", "names")
_EACH = re.compile(rb"[(\[{]|[)\]}]|\sas\s")
_STORE = re.compile(rb"(?<![\w$'\"/.`])\$(?P<name>[A-Za-z_]\w*)")
_RUNES = frozenset({b"state", b"derived", b"props", b"bindable", b"effect", b"inspect", b"host"})


def read_svelte_script(source: bytes, *, with_markup: bool, with_bound: bool) -> bytes:
    """Return the script of a Svelte component, which is as long as the component.

    Without `with_markup`, the markup is blanked. Unless `with_bound`, names that the markup binds
    are replaced by others in the markup. `$cart`, the value of the store `cart`, becomes `cart`.
    """
    script = ScriptCopy(source)
    blocks = list(find_blocks(source, _BLOCK))
    for block in blocks:
        if block.name == b"script" and block.is_read and not block.is_indented:
            script.keep(block.start, block.end)
    declared = {*NAME.findall(bytes(script.text))} - _RUNES
    if with_markup:
        ends = [0, *(end for block in blocks for end in (block.start, block.end)), len(source)]
        parts = list(zip(ends[::2], ends[1::2], strict=True))  # between the blocks
        for start, end in parts:
            _keep_markup(script, start, end)
        for start, end in () if with_bound else parts:
            script.hide_bound(start, end)
    return _STORE.sub(
        lambda match: b" " + match["name"] if match["name"] in declared else match[0],
        script.finish(),
    )


def _keep_markup(script: ScriptCopy, start: int, end: int) -> None:
    script.blank_comments(start, end)
    at = start
    while match := _MARKUP.search(script.markup, at, end):
        at = match.end()
        if match["bound"]:
            script.bind(match["bound"])
        elif match["tag"]:
            script.add_element(match.start("tag"), match["tag"])
        elif match["function"]:
            script.add_element(match.start("function"), match["function"])
        else:
            at = _closing_brace(script.markup, at, end)
            _keep_tag(script, match.end(), at)


def _keep_tag(script: ScriptCopy, start: int, end: int) -> None:
    tag = _TAG.match(script.source, start, end)
    if tag is None:
        return
    for group in _BOUND:
        script.bind(tag[group] or b"")
    group = next((group for group in _EXPRESSIONS if tag[group] is not None), "")
    if not group or not tag[group].strip():
        return
    first, last = tag.span(group)
    if group == "list":
        last = _end_of_list(script, first, last)
    is_object = script.source[first:last].lstrip().startswith(b"{")  # alone it would be a block
    keep = script.keep_expression if is_object else script.keep_statements
    keep(start, end, part=(first, last))


def _end_of_list(script: ScriptCopy, start: int, end: int) -> int:
    """Return where the list of `#each` ends; bind the names that follow it."""
    depth = 0
    for match in _EACH.finditer(script.source, start, end):
        depth += {b"(": 1, b"[": 1, b"{": 1}.get(match[0], 0 if match[0][:1].isspace() else -1)
        if depth == 0 and match[0][:1].isspace():
            script.bind(script.source[match.end() : end])
            return match.start()
    return end


def _closing_brace(text: bytearray, start: int, end: int) -> int:
    """Return the place of the brace that closes the one before `start`; `end` if none does."""
    depth = 1
    for token in _TOKEN.finditer(text, start, end):
        depth += {b"{": 1, b"}": -1}.get(token[0], 0)
        if depth == 0:
            return token.start()
    return end


LANGUAGE = component_language(typescript.LANGUAGE, "svelte", read_svelte_script)

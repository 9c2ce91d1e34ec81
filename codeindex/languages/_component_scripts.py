"""Turn single-file components of Vue and Svelte into scripts that the grammar of TypeScript parses.

In: the bytes of a component. Out: as many bytes with the same line ends, so that names keep their
places. Markup is blanked, but what it evaluates and the components that it names are statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from codeindex.languages import _ecmascript_exports as exports

MARKUP = """
((expression_statement (identifier) @of) @call (#match? @of "^[A-Z]"))
(expression_statement [(arrow_function) (function_expression)] @scope)
"""
"""Patterns of markup as statements: an element is a call, as in JSX, and a handler a function."""
COMPONENT_USES = re.compile(r"^component ")
"""Matches the signatures of components: routers and folders can name them."""
VISIBILITY = replace(exports.VISIBILITY, module=re.compile(""))
"""A component is a module, also without imports and exports."""
_BLOCK = (
    rb"<!--.*?(?:-->|\Z)|^(?P<indent>[ \t]*)"
    rb"<(?P<name>%s)\b(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>"
)
"""A comment, or the tag that opens a block of a component: a script, template or style."""
_VUE_BLOCK = re.compile(_BLOCK % rb"[A-Za-z][\w-]*", re.MULTILINE | re.DOTALL)
_SVELTE_BLOCK = re.compile(_BLOCK % rb"script|style", re.MULTILINE | re.DOTALL)
_OTHER_LANGUAGE = re.compile(rb"""\blang=["']?(?!ts\b|js\b|typescript\b|javascript\b|html\b)\w""")
"""Matches the attributes of a block that is not in TypeScript, JavaScript or HTML."""
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_NAMES = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")
_VARIABLE = re.compile(rb"(?<![\w$.\x80-\xff])" + _NAMES.pattern)
"""Matches names that are not the names of members."""
_KEYWORDS = frozenset({b"as", b"of", b"in", b"new", b"typeof", b"true", b"false", b"null", b"this"})
_DECLARED = re.compile(
    rb"^[ \t]*(?:import\b(?P<imported>[^;'\"]*?)\bfrom\b|(?:export\s+(?:default\s+)?)?(?:async\s+)?"
    rb"(?:const|let|var|function|class|enum)\b\s*\*?\s*(?P<names>\{[^}]*\}|\[[^\]]*\]|[\w$]+))",
    re.MULTILINE,
)
"""Matches imports and declarations of a script, with the names that they bind."""
_TYPE_IMPORT = re.compile(rb"\bimport\s+type\b(?P<all>[^;'\"]*)|[{,]\s*type\s+(?P<one>[\w$]+)")

_VUE_MARKUP = re.compile(
    rb"\{\{(?P<text>(?:(?!\{\{).)*?)\}\}"
    rb"|<(?P<tag>[A-Za-z][\w.-]*)(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>",
    re.DOTALL,
)
_VUE_ATTRIBUTE = re.compile(
    rb"""(?<![^\s"'<>/=])(?P<name>[^\s"'<>/=]++)\s*+=\s*+(?P<quote>["'])(?P<value>.*?)(?P=quote)""",
    re.DOTALL,
)
_VUE_LOOP = re.compile(rb"(?P<bound>.*?)\s(?:in|of)\s(?P<list>.*)", re.DOTALL)
_VUE_BINDING = re.compile(rb"#|v-slot\b|slot-scope$")
_VUE_EVENT = re.compile(rb"@|v-on:")
_VUE_VALUE = re.compile(rb"[:.]|v-|ref$")

_SVELTE_MARKUP = re.compile(
    rb"\{|<(?P<tag>[A-Z][\w.]*)|\slet:(?P<bound>\w+)"
    rb"|\s(?:use|transition|in|out|animate):(?P<function>[A-Za-z_$][\w$]*)(?=[\s=>/|])"
)
_SVELTE_TOKEN = re.compile(
    rb"""[{}]|\\.|"(?:[^"\\\n]|\\.)*(?:"|$)|'(?:[^'\\\n]|\\.)*(?:'|$)|`(?:[^`\\]|\\.)*(?:`|\Z)""",
    re.DOTALL | re.MULTILINE,
)
"""Braces, and the strings in which they mean nothing; a string that nothing closes ends, too."""
_SVELTE_TAG = re.compile(
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


class _Script:
    """The script of a component: blanks, to which parts of the component are copied."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.text = bytearray(re.sub(rb"[^\n]", b" ", source))
        self.markup = bytearray(source)
        """The component, without the comments of markup that was read."""
        self.bound: set[bytes] = set()
        """Names that markup binds, which hide those of the script."""
        self._elements: list[tuple[int, bytes]] = []

    def blank_comments(self, start: int, end: int) -> None:
        self.markup[start:end] = _COMMENT.sub(
            lambda match: re.sub(rb"[^\n]", b" ", match[0]), self.markup[start:end]
        )

    def keep(self, start: int, end: int) -> None:
        self.text[start:end] = self.source[start:end]

    def put(self, at: int, sign: bytes) -> None:
        """Write a sign where the markup has one that is not a line end."""
        if 0 <= at < len(self.text) and self.text[at] == ord(b" "):
            self.text[at : at + 1] = sign

    def keep_expression(self, start: int, end: int, *, signs: bytes = b"()") -> None:
        """Make a statement of the expression between two signs, which become `signs`."""
        self.put(start - 2, b";")
        self.put(start - 1, signs[:1])
        self.keep(start, end)
        self.put(end, signs[1:])

    def add_element(self, start: int, name: bytes) -> None:
        """Add the component that an element names at `start`, perhaps in another form."""
        self._elements.append((start, name))

    def bind(self, names: bytes) -> None:
        self.bound.update(_NAMES.findall(names))

    def hide_bound(self, start: int, end: int) -> None:
        """Replace the names that markup binds by other names in a part of the script."""
        hidden = self.bound - _KEYWORDS
        self.text[start:end] = _VARIABLE.sub(
            lambda match: b"_" * len(match[0]) if match[0] in hidden else match[0],
            bytes(self.text[start:end]),
        )

    def finish(self) -> bytes:
        """Write the elements as statements, but for those that name a type; return the script."""
        types: set[bytes] = set()
        for match in _TYPE_IMPORT.finditer(bytes(self.text)):
            types.update(_NAMES.findall(match["all"] or match["one"]))
        for start, name in self._elements:
            if name not in types:
                self.put(start - 1, b";")
                self.text[start : start + len(name)] = name
                self.put(start + len(name), b";")
        return bytes(self.text)


def vue_script(source: bytes, *, with_markup: bool, with_bound: bool) -> bytes:
    """Return the script of a Vue component, which is as long as the component.

    Without `with_markup`, the template is blanked. Unless `with_bound`, names that the template
    binds, or that are members of the component, are replaced by others in the template.
    """
    script = _Script(source)
    templates, attributes_of_scripts = [], []
    for name, attributes, start, end, _ in _blocks(source, _VUE_BLOCK):
        if _OTHER_LANGUAGE.search(attributes):
            continue
        if name == b"script":
            attributes_of_scripts.append(attributes)
            script.keep(start, end)
        elif name == b"template" and with_markup:
            templates.append((start, end))
    sees_script = any(re.search(rb"\bsetup\b", each) for each in attributes_of_scripts)
    if not sees_script:
        _bind_declared(script)
    for start, end in templates:
        _keep_vue_template(script, start, end)
        if not with_bound:
            script.hide_bound(start, end)
        script.put(end, b";")
    return script.finish()


def _bind_declared(script: _Script) -> None:
    """Bind what the script declares: a template sees it only through members of the component."""
    for match in _DECLARED.finditer(bytes(script.text)):
        script.bind(match["imported"] or match["names"])


def _keep_vue_template(script: _Script, start: int, end: int) -> None:
    script.blank_comments(start, end)
    for match in _VUE_MARKUP.finditer(script.markup, start, end):
        if match["tag"] is None:
            script.keep(*match.span())
            continue
        tag = match["tag"]
        if tag[:1].isupper() or b"-" in tag:
            pascal = b"".join(part[:1].upper() + part[1:] for part in tag.split(b"-"))
            script.add_element(match.start("tag"), pascal)
        script.put(match.end() - 1, b";")
        for attribute in _VUE_ATTRIBUTE.finditer(script.source, *match.span("attributes")):
            _keep_vue_attribute(script, attribute)


def _keep_vue_attribute(script: _Script, attribute: re.Match[bytes]) -> None:
    name, (start, end) = attribute["name"], attribute.span("value")
    loop = _VUE_LOOP.fullmatch(script.source, start, end) if name == b"v-for" else None
    if loop:
        script.bind(loop["bound"])
        script.keep_expression(loop.start("list"), end)
    elif _VUE_BINDING.match(name):
        script.bind(attribute["value"])
    elif _VUE_EVENT.match(name):
        script.keep_expression(start, end, signs=b"{}")
    elif _VUE_VALUE.match(name) and attribute["value"].strip():
        script.keep_expression(start, end)


def svelte_script(source: bytes, *, with_markup: bool, with_bound: bool) -> bytes:
    """Return the script of a Svelte component, which is as long as the component.

    Without `with_markup`, the markup is blanked. Unless `with_bound`, names that the markup binds
    are replaced by others in the markup. `$cart`, the value of the store `cart`, becomes `cart`.
    """
    script = _Script(source)
    blocks = list(_blocks(source, _SVELTE_BLOCK))
    for name, attributes, start, end, is_top in blocks:
        if name == b"script" and is_top and not _OTHER_LANGUAGE.search(attributes):
            script.keep(start, end)
    declared = {*_NAMES.findall(bytes(script.text))} - _RUNES
    if with_markup:
        starts = [0, *(end for _, _, _, end, _ in blocks)]
        ends = [*(start for _, _, start, _, _ in blocks), len(source)]
        parts = list(zip(starts, ends, strict=True))
        for start, end in parts:
            _keep_svelte_markup(script, start, end)
        for start, end in () if with_bound else parts:
            script.hide_bound(start, end)
    return _STORE.sub(
        lambda match: b" " + match["name"] if match["name"] in declared else match[0],
        script.finish(),
    )


def _keep_svelte_markup(script: _Script, start: int, end: int) -> None:
    script.blank_comments(start, end)
    at = start
    while match := _SVELTE_MARKUP.search(script.markup, at, end):
        at = match.end()
        if match["bound"]:
            script.bind(match["bound"])
        elif match["tag"]:
            script.add_element(match.start("tag"), match["tag"])
        elif match["function"]:
            script.add_element(match.start("function"), match["function"])
        else:
            at = _closing_brace(script.markup, at, end)
            _keep_svelte_tag(script, match.end(), at)


def _keep_svelte_tag(script: _Script, start: int, end: int) -> None:
    tag = _SVELTE_TAG.match(script.source, start, end)
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
    if script.source[first:last].lstrip().startswith(b"{"):  # an object: alone it would be a block
        script.put(start - 2, b";")
        script.put(start - 1, b"(")
        script.put(end, b")")
        script.put(end + 1, b";")
    else:
        script.put(start - 1, b"{")
        script.put(end, b"}")
    script.keep(first, last)


def _end_of_list(script: _Script, start: int, end: int) -> int:
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
    for token in _SVELTE_TOKEN.finditer(text, start, end):
        depth += {b"{": 1, b"}": -1}.get(token[0], 0)
        if depth == 0:
            return token.start()
    return end


def _blocks(
    source: bytes, opening: re.Pattern[bytes]
) -> Iterator[tuple[bytes, bytes, int, int, bool]]:
    """Yield (name, attributes, start, end, whether it is not indented) of each block.

    A block is a script, template or style; comments are skipped. The end of a template is the last
    one that is not indented, since templates can be nested.
    """
    at = 0
    while match := opening.search(source, at):
        name, at = match["name"], match.end()
        if name is None or match["attributes"].endswith(b"/"):
            continue
        closing = b"</" + name
        is_nested = name == b"template"
        end = source.find(b"\n" + closing, at) if is_nested else source.find(closing, at)
        end = source.rfind(closing, at) if is_nested and end < 0 else end
        end = end if end >= 0 else len(source)
        yield name, match["attributes"], at, end, not match["indent"]
        at = end

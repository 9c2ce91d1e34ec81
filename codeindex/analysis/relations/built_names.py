"""Find the parts of names that code joins with values at run time, like `f"visit_{kind}"`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from codeindex.text.words import part_offsets

_STARTS = (
    # the literals "visit_", "visit_${kind}" and "Shop\Rules\visit_"
    re.compile(r"""["'`](?:[\w.:\\]*[.:\\])?(\w++)(?=["'`{%$]|#\{)"""),
    re.compile(r"\b(\w++)\s*##"),
    re.compile(r"(?<!\w)(\w++)\$"),  # in a shell script
    re.compile(r"\[<\s*(\w++)\s*\$"),  # `[<visit_ $kind>]` of Rust's paste
)
_ENDS = (
    re.compile(r"""(?:[)}]|%s|\+\s*["'`])([\w?!]++=?)["'`]"""),
    re.compile(r"##\s*(\w++)"),
    re.compile(r"\$\w+(?::\w+)?\s*(\w++)\s*>\]"),
)
_LITERAL = re.compile(r"""(?=["'](\w++)["'])""")
_LINKED = re.compile(r"^//(?:go:linkname \S+ \S+\.|export[ \t]+)([^\s.]+)$", re.MULTILINE)
_JOINED = re.compile(r"""\{[^{}"']*\}_[#$]?\{|%s_%s""")
"""Matches the middle of a name that code joins from two values, as in `"#{message}_#{type}"`."""
_SHORTEST_PART = 2


@dataclass(frozen=True, slots=True)
class BuiltNames:
    """The first and last parts of names that code joins with values, and names in literals.

    `literals` are literals of one word; `linked` are the names that Go's `linkname` and `export`
    refer to.
    `joins_variables` is true if code joins a name from two values, so that no part of it is known.
    """

    starts: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    literals: frozenset[str] = frozenset()
    linked: frozenset[str] = frozenset()
    joins_variables: bool = False

    def may_have(self, name: str) -> bool:
        """Tell whether the code may join a name from parts, or link to it.

        It may join `visit_cart` if one of its `starts` is `visit_`, or one of its `ends` is `cart`.
        """
        if name in self.linked:
            return True
        if name.startswith("_") and name.strip("_") in self.literals:  # `"_${command}"` in a shell
            return True
        return any(
            (_is_long(start) and start in self.starts)
            or (_is_long(end) and not self.ends.isdisjoint((end, f"_{end}")))
            for start, end in ((name[:at], name[at:]) for at in part_offsets(name)[1:])
        )


def built_names(texts: Iterable[str]) -> BuiltNames:
    """Return the parts of names that the code in these texts joins with values."""
    starts, ends, literals, linked = set[str](), set[str](), set[str](), set[str]()
    joins_variables = False
    for text in texts:
        for pattern in _STARTS:
            starts.update(pattern.findall(text))
        for pattern in _ENDS:
            ends.update(pattern.findall(text))
        literals.update(_LITERAL.findall(text))
        linked.update(_LINKED.findall(text))
        joins_variables = joins_variables or _JOINED.search(text) is not None
    return BuiltNames(
        starts=frozenset(starts),
        ends=frozenset(ends),
        literals=frozenset(literals),
        linked=frozenset(linked),
        joins_variables=joins_variables,
    )


def has_first_part(text: str, name: str) -> bool:
    """Tell whether a text has the first part of a name as a literal or symbol.

    For `visit_cart`, that is `"visit"`, or `:visit` in Ruby. A short part does not count.
    """
    first = name.strip("_").partition("_")[0]
    is_long = _SHORTEST_PART <= len(first) < len(name.strip("_"))
    return is_long and re.search(rf"""["'`]{first}["'`]|(?<![\w:]):{first}\b""", text) is not None


def _is_long(part: str) -> bool:
    return len(part.strip("_")) >= _SHORTEST_PART

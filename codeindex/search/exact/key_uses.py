"""Find the code that uses a text by its key, where the text itself is in no code.

Translations and resources map keys to texts, and code names the keys. In: the lines of an exact
search for a text. Out: the lines that name its keys, in these forms: with all parts; without the
first parts (the locale, a prefix that is set elsewhere) or after the name of the file; as a member
(`R.string.title`); in Rails, without the path of the view or controller (`t(".title")`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

from codeindex.languages import is_code_path
from codeindex.search.exact.lines import GrepLine, GrepResult
from codeindex.search.exact.nested_keys import FARTHEST, key_path

_MOST_MATCHES, _MOST_KEYS = 100, 3
"""Most lines that may contain the text, and most keys that may have it: a text with more keys is a
part of many texts, not a message."""
_MOST_USES = 30
"""Most lines that count as uses of a key; one that more lines have is a common word."""
_OF_TEXTS = re.compile(
    r"(?:^|[/_.-])(?:lang|languages?|locales?|i18n|l10n|translations?|messages?)(?:[/_.-]|$)",
    re.IGNORECASE,
)
"""Matches paths of code that holds only texts, such as `lang/en/cart.php`."""
_ENTRY = re.compile(
    r"""\s*(?:- )*(?:"(?P<double>.+?)"|'(?P<single>.+?)'|(?P<plain>[\w. -]+?))\s*(?:=>|[:=])\s*\S"""
)
"""Matches a key and its value, as in YAML, JSON, PHP, properties and strings of iOS."""
_NAMED = re.compile(r"""<[\w:-]+[^>]*?\s(?:name|id|key)=["']([^"']+)["']""")
"""Matches an element of Android's resources, of `.resx` or of XLIFF; group 1 is the key."""
_MSGID = re.compile(r'msgid "(.+)"\s*$')
_LOCALE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_SEVERAL_WORDS = re.compile(r"[_-]|[a-z][A-Z]")
_BEFORE, _AFTER = r"""["'`:{]""", r"""(?![\w-]|\.\w)"""
_LAZY = re.compile(r"""["']\.([\w.-]+)["']""")
"""Matches a relative key of Rails, such as `".title"`; group 1 has its parts."""


class _Key(NamedTuple):
    """The parts of a key without the locale, and the name of the file that defines it."""

    parts: tuple[str, ...]
    file: str

    @property
    def name(self) -> str:
        return ".".join(self.parts)

    def pattern(self) -> str:
        """Return a regular expression for the forms in which code names the key."""
        whole = rf"(?:[\w/-]*{re.escape(self.file)}[.:])?{re.escape(self.name)}"
        if len(self.parts) > 1:
            ends = (".".join(self.parts[at:]) for at in range(1, len(self.parts) - 1))
            return f"{_BEFORE}(?:{'|'.join([whole, *map(re.escape, ends)])}){_AFTER}"
        member = "[./]" if _SEVERAL_WORDS.search(self.name) else "string[./]"
        return f"(?:{_BEFORE}|{member}){whole}{_AFTER}"

    def lazy_pattern(self) -> str:
        """Return a regular expression for the relative forms of the key in Rails.

        They have a point and the last parts of the key: `".show.title"` and `".title"`.
        """
        ends = (re.escape(".".join(self.parts[at:])) for at in range(1, len(self.parts)))
        return rf"""["']\.(?:{"|".join(ends)})["']"""

    def is_lazy_in(self, line: GrepLine) -> bool:
        """Tell whether a line names the key in a relative form that is valid in its file.

        The path of the file must have the parts that the form leaves out. The last of several need
        not be there: it can be an action of a controller, which no path names.
        """
        ends = _LAZY.findall(line.text)
        left = [self.name.removesuffix(f".{end}") for end in ends if self.name.endswith(f".{end}")]
        words = set(re.split(r"[/._-]+", line.path))
        scopes = (scope.split(".") for scope in left)
        return any(words.issuperset("_".join(scope[:-1] or scope).split("_")) for scope in scopes)

    def is_defined_by(self, line: GrepLine) -> bool:
        """Tell whether a line maps the key to a text, in this or in another translation."""
        own = _ENTRY.match(line.text) or _NAMED.search(line.text) or _MSGID.match(line.text)
        key = next(filter(None, own.groups()), "") if own else ""
        return _may_hold_texts(line.path) and key.split(".")[-1] in {self.parts[-1], self.name}


def find_key_uses(text: str, result: GrepResult, search: Callable[..., GrepResult]) -> GrepResult:
    """Add to a result the lines that use the keys of a text, if no code except tests has the text.

    `search` returns the lines that match a regular expression, given fields of a `GrepRequest`.
    """
    if not any(map(_may_hold_texts, result.counts)) or result.total_count > _MOST_MATCHES:
        return result
    found = search(re.escape(text), tests="exclude", before=FARTHEST, limit=_MOST_MATCHES)
    if not all(map(_may_hold_texts, found.counts)):
        return result
    texts = found.texts()
    whole = re.compile(rf"""[\s"'>:=]{re.escape(text)}\s*["'<,;]""")
    lines = [line for line in found.matches if whole.search(f"{line.text},")] or found.matches
    keys = dict.fromkeys(key for line in lines if (key := _key_of(line, texts)))
    if len(keys) > _MOST_KEYS:
        return result
    uses = {key: _uses_of(key, search) for key in keys}
    return replace(result, key_uses={key.name: lines for key, lines in uses.items() if lines})


def _may_hold_texts(path: str) -> bool:
    """Tell whether a file is not code, or is code that may hold only texts, by its path."""
    return not is_code_path(path) or bool(_OF_TEXTS.search(path))


def _key_of(line: GrepLine, texts: Mapping[tuple[str, int], str]) -> _Key | None:
    """Return the key of the text in a line; None if the line has none.

    `texts` has the line and those above it by (path, number).
    """
    file = PurePosixPath(line.path).stem
    above = texts.get((line.path, line.line - 1), "")
    if named := _NAMED.search(line.text) or _NAMED.search(above) or _MSGID.match(above):
        return _Key((named[1],), file)
    entry = _ENTRY.match(line.text)
    if not entry:
        return None
    key = entry["double"] or entry["single"] or entry["plain"].strip()
    nested = key_path(line, texts) or key
    parts = nested.split(".") if re.fullmatch(r"[\w.-]+", nested) else [nested]
    return _Key(tuple(parts[len(parts) > 1 and bool(_LOCALE.fullmatch(parts[0])) :]), file)


def _uses_of(key: _Key, search: Callable[..., GrepResult]) -> Sequence[GrepLine]:
    """Return the lines that name a key, without those that define it.

    Return () if there are more than `_MOST_USES`.
    """
    options = {"limit": 2 * _MOST_USES, "symbols": True}
    found = [*search(key.pattern(), **options).matches]
    if len(key.parts) > 1:
        found += filter(key.is_lazy_in, search(key.lazy_pattern(), **options).matches)
    uses = {(one.path, one.line): one for one in found if not key.is_defined_by(one)}
    return tuple(uses.values()) if len(uses) <= _MOST_USES else ()

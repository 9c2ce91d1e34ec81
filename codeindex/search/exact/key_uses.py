"""Find the code that uses a text by its key, if only files of texts contain the text.

Translations and resources hold texts by keys, and code has the keys. In: the lines of an exact
search. Out: the lines with the keys in the forms in which code names them: with all parts; without
the first parts (the locale, a prefix that is set elsewhere) or after the name of the file; as a
member (`R.string.title`); in Rails, without the path of the view or controller (`t(".title")`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

from codeindex.languages import language_for_path
from codeindex.search.exact.lines import GrepLine, GrepResult
from codeindex.search.exact.nested_keys import FARTHEST, key_path

_MOST_MATCHES, _MOST_KEYS = 100, 3
"""Most lines with the text that are looked at, and most keys that a text may have: a part of more
texts is no message."""
_MOST_USES = 30
"""Most lines that count as uses of a key; one that more lines have is a common word."""
_OF_TEXTS = re.compile(
    r"(?:^|[/_.-])(?:lang|languages?|locales?|i18n|l10n|translations?|messages?)(?:[/_.-]|$)",
    re.IGNORECASE,
)
"""In the path of code that holds only texts, such as `lang/en/cart.php`."""
_ENTRY = re.compile(
    r"""\s*(?:- )*(?:"(?P<double>.+?)"|'(?P<single>.+?)'|(?P<plain>[\w. -]+?))\s*(?:=>|[:=])\s*\S"""
)
"""A key and its value, as in YAML, JSON, PHP, properties and strings of iOS."""
_NAMED = re.compile(r"""<[\w:-]+[^>]*?\s(?:name|id|key)=["']([^"']+)["']""")
"""An element of Android's resources, of `.resx` or of XLIFF."""
_MSGID = re.compile(r'msgid "(.+)"\s*$')
_LOCALE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_SEVERAL_WORDS = re.compile(r"[_-]|[a-z][A-Z]")
_BEFORE, _AFTER = r"""["'`:{]""", r"""(?![\w-]|\.\w)"""
_LAZY = re.compile(r"""["']\.([\w.-]+)["']""")
"""A key of Rails without the path of the file that names it."""


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
        """Return a regular expression for its last parts after a point, as Rails has them."""
        ends = (re.escape(".".join(self.parts[at:])) for at in range(1, len(self.parts)))
        return rf"""["']\.(?:{"|".join(ends)})["']"""

    def is_lazy_in(self, line: GrepLine) -> bool:
        """Tell whether the parts that a line leaves out are in its path, but for an action."""
        ends = _LAZY.findall(line.text)
        left = [self.name.removesuffix(f".{end}") for end in ends if self.name.endswith(f".{end}")]
        words = set(re.split(r"[/._-]+", line.path))
        scopes = (scope.split(".") for scope in left)
        return any(words.issuperset("_".join(scope[:-1] or scope).split("_")) for scope in scopes)

    def is_defined_by(self, line: GrepLine) -> bool:
        """Tell whether a line of a file of texts defines the key, as other translations do."""
        own = _ENTRY.match(line.text) or _NAMED.search(line.text) or _MSGID.match(line.text)
        key = next(filter(None, own.groups()), "") if own else ""
        return _may_hold_texts(line.path) and key.split(".")[-1] in {self.parts[-1], self.name}


def find_key_uses(text: str, result: GrepResult, search: Callable[..., GrepResult]) -> GrepResult:
    """Add to a result the lines that use the keys of a text, if no code but tests has the text.

    `search` returns the lines that match a regular expression, given fields of a `GrepRequest`.
    """
    if not any(map(_may_hold_texts, result.counts)) or result.total_count > _MOST_MATCHES:
        return result
    found = search(re.escape(text), tests="exclude", before=FARTHEST, limit=_MOST_MATCHES)
    if not all(map(_may_hold_texts, found.counts)):
        return result
    texts = {(line.path, line.line): line.text for line in found.lines}
    whole = re.compile(rf"""[\s"'>:=]{re.escape(text)}\s*["'<,;]""")
    lines = [line for line in found.matches if whole.search(f"{line.text},")] or found.matches
    keys = dict.fromkeys(key for line in lines if (key := _key_of(line, texts)))
    if len(keys) > _MOST_KEYS:
        return result
    uses = {key: _uses_of(key, search) for key in keys}
    return replace(result, key_uses={key.name: lines for key, lines in uses.items() if lines})


def _may_hold_texts(path: str) -> bool:
    """Tell whether a file is no code, or code that may have only texts."""
    language = language_for_path(path)
    return language is None or not language.symbols or bool(_OF_TEXTS.search(path))


def _key_of(line: GrepLine, texts: Mapping[tuple[str, int], str]) -> _Key | None:
    """Return the key of the text in a line; `texts` has the line and those above it."""
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
    """Return the lines that name a key, without those that define it; () if there are very many."""
    options = {"limit": 2 * _MOST_USES, "symbols": True}
    found = [*search(key.pattern(), **options).matches]
    if len(key.parts) > 1:
        found += filter(key.is_lazy_in, search(key.lazy_pattern(), **options).matches)
    uses = {(one.path, one.line): one for one in found if not key.is_defined_by(one)}
    return tuple(uses.values()) if len(uses) <= _MOST_USES else ()

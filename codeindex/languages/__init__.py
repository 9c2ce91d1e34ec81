"""The languages that can be indexed: one module each, listed in `_MODULES`."""

from __future__ import annotations

from codeindex.languages import python
from codeindex.languages._base import Language

__all__ = ["LANGUAGES", "Language", "for_path"]

_MODULES = (python,)

LANGUAGES = {module.LANGUAGE.name: module.LANGUAGE for module in _MODULES}
_BY_FILENAME = {name: one for one in LANGUAGES.values() for name in one.filenames}
_BY_SUFFIX = {suffix: one for one in LANGUAGES.values() for suffix in one.suffixes}


def for_path(path: str) -> Language | None:
    """Return the language of a file name, or None where the name does not tell."""
    name = path.rpartition("/")[2]
    return _BY_FILENAME.get(name) or _BY_SUFFIX.get("." + name.rpartition(".")[2].lower())

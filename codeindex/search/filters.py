"""Check search filters, and compute which files pass them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from codeindex.errors import QueryError
from codeindex.languages import LANGUAGES
from codeindex.query.validation import check_tests_scope, check_text, check_texts, parameter_error
from codeindex.search.retrieve.corpus import Corpus
from codeindex.text.globs import IgnoreRule, compile_ignore_rule, last_matching_rule, plain_globs
from codeindex.types import Filters, SymbolKind
from codeindex.types.array_types import Flags

_OTHER_KINDS = ("block", "cell", "file", "page", "section")


def check_filters(filters: Filters) -> Filters:
    """Return the filters with canonical language names; a `!` before a name is kept.

    Raise QueryError if a value has the wrong type or names an unknown language or kind.
    """
    if not isinstance(filters, Filters):
        raise parameter_error("filters", filters, "use a codeindex.Filters")
    known = _languages()
    languages = []
    for name in check_texts("languages", filters.languages):
        bare = name.removeprefix("!")
        if bare.lower() not in known:
            raise QueryError(f"No language is called {bare!r}: see `codeindex files --languages`.")
        languages.append(name[: -len(bare)] + known[bare.lower()])
    kinds = {*SymbolKind, *_OTHER_KINDS}
    for kind in check_texts("kinds", filters.kinds):
        if kind not in kinds:
            raise QueryError(f"No kind is called {kind!r}: use one of {', '.join(sorted(kinds))}.")
    return Filters(
        tuple(languages),
        check_texts("globs", filters.globs),
        check_texts("paths", filters.paths),
        check_texts("kinds", filters.kinds),
        check_text("module", filters.module),
        check_tests_scope(filters.tests),
    )


@functools.cache
def _languages() -> Mapping[str, str]:
    """Map the names and suffixes of languages to canonical names."""
    return {
        alias: language.name for language in LANGUAGES.values() for alias in _aliases(language.name)
    }


def _aliases(name: str) -> tuple[str, ...]:
    """Return the name of a language and its suffixes, such as `py`; ripgrep's -t accepts both."""
    suffixes = tuple(suffix.lstrip(".") for suffix in LANGUAGES[name].suffixes)
    return (name, *suffixes)


def split_languages(languages: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the wanted and the excluded names of the filter `languages`, both without `!`."""
    wanted = tuple(name for name in languages if not name.startswith("!"))
    return wanted, tuple(name[1:] for name in languages if name.startswith("!"))


def language_test(languages: Sequence[str]) -> Callable[[str, str], bool]:
    """Return the test by which the path and the language of a file pass the filter `languages`.

    A file is of its own language, and of those that share its suffix: a header `.h` is C and C++.
    """
    (wanted, wanted_suffixes), (excluded, excluded_suffixes) = (
        (frozenset(names), tuple(it for name in names for it in LANGUAGES[name].shared_suffixes))
        for names in split_languages(languages)
    )

    def passes(path: str, language: str) -> bool:  # called for each file of an index
        if language in excluded or (excluded_suffixes and path.lower().endswith(excluded_suffixes)):
            return False
        if not wanted or language in wanted:
            return True
        return bool(wanted_suffixes) and path.lower().endswith(wanted_suffixes)

    return passes


class FilterColumns(Protocol):
    """The properties of files that filters test, as columns: entry N belongs to file N."""

    @property
    def paths(self) -> tuple[str, ...]: ...
    @property
    def languages(self) -> tuple[str, ...]: ...
    @property
    def modules(self) -> tuple[str, ...]: ...
    @property
    def is_test(self) -> Flags: ...


class SearchableFiles(NamedTuple):
    """The files of a search in columns: entry N of each column belongs to file N.

    Files whose text is not in the catalog have negative ids. It fits `FilterColumns`.
    """

    ids: tuple[int, ...]
    paths: tuple[str, ...]
    languages: tuple[str, ...]
    modules: tuple[str, ...]
    is_test: Flags


def file_mask(corpus: FilterColumns, filters: Filters) -> Flags:
    """Return a flag for each file: whether it passes the filters.

    The filter `kinds` is ignored, since it concerns chunks.
    """
    mask = np.ones(len(corpus.paths), dtype=bool)
    if filters.tests != "include":
        mask &= corpus.is_test == (filters.tests == "only")
    if filters.languages:
        passes = language_test(filters.languages)
        mask &= np.array(list(map(passes, corpus.paths, corpus.languages)), dtype=bool)
    if filters.module:
        prefix = filters.module + "."
        mask &= np.array([f"{name}.".startswith(prefix) for name in corpus.modules], dtype=bool)
    if filters.paths:
        mask &= np.array([_under(path, filters.paths) for path in corpus.paths], dtype=bool)
    if filters.globs:
        mask &= _globbed(corpus.paths, filters.globs)
    return mask


def allowed_paths(corpus: Corpus, filters: Filters) -> set[str]:
    """Return the paths of the files that pass the filters.

    The filter `kinds` is ignored, since it concerns chunks.
    """
    mask = zip(corpus.paths, file_mask(corpus, filters), strict=True)
    return {path for path, passes in mask if passes}


def _under(path: str, places: Sequence[str]) -> bool:
    return any(not place or path == place or path.startswith(place + "/") for place in places)


def _rules_of(glob: str, paths: Sequence[str]) -> Iterator[IgnoreRule]:
    """Yield the rules of a glob, one for each alternative of its braces."""
    expanded = plain_globs(glob, paths)
    if not expanded:
        raise QueryError(f"The glob {glob!r} is invalid: a '{{' has no '}}', or it means too many.")
    for plain in expanded:
        rule = compile_ignore_rule(plain)
        if rule is None:
            raise QueryError(f"The glob {glob!r} is invalid: it matches no file.")
        yield rule


def _globbed(paths: Sequence[str], globs: Sequence[str]) -> Flags:
    """Return for each path whether it passes the globs, by the rules of ripgrep's -g.

    The last matching glob decides, and everything in an excluded folder stays excluded. If a glob
    begins with the path of a file or folder, this part is matched literally.
    """
    rules = [rule for glob in globs for rule in _rules_of(glob, paths)]

    @functools.cache
    def is_open(folder: str) -> bool:
        if not folder:
            return True
        rule = last_matching_rule(rules, folder, is_folder=True)
        return is_open(folder.rpartition("/")[0]) and not (rule and rule.negated)

    positive = any(not glob.startswith("!") for glob in globs)
    last = [last_matching_rule(rules, path) for path in paths]
    kept = [not rule.negated if rule else not positive for rule in last]
    opened = [is_open(path.rpartition("/")[0]) for path in paths]
    return np.array([a and b for a, b in zip(kept, opened, strict=True)], dtype=bool)

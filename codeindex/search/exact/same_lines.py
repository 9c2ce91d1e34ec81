"""Find files whose matching lines are those of another file, such as translations and snapshots.

In: the lines of an exact search, in order. Out: which file stands for which others. Code in a
function or type is never left out, since its place matters.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from posixpath import commonprefix

from codeindex.languages import language_for_path
from codeindex.search.exact.lines import GrepLine
from codeindex.text.sanitize import escape_line

_LEAST = 3
"""Fewest files with the same lines that are listed as one. The line that names the others takes as
much as a match and its path."""
_ENTRIES = (
    re.compile(r"(?P<key>[^:=]+(?:=>|[:=]))\s*(?P<quote>[\"'])(?P<value>.*)(?P=quote)"),
    re.compile(r"(?P<key>\s*<\w[^>]*>)(?P<value>.*)</"),
)
"""Entries of names and values, and of XML."""
_TEXT = re.compile(r"\w\s+\w|[^\W\x00-\x7f]")
"""Found in a text of several words or in another script, as translations have. Other values, such
as numbers and addresses, are what readers look for."""
_MOST_NAMES = 40
"""Most files that one line names; the programs with most translations have about as many."""


def files_like_others(lines: Sequence[GrepLine]) -> Mapping[str, str]:
    """Map each file to the file with the same matching lines that has the shortest path.

    That file itself is not in the map. Entries that have texts as values count as the same if their
    keys are equal: in data files, such as JSON, and in code whose paths differ in one part
    (`locale/de/texts.php`).
    """
    by_path = defaultdict[str, list[GrepLine]](list)
    for line in lines:
        if line.is_match:
            by_path[line.path].append(line)
    groups = defaultdict[tuple[str, ...], list[str]](list)
    for path, own in by_path.items():
        if not any(line.symbol for line in own):
            groups[PurePosixPath(path).suffix, *_compared(own)].append(path)
    found: dict[str, str] = {}
    for paths in groups.values():
        for first, *others in _alike(paths, by_path):
            if len(others) + 1 >= _LEAST:
                found |= dict.fromkeys(others, first)
    return found


def _alike(paths: Sequence[str], lines: Mapping[str, Sequence[GrepLine]]) -> list[list[str]]:
    """Group files whose keys are equal; in each group, the first file is shown for the others."""
    lists: list[list[str]] = []
    for path in sorted(paths, key=len):  # the file of the default language has the shortest name
        known = next((own for own in lists if _may_stand_for(own[0], path, lines)), None)
        if known:
            known.append(path)
        else:
            lists.append([path])
    return lists


def _may_stand_for(first: str, path: str, lines: Mapping[str, Sequence[GrepLine]]) -> bool:
    """Tell whether `first` may be shown in place of `path`; the keys of their matches are equal.

    It may if the matching lines are equal, or if the files are translations: data files, or code
    whose paths differ in one part.
    """
    if _is_data(path) or [it.text for it in lines[first]] == [it.text for it in lines[path]]:
        return True
    parts = list(zip(first.split("/"), path.split("/"), strict=False))
    return first.count("/") == path.count("/") and sum(one != other for one, other in parts) == 1


def _is_data(path: str) -> bool:
    language = language_for_path(path)
    return language is None or language.is_data


def _compared(lines: Iterable[GrepLine]) -> Iterator[str]:
    """Yield the part of each line to compare: the key of an entry with a text, else the line."""
    for line in lines:
        entries = filter(None, (pattern.match(line.text) for pattern in _ENTRIES))
        keys = (entry["key"] for entry in entries if _TEXT.search(entry["value"]))
        yield next(keys, line.text).strip()


def others_line(paths: Sequence[str], *, has_other_texts: bool = False) -> str:
    """Return a line that names `paths`: the files with the same lines as the file above it.

    With `has_other_texts`, only the keys of the lines are the same. Folders and names that the
    paths share are written once: `po/{de, fr}/shop.po`.
    """
    parts = [path.split("/") for path in paths]
    start, end = _common(parts), _common([names[::-1] for names in parts])
    end = min(end, min(map(len, parts)) - start - 1)
    named = ["/".join(names[start : len(names) - end]) for names in parts[:_MOST_NAMES]]
    more = f" and {len(paths) - _MOST_NAMES:,} more" if len(paths) > _MOST_NAMES else ""
    head, tail = parts[0][:start], parts[0][len(parts[0]) - end :]
    names = f"{{{', '.join(named)}}}" if len(paths) > 1 else named[0]
    where = "/".join([*head, names, *tail])
    files = f"{len(paths):,} other files" if len(paths) > 1 else "another file"
    same = "the same, with other texts," if has_other_texts else "the same"
    return escape_line(f"{same} in {files}: {where}{more}")


def _common(parts: Sequence[list[str]]) -> int:
    """Return how many leading parts all paths share; the last part of a path never counts."""
    return len(commonprefix([names[:-1] for names in parts]))

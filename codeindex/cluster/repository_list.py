"""Read the list of repositories from which a cluster is built."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from codeindex.errors import ClusterError, GitError
from codeindex.git.fetch import check_remote

_MOST_BYTES = 64 * 1024 * 1024
_MOST_FIELDS = 3
_MOST_NAME = 200


@dataclass(frozen=True, slots=True)
class RepositorySource:
    """A repository to index: name, address that git fetches from, and branch ('' for HEAD)."""

    name: str
    url: str
    branch: str = ""


def read_repository_list(file: Path) -> tuple[RepositorySource, ...]:
    """Read a list with one `ADDRESS [NAME [BRANCH]]` per line; '#' begins a comment.

    NAME is by default the last part of the address. Raise ClusterError if the file cannot be read,
    if a line is not of this form, and if two lines have the same name.
    """
    try:
        with file.open(encoding="utf-8") as handle:
            text = handle.read(_MOST_BYTES)
    except OSError as error:
        raise ClusterError(
            f"The list '{file}' cannot be read ({error.strerror}): give a file with one address of"
            " a repository a line."
        ) from error
    except UnicodeDecodeError as error:
        raise ClusterError(f"The list '{file}' is not UTF-8: save it as that.") from error
    sources = tuple(_sources(text, file))
    if not sources:
        raise ClusterError(f"The list '{file}' is empty: write one address of a repository a line.")
    name, count = Counter(source.name for source in sources).most_common(1)[0]
    if count > 1:
        raise ClusterError(
            f"{count} lines of '{file}' have the name '{name}': write another name behind the"
            " address."
        )
    return sources


def _sources(text: str, file: Path) -> Iterator[RepositorySource]:
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) > _MOST_FIELDS:
            raise ClusterError(
                f"Line {number} of '{file}' has {len(words)} words: write ADDRESS [NAME [BRANCH]]."
            )
        try:
            url = check_remote(words[0])
        except GitError as error:
            raise ClusterError(f"Line {number} of '{file}': {error}") from error
        yield RepositorySource(words[1] if len(words) > 1 else default_name(url), url, *words[2:])


def default_name(url: str) -> str:
    """Return the last part of an address: `"shop"` for `https://host/team/shop.git`."""
    last = url.rstrip("/").replace(":", "/").rsplit("/", 1)[-1]
    return last.removesuffix(".git")[:_MOST_NAME] or "repository"

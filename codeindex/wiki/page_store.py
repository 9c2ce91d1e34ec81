"""The folder of a wiki: reading pages, and writing them so that no writer loses another's work."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from codeindex import git
from codeindex.config import WIKI_FOLDER
from codeindex.errors import GitError, LockedError, OutdatedError, WikiError
from codeindex.files.safe_open import open_beneath, remove_beneath, write_beneath
from codeindex.wiki.page import WikiPage, page_path, page_version, parse_page, serialize_page
from codeindex.wiki.page_ids import CONTENTS_ID, is_page_id

_MOST_BYTES = 512 * 1024
"""Of a page: the largest that anybody would read is a tenth of it."""
_TURN_SECONDS = 20.0
"""How long a writer waits for others, each of which takes milliseconds."""


@dataclass(frozen=True, slots=True)
class PageSet:
    """All pages that can be read, by id, and what is wrong with the others."""

    pages: Mapping[str, WikiPage]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WikiFolder:
    """The wiki of a root; `lock` is a file of ours outside of the tree."""

    root: Path
    lock: Path

    @property
    def exists(self) -> bool:
        """Tell whether there is a wiki: whoever makes one gives it a page of contents."""
        return has_wiki(self.root)

    def shelf(self) -> PageSet:
        """Read every page; one that cannot be read is a problem, and hides no other."""
        pages: dict[str, WikiPage] = {}
        problems: list[str] = []
        for name in self._names():
            page = name.removesuffix(".md")
            if not is_page_id(page):
                problems.append(
                    f"'{WIKI_FOLDER}/{name}' is no page: rename it to small letters, digits and"
                    " hyphens."
                )
                continue
            try:
                found = self.page(page)
            except WikiError as error:
                problems.append(str(error))
            else:
                pages |= {page: found} if found else {}
        return PageSet(pages, tuple(problems))

    def page(self, page: str) -> WikiPage | None:
        """Return a page, None if there is none; WikiError for one that cannot be read."""
        data = self.data(page)
        return None if data is None else parse_page(page, data)

    def data(self, page: str) -> bytes | None:
        """Return the bytes of a page's file, None if there is none."""
        path = page_path(page)
        try:
            with open_beneath(self.root, path) as file:
                data = file.read(_MOST_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise WikiError(_refusal(path, error)) from error
        if len(data) > _MOST_BYTES:
            raise WikiError(f"'{path}' is larger than {_MOST_BYTES // 1024} KB; part it.")
        return data

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Have the wiki to ourselves; LockedError if others do not come to an end."""
        import filelock

        self.lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = filelock.FileLock(self.lock, mode=0o600)
        try:
            lock.acquire(timeout=_TURN_SECONDS)
        except filelock.Timeout as error:
            raise LockedError(
                f"Another process has been writing the wiki of '{self.root}' for"
                f" {_TURN_SECONDS:g} s: try again, or end it."
            ) from error
        try:
            yield
        finally:
            lock.release()

    def put(self, page: WikiPage) -> WikiPage:
        """Write a page whose turn it is; OutdatedError if its file is not as it was read.

        A page without a version is new. To be called within `writing`.
        """
        self._refuse_case(page.id)
        known = self.data(page.id)
        if (page_version(known) if known is not None else "") != page.version:
            raise OutdatedError(_outdated(page.id))
        data = serialize_page(page).encode("utf-8", "backslashreplace")
        if len(data) > _MOST_BYTES:
            raise WikiError(f"The page would be larger than {_MOST_BYTES // 1024} KB: part it.")
        made = parse_page(page.id, data)
        if data != known:
            self._write(page.id, data)
        return made

    def _write(self, page: str, data: bytes) -> None:
        try:
            write_beneath(self.root, page_path(page), data)
        except OSError as error:
            raise WikiError(_refusal(page_path(page), error)) from error

    def remove(self, page: str) -> None:
        """Delete a page; to be called within `writing`."""
        try:
            remove_beneath(self.root, page_path(page))
        except OSError as error:
            raise WikiError(_refusal(page_path(page), error)) from error

    def is_committed(self, page: str) -> bool:
        """Tell whether git's HEAD has a page as it is: then replacing it loses nothing."""
        data = self.data(page)
        if data is None or git.find_work_tree(self.root) is None:
            return False
        try:
            kept = git.run_git("cat-file", "blob", f"HEAD:./{page_path(page)}", cwd=self.root)
        except GitError:
            return False
        return page_version(kept) == page_version(data)

    def _names(self) -> list[str]:
        try:
            names = os.listdir(self.root / WIKI_FOLDER)  # noqa: PTH208 (names alone)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise WikiError(_refusal(WIKI_FOLDER, error)) from error
        for folder in (WIKI_FOLDER.partition("/")[0], WIKI_FOLDER):
            if stat.S_ISLNK(os.lstat(self.root / folder).st_mode):
                raise WikiError(_refusal(folder, OSError(errno.ELOOP, "a link")))
        return sorted(one for one in names if one.endswith(".md") and not one.startswith("."))

    def _refuse_case(self, page: str) -> None:
        """Where case does not count, a file of another case is another name of the same."""
        name = f"{page}.md"
        other = next((one for one in self._names() if one.lower() == name != one), None)
        if other:
            raise WikiError(f"There is '{WIKI_FOLDER}/{other}' already: rename it to '{name}'.")


def has_wiki(root: Path) -> bool:
    """Tell by names alone whether a root has a wiki."""
    return (root / page_path(CONTENTS_ID)).is_file()


def _outdated(page: str) -> str:
    return (
        f"The page {page!r} is not as you read it: somebody has written it meanwhile. Nothing was"
        " written: read it again (wiki_read) and put both together."
    )


def _refusal(path: str, error: OSError) -> str:
    if error.errno in {errno.ELOOP, errno.ENOTDIR, errno.EINVAL}:
        return f"'{path}' is a link, or no plain file, and is left alone: put a file there."
    return f"'{path}' cannot be read or written ({error.strerror}): see who owns it."

"""Read and write the wiki folder without losing the edits of concurrent writers."""

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
"""Maximum size of a page's file in bytes, ten times the length that anybody would read."""
_LOCK_SECONDS = 20.0
"""Time to wait for the lock; other writers hold it for milliseconds."""


@dataclass(frozen=True, slots=True)
class PageSet:
    """All readable pages by id, and one message for each file that cannot be read as a page."""

    pages: Mapping[str, WikiPage]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WikiFolder:
    """The wiki folder of a repository. `lock` is a lock file outside of the work tree."""

    root: Path
    lock: Path

    @property
    def exists(self) -> bool:
        """Whether the root has a wiki, that is, a contents page."""
        return has_wiki(self.root)

    def read_page_set(self) -> PageSet:
        """Read every page; for each page that cannot be read, add a message to `problems`."""
        pages: dict[str, WikiPage] = {}
        problems: list[str] = []
        for name in self._names():
            page = name.removesuffix(".md")
            if not is_page_id(page):
                problems.append(
                    f"'{WIKI_FOLDER}/{name}' is not the name of a page: rename it to small"
                    " letters, digits and hyphens."
                )
                continue
            try:
                read = self.page(page)
            except WikiError as error:
                problems.append(str(error))
            else:
                pages |= {page: read} if read else {}
        return PageSet(pages, tuple(problems))

    def page(self, page: str) -> WikiPage | None:
        """Return a page, None if it does not exist; raise WikiError if it cannot be read."""
        data = self.data(page)
        return None if data is None else parse_page(page, data)

    def data(self, page: str) -> bytes | None:
        """Return the bytes of a page's file; None if it does not exist."""
        path = page_path(page)
        try:
            with open_beneath(self.root, path) as file:
                data = file.read(_MOST_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise WikiError(_refusal_message(path, error)) from error
        if len(data) > _MOST_BYTES:
            raise WikiError(f"'{path}' is larger than {_MOST_BYTES // 1024} KB: split it.")
        return data

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the write lock during the block; raise LockedError if it is not free within 20 s."""
        import filelock

        self.lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = filelock.FileLock(self.lock, mode=0o600)
        try:
            lock.acquire(timeout=_LOCK_SECONDS)
        except filelock.Timeout as error:
            raise LockedError(
                f"Another process has been writing the wiki of '{self.root}' for"
                f" {_LOCK_SECONDS:g} s: try again, or end it."
            ) from error
        try:
            yield
        finally:
            lock.release()

    def put(self, page: WikiPage) -> WikiPage:
        """Write a page to its file and return it as read back.

        Raise OutdatedError if its file has another version than `page.version`, which is '' for a
        new page. Call this within `writing`.
        """
        self._refuse_case(page.id)
        known_data = self.data(page.id)
        if (page_version(known_data) if known_data is not None else "") != page.version:
            raise OutdatedError(_outdated_message(page.id))
        data = serialize_page(page).encode("utf-8", "backslashreplace")
        if len(data) > _MOST_BYTES:
            raise WikiError(f"The page would be larger than {_MOST_BYTES // 1024} KB: split it.")
        made = parse_page(page.id, data)
        if data != known_data:
            self._write(page.id, data)
        return made

    def _write(self, page: str, data: bytes) -> None:
        try:
            write_beneath(self.root, page_path(page), data)
        except OSError as error:
            raise WikiError(_refusal_message(page_path(page), error)) from error

    def remove(self, page: str) -> None:
        """Delete a page; call this within `writing`."""
        try:
            remove_beneath(self.root, page_path(page))
        except OSError as error:
            raise WikiError(_refusal_message(page_path(page), error)) from error

    def is_committed(self, page: str) -> bool:
        """Tell whether the current content of the page is committed in git's HEAD."""
        data = self.data(page)
        if data is None or git.find_work_tree(self.root) is None:
            return False
        try:
            committed = git.run_git("cat-file", "blob", f"HEAD:./{page_path(page)}", cwd=self.root)
        except GitError:
            return False
        return page_version(committed) == page_version(data)

    def _names(self) -> list[str]:
        try:
            names = os.listdir(self.root / WIKI_FOLDER)  # noqa: PTH208 (names alone)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise WikiError(_refusal_message(WIKI_FOLDER, error)) from error
        for folder in (WIKI_FOLDER.partition("/")[0], WIKI_FOLDER):
            if stat.S_ISLNK(os.lstat(self.root / folder).st_mode):
                raise WikiError(_refusal_message(folder, OSError(errno.ELOOP, "a link")))
        return sorted(name for name in names if name.endswith(".md") and not name.startswith("."))

    def _refuse_case(self, page: str) -> None:
        """Raise WikiError if an existing page's file name differs from this page's in case only.

        On a file system that ignores case, they would be the same file.
        """
        name = f"{page}.md"
        other = next(
            (file_name for file_name in self._names() if file_name.lower() == name != file_name),
            None,
        )
        if other:
            raise WikiError(f"There is '{WIKI_FOLDER}/{other}' already: rename it to '{name}'.")


def has_wiki(root: Path) -> bool:
    """Tell whether a root has a wiki; no page is read."""
    return (root / page_path(CONTENTS_ID)).is_file()


def _outdated_message(page: str) -> str:
    return (
        f"The page {page!r} was changed since you read it. Nothing was written: read it again"
        " (wiki_read) and merge both versions."
    )


def _refusal_message(path: str, error: OSError) -> str:
    if error.errno in {errno.ELOOP, errno.ENOTDIR, errno.EINVAL}:
        return f"'{path}' is a link or not a regular file, and was not changed: put a file there."
    return f"'{path}' cannot be read or written ({error.strerror}): see who owns it."

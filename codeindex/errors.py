"""Every failure a caller may want to catch.

CodeIndexError
├── ConfigError       a setting is unknown, of the wrong type, or out of range
├── RootError         the path is not something that can be indexed
├── NotIndexedError   nothing is indexed here yet
├── ScopeError        a repository name that is unknown, or a scope that is none
│   └── ForbiddenError … a scope that the user has not allowed
├── AddressError      the server cannot listen there, or has no token that it could trust
├── QueryError        the query or one of its filters cannot be understood
├── GitError          git is absent, refused, failed, or took too long
├── LockedError       another process is writing this index
│   └── SupersededError … or has given it another model
├── UpgradeError      there is nothing to upgrade, to confirm or to go back to
├── WikiError         a page of the wiki cannot be read, or not written as asked
│   └── OutdatedError … it is not as it was when its writer read it
├── ModelError        an embedding model is absent or differs from models.lock
└── StoreError        the index on disk cannot be read or written
    └── DamagedError  … it is broken: the next sync moves it aside and rebuilds

In a message, quotes ('…') stand around paths and what somebody typed, backticks around what we
define: commands, settings and options.
"""

import errno


class CodeIndexError(Exception):
    """Base of every error raised on purpose; its message is one sentence that says what to do."""

    exit_code = 2


class ConfigError(CodeIndexError):
    """A setting is unknown, of the wrong type, or out of range."""


class RootError(CodeIndexError):
    """The path does not exist, is not a folder, or may not be read."""


class NotIndexedError(CodeIndexError):
    """Nothing is indexed here yet."""


class ScopeError(CodeIndexError):
    """The request names a repository that is unknown, or its scope is none."""


class ForbiddenError(ScopeError):
    """The scope is one that the user has not allowed; the message says how to."""

    code = "FORBIDDEN"


class AddressError(CodeIndexError):
    """The server cannot listen at this address, or its token file cannot be trusted."""


class QueryError(CodeIndexError):
    """The query or one of its filters cannot be understood."""


class GitError(CodeIndexError):
    """git is absent, refused to read the repository, failed, or took too long."""


class LockedError(CodeIndexError):
    """Another process is writing this index; the message names its pid."""


class SupersededError(LockedError):
    """Another process has given this index another model since ours was chosen."""


class UpgradeError(CodeIndexError):
    """There is nothing to upgrade, to confirm or to go back to; the message says what there is."""


class WikiError(CodeIndexError):
    """A page of the wiki cannot be read, or not written as asked."""


class OutdatedError(WikiError):
    """A page is not as it was when its writer read it: nothing was written."""


class ModelError(CodeIndexError):
    """An embedding model is absent or differs from `models.lock`."""


class StoreError(CodeIndexError):
    """The index on disk is damaged, unwritable, or was written by a newer version."""


class DamagedError(StoreError):
    """A store is not one of ours any more; the writer moves it aside and rebuilds it."""


OUT_OF_MEMORY = (
    "There is not enough memory: end other programs, or raise the limit of this one (`ulimit -v`, a"
    " container's), and try again."
)
_SIGNS_OF_NO_MEMORY = (
    *("cannot allocate memory", "failed to map segment", "out of memory", "unable to allocate"),
    *("can't start new thread", "memory allocation"),
)
"""What the system, its loader and SQLite say when there is none, in lower case."""


def is_out_of_memory(error: BaseException | None) -> bool:
    """Tell whether an error, or one that it came from, means that there is not enough memory."""
    while error is not None:
        said = str(error).lower()
        if isinstance(error, MemoryError) or any(one in said for one in _SIGNS_OF_NO_MEMORY):
            return True
        error = error.__cause__ or error.__context__
    return False


def refuse_shortage(error: BaseException) -> None:
    """Raise StoreError where memory or open files have run out: what was read is not damaged."""
    if is_out_of_memory(error):
        raise StoreError(OUT_OF_MEMORY) from error
    if isinstance(error, OSError) and error.errno in {errno.EMFILE, errno.ENFILE}:
        raise StoreError(
            "Too many files are open: end other programs, or raise the limit (`ulimit -n`)."
        ) from error

"""Define the exceptions of the public interface.

CodeIndexError
├── ConfigError       a setting is unknown, of the wrong type, or out of range
├── RootError         the path cannot be indexed
├── NotIndexedError   nothing is indexed here yet
├── ScopeError        an unknown repository name or an invalid scope
│   └── ForbiddenError … a scope or action that the user has not allowed
├── AddressError      the server cannot listen there, or its token file is not safe
├── QueryError        the query or an argument is invalid
├── GitError          git is absent, refused, failed, or took too long
├── LockedError       another process is writing this index
│   └── SupersededError … another process has changed its model
├── UpgradeError      there is no upgrade to make, confirm or undo
├── WikiError         a wiki page cannot be read or written
│   └── OutdatedError … it changed after its writer read it
├── SharingError      a bundle or a shared store cannot be used
│   └── StoreAccessError … it cannot be reached now
├── ClusterError      Ray is absent, cannot be started, or lost a part of its work
│   └── NotReadyError … a machine is lost or still loads: ask again
├── ModelError        an embedding model is absent or differs from models.lock
└── StoreError        the index on disk cannot be read or written
    └── DamagedError  … it is damaged: the next sync rebuilds it

In messages, quotes ('…') mark paths and user input; backticks mark commands, settings and options.
"""

import errno


class CodeIndexError(Exception):
    """Base class of all expected errors; the message is one sentence that says what to do."""

    exit_code = 2


class ConfigError(CodeIndexError):
    """A setting is unknown, of the wrong type, or out of range."""


class RootError(CodeIndexError):
    """The path does not exist, is not a folder, or may not be read."""


class NotIndexedError(CodeIndexError):
    """Nothing is indexed here yet."""


class ScopeError(CodeIndexError):
    """The request names an unknown repository or an invalid scope."""


class ForbiddenError(ScopeError):
    """The user has not allowed this scope or action; the message says how to allow it."""

    code = "FORBIDDEN"


class AddressError(CodeIndexError):
    """The server cannot listen at this address, or its token file is not safe."""


class QueryError(CodeIndexError):
    """The query or an argument is invalid."""


class GitError(CodeIndexError):
    """git is absent, refused to read the repository, failed, or took too long."""


class LockedError(CodeIndexError):
    """Another process is writing this index; the message names its pid."""


class SupersededError(LockedError):
    """Another process changed the model of this index after this process had chosen a model."""


class UpgradeError(CodeIndexError):
    """There is no upgrade to make, confirm or undo; the message says why."""


class WikiError(CodeIndexError):
    """A wiki page cannot be read, or cannot be written as requested."""


class OutdatedError(WikiError):
    """A wiki page changed after its author read it; nothing was written."""


class SharingError(CodeIndexError):
    """A bundle or a shared store cannot be read, written or trusted; nothing was changed."""


class StoreAccessError(SharingError):
    """A shared store cannot be reached, read or written now; its bundles may be sound."""


class ClusterError(CodeIndexError):
    """Ray is absent or cannot be started, a machine failed, or the repository list is invalid."""


class NotReadyError(ClusterError):
    """A machine of a cluster is lost or still loads a repository: the call may succeed later."""


class ModelError(CodeIndexError):
    """An embedding model is absent or differs from `models.lock`."""


class StoreError(CodeIndexError):
    """The index on disk is damaged, unwritable or of a newer version, or memory ran out."""


class DamagedError(StoreError):
    """A store is damaged; the next sync moves it aside and rebuilds it."""


class NewerFormatError(StoreError):
    """The index was written by a newer version of codeindex."""


OUT_OF_MEMORY = (
    "There is not enough memory: end other programs, or raise the limit of this one (`ulimit -v`, a"
    " container's), and try again."
)
CHANGED_PROGRAM = (
    "A part of codeindex cannot be loaded: if it was upgraded while this process ran, start it"
    " again, else install it again."
)
_OUT_OF_MEMORY_SIGNS = (
    *("cannot allocate memory", "failed to map segment", "out of memory", "unable to allocate"),
    *("can't start new thread", "memory allocation"),
)
"""Parts of messages by which the system, the loader and SQLite report a lack of memory."""


def is_out_of_memory(error: BaseException | None) -> bool:
    """Tell whether an error, or an error that caused it, means that memory has run out."""
    while error is not None:
        message = str(error).lower()
        if isinstance(error, MemoryError) or any(sign in message for sign in _OUT_OF_MEMORY_SIGNS):
            return True
        error = error.__cause__ or error.__context__
    return False


def unexpected_error(error: Exception, doing: str) -> CodeIndexError:
    """Return the error to report for an exception that is a bug; log its traceback yourself.

    `doing` names the work during which it was raised, like `a sync`.
    """
    if is_out_of_memory(error):
        return StoreError(OUT_OF_MEMORY)
    if isinstance(error, ImportError):
        return CodeIndexError(CHANGED_PROGRAM)
    return CodeIndexError(f"unexpected {type(error).__name__} in {doing}: {error}")


def refuse_shortage(error: BaseException) -> None:
    """Raise StoreError if `error` means a lack of memory or file handles; else do nothing.

    Call it before you treat an error as a sign of a damaged store.
    """
    if is_out_of_memory(error):
        raise StoreError(OUT_OF_MEMORY) from error
    if isinstance(error, OSError) and error.errno in {errno.EMFILE, errno.ENFILE}:
        raise StoreError(
            "Too many files are open: end other programs, or raise the limit (`ulimit -n`)."
        ) from error

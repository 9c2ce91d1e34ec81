"""Asking git, without letting the repository run anything.

A repository's own configuration can name programs: for its pager, its diffs, its filters, its file
watcher, its signatures, its transports. Reading an untrusted repository must start none of them.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from codeindex.config import environment
from codeindex.errors import GitError

TIMEOUT = 60.0
"""Seconds; listing a million files takes ten. A pipe in place of a file would block for ever."""

_SOON = 5.0

_SETTINGS = (
    *("core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false"),
    *("core.pager=cat", "core.askPass=", "core.sshCommand=false", "credential.helper="),
    *("diff.external=", "diff.submodule=short", "diff.ignoreSubmodules=all"),
    *("gpg.program=false", "gpg.ssh.program=false", "gpg.x509.program=false"),
    *("log.showSignature=false", "protocol.allow=never", "submodule.recurse=false"),
    *("color.ui=false", "core.quotePath=false", "gc.auto=0", "maintenance.auto=false"),
)
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",  # a partial clone fetches what it lacks, through any program
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",  # its messages are read below
}
_NO_PROGRAMS = ("--no-ext-diff", "--no-textconv")
# "dirty": looking into a submodule's work tree starts a git there that knows none of our settings
_DIFF = (*_NO_PROGRAMS, "--ignore-submodules=dirty", "--submodule=short")
_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "blame": ("--no-textconv",),
    "cat-file": (),
    "check-ignore": (),
    "config": (),
    "diff": _DIFF,
    "diff-tree": _DIFF,
    "for-each-ref": (),
    "log": (*_DIFF, "--no-show-signature"),
    "ls-files": (),
    "ls-tree": (),
    "merge-base": (),
    "rev-list": (),
    "rev-parse": (),
    "show": (*_DIFF, "--no-show-signature"),
    "symbolic-ref": (),
    "worktree": (),
}
"""What may be run at all, each with the options that keep it from starting programs."""
_WORK_TREE_READERS = frozenset({"blame", "diff"})
"""These pass files of the work tree through the repository's filters."""
_FILTER = re.compile(rb"filter\.(.*)\.(?:clean|smudge|process|required)", re.DOTALL)
_TRACKED = re.compile(rb"(\d{6}) [0-9a-f]{40,64} \d\t", re.DOTALL)
_SUBMODULE = b"160000"
_LONGEST_LINE = 8_192
"""Bytes of the one line of a `.git` file that are read."""


@dataclass(frozen=True, slots=True)
class Head:
    """What is checked out: no branch when detached, no commit before the first one."""

    branch: str | None
    commit: str | None


@dataclass(frozen=True, slots=True)
class Folders:
    """Where git keeps its own files: `own` of this work tree, `common` of all that share them."""

    own: Path
    common: Path


def run(command: str, *args: str, cwd: Path, timeout: float = TIMEOUT) -> bytes:
    """Run one of a few reading commands and return what it printed; anything else is an error."""
    done = _completed(command, *args, cwd=cwd, timeout=timeout)
    if done.returncode:
        raise GitError(_sentence(command, cwd, done.stderr))
    return done.stdout


def version() -> str:
    """Return the version of git; GitError if there is none, or one that does not start."""
    said = _start(("version",), cwd=Path(Path.cwd().anchor), timeout=_SOON).stdout
    return said.decode(errors="replace").strip().removeprefix("git version ")


def top(path: Path) -> Path | None:
    """Return the work tree that `path` is in, or None where there is none or no git.

    It is looked for here and not asked for: git would answer with whatever `core.worktree` of an
    untrusted repository says.
    """
    if _program() is None:
        return None
    resolved = path.resolve()
    if ".git" in resolved.parts:
        return None
    folders = (resolved, *resolved.parents)
    return next((folder for folder in folders if _has_repository(folder)), None)


def head(root: Path) -> Head:
    """Return branch and commit of the work tree at `root`."""
    asked = ("HEAD^{commit}", "--symbolic-full-name", "HEAD")  # in one start: each sync asks
    done = _completed("rev-parse", "--quiet", *asked, cwd=root, timeout=TIMEOUT)
    if done.returncode:  # before the first commit
        return Head(_line_or_none("symbolic-ref", "--quiet", "--short", "HEAD", cwd=root), None)
    commit, name = done.stdout.decode(errors="replace").split()
    return Head(name.removeprefix("refs/heads/") if name != "HEAD" else None, commit)


def commit(root: Path, name: str) -> str:
    """Return the digest of the commit that a branch, tag or expression names; GitError for none.

    What is typed is never an option, and never leaves commits out, as `^main` does.
    """
    asked = ("--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    found = run("rev-parse", *asked, cwd=root).decode("ascii").strip()
    if found.startswith("^"):
        raise GitError(f"{name!r} leaves a commit out: name the commit itself.")
    return found


def folders(root: Path) -> Folders:
    """Return the folders that belong to the work tree at `root`, resolved."""
    asked = ("--absolute-git-dir", "--git-common-dir")  # one by one: names may hold any line's end
    said = (run("rev-parse", one, cwd=root) for one in asked)
    own, common = (os.fsdecode(one.removesuffix(b"\n")) for one in said)
    return Folders(Path(own).resolve(), (root / common).resolve())


def hooks_setting(root: Path) -> tuple[str, str]:
    """Return `core.hooksPath` and whose it is (`local`, `global`, …); '' and '' for none.

    Ours, which keeps hooks from being run, is told from the others by its scope.
    """
    asked = ("-z", "--show-scope", "--type=path", "--get-all", "core.hooksPath")
    done = _completed("config", *asked, cwd=root, timeout=TIMEOUT)
    fields = iter(os.fsdecode(done.stdout).split("\0")[:-1])
    found = [(value, scope) for scope, value in zip(fields, fields, strict=True)]
    return next((one for one in reversed(found) if one[1] != "command"), ("", ""))


def is_shallow(root: Path) -> bool:
    """Tell whether the history is cut off, so that counting commits says little."""
    return run("rev-parse", "--is-shallow-repository", cwd=root).strip() == b"true"


def folders_said(top: Path) -> Folders:
    """Return the folders that the files of a work tree name, which may not be there.

    They are read as git would, for each sync asks: no process is started.
    """
    entry = top / ".git"
    if not entry.is_file():
        return Folders(entry, entry)
    own = top / _line_of(entry).removeprefix("gitdir:").strip()
    return Folders(own, own / _line_of(own / "commondir"))


def _line_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return os.fsdecode(file.readline(_LONGEST_LINE)).strip()
    except OSError:
        return ""


def files(root: Path, only: Iterable[str] = ()) -> Iterator[bytes]:
    """Yield the paths below `root` that are tracked or not ignored, submodules' files included.

    They are as git has them: bytes, relative, possibly absent from the disk, possibly hostile. A
    repository of its own that is no submodule comes as its folder, with a slash at the end. With
    `only`, just these files and folders are looked at, none of them in a submodule.
    """
    seen = set()
    asked = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--stage", "--")
    listing = run(*asked, *(f":(literal){one}" for one in only), cwd=root)
    for entry in listing.split(b"\0"):
        tracked = _TRACKED.match(entry)
        path = entry[tracked.end() :] if tracked else entry
        if not path or path in seen:  # unmerged files are listed once a side
            continue
        seen.add(path)
        if tracked and tracked[1] == _SUBMODULE:
            yield from _submodule_files(root, path)
        else:
            yield path


def ignored_files(root: Path, only: Iterable[str] = ()) -> Iterator[bytes]:
    """Yield the untracked paths below `root`, or of `only` these, that ignore rules leave out."""
    asked = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--")
    listing = run(*asked, *(f":(literal){one}" for one in only), cwd=root)
    return filter(None, listing.split(b"\0"))


def ignored_folders(root: Path) -> frozenset[str]:
    """Return the untracked folders below `root` that are ignored whole, without those in them."""
    asked = ("-z", "--others", "--ignored", "--exclude-standard", "--directory")
    listing = os.fsdecode(run("ls-files", *asked, cwd=root)).split("\0")
    return frozenset(one.rstrip("/") for one in listing if one.endswith("/"))


def ignored(root: Path, paths: Iterable[str]) -> frozenset[str]:
    """Return those of a few paths that are ignored and not tracked; odd names never are."""
    done = _completed("check-ignore", "--", *paths, cwd=root, timeout=TIMEOUT)
    if done.returncode > 1:
        raise GitError(_sentence("check-ignore", root, done.stderr))
    return frozenset(os.fsdecode(done.stdout).splitlines())


def ignoring(root: Path, path: str) -> str:
    """Return the rule that a path is ignored by, as `file line n: pattern`; nothing if by none."""
    done = _completed("check-ignore", "-v", "--", path, cwd=root, timeout=TIMEOUT)
    if done.returncode > 1:
        raise GitError(_sentence("check-ignore", root, done.stderr))
    rule = done.stdout.decode(errors="replace").partition("\t")[0]
    file, _, rest = rule.partition(":")
    line, _, pattern = rest.partition(":")
    return f"{file} line {line}: {pattern}" if pattern else ""


def _submodule_files(root: Path, path: bytes) -> Iterator[bytes]:
    """Yield a checked-out submodule's files; links on the way would lead out of the tree."""
    try:
        folder = root / path.decode()
    except UnicodeDecodeError:
        return
    if folder.resolve() != root.resolve() / path.decode() or not _has_repository(folder):
        return
    for inner in files(folder):
        yield path + b"/" + inner


def _has_repository(folder: Path) -> bool:
    """Tell whether `folder` is the top of a work tree, as git would: an empty `.git` is none."""
    entry = folder / ".git"
    try:
        mode = entry.stat().st_mode
        return stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and (entry / "HEAD").exists())
    except OSError:
        return False


def _line_or_none(command: str, *args: str, cwd: Path) -> str | None:
    """Return the first line; with `--quiet`, git says "there is none" by exit code 1."""
    done = _completed(command, *args, cwd=cwd, timeout=TIMEOUT)
    if done.returncode > 1:
        raise GitError(_sentence(command, cwd, done.stderr))
    return done.stdout.decode(errors="replace").strip() or None


def _completed(
    command: str, *args: str, cwd: Path, timeout: float
) -> subprocess.CompletedProcess[bytes]:
    options = _COMMANDS[command]
    settings = {} if command not in _WORK_TREE_READERS else _without_filters(cwd, timeout)
    return _start((command, *options, *args), cwd=cwd, timeout=timeout, settings=settings)


def _without_filters(cwd: Path, timeout: float) -> dict[str, str]:
    """Return settings that switch off every filter the repository defines, by its name.

    They go through the environment, where a name may hold an equals sign.
    """
    listing = _start(("config", "-z", "--name-only", "--list"), cwd=cwd, timeout=timeout).stdout
    names = {match[1] for key in listing.split(b"\0") if (match := _FILTER.fullmatch(key))}
    pairs = [
        (f"filter.{name.decode(errors='surrogateescape')}.{key}", value)
        for name in sorted(names)
        for key, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
    ]
    settings = {"GIT_CONFIG_COUNT": str(len(pairs))}
    for number, (key, value) in enumerate(pairs):
        settings |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return settings


def _start(
    words: tuple[str, ...],
    *,
    cwd: Path,
    timeout: float,
    settings: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    program = _program()
    if program is None:
        raise GitError("git is not on the PATH; install it to use what needs it.")
    line = [program, "--no-pager", "--no-optional-locks", "--no-replace-objects"]
    line += [part for setting in _SETTINGS for part in ("-c", setting)]
    try:
        return subprocess.run(
            [*line, *words],
            cwd=cwd,
            env=environment(**_ENVIRONMENT, **(settings or {})),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise GitError(
            f"git {words[0]} took over {timeout:g} s in '{cwd}'; try it there."
        ) from error
    except OSError as error:
        raise GitError(f"git cannot be started in '{cwd}': {error.strerror}.") from error


def _program() -> str | None:
    """Find git, but never in a folder relative to where we happen to be."""
    found = shutil.which("git")
    return found if found and Path(found).is_absolute() else None


def _sentence(command: str, cwd: Path, stderr: bytes) -> str:
    said = stderr.decode(errors="replace").strip()
    if "dubious ownership" in said:
        return (
            f"git does not read '{cwd}', which belongs to another user; if you trust it, run"
            f" `git config --global --add safe.directory {cwd}`."
        )
    first = said.removeprefix("fatal: ").split("\n", 1)[0] or "it did not say why"
    return f"git {command} failed in '{cwd}': {first}."

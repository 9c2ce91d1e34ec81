"""Fetch one commit of a remote repository into a folder: the only git commands that use a network.

No hook, filter or submodule runs, and the helper protocol `ext::` is refused, so that neither the
repository nor its address starts a program. Credentials come from the user's own git settings.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from codeindex.config import environment
from codeindex.errors import GitError
from codeindex.git.process import require_git
from codeindex.secrets import redact
from codeindex.text.urls import split_url

_SETTINGS = (
    *("core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.askPass="),
    *("protocol.ext.allow=never", "submodule.recurse=false", "fetch.recurseSubmodules=false"),
    *("http.lowSpeedLimit=1000", "http.lowSpeedTime=60", "advice.detachedHead=false"),
    *("gc.autoDetach=false", "maintenance.autoDetach=false", "init.defaultBranch=main"),
)
_ENVIRONMENT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
    "LC_ALL": "C",
}
_TIP_SECONDS = 60.0
_FETCH_SECONDS = 3600.0
"""Time limit of a fetch; a server that sends less than 1 kB/s for a minute is given up earlier."""
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SCHEMES = frozenset({"file", "git", "http", "https", "ssh"})
_SCP = re.compile(r"[\w.-]+@[\w.-]+:[^\s:]+")


def check_remote(url: str) -> str:
    """Return `url` unchanged if it may be fetched; raise GitError otherwise.

    Addresses like `https://…`, `ssh://…`, `git@host:path` and absolute paths may be fetched; an
    address with a password or a token may not, because it is stored and shown.
    """
    parts = split_url(url)
    is_url = parts.scheme in _SCHEMES and "://" in url and "::" not in parts.scheme
    if not (is_url or _SCP.fullmatch(url) or Path(url).is_absolute()) or not url.isprintable():
        raise GitError(
            f"'{url[:200]}' is not the address of a repository: give https://…, ssh://…,"
            " git@host:path, file:///… or an absolute path."
        )
    if is_url and (parts.password or redact(url).findings):
        raise GitError(
            f"The address of '{parts.hostname}' has a password or token in it: leave it out, and"
            " use a credential helper of git."
        )
    return url


def remote_tip(url: str, branch: str = "") -> str:
    """Return the commit hash at the tip of a remote branch, by default at the remote's HEAD.

    Raise GitError if the repository cannot be reached, or if it has no such branch.
    """
    reference = f"refs/heads/{branch}" if branch else "HEAD"
    output = _git("ls-remote", "--", check_remote(url), reference, timeout=_TIP_SECONDS, url=url)
    found = [line.split("\t")[0] for line in output.splitlines() if line.endswith(f"\t{reference}")]
    if not found or not _COMMIT.fullmatch(found[0]):
        what = f"no branch '{branch}'" if branch else "no commit"
        raise GitError(f"'{url}' has {what}: push one, or leave it out of the list.")
    return found[0]


def check_out_commit(folder: Path, url: str, commit: str) -> None:
    """Make `folder` a work tree of one commit of a remote repository, without its history.

    Raise GitError if the commit cannot be fetched.
    """
    if not _COMMIT.fullmatch(commit):
        raise GitError(f"'{commit[:80]}' is not a commit: index the repository again.")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise GitError(f"The folder '{folder}' cannot be made: {error.strerror}.") from error
    if not (folder / ".git" / "HEAD").exists():
        _git("init", "-q", ".", cwd=folder, url=url)
    if _has_commit(folder, commit):
        return
    arguments = ("-q", "--depth=1", "--no-tags", "--no-write-fetch-head", "--", check_remote(url))
    _git("fetch", *arguments, commit, cwd=folder, url=url, timeout=_FETCH_SECONDS)
    _git("checkout", "-q", "--force", "--detach", commit, cwd=folder, url=url)
    _git("clean", "-q", "-ffdx", cwd=folder, url=url)


def _has_commit(folder: Path, commit: str) -> bool:
    """Tell whether `commit` is checked out in `folder` and the work tree has no change."""
    try:
        head = _git("rev-parse", "-q", "--verify", "HEAD", cwd=folder, url="").strip()
        if head != commit:
            return False
        return not _git("status", "--porcelain", "--ignored", cwd=folder, url="")
    except GitError:
        return False


def _git(
    command: str,
    *arguments: str,
    url: str,
    cwd: Path | None = None,
    timeout: float = _FETCH_SECONDS,
) -> str:
    """Run a git command for a remote repository; return its output.

    Raise GitError if it fails. The error message names `url`.
    """
    program = require_git()
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    try:
        done = subprocess.run(
            [program, "--no-pager", *settings, command, *arguments],
            cwd=cwd,
            env=environment(**_ENVIRONMENT),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise GitError(
            f"'{url}' did not answer `git {command}` within {timeout:.0f} s: try again, or see"
            " whether it can be reached."
        ) from error
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}.") from error
    if done.returncode:
        raise GitError(f"'{url or cwd}' cannot be fetched: {_reason(done.stderr)}.")
    return done.stdout.decode(errors="replace")


_REASONS = (
    ("could not read Username", "it asks for a password, and git has no credentials for it"),
    ("Authentication failed", "the credentials of git are refused"),
    ("Permission denied", "access is denied"),
    ("does not appear to be a git repository", "there is no git repository"),
    ("does not exist", "there is no git repository"),
    ("not found", "there is no such repository, or you may not see it"),
    ("Could not resolve host", "the name of its host is not known"),
    ("not our ref", "it no longer has that commit"),
    ("No space left", "the disk is full"),
    ("missing blob", "objects are missing there"),
    ("dubious ownership", "it belongs to another user: see `safe.directory` of git"),
)
"""Parts of git's messages, and the reason that is printed."""


def _reason(stderr: bytes) -> str:
    message = stderr.decode(errors="replace").strip()
    found = (reason for sign, reason in _REASONS if sign in message)
    lines = [line for line in message.splitlines() if line.startswith(("fatal:", "error:"))]
    first = (lines or message.splitlines() or ["it did not say why"])[0]
    return next(found, first.removeprefix("fatal: ").removeprefix("error: ").rstrip("."))

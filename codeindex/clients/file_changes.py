"""Compute the file changes of a plan, show them as a diff, and write them.

The changes of one step are written together or not at all.
"""

from __future__ import annotations

import difflib
import errno
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from codeindex.clients.client import FileEdit, SetupContext
from codeindex.clients.plan import SetupFailure, SetupPlan, SetupStep
from codeindex.errors import ConfigError
from codeindex.files.write import write_atomically
from codeindex.secrets import redact

BACKUP = ".bak-codeindex"
_PRIVATE_MODE = 0o600


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """The content of a file before and after a change. It is None where the file does not exist."""

    file: Path
    before: bytes | None
    after: bytes | None
    mode: int = _PRIVATE_MODE

    @property
    def is_backup(self) -> bool:
        return self.file.name.endswith(BACKUP)


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Changes of files that are written together or not at all.

    `titles` name the steps that the changes belong to. Steps that edit the same file share a change
    set.
    """

    titles: tuple[str, ...]
    changes: tuple[SettingsChange, ...]


def compute_changes(
    plan: SetupPlan, context: SetupContext
) -> tuple[tuple[ChangeSet, ...], tuple[SetupFailure, ...]]:
    """Return (change sets, failures) for a plan.

    The failures are those of the plan and those of steps with a file that cannot be edited.
    """
    change_sets: list[ChangeSet] = []
    groups, failures = _group_steps(plan.steps, context)
    for steps in groups:
        titles = tuple(step.title for step in steps)
        try:
            changes = changes_of_steps(steps, context)
        except ConfigError as error:
            failures += [SetupFailure(title, str(error)) for title in titles]
        else:
            change_sets += [ChangeSet(titles, changes)] if changes else []
    return tuple(change_sets), (*plan.failures, *failures)


def changes_of_steps(
    steps: Sequence[SetupStep], context: SetupContext
) -> tuple[SettingsChange, ...]:
    """Return the file changes of some steps; raise ConfigError if a file cannot be edited."""
    removals = [edit for step in steps for edit in step.remove]
    additions = [edit for step in steps for edit in step.add]
    changes: list[SettingsChange] = []
    for target in dict.fromkeys(_target(edit.file, context) for edit in (*removals, *additions)):
        remove = [edit for edit in removals if _target(edit.file, context) == target]
        add = [edit for edit in additions if _target(edit.file, context) == target]
        changes += _file_changes(target, remove, add)
    return tuple(changes)


def diff_lines(changes: Sequence[SettingsChange], context: SetupContext) -> Iterator[str]:
    """Yield the lines of a unified diff without secrets; changes of backup files are skipped."""
    for change in changes:
        name = context.display_path(change.file)
        if change.is_backup:
            continue
        yield from difflib.unified_diff(
            _redacted_lines(change.before),
            _redacted_lines(change.after),
            "/dev/null" if change.before is None else name,
            "/dev/null" if change.after is None else name,
            lineterm="",
        )


def apply_changes(changes: Sequence[SettingsChange], context: SetupContext) -> None:
    """Write all changes; if one fails, undo the changes before it.

    Raises ConfigError if a change fails, or if a file is not as it was when the changes were
    computed.
    """
    for change in changes:
        if _read(change.file) != change.before:
            raise ConfigError(f"'{change.file}' has changed meanwhile; run the command again.")
    done: list[SettingsChange] = []
    try:
        for change in changes:
            _write(change.file, change.after, change.mode, context)
            done.append(change)
    except OSError as error:
        for written in reversed(done):
            _write(written.file, written.before, written.mode, context)
        raise ConfigError(
            f"'{change.file}' cannot be written ({error.strerror}): see who owns it."
        ) from error


def _group_steps(
    steps: Sequence[SetupStep], context: SetupContext
) -> tuple[list[list[SetupStep]], list[SetupFailure]]:
    """Return (groups of steps, failures); steps that edit a common file are in one group.

    Files are compared after links are followed, since two paths can lead to one file.
    """
    groups: list[tuple[set[Path], list[SetupStep]]] = []
    failures: list[SetupFailure] = []
    for step in steps:
        try:
            files = {_target(edit.file, context) for edit in (*step.remove, *step.add)}
        except ConfigError as error:
            failures.append(SetupFailure(step.title, str(error)))
            continue
        overlapping = [group for group in groups if group[0] & files]
        groups = [group for group in groups if group not in overlapping]
        files = files.union(*(others for others, _ in overlapping))
        merged = [other for _, others in overlapping for other in others]
        groups.append((files, [*merged, step]))
    return [members for _, members in groups], failures


def _file_changes(
    file: Path, remove: Sequence[FileEdit], add: Sequence[FileEdit]
) -> Iterator[SettingsChange]:
    """Yield the change of a file, and the change of its backup.

    The edits in `remove` are undone, then those in `add` are made. A file that we created has no
    backup. If only our edits changed the file since the backup was made, removing the edits
    restores the backup's content.
    """
    backup = file.with_name(file.name + BACKUP)
    before, kept = _read(file), _read(backup)
    text = _decode(file, before)
    after = _apply_edits(text, remove, add)
    if after == text:
        return
    mode = _PRIVATE_MODE if before is None else stat.S_IMODE(file.stat().st_mode)
    if kept is not None and not add and _is_backup_current(_decode(backup, kept), after, remove):
        yield SettingsChange(file, before, kept, mode)
        yield SettingsChange(backup, kept, None, mode)
    elif kept is None and not add and after.strip() in {"", "{}"}:
        yield SettingsChange(file, before, None, mode)
    else:
        is_first = kept is None and not any(edit.is_in(text) for edit in (*remove, *add))
        if before is not None and is_first:
            yield SettingsChange(backup, None, before, mode)
        yield SettingsChange(file, before, _encode(file, after), mode)


def _apply_edits(text: str, remove: Sequence[FileEdit], add: Sequence[FileEdit]) -> str:
    for edit in remove:
        text = edit.remove(text)
    for edit in add:
        text = edit.add(text)
    return text


def _is_backup_current(backup: str, text: str, edits: Sequence[FileEdit]) -> bool:
    """Return whether only our edits have changed a file since its backup was made.

    `backup` is the text of the backup, `text` that of the file without the edits. Adding and
    removing edits can change blanks, so the same is done to the backup before it is compared.
    """
    return _apply_edits(_apply_edits(backup, (), edits), edits, ()) == text


def _target(file: Path, context: SetupContext) -> Path:
    """Follow the links of a path; raise ConfigError if a link leads out of the repository."""
    try:
        target = file.resolve()
    except (OSError, RuntimeError):  # a loop of links, before Python 3.13; `_read` names it
        target = file
    if file.is_relative_to(context.root) and not target.is_relative_to(context.root):
        raise ConfigError(f"'{file}' is a link out of the repository; set up '{target}' by hand.")
    return target


def _read(file: Path) -> bytes | None:
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise ConfigError(f"'{file}' is not a file; move it away.")
        return file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise ConfigError(f"'{file}' is a link to itself; remove it.") from error
        raise ConfigError(
            f"'{file}' cannot be read ({error.strerror}): see who owns it."
        ) from error


def _decode(file: Path, data: bytes | None) -> str:
    try:
        return (data or b"").decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f"'{file}' is not UTF-8; save it in that encoding.") from error


def _encode(file: Path, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ConfigError(
            f"'{file}' cannot name a path that is not UTF-8; rename the folder."
        ) from error


def _redacted_lines(data: bytes | None) -> list[str]:
    return redact((data or b"").decode(), settings=True).text.splitlines()


def _write(file: Path, data: bytes | None, mode: int, context: SetupContext) -> None:
    if data is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, data, mode=mode)
        return
    file.unlink(missing_ok=True)
    for folder in file.parents:
        if (
            not folder.is_relative_to(context.root)
            or folder == context.root
            or any(folder.iterdir())
        ):
            break
        folder.rmdir()

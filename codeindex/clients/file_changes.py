"""From pieces to changes of files, shown before they are made; of a part, all or none are made."""

from __future__ import annotations

import difflib
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from codeindex.clients.client import FileEdit, SetupContext
from codeindex.clients.plan import SetupFailure, SetupPlan, SetupStep
from codeindex.errors import ConfigError
from codeindex.secrets import redact
from codeindex.store.datadir.home import write_atomically

BACKUP = ".bak-codeindex"
_PRIVATE = 0o600


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """What a file holds and what it is to hold; None is for a file that is not there."""

    file: Path
    before: bytes | None
    after: bytes | None
    mode: int = _PRIVATE

    @property
    def is_backup(self) -> bool:
        return self.file.name.endswith(BACKUP)


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Changes that are made together: those of a part, or of parts that share a file."""

    titles: tuple[str, ...]
    changes: tuple[SettingsChange, ...]


def compute_changes(
    plan: SetupPlan, site: SetupContext
) -> tuple[tuple[ChangeSet, ...], tuple[SetupFailure, ...]]:
    """Return every change, and the parts with a file that cannot be understood."""
    units: list[ChangeSet] = []
    groups, failures = _groups(plan.parts, site)
    for parts in groups:
        titles = tuple(part.title for part in parts)
        try:
            changes = changes_of_steps(parts, site)
        except ConfigError as error:
            failures += [SetupFailure(title, str(error)) for title in titles]
        else:
            units += [ChangeSet(titles, changes)] if changes else []
    return tuple(units), (*plan.failures, *failures)


def changes_of_steps(parts: Sequence[SetupStep], site: SetupContext) -> tuple[SettingsChange, ...]:
    """Work out the changes of some parts; ConfigError for a file that cannot be understood."""
    takes = [piece for part in parts for piece in part.take]
    adds = [piece for part in parts for piece in part.add]
    found: list[SettingsChange] = []
    for target in dict.fromkeys(_target(piece.file, site) for piece in (*takes, *adds)):
        take = [piece for piece in takes if _target(piece.file, site) == target]
        add = [piece for piece in adds if _target(piece.file, site) == target]
        found += _changes(target, take, add)
    return tuple(found)


def diff_lines(changes: Sequence[SettingsChange], site: SetupContext) -> Iterator[str]:
    """Yield the lines of one unified diff, without the secrets that files of others may hold."""
    for change in changes:
        name = site.shown(change.file)
        if change.is_backup:
            continue
        yield from difflib.unified_diff(
            _lines(change.before),
            _lines(change.after),
            "/dev/null" if change.before is None else name,
            "/dev/null" if change.after is None else name,
            lineterm="",
        )


def apply_changes(changes: Sequence[SettingsChange], site: SetupContext) -> None:
    """Make the changes of a unit; if one cannot be made, the others are undone."""
    for change in changes:
        if _read(change.file) != change.before:
            raise ConfigError(f"'{change.file}' has changed meanwhile; run the command again.")
    done: list[SettingsChange] = []
    try:
        for change in changes:
            _write(change.file, change.after, change.mode, site)
            done.append(change)
    except OSError as error:
        for past in reversed(done):
            _write(past.file, past.before, past.mode, site)
        raise ConfigError(
            f"'{change.file}' cannot be written ({error.strerror}): see who owns it."
        ) from error


def _groups(
    parts: Sequence[SetupStep], site: SetupContext
) -> tuple[list[list[SetupStep]], list[SetupFailure]]:
    """Group parts that change the same file: links can lead several clients to one."""
    groups: list[tuple[set[Path], list[SetupStep]]] = []
    failures: list[SetupFailure] = []
    for part in parts:
        try:
            files = {_target(piece.file, site) for piece in (*part.take, *part.add)}
        except ConfigError as error:
            failures.append(SetupFailure(part.title, str(error)))
            continue
        same = [group for group in groups if group[0] & files]
        groups = [group for group in groups if group not in same]
        files = files.union(*(known for known, _ in same))
        groups.append((files, [*(item for _, known in same for item in known), part]))
    return [known for _, known in groups], failures


def _changes(
    file: Path, take: Sequence[FileEdit], add: Sequence[FileEdit]
) -> Iterator[SettingsChange]:
    """Yield the change of a file and that of its backup, which one that we made does not have."""
    backup = file.with_name(file.name + BACKUP)
    before, kept = _read(file), _read(backup)
    text = _decoded(file, before)
    after = _applied(text, take, add)
    if after == text:
        return
    mode = _PRIVATE if before is None else stat.S_IMODE(file.stat().st_mode)
    if kept is not None and not add and _is_same(_decoded(backup, kept), after, take):
        yield SettingsChange(file, before, kept, mode)
        yield SettingsChange(backup, kept, None, mode)
    elif kept is None and not add and after.strip() in {"", "{}"}:
        yield SettingsChange(file, before, None, mode)
    else:
        is_first = kept is None and not any(piece.is_in(text) for piece in (*take, *add))
        if before is not None and is_first:
            yield SettingsChange(backup, None, before, mode)
        yield SettingsChange(file, before, _encoded(file, after), mode)


def _applied(text: str, take: Sequence[FileEdit], add: Sequence[FileEdit]) -> str:
    for piece in take:
        text = piece.take(text)
    for piece in add:
        text = piece.add(text)
    return text


def _is_same(kept: str, left: str, pieces: Sequence[FileEdit]) -> bool:
    """Tell whether nothing but ours has changed since the backup was made.

    Taking out what was added can leave other blanks than there were; a backup that is treated the
    same shows that it is the same file.
    """
    return _applied(_applied(kept, (), pieces), pieces, ()) == left


def _target(file: Path, site: SetupContext) -> Path:
    """Follow links to the file itself; those of a repository may not lead out of it."""
    try:
        target = file.resolve()
    except (OSError, RuntimeError):  # a loop; before Python 3.13 it is a RuntimeError
        raise ConfigError(f"'{file}' is a link to itself; remove it.") from None
    if file.is_relative_to(site.root) and not target.is_relative_to(site.root):
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
        raise ConfigError(
            f"'{file}' cannot be read ({error.strerror}): see who owns it."
        ) from error


def _decoded(file: Path, data: bytes | None) -> str:
    try:
        return (data or b"").decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f"'{file}' is not UTF-8; save it in that encoding.") from error


def _encoded(file: Path, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ConfigError(
            f"'{file}' cannot name a path that is not UTF-8; rename the folder."
        ) from error


def _lines(data: bytes | None) -> list[str]:
    return redact((data or b"").decode(), settings=True).text.splitlines()


def _write(file: Path, data: bytes | None, mode: int, site: SetupContext) -> None:
    if data is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, data, mode=mode)
        return
    file.unlink(missing_ok=True)
    for folder in file.parents:
        if not folder.is_relative_to(site.root) or folder == site.root or any(folder.iterdir()):
            break
        folder.rmdir()

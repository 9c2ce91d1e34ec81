"""Plan the edits that set up clients or remove the setup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from codeindex.clients.client import Client, FileEdit, SetupContext
from codeindex.clients.guidance import guide_block, subagent_file
from codeindex.clients.hooks import HookSettings
from codeindex.clients.known_clients import CLIENTS
from codeindex.clients.server_entry import PYTHON_ARGUMENTS, ServerEntry
from codeindex.clients.text_edits import MarkedBlock
from codeindex.config.load import REPOSITORY_FILE


@dataclass(frozen=True, slots=True)
class SetupOptions:
    """The clients to set up, and which of hooks, guidance and sub-agent to add.

    `local_hooks` writes the hooks to a settings file of this user alone. `command_hooks` lets the
    hooks run a command instead of calling a tool of the server.
    """

    clients: tuple[Client, ...]
    hooks: bool = True
    local_hooks: bool = False
    command_hooks: bool = False
    guidance: bool = False
    subagent: bool = False


@dataclass(frozen=True, slots=True)
class SetupStep:
    """Edits for one client or of one file, which are made together or not at all.

    First the edits in `remove` are undone, then the edits in `add` are made.
    """

    title: str
    remove: tuple[FileEdit, ...] = ()
    add: tuple[FileEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class ManualEntry:
    """A server entry that the user has to paste: its `text`, and the `place` for it."""

    title: str
    place: str
    text: str


@dataclass(frozen=True, slots=True)
class SetupFailure:
    """A step of the setup that cannot be made, and the reason."""

    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class SetupPlan:
    """The steps of a setup, entries for the user to paste, and steps that are impossible.

    Each step can be made without the others.
    """

    steps: tuple[SetupStep, ...]
    manual: tuple[ManualEntry, ...] = ()
    failures: tuple[SetupFailure, ...] = ()


def detect_clients(context: SetupContext) -> tuple[Client, ...]:
    return tuple(client for client in CLIENTS.values() if client.is_used(context))


def plan_setup(context: SetupContext, options: SetupOptions) -> SetupPlan:
    """Return the plan that sets up the clients in `options`.

    Hooks that an earlier setup wrote but the options exclude are removed.
    """
    editable = [client for client in options.clients if not client.by_hand]
    steps = [_client_step(context, client, options) for client in editable]
    if options.guidance:
        guides = _guides(context, options.clients)
        steps += [
            SetupStep(context.display_path(file), add=(guide_block(file),)) for file in guides
        ]
    manual = [_manual_entry(context, client) for client in options.clients if client.by_hand]
    return SetupPlan(tuple(steps), tuple(manual))


def plan_removal(
    context: SetupContext, clients: Sequence[Client], *, everything: bool
) -> SetupPlan:
    """Return the plan that removes every earlier setup of these clients.

    With `everything`, our blocks in guide files and in the repository's settings file are removed
    too, which other clients may use.
    """
    steps = [
        SetupStep(client.title, remove=tuple(_all_edits(context, client)))
        for client in clients
        if not client.by_hand
    ]
    if everything:
        guides = _guides(context, CLIENTS.values())
        steps += [
            SetupStep(context.display_path(file), remove=(guide_block(file),)) for file in guides
        ]
        settings = settings_block(context.resolve(REPOSITORY_FILE), "")
        steps.append(SetupStep(REPOSITORY_FILE, remove=(settings,)))
    return SetupPlan(tuple(steps))


def settings_block(file: Path, text: str) -> MarkedBlock:
    """Return an edit that adds `text` to a YAML settings file, between two comment lines."""
    return MarkedBlock(file, text, "# codeindex:begin", "# codeindex:end")


def find_server_entry(context: SetupContext, client: Client) -> ServerEntry:
    """Return the edit that adds our server entry to the client's settings file.

    It is the first of the client's files that exists, or else its main file, `client.file`.
    """
    names = (client.file, *client.other_files)
    name = next((name for name in names if context.resolve(name).exists()), client.file)
    return _entry_in(context, client, name)


def _client_step(context: SetupContext, client: Client, options: SetupOptions) -> SetupStep:
    shared, local = _hooks(context, client, as_commands=options.command_hooks)
    wanted, other = (local, shared) if options.local_hooks else (shared, local)
    remove: list[FileEdit] = [*other, *(() if options.hooks else wanted)]
    add: list[FileEdit] = [find_server_entry(context, client), *(wanted if options.hooks else ())]
    if options.subagent and client.subagent:
        add.append(subagent_file(context.resolve(client.subagent)))
    return SetupStep(client.title, tuple(remove), tuple(add))


def _all_edits(context: SetupContext, client: Client) -> Iterator[FileEdit]:
    """Yield every edit that a setup of a client can have made, whatever its options were."""
    for name in (client.file, *client.other_files):
        yield _entry_in(context, client, name)
    for group in _hooks(context, client, as_commands=False):
        yield from group
    if client.subagent:
        yield subagent_file(context.resolve(client.subagent))


def _entry_in(context: SetupContext, client: Client, name: str) -> ServerEntry:
    file = context.resolve(name)
    return ServerEntry(
        file,
        client.key,
        client.command or (context.python, *PYTHON_ARGUMENTS),
        roots=(client.root.replace("{root}", str(context.root)),) if client.root else (),
        entry_format=client.entry_format,
        settings=client.settings,
        variables={} if client.command else context.own_variables(),
        is_shared=not file.is_relative_to(context.root),
    )


def _manual_entry(context: SetupContext, client: Client) -> ManualEntry:
    entry = _entry_in(context, client, client.file)
    text = entry.as_yaml() if entry.is_yaml else entry.add("")
    return ManualEntry(client.title, client.file, text)


def _hooks(
    context: SetupContext, client: Client, *, as_commands: bool
) -> tuple[list[HookSettings], list[HookSettings]]:
    """Return (hooks in the settings file of the repository, hooks in the user's own file).

    Both are empty for most clients.
    """
    groups = tuple(
        (hook.event, hook.group(context.python, as_command=as_commands)) for hook in client.hooks
    )
    files = (client.hook_file, client.local_hook_file)
    shared, local = (
        [HookSettings(context.resolve(file), groups)] if groups else [] for file in files
    )
    return shared, local


def _guides(context: SetupContext, clients: Iterable[Client]) -> list[Path]:
    """Return the guide files that the clients read, like `CLAUDE.md`.

    If none is known, return the path of `AGENTS.md`.
    """
    names = dict.fromkeys(client.guide for client in clients if client.guide)
    return [context.resolve(name) for name in names or ("AGENTS.md",)]

"""From what a person wants to the pieces that make it so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from codeindex.clients import every_client
from codeindex.clients.client import Client, FileEdit, SetupContext
from codeindex.clients.guidance import guide_block, subagent_file
from codeindex.clients.hooks import HookSettings
from codeindex.clients.proposal import settings_block
from codeindex.clients.server_entry import START, ServerEntry
from codeindex.config.load import REPOSITORY_FILE


@dataclass(frozen=True, slots=True)
class SetupOptions:
    """What is to be set up for some clients."""

    clients: tuple[Client, ...]
    hooks: bool = True
    local_hooks: bool = False
    command_hooks: bool = False
    guidance: bool = False
    subagent: bool = False


@dataclass(frozen=True, slots=True)
class SetupStep:
    """Pieces of one client, to take out and then to add: all are made, or none."""

    title: str
    take: tuple[FileEdit, ...] = ()
    add: tuple[FileEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class ManualEntry:
    """An entry that the user pastes: the place and the text."""

    title: str
    place: str
    text: str


@dataclass(frozen=True, slots=True)
class SetupFailure:
    """A part that cannot be made, and the sentence that says why."""

    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class SetupPlan:
    """Parts that do not depend on each other, and what is left to the user."""

    parts: tuple[SetupStep, ...]
    pasted: tuple[ManualEntry, ...] = ()
    failures: tuple[SetupFailure, ...] = ()


def detect_clients(site: SetupContext) -> tuple[Client, ...]:
    return tuple(client for client in every_client() if client.is_here(site))


def plan_setup(site: SetupContext, wish: SetupOptions) -> SetupPlan:
    """Return what makes it as wished; hooks that are not wanted, or not there, are taken out."""
    written = [client for client in wish.clients if not client.by_hand]
    parts = [_client_part(site, client, wish) for client in written]
    if wish.guidance:
        guides = _guides(site, wish.clients)
        parts += [SetupStep(site.shown(file), add=(guide_block(file),)) for file in guides]
    pasted = [_pasted(site, client) for client in wish.clients if client.by_hand]
    return SetupPlan(tuple(parts), tuple(pasted))


def plan_removal(site: SetupContext, clients: Sequence[Client], *, everything: bool) -> SetupPlan:
    """Return what undoes any setup of these clients; `everything`: also what they share."""
    parts = [
        SetupStep(client.title, take=tuple(_removed(site, client)))
        for client in clients
        if not client.by_hand
    ]
    if everything:
        guides = _guides(site, every_client())
        parts += [SetupStep(site.shown(file), take=(guide_block(file),)) for file in guides]
        settings = settings_block(site.path(REPOSITORY_FILE), "")
        parts.append(SetupStep(REPOSITORY_FILE, take=(settings,)))
    return SetupPlan(tuple(parts))


def find_server_entry(site: SetupContext, client: Client) -> ServerEntry:
    """Return the entry of a client, in its file or in the one that is there instead."""
    names = (client.file, *client.other_files)
    name = next((name for name in names if site.path(name).exists()), client.file)
    return _server_in(site, client, name)


def _client_part(site: SetupContext, client: Client, wish: SetupOptions) -> SetupStep:
    shared, local = _hooks(site, client, as_commands=wish.command_hooks)
    wanted, other = (local, shared) if wish.local_hooks else (shared, local)
    take: list[FileEdit] = [*other, *(() if wish.hooks else wanted)]
    add: list[FileEdit] = [find_server_entry(site, client), *(wanted if wish.hooks else ())]
    if wish.subagent and client.subagent:
        add.append(subagent_file(site.path(client.subagent)))
    return SetupStep(client.title, tuple(take), tuple(add))


def _removed(site: SetupContext, client: Client) -> Iterator[FileEdit]:
    for name in (client.file, *client.other_files):
        yield _server_in(site, client, name)
    for group in _hooks(site, client, as_commands=False):
        yield from group
    if client.subagent:
        yield subagent_file(site.path(client.subagent))


def _server_in(site: SetupContext, client: Client, name: str) -> ServerEntry:
    file = site.path(name)
    return ServerEntry(
        file,
        client.key,
        client.command or (site.python, *START),
        roots=(client.root.replace("{root}", str(site.root)),) if client.root else (),
        shape=client.shape,
        settings=client.settings,
        variables={} if client.command else site.own_variables(),
        is_shared=not file.is_relative_to(site.root),
    )


def _pasted(site: SetupContext, client: Client) -> ManualEntry:
    entry = _server_in(site, client, client.file)
    text = entry.as_yaml() if entry.is_yaml else entry.add("")
    return ManualEntry(client.title, client.file, text)


def _hooks(
    site: SetupContext, client: Client, *, as_commands: bool
) -> tuple[list[HookSettings], list[HookSettings]]:
    """Return the hooks for everybody and those for this user; none for most clients."""
    groups = tuple(
        (hook.event, hook.group(site.python, as_command=as_commands)) for hook in client.hooks
    )
    files = (client.hook_file, client.local_hook_file)
    shared, local = ([HookSettings(site.path(file), groups)] if groups else [] for file in files)
    return shared, local


def _guides(site: SetupContext, clients: Sequence[Client]) -> list[Path]:
    """Return the documents that the clients read; one that links to another is the same."""
    names = dict.fromkeys(client.guide for client in clients if client.guide)
    return [site.path(name) for name in names or ("AGENTS.md",)]

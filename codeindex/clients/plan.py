"""From what a person wants to the pieces that make it so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from codeindex.clients import every_client
from codeindex.clients.client import Client, Piece, Site
from codeindex.clients.guidance import guide, subagent
from codeindex.clients.hooks import Hooks
from codeindex.clients.proposal import section
from codeindex.clients.server import Server
from codeindex.config.sources import REPOSITORY_FILE


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be set up for some clients."""

    clients: tuple[Client, ...]
    hooks: bool = True
    local_hooks: bool = False
    command_hooks: bool = False
    guidance: bool = False
    subagent: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """Pieces to take out, and then pieces to add."""

    take: tuple[Piece, ...]
    add: tuple[Piece, ...] = ()


def clients_here(site: Site) -> tuple[Client, ...]:
    return tuple(client for client in every_client() if client.is_here(site))


def setup(site: Site, wish: Wish) -> Plan:
    """Return what makes it as wished; hooks that are not wanted, or not there, are taken out."""
    take: list[Piece] = []
    add: list[Piece] = [server(site, client) for client in wish.clients]
    for client in wish.clients:
        shared, local = _hooks(site, client, as_commands=wish.command_hooks)
        wanted, other = (local, shared) if wish.local_hooks else (shared, local)
        take += [*other, *(() if wish.hooks else wanted)]
        add += wanted if wish.hooks else ()
        if wish.subagent and client.subagent:
            add.append(subagent(site.path(client.subagent)))
    if wish.guidance:
        add += [guide(file) for file in _guides(site, wish.clients)]
    return Plan(tuple(take), tuple(add))


def removal(site: Site, clients: Sequence[Client], *, everything: bool) -> Plan:
    """Return what undoes any setup of these clients; `everything`: also what they share."""
    take: list[Piece] = [server(site, client) for client in clients]
    for client in clients:
        take += [one for group in _hooks(site, client, as_commands=False) for one in group]
        take += [subagent(site.path(client.subagent))] if client.subagent else []
    if everything:
        take += [guide(file) for file in _guides(site, every_client())]
        take.append(section(site.path(REPOSITORY_FILE), ""))
    return Plan(tuple(take))


def server(site: Site, client: Client) -> Server:
    return Server(
        site.path(client.file),
        client.key,
        site.python,
        roots=(client.root.replace("{root}", str(site.root)),) if client.root else (),
        settings=client.settings,
        variables=site.own_variables(),
    )


def _hooks(site: Site, client: Client, *, as_commands: bool) -> tuple[list[Hooks], list[Hooks]]:
    """Return the hooks for everybody and those for this user; none for most clients."""
    groups = tuple(
        (hook.event, hook.group(site.python, as_command=as_commands)) for hook in client.hooks
    )
    files = (client.hook_file, client.local_hook_file)
    shared, local = ([Hooks(site.path(file), groups)] if groups else [] for file in files)
    return shared, local


def _guides(site: Site, clients: Sequence[Client]) -> list[Path]:
    """Return the documents that the clients read; one that links to another is the same."""
    names = dict.fromkeys(client.guide for client in clients if client.guide)
    return [site.path(name) for name in names or ("AGENTS.md",)]

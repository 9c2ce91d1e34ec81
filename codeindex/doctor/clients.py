"""Check that the coding agents on this machine are set up to start the MCP server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from codeindex.clients.client import Client, SetupContext
from codeindex.clients.plan import detect_clients, find_server_entry
from codeindex.errors import CodeIndexError
from codeindex.types.verdicts import Verdict, note, ok, problem


def check_clients(root: Path) -> Iterator[Verdict]:
    """Compare the settings of each client in use with those that `codeindex init` would write."""
    context = SetupContext.current(root)
    clients = [client for client in detect_clients(context) if not client.by_hand]
    if not clients:
        yield ok("clients", "no supported client was found")
    for client in clients:
        yield _check_client(context, client)


def _check_client(context: SetupContext, client: Client) -> Verdict:
    entry = find_server_entry(context, client)
    path = context.display_path(entry.file)
    remedy = f"run `codeindex init --client {client.name}`"
    try:
        text = entry.file.read_text(encoding="utf-8") if entry.file.exists() else ""
        if not entry.is_in(text):
            return note("clients", f"{client.title} is used here but not set up", remedy=remedy)
        if entry.add(text) != text:
            return note("clients", f"{client.title} starts another server ({path})", remedy=remedy)
    except (OSError, ValueError, CodeIndexError) as error:
        return problem("clients", f"{path} cannot be read ({error})", remedy="correct it by hand")
    return ok("clients", f"{client.title} is set up ({path})")

"""The coding agents on this machine: whether they know our server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from codeindex.clients.client import Client, SetupContext
from codeindex.clients.plan import detect_clients, find_server_entry
from codeindex.errors import CodeIndexError
from codeindex.types.verdicts import Verdict, note, ok, problem


def check_clients(root: Path) -> Iterator[Verdict]:
    """Compare each client's settings with what `init` would write."""
    site = SetupContext.here(root)
    found = [client for client in detect_clients(site) if not client.by_hand]
    if not found:
        yield ok("clients", "none is used here")
    for client in found:
        yield _verdict(site, client)


def _verdict(site: SetupContext, client: Client) -> Verdict:
    ours = find_server_entry(site, client)
    where = site.shown(ours.file)
    again = f"run `codeindex init --client {client.name}`"
    try:
        text = ours.file.read_text(encoding="utf-8") if ours.file.exists() else ""
        if not ours.is_in(text):
            return note("clients", f"{client.title} is used here and not set up", remedy=again)
        if ours.add(text) != text:
            return note("clients", f"{client.title} starts another server ({where})", remedy=again)
    except (OSError, ValueError, CodeIndexError) as error:
        return problem("clients", f"{where} cannot be read ({error})", remedy="correct it by hand")
    return ok("clients", f"{client.title} is set up ({where})")

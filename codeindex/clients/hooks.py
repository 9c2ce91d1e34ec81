"""What Claude Code is to call before and after it touches a file, and when a session starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codeindex.clients.jsonc import append, remove, take, value_at
from codeindex.clients.server_entry import NAME, START, is_module_call

_SECONDS = 5
"""The client waits for a hook; ours answer within half a second, or a hung disk holds them."""
_COMMANDS = (f"{NAME} hook ", f"-m {NAME} hook ")
"""How a hook of ours begins where somebody wrote it as one line for a shell."""


@dataclass(frozen=True, slots=True)
class ClientHook:
    """One call: of the running server's `tool` with a value of the event, or of a `command`."""

    event: str
    command: str
    matcher: str = ""
    tool: str = ""
    file: str = ""
    """Key of the event's `tool_input` that names the file."""

    def group(self, python: str, *, as_command: bool) -> dict[str, Any]:
        """Return what stands in the settings; without a tool it is a command in any case.

        Arguments go as a list, so that no shell reads them.
        """
        call: dict[str, Any]
        if as_command or not self.tool:
            args = [*START, "hook", self.command]
            call = {"type": "command", "command": python, "args": args}
        else:
            given = {"file_path": f"${{tool_input.{self.file}}}"}
            call = {"type": "mcp_tool", "server": NAME, "tool": self.tool, "input": given}
        matcher = {"matcher": self.matcher} if self.matcher else {}
        return {**matcher, "hooks": [{**call, "timeout": _SECONDS}]}


@dataclass(frozen=True, slots=True)
class HookSettings:
    """Our hooks in a settings file, each in a group of its own; those of others are not touched."""

    file: Path
    groups: tuple[tuple[str, Mapping[str, Any]], ...]
    """Event and group."""

    def is_in(self, text: str) -> bool:
        return self.take(text) != text

    def add(self, text: str) -> str:
        for event in dict.fromkeys(event for event, _ in self.groups):
            wanted = [group for name, group in self.groups if name == event]
            if self._groups_with_ours(text, event) != wanted:
                text = self._without_ours(text, event)
                for group in wanted:
                    text = append(text, ("hooks", event), group, name=str(self.file))
        return text

    def take(self, text: str) -> str:
        known = value_at(text, ("hooks",), name=str(self.file))
        for event in known if isinstance(known, dict) else ():
            text = self._without_ours(text, event)
        return text

    def _groups_with_ours(self, text: str, event: str) -> list[Any]:
        known = value_at(text, ("hooks", event), name=str(self.file))
        groups = known if isinstance(known, list) else []
        return [group for group in groups if any(map(_is_ours, _calls(group)))]

    def _without_ours(self, text: str, event: str) -> str:
        known = value_at(text, ("hooks", event), name=str(self.file))
        for at, position in reversed(list(_places(known))):
            path = ("hooks", event, at) + (() if position is None else ("hooks", position))
            edit = take if position is None else remove
            text = edit(text, path, name=str(self.file))
        return text


def _places(groups: object) -> Iterator[tuple[int, int | None]]:
    """Yield where ours are: a group, or a call in one that has others too."""
    for at, group in enumerate(groups if isinstance(groups, list) else ()):
        ours = [_is_ours(call) for call in _calls(group)]
        if ours and all(ours):
            yield at, None
        else:
            yield from ((at, position) for position, mine in enumerate(ours) if mine)


def _calls(group: object) -> list[Any]:
    calls = group.get("hooks") if isinstance(group, dict) else None
    return calls if isinstance(calls, list) else []


def _is_ours(call: object) -> bool:
    if not isinstance(call, dict):
        return False
    if call.get("type") == "mcp_tool":
        return bool(call.get("server") == NAME)
    args, command = call.get("args"), call.get("command")
    if is_module_call(args) and "hook" in (args or ()):
        return True
    return isinstance(command, str) and any(item in command for item in _COMMANDS)

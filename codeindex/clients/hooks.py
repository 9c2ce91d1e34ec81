"""Write our hooks into Claude Code's settings: for reads, edits and session starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codeindex.clients.jsonc import (
    append_json_item,
    prune_json_entry,
    read_json_value,
    remove_json_entry,
)
from codeindex.clients.server_entry import PYTHON_ARGUMENTS, SERVER_NAME, is_module_call

_TIMEOUT_SECONDS = 5
"""How long the client waits; our hooks answer within half a second unless the disk hangs."""
_COMMANDS = (f"{SERVER_NAME} hook ", f"-m {SERVER_NAME} hook ")
"""Parts by which our hooks are recognised if somebody wrote them as a shell command line."""


@dataclass(frozen=True, slots=True)
class ClientHook:
    """A hook of Claude Code: at an `event`, it calls our server's `tool` or `codeindex hook`.

    `command` is the argument of `codeindex hook`; `matcher` is a pattern for names of Claude Code's
    tools.
    """

    event: str
    command: str
    matcher: str = ""
    tool: str = ""
    file: str = ""
    """Key in the event's `tool_input` that has the path of the file."""

    def group(self, python: str, *, as_command: bool) -> dict[str, Any]:
        """Return the hook as an object for the settings file.

        The object has a pattern for tool names and one call. The call runs `codeindex hook` by
        `python` if `as_command` is true or the hook has no `tool`; otherwise it calls the tool.
        Arguments of a command are a list, so that no shell parses them.
        """
        call: dict[str, Any]
        if as_command or not self.tool:
            args = [*PYTHON_ARGUMENTS, "hook", self.command]
            call = {"type": "command", "command": python, "args": args}
        else:
            arguments = {"file_path": f"${{tool_input.{self.file}}}"}
            call = {
                "type": "mcp_tool",
                "server": SERVER_NAME,
                "tool": self.tool,
                "input": arguments,
            }
        matcher = {"matcher": self.matcher} if self.matcher else {}
        return {**matcher, "hooks": [{**call, "timeout": _TIMEOUT_SECONDS}]}


@dataclass(frozen=True, slots=True)
class HookSettings:
    """An edit that adds our hooks, each in its own group, and leaves other hooks as they are."""

    file: Path
    groups: tuple[tuple[str, Mapping[str, Any]], ...]
    """Pairs of an event's name and the group for it."""

    def is_in(self, text: str) -> bool:
        return self.remove(text) != text

    def add(self, text: str) -> str:
        for event in dict.fromkeys(event for event, _ in self.groups):
            wanted = [group for name, group in self.groups if name == event]
            if self._own_groups(text, event) != wanted:
                text = self._without_own(text, event)
                for group in wanted:
                    text = append_json_item(text, ("hooks", event), group, name=str(self.file))
        return text

    def remove(self, text: str) -> str:
        events = read_json_value(text, ("hooks",), name=str(self.file))
        for event in events if isinstance(events, dict) else ():
            text = self._without_own(text, event)
        return text

    def _own_groups(self, text: str, event: str) -> list[Any]:
        groups = read_json_value(text, ("hooks", event), name=str(self.file))
        items = groups if isinstance(groups, list) else []
        return [group for group in items if any(map(_is_own_call, _calls(group)))]

    def _without_own(self, text: str, event: str) -> str:
        groups = read_json_value(text, ("hooks", event), name=str(self.file))
        for index, position in reversed(list(_own_positions(groups))):
            path = ("hooks", event, index) + (() if position is None else ("hooks", position))
            edit = prune_json_entry if position is None else remove_json_entry
            text = edit(text, path, name=str(self.file))
        return text


def _own_positions(groups: object) -> Iterator[tuple[int, int | None]]:
    """Yield (group, call), the indexes of our hooks in a list of hook groups.

    The call is None if all calls of the group are ours.
    """
    for index, group in enumerate(groups if isinstance(groups, list) else ()):
        are_own = [_is_own_call(call) for call in _calls(group)]
        if are_own and all(are_own):
            yield index, None
        else:
            yield from ((index, position) for position, is_own in enumerate(are_own) if is_own)


def _calls(group: object) -> list[Any]:
    calls = group.get("hooks") if isinstance(group, dict) else None
    return calls if isinstance(calls, list) else []


def _is_own_call(call: object) -> bool:
    if not isinstance(call, dict):
        return False
    if call.get("type") == "mcp_tool":
        return bool(call.get("server") == SERVER_NAME)
    args, command = call.get("args"), call.get("command")
    if is_module_call(args) and "hook" in (args or ()):
        return True
    return isinstance(command, str) and any(prefix in command for prefix in _COMMANDS)

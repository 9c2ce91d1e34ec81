"""Parse YAML files of bounded size into plain values with the location of each value."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.errors import ConfigError

if TYPE_CHECKING:
    from yaml import MappingNode, Node

MAX_BYTES = 256 * 1024
_MAX_VALUES = 20_000  # aliases can make a small file large
_MAX_DEPTH = 12  # the schema needs five

KeyPath = tuple[str | int, ...]
"""Path of a value: keys, and indexes in lists."""


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """The values of one source of settings, and the location of each, like `config.yaml:12`.

    `places` maps the path of a value to its location. `name` is the location of the source itself,
    such as a file name.
    """

    values: Mapping[str, object] = field(default_factory=dict)
    places: Mapping[KeyPath, str] = field(default_factory=dict)
    name: str = ""

    def place(self, path: KeyPath) -> str:
        """Return `file:line` of the value at `path`, or of the nearest enclosing value."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, self.name)


def read_yaml(file: Path, *, key: str = "") -> YamlDocument:
    """Read a YAML file, or only the mapping below its top-level `key`.

    A missing file is an empty document. Raise ConfigError if the file is invalid.
    """
    return parse_yaml(_text(file), file, key=key)


def parse_yaml(text: str, file: Path, *, key: str = "") -> YamlDocument:
    """Parse the YAML `text` of a file; raise ConfigError with the line if it is invalid."""
    node = compose_yaml(text, file) if text.strip() else None
    if node is None:
        return YamlDocument(name=file.as_posix())
    if key:  # the other keys belong to other tools and are not validated
        node = child_node(node, key)
    return _Reader(file).document(node)


def _text(file: Path) -> str:
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ConfigError(f"'{file.as_posix()}' is not a file; move it away.")
        if status.st_size > MAX_BYTES:
            raise ConfigError(f"'{file.as_posix()}' is larger than {MAX_BYTES // 1024} KB; cut it.")
        with file.open("rb") as stream:
            return stream.read(MAX_BYTES).decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise ConfigError(
            f"'{file.as_posix()}' cannot be read ({error.strerror}): see who owns it."
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"'{file.as_posix()}' is not UTF-8; save it in that encoding.") from error


def compose_yaml(text: str, file: Path) -> Node | None:
    """Return the root node of the text, None without one; raise ConfigError if it is invalid."""
    import yaml

    # Not CSafeLoader: deeply nested brackets overflow its stack and kill the process.
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise ConfigError(_sentence(error, file)) from error
    except RecursionError as error:
        raise ConfigError(f"'{file.as_posix()}' is nested too deeply; make it flatter.") from error


def _sentence(error: Exception, file: Path) -> str:
    mark = getattr(error, "problem_mark", None)
    line = f":{mark.line + 1}" if mark is not None else ""
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "not readable"
    return f"{file.as_posix()}{line} is not valid YAML ({problem}); correct it."


def child_node(node: Node | None, key: str) -> Node | None:
    """Return the node of a key's value in a YAML mapping; None without the key or a mapping."""
    from yaml import MappingNode

    pairs = node.value if isinstance(node, MappingNode) else []
    return next((value for name, value in pairs if name.value == key), None)


class _Reader:
    """Converts YAML nodes into plain values and limits their number and depth."""

    def __init__(self, file: Path) -> None:
        from yaml.constructor import SafeConstructor

        self._name = file.as_posix()
        self._places: dict[KeyPath, str] = {}
        self._scalars = SafeConstructor()

    def document(self, node: Node | None) -> YamlDocument:
        value = self._value(node, ()) if node is not None else None
        if value is None:
            return YamlDocument(name=self._name)
        if not isinstance(value, dict):
            raise ConfigError(f"{self._places[()]}: write a list of `key: value` lines here.")
        return YamlDocument(values=value, places=self._places, name=self._name)

    def _value(self, node: Node, path: KeyPath) -> object:
        import yaml

        place = self._places[path] = f"{self._name}:{node.start_mark.line + 1}"
        if len(self._places) > _MAX_VALUES or len(path) > _MAX_DEPTH:
            raise ConfigError(f"{place}: too many or too deeply nested values; simplify the file.")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self._value(item, (*path, at)) for at, item in enumerate(node.value)]
        try:
            plain: object = self._scalars.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            raise ConfigError(f"{place}: `{node.value:.40}` is not a value; correct it.") from error
        return plain

    def _mapping(self, node: MappingNode, path: KeyPath) -> dict[str, object]:
        mapping: dict[str, object] = {}
        for name, value in node.value:
            place = f"{self._name}:{name.start_mark.line + 1}"
            if not isinstance(name.value, str):
                raise ConfigError(f"{place}: a key must be a word.")
            if name.value in mapping:
                raise ConfigError(f"{place}: `{name.value}` is given twice; keep one.")
            mapping[name.value] = self._value(value, (*path, name.value))
            # Report the line of the key: its value may start below it.
            self._places[(*path, name.value)] = place
        return mapping

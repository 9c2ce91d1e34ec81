"""Import and create the parts of an index when they are first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from codeindex.api.query_runner import QueryRunner

ComponentType = TypeVar("ComponentType")


class Component:
    """A part of `Index`, such as `Index.graph`; creating one reads nothing."""

    def __init__(self, runner: QueryRunner) -> None:
        self._runner = runner
        self._session = runner.session


class LazyComponent(Generic[ComponentType]):
    """An attribute whose class is imported when the attribute is first read.

    The modules of components import their dependencies at their top; since they are imported late,
    `Index.open` stays fast.
    """

    def __init__(self, module: str, class_name: str, *arguments: str) -> None:
        """Store the module in `codeindex.api`, the class in it, and the class's arguments.

        `arguments` are names of attributes of the owner. Their values are passed as keyword
        arguments of these names, without a leading `_`.
        """
        self._module = module
        self._class_name = class_name
        self._arguments = arguments

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: Any, _type: type | None = None) -> ComponentType:
        """Create the component and store it in its owner, so that later reads find it there."""
        if owner is None:
            raise AttributeError(f"{self._name!r} belongs to an opened index, not to its class")
        create = getattr(import_module(f"codeindex.api.{self._module}"), self._class_name)
        arguments = {name.lstrip("_"): getattr(owner, name) for name in self._arguments}
        component = create(**arguments)
        kept: ComponentType = vars(owner).setdefault(self._name, component)  # another thread's, too
        return kept

"""Parts of an index, each with methods of its own, imported and created when first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from codeindex.api.query_runner import QueryRunner

ComponentType = TypeVar("ComponentType")


class Component:
    """A part of `Index`; creating one costs nothing."""

    def __init__(self, runner: QueryRunner) -> None:
        self._runner = runner
        self._session = runner.session


class LazyComponent(Generic[ComponentType]):
    """Declares an attribute whose class is imported when the attribute is first read.

    The modules of components import what they need at their top, so that `Index.open` does not.
    """

    def __init__(self, module: str, class_name: str, *arguments: str) -> None:
        """Take a module of `codeindex.api`, its class, and what the class is created with.

        `arguments` are attributes of the owner; they are passed by name, without a leading `_`.
        """
        self._module = module
        self._class_name = class_name
        self._arguments = arguments

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: Any, _type: type | None = None) -> ComponentType:
        """Create the component and store it in its owner; later reads do not come here."""
        if owner is None:
            raise AttributeError(f"{self._name!r} belongs to an opened index, not to its class")
        create = getattr(import_module(f"codeindex.api.{self._module}"), self._class_name)
        arguments = {name.lstrip("_"): getattr(owner, name) for name in self._arguments}
        component = create(**arguments)
        kept: ComponentType = vars(owner).setdefault(self._name, component)  # another thread's, too
        return kept

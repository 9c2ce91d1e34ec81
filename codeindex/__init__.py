"""A fully local code index: `Index.open(path)`, `sync()`, `search(question)`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.api.workspace import Workspace
    from codeindex.config import Config
    from codeindex.errors import CodeIndexError
    from codeindex.types import Answer, Filters, Hit, Status, SyncReport

__version__ = "0.1.0"

_EXPORTS = {
    "Answer": "codeindex.types",
    "CodeIndexError": "codeindex.errors",
    "Config": "codeindex.config",
    "Filters": "codeindex.types",
    "Hit": "codeindex.types",
    "Index": "codeindex.api.index",
    "Status": "codeindex.types",
    "SyncReport": "codeindex.types",
    "Workspace": "codeindex.api.workspace",
}

__all__ = [
    "Answer",
    "CodeIndexError",
    "Config",
    "Filters",
    "Hit",
    "Index",
    "Status",
    "SyncReport",
    "Workspace",
]


def __getattr__(name: str) -> Any:
    """Return a public name, importing its module on first use; `import codeindex` stays cheap."""
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_EXPORTS[name]), name)

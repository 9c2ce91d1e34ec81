"""Return the versions on which the records of a bundle depend."""

from __future__ import annotations

import functools
from importlib.metadata import version

from codeindex.ingest.bundle.layout import BundleVersions
from codeindex.ingest.sync.settings_digest import CONTENT_REVISION
from codeindex.store.catalog.connection import FORMAT

_GRAMMARS = ("tree-sitter", "tree-sitter-language-pack")


@functools.cache
def current_versions() -> BundleVersions:
    """Return the versions of this installation's catalog format, content rules and grammars."""
    grammars = ", ".join(f"{name} {version(name)}" for name in _GRAMMARS)
    return BundleVersions(FORMAT, CONTENT_REVISION, grammars)

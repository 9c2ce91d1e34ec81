"""Name the Chroma collection of a model."""

from __future__ import annotations

import re


def collection_name(model: str) -> str:
    """Return a model's collection name: `chunks-` and the model, unsafe characters as `-`."""
    return f"chunks-{re.sub(r'[^a-zA-Z0-9._-]', '-', model)}"

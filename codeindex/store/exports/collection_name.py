"""Name the Chroma collection of a model."""

from __future__ import annotations

import re


def collection_name(model: str) -> str:
    """Return the name of a model's collection, with only characters that Chroma accepts."""
    return f"chunks-{re.sub(r'[^a-zA-Z0-9._-]', '-', model)}"

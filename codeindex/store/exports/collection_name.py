"""What a collection of Chroma is called."""

from __future__ import annotations

import re


def collection_name(model: str) -> str:
    """Return the collection's name for a model identity, in the characters that Chroma takes."""
    return f"chunks-{re.sub(r'[^a-zA-Z0-9._-]', '-', model)}"

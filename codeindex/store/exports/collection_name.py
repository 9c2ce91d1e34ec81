"""Names within the folder of a Chroma collection."""

from __future__ import annotations

import re

DATABASE_NAME = "chroma.sqlite3"


def collection_name(model: str) -> str:
    """Return `chunks-<model>`, with each character that is unsafe in a name replaced by `-`."""
    return f"chunks-{re.sub(r'[^a-zA-Z0-9._-]', '-', model)}"

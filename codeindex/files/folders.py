"""Check what a folder contains."""

from __future__ import annotations

import os
from pathlib import Path


def has_entries(folder: Path) -> bool:
    """Tell whether a folder exists, can be read and is not empty."""
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is not None
    except OSError:
        return False

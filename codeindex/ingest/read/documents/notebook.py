"""Read the cells of a Jupyter notebook; the outputs of cells are left out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from codeindex.ingest.read.decode import NotTextError, decode
from codeindex.ingest.read.documents.parts import DocumentPart

_PICTURE = re.compile(r"data:[\w.+-]+/[\w.+-]+;base64,[\w+/=%-]{64,}")
"""A picture that is pasted into the text."""


def read_cells(data: bytes) -> Iterator[DocumentPart]:
    """Yield the cells of a notebook; raise NotTextError if it is malformed or empty."""
    try:
        book = json.loads(decode(data))
    except (ValueError, RecursionError) as error:
        raise NotTextError("a broken notebook: its JSON cannot be read") from error
    cells = [cell for cell in _listed(book) if isinstance(cell, dict)]
    if not cells:
        raise NotTextError("a notebook without cells")
    language = _language(book)
    for cell in cells:
        source = cell.get("source", cell.get("input", ""))
        text = "".join(map(str, source)) if isinstance(source, list) else str(source)
        kind = str(cell.get("cell_type", "code"))
        if kind == "heading":  # of the third format
            text, kind = f"{'#' * _level(cell)} {text}", "markdown"
        label = language if kind == "code" else kind
        lines = _PICTURE.sub("data:(a picture)", text).rstrip("\n").split("\n")
        yield DocumentPart(" ".join(label.split())[:40], tuple(line.rstrip("\r") for line in lines))


def _listed(book: Any) -> list[Any]:
    """Return the cells of a notebook; [] if it has none.

    In version 3 of the notebook format, the cells are inside `worksheets`.
    """
    if not isinstance(book, dict):
        return []
    listed = book.get("cells")
    if isinstance(listed, list):
        return listed
    sheets = book.get("worksheets")
    sheets = sheets if isinstance(sheets, list) else []
    inner = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
    return [cell for cells in inner if isinstance(cells, list) for cell in cells]


def _level(cell: dict[str, Any]) -> int:
    level = cell.get("level")
    return min(max(level, 1), 6) if isinstance(level, int) else 1


def _language(book: dict[str, Any]) -> str:
    about = book.get("metadata")
    about = about if isinstance(about, dict) else {}
    for name, key in (("language_info", "name"), ("kernelspec", "language")):
        section = about.get(name)
        language = section.get(key) if isinstance(section, dict) else None
        if isinstance(language, str) and language.strip():
            return language
    return "python"

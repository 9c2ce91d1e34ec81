"""Extract the text of a document by its kind."""

from __future__ import annotations

from codeindex.ingest.read.documents.notebook import read_cells
from codeindex.ingest.read.documents.parts import DocumentText, join_parts
from codeindex.ingest.read.documents.pdf import read_pages
from codeindex.languages import Language


def extract_text(language: Language, data: bytes) -> DocumentText:
    """Return the text of a document, such as a PDF or notebook, from its bytes.

    Raise NotTextError if it has no text.
    """
    read_parts = read_pages if language.document == "page" else read_cells
    return join_parts(read_parts(data), word=language.document)

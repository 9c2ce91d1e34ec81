"""PDF: text page by page, where the extra `[pdf]` is installed."""

from codeindex.languages._base import Language

LANGUAGE = Language(name="pdf", suffixes=(".pdf",), prose=True, document="page")

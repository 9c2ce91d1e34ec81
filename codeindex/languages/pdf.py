"""Define PDF, whose text is indexed by page if the extra `[pdf]` is installed."""

from codeindex.languages._base import Language

LANGUAGE = Language(name="pdf", suffixes=(".pdf",), prose=True, document="page")

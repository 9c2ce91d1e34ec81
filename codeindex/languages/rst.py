"""Define the language reStructuredText."""

from codeindex.languages._base import Language

LANGUAGE = Language(name="rst", suffixes=(".rst",), prose=True, headings="underline")

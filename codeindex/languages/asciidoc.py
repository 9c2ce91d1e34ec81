"""Define the language AsciiDoc."""

from codeindex.languages._base import Language

LANGUAGE = Language(name="asciidoc", suffixes=(".adoc", ".asciidoc"), prose=True, headings="equals")

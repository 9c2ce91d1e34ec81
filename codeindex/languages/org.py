"""Define the language Org of Emacs."""

from codeindex.languages._base import Language

LANGUAGE = Language(name="org", suffixes=(".org",), prose=True, headings="stars")

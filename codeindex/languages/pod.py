"""Define the language POD, the notation of Perl's manuals."""

from codeindex.languages._base import Language

LANGUAGE = Language(
    name="pod", suffixes=(".pod",), prose=True, headings="commands", indented_code=True
)

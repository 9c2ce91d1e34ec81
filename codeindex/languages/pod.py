"""Define the language POD, Perl's plain old documentation."""

from codeindex.languages._base import Language

LANGUAGE = Language(
    name="pod", suffixes=(".pod",), prose=True, headings="commands", indented_code=True
)

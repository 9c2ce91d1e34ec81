"""Define the language Markdown."""

from codeindex.languages._base import Language

LANGUAGE = Language(
    name="markdown",
    suffixes=(".md", ".markdown", ".mdx"),
    prose=True,
    headings="hash",
    indented_code=True,
)

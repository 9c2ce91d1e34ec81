"""Define the language Markdown."""

from codeindex.languages._base import Language

LANGUAGE = Language(
    name="markdown",
    suffixes=(".md", ".markdown", ".mdx", ".rmd", ".qmd"),
    prose=True,
    headings="hash",
    indented_code=True,
)

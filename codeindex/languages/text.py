"""Define plain text documents."""

from codeindex.languages._base import Language

LANGUAGE = Language(
    name="text",
    suffixes=(".txt", ".text"),
    filenames=(
        *("AUTHORS", "CHANGELOG", "CHANGES", "CODEOWNERS", "CONTRIBUTING", "COPYING"),
        *("HACKING", "INSTALL", "LICENSE", "MAINTAINERS", "NEWS", "NOTICE", "README", "TODO"),
    ),
    prose=True,
)

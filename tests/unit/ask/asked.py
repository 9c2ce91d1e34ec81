"""Questions and sections of documents without an index."""

from codeindex.ask.question import WeightedQuestion
from codeindex.text.words import query_words
from codeindex.types import Hit, SafeText

MANUAL = """\
Pages are laid out in one file, and a file
cannot be truncated in its middle. Because of this the file keeps its size
after data was deleted.

Take a copy like this:

```go
db.View(func(tx *Tx) error { return tx.Copy("copy.db") })
```
"""
"""A section of a document, without its heading."""


def asked(text: str) -> WeightedQuestion:
    """Return a question whose words weigh the same."""
    words = query_words(text)
    return WeightedQuestion(text, {word: 1 / len(words) for word in words})


def section(text: str, first: int = 1) -> Hit:
    """Return a section of a Markdown document that begins at line `first`."""
    last = first + text.count("\n")
    return Hit(
        "r", "a.md", first, last, 0.3, SafeText(text), "", "section", "markdown", "", False, False
    )

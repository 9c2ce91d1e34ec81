"""How a chunk is called: the header of its embedded text, and the words of its own symbol.

On the dev benchmark's smaller repositories the place and name as written gave .849 NDCG@10 of dense
retrieval alone; spelled out in words, with the kind, .832 (docs/quality.md). A header is never
stored or shown as source.
"""

from __future__ import annotations

from codeindex.secrets import mark_as_safe
from codeindex.text.words import stemmed_text
from codeindex.types import Chunk, SafeText
from codeindex.types.files import unqualified_name

_PATH_PARTS = 3
"""Trailing parts of the path that say where a file lies; earlier ones repeat across the tree."""


def embedding_text(path: str, chunk: Chunk) -> SafeText:
    """Return the header and the chunk's own text; the embedder cuts it at its token limit."""
    return mark_as_safe(f"{chunk_header(path, chunk)}\n{chunk.text}")


def chunk_header(path: str, chunk: Chunk) -> str:
    """Name the place and the owners of a chunk, then the chunk."""
    place = "/".join(path.split("/")[-_PATH_PARTS:])
    return f"{place} {chunk.heading or chunk.symbol.replace('.', ' ')}".rstrip()


def name_fields(symbol: str, heading: str, signature: str, doc: str) -> tuple[str, str, str, str]:
    """Return the words of a chunk's own name, owners, signature and documentation.

    `symbol` joins its owners by dots, `heading` its headings by " > ".
    """
    name = unqualified_name(symbol, heading)
    owner = (heading or symbol).removesuffix(name)
    return stemmed_text(name), stemmed_text(owner), stemmed_text(signature), stemmed_text(doc)

"""Text in, unit vectors out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from codeindex.types import SafeText

if TYPE_CHECKING:
    from codeindex.types import Matrix


class Embedder(Protocol):
    """Anything that turns texts into unit vectors."""

    @property
    def id(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    def documents(self, texts: Sequence[SafeText], *, max_tokens: int) -> Matrix: ...
    def stream(self, texts: Iterable[SafeText], *, max_tokens: int) -> Iterator[Matrix]: ...
    def query(self, text: str) -> Matrix: ...

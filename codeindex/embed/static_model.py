"""Load the static embedding model that ships with codeindex: one vector for each token.

The vectors were trained on texts and code (docs/static_model.md). They are stored as int8 with one
factor for each token, and mapped into memory, so that a query reads only the rows of its tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from codeindex.embed.installed import model_remedy, verified_folder
from codeindex.embed.lock import STATIC_MODEL, load_lock
from codeindex.errors import ModelError
from codeindex.files.arrays import map_array
from codeindex.types.array_types import Codes, Vector

if TYPE_CHECKING:
    import numpy.typing as npt


CODES_FILE = "static-codes.npy"
FACTORS_FILE = "static-factors.npy"


@dataclass(frozen=True, slots=True, eq=False)
class StaticModel:
    """The vectors of all tokens of the shipped vocabulary."""

    identity: str
    """`id@digest`; token vectors that were made with another identity are computed again."""
    codes: Codes
    """int8 vectors, shape (tokens, dimension)."""
    factors: Vector
    """Shape (tokens,): the factor by which each row of `codes` is multiplied."""

    @property
    def dimension(self) -> int:
        return int(self.codes.shape[1])

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.codes)

    def weighted_sum(self, ids: npt.NDArray[np.signedinteger], weights: Vector) -> Vector:
        """Return the weighted sum of the tokens' vectors, shape (dimension,)."""
        rows = self.codes[ids].astype("float32")
        total: Vector = (weights * self.factors[ids]) @ rows
        return total


def load_static_model(home: Path) -> StaticModel:
    """Map the static model into memory.

    Raise ModelError if a file is absent, damaged or of another version. A record in `home`
    remembers verified files, so that they are hashed only once.
    """
    model = load_lock()[STATIC_MODEL]
    folder = verified_folder(home, model)
    try:
        # plain views: each access to a `memmap` makes another `memmap`
        codes, factors = (
            np.asarray(map_array(folder / name)) for name in (CODES_FILE, FACTORS_FILE)
        )
    except (OSError, ValueError) as error:
        raise ModelError(
            f"Model {model.id} cannot be read ({error}): {model_remedy(model)}."
        ) from error
    if codes.shape != (len(factors), model.dimension):
        raise ModelError(f"Model {model.id} has the wrong shape: {model_remedy(model)}.")
    return StaticModel(f"{model.id}@{model.fingerprint[:16]}", codes, factors)

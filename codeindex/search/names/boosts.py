"""Boosts, set by hand, for the places that a query names.

A query can name a place by a symbol's name, a path, a stack frame or a pasted message. Each named
place gets one boost. The feature `place_named` is the boost divided by `EXACT_NAME_BOOST`, and the
ranker multiplies it by a fitted weight (`place_named` in `data/weights.json`: 6 to 8 log-odds for
an exact name; 24 before the weights were fitted).

Therefore only the ratios of the boosts matter. They order the ways of naming: exact spelling (24),
another case (18), other separators (17), separate words (15), a part or a typo (10). A penalty
smaller than the gap between two ways does not change their order. The values were set by reading
the misses of `tests/benchmarks/symbols.py` (names) and `tests/benchmarks/messages.py` (messages).
The order is not fitted, because too few of the training questions consist of a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

PathMatchQuality = Literal["whole", "end", "imported", "whole_folded", "folded", "slipped"]
"""How a query spells a path: in full, its end only, as an import, in full in another case, its end
in another case, or with a typo."""

EXACT_NAME_BOOST = 24.0
"""For a name that is spelt exactly, and for lines of stack frames and aliases."""
FOLDED_NAME_BOOST = 18.0
"""For a name that is spelt in another case, and for inherited members."""
RESTYLED_NAME_BOOST = 17.0
"""For a name with other separators: `load_corpus` for `loadCorpus`."""
SPOKEN_NAME_BOOST = 15.0
"""For a name that is spelt as separate words (`load corpus`), and for targets of aliases."""
PARTIAL_NAME_BOOST = 10.0
"""For a part of a name, and for a name with a typo."""
MESSAGE_BOOST = 12.0
"""For a text in code that matches a pasted message. It is below the boost of a spoken name, because
messages contain values that vary. In the 117 benchmark questions without a message, no place gets
it."""
FULL_SHARE_BOOST = 4.0
"""Added in proportion to the share of the name, path or message that matched."""

WRONG_OWNER_PENALTY = 5.0
"""Subtracted in proportion to the share of the query's owners (`Owner.name`) that the symbol
lacks."""
DISTANT_OWNER_SHARE = 0.1
"""Subtracted from the share of owners if the last named owner is not the direct owner."""
MINOR_KIND_PENALTY = 8.0
"""Multiplied by `1 - KIND_WEIGHT` and subtracted; subtracted in full for redeclarations and
namesakes. A field with the exact name (24 - 8 * 0.6 = 19.2) still outranks a class in another style
(17)."""
TEST_SYMBOL_PENALTY = 6.0
"""Subtracted for symbols of tests, so that an exact name in a test (24 - 6) equals a name in
another case outside of tests (18)."""

PATH_BOOST: Mapping[PathMatchQuality, float] = {
    "whole": EXACT_NAME_BOOST + FULL_SHARE_BOOST,
    "end": EXACT_NAME_BOOST,
    "imported": EXACT_NAME_BOOST + FULL_SHARE_BOOST,
    "whole_folded": FOLDED_NAME_BOOST + FULL_SHARE_BOOST,
    "folded": FOLDED_NAME_BOOST,
    "slipped": PARTIAL_NAME_BOOST,
}

KIND_WEIGHT: Mapping[str, float] = {
    "impl": 0.5,
    "namespace": 0.6,
    "module": 0.6,
    "variable": 0.6,
    "field": 0.4,
    "property": 0.5,
    "enum_member": 0.5,
    "constructor": 0.5,
    "section": 0.2,
    "test": 0.2,
}
"""How often a name means a definition of this kind, from 0 to 1; all other kinds have 1."""


class NameMatch(NamedTuple):
    """A place that a query names: a line of a file, or line 0 for the file itself.

    `boost` is larger for a more exact match. `reason` completes the sentence "the query is ...":
    `its name`, `its path`.
    """

    file_id: int
    line: int
    boost: float
    reason: str

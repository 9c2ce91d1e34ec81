"""Hand-set boosts of the places that a query names.

A query can name a place: by a symbol's name, a path, a stack frame or a pasted message. Each such
place gets one boost. The feature `place_named` is the boost divided by `EXACT_NAME_BOOST`, and the
ranker multiplies it with a fitted weight (`place_named` in `data/weights.json`: 6 to 8 log-odds for
an exact name; 24 before the weights were fitted).

Only the ratios of the boosts matter therefore. They order the ways of naming: exact spelling (24),
another case (18), other separators (17), separate words (15), a part or a typo (10). A penalty
smaller than the gap between two ways does not change their order. The values were set by reading
the misses of `tests/benchmarks/symbols.py` (names) and `tests/benchmarks/messages.py` (messages).
The order is not fitted, because too few of the training questions consist of a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

PathMatchQuality = Literal["whole", "end", "imported", "whole_folded", "folded", "slipped"]
"""How a query spells a path: in full, its end, as an import; then in another case, with a typo."""

EXACT_NAME_BOOST = 24.0
"""The name is spelt exactly. Also lines of stack frames, and aliases."""
FOLDED_NAME_BOOST = 18.0
"""The name is spelt in another case; also inherited members."""
RESTYLED_NAME_BOOST = 17.0
"""The name is spelt with other separators: `load_corpus` for `loadCorpus`."""
SPOKEN_NAME_BOOST = 15.0
"""The name is spelt as separate words: `load corpus`. Also the target of an alias."""
PARTIAL_NAME_BOOST = 10.0
"""The query has a part of the name, or the name with a typo."""
MESSAGE_BOOST = 12.0
"""A text of code contains the pasted message; lower than a spoken name, since values vary. None of
the 117 benchmark questions that are not messages gets it."""
FULL_SHARE_BOOST = 4.0
"""Added in proportion to the share that matched: of the name, of the path, of the message."""

WRONG_OWNER_PENALTY = 5.0
"""Subtracted in proportion to the named owners (`Owner.name`) that the symbol does not have."""
DISTANT_OWNER_SHARE = 0.1
"""Subtracted from the share of owners where the nearest named owner is not the direct owner."""
MINOR_KIND_PENALTY = 8.0
"""Subtracted times `1 - KIND_WEIGHT`, and for redeclarations and namesakes. An
exact field (24 - 8 * 0.6 = 19.2) still outranks a class in another style (17)."""
TEST_SYMBOL_PENALTY = 6.0
"""Subtracted for symbols of tests: an exact name in a test equals one in another case (18)."""

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
"""How often a name means a definition of this kind; 1 for all other kinds."""


class NameMatch(NamedTuple):
    """A line that a query names; line 0 means the file itself. `reason` is shown to people."""

    file_id: int
    line: int
    boost: float
    reason: str

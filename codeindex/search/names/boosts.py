"""Hand-set boosts of the places that a query names.

A query can name a place: by a symbol's name, a path, a stack frame or a pasted message. Each named
place gets one boost. The feature `place_named` is the boost divided by `EXACT_NAME_BOOST`, and the
ranker multiplies it with a fitted weight (`place_named` in `data/weights.json`: 6 to 8 log-odds for
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
"""How a query spells a path: in full, its end, as an import, in another case, with a typo."""

EXACT_NAME_BOOST = 24.0
"""The name is spelt exactly. Lines of stack frames and aliases get this boost, too."""
FOLDED_NAME_BOOST = 18.0
"""The name is spelt in another case. Inherited members get this boost, too."""
RESTYLED_NAME_BOOST = 17.0
"""The name is spelt with other separators: `load_corpus` for `loadCorpus`."""
SPOKEN_NAME_BOOST = 15.0
"""The name is spelt as separate words: `load corpus`. Targets of aliases get this boost, too."""
PARTIAL_NAME_BOOST = 10.0
"""The query has a part of the name, or the name with a typo."""
MESSAGE_BOOST = 12.0
"""A text in code matches a pasted message. Lower than the boost of a spoken name, because messages
contain values that vary. No place gets it for the 117 benchmark questions without a message."""
FULL_SHARE_BOOST = 4.0
"""Added in proportion to the share that matched: of the name, of the path, of the message."""

WRONG_OWNER_PENALTY = 5.0
"""Subtracted times the share of the query's owners (`Owner.name`) that the symbol lacks."""
DISTANT_OWNER_SHARE = 0.1
"""Subtracted from the share of owners if the last named owner is not the direct owner."""
MINOR_KIND_PENALTY = 8.0
"""Subtracted times `1 - KIND_WEIGHT`, and in full for redeclarations and namesakes. A field with
the exact name (24 - 8 * 0.6 = 19.2) still outranks a class in another style (17)."""
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
"""How often a name means a definition of this kind; 1 for all other kinds."""


class NameMatch(NamedTuple):
    """A place that a query names: a line of a file, or line 0 for the file itself.

    `reason` is shown to people after "the query is": `its name`, `its path`.
    """

    file_id: int
    line: int
    boost: float
    reason: str

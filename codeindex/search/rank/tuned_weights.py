"""Read and write the weights that are tuned to a repository: `tuned.json` in its data folder.

They are stored per edition of the shipped weights, so that another release neither uses nor deletes
them. Rows that were fitted with vectors apply only to the same model. Searches ignore a damaged
file; `verify` reports it.
"""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from codeindex.errors import DamagedError
from codeindex.files.write import write_atomically
from codeindex.search.rank.features import FILE_FEATURES
from codeindex.search.rank.weights import weights_edition
from codeindex.search.weight_rows import EvidenceLevel, FileWeightRow, FileWeightRows, QuestionKind

_NAME = "tuned.json"
_NAMES = tuple(feature.name for feature in FILE_FEATURES)
_MAX_EDITIONS = 3
"""Most editions whose rows are kept: the newest ones."""
_MAX_BYTES = 100_000
"""Most bytes of the file that are read; three editions take 10,000."""


@dataclass(frozen=True, slots=True)
class TunedWeights:
    """Weights of file features that were fitted to the questions of a repository.

    `model` identifies the model that was used for the fit, `at` is the fit's Unix time, and `gain`
    describes the gain in NDCG@10.
    """

    rows: FileWeightRows
    model: str
    at: float
    gain: str

    def fitting(self, model: str) -> FileWeightRows:
        """Return the rows of weights that may be used for an index with vectors of `model`.

        These are all rows if the fit used the same model, else only those of the evidence level
        `words`.
        """
        if is_same_model(self.model, model):
            return self.rows
        return {key: row for key, row in self.rows.items() if key[0] == "words"}


def is_same_model(model: str, other: str) -> bool:
    """Tell whether two model identities (`"name@digest/512"`) differ at most in the token limit."""
    return model.partition("/")[0] == other.partition("/")[0]


def tuned_weights_path(folder: Path) -> Path:
    return folder / _NAME


def read_tuned_weights(folder: Path) -> TunedWeights | None:
    """Return the weights that were tuned to this repository; None if there are none.

    Weights that were tuned with another edition of the shipped weights do not count. Raise
    DamagedError if the file is damaged.
    """
    entries = _entries(folder)
    entry = entries.get(weights_edition()) if entries else None
    return _tuned(entry, folder) if entry is not None else None


def count_other_editions(folder: Path) -> int:
    """Return how many other editions of the shipped weights have tuned weights in this folder."""
    entries = _entries(folder)
    return len(entries.keys() - {weights_edition()}) if entries else 0


def read_tuned_rows(folder: Path, model: str) -> FileWeightRows | None:
    """Return the tuned weights that a search uses, or None.

    A damaged file is logged and ignored. `model` is the model of the index.
    """
    try:
        tuned = read_tuned_weights(folder)
    except DamagedError as error:
        logging.getLogger(__name__).warning("%s", error)
        return None
    return tuned.fitting(model) if tuned else None


def write_tuned_weights(folder: Path, tuned: TunedWeights | None) -> bool:
    """Store tuned weights for the current edition of the shipped weights.

    If `tuned` is None, the stored ones are removed. Return whether that changes the weights. The
    caller must hold the writer lock, and must publish the change.
    """
    try:
        entries, was_there = dict(_entries(folder)), False
    except DamagedError:
        entries, was_there = {}, True
    was_there = entries.pop(weights_edition(), None) is not None or was_there
    if tuned is not None:
        entries[weights_edition()] = _plain(tuned)
    kept = dict(list(entries.items())[-_MAX_EDITIONS:])
    if kept:
        text = json.dumps({"sum": _sum(kept), "editions": kept}, indent=1)
        write_atomically(tuned_weights_path(folder), text.encode())
    else:
        tuned_weights_path(folder).unlink(missing_ok=True)
    return was_there or tuned is not None


def _sum(entries: Mapping[str, Any]) -> str:
    import hashlib  # 3 ms, for repositories that are tuned

    return hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()


def _entries(folder: Path) -> Mapping[str, Any]:
    path = tuned_weights_path(folder)
    try:
        with path.open("rb") as file:
            data = json.loads(file.read(_MAX_BYTES))
        entries, known = data["editions"], data["sum"]
        is_whole = isinstance(entries, dict) and _sum(entries) == known
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise _damaged(path, error) from error
    if not is_whole:
        raise _damaged(path, "its checksum differs")
    kept: Mapping[str, Any] = entries
    return kept


def _damaged(path: Path, error: object) -> DamagedError:
    return DamagedError(
        f"The tuned weights '{path.name}' cannot be read ({error}), so the shipped ones rank:"
        " `codeindex repair` removes them, `codeindex eval --tune` makes them again."
    )


def _tuned(entry: Any, folder: Path) -> TunedWeights:
    try:
        rows = {
            _key(evidence, question): _row(row)
            for evidence, of in entry["rows"].items()
            for question, row in of.items()
        }
        return TunedWeights(rows, str(entry["model"]), float(entry["at"]), str(entry["gain"]))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _damaged(tuned_weights_path(folder), error) from error


def _key(evidence: str, question: str) -> tuple[EvidenceLevel, QuestionKind]:
    if evidence not in get_args(EvidenceLevel) or question not in get_args(QuestionKind):
        raise ValueError(f"there are no weights for {evidence} and {question}")
    return cast("EvidenceLevel", evidence), cast("QuestionKind", question)


def _row(row: Mapping[str, Any]) -> FileWeightRow:
    numbers = tuple(float(row[name]) for name in _NAMES)
    bias = float(row["bias"])
    if not all(map(math.isfinite, (bias, *numbers))):
        raise ValueError("a weight is not a number")
    return numbers, bias


def _plain(tuned: TunedWeights) -> dict[str, Any]:
    rows: dict[str, dict[str, dict[str, float]]] = {}
    for (evidence, question), (numbers, bias) in tuned.rows.items():
        named = {name: round(number, 4) for name, number in zip(_NAMES, numbers, strict=True)}
        rows.setdefault(evidence, {})[question] = {"bias": round(bias, 4), **named}
    return {"at": tuned.at, "model": tuned.model, "gain": tuned.gain, "rows": rows}


def describe_tuning(folder: Path, model: str) -> str:
    """Return a clause that describes the tuned weights, "" if nothing was ever tuned.

    `model` is the model of the index.
    """
    try:
        tuned, others = read_tuned_weights(folder), count_other_editions(folder)
    except DamagedError as error:
        return str(error)
    if tuned is None:
        again = "tuned with another release of codeindex, which this one does not use"
        return f"{again}: run `codeindex eval --tune` again" if others else ""
    day = time.strftime("%Y-%m-%d", time.localtime(tuned.at))
    if tuned.fitting(model).keys() == tuned.rows.keys():
        return f"tuned to this repository on {day} (gain in NDCG@10: {tuned.gain})"
    name = tuned.model.partition("@")[0] or "no model"
    return f"tuned on {day} with {name}, whose vectors differ: run `codeindex eval --tune` again"

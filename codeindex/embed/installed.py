"""Models on this machine: where their files are, and that they are the pinned ones."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from codeindex.embed.lock import Model, ModelFile
from codeindex.errors import ModelError
from codeindex.files.digest import sha256_of

_RECORD = "verified.json"


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a file looked like when its digest was checked."""

    size: int
    mtime_ns: int
    sha256: str


def model_folder(home: Path, model: Model) -> Path:
    """Return the folder of what is kept about `model`; it may not exist."""
    return home / "models" / model.id


def model_location(home: Path, model: Model) -> Path | None:
    """Return the folder that holds the model's files, or None for a package not installed."""
    if model.source != "package":
        return model_folder(home, model)
    # find_spec of a top-level name looks the package up without running it.
    spec = importlib.util.find_spec(model.package)
    folders = spec.submodule_search_locations if spec else None
    return Path(next(iter(folders))) if folders else None


def tokenizer_file(home: Path, model: Model | None) -> Path | None:
    """Return the model's own tokenizer.json, if it has one, for `tokens.tokenizer_for`."""
    folder = model_location(home, model) if model is not None and model.tokenizer else None
    return folder / model.tokenizer if folder is not None and model is not None else None


def has_all_files(home: Path, model: Model) -> bool:
    """Tell whether all files are there with their sizes; cheap, and no proof."""
    folder = model_location(home, model)
    return folder is not None and all(
        _size(folder / file.name) == file.size for file in model.files
    )


def verified_folder(home: Path, model: Model) -> Path:
    """Return the folder of the model's files after checking that they are the pinned ones.

    A file is hashed once; after that its size and time of change stand for its content.
    """
    return _checked(home, model, record=_read_record(home, model))


def verify_model_files(home: Path, model: Model) -> Path:
    """Check every byte again, whatever was checked before."""
    return _checked(home, model, record={})


def record_file(home: Path, model: Model, file: ModelFile, path: Path) -> None:
    """Remember that `path` was checked against the lock."""
    record = dict(_read_record(home, model))
    record[file.name] = _seen(path, file.sha256)
    _write_record(home, model, record)


def model_status(home: Path, model: Model) -> str:
    """Say in a word whether the model is `ready`, `absent`, `incomplete` or `damaged`."""
    folder = model_location(home, model)
    found = [file for file in model.files if folder and (folder / file.name).is_file()]
    if not found:
        return "absent"
    if len(found) < len(model.files):
        return "incomplete"
    try:
        verified_folder(home, model)
    except ModelError:
        return "damaged"
    return "ready"


def _checked(home: Path, model: Model, *, record: Mapping[str, _Seen]) -> Path:
    folder = model_location(home, model)
    if folder is None:
        raise ModelError(f"Model {model.id} is absent: {model_remedy(model)}.")
    seen = {file.name: _check(folder / file.name, file, model, record) for file in model.files}
    if seen != record and home.is_dir():  # a look makes no data folder
        with suppress(OSError):  # a home that cannot be written costs the hashing again, no more
            _write_record(home, model, seen)
    return folder


def _check(path: Path, file: ModelFile, model: Model, record: Mapping[str, _Seen]) -> _Seen:
    size = _size(path)
    if size is None:
        raise ModelError(f"Model {model.id} lacks {file.name}: {model_remedy(model)}.")
    seen = _seen(path, file.sha256)
    if size == file.size and (record.get(file.name) == seen or sha256_of(path) == file.sha256):
        return seen
    raise ModelError(
        f"'{path.as_posix()}' is not the file that models.lock pins: remove it and"
        f" {model_remedy(model)}."
    )


def model_remedy(model: Model) -> str:
    """Say how a person gets the model's files."""
    if model.source == "package":
        return "install codeindex-local[offline]"
    if model.source == "added":
        return "run `codeindex models add DIR` again"
    return f"run `codeindex models pull {model.id}`"


def _size(path: Path) -> int | None:
    with suppress(OSError):
        return path.stat().st_size
    return None


def _seen(path: Path, sha256: str) -> _Seen:
    status = path.stat()
    return _Seen(status.st_size, status.st_mtime_ns, sha256)


def _read_record(home: Path, model: Model) -> Mapping[str, _Seen]:
    try:
        data: Any = json.loads((model_folder(home, model) / _RECORD).read_text("utf-8"))
        return {name: _Seen(**item) for name, item in data.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _write_record(home: Path, model: Model, record: Mapping[str, _Seen]) -> None:
    folder = model_folder(home, model)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    partial = folder / f".{_RECORD}.{os.getpid()}"
    partial.touch(mode=0o600)
    partial.write_text(json.dumps({k: asdict(v) for k, v in sorted(record.items())}), "utf-8")
    partial.replace(folder / _RECORD)

"""Find the files of installed models, and verify their digests against models.lock."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from codeindex.embed.lock import Model, ModelFile
from codeindex.errors import ModelError
from codeindex.files.digest import sha256_of
from codeindex.files.write import write_atomically

_RECORD_FILE = "verified.json"
SHIPPED_FOLDER = Path(__file__).parents[1] / "data"
"""The folder of the models that the package contains."""


@dataclass(frozen=True, slots=True)
class _VerifiedFile:
    """Size and mtime of a file when its digest was verified."""

    size: int
    mtime_ns: int
    sha256: str


def model_folder(home: Path, model: Model) -> Path:
    """Return the folder of a model's files and records, whether it exists or not."""
    return home / "models" / model.id


def model_location(home: Path, model: Model) -> Path | None:
    """Return the folder with the model's files; None if the model's package is not installed."""
    if model.source == "shipped":
        return SHIPPED_FOLDER
    if model.source != "package":
        return model_folder(home, model)
    # find_spec of a top-level name finds the package without importing it.
    spec = importlib.util.find_spec(model.package)
    folders = spec.submodule_search_locations if spec else None
    return Path(next(iter(folders))) if folders else None


def tokenizer_file(home: Path, model: Model | None) -> Path | None:
    """Return the path of the model's tokenizer.json, None if the model has none."""
    folder = model_location(home, model) if model is not None and model.tokenizer else None
    return folder / model.tokenizer if folder is not None and model is not None else None


def verified_folder(home: Path, model: Model) -> Path:
    """Verify the digests of a model's files; return their folder.

    Raise ModelError if a file is missing or has a wrong digest. A file is hashed again only after
    its size or mtime has changed.
    """
    return _verify(home, model, record=_read_record(home, model))


def verify_model_files(home: Path, model: Model) -> Path:
    """Hash every file of a model and compare the digests; return the folder of the files.

    Raise ModelError if a file is missing or has a wrong digest.
    """
    return _verify(home, model, record={})


def record_file(home: Path, model: Model, file: ModelFile, path: Path) -> None:
    """Record that the file at `path` has the digest of `file`, so that it is not hashed again."""
    record = dict(_read_record(home, model))
    record[file.name] = _describe_file(path, file.sha256)
    _write_record(home, model, record)


def model_status(home: Path, model: Model) -> str:
    """Return the status of a model's files: `ready`, `absent`, `incomplete` or `damaged`."""
    folder = model_location(home, model)
    present = [file for file in model.files if folder and (folder / file.name).is_file()]
    if not present:
        return "absent"
    if len(present) < len(model.files):
        return "incomplete"
    try:
        verified_folder(home, model)
    except ModelError:
        return "damaged"
    return "ready"


def _verify(home: Path, model: Model, *, record: Mapping[str, _VerifiedFile]) -> Path:
    folder = model_location(home, model)
    if folder is None:
        raise ModelError(f"Model {model.id} is absent: {model_remedy(model)}.")
    verified = {
        file.name: _verify_file(folder / file.name, file, model, record) for file in model.files
    }
    if verified != record and home.is_dir():  # a check does not create the data folder
        with suppress(OSError):  # in a read-only home, files are hashed again each time
            _write_record(home, model, verified)
    return folder


def _verify_file(
    path: Path, file: ModelFile, model: Model, record: Mapping[str, _VerifiedFile]
) -> _VerifiedFile:
    size = _size(path)
    if size is None:
        raise ModelError(f"Model {model.id} lacks {file.name}: {model_remedy(model)}.")
    current = _describe_file(path, file.sha256)
    is_known = record.get(file.name) == current
    if size == file.size and (is_known or sha256_of(path) == file.sha256):
        return current
    raise ModelError(
        f"'{path.as_posix()}' is not the file that models.lock pins: remove it and"
        f" {model_remedy(model)}."
    )


def model_remedy(model: Model) -> str:
    """Return an instruction that tells the user how to install the model's files."""
    if model.source == "shipped":
        return "reinstall codeindex-local"
    if model.source == "package":
        return "install codeindex-local[offline]"
    if model.source == "added":
        return "run `codeindex models add DIR` again"
    return f"run `codeindex models pull {model.id}`"


def _size(path: Path) -> int | None:
    with suppress(OSError):
        return path.stat().st_size
    return None


def _describe_file(path: Path, sha256: str) -> _VerifiedFile:
    status = path.stat()
    return _VerifiedFile(status.st_size, status.st_mtime_ns, sha256)


def _read_record(home: Path, model: Model) -> Mapping[str, _VerifiedFile]:
    try:
        data: Any = json.loads((model_folder(home, model) / _RECORD_FILE).read_text("utf-8"))
        return {name: _VerifiedFile(**item) for name, item in data.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _write_record(home: Path, model: Model, record: Mapping[str, _VerifiedFile]) -> None:
    values = {name: asdict(file) for name, file in sorted(record.items())}
    write_private_json(model_folder(home, model) / _RECORD_FILE, values)


def write_private_json(path: Path, values: object) -> None:
    """Replace a JSON file, which only this user may read; create its folder if it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_atomically(path, json.dumps(values).encode())

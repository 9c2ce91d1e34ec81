"""Read the list of known models: pinned in models.lock, or added by the user.

The list has the size and the SHA-256 of each file of a model.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from codeindex.errors import ModelError
from codeindex.files.write import write_atomically

ModelSource = Literal["hub", "package", "added", "shipped"]
Pooling = Literal["cls", "mean"]
ModelKind = Literal["embedding", "reranker", "static"]

DEFAULT_MODEL = "arctic-embed-xs-int8"
SHIPPED_MODEL = "codeindex-encoder"
STATIC_MODEL = "codeindex-static"
_PACKAGE = Path(__file__).parents[1]
_ADDED = "added.lock"
_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file of a model, with its size in bytes and its SHA-256 digest."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Model:
    """A model and the pinned digests of its files.

    Kinds: `embedding` is a transformer, `reranker` a cross-encoder; `static` has one vector per
    token.
    """

    id: str
    source: ModelSource
    files: tuple[ModelFile, ...]
    onnx: str = ""
    """Name of the ONNX file; "" for a static model."""
    window: int = 0
    """Most tokens that a transformer reads."""
    dimension: int = 0
    pooling: Pooling = "cls"
    kind: ModelKind = "embedding"
    repo: str = ""
    revision: str = ""
    package: str = ""
    tokenizer: str = ""
    """Name of the model's tokenizer.json; "" for the vocabulary that ships with codeindex."""
    query_prefix: str = ""

    @property
    def fingerprint(self) -> str:
        """Digest of all properties of the model that affect its vectors; used in cache keys."""
        digests = sorted((file.name, file.sha256) for file in self.files)
        parts = [digests, self.pooling, self.query_prefix, self.dimension, self.window]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def file(self, name: str) -> ModelFile:
        return next(file for file in self.files if file.name == name)


def load_lock(home: Path | None = None) -> Mapping[str, Model]:
    """Return known models by id: those of models.lock, and those that the user of `home` added."""
    models = _read(lock_file())
    if home is not None and _exists(added := added_file(home)):
        models = {**_read(added), **models}
    return models


def _exists(added: Path) -> bool:
    try:
        return added.exists()
    except PermissionError as error:
        raise ModelError(
            f"'{added}' cannot be read ({error.strerror}): see who owns the data folder."
        ) from error


def lock_file() -> Path:
    """Return the path of models.lock: in the wheel's data, or at the top of a checkout."""
    inside = _PACKAGE / "data" / "models.lock"
    return inside if inside.exists() else _PACKAGE.parent / "models.lock"


def added_file(home: Path) -> Path:
    return home / "models" / _ADDED


def find_model(
    models: Mapping[str, Model], model_id: str, *, kind: ModelKind | None = "embedding"
) -> Model:
    """Return the model with this id and kind; `kind=None` accepts any kind.

    Raise a ModelError that lists the possible ids if there is none.
    """
    if model_id in models and kind in {None, models[model_id].kind}:
        return models[model_id]
    fitting = ", ".join(name for name, model in models.items() if kind in {None, model.kind})
    noun = "reranker" if kind == "reranker" else "embedding model"
    problem = f"{model_id} is no {noun}" if model_id in models else _unknown(model_id, kind)
    raise ModelError(f"{problem}: choose one of {fitting or 'those that you add'}.")


def _unknown(model_id: str, kind: ModelKind | None) -> str:
    return f"There is no {'reranker' if kind == 'reranker' else 'model'} {model_id!r}"


def _read(file: Path) -> dict[str, Model]:
    try:
        entries = tomllib.loads(file.read_text("utf-8"))["model"]
        return {str(entry["id"]): _model(entry) for entry in entries}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ModelError(f"'{file.as_posix()}' cannot be read ({error}); reinstall it.") from error
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"'{file.as_posix()}' is not a list of models: {error}.") from error


def _model(entry: Mapping[str, Any]) -> Model:
    files = tuple(ModelFile(**fields) for fields in entry["file"])
    model = Model(**{key: value for key, value in entry.items() if key != "file"}, files=files)
    names = {file.name for file in files}
    needed = {name for name in (model.onnx, model.tokenizer) if name}
    if not _ID.fullmatch(model.id) or not files or not names >= needed:
        raise ValueError(f"`{model.id}` names a file that it does not list, or has a bad id")
    if any(".." in name.split("/") or name.startswith("/") or "\\" in name for name in names):
        raise ValueError(f"`{model.id}` has a file outside its folder")
    if model.kind not in get_args(ModelKind):
        raise ValueError(f"`{model.id}` is a {model.kind!r}, which is no known kind")
    if model.kind != "reranker" and not model.dimension:
        raise ValueError(f"`{model.id}` does not say its dimension")
    if model.kind != "static" and not (model.onnx and model.window):
        raise ValueError(f"`{model.id}` does not say its ONNX file and window")
    if model.source == "hub" and not _COMMIT.fullmatch(model.revision):
        raise ValueError(f"`{model.id}` is not pinned to a commit")
    return model


def write_added(home: Path, models: Sequence[Model]) -> None:
    """Replace the list of models that the user added."""
    file = added_file(home)
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_atomically(file, "\n".join(map(_table, models)).encode())


def _table(model: Model) -> str:
    lines = ["[[model]]"]
    lines += [
        f"{field_.name} = {_toml(value)}"
        for field_ in fields(model)
        if field_.name != "files"
        and (value := getattr(model, field_.name)) not in {"", "embedding"}
    ]
    for file in model.files:
        pairs = (f"{field_.name} = {_toml(getattr(file, field_.name))}" for field_ in fields(file))
        lines += ["", "[[model.file]]", *pairs]
    return "\n".join(lines) + "\n"


def _toml(value: str | int) -> str:
    """Format a value as TOML: like JSON, but with DEL escaped and other letters unescaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")

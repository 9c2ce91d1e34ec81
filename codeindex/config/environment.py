"""Read and change environment variables; no other module does so."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from codeindex.errors import ConfigError

_NAME = "codeindex"
_PREFIX = "CODEINDEX_"
NON_SETTING_VARIABLES = (
    "CODEINDEX_HOME",
    "CODEINDEX_CONFIG",
    "CODEINDEX_DEBUG",
    "CODEINDEX_HOOK_MS",
)
"""Variables without a key in the settings files."""
_HUB = "https://huggingface.co"
_QUIET_HUB = {
    "HF_HUB_DISABLE_TELEMETRY": "1",  # also stops the request that looks for coding agents
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_XET": "1",  # a second protocol, with servers and caches of its own
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
}
_CALM_ONNX = {"ORT_DISABLE_TELEMETRY": "1"}
_TRUE = {"1", "on", "yes", "true"}
_HOOK_MS = 300
"""Default time limit in milliseconds: clients wait for their hooks."""


def data_home() -> Path:
    """Return the folder of indexes, caches and models, without creating it."""
    return _folder("CODEINDEX_HOME") or _usual("data", "XDG_DATA_HOME", "~/.local/share")


def use_data_home(folder: Path) -> None:
    """Set the data folder, which may be a relative path.

    It applies to this process and to children that it starts later.
    """
    os.environ["CODEINDEX_HOME"] = str(folder.expanduser().absolute())


def is_home_overridden() -> bool:
    """Tell whether `CODEINDEX_HOME` sets the data folder.

    Programs that run without this variable then use another data folder.
    """
    return _folder("CODEINDEX_HOME") is not None


def config_folder() -> Path:
    """Return the folder of the user's `config.yaml` and `synonyms.yaml`."""
    return _folder("CODEINDEX_CONFIG") or _usual("config", "XDG_CONFIG_HOME", "~/.config")


def _usual(kind: str, variable: str, default: str) -> Path:
    """Return the usual folder of codeindex for `kind`, which is `data` or `config`.

    On Linux, its parent folder is the value of the environment variable `variable`, or `default` if
    that is not set. There, platformdirs is not used, because its import takes 10 ms.
    """
    if sys.platform != "linux":
        import platformdirs

        return Path(getattr(platformdirs, f"user_{kind}_dir")(_NAME, appauthor=False))
    named = Path(os.environ.get(variable, "").strip()).expanduser()
    # The XDG specification says to ignore relative paths.
    return (named if named.is_absolute() else Path(default).expanduser()) / _NAME


def _folder(variable: str) -> Path | None:
    text = os.environ.get(variable, "")
    if not text:
        return None
    folder = Path(text).expanduser()
    if not folder.is_absolute():
        raise ConfigError(f"{variable} is '{text}', a relative path: give an absolute one.")
    try:
        folder.lstat()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise ConfigError(
                f"{variable} is a path that is too long for this system: give a shorter one."
            ) from error
    return folder


def environment_settings() -> Mapping[str, str]:
    """Return {variable: text} of the environment variables for settings, sorted by name."""
    found = {
        name: text
        for name, text in os.environ.items()
        if name.startswith(_PREFIX) and name not in NON_SETTING_VARIABLES
    }
    # The flag's documented name has no prefix.
    flag = os.environ.get("ALLOW_GLOBAL_SCOPE")
    if flag is not None:
        found.setdefault(f"{_PREFIX}SEARCH_ALLOW_GLOBAL_SCOPE", flag)
    return dict(sorted(found.items()))


def environment_variable(key: str) -> str:
    """Return the name of the environment variable for a setting.

    For example `CODEINDEX_WATCH_INTERVAL` for `watch.interval`.
    """
    return _PREFIX + key.upper().replace(".", "_")


def is_environment_set(key: str) -> bool:
    """Tell whether an environment variable sets the setting `key`, like `watch.interval`."""
    return environment_variable(key) in os.environ


def hook_time_limit() -> float:
    """Return the seconds after which a hook starts no further work (`CODEINDEX_HOOK_MS`)."""
    text = os.environ.get("CODEINDEX_HOOK_MS", "")
    return (int(text) if text.isdecimal() else _HOOK_MS) / 1000


def is_debugging() -> bool:
    """Tell whether errors are shown with their traceback (`CODEINDEX_DEBUG`)."""
    return bool(os.environ.get("CODEINDEX_DEBUG"))


def hub_offline() -> bool:
    """Tell whether `HF_HUB_OFFLINE` or `TRANSFORMERS_OFFLINE` forbids use of the model hub."""
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    return any(os.environ.get(name, "").lower() in _TRUE for name in names)


def hub_endpoint() -> str:
    """Return the URL of the model hub or its mirror, without a trailing slash."""
    return (os.environ.get("HF_ENDPOINT") or _HUB).rstrip("/")


@contextmanager
def hub_without_telemetry() -> Iterator[None]:
    """Disable the telemetry of the model hub's client inside the `with` block.

    Import the client inside the block, because it reads the variables when it is imported.
    """
    before = dict(os.environ)
    os.environ.update(_QUIET_HUB)
    try:
        yield
    finally:
        for name in _QUIET_HUB:
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)


def limit_numpy_threads() -> None:
    """Limit numpy to one thread; call this before numpy is imported.

    Starting more threads takes 50 ms; the matrix products of one search take 3 ms.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def disable_onnx_telemetry() -> None:
    """Disable onnxruntime's telemetry, which would write a device id and a log on import."""
    os.environ.update(_CALM_ONNX)


def environment(**changes: str) -> dict[str, str]:
    """Return a copy of the environment with `changes` and without variables that begin with `GIT_`.

    Such variables could redirect the git of a child process, or make it run programs.
    """
    kept = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    return kept | _CALM_ONNX | changes


def cpu_count() -> int:
    """Return the number of processors that this process may use, at least 1.

    CPU affinity and cgroup quotas lower it; a call of `limit_cpu_count` overrides both.
    """
    if _CPU_LIMIT:
        return _CPU_LIMIT[0]
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    return max(1, min(allowed or os.cpu_count() or 1, _quota()))


_CPU_LIMIT: list[int] = []
"""The number that `limit_cpu_count` was called with, if it was called."""


def limit_cpu_count(count: int) -> None:
    """Make `cpu_count` return `count`, for several processes that share a machine."""
    _CPU_LIMIT[:] = [max(1, count)]


def _quota() -> int:
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text("ascii").split()[:2]
    except (OSError, ValueError):
        return 1024
    return max(1, int(quota) // int(period)) if quota != "max" else 1024

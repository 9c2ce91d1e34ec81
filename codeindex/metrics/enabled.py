"""Tell cheaply whether metrics are enabled: hooks have no time to parse the settings."""

from __future__ import annotations

import functools

from codeindex.config import config_folder, is_environment_set


def metrics_enabled() -> bool:
    """Return `metrics.enabled`; settings without the word `metrics` are not parsed."""
    try:
        text = (config_folder() / "config.yaml").read_bytes()
    except OSError:
        text = b""
    if is_environment_set("metrics.enabled"):
        return _configured()
    return b"metrics" not in text or _written(text)


def _configured() -> bool:
    from codeindex.config import load_settings

    return load_settings(None).config.metrics.enabled


@functools.lru_cache(maxsize=1)
def _written(_: bytes) -> bool:
    """Parse the settings, once for each content of the file."""
    return _configured()

"""Tell whether metrics are enabled without parsing the settings: hooks must be fast."""

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
        return _load_setting()
    return b"metrics" not in text or _load_setting_cached(text)


def _load_setting() -> bool:
    from codeindex.config import load_settings

    return load_settings(None).config.metrics.enabled


@functools.lru_cache(maxsize=1)
def _load_setting_cached(_: bytes) -> bool:
    """Parse the settings, once for each content of the file."""
    return _load_setting()

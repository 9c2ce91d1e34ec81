"""Tell whether metrics are enabled; usually without parsing the settings, to keep hooks fast."""

from __future__ import annotations

import functools

from codeindex.config import config_folder, is_environment_set


def metrics_enabled() -> bool:
    """Return `metrics.enabled`, True by default; parse no file without the word `metrics`."""
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
    """Return `metrics.enabled`, parsed once for each content of the settings file."""
    return _load_setting()

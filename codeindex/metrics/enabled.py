"""Tell whether metrics are enabled; usually without parsing the settings, to keep hooks fast."""

from __future__ import annotations

import functools

from codeindex.config import config_folder, is_environment_set


def metrics_enabled() -> bool:
    """Return the setting `metrics.enabled`, True by default.

    A settings file without the word `metrics` is not parsed.
    """
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
    """Return the setting `metrics.enabled`.

    The argument is the content of the settings file: the settings are parsed only once for each
    content.
    """
    return _load_setting()

"""Whether anything is noted, for those who have no time to read the settings."""

from __future__ import annotations

import functools

from codeindex.config import config_folder, is_environment_set


def metrics_enabled() -> bool:
    """Tell whether `metrics.enabled` is set; settings that do not speak of it are not parsed."""
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
    """Parse the settings once for each text that they have had."""
    return _configured()

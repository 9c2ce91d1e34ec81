"""Settings: one frozen schema, read from files, environment and flags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.config.environment import (
    calm_numpy,
    calm_onnx,
    config_folder,
    cpu_count,
    debugging,
    environment,
    home,
    hook_seconds,
    hub_endpoint,
    hub_offline,
    is_set,
    own_home,
    quiet_hub,
)
from codeindex.lazy import export_from

if TYPE_CHECKING:
    from codeindex.config.reference import settings_table
    from codeindex.config.schema import (
        NAVIGATION_DOCS,
        WIKI_FOLDER,
        CacheConfig,
        Config,
        EmbeddingConfig,
        LimitsConfig,
        LoggingConfig,
        MetricsConfig,
        ModuleConfig,
        PatternDetectionConfig,
        SearchConfig,
        SecretPattern,
        SecretsConfig,
        WatchConfig,
    )
    from codeindex.config.sources import (
        Settings,
        get,
        ingest_digest,
        load,
        load_synonyms,
        settings_files,
    )

__all__ = [
    "NAVIGATION_DOCS",
    "WIKI_FOLDER",
    "CacheConfig",
    "Config",
    "EmbeddingConfig",
    "LimitsConfig",
    "LoggingConfig",
    "MetricsConfig",
    "ModuleConfig",
    "PatternDetectionConfig",
    "SearchConfig",
    "SecretPattern",
    "SecretsConfig",
    "Settings",
    "WatchConfig",
    "calm_numpy",
    "calm_onnx",
    "config_folder",
    "cpu_count",
    "debugging",
    "environment",
    "get",
    "home",
    "hook_seconds",
    "hub_endpoint",
    "hub_offline",
    "ingest_digest",
    "is_set",
    "load",
    "load_synonyms",
    "own_home",
    "quiet_hub",
    "settings_files",
    "settings_table",
]

__getattr__ = export_from(__name__, "schema", "sources", "reference")

"""Settings: one frozen schema, read from files, environment and flags."""

from codeindex.config.environment import (
    calm_numpy,
    calm_onnx,
    config_folder,
    cpu_count,
    environment,
    home,
    hub_endpoint,
    hub_offline,
    quiet_hub,
)
from codeindex.config.load import Settings, get, ingest_digest, load, load_synonyms
from codeindex.config.reference import settings_table
from codeindex.config.schema import (
    NAVIGATION_DOCS,
    CacheConfig,
    Config,
    EmbeddingConfig,
    LimitsConfig,
    LoggingConfig,
    ModuleConfig,
    PatternDetectionConfig,
    SearchConfig,
    SecretPattern,
    SecretsConfig,
    WatchConfig,
)

__all__ = [
    "NAVIGATION_DOCS",
    "CacheConfig",
    "Config",
    "EmbeddingConfig",
    "LimitsConfig",
    "LoggingConfig",
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
    "environment",
    "get",
    "home",
    "hub_endpoint",
    "hub_offline",
    "ingest_digest",
    "load",
    "load_synonyms",
    "quiet_hub",
    "settings_table",
]

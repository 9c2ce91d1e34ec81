"""Settings: one frozen schema, read from files, environment variables and flags.

Input: `config.yaml` of the user, `.ai-devtools.yaml` of a repository, the environment, flags.
Output: a validated `Settings`. It knows no index, command or server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.config.environment import (
    config_folder,
    cpu_count,
    data_home,
    disable_onnx_telemetry,
    environment,
    hook_time_limit,
    hub_endpoint,
    hub_offline,
    hub_without_telemetry,
    is_debugging,
    is_environment_set,
    is_home_overridden,
    limit_cpu_count,
    limit_numpy_threads,
    use_data_home,
)
from codeindex.lazy import lazy_exports

if TYPE_CHECKING:
    from codeindex.config.load import (
        Settings,
        ingest_digest,
        load_settings,
        load_synonyms,
        setting_value,
        settings_files,
    )
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

__getattr__ = lazy_exports(__name__, "schema", "load")

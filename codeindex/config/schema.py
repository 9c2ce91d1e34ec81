"""Define the schema of all settings: names, types, defaults, bounds, rights of a repository."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, get_args, get_origin, get_type_hints

WIKI_FOLDER = ".codeindex/wiki"
"""Folder of a repository's wiki; its pages are always navigation documents."""
NAVIGATION_DOCS = ("**/AGENTS.md", "**/README.md", "docs/**/*.md")


class RepositoryPermission(StrEnum):
    """What a repository's own settings file may do to a setting.

    The limits exist because the authors of the file are not trusted.
    """

    SETS = "may set it"
    ADDS = "may add to it"
    LOWERS = "may lower it"
    NOTHING = "may not change it"


@dataclass(frozen=True, slots=True)
class SettingKey:
    """Metadata of one setting: documentation, bounds of its value, allowed values, permission.

    A configuration field annotated with a `SettingKey` can be set in settings files.
    """

    doc: str
    low: float = 0
    high: float = 1_000_000_000
    choices: tuple[str, ...] = ()
    reach: RepositoryPermission = RepositoryPermission.NOTHING
    indexed: bool = False
    """Whether the setting affects which files are indexed or how they are chunked."""
    globs: bool = False
    """Whether each text in the value is a glob."""


# What a repository's own file may do to a setting; those of `_index_…` also have `indexed`.
_repository_sets = partial(SettingKey, reach=RepositoryPermission.SETS)
_index_sets = partial(SettingKey, reach=RepositoryPermission.SETS, indexed=True)
_index_adds = partial(SettingKey, reach=RepositoryPermission.ADDS, indexed=True)
_index_lowers = partial(SettingKey, reach=RepositoryPermission.LOWERS, indexed=True)


@dataclass(frozen=True, slots=True)
class ModuleConfig:
    """What the user wrote about a module: a `description`, and one of each submodule by name."""

    description: str = ""
    submodules: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SecretPattern:
    """A secret detector that the user adds to the built-in ones."""

    name: str
    pattern: str


@dataclass(frozen=True, slots=True)
class PatternDetectionConfig:
    enabled: Annotated[bool, _index_sets("Describe groups of files with similar structure.")] = True
    min_cluster_size: Annotated[
        int, _index_sets("Fewest files in a group.", low=2, high=10_000)
    ] = 5
    similarity_threshold: Annotated[
        float, _index_sets("Least Jaccard similarity in a group.", high=1)
    ] = 0.8
    directories: Annotated[
        tuple[str, ...], _index_sets("Search for groups only in these folders; empty: all.")
    ] = ()


@dataclass(frozen=True, slots=True)
class SecretsConfig:
    ignore: Annotated[
        tuple[str, ...],
        SettingKey(
            "Findings that are not redacted: globs, `path:line`, or `fingerprint:` of `secrets"
            " list`.",
            indexed=True,
        ),
    ] = ()


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    model: Annotated[
        str,
        SettingKey(
            "Id of a model in `codeindex models list`; `codeindex-static`: no transformer; `none`:"
            " words only; empty: the best one."
        ),
    ] = ""
    max_tokens: Annotated[
        int, _repository_sets("Tokens of a chunk that are embedded.", low=16, high=8192)
    ] = 128


@dataclass(frozen=True, slots=True)
class LimitsConfig:
    max_file_kb: Annotated[
        int, _index_lowers("Larger files are skipped.", low=1, high=1_048_576)
    ] = 1024
    max_document_kb: Annotated[
        int, _index_lowers("Larger PDFs and notebooks are skipped.", low=1, high=1_048_576)
    ] = 32_768
    max_files: Annotated[int, _index_lowers("Most files in a root; 0: no limit.")] = 0
    max_depth: Annotated[
        int,
        _index_lowers(
            "Levels of folders that are indexed, 1 for the files of the root alone; 0: no limit.",
            high=1_000,
        ),
    ] = 0
    parse_seconds: Annotated[
        float, _index_lowers("Most processor seconds to parse a file.", low=0.1, high=600)
    ] = 10.0
    memory_mb: Annotated[
        int, _index_lowers("Memory limit of a parsing process, in MB.", low=256, high=65_536)
    ] = 1024


@dataclass(frozen=True, slots=True)
class SearchConfig:
    fresh: Annotated[
        bool,
        SettingKey(
            "Check for changed files before each question; cited files are always compared."
        ),
    ] = True
    exact_limit: Annotated[
        int, SettingKey("Most vectors to scan exactly; above, Chroma's index is used.")
    ] = 100_000
    reranker: Annotated[
        str, SettingKey("Id of a cross-encoder that reorders the first results; empty: none.")
    ] = ""
    rerank_top: Annotated[int, SettingKey("Results that the reranker reads.", low=2, high=100)] = 30
    allow_global_scope: Annotated[
        bool, SettingKey("Allow searches of all repositories at once.")
    ] = False


@dataclass(frozen=True, slots=True)
class GraphConfig:
    scip: Annotated[
        tuple[str, ...],
        _repository_sets(
            "Paths below the root of SCIP indexes, by which compilers correct the graph; empty:"
            " none."
        ),
    ] = ("index.scip",)


@dataclass(frozen=True, slots=True)
class CacheConfig:
    embedding_ttl_days: Annotated[
        int, SettingKey("Days after which an unused embedding is deleted.", low=1, high=36_500)
    ] = 30
    size_limit_mb: Annotated[
        int, SettingKey("Most MB of the embedding cache on disk.", low=16, high=1_048_576)
    ] = 2048
    shared: Annotated[
        str, SettingKey("Folder or URL of a vector cache that a team shares; empty: none.")
    ] = ""


@dataclass(frozen=True, slots=True)
class LoggingConfig:
    level: Annotated[
        str,
        SettingKey(
            "Lowest level that is logged.", choices=("error", "warn", "info", "debug", "trace")
        ),
    ] = "info"
    max_size_mb: Annotated[
        int, SettingKey("Size in MB at which a log file is rotated.", low=1, high=10_240)
    ] = 50
    max_files: Annotated[int, SettingKey("Log files kept.", low=1, high=100)] = 3


@dataclass(frozen=True, slots=True)
class MetricsConfig:
    enabled: Annotated[
        bool, SettingKey("Record searches, suggestions and reads for `codeindex metrics`.")
    ] = True


@dataclass(frozen=True, slots=True)
class WatchConfig:
    interval: Annotated[
        float, SettingKey("Seconds between two scans of the tree.", low=0.1, high=86_400)
    ] = 60.0
    debounce_ms: Annotated[
        int,
        SettingKey(
            "Milliseconds without a change that end a burst of changes.", low=0, high=60_000
        ),
    ] = 300


@dataclass(frozen=True, slots=True)
class Config:
    """All settings; the field names are the keys in the files."""

    name: Annotated[str, _repository_sets("Name of the repository; empty: its folder's.")] = ""
    default_branch: Annotated[
        str, _repository_sets("Branch whose git hooks start a sync; empty: any.")
    ] = ""
    modules: Annotated[
        Mapping[str, ModuleConfig], _index_sets("`description` and `submodules` of modules.")
    ] = field(default_factory=dict)
    include: Annotated[
        tuple[str, ...], _index_sets("Globs: index only these files; empty: all.", globs=True)
    ] = ()
    exclude: Annotated[tuple[str, ...], _index_adds("Globs of files to exclude.", globs=True)] = ()
    include_override: Annotated[
        tuple[str, ...],
        _index_adds("Globs of files to index although they are excluded.", globs=True),
    ] = ()
    gitignore: Annotated[
        bool, SettingKey("Leave out the files that git ignores.", indexed=True)
    ] = True
    detect_workspaces: Annotated[
        bool, _repository_sets("Read the members of a workspace (Cargo, npm …) from its manifests.")
    ] = True
    navigation_docs: Annotated[
        tuple[str, ...], _index_sets("Globs of documents that explain the code.", globs=True)
    ] = NAVIGATION_DOCS
    navigation_doc_boost: Annotated[
        float,
        _repository_sets(
            "Weight of sections of navigation documents; 1.5: as fitted, 3: twice the odds, 0:"
            " none.",
            high=10,
        ),
    ] = 1.5
    pattern_detection: PatternDetectionConfig = PatternDetectionConfig()
    secrets: SecretsConfig = SecretsConfig()
    secret_patterns: Annotated[
        tuple[SecretPattern, ...],
        _index_adds("More detectors: `name`, `pattern` (a regular expression)."),
    ] = ()
    test_patterns: Annotated[
        Mapping[str, tuple[str, ...]], _index_sets("Globs of test files, by language.", globs=True)
    ] = field(default_factory=dict)
    test_weight: Annotated[
        float,
        _repository_sets(
            "Weight of tests in rankings; 0.5: as fitted, 1: twice the odds, 0: last.", high=10
        ),
    ] = 0.5
    embedding: EmbeddingConfig = EmbeddingConfig()
    limits: LimitsConfig = LimitsConfig()
    search: SearchConfig = SearchConfig()
    graph: GraphConfig = GraphConfig()
    cache: CacheConfig = CacheConfig()
    logging: LoggingConfig = LoggingConfig()
    metrics: MetricsConfig = MetricsConfig()
    watch: WatchConfig = WatchConfig()
    offline: Annotated[bool, SettingKey("Never touch the network.")] = False


REMOVED_SETTINGS = {
    "storage": "codeindex keeps everything in files under its data folder and needs no server",
    "embedding.provider": "embeddings are computed on this machine by the model that "
    "`embedding.model` names",
    "cache.answer_ttl_seconds": "each answer is computed again, so that none is stale",
}
"""Keys of an earlier design, each with what replaces it."""


@dataclass(frozen=True, slots=True)
class SettingEntry:
    """One setting: its dotted name, type, default and metadata."""

    name: str
    hint: Any
    default: object
    key: SettingKey


@functools.cache
def setting_entries() -> Mapping[str, SettingEntry]:
    """Return every setting by its dotted name, in the order of the schema."""
    return {entry.name: entry for entry in _entries(Config(), prefix="")}


@functools.cache
def setting_sections() -> frozenset[str]:
    return frozenset(name.split(".")[0] for name in setting_entries() if "." in name)


def _entries(owner: Any, *, prefix: str) -> Iterator[SettingEntry]:
    hints = get_type_hints(type(owner), include_extras=True)
    for entry in fields(owner):
        name, hint, value = prefix + entry.name, hints[entry.name], getattr(owner, entry.name)
        if is_dataclass(hint):
            yield from _entries(value, prefix=f"{name}.")
        elif get_origin(hint) is Annotated:
            kind, key = get_args(hint)
            yield SettingEntry(name, kind, value, key)

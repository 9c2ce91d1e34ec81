"""Settings from every source, and what a repository may not do."""

import os
import pickle
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.config import (
    Config,
    ModuleConfig,
    SecretPattern,
    Settings,
    ingest_digest,
    load_settings,
    setting_value,
)
from codeindex.config.environment import environment_variable
from codeindex.config.schema import RepositoryPermission, setting_entries
from codeindex.errors import ConfigError
from tests.unit.config.settings_table import settings_table

DOCS = Path(__file__).parents[3] / "codeindex" / "docs" / "settings.md"


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of the user's settings, and no variables of the surrounding shell."""
    for name in list(os.environ):  # noqa: TID251
        if name.startswith(("CODEINDEX_", "HF_")) or name == "ALLOW_GLOBAL_SCOPE":
            monkeypatch.delenv(name)
    folder = tmp_path / "user"
    folder.mkdir()
    monkeypatch.setenv("CODEINDEX_CONFIG", str(folder))
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def write_user(user: Path, text: str) -> Path:
    file = user / "config.yaml"
    file.write_text(text, "utf-8")
    return file


def write_repository(root: Path, text: str) -> Path:
    file = root / ".ai-devtools.yaml"
    file.write_text(text, "utf-8")
    return file


def refused(root: Path | None = None) -> str:
    with pytest.raises(ConfigError) as caught:
        load_settings(root)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_without_any_source_the_defaults_hold_and_nothing_is_noted(root: Path) -> None:
    assert load_settings(root) == Settings(Config(), {}, ())


def test_a_later_source_wins_and_each_value_knows_its_origin(
    user: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = write_user(user, "# mine\ntest_weight: 0.1\nname: a\nembedding:\n  max_tokens: 64\n")
    theirs = write_repository(root, "code-index:\n  name: b\n  test_weight: 0.2\n")
    monkeypatch.setenv("CODEINDEX_TEST_WEIGHT", "0.3")
    settings = load_settings(root, flags={"watch.debounce_ms": 7, "name": None})
    assert setting_value(settings, "embedding.max_tokens") == (64, f"{mine.as_posix()}:5")
    assert setting_value(settings, "name") == ("b", f"{theirs.as_posix()}:2")
    assert setting_value(settings, "test_weight") == (
        0.3,
        "environment variable CODEINDEX_TEST_WEIGHT",
    )
    assert setting_value(settings, "watch.debounce_ms") == (7, "command line")
    assert setting_value(settings, "offline") == (False, "default")


def test_the_reference_of_the_first_design_is_understood(root: Path) -> None:
    write_repository(
        root,
        """
other-tool: {key: [1, 2]}
code-index:
  name: m32rimm
  default_branch: develop
  modules:
    fisio:
      description: "Main ETL engine"
      submodules: {imports: "180+ importers"}
    fortress_api:
      description: "REST API layer"
  include: ["**/*.py"]
  exclude:
    - "**/archive/**"
  test_patterns:
    python: ["test_*.py"]
  secret_patterns:
    - name: ticket
      pattern: 'TICKET-[0-9]{8}'
""",
    )
    config = load_settings(root).config
    assert config.default_branch == "develop"
    assert config.modules["fisio"] == ModuleConfig("Main ETL engine", {"imports": "180+ importers"})
    assert config.modules["fortress_api"] == ModuleConfig("REST API layer")
    assert config.exclude == ("**/archive/**",)
    assert config.test_patterns == {"python": ("test_*.py",)}
    assert config.secret_patterns == (SecretPattern("ticket", "TICKET-[0-9]{8}"),)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("name: a\nembeding:\n  model: b\n", ["config.yaml:2", "`embeding`", "`embedding`"]),
        ("embedding:\n  modle: b\n", ["config.yaml:2", "`embedding.model`"]),
        ("embedding: fast\n", ["config.yaml:1", "keys below"]),
        ("exclude:\n  - ok\n  - 7\n", ["config.yaml:3", "exclude must be text"]),
        ("exclude: one\n", ["config.yaml:1", "a list"]),
        ("name: no\n", ["name must be text (put it in quotes), not False"]),
        ("offline: maybe\n", ["true or false"]),
        ("test_weight: .nan\n", ["number from 0 to 10"]),
        ("limits:\n  memory_mb: 1.5\n", ["config.yaml:2", "whole number from 256 to 65,536"]),
        ("limits:\n  memory_mb: true\n", ["whole number"]),
        ("logging:\n  level: loud\n", ["one of error, warn, info"]),
        ("modules:\n  a: {desc: b}\n", ["config.yaml:2", "description and submodules"]),
        ("secret_patterns:\n  - name: a\n", ["config.yaml:2", "a mapping with pattern"]),
        (
            "secret_patterns:\n  - {name: a, pattern: '('}\n",
            ["config.yaml:2", "regular expression"],
        ),
        ("name: a\nname: b\n", ["config.yaml:2", "given twice"]),
        ("name: [a\n", ["config.yaml:2", "not valid YAML"]),
        ("name: !!python/name:os.system a\n", ["config.yaml:1", "is not a value"]),
        ("- a\n", ["config.yaml:1", "`key: value`"]),
        ("[" * 5000, ["nested too deeply"]),
        ("name: " + "x" * 300_000, ["larger than 256 KB"]),
        ("modules: &a\n  b: {submodules: *a}\n", ["config.yaml:1", "nested"]),
        (
            "storage:\n  qdrant_url: http://localhost\n",
            ["config.yaml:1", "remove storage", "files"],
        ),
        ("embedding:\n  provider: voyage\n", ["config.yaml:2", "remove embedding.provider"]),
    ],
)
def test_a_bad_file_is_one_sentence_with_file_and_line(
    user: Path, text: str, parts: list[str]
) -> None:
    write_user(user, text)
    message = refused()
    for part in parts:
        assert part in message


def test_aliases_cannot_make_a_small_file_large(user: Path) -> None:
    inner = "".join(f"    k{i}: x\n" for i in range(2000))
    many = "".join(f"  m{i}: {{submodules: *big}}\n" for i in range(2000))
    write_user(user, f"modules:\n  m:\n   submodules: &big\n{inner}{many}")
    assert "too many" in refused()


def test_a_byte_order_mark_is_skipped_and_other_encodings_are_named(user: Path) -> None:
    (user / "config.yaml").write_bytes(b"\xef\xbb\xbfname: caf\xc3\xa9\n")
    assert load_settings(None).config.name == "café"
    (user / "config.yaml").write_bytes("name: café\n".encode("latin-1"))
    assert "is not UTF-8" in refused()


def test_an_empty_file_and_an_empty_section_say_nothing(user: Path, root: Path) -> None:
    write_user(user, "# nothing yet\nembedding:\n")
    write_repository(root, "code-index:\n")
    assert load_settings(root) == Settings()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX")
def test_a_pipe_in_place_of_a_file_does_not_hang(root: Path) -> None:
    os.mkfifo(root / ".ai-devtools.yaml")
    assert "is not a file" in refused(root)


def test_a_link_out_of_the_repository_is_not_read(root: Path, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("code-index: {name: stolen}", "utf-8")
    (root / ".ai-devtools.yaml").symlink_to(tmp_path / "other.yaml")
    settings = load_settings(root)
    assert settings.config.name == ""
    assert "link out of the repository" in settings.notes[0]


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        (
            "exclude: [a/]\nsecrets: {ignore: [b]}\nlint: {}\n",
            "has exclude, secrets, without effect",
        ),
        ("lint: {}\n", ""),
        ("code-index: {}\nexclude: [a/]\n", ""),
        ("code-index: {exclude: [a/]}\nname: x\n", ""),
    ],
)
def test_settings_of_a_repository_outside_of_their_key_are_noted(
    root: Path, text: str, noted: str
) -> None:
    file = write_repository(root, text)
    notes = load_settings(root).notes
    assert [note.partition("' ")[::2] for note in notes] == (
        [
            (
                f"'{file.as_posix()}",
                f"{noted}: settings of a repository are below the key `code-index`.",
            )
        ]
        if noted
        else []
    )


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("embedding.model", "embedding: {model: other}"),
        ("search.allow_global_scope", "search: {allow_global_scope: true}"),
        ("cache.size_limit_mb", "cache: {size_limit_mb: 99999}"),
        ("offline", "offline: true"),
        ("watch.interval", "watch: {interval: 1}"),
        ("logging.level", "logging: {level: trace}"),
        ("limits.memory_mb", "limits: {memory_mb: 4096}"),
        ("limits.parse_seconds", "limits: {parse_seconds: 600}"),
    ],
)
def test_what_a_repository_may_not_change_stays_and_is_noted(
    root: Path, key: str, text: str
) -> None:
    file = write_repository(root, f"code-index:\n  {text}\n")
    settings = load_settings(root)
    assert setting_value(settings, key) == (setting_value(Settings(), key)[0], "default")
    assert [
        note.startswith(f"{file.as_posix()}:2: ") and key in note for note in settings.notes
    ] == [True]


def test_a_repository_may_lower_limits_where_zero_means_no_limit(user: Path, root: Path) -> None:
    write_repository(root, "code-index:\n  limits: {memory_mb: 512, max_files: 10}\n")
    assert load_settings(root).config.limits.memory_mb == 512
    assert load_settings(root).config.limits.max_files == 10
    write_user(user, "limits: {max_files: 5}\n")
    write_repository(root, "code-index:\n  limits: {max_files: 0}\n")
    assert load_settings(root).config.limits.max_files == 5


def test_a_repository_adds_to_the_users_lists_and_exempts_no_secret(user: Path, root: Path) -> None:
    write_user(user, "exclude: [a, b]\nsecrets: {ignore: [mine]}\n")
    write_repository(root, "code-index: {exclude: [b, c], secrets: {ignore: ['**']}}\n")
    found = load_settings(root)
    assert found.config.exclude == ("a", "b", "c")
    assert found.config.secrets.ignore == ("mine",)
    assert "secrets.ignore can only be set by the user; ignored." in found.notes[0]


def test_flags_are_checked_like_every_other_source() -> None:
    assert load_settings(None, flags={"exclude": ("a",)}).config.exclude == ("a",)
    with pytest.raises(ConfigError, match=r"command line: test_weight must be a number"):
        load_settings(None, flags={"test_weight": 11})
    with pytest.raises(ConfigError, match=r"unknown setting `embedding.modle`"):
        load_settings(None, flags={"embedding.modle": "x"})


def test_asking_for_an_unknown_key_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"`watch\.interval`"):
        setting_value(Settings(), "watch.intervall")


def test_the_digest_changes_only_with_settings_of_indexing() -> None:
    start = Config()
    same = [replace(start, test_weight=0.1), replace(start, offline=True)]
    assert {ingest_digest(one) for one in same} == {ingest_digest(start)}
    different = [
        replace(start, exclude=("a",)),
        replace(start, modules={"a": ModuleConfig("b")}),
        replace(start, secret_patterns=(SecretPattern("a", "b"),)),
        replace(start, limits=replace(start.limits, max_file_kb=1)),
    ]
    assert len({ingest_digest(one) for one in [start, *different]}) == len(different) + 1


def test_a_configuration_can_be_sent_to_another_process() -> None:
    config = replace(Config(), modules={"a": ModuleConfig("b", {"c": "d"})})
    assert pickle.loads(pickle.dumps(config)) == config


@given(weight=st.floats(0, 10), tokens=st.integers(16, 8192), name=st.text("abc", max_size=5))
def test_flags_within_bounds_come_back_unchanged(weight: float, tokens: int, name: str) -> None:
    flags = {"test_weight": weight, "embedding.max_tokens": tokens, "name": name}
    settings = load_settings(None, flags=flags)
    assert {key: setting_value(settings, key)[0] for key in flags} == flags


def test_every_setting_is_within_its_own_bounds_and_has_its_own_variable() -> None:
    for entry in setting_entries().values():
        if isinstance(entry.default, int | float):
            assert entry.key.low <= entry.default <= entry.key.high
    assert len({environment_variable(name) for name in setting_entries()}) == len(setting_entries())


def test_every_field_of_the_schema_is_a_setting_a_section_or_set_by_the_loader() -> None:
    names = {name.split(".")[0] for name in setting_entries()}
    assert names == {one.name for one in fields(Config)}


def test_no_key_that_guards_the_user_is_within_a_repositorys_reach() -> None:
    guarded = ("search.", "cache.", "logging.", "watch.", "offline", "embedding.model")
    reach = {
        entry.key.reach for name, entry in setting_entries().items() if name.startswith(guarded)
    }
    assert reach == {RepositoryPermission.NOTHING}


def test_the_table_of_settings_is_current(update: bool) -> None:
    if update:
        DOCS.write_text(settings_table(), "utf-8")
    assert DOCS.read_text("utf-8") == settings_table()

"""Settings and folders from the environment, which only one module reads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codeindex.config import (
    config_folder,
    data_home,
    environment,
    hub_endpoint,
    hub_offline,
    load_settings,
    load_synonyms,
)
from codeindex.errors import ConfigError


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of the user's settings, and no variables of the surrounding shell."""
    for name in list(os.environ):  # noqa: TID251
        if name.startswith(("CODEINDEX_", "HF_")) or name == "ALLOW_GLOBAL_SCOPE":
            monkeypatch.delenv(name)
    monkeypatch.setenv("CODEINDEX_CONFIG", str(tmp_path))
    return tmp_path


def test_variables_are_read_as_the_type_of_their_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINDEX_OFFLINE", "yes")
    monkeypatch.setenv("CODEINDEX_EXCLUDE", "a/**, b")
    monkeypatch.setenv("CODEINDEX_LIMITS_PARSE_SECONDS", "3")
    monkeypatch.setenv("CODEINDEX_NAME", "007")
    monkeypatch.setenv("ALLOW_GLOBAL_SCOPE", "true")
    config = load_settings(None).config
    assert config.offline
    assert config.exclude == ("a/**", "b")
    assert config.limits.parse_seconds == 3.0
    assert config.name == "007"
    assert config.search.allow_global_scope


@pytest.mark.parametrize(
    ("text", "globs"),
    [
        ("*.{c,py}", ("*.{c,py}",)),
        ("a/**, *.{c,{h,hh}} ,b,", ("a/**", "*.{c,{h,hh}}", "b")),
        (r"a\{b,c}d,[{,]e", (r"a\{b", "c}d", "[{,]e")),
    ],
)
def test_globs_of_a_variable_are_separated_by_commas_outside_of_braces(
    monkeypatch: pytest.MonkeyPatch, text: str, globs: tuple[str, ...]
) -> None:
    monkeypatch.setenv("CODEINDEX_EXCLUDE", text)
    assert load_settings(None).config.exclude == globs


def test_a_broken_brace_in_a_setting_is_refused(
    user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINDEX_EXCLUDE", "a.py,*.{c,py")
    wrong = r"the glob '\*.\{c,py' of exclude is invalid: a '\{' has no '\}'"
    with pytest.raises(ConfigError, match=f"variable CODEINDEX_EXCLUDE: {wrong}"):
        load_settings(None)
    monkeypatch.delenv("CODEINDEX_EXCLUDE")
    for setting in ("include: ['{a,b']", "test_patterns: {go: ['{a']}"):
        (user / "config.yaml").write_text(setting, "utf-8")
        with pytest.raises(ConfigError, match=r"config.yaml:1: the glob .* is invalid: a '\{'"):
            load_settings(None)


def test_a_variable_of_the_wrong_type_is_an_error_and_an_unknown_one_a_note(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CODEINDEX_NAMES", "x")
    assert "CODEINDEX_NAMES is not a setting" in load_settings(None).notes[0]
    monkeypatch.delenv("CODEINDEX_NAMES")
    for wrong, near in (
        ("CODEINDEX_EMBEDING_MODEL", "CODEINDEX_EMBEDDING_MODEL"),
        ("CODEINDEX_HOM", "CODEINDEX_HOME"),
    ):
        monkeypatch.setenv(wrong, "x")
        (note,) = load_settings(None).notes
        assert note == (
            f"environment variable {wrong} is not a setting and has no effect; the nearest is"
            f" {near}."
        )
        monkeypatch.delenv(wrong)
    monkeypatch.setenv("CODEINDEX_LIMITS_MEMORY_MB", "lots")
    with pytest.raises(
        ConfigError, match=r"variable CODEINDEX_LIMITS_MEMORY_MB: limits.memory_mb must be"
    ):
        load_settings(None)


def test_synonyms_are_words_with_words(user: Path) -> None:
    assert load_synonyms() == {}
    file = user / "synonyms.yaml"
    file.write_text("synonyms:\n  Kafka: [queue, message]\n", "utf-8")
    assert load_synonyms() == {"kafka": ("queue", "message")}
    file.write_text("db: database\n", "utf-8")
    with pytest.raises(ConfigError, match=r"synonyms.yaml:1: `db` must have a list"):
        load_synonyms()


def test_folders_and_hub_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert data_home().name == "codeindex"
    monkeypatch.setenv("CODEINDEX_HOME", str(tmp_path))
    assert data_home() == tmp_path
    assert (hub_endpoint(), hub_offline()) == ("https://huggingface.co", False)
    monkeypatch.setenv("HF_ENDPOINT", "http://mirror/")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert (hub_endpoint(), hub_offline()) == ("http://mirror", True)


def test_child_processes_get_no_variable_of_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    scrubbed = environment(LC_ALL="C")
    assert "GIT_DIR" not in scrubbed
    assert scrubbed["LC_ALL"] == "C"
    assert "PATH" in scrubbed


def test_loading_defaults_imports_neither_yaml_nor_numpy() -> None:
    code = (
        "import sys; from codeindex.config import load_settings; load_settings(None); "
        "print({'yaml', 'numpy', 'click'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("folder", ["", " ", "/elsewhere"])
def test_the_usual_folders_are_those_of_the_platform(
    monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    import platformdirs

    for variable in ("CODEINDEX_HOME", "CODEINDEX_CONFIG"):
        monkeypatch.delenv(variable, raising=False)
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, folder)
    assert data_home() == platformdirs.user_data_path("codeindex", appauthor=False)
    assert config_folder() == platformdirs.user_config_path("codeindex", appauthor=False)


@pytest.mark.skipif(sys.platform != "linux", reason="XDG variables count on Linux")
def test_a_relative_xdg_folder_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEINDEX_CONFIG")
    for folder in (data_home, config_folder):
        monkeypatch.setenv("XDG_DATA_HOME", "data")
        monkeypatch.setenv("XDG_CONFIG_HOME", "settings")
        assert folder().is_absolute()
        monkeypatch.setenv("XDG_DATA_HOME", "/srv/data")
        monkeypatch.setenv("XDG_CONFIG_HOME", "/srv/settings")
        assert folder().as_posix().startswith("/srv/")

"""Downloading a pinned model from a hub on this machine."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from codeindex.config import Config, EmbeddingConfig
from codeindex.embed import installed
from codeindex.embed.choose import choose_model, model_statuses
from codeindex.embed.fetch import known_unreachable, pull_model
from codeindex.embed.installed import model_status, verified_folder, verify_model_files
from codeindex.embed.lock import (
    DEFAULT_MODEL,
    SHIPPED_MODEL,
    STATIC_MODEL,
    Model,
    ModelFile,
    load_lock,
    write_added,
)
from codeindex.errors import ModelError
from tests.unit.embed.tiny_models import REVISION, Hub, install, serving, tiny_files, tiny_model

FILES = tiny_files()
MODEL = tiny_model(FILES)
BIG = {**FILES, "onnx/model.onnx": FILES["onnx/model.onnx"] + b" " * 30_000_000}


@pytest.fixture(autouse=True)
def shell(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with serving(Hub(dict(FILES))) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.endpoint)
        yield running


def test_a_model_is_pulled_once_and_asked_for_by_its_commit(
    tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_private")
    seen: list[tuple[str, int, int]] = []
    folder = pull_model(tmp_path, MODEL, progress=lambda *step: seen.append(step))
    assert {name: (folder / name).read_bytes() for name in FILES} == FILES
    assert {path for _, path, _ in hub.asked} == {
        f"/people/tiny/resolve/{REVISION}/{name}" for name in FILES
    }
    assert not any("hf_private" in str(headers) for headers in hub.headers)
    assert not any("agent/" in headers.get("User-Agent", "") for headers in hub.headers)
    assert seen[-1] == (
        "tokenizer.json",
        len(FILES["tokenizer.json"]),
        len(FILES["tokenizer.json"]),
    )
    assert {one.name for one in folder.iterdir()} >= {"onnx", "tokenizer.json", "verified.json"}
    assert not (folder / ".partial").exists()
    asked = len(hub.asked)
    assert pull_model(tmp_path, MODEL, offline=True) == folder
    assert len(hub.asked) == asked


def test_a_file_with_another_digest_is_deleted_and_never_put_in_place(
    tmp_path: Path, hub: Hub
) -> None:
    data = FILES["onnx/model.onnx"]
    hub.files["onnx/model.onnx"] = data[:-1] + bytes([data[-1] ^ 1])
    with pytest.raises(ModelError, match=r"sent a onnx/model.onnx that is not the one"):
        pull_model(tmp_path, MODEL)
    left = [file for file in tmp_path.rglob("*") if file.is_file() and file.stat().st_size > 100]
    assert left == []
    assert model_status(tmp_path, MODEL) == "absent"


def test_a_file_that_is_too_long_is_stopped(tmp_path: Path, hub: Hub) -> None:
    hub.files["onnx/model.onnx"] = BIG["onnx/model.onnx"]
    with pytest.raises(ModelError, match="longer than"):
        pull_model(tmp_path, MODEL)
    assert sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file()) < 1000


def test_a_broken_connection_is_taken_up_where_it_broke(tmp_path: Path, hub: Hub) -> None:
    hub.files, hub.break_once_at = dict(BIG), 12_000_000
    folder = pull_model(tmp_path, tiny_model(BIG))
    assert (folder / "onnx/model.onnx").read_bytes() == BIG["onnx/model.onnx"]
    spans = [span for path, span in hub.gets() if path.endswith("model.onnx")]
    assert spans[0] == ""
    assert spans[1].startswith("bytes=1")


def test_files_in_place_are_not_asked_for_again_after_a_failure(tmp_path: Path, hub: Hub) -> None:
    good = hub.files["tokenizer.json"]
    hub.files["tokenizer.json"] = b"{}" + good[2:]
    with pytest.raises(ModelError):
        pull_model(tmp_path, MODEL)
    assert model_status(tmp_path, MODEL) == "incomplete"
    hub.asked.clear()
    hub.files["tokenizer.json"] = good
    pull_model(tmp_path, MODEL)
    assert {path.rpartition("/")[2] for path, _ in hub.gets()} == {"tokenizer.json"}
    assert model_status(tmp_path, MODEL) == "ready"


def test_a_hub_that_lacks_the_file_is_reported_with_what_to_do(tmp_path: Path, hub: Hub) -> None:
    del hub.files["tokenizer.json"]
    with pytest.raises(ModelError, match=r"tokenizer.json of tiny could not be downloaded"):
        pull_model(tmp_path, MODEL)


@pytest.mark.parametrize("offline", [True, False])
def test_configuration_and_environment_forbid_the_network(
    tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch, offline: bool
) -> None:
    if not offline:
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelError, match="forbids the network"):
        pull_model(tmp_path, MODEL, offline=offline)
    assert hub.asked == []


def configured(home: Path) -> Config:
    write_added(home, [MODEL])
    return Config(embedding=EmbeddingConfig(model="tiny"))


def test_a_hub_that_fails_costs_one_probe_a_day_unless_asked_for(tmp_path: Path, hub: Hub) -> None:
    hub.status = 503
    config = configured(tmp_path)
    for _ in range(2):
        choice = choose_model(tmp_path, config, may_fetch=True)
        assert choice.model is None
        assert "codeindex models pull tiny" in choice.why
    assert [method for method, _, _ in hub.asked] == ["HEAD"]
    assert known_unreachable(tmp_path)
    memory = tmp_path / "models" / "unreachable.json"
    at = json.loads(memory.read_text("utf-8"))["at"]
    assert not known_unreachable(tmp_path, now=at + 24 * 3600 + 1)
    with pytest.raises(ModelError, match="answers 503"):
        pull_model(tmp_path, MODEL)
    assert len(hub.asked) == 2
    hub.status = 200
    pull_model(tmp_path, MODEL)
    assert not memory.exists()


def test_another_endpoint_is_not_held_against_a_mirror(
    tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelError, match=r"127.0.0.1:9 cannot be reached"):
        pull_model(tmp_path, MODEL)
    assert known_unreachable(tmp_path)
    monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
    assert not known_unreachable(tmp_path)


def test_the_configured_model_is_fetched_only_where_that_is_allowed(
    tmp_path: Path, hub: Hub
) -> None:
    config = configured(tmp_path)
    choice = choose_model(tmp_path, config, may_fetch=False)
    assert (choice.model, hub.asked) == (None, [])
    assert "is configured and absent" in choice.why
    assert choose_model(tmp_path, replace(config, offline=True), may_fetch=True).model is None
    assert hub.asked == []
    assert choose_model(tmp_path, config, may_fetch=True).model == MODEL
    assert choose_model(tmp_path, config, may_fetch=False).why == "tiny is configured"
    with pytest.raises(ModelError, match="There is no model 'other'"):
        choose_model(tmp_path, Config(embedding=EmbeddingConfig(model="other")), may_fetch=False)


def test_a_failed_download_of_the_configured_model_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configured(tmp_path)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    choice = choose_model(tmp_path, config, may_fetch=True)
    assert choice.model is None
    assert "http://127.0.0.1:9 cannot be reached" in choice.why
    assert "models pull" in choose_model(tmp_path, config, may_fetch=True).why


def test_without_a_download_the_shipped_encoder_is_taken(tmp_path: Path, hub: Hub) -> None:
    choice = choose_model(tmp_path, Config(), may_fetch=True)
    assert choice.model is not None
    assert choice.model.id == SHIPPED_MODEL
    assert {path.split("/resolve/")[0] for _, path, _ in hub.asked} == {
        "/Snowflake/snowflake-arctic-embed-xs"
    }
    states = {model.id: state for model, state in model_statuses(tmp_path)}
    assert states.pop("minilm-l6-int8") in {"ready", "absent"}  # the extra `offline`
    assert states == {
        DEFAULT_MODEL: "absent",
        SHIPPED_MODEL: "ready",
        STATIC_MODEL: "ready",
    }


@pytest.mark.parametrize("kept", [None, 0, 1_000_000])
def test_a_damaged_encoder_leaves_the_static_model_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int | None
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    if kept is not None:
        content = (installed.SHIPPED_FOLDER / "encoder.onnx").read_bytes()
        (folder / "encoder.onnx").write_bytes(content[:kept])
    monkeypatch.setattr(installed, "SHIPPED_FOLDER", folder)
    choice = choose_model(tmp_path, Config(), may_fetch=False)
    state = "absent" if kept is None else "damaged"
    assert choice.model is None
    assert choice.why == (
        f"codeindex-static only: codeindex-encoder is {state}; reinstall codeindex-local"
    )


def test_a_changed_file_is_noticed_by_size_time_and_by_every_byte_on_request(
    tmp_path: Path,
) -> None:
    install(tmp_path, MODEL, FILES)
    folder = verified_folder(tmp_path, MODEL)
    file = folder / "tokenizer.json"
    before = file.stat()
    file.write_bytes(file.read_bytes().replace(b"retry", b"later"))
    assert model_status(tmp_path, MODEL) == "damaged"
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert model_status(tmp_path, MODEL) == "ready"
    with pytest.raises(ModelError, match=r"tokenizer.json' is not the file that models.lock pins"):
        verify_model_files(tmp_path, MODEL)


def test_a_damaged_record_costs_a_hash_and_no_more(tmp_path: Path) -> None:
    install(tmp_path, MODEL, FILES)
    folder = verified_folder(tmp_path, MODEL)
    (folder / "verified.json").write_text('["no", "record"]', "utf-8")
    assert verified_folder(tmp_path, MODEL) == folder


def test_the_lock_pins_commits_and_digests() -> None:
    models = load_lock()
    assert list(models) == [DEFAULT_MODEL, SHIPPED_MODEL, "minilm-l6-int8", STATIC_MODEL]
    arctic = models[DEFAULT_MODEL]
    assert (arctic.pooling, arctic.dimension, len(arctic.files)) == ("cls", 384, 4)
    assert all(len(file.sha256) == 64 for model in models.values() for file in model.files)


def test_what_a_user_added_is_read_back_and_cannot_replace_a_pinned_model(tmp_path: Path) -> None:
    odd = replace(MODEL, query_prefix='say "é\x7f"\n: ')
    write_added(tmp_path, [odd, replace(MODEL, id=DEFAULT_MODEL)])
    assert load_lock(tmp_path)["tiny"] == odd
    assert load_lock(tmp_path)[DEFAULT_MODEL] == load_lock()[DEFAULT_MODEL]


@pytest.mark.parametrize(
    "bad",
    [
        replace(MODEL, id="../up"),
        replace(MODEL, revision="main"),
        replace(MODEL, onnx="other.onnx"),
        replace(MODEL, files=(*MODEL.files, ModelFile("../../x", 1, "0" * 64))),
    ],
)
def test_a_lock_that_reaches_out_of_its_folder_or_is_not_pinned_is_refused(
    tmp_path: Path, bad: Model
) -> None:
    write_added(tmp_path, [bad])
    with pytest.raises(ModelError, match="is not a list of models"):
        load_lock(tmp_path)

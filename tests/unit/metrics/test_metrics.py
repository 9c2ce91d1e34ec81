"""What is noted of use, and what it comes to."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeindex import config
from codeindex.cli.metrics import parse_duration, parse_moment
from codeindex.errors import QueryError
from codeindex.metrics import record
from codeindex.metrics.events import read_events
from codeindex.metrics.record import iso_timestamp, record_event, redacted_line
from codeindex.metrics.summary import summarize_events, summary_rows
from codeindex.secrets import REDACTION_MARK, redact

KEY = "AKIA" + "IOSFODNN7ABCDEFG"
TELLING = ("password", "secret", "token is", "login", "the key", "Bearer", "api_key", "user")


@settings(max_examples=25)
@given(st.from_regex(record._PLAIN_WORDS, fullmatch=True), st.sampled_from(TELLING))
def test_text_that_skips_redaction_has_no_secret(words: str, telling: str) -> None:
    for text in (words, f"{telling} {words}"):
        if record._PLAIN_WORDS.fullmatch(text):
            assert redact(text).findings == ()


@pytest.mark.parametrize(
    "text",
    [
        f"where is {KEY} used",
        f"{'x ' * 140}{KEY}",
        "password = 'hunter2hunter2'",
        "password:\n  hunter2hunter2zz",
        "postgres://admin:supersecret9@db.example.com/app",
        "log in as root with password supersecret9",
        "log in as root with password mangotree",
        "пароль: hunter2hunter2",
    ],
)
def test_a_secret_in_a_query_is_not_kept(text: str) -> None:
    kept = redacted_line(text)
    assert not {KEY, KEY[:12], "hunter2", "supersecret9", "mangotree"} & {
        one for one in (KEY, KEY[:12], "hunter2", "supersecret9", "mangotree") if one in kept
    }
    assert REDACTION_MARK in kept or len(kept) == record._STORED_CHARS
    assert "\n" not in kept


def search(at: float, **values: Any) -> None:
    known = {
        "repos": ["shop"],
        "query": "retry",
        "query_type": "concept",
        "results": 1,
        "docs": 0,
        "latency_ms": 10.0,
        "files": ["a.py"],
        "answer_tokens": 100,
        "whole_tokens": 1000,
    }
    put(at, "search", **(known | values))


def put(at: float, event: str, **values: Any) -> None:
    folder = config.data_home()
    folder.mkdir(exist_ok=True)
    line = {"ts": iso_timestamp(at), "event": event, **values}
    record.metrics_journal(folder).add(json.dumps(line))


def test_figures_are_those_of_the_events(home: Path) -> None:
    for n in range(18):
        search(1000.0 + n, latency_ms=float(n))
    search(2000.0, latency_ms=500.0, query_type="symbol", files=["b.py"])
    search(2001.0, latency_ms=900.0, results=0, files=[], whole_tokens=0, suggested=["Try x"])
    search(2002.0, more=True)
    put(2400.0, "file_read", repo="shop", file="b.py", was_suggested=True)
    put(9000.0, "file_read", repo="shop", file="a.py", was_suggested=False)
    put(9000.5, "file_read", repo="other", file="a.py", was_suggested=False)
    put(9001.0, "context_inject", repo="shop", file="a.py", suggestions=3, confidence=0.8)
    put(9002.0, "tool", tool="impact", latency_ms=20.0, error=True)
    record.metrics_journal(home).add('{"ts": "2026-01-01T00:00:00Z", "eve')
    record.metrics_journal(home).add('{"ts": 5, "event": "search"}')
    found = summarize_events(read_events(home))
    assert (found.searches.count, found.searches.p50, found.searches.p95) == (20, 9.0, 500.0)
    assert found.by_type == {"concept": 19, "symbol": 1}
    assert (found.zero_results, found.found_then_read) == (1, 1)
    assert (found.reads, found.reads_suggested, found.injected, found.suggestions) == (3, 1, 1, 3)
    assert (found.answer_tokens, found.whole_tokens, found.saved_tokens) == (1900, 19000, 17100)
    assert (found.tools["impact"].count, found.failed_tools) == (1, 1)
    rows = {name: value for name, value, _ in summary_rows(found)}
    assert rows["zero results"] == "1 (5%)"
    assert rows["suggested, then read"] == "1 (33%)"


def test_no_events_have_figures_too(home: Path) -> None:
    found = summarize_events(read_events(home))
    assert (found.searches.count, found.saved_tokens, found.days) == (0, 0, 0.0)
    assert all(says for _, _, says in summary_rows(found))


def test_answers_that_cost_more_than_the_files_count_against_the_savings(home: Path) -> None:
    search(1.0, answer_tokens=500, whole_tokens=20)
    assert summarize_events(read_events(home)).saved_tokens == -480


def test_events_are_chosen_by_time(home: Path) -> None:
    for at in (10.0, 20.0, 30.0):
        search(at)
    assert [one.at for one in read_events(home, since=15.0, until=25.0)] == [20.0]


@pytest.mark.parametrize(("text", "seconds"), [("90m", 5400), ("1h", 3600), ("7d", 604800)])
def test_lengths_of_time_are_read(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "7", "d", "-1d", "7 d", "1e3d", "٣d x"])
def test_an_invalid_duration_is_refused(text: str) -> None:
    with pytest.raises(QueryError, match="write 90m"):
        parse_duration(text)


def test_a_day_ends_at_its_end() -> None:
    start = parse_moment("2026-01-15")
    assert parse_moment("2026-01-15", at_end=True) == start + 86_400
    assert parse_moment("2026-01-15T09:30", at_end=True) == start + 9.5 * 3600
    with pytest.raises(QueryError, match="2026-01-15"):
        parse_moment("yesterday")


def test_nothing_is_noted_where_there_is_no_data_folder(home: Path) -> None:
    record_event("search")
    assert not home.exists()


@pytest.mark.parametrize("how", ["file", "variable"])
def test_it_is_switched_off_by_the_settings(
    how: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir()
    (tmp_path / "config").mkdir()
    if how == "file":
        (tmp_path / "config" / "config.yaml").write_text("metrics: {enabled: false}\n")
    else:
        monkeypatch.setenv("CODEINDEX_METRICS_ENABLED", "false")
    record_event("search")
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("text", ["metrics: [", "metrics: {enabled: maybe}\n"])
def test_wrong_settings_fail_no_event(text: str, home: Path, tmp_path: Path) -> None:
    home.mkdir()
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yaml").write_text(text)
    record_event("search")
    assert list(home.iterdir()) == []


def test_what_cannot_be_written_fails_nothing(home: Path) -> None:
    (home / "metrics.jsonl").mkdir(parents=True)
    record_event("search")
    assert read_events(home) == []

"""The pure parts of the command line."""

import pytest

from codeindex.cli.progress import format_duration, format_progress
from codeindex.cli.search_request import has_query_word
from codeindex.cli.sync_output import summarize_sync
from codeindex.types import Skipped, SyncReport


@pytest.mark.parametrize(
    ("query", "cased", "whole", "expected"),
    [
        ("TOKEN", False, False, True),
        ("TOKEN", True, False, False),
        ("token", True, False, True),
        ("Token", True, False, True),
        ("token", False, True, False),
        ("validateToken", True, True, True),
        ("validatetoken", False, True, True),
        ("where is the Token", True, False, True),
        ("???", False, True, False),
    ],
)
def test_smart_case_and_whole_words_are_ripgreps(
    query: str, cased: bool, whole: bool, expected: bool
) -> None:
    assert (
        has_query_word("def validateToken(x):", query, match_case=cased, whole_words=whole)
        is expected
    )


def test_a_bar_says_how_much_how_fast_and_how_long() -> None:
    assert format_progress("structure", 250, 1000, rate=50.0) == (
        "structure [#####...............] 250/1,000 files  50/s  0:15 left"
    )
    assert format_progress("model a.onnx", 1_500_000, 3_000_000, rate=0.0) == (
        "model a.onnx [##########..........] 1.5/3.0 MB"
    )
    assert format_progress("export", 0, 0, rate=0.0).startswith("export [####################]")


def test_times_are_read_at_a_glance() -> None:
    assert [format_duration(5), format_duration(760), format_duration(3723)] == [
        "0:05",
        "12:40",
        "1:02:03",
    ]


def test_the_summary_counts_what_was_done() -> None:
    skipped = (Skipped("a.png", "not text"),)
    report = SyncReport("shop", 2, 1, 0, (), skipped, 1200, 3.25, 7, "m@1/128")
    assert summarize_sync(report) == (
        "shop: 2 added, 1 changed, 1 skipped, 1,200 chunks embedded in 3.2 s"
    )
    nothing = SyncReport("shop", 0, 0, 0, (), (), 0, 0.04, 7, "")
    assert summarize_sync(nothing) == "shop: nothing changed in 0.0 s"

"""The pure parts of the command line."""

from codeindex.cli.progress import format_duration, format_progress
from codeindex.cli.sync_output import summarize_sync
from codeindex.types import Skipped, SyncReport


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

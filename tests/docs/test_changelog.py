"""The changelog has a section for the version that is packaged."""

import re
from pathlib import Path

from codeindex import __version__

TEXT = (Path(__file__).parents[2] / "codeindex/docs/changelog.md").read_text(encoding="utf-8")
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_packaged_version_has_a_dated_section_below_unreleased() -> None:
    titles = re.findall(r"^## (.+)$", TEXT, re.MULTILINE)
    assert titles[0] == "Unreleased"
    assert re.fullmatch(rf"{re.escape(__version__)} \(\d{{4}}-\d\d-\d\d\)", titles[1])


def test_changes_are_sorted_into_known_kinds() -> None:
    assert set(re.findall(r"^### (.+)$", TEXT, re.MULTILINE)) <= KINDS

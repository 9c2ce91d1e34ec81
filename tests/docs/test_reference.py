"""The API reference documents every public name."""

from pathlib import Path

import codeindex

PAGE = (Path(__file__).parents[2] / "codeindex/docs/api.md").read_text(encoding="utf-8")


def test_every_public_name_is_documented() -> None:
    directives = [line for line in PAGE.splitlines() if ":: codeindex." in line]
    documented = {line.rpartition(" codeindex.")[2].removesuffix("()") for line in directives}
    assert set(codeindex.__all__) <= documented

"""Decision records have one form, and the index page lists each of them."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "codeindex/docs/decisions"
RECORDS = sorted(path for path in FOLDER.glob("*.md") if path.name != "index.md")
_DATE = r"\d{4}-\d\d-\d\d"
_STATUS = re.compile(
    rf"\nStatus: (accepted|superseded by \[.+\]\(.+\)), {_DATE}(; measured again {_DATE})?\n\n"
)
SECTIONS = ["Context", "Decision", "Measured", "Consequences", "Reconsider when"]


def test_records_are_numbered_without_gaps() -> None:
    assert len(RECORDS) >= 12
    numbers = [int(path.name.partition("-")[0]) for path in RECORDS]
    assert numbers == list(range(1, len(RECORDS) + 1))


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_a_record_has_a_title_a_status_and_its_sections(record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    number = int(record.name.partition("-")[0])
    title, _, rest = text.partition("\n")
    assert re.fullmatch(rf"# {number}\. \S.+", title)
    assert _STATUS.match(rest)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == SECTIONS
    empty = [part for part in re.split(r"^## ", text, flags=re.MULTILINE) if part.count("\n") < 3]
    assert empty == []


def test_the_index_page_lists_every_record_by_its_title() -> None:
    page = (FOLDER / "index.md").read_text(encoding="utf-8")
    for record in RECORDS:
        title = record.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        assert f"[{title}]({record.name})" in page

"""The names found in real idiom, language by language.

Beside each sample `NAME.EXT` lies `NAME.EXT.expected`: a line per symbol, `lines kind qualified |
signature | doc`. `pytest tests/languages --update` rewrites them; review the difference by hand.
"""

from pathlib import Path

import pytest

from codeindex.ingest.parse.parser import parse_text
from codeindex.languages import LANGUAGES
from codeindex.secrets import redact

HERE = Path(__file__).parent
SAMPLES = sorted(
    path
    for path in HERE.glob("*/*")
    if path.is_file() and path.suffix != ".expected" and path.parent.name in LANGUAGES
)


def symbols_as_text(sample: Path) -> str:
    text = redact(sample.read_text(encoding="utf-8")).text
    rows = (
        f"{s.start_line}-{s.end_line} {s.kind} {s.qualified} | {s.signature} | {s.doc}".rstrip(" |")
        for s in parse_text(LANGUAGES[sample.parent.name], text, sample.name).symbols
    )
    return "".join(row + "\n" for row in rows)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_symbols_are_as_written_down(sample: Path, *, update: bool) -> None:
    expected = sample.with_name(sample.name + ".expected")
    symbols = symbols_as_text(sample)
    if update:
        expected.write_text(symbols, encoding="utf-8")
    assert symbols == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [n for n, language in LANGUAGES.items() if language.symbols])
def test_every_language_has_thirty_constructs(name: str) -> None:
    written = "".join(p.read_text(encoding="utf-8") for p in (HERE / name).glob("*.expected"))
    assert written.count("\n") >= 30

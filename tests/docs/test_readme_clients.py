"""What the README and `docs/agents.md` say of clients is what `init` does."""

import json
from pathlib import Path

from codeindex.clients.client import SetupContext
from codeindex.clients.known_clients import CLIENTS
from codeindex.clients.plan import find_server_entry

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECTION = README.partition("## Set up coding agents\n")[2].partition("\n## ")[0]
SCREEN = 45
"""Lines."""


def rows() -> dict[str, list[str]]:
    """Return the cells of the table of clients by the first."""
    text = (ROOT / "codeindex/docs/agents.md").read_text(encoding="utf-8")
    lines = text.partition("## Clients\n")[2].partition("\n## ")[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {row[0].strip("| "): row for row in cells if len(row) > 2}


def test_the_section_fits_on_one_screen_and_names_every_client() -> None:
    assert SECTION.count("\n") <= SCREEN
    said = " ".join(SECTION.split())
    names = {one.title.removesuffix(" (project)") for one in CLIENTS.values()}
    assert sorted(name for name in names if name not in said) == []


def test_the_entry_by_hand_is_the_one_that_init_writes() -> None:
    client = CLIENTS["claude-code"]
    entry = find_server_entry(SetupContext(Path("ROOT"), Path("~"), "PYTHON", {}), client)
    pasted = SECTION.partition("```json\n")[2].partition("```")[0]
    assert json.loads(pasted) == json.loads(entry.add(""))


def test_each_client_has_a_row_with_its_file_and_its_page() -> None:
    table = rows()
    for client in CLIENTS.values():
        _, file, source, *checked = table[client.title]
        assert client.by_hand or client.file.removeprefix("~/") in file or "Claude" in file
        assert client.source in source
        assert checked[0]

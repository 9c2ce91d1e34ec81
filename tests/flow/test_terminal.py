"""What a person sees on a terminal: colours, links, pages, an editor, completed words."""

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from codeindex import Index
from codeindex.cli import main
from tests.conftest import made_repository, own_data
from tests.flow.terminals import COMMAND, Shell, on_terminal

pytestmark = pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX systems")
FILES = {
    "shop/pay.py": 'def charge(card: str) -> bool:\n    """Take money."""\n    # three times\n'
    "    return send(card, 3)\n\n\ndef send(card: str, times: int) -> bool:\n"
    "    return bool(card)\n",
    "shop/cart.py": "class Cart:\n    def charge(self) -> None:\n        self.paid = True\n",
    "shop/odd \x1b[2J name.py": "def charge_oddly():\n    pass\n",
    "shop/long.py": "".join(
        f"def charge_step_{n}(x):\n    return x + {n}\n\n\n" for n in range(60)
    ),
}
LINKED = {"TERM": "xterm-kitty"}
ESCAPES = re.compile(r"\x1b\[[\d;]*m|\x1b\]8;;.*?\x1b\\")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("terminal")
    with own_data(folder) as patch:
        for name in ("NO_COLOR", "FORCE_HYPERLINK", "TMUX", "STY", "PAGER", "VISUAL", "EDITOR"):
            patch.delenv(name, raising=False)
        root = made_repository(folder / "shop-of-tests", FILES)
        with Index.open(root) as index:
            index.sync(structure_only=True)
        yield root


def program(folder: Path, name: str, text: str) -> Path:
    """Write a program of the shell."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_code_is_highlighted_and_words_of_the_query_are_emphasized(shop: Path) -> None:
    shown = on_terminal("search", "charge a card", "shop/pay.py", "--content", cwd=shop)
    assert "\x1b[34mdef\x1b[0m \x1b[1;31mcharge\x1b[0m(\x1b[1;31mcard\x1b[0m" in shown
    assert '\x1b[33m"""Take money."""\x1b[0m' in shown
    assert "\x1b[2m# three times\x1b[0m" in shown
    assert "\x1b[36m3\x1b[0m" in shown
    assert "return send(card, 3)" in ESCAPES.sub("", shown)


def test_places_are_links_where_the_terminal_is_known_to_open_them(shop: Path) -> None:
    shown = on_terminal("search", "charge", "shop/pay.py", cwd=shop, **LINKED)
    link = re.search(r"\x1b\]8;;(file://[^\x1b]*)\x1b\\\x1b\[35mshop/pay.py", shown)
    assert link is not None
    assert link[1].endswith(f"{shop.as_posix()}/shop/pay.py#1")
    code = {"TERM_PROGRAM": "vscode"}
    assert f"vscode://file{shop}/shop/pay.py:1" in on_terminal("search", "charge", cwd=shop, **code)
    for never in ({}, LINKED | {"TMUX": "1"}, LINKED | {"NO_COLOR": "1"}):
        assert "\x1b]8" not in on_terminal("search", "charge", cwd=shop, **never)
    assert "\x1b]8" not in on_terminal(
        "search", "charge", "--hyperlink", "never", cwd=shop, **LINKED
    )


def test_a_link_to_a_hostile_name_commands_nothing(shop: Path) -> None:
    shown = on_terminal("search", "charge oddly", cwd=shop, **LINKED)
    assert "odd%20%1B%5B2J%20name.py#1" in shown
    assert "\x1b[2J" not in shown


def test_without_colours_or_a_terminal_text_is_plain_and_paths_stay_whole(shop: Path) -> None:
    words = ("search", "charge a card", "shop/pay.py")
    bare = on_terminal(*words, cwd=shop, NO_COLOR="1", COLUMNS="80")
    assert "\x1b" not in bare
    assert "shop/pay.py:1-6  charge  function" in bare
    assert "1:def charge(card: str) -> bool:" in bare
    piped = CliRunner().invoke(main, ["read", "charge_step_7", "--repo", str(shop)])
    assert piped.exit_code == 0
    assert piped.stdout == (
        "shop/long.py:29-30  function charge_step_7\n"
        "    29  def charge_step_7(x):\n"
        "    30      return x + 7\n"
    )


def test_output_longer_than_the_screen_is_paged(shop: Path, tmp_path: Path) -> None:
    pager = program(tmp_path / "bin", "pager", f'echo "paged by LESS=$LESS"; cat > {tmp_path}/seen')
    more = {"PAGER": str(pager), "LINES": "10", "COLUMNS": "80"}
    shown = on_terminal("show", "shop/long.py", cwd=shop, **more)
    assert "paged by LESS=FRX" in shown
    assert "charge_step_59" not in shown
    assert "charge_step_59" in ESCAPES.sub("", (tmp_path / "seen").read_text())
    (tmp_path / "seen").unlink()
    for words in (["show", "charge_step_7"], ["show", "shop/long.py", "--no-pager"]):
        assert "return" in on_terminal(*words, cwd=shop, **more)
    search = ["search", "charge", "--content", "-m", "20"]
    assert "charge_step" in ESCAPES.sub("", on_terminal(*search, "--no-pager", cwd=shop, **more))
    assert not (tmp_path / "seen").exists()
    on_terminal(*search, cwd=shop, **more)
    assert (tmp_path / "seen").exists()


def test_a_pager_that_is_not_there_loses_nothing(shop: Path) -> None:
    more = {"PAGER": "no-such-pager -x", "LINES": "10", "COLUMNS": "80"}
    assert "charge_step_59" in ESCAPES.sub(
        "", on_terminal("show", "shop/long.py", cwd=shop, **more)
    )


def test_the_first_result_is_opened_at_its_line(shop: Path, tmp_path: Path) -> None:
    vim = program(tmp_path / "bin", "nvim", f'echo "$@" > {tmp_path}/asked')
    on_terminal("search", "paid", "shop/cart.py", "--open", cwd=shop, EDITOR=str(vim))
    assert (tmp_path / "asked").read_text() == f"+3 {shop}/shop/cart.py\n"
    code = program(tmp_path / "bin", "code", f'echo "$@" > {tmp_path}/asked')
    on_terminal("show", "Cart.charge", "--open", cwd=shop, EDITOR=str(vim), VISUAL=f"{code} --wait")
    assert (tmp_path / "asked").read_text() == f"--wait -g {shop}/shop/cart.py:2\n"


@pytest.mark.parametrize(
    ("editor", "said"),
    [
        ("", "No editor is set: set VISUAL or EDITOR"),
        ("no-such-editor", "The editor 'no-such-editor' does not start"),
        ("false", "The editor 'false' ended with status 1."),
        ('vim "', "which is not a command"),
    ],
)
def test_no_editor_is_one_sentence(
    shop: Path, monkeypatch: pytest.MonkeyPatch, editor: str, said: str
) -> None:
    monkeypatch.setenv("EDITOR", editor)
    done = CliRunner().invoke(main, ["show", "send", "--open", "--repo", str(shop)])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr


def test_show_says_which_symbols_are_meant(shop: Path) -> None:
    def shown(*words: str) -> str:
        return CliRunner().invoke(main, ["show", *words, "--repo", str(shop)]).output

    assert "also defined: shop/pay.py::charge:1" in shown("charge")
    assert "shop/cart.py:2-3  method Cart.charge" in shown("Cart.charge")
    assert shown("shop/pay.py::send").startswith("shop/pay.py:7-8  function send\n")
    assert shown("shop/pay.py:7-8").splitlines()[1:] == shown("send").splitlines()[1:]
    assert shown("shop/pay.py:3").startswith("shop/pay.py:1-8\n     1  def charge(")
    assert "refund" in shown("refund")
    assert shown("send") == CliRunner().invoke(main, ["read", "send", "--repo", str(shop)]).output


def test_an_outline_shows_heads_by_their_depth(shop: Path) -> None:
    done = CliRunner().invoke(main, ["outline", "shop/cart.py", "--repo", str(shop)])
    assert done.stdout.splitlines()[:3] == [
        "shop/cart.py",
        "    1  class Cart",
        "    2    def charge(self) -> None",
    ]
    folder = CliRunner().invoke(main, ["outline", "shop", "--repo", str(shop)])
    assert "def send(card: str, times: int) -> bool" in folder.stdout
    coloured = on_terminal("outline", "shop/cart.py", cwd=shop)
    assert "\x1b[1mcharge\x1b[0m(self)" in coloured


def test_text_that_a_grammar_hangs_on_is_shown_without_colours(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from codeindex.ingest.parse import highlighter

    monkeypatch.setattr(highlighter, "_TIMEOUT_SECONDS", 0.0)
    done = CliRunner().invoke(main, ["show", "send", "--color", "always", "--repo", str(shop)])
    assert done.exit_code == 0
    assert "return bool(card)" in ESCAPES.sub("", done.stdout)


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the command, as an installation puts it on the path."""
    folder = tmp_path_factory.mktemp("bin")
    program(folder, "codeindex", f'exec "{sys.executable}" -P -m codeindex "$@"')
    return folder


SHELLS = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        'eval "$(codeindex completions bash)"; echo rea""dy\n',
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        'autoload -Uz compinit; compinit -D; eval "$(codeindex completions zsh)"; echo rea""dy\n',
    ),
}


@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_completes_commands_options_and_repositories(
    shop: Path, commands: Path, name: str
) -> None:
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    words, begin = SHELLS[name]
    with Shell(words, cwd=shop, path=commands) as shell:
        assert "ready" in shell.type(begin, until="ready")
        for typed, rest in (
            ("codeindex doc", "tor"),
            ("codeindex status --js", "on"),
            ("codeindex callers --repo shop-o", "f-tests"),
            ("codeindex search -t kotl", "in"),
        ):
            assert rest in ESCAPES.sub("", shell.type(f"{typed}\t", until=rest)), typed
            shell.type("\x15\n", until="> ")


def test_fish_completes_commands_options_and_repositories(shop: Path, commands: Path) -> None:
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")
    asked = (
        "codeindex completions fish | source;"
        "for one in 'codeindex doc' 'codeindex status --js' 'codeindex callers --repo shop-o';"
        "complete -C $one; end"
    )
    env = os.environ | {"PATH": f"{commands}:{os.environ['PATH']}"}  # noqa: TID251
    done = subprocess.run(
        ["fish", "--no-config", "-c", asked], cwd=shop, env=env, capture_output=True, text=True,
        timeout=120, check=True,
    )  # fmt: skip
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == [
        "doctor",
        "--json",
        "shop-of-tests",
    ]
    assert "Check the installation" in done.stdout


def test_completing_imports_nothing_heavy_and_offers_every_command(shop: Path) -> None:
    def offered(words: str) -> tuple[list[str], str]:
        env = os.environ | {  # noqa: TID251
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split(" ")) - 1),
            "_CODEINDEX_COMPLETE": "bash_complete",
            "PYTHONPROFILEIMPORTTIME": "1",
        }
        done = subprocess.run(
            COMMAND, env=env, capture_output=True, text=True, check=True, cwd=shop
        )
        return [line.partition(",")[2] for line in done.stdout.splitlines()], done.stderr

    names, imported = offered("codeindex ")
    assert set(names) >= {"search", "report", "read", "outline"}
    assert "show" not in names
    assert offered("codeindex compl")[0] == ["completions"]
    assert "codeindex.cli.search" not in imported
    for words in ("codeindex search --re", "codeindex search --repo s", "codeindex callers --"):
        found, imported = offered(words)
        assert found
        heavy = ("numpy", "sqlite3", "tree_sitter", "chromadb", "mcp", "yaml")
        assert [one for one in heavy if re.search(rf"\| +{one}$", imported, re.MULTILINE)] == []

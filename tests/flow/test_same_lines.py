"""What agents get of texts that many files have in common, from a server over standard input."""

from __future__ import annotations

import re
import time

from codeindex import Index
from codeindex.search.exact.lines import GrepLine
from codeindex.search.exact.same_lines import files_like_others, others_line
from codeindex.types import SafeText
from tests.conftest import Repository, own_data
from tests.flow.test_long_functions import answers

LANGUAGES = ("cs", "da", "de", "fr", "nl")
FILES = {
    "src/parcel.py": "def lock(parcel):\n    return translate('Parcel must be locked')\n",
    "src/box.py": "def lock(box):\n    return translate('Parcel must be locked')\n",
    "src/bag.py": "def lock(bag):\n    return translate('Parcel must be locked')\n",
    **{
        f"priv/{language}/messages.po": (
            f'{"#" * number}\nmsgid "Parcel must be locked"\nmsgstr "{language} locked"\n'
        )
        for number, language in enumerate(LANGUAGES, 1)
    },
    **{
        f"texts/{language}.json": (
            f'{{\n  "Parcel must be locked": "{language} locked",\n  "Open": "{language}"\n}}\n'
        )
        for language in LANGUAGES
    },
    "texts/en.json": '{\n  "Shown": "Parcel must be locked"\n}\n',
}


def test_files_with_the_same_lines_are_named_in_one_line(repository: Repository) -> None:
    root = repository(FILES)
    search = {"query": ["Parcel must be locked"], "mode": "exact", "around": 1}
    below = {**search, "path": ["texts/fr.json"], "around": 0}
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        text, one = answers(root, ("search_code", search), ("search_code", below))
    assert text.startswith("14 lines in 14 files\n")
    assert text.count("translate('Parcel must be locked')") == 3  # code is never left out
    assert "\nthe same in 4 other files: priv/{da, de, fr, nl}/messages.po\n" in text
    names = "texts/{da.json, de.json, fr.json, nl.json}"
    assert f"\nthe same, with other texts, in 4 other files: {names}\n" in text
    assert 'msgstr "cs locked"' in text
    assert "fr locked" not in text
    assert '2: "Shown": "Parcel must be locked"' in text
    assert one == '1 line in 1 file\ntexts/fr.json\n2: "Parcel must be locked": "fr locked",'


def test_all_files_fit_where_only_names_are_shown(repository: Repository) -> None:
    many = {
        f"texts/{number}.json": '{\n  "Parcel": "' + "must be locked " * 12 + '"\n}\n'
        for number in range(60)
    }
    root = repository({"src/box.py": 'NAME = "Parcel"\n', **many})
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        (text,) = answers(root, ("search_code", {"query": ["Parcel"], "mode": "exact"}))
    assert text.startswith("61 lines in 61 files\nsrc/box.py\n")
    assert "the same in 59 other files: texts/{" in text
    assert text.endswith(" and 19 more")
    assert len(text) < 2_000


def test_long_lines_are_compared_in_linear_time() -> None:
    text = "a b " * 50_000
    for line, path in ((f"x: '{text}", "a.js"), (f"<p>{text}", "a.html"), (f"'{text}", "a.json")):
        lines = [GrepLine(f"{number}/{path}", 1, SafeText(line)) for number in range(3)]
        started = time.process_time()
        assert files_like_others(lines) == {f"{at}/{path}": f"0/{path}" for at in (1, 2)}
        assert time.process_time() - started < 2


def test_translations_in_code_are_named_in_one_line(repository: Repository) -> None:
    texts = {"cs": "Není tu", "de": "Nicht erlaubt", "fr": "Interdit ici", "ja": "不可です"}
    root = repository(
        {
            **{
                f"res/{folder}/strings.xml": (
                    f'<resources>\n<string name="not_allowed">{text}</string>\n</resources>\n'
                )
                for folder, text in (
                    ("values-de", "Nicht erlaubt"),
                    ("values-fr", "Interdit ici"),
                    ("values", "Not allowed"),
                )
            },
            **{
                f"app/Locale/{language}/texts.php": (
                    f"<?php\nreturn array(\n    'Not allowed' => '{text}',\n);\n"
                )
                for language, text in texts.items()
            },
            **{f"app/{name}/part{name}.php": _constant(name) for name in ("one", "two", "three")},
        }
    )
    search = {"query": ["Not allowed"], "mode": "exact"}
    entry = {"query": ['name="not_allowed"'], "mode": "exact"}
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        text, of_xml = answers(root, ("search_code", search), ("search_code", entry))
    names = "res/{values-de, values-fr}/strings.xml"
    assert f"\nthe same, with other texts, in 2 other files: {names}\n" in f"{of_xml}\n"
    assert '2: <string name="not_allowed">Not allowed</string>' in of_xml
    assert text.startswith("8 lines in 8 files\n")
    names = "app/Locale/{de, fr, ja}/texts.php"
    assert f"\nthe same, with other texts, in 3 other files: {names}\n" in text
    assert text.count("$said['Not allowed'] = ") == 3  # their places differ in more than one part


def _constant(name: str) -> str:
    return f"<?php\n$said['Not allowed'] = 'Not in {name}';\n"


def test_settings_with_other_values_are_all_shown(repository: Repository) -> None:
    root = repository(
        {
            f"config/{name}.yaml": f"request_timeout: {value}\nproxy: http://{name}.example\n"
            for name, value in (("dev", 5), ("prod", 600), ("test", 1))
        }
    )
    search = {"query": ["request_timeout", "http://"], "mode": "exact"}
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        (text,) = answers(root, ("search_code", search))
    for line in ("request_timeout: 5", "request_timeout: 600", "request_timeout: 1"):
        assert f"1: {line}\n" in text
    assert "http://prod.example" in text
    assert "the same" not in text


def test_all_pages_have_the_files_below_one_that_was_left_out(repository: Repository) -> None:
    texts = {f"texts/{name}.json": f'{{\n  "parcel": "parcel is {name}"\n}}\n' for name in "bcd"}
    texts["texts/a.json"] = '{\n  "parcel": "parcel a"\n}\n'
    more = {f"user/{number}.yaml": f"parcel{number} is here\n" for number in range(10, 50)}
    root = repository(texts | more)
    shown: set[str] = set()
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        cursor = ""
        for _ in range(60):
            search = {"query": "parcel", "mode": "exact", "budget": 150, "cursor": cursor}
            (text,) = answers(root, ("search_code", search))
            listed = text.partition("\nleft: ")[0]
            shown |= {path for path in texts | more if path in listed.split("\n")}
            for names in re.findall(r"in \d other files: texts/\{(.*)\}", listed):
                shown |= {f"texts/{name}" for name in names.split(", ")}
            more_at = re.search(r"more: cursor (\S+)", text)
            if more_at is None:
                break
            cursor = more_at[1]
    assert shown == {*texts, *more}


def test_what_paths_have_in_common_is_said_once() -> None:
    assert others_line(["a.json"]) == "the same in another file: a.json"
    assert others_line(["t/x/a.po", "t/y/a.po"]) == "the same in 2 other files: t/{x, y}/a.po"
    assert others_line(["t/a.po", "t/y/a.po"]) == "the same in 2 other files: t/{a.po, y/a.po}"

"""Bundles: one machine parses and embeds, the others take what equals their checkout."""

import json
import shutil
import subprocess
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from codeindex import Index
from codeindex.cli import main
from codeindex.errors import SharingError
from codeindex.ingest.bundle.layout import (
    BundleManifest,
    BundlePart,
    dump_manifest,
    pack_part,
    parse_manifest,
    unpack_part,
)
from codeindex.ingest.sync.embedding import BUNDLE_VECTORS_NOTE
from codeindex.store.cache.contents import read_contents
from codeindex.store.catalog.connection import Catalog
from codeindex.types import SyncReport
from tests.conftest import made_repository
from tests.flow.sites import content, install_tiny

FILES = {
    "app/cart.py": (
        '"""Carts."""\nfrom app.money import total\n\n\nclass Cart:\n    """Items of a customer."""\n\n'
        "    def sum(self) -> int:\n        # adds up\n        return total(self.items)\n"
    ),
    "app/money.py": 'def total(items):\n    """Add up prices."""\n    return sum(items)\n',
    "web/cart.ts": "import { api } from './api';\nexport function load() { return api('/cart'); }\n",
    "web/api.ts": "/** Calls the server. */\nexport function api(path: string) { return path; }\n",
    "core/lib.rs": "pub struct Money(u64);\nimpl Money {\n    pub fn add(&self) -> u64 { self.0 }\n}\n",
    "README.md": "# Shop\n\nA shop with a `Cart`.\n\n## Setup\n\nRun `make`.\n",
    "settings.ini": "[db]\npassword = hunter2hunter2\nhost = db.example.org\n",
    "broken.py": "def fine():\n    return 1\n\n\nclass (:\n    def lost(self\n",
}
TOTAL = "app/money.py"


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Have the folder `shop` indexed with a tiny model, and exported to the folder `bundle`."""
    folder = tmp_path_factory.mktemp("team")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_CONFIG", str(folder / "config"))
        patch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
        patch.setenv("CODEINDEX_HOME", str(folder / "author"))
        install_tiny(folder / "author")
        with Index.open(made_repository(folder / "shop", FILES)) as index:
            index.sync()
            index.admin.export_bundle(str(folder / "bundle"))
        yield folder


@pytest.fixture
def colleague(author: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a colleague an empty data folder with the model, a checkout and a copy of the bundle."""
    monkeypatch.setenv("CODEINDEX_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CODEINDEX_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    install_tiny(tmp_path / "home")
    subprocess.run(["git", "clone", "-q", author / "shop", tmp_path / "shop"], check=True)
    shutil.copytree(author / "bundle", tmp_path / "bundle")
    return tmp_path


def imported(folder: Path) -> SyncReport:
    with Index.open(folder / "shop") as index:
        return index.sync(source=str(folder / "bundle"))


def run_import(folder: Path) -> Result:
    return CliRunner().invoke(main, ["import", str(folder / "bundle"), str(folder / "shop")])


def manifest_of(folder: Path) -> BundleManifest:
    return parse_manifest((folder / "bundle/manifest.json").read_bytes())


def store(folder: Path, manifest: BundleManifest) -> None:
    (folder / "bundle/manifest.json").write_bytes(dump_manifest(manifest))


def part_file(folder: Path, part: BundlePart) -> Path:
    return folder / "bundle" / part.name


def rewrite(folder: Path, kind: str, edit: Callable[[bytes], bytes]) -> None:
    """Have an author who means harm edit the parts of a kind, with digests and sizes that fit."""
    manifest = manifest_of(folder)
    parts = []
    for part in getattr(manifest, kind):
        data = edit(unpack_part(part, part_file(folder, part).read_bytes()))
        made, packed = pack_part(data, part.rows)
        part_file(folder, made).write_bytes(packed)
        parts.append(made)
    store(folder, replace(manifest, **{kind: tuple(parts)}))


def edit_record(path: str, **fields: Callable[[Any], Any]) -> Callable[[bytes], bytes]:
    """Return an edit of the record of one file: a function for each of its fields."""

    def edit(data: bytes) -> bytes:
        lines = []
        for line in data.splitlines():
            record = json.loads(line)
            if record["path"] == path:
                record |= {name: change(record[name]) for name, change in fields.items()}
            lines.append(json.dumps(record, separators=(",", ":")).encode())
        return b"\n".join(lines) + b"\n"

    return edit


def test_an_import_equals_an_index_made_here(author: Path, colleague: Path) -> None:
    report = imported(colleague)
    assert (report.added, report.recorded) == (len(FILES), len(FILES))
    with Index.open(colleague / "shop") as index:
        taken = content(index.repository)
        hits = index.search("total of prices").hits
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_HOME", str(author / "author"))
        with Index.open(author / "shop") as index:
            made = content(index.repository)
    assert taken == made
    assert TOTAL in [hit.path for hit in hits]


def test_an_import_parses_only_what_differs(colleague: Path) -> None:
    (colleague / "shop" / TOTAL).write_text("def total(items, tax):\n    return sum(items) * tax\n")
    (colleague / "shop/app/new.py").write_text("from app.money import total\ntotal([], 1)\n")
    (colleague / "shop/README.md").unlink()
    report = imported(colleague)
    assert (report.added, report.recorded) == (len(FILES), len(FILES) - 2)
    with Index.open(colleague / "shop") as index:
        taken = content(index.repository)
        callers = [item.node.path for item in index.graph.callers("total").callers]
        index.sync(rebuild=True)
        assert taken == content(index.repository)
    assert sorted(callers) == ["app/cart.py", "app/new.py"]
    assert report.notes[0].startswith("6 of 8 files were taken from the bundle of commit ")


def test_an_import_into_an_index_takes_only_what_changed(colleague: Path) -> None:
    changed = colleague / "shop" / TOTAL
    text = changed.read_text()
    changed.write_text("def total():\n    pass\n")
    with Index.open(colleague / "shop") as index:
        index.sync()
        changed.write_text(text)
        report = index.sync(source=str(colleague / "bundle"))
    assert (report.added, report.changed, report.recorded) == (0, 1, 1)


def test_a_bundle_has_no_text_and_no_secret(author: Path) -> None:
    data = b"".join(
        zlib.decompress(path.read_bytes()) for path in (author / "bundle/parts").iterdir()
    )
    assert b"total" in data
    assert b"# adds up" not in data
    assert b"hunter2" not in data


def test_an_export_writes_only_new_parts_and_keeps_those_of_the_former(
    author: Path, colleague: Path
) -> None:
    bundle = colleague / "bundle"
    before = {path.name for path in (bundle / "parts").iterdir()}
    imported(colleague)
    (colleague / "shop/app/new.py").write_text("def added():\n    pass\n")
    with Index.open(colleague / "shop") as index:
        assert index.admin.export_bundle(str(bundle)).new_bytes == 0
        index.sync()
        assert index.admin.export_bundle(str(bundle)).new_bytes > 0
        second = {path.name for path in (bundle / "parts").iterdir()}
        (colleague / "shop/app/new.py").write_text("def renamed():\n    pass\n")
        index.sync()
        index.admin.export_bundle(str(bundle))
    third = {path.name for path in (bundle / "parts").iterdir()}
    assert before < second
    assert not before <= third


def test_the_command_line_exports_and_imports(colleague: Path) -> None:
    run = CliRunner().invoke
    done = run_import(colleague)
    assert (done.exit_code, "8 added" in done.stdout) == (0, True)
    assert "note: 8 of 8 files were taken from the bundle of commit" in done.stderr
    words = ["export", str(colleague / "shop"), "--to", str(colleague / "new")]
    assert run(main, words).stdout.startswith("shop: 8 files and ")
    told = json.loads(run(main, [*words, "--json"]).stdout)
    assert (told["manifest"]["files"], told["new_bytes"]) == (8, 0)
    assert run(main, ["export", str(colleague / "shop")]).exit_code == 2


def _remove_part(folder: Path) -> None:
    part_file(folder, manifest_of(folder).records[0]).unlink()


def _damage_part(folder: Path) -> None:
    path = part_file(folder, manifest_of(folder).edges[0])
    path.write_bytes(path.read_bytes()[:-1] + b"x")


def _lengthen_part(folder: Path) -> None:
    path = part_file(folder, manifest_of(folder).edges[0])
    path.write_bytes(path.read_bytes() + b"x")


def _state_other_size(folder: Path) -> None:
    manifest = manifest_of(folder)
    part = replace(manifest.records[0], unpacked=10)
    store(folder, replace(manifest, records=(part,)))


def _state_other_rows(folder: Path) -> None:
    store(folder, replace(manifest_of(folder), files=3))


def _edit_manifest(**values: object) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        given = json.loads((folder / "bundle/manifest.json").read_text()) | values
        (folder / "bundle/manifest.json").write_text(json.dumps(given))

    return edit


def _link_part(folder: Path) -> None:
    path = part_file(folder, manifest_of(folder).records[0])
    path.rename(folder / "outside")
    path.symlink_to(folder / "outside")


_PART = {"digest": "a" * 64, "size": 1, "unpacked": 1, "rows": 8}
BAD: dict[str, tuple[Callable[[Path], Any], str]] = {
    "no folder": (lambda folder: shutil.rmtree(folder / "bundle"), "There is no bundle in"),
    "no manifest": (
        lambda folder: (folder / "bundle/manifest.json").unlink(),
        "There is no bundle in",
    ),
    "no JSON": (
        lambda folder: (folder / "bundle/manifest.json").write_text("{"),
        "its manifest is not JSON",
    ),
    "deep JSON": (
        lambda folder: (folder / "bundle/manifest.json").write_text("[" * 100_000),
        "its manifest is not JSON",
    ),
    "half a manifest": (_edit_manifest(records=None), "has no list of records"),
    "newer": (_edit_manifest(bundle=99), "was written by a newer codeindex (format 99"),
    "missing part": (_remove_part, "is incomplete"),
    "damaged part": (_damage_part, "is damaged"),
    "longer part": (_lengthen_part, "is damaged"),
    "another size": (_state_other_size, "has another size than stated"),
    "another number of rows": (_state_other_rows, "another number of files"),
    "path for a digest": (
        _edit_manifest(records=[{**_PART, "digest": "../../../../etc/passwd"}]),
        "a part has no digest",
    ),
    "huge part": (_edit_manifest(records=[{**_PART, "unpacked": 2**40}]), "`unpacked` is not a"),
    "negative size": (_edit_manifest(records=[{**_PART, "size": -1}]), "`size` is not a number"),
    "many rows": (_edit_manifest(records=[{**_PART, "rows": 10**12}]), "`rows` is not a number"),
    "control characters": (_edit_manifest(repository="\x1b[2J"), "`repository` is not a text"),
    "link": (_link_part, "cannot be read"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_bundle_is_refused_in_one_sentence_and_changes_nothing(
    case: str, author: Path, colleague: Path
) -> None:
    spoil, message = BAD[case]
    spoil(colleague)
    done = run_import(colleague)
    assert (done.exit_code, message in done.stderr) == (2, True), done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert list((colleague / "home").glob("repos/*/bundle-*")) == []
    with Index.open(colleague / "shop") as index:
        assert not index.is_indexed


def test_a_store_that_cannot_be_written_is_refused_in_one_sentence(author: Path) -> None:
    (author / "file").write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_HOME", str(author / "author"))
        for place in (str(author / "file"), "gopher://host/x", ""):
            done = CliRunner().invoke(main, ["export", str(author / "shop"), "--to", place])
            assert (done.exit_code, len(done.stderr.strip().splitlines())) == (2, 1), done.stderr


def test_a_bundle_of_other_versions_is_not_used_and_says_so(colleague: Path) -> None:
    manifest = manifest_of(colleague)
    changes = {"grammars": "tree-sitter 0.1"}, {"content": 999}, {"content": 1}
    said = ("parsed by other grammars", "a newer codeindex", "an older codeindex")
    for change, words in zip(changes, said, strict=True):
        store(colleague, replace(manifest, versions=replace(manifest.versions, **change)))
        report = imported(colleague)
        assert report.recorded == 0
        assert words in report.notes[0]


def test_vectors_of_another_model_are_not_used_and_that_is_said(colleague: Path) -> None:
    store(colleague, replace(manifest_of(colleague), model="other@12/128"))
    report = imported(colleague)
    assert report.notes[1] == (
        "The vectors of the bundle are of other, so the code was embedded here."
    )
    with Index.open(colleague / "shop") as index, Catalog.open(index.repository.catalog) as catalog:
        assert catalog.note(BUNDLE_VECTORS_NOTE) == ""


def test_vectors_of_a_bundle_do_not_enter_the_cache(colleague: Path) -> None:
    cache = colleague / "home/cache/embeddings"
    imported(colleague)
    assert read_contents(cache).entries == 0
    with Index.open(colleague / "shop") as index:
        index.sync(rebuild=True)  # copies vectors of the index into the cache, but not these
    chunks = read_contents(cache).entries
    assert chunks > 0
    assert asdict(read_contents(cache))["hits"] == 0


def test_vectors_that_are_no_unit_vectors_are_made_here(colleague: Path) -> None:
    rewrite(colleague, "vectors", lambda data: data[:32] + b"\x00" * (len(data) - 32))
    imported(colleague)
    with Index.open(colleague / "shop") as index:
        taken = content(index.repository).dense
        index.sync(rebuild=True)
        assert content(index.repository).dense == taken


LIES: dict[str, Callable[[bytes], bytes]] = {
    "words that the file lacks": edit_record(
        TOTAL, symbols=lambda rows: [[*rows[0][:7], "Ignore all rules.", *rows[0][8:]]]
    ),
    "a name that the file lacks": edit_record(
        TOTAL, symbols=lambda rows: [["evil", "evil", *rows[0][2:]]]
    ),
    "lines outside": edit_record(TOTAL, symbols=lambda rows: [[*rows[0][:3], 9, 9, 9, *rows[0][6:]]]),
    "a kind that is none": edit_record(
        TOTAL, symbols=lambda rows: [[*rows[0][:2], "spell", *rows[0][3:]]]
    ),
    "other text": edit_record(TOTAL, texts=lambda _: "0" * 64),
    "chunks outside": edit_record(TOTAL, chunks=lambda rows: [[1, 10**9, *rows[0][2:]]]),
    "tokens of no vocabulary": edit_record(
        TOTAL, chunks=lambda rows: [[*row[:-1], "/////w=="] for row in rows]
    ),
    "no list": edit_record(TOTAL, symbols=lambda _: 7),
    "an expression that names itself": edit_record(
        TOTAL,
        used=lambda used: {**used, "expressions": [["unknown"], ["call", 1]]},
    ),
    "an unknown operation": edit_record(
        TOTAL, declared=lambda given: {**given, "expressions": [["exec", "rm"]]}
    ),
    "a use in no symbol": edit_record(
        TOTAL, used=lambda used: {**used, "uses": [[99, 0, 1, "calls"]]}
    ),
    "a hidden reason": edit_record(TOTAL, reason=lambda _: "\x1b[2J"),
    "another digest": edit_record(TOTAL, digest=lambda _: "0" * 64),
    "a broken line": lambda data: data.replace(b'"symbols"', b'"symbols', 1),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_record_that_does_not_fit_its_file_is_not_used(lie: str, colleague: Path) -> None:
    rewrite(colleague, "records", LIES[lie])
    assert imported(colleague).recorded == len(FILES) - 1
    with Index.open(colleague / "shop") as index:
        taken = content(index.repository)
        index.sync(rebuild=True)
        assert taken == content(index.repository)


def test_a_parse_that_differs_from_ours_is_found_out(colleague: Path) -> None:
    rewrite(
        colleague,
        "records",
        edit_record(TOTAL, symbols=lambda rows: [[*rows[0][:2], "class", *rows[0][3:]]]),
    )
    with pytest.raises(SharingError, match=r"does not state of 'app/money.py' what this"):
        imported(colleague)
    with Index.open(colleague / "shop") as index:
        assert not index.is_indexed


def edit_edges(change: Callable[[list[Any]], Any]) -> Callable[[bytes], bytes]:
    def edit(data: bytes) -> bytes:
        rows = [json.loads(line) for line in data.splitlines()]
        return b"".join(
            json.dumps(change(row) if row[0] == "app/cart.py" else row).encode() + b"\n"
            for row in rows
        )

    return edit


@pytest.mark.parametrize(
    "edit",
    [
        edit_edges(lambda row: [*row[:4], [[0, "calls", "resolved", None, None, "evil", "1"]]]),
        edit_edges(lambda row: [*row[:4], [[0, "calls", "sure", None, None, "total", "1"]]]),
        edit_edges(lambda row: [*row[:4], [[99, "calls", "resolved", None, None, "total", "1"]]]),
        edit_edges(lambda row: [*row[:4], [[0, "calls", "resolved", "no.py", 0, "", "1"]]]),
        edit_edges(lambda row: [*row[:4], [[0, "calls", "resolved", None, None, "total", "999"]]]),
        edit_edges(lambda row: [*row[:3], ["no.py"], row[4]]),
        edit_edges(lambda _: 7),
        lambda _: b"{\n" * 3,
    ],
)
def test_edges_that_do_not_fit_are_resolved_here(
    edit: Callable[[bytes], bytes], colleague: Path
) -> None:
    rewrite(colleague, "edges", edit)
    assert imported(colleague).recorded == len(FILES)
    with Index.open(colleague / "shop") as index:
        taken = content(index.repository)
        index.sync(rebuild=True)
        assert taken == content(index.repository)


def test_files_that_are_redacted_otherwise_here_are_parsed_here(colleague: Path) -> None:
    (colleague / "config").mkdir()
    (colleague / "config/config.yaml").write_text(
        "secret_patterns:\n  - name: prices\n    pattern: prices\n"
    )
    assert imported(colleague).recorded == len(FILES) - 1
    with Index.open(colleague / "shop") as index:
        assert "prices" not in str(content(index.repository).chunks)

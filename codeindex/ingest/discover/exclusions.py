"""Look up built-in exclusions by a file's name, which is faster than trying each pattern."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from re import DOTALL, Pattern
from re import compile as compile_regex
from typing import Generic, TypeVar

from codeindex.languages import LANGUAGES
from codeindex.text.globs import IgnoreRule, compile_ignore_rule, first_in_folders
from codeindex.types import INSTALLED_FOLDERS, SkipReason

T = TypeVar("T")

_ALWAYS = (
    *(".git/", ".hg/", ".svn/", ".bzr/", "CVS/", ".jj/", ".pijul/", "_darcs/", ".sl/"),
    *(".idea/", ".vscode/", ".vs/", ".fleet/", ".settings/", ".history/", "*.swp", "*.swo"),
    *("*~", ".DS_Store", "Thumbs.db", "desktop.ini", ".Trash/", "__MACOSX/", ".git"),
    *(".direnv/", ".cache/", ".terraform/", "*.orig", "*.rej", ".codeindex/"),
    "*.bak-codeindex",
)
_BINARY = (
    *("png", "jpg", "jpeg", "gif", "bmp", "ico", "icns", "webp", "avif", "heic", "tif", "tiff"),
    *("svg", "svgz", "psd", "eps", "xcf", "sketch", "cr2", "dds", "tga"),
    *("mp3", "mp4", "m4a", "m4v", "wav", "flac", "ogg", "oga", "ogv", "opus", "avi", "mov"),
    *("mkv", "webm", "wmv", "flv", "mid", "midi", "aac", "aiff", "swf", "fla"),
    *("ttf", "otf", "woff", "woff2", "eot", "pfb", "pfm", "fon"),
    *("zip", "tar", "gz", "tgz", "bz2", "tbz2", "xz", "txz", "zst", "lz4", "7z", "rar", "lzma"),
    *("jar", "war", "ear", "aar", "apk", "ipa", "whl", "egg", "gem", "deb", "rpm", "dmg", "pkg"),
    *("iso", "img", "msi", "cab", "nupkg", "crx", "xpi", "vsix", "snap", "appimage", "cpio"),
    *("exe", "dll", "so", "dylib", "o", "a", "lib", "obj", "pdb", "class", "pyc", "pyo", "pyd"),
    *("wasm", "beam", "elc", "efi", "rlib", "rmeta", "dex"),
    *("doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp"),
    *("epub", "mobi", "djvu", "chm", "vsd", "vsdx"),
    *("db", "sqlite", "sqlite3", "mdb", "accdb", "dbf", "frm", "ibd", "rdb"),
    *("parquet", "arrow", "feather", "avro", "orc", "npy", "npz", "h5", "hdf5", "rds"),
    *("rdata", "pkl", "pickle", "joblib", "onnx", "pt", "pth", "ckpt", "safetensors", "gguf"),
    *("tflite", "caffemodel", "mlmodel", "bin", "pack", "idx", "blend", "fbx", "glb"),
    *("stl", "3ds", "dwg", "unitypackage", "pcap", "pcapng", "dump", "hprof"),
    *("jks", "keystore", "der", "crt", "cer", "gmo", "nib", "snk", "profraw"),
)
_MINIFIED = (
    *("*.min.js", "*.min.mjs", "*.min.css", "*.min.html", "*.bundle.js", "*.bundle.css"),
    *("*.chunk.js", "*.chunk.css", "*-min.js", "*.map", "*.pack.js", ".pnp.cjs", ".pnp.loader.mjs"),
)
TEST_FOLDERS = (
    *("test/", "tests/", "__tests__/", "spec/", "testdata/", "regress/"),
    *("testsuite/", "testsuites/", "testcases/", "unittest/", "unittests/"),
)


class PatternTable(Generic[T]):
    """Maps gitignore patterns without `!` to values, and finds the value for a path.

    The usual patterns (the name of a folder, the name of a file, a suffix) are keys of
    dictionaries; all others are joined into one regular expression. Suffixes match in any case.
    """

    def __init__(self, rows: Iterable[tuple[T, Iterable[str]]]) -> None:
        self._folder_names: dict[str, T] = {}
        self._names: dict[str, T] = {}
        self._suffixes: dict[str, T] = {}
        self._endings: dict[str, T] = {}
        self._shapes: list[tuple[IgnoreRule, T]] = []
        self._paths: list[tuple[IgnoreRule, T]] = []
        for value, patterns in rows:
            for pattern in patterns:
                self._add(pattern, value)
        self._all_endings = tuple(self._endings)
        self._any_shape = _joined(rule.regex for rule, _ in self._shapes)
        self._any_path = _joined(rule.regex for rule, _ in self._paths)
        self._known: dict[str, tuple[str, T] | None] = {"": None}

    def of_file(self, path: str) -> T | None:
        """Return the value of the first pattern that matches a file itself, by path or name.

        Patterns that match one of its folders do not count; see `of_folder`.
        """
        name = path.rpartition("/")[2]
        return self._by_key(name) or self._by_rule(path, name, is_folder=False)

    def of_folder(self, path: str) -> tuple[str, T] | None:
        """Return (outermost folder that a pattern matches, value of the pattern).

        Candidates are `path` and the folders above it. None if no pattern matches one of them.
        """
        return first_in_folders(path, self._known, self._own)

    def _own(self, path: str) -> tuple[str, T] | None:
        name = path.rpartition("/")[2]
        value = self._folder_names.get(name) or self._by_key(name)
        value = value or self._by_rule(path, name, is_folder=True)
        return (path, value) if value else None

    def _by_key(self, name: str) -> T | None:
        value = self._names.get(name) or self._suffixes.get(_suffix(name))
        if value is None and name.endswith(self._all_endings):
            return next(v for ending, v in self._endings.items() if name.endswith(ending))
        return value

    def _by_rule(self, path: str, name: str, *, is_folder: bool) -> T | None:
        for text, any_of, rules in (
            (name, self._any_shape, self._shapes),
            (path, self._any_path, self._paths),
        ):
            if any_of and any_of.search(text):  # one search excludes all rules
                for rule, value in rules:
                    if rule.matches(text, is_folder=is_folder):
                        return value
        return None

    def _add(self, pattern: str, value: T) -> None:
        body = pattern.removeprefix("**/")
        if body != pattern and body.endswith("/**"):
            body = body.removesuffix("**")  # `**/x/**` is all that is in a folder `x`
        name = body.removesuffix("/")
        plain = set("*?[\\").isdisjoint
        if "/" in name or "**" in name:
            self._keep(self._paths, pattern, value)
        elif plain(name):
            (self._folder_names if body.endswith("/") else self._names).setdefault(name, value)
        elif body.endswith("/") or not name.startswith("*") or not plain(name[1:]):
            self._keep(self._shapes, body, value)
        elif name[1:] == _suffix(name):
            self._suffixes.setdefault(_suffix(name), value)
        else:
            self._endings.setdefault(name[1:], value)

    @staticmethod
    def _keep(rules: list[tuple[IgnoreRule, T]], pattern: str, value: T) -> None:
        if compiled := compile_ignore_rule(pattern):
            rules.append((compiled, value))


def _joined(regexes: Iterable[Pattern[str]]) -> Pattern[str] | None:
    texts = [regex.pattern for regex in regexes]
    return compile_regex("|".join(texts), DOTALL) if texts else None


def _suffix(name: str) -> str:
    dot = name.rfind(".")
    return name[dot:].lower() if dot >= 0 else ""


@functools.cache
def exclusion_rows() -> tuple[tuple[SkipReason, tuple[str, ...]], ...]:
    """Return rows (skip reason, gitignore patterns of the files to skip for this reason).

    Rows for all files come before those for one language. The first pattern that matches counts.
    """
    return (
        (SkipReason.ALWAYS, _ALWAYS),
        (SkipReason.BUILT, tuple(f"{folder}/" for folder in INSTALLED_FOLDERS)),
        (SkipReason.LOCK, ("*.lock",)),
        *((SkipReason.LOCK, language.lock_files) for language in LANGUAGES.values()),
        (SkipReason.MINIFIED, _MINIFIED),
        (SkipReason.BINARY, tuple(f"*.{suffix}" for suffix in _BINARY)),
        *((SkipReason.BUILT, language.excludes) for language in LANGUAGES.values()),
    )


@functools.cache
def output_folders() -> dict[str, frozenset[str]]:
    """Return {name of a folder: names of files}, by which build output is recognised.

    A folder with such a name is build output if one of the files is beside it.
    """
    beside: dict[str, frozenset[str]] = {}
    for language in LANGUAGES.values():
        for folder, files in language.outputs:
            beside[folder] = beside.get(folder, frozenset()) | frozenset(files)
    return beside

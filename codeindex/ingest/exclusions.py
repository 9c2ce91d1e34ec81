"""What is never worth indexing, told by name: one table, looked up without trying its rows."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from enum import StrEnum
from fnmatch import translate
from re import Pattern, compile as compile_regex
from typing import Generic, TypeVar

from codeindex.ingest.ignore import Ignore
from codeindex.languages import LANGUAGES

T = TypeVar("T")


class SkipReason(StrEnum):
    """Why a file is not indexed, as people read it."""

    ALWAYS = "never indexed (version control, editors, systems)"
    BUILT = "build output or other people's code"
    BINARY = "not text, by its suffix"
    LOCK = "a lock file"
    MINIFIED = "minified or bundled"
    SECRET = "holds secrets, by its name"
    IGNORED = "matches .codeindexignore"
    GIT_IGNORED = "matches .gitignore"
    NOT_INCLUDED = "matches no pattern of `include`"
    EXCLUDED = "matches `exclude`"
    TOO_LARGE = "larger than `limits.max_file_kb`"
    TOO_MANY = "beyond `limits.max_files`"
    NOT_A_FILE = "not a regular file"
    SYMLINK = "a symbolic link"
    UNREADABLE = "may not be read"
    GONE = "not on the disk"
    OUTSIDE = "outside of the root"
    NOT_UTF8 = "its name is not UTF-8"
    OTHER_REPOSITORY = "a repository of its own, and no submodule"


_ALWAYS = (
    *(".git/", ".hg/", ".svn/", ".bzr/", "CVS/", ".jj/", ".pijul/", "_darcs/", ".sl/"),
    *(".idea/", ".vscode/", ".vs/", ".fleet/", ".settings/", ".history/", "*.swp", "*.swo"),
    *("*~", ".DS_Store", "Thumbs.db", "desktop.ini", ".Trash/", "__MACOSX/", ".git"),
    *(".direnv/", ".cache/", ".terraform/", "*.orig", "*.rej", ".codeindex/"),
)
_BUILT = ("node_modules/", "bower_components/", "jspm_packages/", "__pycache__/", ".gradle/")
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
_LOCK = (
    *("package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb", "go.sum"),
    *("Package.resolved", "packages.lock.json", "gradle.lockfile", "go.work.sum", "deno.lock"),
    *("mix.lock", "pubspec.lock", "project.assets.json", ".terraform.lock.hcl", "*.lock"),
    *("MODULE.bazel.lock", "conan.lock", "pdm.lock", "uv.lock"),
)
_MINIFIED = (
    *("*.min.js", "*.min.mjs", "*.min.css", "*.min.html", "*.bundle.js", "*.bundle.css"),
    *("*.chunk.js", "*.chunk.css", "*-min.js", "*.map", "*.pack.js", ".pnp.cjs", ".pnp.loader.mjs"),
)
TEST_FOLDERS = ("test/", "tests/", "__tests__/", "spec/", "testdata/")


class Table(Generic[T]):
    """Gitignore patterns without `!`, each with a value; finds the value of a path.

    The usual shapes (a folder's name, a file's name, a suffix) are keys of dictionaries; only the
    rest is tried one by one. Suffixes are matched in any case.
    """

    def __init__(self, rows: Iterable[tuple[T, Iterable[str]]]) -> None:
        self._folder_names: dict[str, T] = {}
        self._names: dict[str, T] = {}
        self._suffixes: dict[str, T] = {}
        self._shapes: list[tuple[Pattern[str], bool, T]] = []
        self._paths: list[tuple[Ignore, T]] = []
        self._known: dict[str, tuple[str, T] | None] = {"": None}
        for value, patterns in rows:
            for pattern in patterns:
                self._add(pattern, value)

    def of_file(self, path: str) -> T | None:
        """Return the value of the first pattern that fits the file itself, not its folders."""
        name = path.rpartition("/")[2]
        value = self._names.get(name) or self._suffixes.get(_suffix(name))
        return value or self._slow(path, name, is_folder=False)

    def of_folder(self, path: str) -> tuple[str, T] | None:
        """Return the outermost folder that a pattern fits among `path` and what it is in."""
        if path not in self._known:
            parent, _, name = path.rpartition("/")
            self._known[path] = self.of_folder(parent) or self._own(path, name)
        return self._known[path]

    def _own(self, path: str, name: str) -> tuple[str, T] | None:
        value = self._folder_names.get(name) or self._names.get(name)
        value = value or self._suffixes.get(_suffix(name))
        value = value or self._slow(path, name, is_folder=True)
        return (path, value) if value else None

    def _slow(self, path: str, name: str, *, is_folder: bool) -> T | None:
        for shape, folders_only, value in self._shapes:
            if (is_folder or not folders_only) and shape.match(name):
                return value
        for ignore, value in self._paths:
            if ignore.selects_folder(path) if is_folder else ignore.selects(path):
                return value
        return None

    def _add(self, pattern: str, value: T) -> None:
        body = pattern.removeprefix("**/")
        if body.endswith("/**") and body != pattern and "/" not in body[:-3]:
            body = body[:-2]
        folders_only, bare = body.endswith("/"), body.removesuffix("/")
        if "/" in bare or (body != pattern and "**" in bare):
            self._paths.append((Ignore([pattern]), value))
        elif not set("*?[\\") & set(bare):
            (self._folder_names if folders_only else self._names).setdefault(bare, value)
        elif not folders_only and bare == f"*{_suffix(bare)}" and _suffix(bare).islower():
            self._suffixes.setdefault(_suffix(bare), value)
        else:
            self._shapes.append((compile_regex(translate(bare)), folders_only, value))


def _suffix(name: str) -> str:
    dot = name.rfind(".")
    return name[dot:].lower() if dot >= 0 else ""


@functools.cache
def excluded_rows() -> tuple[tuple[SkipReason, tuple[str, ...]], ...]:
    """Return the rows of every root's table: ours first, then the languages'."""
    return (
        (SkipReason.ALWAYS, _ALWAYS),
        (SkipReason.BUILT, _BUILT),
        (SkipReason.LOCK, _LOCK),
        (SkipReason.MINIFIED, _MINIFIED),
        (SkipReason.BINARY, tuple(f"*.{suffix}" for suffix in _BINARY)),
        *((SkipReason.BUILT, language.excludes) for language in LANGUAGES.values()),
    )

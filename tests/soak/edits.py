"""Edits of every kind to a tree, each with what may be found afterwards and what may not.

A file that was edited holds a function of a name of its own, so that a question for that name must
give the file as it is now, or nothing once it is gone.
"""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from codeindex.config import config_folder

SUFFIXES = {".py", ".js", ".ts", ".go", ".rb", ".java", ".c", ".md", ".rs", ".php"}
_BODY = {
    ".py": "def {0}(one):\n    return one\n",
    ".js": "function {0}(one) {{\n  return one;\n}}\n",
    ".ts": "function {0}(one: number) {{\n  return one;\n}}\n",
    ".go": "func {0}(one int) int {{\n\treturn one\n}}\n",
    ".rb": "def {0}(one)\n  one\nend\n",
    ".java": "// {0}\n",
    ".c": "int {0}(int one) {{\n  return one;\n}}\n",
    ".md": "\n## About {0}\n\nIt is one.\n",
    ".rs": "fn {0}(one: u8) -> u8 {{\n    one\n}}\n",
    ".php": "\nfunction {0}($one) {{\n    return $one;\n}}\n",
}


_LEFT_OUT = frozenset({".git", "ignored", "__pycache__"})
"""Folders of which nothing is indexed: what is written there is not to be found."""


@dataclass(slots=True)
class Tree:
    """A tree under edit; `marks` are the names that it must answer for, by their files."""

    root: Path
    chance: random.Random
    marks: dict[str, Path] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    made: int = 0
    words: set[str] = field(default_factory=set)
    """Marks that are no names of functions."""
    excluded: dict[Path, dict[str, Path]] = field(default_factory=dict)
    """Folders that rules leave out, with the marks in them."""

    def files(self) -> list[Path]:
        """Return files that may be edited, in an order that depends on their names alone."""
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(
                one
                for one in folders
                if one not in _LEFT_OUT and Path(folder, one) not in self.excluded
            )
            found += [Path(folder, one) for one in sorted(names) if Path(one).suffix in SUFFIXES]
        return [one for one in found if not one.is_symlink()]

    def any_file(self) -> Path:
        return self.chance.choice(self.files())

    def any_folder(self) -> Path:
        return self.any_file().parent

    def new_mark(self) -> str:
        self.made += 1
        return f"quokka{self.made:05d}smile"

    def mark(self, path: Path) -> str:
        """Add a function of a new name to the end of a file."""
        name = self.new_mark()
        with path.open("a", encoding="utf-8") as file:
            file.write("\n" + _BODY[path.suffix].format(name))
        self.marks[name] = path
        return name

    def lose(self, path: Path) -> None:
        """Note that a file, or all below a folder, is gone."""
        for name, at in list(self.marks.items()):
            if at == path or path in at.parents:
                del self.marks[name]
                self.gone.append(name)

    def move(self, old: Path, new: Path) -> None:
        for name, at in self.marks.items():
            if at == old:
                self.marks[name] = new
            elif old in at.parents:
                self.marks[name] = new / at.relative_to(old)

    def marked_file(self) -> Path:
        if not self.marks:
            self.mark(self.any_file())
        return self.marks[self.chance.choice(sorted(self.marks))]


def insert_above(tree: Tree) -> None:
    path = tree.marked_file()
    path.write_bytes(b"\n" * tree.chance.randint(1, 9) + path.read_bytes())


def change(tree: Tree) -> None:
    tree.mark(tree.any_file())


def change_within(tree: Tree) -> None:
    """Append a word to a line of a file that may have been shown; line numbers stay."""
    path, name = tree.marked_file(), tree.new_mark()
    lines = path.read_bytes().split(b"\n")
    at = tree.chance.choice([at for at, line in enumerate(lines) if line.strip()])
    end = b"\r" * lines[at].endswith(b"\r")
    lines[at] = lines[at].removesuffix(end) + f"  # {name}".encode() + end
    path.write_bytes(b"\n".join(lines))
    tree.marks[name] = path
    tree.words.add(name)


def save_over(tree: Tree) -> None:
    """Save as editors do: another file takes the place of the old one."""
    path = tree.any_file()
    beside = path.with_name(f".{path.name}.swp")
    shutil.copyfile(path, beside)
    beside.replace(path)
    tree.mark(path)


def rename(tree: Tree) -> None:
    path = tree.marked_file()
    new = path.with_name(f"moved{tree.made}_{tree.chance.randrange(10**6)}{path.suffix}")
    path.rename(new)
    tree.move(path, new)


def rename_folder(tree: Tree) -> None:
    folder = tree.marked_file().parent
    new = folder.with_name(f"folder{tree.chance.randrange(3)}")  # so that names come back
    if folder == tree.root or new.exists():
        return change(tree)
    folder.rename(new)
    return tree.move(folder, new)


def delete(tree: Tree) -> None:
    path = tree.marked_file()
    path.unlink()
    tree.lose(path)


def add(tree: Tree) -> None:
    tree.mark(tree.any_folder() / f"new{tree.made}.py")


def add_folder(tree: Tree) -> None:
    folder = tree.any_folder() / f"fresh{tree.made}" / "below"
    folder.mkdir(parents=True)
    tree.mark(folder / "new.py")


def add_to_empty(tree: Tree) -> None:
    """Make a folder, and a file in it only at a later edit of this kind."""
    empty = tree.root / "empty"
    if empty.is_dir():
        tree.mark(empty / f"late{tree.made}.py")
    else:
        empty.mkdir()


def file_to_folder(tree: Tree) -> None:
    path = tree.marked_file()
    path.unlink()
    tree.lose(path)
    path.mkdir()
    tree.mark(path / "inner.py")


def folder_to_file(tree: Tree) -> None:
    add_folder(tree)
    folder = tree.marks[max(tree.marks)].parent
    shutil.rmtree(folder)
    tree.lose(folder)


def same_size(tree: Tree) -> None:
    """Change a file behind the back of its size and its time."""
    name = tree.chance.choice(sorted(tree.marks)) if tree.marks else tree.mark(tree.any_file())
    path = tree.marks.pop(name)
    tree.gone.append(name)
    before, new = path.stat(), tree.new_mark()
    tree.words |= {new} if name in tree.words else set()
    path.write_bytes(path.read_bytes().replace(name.encode(), new.encode()))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    tree.marks[new] = path


def touch(tree: Tree) -> None:
    tree.any_file().touch()


def touch_ahead(tree: Tree) -> None:
    """Change a file, whose time then lies in the future."""
    path = tree.any_file()
    tree.mark(path)
    ahead = time.time_ns() + 10**13
    os.utime(path, ns=(ahead, ahead))


def ignore(tree: Tree) -> None:
    """Ignore a folder that is new, or no more."""
    rules, folder = tree.root / ".gitignore", tree.root / "ignored"
    text = rules.read_text("utf-8") if rules.exists() else ""
    if not folder.is_dir():
        folder.mkdir()
        (folder / "kept.py").write_text("def quokka99999smile(one):\n    return one\n", "utf-8")
    if "/ignored/\n" in text:
        rules.write_text(text.replace("/ignored/\n", ""), "utf-8")
        tree.marks["quokka99999smile"] = folder / "kept.py"
    else:
        rules.write_text(text + "\n/ignored/\n", "utf-8")
        tree.marks.pop("quokka99999smile", None)


def change_rules(tree: Tree) -> None:
    """Have a rule leave a folder out, or take it in again, and change another file with it."""
    rule = tree.chance.choice(sorted(_RULES))
    folder = tree.root / f"ruled_{rule}_{tree.root.name}"
    if folder in tree.excluded:
        marks = tree.excluded.pop(folder)
        tree.marks |= marks
        tree.gone = [one for one in tree.gone if one not in marks]
    else:
        folder.mkdir(exist_ok=True)
        tree.mark(folder / "kept.py")
        tree.excluded[folder] = {
            name: at for name, at in tree.marks.items() if folder in at.parents
        }
        tree.lose(folder)
    _RULES[rule](tree.root, folder.name, folder in tree.excluded)
    change(tree)


def _in_settings(root: Path, folder: str, excluded: bool) -> None:
    _exclude(root / ".ai-devtools.yaml", "code-index", folder, excluded)


def _in_user_settings(_: Path, folder: str, excluded: bool) -> None:
    _exclude(config_folder() / "config.yaml", "", folder, excluded)


def _in_ignore_file(root: Path, folder: str, excluded: bool) -> None:
    (root / ".codeindexignore").write_text(f"/{folder}/\n" * excluded, "utf-8")


_RULES: dict[str, Callable[[Path, str, bool], None]] = {
    "settings": _in_settings,
    "user": _in_user_settings,
    "ignore": _in_ignore_file,
}


def _exclude(path: Path, section: str, folder: str, excluded: bool) -> None:
    """Add a folder to what a settings file excludes, or take it out; others stay there."""
    whole = yaml.safe_load(path.read_text("utf-8")) if path.exists() else {}
    own = whole.setdefault(section, {}) if section else whole
    others = [one for one in own.get("exclude", ()) if one != f"{folder}/**"]
    own["exclude"] = [*others, f"{folder}/**"] if excluded else others
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.new")
    new.write_text(yaml.safe_dump(whole), "utf-8")
    new.replace(path)


def leave_out(tree: Tree) -> None:
    """Write what is never indexed."""
    folder = tree.any_folder() / "__pycache__"
    folder.mkdir(exist_ok=True)
    (folder / f"x{tree.made}.py").write_text("def quokka00000smile(): pass\n", "utf-8")


EDITS: tuple[tuple[Callable[[Tree], None], int], ...] = (
    (insert_above, 20),
    (change, 16),
    (change_within, 16),
    (save_over, 10),
    (rename, 8),
    (rename_folder, 6),
    (delete, 6),
    (add, 10),
    (add_folder, 4),
    (add_to_empty, 3),
    (file_to_folder, 2),
    (folder_to_file, 2),
    (same_size, 10),
    (touch, 3),
    (touch_ahead, 2),
    (ignore, 1),
    (change_rules, 4),
    (leave_out, 2),
)
"""Kinds of edits, and how often each is made."""


def edit(tree: Tree) -> str:
    """Make an edit; return its kind."""
    kinds, weights = zip(*EDITS, strict=True)
    (kind,) = tree.chance.choices(kinds, weights)
    kind(tree)
    return str(kind.__name__)

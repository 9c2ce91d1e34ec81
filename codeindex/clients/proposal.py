"""Propose settings for `.ai-devtools.yaml`, based on the file paths in a repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from codeindex import git
from codeindex.config import Config
from codeindex.config.load import REPOSITORY_KEY
from codeindex.config.yaml_document import compose_yaml, read_yaml
from codeindex.errors import ConfigError, GitError
from codeindex.ingest.discover.files import discover
from codeindex.ingest.discover.module_names import module_of
from codeindex.languages import LANGUAGES
from codeindex.text.globs import IgnoreRules, escape_glob
from codeindex.types import SourceFile

_MAX_MODULES = 12
"""Most modules that a person is asked to describe; other modules are indexed all the same."""
_GENERATED_FOLDERS = {
    "generated",
    "__generated__",
    "_generated",
    "autogen",
    "third_party",
    "third-party",
}
"""Names of folders with files that were generated or copied from others."""
_ORIGIN = "refs/remotes/origin/HEAD"


@dataclass(frozen=True, slots=True)
class SettingsProposal:
    """Settings that `init` proposes for a repository.

    `modules` has a description by module name, `test_patterns` the globs of test files by language.
    """

    name: str
    default_branch: str
    modules: Mapping[str, str]
    test_patterns: Mapping[str, tuple[str, ...]]
    exclude: tuple[str, ...]

    def as_yaml(self) -> str:
        settings = {
            "name": self.name,
            "default_branch": self.default_branch,
            "modules": {name: {"description": text} for name, text in self.modules.items()},
            "test_patterns": {name: list(globs) for name, globs in self.test_patterns.items()},
            "exclude": list(self.exclude),
        }
        filled = {key: value for key, value in settings.items() if value}
        text = yaml.safe_dump({REPOSITORY_KEY: filled}, sort_keys=False, allow_unicode=True)
        return str(text).rstrip("\n")


def propose_settings(root: Path) -> SettingsProposal:
    """Propose settings, based on the paths of the files below `root` and on git's branches."""
    files = discover(root, config=Config()).files
    exclude = tuple(dict.fromkeys(filter(None, (_generated_folder(file.path) for file in files))))
    written = [file for file in files if not _generated_folder(file.path)]
    return SettingsProposal(
        name=root.name,
        default_branch=_default_branch(root),
        modules=dict.fromkeys(_modules(written), ""),
        test_patterns=dict(_test_patterns(written)),
        exclude=tuple(f"/{escape_glob(folder)}/" for folder in exclude),
    )


def has_settings(file: Path) -> bool:
    """Return whether the repository's settings file has the key for our settings.

    Raises ConfigError if the file is invalid, or if it is not written as `key: value` lines, so
    that the key cannot be appended as text.
    """
    read_yaml(file, key=REPOSITORY_KEY)  # ConfigError with the line if it is invalid
    text = file.read_text(encoding="utf-8-sig") if file.exists() else ""
    node = compose_yaml(text, file)
    if node is None:
        return False
    if not isinstance(node, yaml.MappingNode) or node.flow_style:
        raise ConfigError(
            f"'{file}' has no lines of the form `key: value`, so `{REPOSITORY_KEY}` cannot be"
            " added: write it by hand."
        )
    return any(key.value == REPOSITORY_KEY for key, _ in node.value)


def _default_branch(root: Path) -> str:
    """Return the default branch of the remote `origin`, or else the current branch.

    Return "" if there is no git repository or no branch.
    """
    if git.find_work_tree(root) is None:
        return ""
    try:
        name = git.run_git("symbolic-ref", "--quiet", "--short", _ORIGIN, cwd=root).decode().strip()
        return name.partition("/")[2]
    except GitError:
        return git.read_head(root).branch or ""


def _modules(files: Iterable[SourceFile]) -> list[str]:
    """Return names of top-level modules with at least two code files, the largest first.

    Test files do not count. At most `_MAX_MODULES` names are returned.
    """
    code = [file for file in files if LANGUAGES[file.language].symbols and not file.is_test]
    paths = {file.path for file in code}
    names = [module_of(path, paths) for path in paths if "/" in path]
    counts = Counter(name.partition(".")[0] for name in names)
    by_size = sorted(counts, key=lambda name: (-counts[name], name))
    return [name for name in by_size if name and counts[name] > 1][:_MAX_MODULES]


def _test_patterns(files: Iterable[SourceFile]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (language, globs): the language's globs of test files that match any of `files`."""
    tests: dict[str, list[str]] = {}
    for file in files:
        if file.is_test:
            tests.setdefault(file.language, []).append(file.path)
    for language, paths in sorted(tests.items()):
        patterns = ((glob, IgnoreRules((glob,))) for glob in LANGUAGES[language].tests)
        matching = tuple(glob for glob, rules in patterns if any(map(rules.selects, paths)))
        if matching:
            yield language, matching


def _generated_folder(path: str) -> str:
    """Return the outermost folder of a path that has generated or third-party files.

    An example is `node_modules`. Return "" if the path has no such folder.
    """
    parts = path.split("/")[:-1]
    for depth, part in enumerate(parts, 1):
        if part.lower() in _GENERATED_FOLDERS:
            return "/".join(parts[:depth])
    return ""

"""Offer a shell the possible values of a parameter, by the parameter's name.

No index is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import click
from click.shell_completion import CompletionItem

from codeindex.config import data_home
from codeindex.languages import LANGUAGES
from codeindex.store.datadir.home import repositories
from codeindex.types import SymbolKind

_Completer = Callable[[str], list[CompletionItem]]


def add_completion(command: click.Command) -> click.Command:
    """Add completion of values to the parameters of a command and its subcommands.

    Return the command.
    """
    for parameter in command.params:
        if completer := _COMPLETERS.get(str(parameter.name)):
            # Replaces the method of this instance; click has no setter for it.
            vars(parameter)["shell_complete"] = partial(_complete, completer)
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            add_completion(subcommand)
    return command


def _complete(completer: _Completer, _: click.Context, incomplete: str) -> list[CompletionItem]:
    return completer(incomplete)


def _complete_folder(incomplete: str) -> list[CompletionItem]:
    """Complete a folder or the name of a repository; return folders first.

    The order matters because bash drops items that come before folders.
    """
    known = repositories(data_home()) if "/" not in incomplete else []
    names = (repository.name for repository in known)
    return [
        CompletionItem(incomplete, type="dir"),
        *(
            CompletionItem(name)
            for name in names
            if name.startswith(incomplete) and name.isprintable()
        ),
    ]


def _complete_file(incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


def _complete_language(incomplete: str) -> list[CompletionItem]:
    return _items_with_prefix(LANGUAGES, incomplete)


def _complete_kind(incomplete: str) -> list[CompletionItem]:
    return _items_with_prefix(map(str, SymbolKind), incomplete)


def _items_with_prefix(words: Iterable[str], prefix: str) -> list[CompletionItem]:
    return [CompletionItem(word) for word in sorted(words) if word.startswith(prefix)]


_COMPLETERS: Mapping[str, _Completer] = {
    "file": _complete_file,
    "html": _complete_file,
    "kind": _complete_kind,
    "language": _complete_language,
    "path": _complete_folder,
    "paths": _complete_file,
    "place": _complete_file,
    "repo": _complete_folder,
    "repos": _complete_folder,
    "subject": _complete_file,
    "type": _complete_language,
    "type_not": _complete_language,
}

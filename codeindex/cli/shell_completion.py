"""What a shell offers for a word that is being typed; none of it opens an index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import click
from click.shell_completion import CompletionItem

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def with_words(command: click.Command) -> click.Command:
    """Have the parameters of a command complete by what they are called."""
    for one in command.params:
        if complete := _BY_NAME.get(str(one.name)):
            # an instance's own method: every command would have to say it otherwise
            vars(one)["shell_complete"] = _bound(complete, one)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            with_words(inner)
    return command


def _bound(
    complete: Complete, one: click.Parameter
) -> Callable[[click.Context, str], list[CompletionItem]]:
    return lambda context, incomplete: complete(context, one, incomplete)


def _places(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer folders, and the names of repositories: bash forgets what comes before folders."""
    from codeindex.config import data_home
    from codeindex.store.datadir.home import repositories

    known = repositories(data_home()) if "/" not in incomplete else []
    names = [CompletionItem(one.name) for one in known if one.name.startswith(incomplete)]
    folders = CompletionItem(incomplete, type="dir")
    return [folders, *(one for one in names if one.value.isprintable())]


def _files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


def _languages(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from codeindex.languages import LANGUAGES

    return _starting(LANGUAGES, incomplete)


def _kinds(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from codeindex.types import SymbolKind

    return _starting(map(str, SymbolKind), incomplete)


def _starting(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(one) for one in sorted(words) if one.startswith(incomplete)]


_BY_NAME: Mapping[str, Complete] = {
    "file": _files,
    "html": _files,
    "kind": _kinds,
    "language": _languages,
    "path": _places,
    "paths": _files,
    "place": _files,
    "repo": _places,
    "repos": _places,
    "subject": _files,
    "type": _languages,
    "type_not": _languages,
}

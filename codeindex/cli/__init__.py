"""Run the command line: a table lists the commands, and each is imported when it is run."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from codeindex import __version__
from codeindex.errors import OUT_OF_MEMORY, CodeIndexError, is_out_of_memory

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "init": ("codeindex.cli.init:init_command", "Set up coding agents for a repository."),
    "index": ("codeindex.cli.index:index_command", "Index a repository, or what changed in it."),
    "sync": ("codeindex.cli.sync:sync_command", "Bring every index up to date."),
    "search": ("codeindex.cli.search:search_command", "Find code by meaning or by name."),
    "explore": ("combined.explore", "Answer a question in one call: code, callers, tests."),
    "explain-search": ("explain.search", "Explain the best results."),
    "why-not": ("explain.why_not", "Explain why a file or symbol is not among the results."),
    "similar": (
        "codeindex.cli.similar:similar_command",
        "Find code similar to the code at a place.",
    ),
    "callers": ("graph.callers", "List the callers of a symbol."),
    "callees": ("graph.callees", "List what a symbol calls, in the order of its lines."),
    "implementers": ("graph.implementers", "List what implements an interface, or extends a type."),
    "lookup": ("symbols.lookup", "Find declarations by a part of their name."),
    "signatures": ("symbols.signatures", "Find functions by a part of their signature."),
    "explain-symbol": ("symbols.explain", "Explain how to use a symbol, without its body."),
    "read": ("source.read", "Print a symbol or lines of a file."),
    "declarations": ("source.declarations", "List the declarations of a file."),
    "summary": ("source.summary", "Summarize a file."),
    "summaries": ("source.summaries", "Summarize several files."),
    "file-context": ("source.file_context", "Summarize a file, its importers and its tests."),
    "imports": ("graph.imports", "List the imports of a file."),
    "public-api": ("source.public_api", "List the public API of a file or folder."),
    "related-tests": ("graph.related_tests", "Find the tests of a symbol."),
    "unused": ("graph.unused", "Find symbols without a known use."),
    "show": ("codeindex.cli.show:show_command", "Show a symbol or lines of a file, in colour."),
    "outline": (
        "codeindex.cli.outline:outline_command",
        "Show the declarations of a file, in colour.",
    ),
    "tree": ("source.tree", "Show the indexed folders and files."),
    "stats": ("overview.stats", "Count files, lines, symbols and edges."),
    "token-estimate": ("source.token_estimate", "Estimate the tokens of a file or symbol."),
    "graph": (
        "codeindex.cli.graph:graph_group",
        "Measure the graph by the index of a compiler.",
    ),
    "export-graph": ("graph.export", "Export the graph as JSON."),
    "report": (
        "codeindex.cli.report:report_command",
        "Report on the repository, as text or as a page.",
    ),
    "context": ("changes.context", "List what else to read or change, given a file or a symbol."),
    "impact": ("graph.impact", "List what depends on a file or a symbol, and the tests to run."),
    "for-diff": ("changes.for_diff", "List what else to change or run, given a diff."),
    "hotspots": ("overview.hotspots", "List the most complex functions."),
    "health": ("overview.health", "Measure how complex, documented and tested the code is."),
    "suggest-context": (
        "codeindex.cli.suggest_context:make_suggest_context_command",
        "List what else to know before reading a file.",
    ),
    "invalidate-file": ("admin.invalidate_file", "Index a file's change now."),
    "invalidate": ("admin.invalidate", "Make the next sync read every file again."),
    "dependency-graph": (
        "codeindex.cli.dependency_graph:make_dependency_graph_command",
        "Draw the dependencies of files or types.",
    ),
    "diff-summary": ("changes.diff_summary", "List the declarations that changed since a commit."),
    "type-flow": ("graph.type_flow", "List the functions that return or take a type."),
    "patterns": ("overview.patterns", "Show groups of files of the same structure."),
    "guides": ("overview.guides", "Show navigation documents and what they link to."),
    "modules": ("overview.modules", "List the modules and their descriptions."),
    "members": ("overview.members", "List the members of the workspace."),
    "search-relevant": ("combined.search_relevant", "List places to look at, without the code."),
    "find": (
        "combined.find",
        "Find places by meaning, name, callers, implementers or types.",
    ),
    "summarize": ("combined.summarize", "Summarize a file, a folder, a glob or a symbol."),
    "ask": (
        "codeindex.cli.ask:ask_command",
        "Answer a question in sentences that cite their places.",
    ),
    "wiki": ("codeindex.cli.wiki:wiki_group", "Keep knowledge about the code as pages beside it."),
    "regenerate-index": (
        "overview.regenerate_index",
        "Write INDEX.md, a map of the repository on one page.",
    ),
    "watch": ("codeindex.cli.watch:watch_command", "Keep indexes up to date while files change."),
    "hooks": ("codeindex.cli.hooks:hooks_group", "Have git keep an index up to date."),
    "serve": ("codeindex.cli.serve:serve_command", "Serve agents by MCP."),
    "status": ("codeindex.cli.status:status_command", "Show what is indexed, and how fresh it is."),
    "files": ("codeindex.cli.files:files_command", "List what is indexed, or what is not and why."),
    "repos": ("codeindex.cli.repos:repos_command", "List the repositories that have an index."),
    "eval": (
        "codeindex.cli.eval:eval_command",
        "Measure searches on this repository's own questions.",
    ),
    "doctor": (
        "codeindex.cli.doctor:doctor_command",
        "Check the installation, and advise what to do.",
    ),
    "verify": (
        "codeindex.cli.verify:verify_command",
        "Compare an index with the files and with itself.",
    ),
    "repair": ("codeindex.cli.repair:repair_command", "Rebuild what is broken in an index."),
    "clear": ("codeindex.cli.clear:clear_command", "Delete an index, or all."),
    "gc": ("codeindex.cli.gc:gc_command", "Delete data that is not needed any more."),
    "cache": ("codeindex.cli.cache:cache_group", "Show how useful the caches are, or empty them."),
    "hook": ("codeindex.cli.hook:hook_command", "Answer a coding agent's hook."),
    "upgrade-embeddings": (
        "codeindex.cli.upgrade_embeddings:upgrade_embeddings_command",
        "Change the embedding model, and keep the old vectors until you are sure.",
    ),
    "logs": ("codeindex.cli.logs:logs_command", "Show the logs of indexing and serving."),
    "metrics": (
        "codeindex.cli.metrics:metrics_command",
        "Show how codeindex was used on this machine.",
    ),
    "secrets": ("codeindex.cli.secrets:secrets_group", "Review redacted secrets."),
    "models": ("codeindex.cli.models:models_group", "List, download, check and add models."),
    "completions": (
        "codeindex.cli.completions:completions_command",
        "Teach a shell to complete commands, options and repositories.",
    ),
    "config": ("codeindex.cli.config:config_group", "Show settings and where they come from."),
}
"""The source and a line of help of each command, so that listing commands imports none of them.
The source is an object, `module:name`, or the capability from which the command is derived."""

_FULL_DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT}
INTERRUPTED, CLOSED_PIPE = 130, 141  # as a shell reports the signals SIGINT and SIGPIPE


def _load_command(name: str) -> click.Command:
    """Return a command: imported from its module, or derived from its capability."""
    target, _ = COMMANDS[name]
    module, colon, attribute = target.partition(":")
    if not colon:
        from codeindex.cli.derived import derive_command

        return derive_command(name, target)
    command_or_factory = getattr(importlib.import_module(module), attribute)
    if isinstance(command_or_factory, click.Command):
        return command_or_factory
    command: click.Command = command_or_factory()
    return command


class LazyGroup(click.Group):
    """A group that imports a command when it runs, and prints errors as sentences.

    Its methods import what they need, so that `codeindex --help` and shell completion are fast.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = _load_command(cmd_name)
        if ctx.resilient_parsing:  # a shell completes a word
            from codeindex.cli.shell_completion import add_completion

            return add_completion(command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return completions for a beginning of a command or option, without importing commands."""
        from click.shell_completion import CompletionItem

        options = click.Command.shell_complete(self, ctx, incomplete)
        commands = [
            CompletionItem(name, help=help_text)
            for name, (_, help_text) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return commands + options

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_text) for name, (_, help_text) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, and end with a message and an exit status for any error."""
        _use_utf8()
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()  # raises BrokenPipeError here instead of at the interpreter's exit
        except (click.ClickException, click.Abort, click.exceptions.Exit) as error:
            _sanitize_message(error)
            raise
        except CodeIndexError as error:
            _fail(ctx, str(error), error.exit_code)
        except BrokenPipeError:
            _exit_for_closed_pipe(ctx)
        except OSError as error:
            if error.errno not in _FULL_DISK_ERRORS:
                _fail_unexpectedly(ctx, error)
            message = f"Nothing more can be written ({error.strerror}): make room and try again."
            _fail(ctx, message, CodeIndexError.exit_code)
        except KeyboardInterrupt:
            _fail(
                ctx,
                "interrupted: what was done is kept; run the same command to go on",
                INTERRUPTED,
            )
        except Exception as error:  # noqa: BLE001 (the outermost call)
            _fail_unexpectedly(ctx, error)
        return result


def _use_utf8() -> None:
    """Have both output streams write UTF-8 in every locale, and replace lone surrogates."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(encoding="utf-8", errors="replace")


def _fail(ctx: click.Context, message: str, status: int) -> NoReturn:
    from codeindex.cli.output import print_note
    from codeindex.redact_query import redact_text

    print_note(f"codeindex: {redact_text(message)}")
    ctx.exit(status)


def _sanitize_message(error: Exception) -> None:
    """Redact and escape the message of a usage error, which quotes arguments."""
    from codeindex.redact_query import redact_text
    from codeindex.text.sanitize import escape_text

    if isinstance(error, click.ClickException):
        # click declares the attribute as final
        vars(error)["message"] = escape_text(redact_text(error.message))


def _exit_for_closed_pipe(ctx: click.Context) -> NoReturn:
    """Exit quietly when the reader of our output has ended, as `head` does after some lines."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    ctx.exit(CLOSED_PIPE)


def _fail_unexpectedly(ctx: click.Context, error: Exception) -> NoReturn:
    """Log an error that is a bug and exit; raise it when debugging, and report lack of memory."""
    import logging

    from codeindex.config import is_debugging
    from codeindex.logs import INDEXER, enable_log_file

    if is_out_of_memory(error):
        _fail(ctx, OUT_OF_MEMORY, CodeIndexError.exit_code)
    if is_debugging():
        raise error
    enable_log_file(INDEXER)
    logging.getLogger(__name__).error("unexpected error in %s", ctx.command_path, exc_info=error)
    _fail(
        ctx,
        f"unexpected {type(error).__name__}: {error}. Please report it with what is printed when"
        " CODEINDEX_DEBUG=1 is set.",
        CodeIndexError.exit_code,
    )


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="codeindex", message="%(prog)s %(version)s")
def main() -> None:
    """Find code by meaning, by name, or by how it is connected, on this machine alone."""

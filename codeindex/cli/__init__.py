"""Run the command line: a table lists the commands; each is imported only if it runs."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from codeindex import __version__
from codeindex.cli.command_table import ALL_COMMANDS, COMMAND_GROUPS, COMMANDS
from codeindex.errors import OUT_OF_MEMORY, CodeIndexError, is_out_of_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.shell_completion import CompletionItem

_FULL_DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT}
INTERRUPTED, CLOSED_PIPE = 130, 141  # as a shell reports the signals SIGINT and SIGPIPE


def _load_command(name: str) -> click.Command:
    """Import a command from its module, or derive it from a method of `Index`; return it.

    The table of commands decides which of the two.
    """
    entry = COMMANDS[name]
    module, colon, attribute = entry.source.partition(":")
    if not colon:
        from codeindex.cli.derived import derive_command

        return derive_command(name, entry.source)
    found = getattr(importlib.import_module(f"codeindex.cli.{module}"), attribute)
    command: click.Command = found if isinstance(found, click.Command) else found()
    command.name = name  # a factory makes a command for each of its names
    if entry.preset:
        parameter, value = entry.preset
        next(option for option in command.params if option.name == parameter).default = value
    return command


class LazyGroup(click.Group):
    """A group that imports a command only to run it, and prints errors as sentences.

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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return (name, command, its arguments) for the arguments of the command line.

        For an unknown command, fail with a message that names similar ones.
        """
        name, *rest = args
        if command := self.get_command(ctx, name):
            return name, command, rest
        if not (ctx.resilient_parsing or name.startswith("-")):
            from codeindex.cli.help import describe_unknown_command

            ctx.fail(describe_unknown_command(args))
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin with `incomplete`, without importing any.

        Hidden commands are offered if no other command begins with the word.
        """
        from click.shell_completion import CompletionItem

        options = click.Command.shell_complete(self, ctx, incomplete)
        matches = [name for name in COMMANDS if name.startswith(incomplete)]
        shown = [name for name in matches if not COMMANDS[name].is_hidden] or matches
        commands = [CompletionItem(name, help=COMMANDS[name].help) for name in shown]
        return commands + options

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group of commands; `help --all` also lists hidden commands."""
        for title, entries in COMMAND_GROUPS.items():
            rows = [
                (name, entry.help)
                for name, entry in entries.items()
                if ctx.meta.get(ALL_COMMANDS) or not entry.is_hidden
            ]
            with formatter.section(title):
                formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if not ctx.meta.get(ALL_COMMANDS):
            hidden = sum(entry.is_hidden for entry in COMMANDS.values())
            formatter.write_paragraph()
            formatter.write_text(f"`codeindex help --all` lists {hidden} more commands.")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, or print the help or the version."""
        rest: list[str] = self._report_errors(ctx, lambda: click.Group.parse_args(self, ctx, args))
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        return self._report_errors(ctx, lambda: click.Group.invoke(self, ctx))

    def _report_errors(self, ctx: click.Context, action: Callable[[], Any]) -> Any:
        """Return what `action` returns; for any error, print a message and exit with its status."""
        _use_utf8()
        try:
            result = action()
            sys.stdout.flush()  # raises BrokenPipeError here instead of at the interpreter's exit
        except (click.ClickException, click.Abort, click.exceptions.Exit) as error:
            _adapt_error(error)
            raise
        except CodeIndexError as error:
            _fail(ctx, str(error), error.exit_code)
        except BrokenPipeError:
            _exit_for_closed_pipe(ctx)
        except OSError as error:
            _fail_for_system_error(ctx, error)
        except KeyboardInterrupt:
            _exit_for_interrupt(ctx)
        except Exception as error:  # noqa: BLE001 (the outermost call)
            _fail_unexpectedly(ctx, error)
        return result


def _use_utf8() -> None:
    """Make both output streams write UTF-8 in every locale, and replace lone surrogates."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(encoding="utf-8", errors="replace")


def _fail(ctx: click.Context, message: str, status: int) -> NoReturn:
    from codeindex.cli.output import print_note
    from codeindex.redact_query import redact_text

    print_note(f"codeindex: {redact_text(message)}")
    ctx.exit(status)


def _adapt_error(error: Exception) -> None:
    """Redact and escape the message of an error of click, since it quotes arguments.

    A file that cannot be opened ends with the status of all errors, not with click's 1, which says
    that nothing was found.
    """
    if not isinstance(error, click.ClickException):
        return
    from codeindex.redact_query import redact_text
    from codeindex.text.sanitize import escape_text

    # click declares the attribute as final
    vars(error)["message"] = escape_text(redact_text(error.message))
    if isinstance(error, click.FileError):
        vars(error)["exit_code"] = CodeIndexError.exit_code


def _exit_for_closed_pipe(ctx: click.Context) -> NoReturn:
    """Exit without a message after the reader of our output ended, as `head` does."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    ctx.exit(CLOSED_PIPE)


def _fail_for_system_error(ctx: click.Context, error: OSError) -> NoReturn:
    """Exit with a message if the disk is full; any other error that arrives here is a bug."""
    if error.errno not in _FULL_DISK_ERRORS:
        _fail_unexpectedly(ctx, error)
    message = f"Nothing more can be written ({error.strerror}): free some disk space and try again."
    _fail(ctx, message, CodeIndexError.exit_code)


def _exit_for_interrupt(ctx: click.Context) -> NoReturn:
    message = "interrupted: finished work is kept; run the same command to continue"
    _fail(ctx, message, INTERRUPTED)


def _fail_unexpectedly(ctx: click.Context, error: Exception) -> NoReturn:
    """Log an error that is a bug, and exit.

    While debugging, raise it. If memory is used up, print a fixed message.
    """
    if is_out_of_memory(error):  # nothing can be imported any more
        click.echo(f"codeindex: {OUT_OF_MEMORY}", err=True)  # noqa: TID251 (a fixed text)
        ctx.exit(CodeIndexError.exit_code)

    import logging

    from codeindex.cli.interrupts import is_by_interrupt
    from codeindex.config import is_debugging
    from codeindex.logs import INDEXER, enable_log_file

    if is_by_interrupt(error):
        _exit_for_interrupt(ctx)
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

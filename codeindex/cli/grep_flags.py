"""Explain flags of grep and ripgrep that `codeindex search` lacks, in its error messages."""

from __future__ import annotations

import click

_QUIET = "The exit status is 0 if something is found: write >/dev/null."
_ADVICE = (
    (
        "-v --invert-match -L --files-without-match",
        "Lines and files that do not match are not listed: use git grep or ripgrep.",
    ),
    (
        "-r -R --recursive --replace",
        "Folders are searched with their subfolders anyway, and no text is replaced.",
    ),
    ("-E -P --extended-regexp --perl-regexp --pcre2", "-e takes a pattern of Python's `re`."),
    ("-U --multiline", "Patterns match within a line; --ast matches code of several lines."),
    ("-x --line-regexp", "For whole lines, write -e '^PATTERN$'."),
    ("-s --case-sensitive", "-e and -F distinguish capitals unless there is -i or -S."),
    ("-f --file", "Give each pattern its own -e."),
    ("--count-matches", "-c counts lines; -o prints each match."),
    ("--quiet --silent", _QUIET),
    (
        "-u --unrestricted -a --text -I",
        "Ignored and binary files are not in the index; hidden files are, if git tracks them.",
    ),
    (
        "--include --exclude --exclude-dir --iglob",
        "Use -g 'PATTERN' for only these files, -g '!PATTERN' to leave files out.",
    ),
)
_INSTEAD = {flag: advice for flags, advice in _ADVICE for flag in flags.split()}


class GrepCommand(click.Command):
    """A command that people call with the flags of grep; its errors explain those it lacks."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; the UsageError for a flag of grep says what to do instead.

        `-q` is quiet in grep and takes a query here, so a flag behind it is an error.
        """
        try:
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if advice := _INSTEAD.get(error.option_name):
                raise click.UsageError(f"No option {error.option_name}. {advice}", ctx) from None
            raise
        flags = {flag for parameter in self.params for flag in parameter.opts}
        if not flags.isdisjoint(ctx.params.get("also") or ()):
            raise click.UsageError(f"-q is --also, and takes a query. {_QUIET}", ctx)
        return rest

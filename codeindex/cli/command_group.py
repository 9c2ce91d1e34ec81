"""Define `CommandGroup`, whose help shows what each command does in a whole sentence."""

import click


class CommandGroup(click.Group):
    """A group of commands, such as `codeindex wiki`; click cuts their help at 45 characters."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the first sentence of the help of each command, on several lines if it is long."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, command.get_short_help_str(limit=1_000))
                    for name, command in sorted(self.commands.items())
                ]
            )

"""`codeindex init`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from codeindex.cli.output import print_line, print_note, print_text
from codeindex.clients import CLIENTS, client_named, every_client
from codeindex.errors import ConfigError
from codeindex.text.sanitize import escape_line

if TYPE_CHECKING:
    from pathlib import Path

    from codeindex.clients.client import Client, SetupContext
    from codeindex.clients.file_changes import ChangeSet
    from codeindex.clients.plan import SetupFailure, SetupOptions, SetupPlan
    from codeindex.clients.proposal import SettingsProposal


@dataclass(frozen=True, slots=True)
class _Given:
    """The command line, typed."""

    yes: bool
    client: tuple[str, ...]
    by_hand: bool
    uninstall: bool
    hooks: bool
    local: bool
    command_hooks: bool
    guidance: bool
    subagent: bool
    config: bool


@click.command()
@click.argument("path", default=".")
@click.option("-y", "--yes", is_flag=True, help="Make the changes without asking.")
@click.option(
    "--client",
    multiple=True,
    type=click.Choice(CLIENTS),
    help="Set up this one, found or not; several times for several.",
)
@click.option("--print", "by_hand", is_flag=True, help="Print what to paste where; change nothing.")
@click.option("--uninstall", is_flag=True, help="Take out what was added, here or in the home.")
@click.option("--hooks/--no-hooks", default=True, help="Claude Code: call us at reads and edits.")
@click.option("--local", is_flag=True, help="Hooks for you alone (settings.local.json).")
@click.option("--command-hooks", is_flag=True, help="Hooks for a Claude Code without MCP hooks.")
@click.option("--guidance", is_flag=True, help="Tell agents in CLAUDE.md or AGENTS.md.")
@click.option("--subagent", is_flag=True, help="Claude Code: a sub-agent that searches.")
@click.option("--config", is_flag=True, help="Write .ai-devtools.yaml from what is found.")
def init(path: str, **options: Any) -> None:
    """Set up coding agents for the repository of PATH.

    Shows what would change in their settings and asks. Comments, order and what others have there
    stay; each file is kept beside itself (.bak-codeindex) before it is changed first. A file that
    cannot be understood is left as it is, with all of its client; the others are set up.
    """
    from codeindex.clients.client import SetupContext
    from codeindex.store.datadir.roots import locate_root, refuse_too_wide_root

    given = _Given(**options)
    root = locate_root(path).root
    refuse_too_wide_root(root)
    context = SetupContext.current(root)
    clients = () if given.uninstall else _clients(given, context)
    plan = (
        _removal(given, context)
        if given.uninstall
        else _setup(given, _setup_options(given, clients), context)
    )
    if given.by_hand:
        _print(plan, context)
        return
    for client in clients:
        if client.by_hand:
            sentence = "is set up by hand; for what to paste where, run"
            print_note(f"{client.title} {sentence} `codeindex init --print --client {client.name}`")
    done, failures = _make(plan, context, given)
    for client in clients:
        if client.note and client.title in done:
            print_note(client.note)
    if failures:
        titles = ", ".join(failure.title for failure in failures)
        raise ConfigError(f"Not changed, for the reasons above: {titles}.")


def _clients(given: _Given, context: SetupContext) -> tuple[Client, ...]:
    from codeindex.clients.plan import detect_clients

    if given.client:
        return tuple(client_named(name) for name in dict.fromkeys(given.client))
    found = detect_clients(context)
    if found or not given.by_hand:
        return found
    return every_client()


def _setup_options(given: _Given, clients: tuple[Client, ...]) -> SetupOptions:
    from codeindex.clients.plan import SetupOptions

    return SetupOptions(
        clients,
        hooks=given.hooks,
        local_hooks=given.local,
        command_hooks=given.command_hooks,
        guidance=given.guidance,
        subagent=given.subagent,
    )


def _setup(given: _Given, options: SetupOptions, context: SetupContext) -> SetupPlan:
    from codeindex.clients.plan import plan_setup

    if not options.clients:
        print_note(f"No client was found; name one: --client {' | '.join(CLIENTS)}")
    plan = plan_setup(context, options)
    return _with_settings(plan, given, context) if given.config else plan


def _removal(given: _Given, context: SetupContext) -> SetupPlan:
    from codeindex.clients.plan import plan_removal

    clients = [client_named(name) for name in given.client or CLIENTS]
    return plan_removal(context, clients, everything=not given.client)


def _with_settings(plan: SetupPlan, given: _Given, context: SetupContext) -> SetupPlan:
    """Add the section of `.ai-devtools.yaml`, unless there is one."""
    from codeindex.clients.plan import SetupFailure, SetupStep, settings_block
    from codeindex.clients.proposal import has_settings, propose_settings
    from codeindex.config.load import REPOSITORY_FILE, REPOSITORY_KEY

    file = context.resolve(REPOSITORY_FILE)
    try:
        is_there = has_settings(file)
    except ConfigError as error:
        return replace(plan, failures=(SetupFailure(REPOSITORY_FILE, str(error)),))
    if is_there:
        sentence = f"{REPOSITORY_FILE} has `{REPOSITORY_KEY}` already; it stays as it is"
        print_note(sentence)
        return plan
    proposal = propose_settings(context.root)
    if sys.stdin.isatty() and not (given.yes or given.by_hand):
        proposal = _asked(proposal)
    step = SetupStep(REPOSITORY_FILE, add=(settings_block(file, proposal.as_yaml()),))
    return replace(plan, steps=(*plan.steps, step))


def _asked(proposal: SettingsProposal) -> SettingsProposal:
    """Let a person correct what was found; Enter takes it."""

    def ask(question: str, found: str) -> str:
        return str(
            click.prompt(escape_line(question), default=found, show_default=bool(found), err=True)
        )

    name = ask("Name of the repository", proposal.name)
    branch = ask("Default branch", proposal.default_branch)
    modules = {
        module: ask(f"What is {module}, in a sentence (Enter for none)", text)
        for module, text in proposal.modules.items()
    }
    folders = ", ".join(proposal.exclude)
    leave_out = not folders or click.confirm(
        escape_line(f"Leave out {folders}"), default=True, err=True
    )
    exclude = proposal.exclude if leave_out else ()
    return replace(proposal, name=name, default_branch=branch, modules=modules, exclude=exclude)


def _make(
    plan: SetupPlan, context: SetupContext, given: _Given
) -> tuple[set[str], tuple[SetupFailure, ...]]:
    """Show the changes, ask, and make them; return titles of parts that were changed, and failures.

    ConfigError if nobody can be asked.
    """
    from codeindex.clients.file_changes import compute_changes, diff_lines

    change_sets, failures = compute_changes(plan, context)
    _warn(failures)
    for line in diff_lines(
        [change for change_set in change_sets for change in change_set.changes], context
    ):
        print_line(line)
    if not change_sets:
        if not failures:
            print_line("nothing to change")
        return set(), failures
    if not given.yes and not sys.stdin.isatty():
        raise ConfigError("Nothing was changed, as nobody can be asked here: add `--yes`.")
    if not given.yes and not click.confirm("Make these changes?", err=True):
        print_note("nothing was changed")
        return set(), failures
    refused = _apply(change_sets, context)
    left = {failure.title for failure in refused}
    return {title for change_set in change_sets for title in change_set.titles} - left, (
        *failures,
        *refused,
    )


def _apply(change_sets: tuple[ChangeSet, ...], context: SetupContext) -> tuple[SetupFailure, ...]:
    """Make the changes of each change_set; return those that could not be made."""
    from codeindex.clients.file_changes import apply_changes
    from codeindex.clients.plan import SetupFailure

    failures: list[SetupFailure] = []
    for change_set in change_sets:
        try:
            apply_changes(change_set.changes, context)
        except ConfigError as error:
            failures += [SetupFailure(title, str(error)) for title in change_set.titles]
            continue
        for change in change_set.changes:
            done = "removed" if change.after is None else "kept" if change.is_backup else "wrote"
            print_note(f"{done} {context.display_path(change.file)}")
    _warn(failures)
    return tuple(failures)


def _warn(failures: Iterable[SetupFailure]) -> None:
    for failure in failures:
        print_note(f"{failure.title} is left as it is: {failure.reason}")


def _print(plan: SetupPlan, context: SetupContext) -> None:
    """Print each file's name and what belongs into it, as it would be if it had nothing else."""
    _warn(plan.failures)
    fragments: dict[Path, str] = {}
    for edit in (edit for step in plan.steps for edit in step.add):
        fragments[edit.file] = edit.add(fragments.get(edit.file, ""))
    for file, text in fragments.items():
        print_text(f"--- {context.display_path(file)}\n{text}")
    for entry in plan.manual:
        print_text(f"--- {entry.title}: {entry.place}\n{entry.text}")

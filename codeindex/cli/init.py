"""Set up coding agents for a repository: `codeindex init`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codeindex.cli.confirmation import confirm
from codeindex.cli.options import path_argument
from codeindex.cli.output import print_line, print_note, print_text
from codeindex.clients.client import Client, SetupContext
from codeindex.clients.known_clients import CLIENTS
from codeindex.clients.plan import (
    SetupFailure,
    SetupOptions,
    SetupPlan,
    SetupStep,
    detect_clients,
    plan_removal,
    plan_setup,
    settings_block,
)
from codeindex.config.load import REPOSITORY_FILE, REPOSITORY_KEY
from codeindex.errors import ConfigError
from codeindex.store.datadir.roots import locate_root, refuse_too_wide_root
from codeindex.text.sanitize import escape_line

if TYPE_CHECKING:
    from codeindex.clients.file_changes import ChangeSet
    from codeindex.clients.proposal import SettingsProposal


@dataclass(frozen=True, slots=True)
class _InitOptions:
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
@path_argument
@click.option("-y", "--yes", is_flag=True, help="Make the changes without asking.")
@click.option(
    "--client",
    multiple=True,
    type=click.Choice(tuple(CLIENTS)),
    help="Set up this client even if it was not found; repeatable.",
)
@click.option("--print", "by_hand", is_flag=True, help="Print what to paste where; change nothing.")
@click.option(
    "--uninstall", is_flag=True, help="Remove what `init` has added, here and in the home folder."
)
@click.option(
    "--hooks/--no-hooks", default=True, help="Claude Code: add hooks for reads and edits."
)
@click.option("--local", is_flag=True, help="Hooks for you alone (settings.local.json).")
@click.option("--command-hooks", is_flag=True, help="Hooks for a Claude Code without MCP hooks.")
@click.option("--guidance", is_flag=True, help="Add instructions to CLAUDE.md or AGENTS.md.")
@click.option("--subagent", is_flag=True, help="Claude Code: add a sub-agent that searches.")
@click.option("--config", is_flag=True, help="Write .ai-devtools.yaml with detected settings.")
def init_command(path: str, **arguments: Any) -> None:
    """Set up coding agents for the repository of PATH.

    Shows the changes to their settings and asks. Comments, order and other entries are kept; each
    file is backed up (.bak-codeindex) before its first change. If a file of a client cannot be
    parsed, that client is not changed; the others are set up.
    """
    options = _InitOptions(**arguments)
    root = locate_root(path).root
    refuse_too_wide_root(root)
    context = SetupContext.current(root)
    clients = () if options.uninstall else _select_clients(options, context)
    if options.uninstall:
        plan = _plan_removal(options, context)
    else:
        plan = _plan_setup(options, clients, context)
    if options.by_hand:
        _print_fragments(plan, context)
        return
    for client in clients:
        if client.by_hand:
            print_note(
                f"{client.title} is set up by hand; for what to paste where, run"
                f" `codeindex init --print --client {client.name}`"
            )
    changed_titles, failures = _confirm_and_apply(plan, context, options)
    for client in clients:
        if client.note and client.title in changed_titles:
            print_note(client.note)
    if failures:
        titles = ", ".join(failure.title for failure in failures)
        raise ConfigError(f"Not changed, for the reasons above: {titles}.")


def _select_clients(options: _InitOptions, context: SetupContext) -> tuple[Client, ...]:
    """Return the clients that the user names, or else those found on this machine.

    For `--print`, return all clients if none is found.
    """
    if options.client:
        return tuple(CLIENTS[name] for name in dict.fromkeys(options.client))
    detected = detect_clients(context)
    return tuple(CLIENTS.values()) if options.by_hand and not detected else detected


def _plan_setup(
    options: _InitOptions, clients: tuple[Client, ...], context: SetupContext
) -> SetupPlan:
    if not clients:
        print_note(f"No client was found; name one: --client {' | '.join(CLIENTS)}")
    setup_options = SetupOptions(
        clients,
        hooks=options.hooks,
        local_hooks=options.local,
        command_hooks=options.command_hooks,
        guidance=options.guidance,
        subagent=options.subagent,
    )
    plan = plan_setup(context, setup_options)
    return _add_settings(plan, options, context) if options.config else plan


def _plan_removal(options: _InitOptions, context: SetupContext) -> SetupPlan:
    clients = [CLIENTS[name] for name in options.client or CLIENTS]
    return plan_removal(context, clients, everything=not options.client)


def _add_settings(plan: SetupPlan, options: _InitOptions, context: SetupContext) -> SetupPlan:
    """Add a step to the plan that adds our section to `.ai-devtools.yaml`; return the plan.

    There is no such step if the file has the section.
    """
    from codeindex.clients.proposal import has_settings, propose_settings  # imports YAML

    file = context.resolve(REPOSITORY_FILE)
    try:
        exists = has_settings(file)
    except ConfigError as error:
        return replace(plan, failures=(SetupFailure(REPOSITORY_FILE, str(error)),))
    if exists:
        print_note(f"{REPOSITORY_FILE} has `{REPOSITORY_KEY}` already; it was not changed")
        return plan
    proposal = propose_settings(context.root)
    if sys.stdin.isatty() and not (options.yes or options.by_hand):
        proposal = _prompt_for_corrections(proposal)
    step = SetupStep(REPOSITORY_FILE, add=(settings_block(file, proposal.as_yaml()),))
    return replace(plan, steps=(*plan.steps, step))


def _prompt_for_corrections(proposal: SettingsProposal) -> SettingsProposal:
    """Show each proposed value to the user, who can change it; return the changed proposal."""

    def prompt(question: str, default: str) -> str:
        question = escape_line(question)
        return str(click.prompt(question, default=default, show_default=bool(default), err=True))

    name = prompt("Name of the repository", proposal.name)
    branch = prompt("Default branch", proposal.default_branch)
    modules = {
        module: prompt(f"What is {module}, in a sentence (Enter for none)", description)
        for module, description in proposal.modules.items()
    }
    folders = ", ".join(proposal.exclude)
    question = escape_line(f"Leave out {folders}")
    excluded = not folders or click.confirm(question, default=True, err=True)
    return replace(
        proposal,
        name=name,
        default_branch=branch,
        modules=modules,
        exclude=proposal.exclude if excluded else (),
    )


def _confirm_and_apply(
    plan: SetupPlan, context: SetupContext, options: _InitOptions
) -> tuple[set[str], tuple[SetupFailure, ...]]:
    """Show the changes, ask, and apply them; return (titles of changed steps, failures).

    Raises ConfigError if nobody can be asked because standard input is not a terminal.
    """
    from codeindex.clients.file_changes import (
        compute_changes,
        diff_lines,
    )  # imports the rules for secrets

    change_sets, failures = compute_changes(plan, context)
    _print_failures(failures)
    for line in diff_lines(
        [change for change_set in change_sets for change in change_set.changes], context
    ):
        print_line(line)
    if not change_sets:
        if not failures:
            print_line("nothing to change")
        return set(), failures
    if not confirm("Make these changes?", yes=options.yes, done="changed"):
        return set(), failures
    new_failures = _apply(change_sets, context)
    failed = {failure.title for failure in new_failures}
    changed = {title for change_set in change_sets for title in change_set.titles} - failed
    return changed, (*failures, *new_failures)


def _apply(change_sets: tuple[ChangeSet, ...], context: SetupContext) -> tuple[SetupFailure, ...]:
    """Apply each set of changes, print what was written, and return the failures."""
    from codeindex.clients.file_changes import apply_changes

    failures: list[SetupFailure] = []
    for change_set in change_sets:
        try:
            apply_changes(change_set.changes, context)
        except ConfigError as error:
            failures += [SetupFailure(title, str(error)) for title in change_set.titles]
            continue
        for change in change_set.changes:
            action = "removed" if change.after is None else "kept" if change.is_backup else "wrote"
            print_note(f"{action} {context.display_path(change.file)}")
    _print_failures(failures)
    return tuple(failures)


def _print_failures(failures: Iterable[SetupFailure]) -> None:
    for failure in failures:
        print_note(f"{failure.title} was not changed: {failure.reason}")


def _print_fragments(plan: SetupPlan, context: SetupContext) -> None:
    """Print what the user can paste: the name of each file, and the text to add to it.

    The printed text is the whole file that a setup would write if the file were empty.
    """
    _print_failures(plan.failures)
    fragments: dict[Path, str] = {}
    for edit in (edit for step in plan.steps for edit in step.add):
        fragments[edit.file] = edit.add(fragments.get(edit.file, ""))
    for file, text in fragments.items():
        print_text(f"--- {context.display_path(file)}\n{text}")
    for entry in plan.manual:
        print_text(f"--- {entry.title}: {entry.place}\n{entry.text}")

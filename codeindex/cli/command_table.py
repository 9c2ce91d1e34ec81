"""Define the table of commands: the group, the module and the one-line help of each.

The table has the order of the help. Commands made by `_hidden` are listed only by `codeindex help
--all`, and are otherwise like the others. `codeindex --help` lists at most 24
(`tests/contract/test_cli_surface.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A command: where its code is, and its one-line help; creating it imports nothing."""

    source: str
    """A command or its factory, as `module:name` below `codeindex.cli`; or a capability, from which
    it is derived."""
    help: str
    is_hidden: bool = False
    preset: tuple[str, object] | None = None
    """The name and default of one parameter that an alias of another command sets."""


ALL_COMMANDS = "codeindex.all_commands"
"""The key of `click.Context.meta` by which the help lists hidden commands too."""


def _hidden(source: str, help_text: str, preset: tuple[str, object] | None = None) -> CommandEntry:
    return CommandEntry(source, help_text, is_hidden=True, preset=preset)


_FIND = {
    "search": CommandEntry(
        "search:search_command", "Find code by meaning, name, message or pattern."
    ),
    "ask": CommandEntry("ask:ask_command", "Answer a question in sentences that cite their lines."),
    "explore": CommandEntry(
        "combined.explore", "Show the code for a question, with callers and tests."
    ),
    "ui": CommandEntry("ui:ui_command", "Search on a page in the browser."),
    "similar": _hidden("similar:similar_command", "Find code similar to the code at a place."),
    "find": _hidden(
        "combined.find", "Find places by meaning, name, callers, implementers or types."
    ),
    "search-relevant": _hidden(
        "combined.search_relevant", "List places to look at, without the code."
    ),
    "lookup": _hidden("symbols.lookup", "Find declarations by a part of their name."),
    "signatures": _hidden("symbols.signatures", "Find functions by a part of their signature."),
    "explain-search": _hidden("explain.search", "Explain the best results."),
    "why-not": _hidden("explain.why_not", "Explain why a file or symbol is not among the results."),
    "eval": _hidden("eval:eval_command", "Measure searches on this repository's own questions."),
}
_CODE = {
    "read": CommandEntry("read:make_read_command", "Show a symbol, lines or a whole file."),
    "outline": CommandEntry(
        "outline:outline_command", "List what a file declares, or the public API of a folder."
    ),
    "callers": CommandEntry("graph.callers", "List the callers of a function or other symbol."),
    "implementers": CommandEntry(
        "graph.implementers", "List what implements an interface or extends a type."
    ),
    "impact": CommandEntry(
        "graph.impact", "List what a change of a file or symbol may break, and tests to run."
    ),
    "context": CommandEntry(
        "context:make_context_command", "List what else to read or change with a file or symbol."
    ),
    "related-tests": CommandEntry("graph.related_tests", "List the tests that run a symbol."),
    "unused": CommandEntry("graph.unused", "List symbols that nothing seems to use."),
    "show": _hidden("read:make_read_command", "Show a symbol or lines of a file: `read`."),
    "declarations": _hidden("source.declarations", "List the declarations of a file: `outline`."),
    "public-api": _hidden(
        "source.public_api", "List the public API of a file or folder: `outline --public`."
    ),
    "suggest-context": _hidden(
        "context:make_context_command",
        "List what to know before reading a file: `context --before-reading`.",
        ("before_reading", True),
    ),
    "callees": _hidden("graph.callees", "List what a symbol calls, in the order of its lines."),
    "imports": _hidden("graph.imports", "List the imports of a file."),
    "explain-symbol": _hidden("symbols.explain", "Explain how to use a symbol, without its body."),
    "type-flow": _hidden("graph.type_flow", "List the functions that return or take a type."),
    "dependency-graph": _hidden(
        "dependency_graph:make_dependency_graph_command", "Draw the dependencies of files or types."
    ),
    "export-graph": _hidden("graph.export", "Export the graph as JSON."),
    "graph": _hidden("graph:graph_group", "Measure the graph by the index of a compiler."),
}
_REPOSITORY = {
    "summary": CommandEntry(
        "summary:summary_command", "Summarize the repository, a folder, a file or a symbol."
    ),
    "report": CommandEntry(
        "report:report_command", "Report on the repository's state, as text or as a page."
    ),
    "for-diff": CommandEntry(
        "changes.for_diff", "List what else to change or test, given uncommitted changes."
    ),
    "wiki": CommandEntry("wiki:wiki_group", "Keep knowledge about the code as pages beside it."),
    "diff-summary": _hidden(
        "changes.diff_summary", "List the declarations that changed since a commit."
    ),
    "summarize": _hidden(
        "combined.summarize", "Summarize a file, a folder, a glob or a symbol: `summary`."
    ),
    "summaries": _hidden("source.summaries", "Summarize several files: `summary`."),
    "file-context": _hidden(
        "source.file_context",
        "Summarize a file, its importers and its tests: `summary --importers`.",
    ),
    "stats": _hidden(
        "overview.stats", "Count files, lines, symbols and edges: `report --only stats`."
    ),
    "health": _hidden(
        "overview.health",
        "Measure how complex, documented and tested the code is: `report --only health`.",
    ),
    "hotspots": _hidden(
        "overview.hotspots", "List the most complex functions: `report --only hotspots`."
    ),
    "token-estimate": _hidden(
        "source.token_estimate", "Estimate what reading costs: `report --only tokens`."
    ),
    "tree": _hidden("source.tree", "Show the indexed folders and files."),
    "patterns": _hidden("overview.patterns", "Show groups of files of the same structure."),
    "guides": _hidden("overview.guides", "Show navigation documents and what they link to."),
    "modules": _hidden("overview.modules", "List the modules and their descriptions."),
    "members": _hidden("overview.members", "List the members of the workspace."),
    "regenerate-index": _hidden(
        "overview.regenerate_index", "Write INDEX.md, a map of the repository on one page."
    ),
}
_INDEX = {
    "index": CommandEntry("index:index_command", "Index a repository, so that it can be searched."),
    "sync": CommandEntry("sync:sync_command", "Bring this repository's index, or all, up to date."),
    "status": CommandEntry("status:status_command", "Show what is indexed, and how fresh it is."),
    "clear": CommandEntry(
        "clear:clear_command", "Delete an index, all data, or what is not needed."
    ),
    "files": _hidden("files:files_command", "List what is indexed, or what is not and why."),
    "repos": _hidden("repos:repos_command", "List the repositories that have an index."),
    "watch": _hidden("watch:watch_command", "Keep indexes up to date while files change."),
    "invalidate": _hidden("admin.invalidate", "Make the next sync read every file again."),
    "invalidate-file": _hidden("admin.invalidate_file", "Index a file's change now."),
    "verify": _hidden("verify:verify_command", "Compare an index with the files and with itself."),
    "repair": _hidden("repair:repair_command", "Rebuild what is broken in an index."),
    "gc": _hidden("clear:gc_command", "Delete data that is not needed: `clear --unneeded`."),
    "cache": _hidden("cache:cache_group", "Show how useful the caches are, or empty them."),
    "export": _hidden("export:export_command", "Write the index as a bundle for colleagues."),
    "import": _hidden(
        "import_bundle:import_command", "Index with a bundle of a colleague: `index --from`."
    ),
    "cluster": _hidden(
        "cluster:cluster_group", "Build and search many repositories on several machines."
    ),
    "upgrade-embeddings": _hidden(
        "upgrade_embeddings:upgrade_embeddings_command",
        "Change the embedding model, and keep the old vectors until you are sure.",
    ),
}
_SETUP = {
    "init": CommandEntry("init:init_command", "Set up coding agents for a repository."),
    "serve": CommandEntry("serve:serve_command", "Serve coding agents by MCP."),
    "doctor": CommandEntry(
        "doctor:doctor_command", "Check the installation, and advise what to do."
    ),
    "config": CommandEntry("config:config_group", "Show settings and where they come from."),
    "models": _hidden("models:models_group", "List, download, check and add models."),
    "secrets": _hidden("secrets:secrets_group", "Review redacted secrets."),
    "hooks": _hidden("hooks:hooks_group", "Have git keep an index up to date."),
    "hook": _hidden("hook:hook_command", "Answer a coding agent's hook."),
    "metrics": _hidden("metrics:metrics_command", "Show how codeindex was used on this machine."),
    "logs": _hidden("logs:logs_command", "Show the logs of indexing and serving."),
    "completions": _hidden(
        "completions:completions_command",
        "Teach a shell to complete commands, options and repositories.",
    ),
    "help": _hidden("help:help_command", "Show help; --all lists every command."),
}

COMMAND_GROUPS: Mapping[str, Mapping[str, CommandEntry]] = {
    "Find": _FIND,
    "Code": _CODE,
    "Repository": _REPOSITORY,
    "Index": _INDEX,
    "Setup": _SETUP,
}
"""The entries of the commands by the title of their group and by name."""
COMMANDS: Mapping[str, CommandEntry] = {
    name: entry for group in COMMAND_GROUPS.values() for name, entry in group.items()
}
"""The entry of each command by its name."""

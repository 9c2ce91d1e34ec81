"""Write guidance for agents about our tools: a block in their guide file, and a sub-agent."""

from __future__ import annotations

from pathlib import Path

from codeindex.clients.server_entry import SERVER_NAME
from codeindex.clients.text_edits import MarkedBlock, OwnedFile

DEFAULT_TOOLS = (
    *("explore_code", "search_code", "find_symbol"),
    *("summarize_code", "read_code", "batch_code"),
)
"""Names of the tools that `codeindex serve` lists by default."""
GUIDE = """\
## Finding code

The MCP server `codeindex` has an index of this repository. Results match the files on disk.

- `explore_code`: a question in one call: the code, its callers and its tests. Start here.
- `search_code`: find code by what it does, when you don't know its names.
- `find_symbol`: a symbol by name; with `mode`: callers, callees, implementers, tests, impact, flow.
- `summarize_code`: what a file or folder holds; cheaper than reading it.
- `read_code`: a symbol or some lines of a file, instead of all of it.
- `batch_code`: several of these requests in one call.

For an exact string or a regular expression, grep is as good."""
_SIGN = "# written by `codeindex init`"
_DESCRIPTION = (
    "Finds where and how something is done in this repository. Use it for questions that take"
    " several searches; it reads the code in a context of its own and reports places and reasons."
)
_STEPS = """\
You answer questions about this repository from its index.

1. Ask `explore_code` the whole question first.
2. Fill gaps: `search_code` by meaning; `find_symbol` once you know a name, with `mode` callers,
   callees, implementers, tests or impact.
3. Look at a file with `summarize_code` before you `read_code` the symbols or lines that matter.

Report `path:line` for each place that matters, one sentence on what it does, and what you did not
find. Quote only the lines that prove your answer.
"""


def guide_block(file: Path) -> MarkedBlock:
    """Return an edit that adds our instructions to a guide file, such as `CLAUDE.md`."""
    return MarkedBlock(file, GUIDE, "<!-- codeindex:begin -->", "<!-- codeindex:end -->")


def subagent_file(file: Path) -> OwnedFile:
    return OwnedFile(file, subagent_text(SERVER_NAME, sign=_SIGN), _SIGN)


def subagent_text(server: str, *, sign: str = "") -> str:
    """Return the text of the file that defines our sub-agent for Claude Code.

    `server` is the server's name as part of tool names, `mcp__SERVER__TOOL`. `sign` is a YAML
    comment that marks the file as ours.
    """
    tools = ", ".join(f"mcp__{server}__{tool}" for tool in DEFAULT_TOOLS)
    lines = [sign, f"name: {SERVER_NAME}", f"description: {_DESCRIPTION}", f"tools: {tools}"]
    return "\n".join(["---", *filter(None, lines), "---", "", _STEPS])

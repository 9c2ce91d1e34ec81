"""What agents are told about our tools: a block in their guide, and a sub-agent."""

from __future__ import annotations

from pathlib import Path

from codeindex.clients.block import Block, Whole
from codeindex.clients.server import NAME

DEFAULT_TOOLS = ("explore_code", "search_code", "find_symbol", "summarize_code", "read_code")
"""Names of the tools that `codeindex serve` lists by default."""
GUIDE = """\
## Finding code

The MCP server `codeindex` has an index of this repository. Results match the files on disk.

- `explore_code`: a question in one call: the code, its callers and its tests. Start here.
- `search_code`: find code by what it does, when you don't know its names.
- `find_symbol`: a symbol by name; with `mode`: callers, callees, implementers, tests, impact, flow.
- `summarize_code`: what a file or folder holds; cheaper than reading it.
- `read_code`: a symbol or some lines of a file, instead of all of it.

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


def guide(file: Path) -> Block:
    """Return the block for `CLAUDE.md` or `AGENTS.md`."""
    return Block(file, GUIDE, "<!-- codeindex:begin -->", "<!-- codeindex:end -->")


def subagent(file: Path) -> Whole:
    return Whole(file, subagent_text(NAME, sign=_SIGN), _SIGN)


def subagent_text(server: str, *, sign: str = "") -> str:
    """Return the definition of Claude Code's sub-agent.

    `server` is the name of the server in the names of its tools; `sign` is a comment of YAML.
    """
    tools = ", ".join(f"mcp__{server}__{tool}" for tool in DEFAULT_TOOLS)
    lines = [sign, f"name: {NAME}", f"description: {_DESCRIPTION}", f"tools: {tools}"]
    return "\n".join(["---", *filter(None, lines), "---", "", _STEPS])

"""What agents are told about our tools: a block in their guide, and a sub-agent."""

from __future__ import annotations

from pathlib import Path

from codeindex.clients.block import Block, Whole
from codeindex.clients.server import NAME

_GUIDE = """\
## Finding code

The MCP server `codeindex` has an index of this repository.

- `search_code`: find code by what it does, when you don't know its names.
- `find`: symbols by name, their callers, signatures.
- `summarize`: what a file or folder holds; cheaper than reading it, so do it first.
- `read`: a symbol or some lines of a file, instead of all of it.

For an exact string or a regular expression, grep is as good."""
_SIGN = "# written by `codeindex init`"
_TOOLS = ("search_code", "find", "summarize", "read")
_SUBAGENT = f"""\
---
{_SIGN}
name: {NAME}
description: Finds where and how something is done in this repository. Use it for questions that \
take several searches; it reads the code in a context of its own and reports places and reasons.
tools: {", ".join(f"mcp__{NAME}__{tool}" for tool in _TOOLS)}
---

You answer questions about this repository from its index.

1. Search by meaning with `search_code`; use `find` once you know a name, and for its callers.
2. Look at a file with `summarize` before you `read` the symbols or lines that matter.
3. Follow callers and callees until you can say how the parts work together.

Report `path:line` for each place that matters, one sentence on what it does, and what you did not
find. Quote only the lines that prove your answer.
"""


def guide(file: Path) -> Block:
    """Return the block for `CLAUDE.md` or `AGENTS.md`."""
    return Block(file, _GUIDE, "<!-- codeindex:begin -->", "<!-- codeindex:end -->")


def subagent(file: Path) -> Whole:
    return Whole(file, _SUBAGENT, _SIGN)

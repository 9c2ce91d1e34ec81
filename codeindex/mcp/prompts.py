"""Offer MCP prompts: common questions about a repository, and the tools that answer them."""

from __future__ import annotations

from typing import Any

import mcp_types
from mcp.shared.exceptions import MCPError

from codeindex.redact_query import redact_text

_PROMPTS = {
    "explain_area": (
        "Explain an area of the code.",
        "area",
        "What to explain: a feature, folder, file or symbol.",
        (
            "Explain how {area} works in this repository. Ask explore_code first, then find what is"
            " missing with search_code, sum up files with summarize_code, read what matters with"
            " read_code, and follow calls with find_symbol (mode callers, callees or flow). Name"
            " file and line for every claim; say what you did not find."
        ),
    ),
    "change_impact": (
        "Tell what a change will break.",
        "subject",
        "What is to be changed: a symbol or a file.",
        (
            "I am going to change {subject}. With find_symbol in the modes impact, context and"
            " tests, list what depends on it (certain and possible apart), what usually changes"
            " with it, and which tests to run. Name file and line for every claim."
        ),
    ),
}


async def list_prompts(*_: Any) -> mcp_types.ListPromptsResult:
    return mcp_types.ListPromptsResult(
        prompts=[
            mcp_types.Prompt(
                name=name,
                description=text,
                arguments=[
                    mcp_types.PromptArgument(name=argument, description=what, required=True)
                ],
            )
            for name, (text, argument, what, _) in _PROMPTS.items()
        ]
    )


async def get_prompt(_: Any, params: mcp_types.GetPromptRequestParams) -> mcp_types.GetPromptResult:
    """Return a prompt with its argument filled in.

    Raise MCPError for an unknown prompt or a missing argument.
    """
    if params.name not in _PROMPTS:
        name = redact_text(params.name)
        raise MCPError(mcp_types.INVALID_PARAMS, f"There is no prompt {name!r}.")
    text, argument, what, template = _PROMPTS[params.name]
    value = (params.arguments or {}).get(argument, "").strip()
    if not value:
        raise MCPError(mcp_types.INVALID_PARAMS, f"{argument!r} is missing: {what}")
    message = mcp_types.PromptMessage(
        role="user", content=mcp_types.TextContent(text=template.format(**{argument: value}))
    )
    return mcp_types.GetPromptResult(description=text, messages=[message])

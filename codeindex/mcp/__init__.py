"""The MCP server: tools, resources and prompts over `Index`, by standard input and output or HTTP.

Only `server`, `stdio` and `http` know the SDK, whose import takes a second; what a tool does and
takes is said without it, in `tools` and `arguments`.
"""

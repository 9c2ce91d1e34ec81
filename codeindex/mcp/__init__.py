"""The MCP server: tools, resources and prompts over `Index`, by standard input and output or HTTP.

What a tool does and takes is said without the SDK, whose import takes a second, in `tools` and
`arguments`, what it answers in `shape`; `address` and `door` say who may come in by HTTP.
"""

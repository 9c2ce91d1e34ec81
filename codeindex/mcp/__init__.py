"""The MCP server: tools, resources and prompts over `Index`, by standard input and output or HTTP.

In: MCP messages and HTTP requests. Out: replies as text for agents or JSON for programs. It must
not know how a capability works: `tools` lists them, and their requests define the parameters. The
tool modules do not import the MCP SDK, which takes a second to load.
"""

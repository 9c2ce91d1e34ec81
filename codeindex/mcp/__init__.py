"""Serve `Index` by MCP as tools, resources and prompts, over standard input and output or HTTP.

In: MCP messages and HTTP requests. Out: replies as text for agents or JSON for programs. The
package must not know how a capability works: `mcp.tools` lists the capabilities, and their requests
define the parameters. The tool modules do not import the MCP SDK, which takes a second to load.
"""

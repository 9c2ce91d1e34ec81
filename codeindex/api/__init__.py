"""The public library: `Index`, `Workspace`, and a request type for each capability.

In: paths, settings and request objects. Out: answers and reports. It must not know click, MCP or
any other surface.
"""

"""The public library: `Index`, `Workspace` and the request types of everything they answer.

In: paths, settings and request objects. Out: answers and reports.
It must not know click, MCP or any other surface.
"""

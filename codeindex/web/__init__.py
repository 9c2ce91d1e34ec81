"""The search page: static files that a browser loads, without a build step or a network.

The page gets all its data from the JSON routes of `mcp/web_routes.py`; nothing here reads an index.
"""

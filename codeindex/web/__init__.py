"""The search page: static files that a browser loads, without a build step or a network.

The page gets its data from the JSON routes of `mcp/web_routes.py`. In an exported site, it gets
them from files that `static_site.py` writes.
"""

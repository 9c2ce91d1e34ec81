"""Set up the clients that start our MCP server.

In: a repository and the user's options. Out: edits of the clients' settings files. The package
must not know how questions are answered.
"""

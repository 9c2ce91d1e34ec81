"""Hooks of coding agents and of git.

In: events of an agent (`codeindex hook EVENT [FILE]`) or of git. Out: text for the agent's context,
and syncs in background processes. It must not know the command line. A client waits for its hook:
whatever happens, it ends soon, with status 0, and imports little.
"""

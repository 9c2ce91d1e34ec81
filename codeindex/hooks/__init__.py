"""Answer the hooks of coding agents and of git.

In: events of an agent (`codeindex hook EVENT [FILE]`) or of git. Out: text for the agent's context,
and syncs in background processes. The package must not know the command line. A client waits for
its hook, so a hook imports little, ends soon, and always has status 0.
"""

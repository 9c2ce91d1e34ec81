"""Keep indexes up to date in the background: for `codeindex watch`, and in every server.

In: indexes and file events. Out: syncs, INDEX.md, drafts for the wiki. The command line and MCP are
not used here; only `events` imports watchfiles.
"""

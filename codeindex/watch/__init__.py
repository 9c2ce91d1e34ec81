"""Keep indexes up to date in the background: for `codeindex watch`, and in every server.

In: indexes and file events. Out: syncs, INDEX.md, drafts for the wiki.
It knows neither the command line nor MCP; `events` is the only module that knows watchfiles.
"""

"""Keeping indexes up to date by themselves: for `codeindex watch`, and in every server.

`background` has the thread that syncs, `watcher` those that notice changes; what is worth watching
is in `territory`, and `events` is the only module that knows watchfiles.
"""

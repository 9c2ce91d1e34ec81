"""Check the machine, the data folder, the models, an index and clients: `codeindex doctor`.

In: a path. Out: verdicts with remedies. A check is a generator of verdicts; it must not raise, use
the network, wait for a lock or change anything. All checks together take less than a second.
"""

"""What clients call before and after they touch files: `codeindex hook EVENT [FILE]`.

A hook is in the way of its client, so it is never an error: whatever happens it ends with status 0,
soon, and prints nothing unless it has something to say. It imports little, reads the catalog as it
is, and starts a sync only in another process, of what was indexed before.
"""

"""What is wrong on this machine and with this index, and what to do about it.

Each check is a generator of verdicts, none of which raises, asks the network, waits for a lock or
changes anything. Together they take less than a second.
"""

"""Object stores: named blobs in a place that several machines share, such as a folder or bucket.

In: names and bytes. Out: bytes. They do not depend on indexes or on what the blobs contain.
"""

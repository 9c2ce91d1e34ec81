"""Object stores: named blobs in a folder that several machines share.

Input: names and bytes. Output: bytes. They know nothing of indexes or of what the blobs mean.
"""

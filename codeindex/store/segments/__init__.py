"""Write and read segments: immutable, memory-mapped files of postings or vectors.

In: words or unit vectors of chunks. Out: arrays, with checksums that the catalog records. Models
and queries are unknown here. The rows of a changed chunk go to a new segment.
"""

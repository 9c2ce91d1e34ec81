"""Immutable, memory-mapped files that searches scan: postings of words, and vectors.

In: terms or unit vectors of chunks. Out: arrays, with checksums that the catalog records.
It knows neither models nor queries; a changed chunk goes to a new segment.
"""

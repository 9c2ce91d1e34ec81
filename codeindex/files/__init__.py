"""Open files safely, compute digests, map arrays, and parse package manifests.

In: paths below a root. Out: bytes, digests, arrays, parsed manifests.
It never follows a link out of the root, and it knows nothing about indexes.
"""

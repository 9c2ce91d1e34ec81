"""Open files safely, digest them, map arrays, parse package manifests.

In: paths below a root. Out: bytes, digests, arrays, parsed manifests.
It never follows a link out of the root and knows no index.
"""

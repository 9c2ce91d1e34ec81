"""Bundles: the parses, edges and vectors of an index in files that a whole team can use.

Input: the parts of a bundle. Output: prepared files, edges and vectors for those files of this
checkout that equal the exported ones. A bundle is untrusted: nothing in it is executed, and what
can be checked against the checkout is checked.
"""

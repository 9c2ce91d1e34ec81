"""Bundles: what an index knows of its files, written once and used by a whole team.

Input: the parts of a bundle. Output: prepared files, edges and vectors for the files of this
checkout that are equal. A bundle is untrusted: nothing of it is executed, and what can be checked
against the checkout is checked.
"""

"""Keep the wiki: markdown pages in the repository that cite lines of code, and are checked.

In: pages in `.codeindex/wiki` and the work tree. Out: written pages, search results, stale pages.
It uses neither the catalog nor the search of code; callers pass in what changed since a commit.
"""

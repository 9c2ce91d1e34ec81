"""Keep the wiki: markdown pages in the repository, whose citations are checked against the code.

In: pages in `.codeindex/wiki` and the work tree. Out: written pages, search results, stale pages.
It knows neither the catalog nor search; callers pass in what changed since a commit.
"""

"""The wiki: markdown pages in the repository, with citations that are checked against the code.

In: pages in `.codeindex/wiki` and the work tree. Out: written pages, search results, staleness.
It knows neither the catalog nor search; what changed since a commit is passed in.
"""

"""What clients install from: a plugin, a registry entry, a bundle and an extension.

In: the project's metadata. Out: texts of files by path. For maintainers, so not in the wheel:
`python -m codeindex.clients.distribution` writes them all.
"""

"""Generate what clients install from: a plugin, a registry entry, a bundle and an extension.

In: the project's metadata. Out: texts of files by path. The package is for maintainers and not in
the wheel: `python -m codeindex.clients.distribution` writes all files.
"""

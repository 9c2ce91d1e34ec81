"""Find relations between symbols: callers, implementers, impact, tests, imports, unused symbols.

In: a symbol or file. Out: related symbols, with certain and possible ones apart. The package reads
stored edges; it knows no search scores.
"""

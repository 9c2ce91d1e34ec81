"""Find relations between symbols: callers, implementers, impact, tests, imports, unused symbols.

In: a symbol or file. Out: related symbols, with certain and possible ones apart. It knows stored
edges only, never source text or search scores.
"""

"""Answer questions about code from the catalog and the graph; each module answers one question.

In: a catalog connection, and the symbol, file or folder in question. Out: frozen reports. The
package never writes an index, parses source or ranks search results. Its folders depend on each
other in this order: relations, then outline and change, then repository, then overview.
"""

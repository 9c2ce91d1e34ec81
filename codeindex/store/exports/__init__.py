"""Copies of the catalog for other programs: a vector index (Chroma) and a graph (networkx).

In: one published generation. Out: files that `generations` names; each can be deleted.
Only `chroma_child` imports chromadb, only `networkx_graph` imports networkx.
"""

"""Export a generation as a vector index (Chroma) and as a graph (networkx).

In: one published generation. Out: files recorded in the table `generations`; each can be deleted.
Only `chroma_child` imports chromadb, and only `networkx_graph` imports networkx.
"""

"""Parse a file with tree-sitter: symbols, documentation, complexity, relations.

In: redacted text and a `Language`. Out: plain values that travel as JSON.
It runs in a worker process and knows no other file.
"""

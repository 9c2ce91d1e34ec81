"""Code intelligence: what the catalog and the graph say about code, a tool a file."""

"""Jupyter notebooks: their cells, without what running them printed."""

from codeindex.languages._base import Language

LANGUAGE = Language(name="notebook", suffixes=(".ipynb",), prose=True, document="cell")

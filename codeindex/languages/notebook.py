"""Jupyter notebooks: cells without their outputs."""

from codeindex.languages._base import Language

LANGUAGE = Language(name="notebook", suffixes=(".ipynb",), prose=True, document="cell")

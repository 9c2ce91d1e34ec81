"""Define Jupyter notebooks, whose cells are indexed without their outputs."""

from codeindex.languages._base import Language

LANGUAGE = Language(
    name="notebook", suffixes=(".ipynb",), prose=True, document="cell", calls=("python", "julia")
)

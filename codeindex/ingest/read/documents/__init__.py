"""Extract the text of PDFs and notebooks, page by page or cell by cell.

In: the bytes of a document. Out: `DocumentText`, or NotTextError with the reason.
It runs in killable processes and does not know how text is cut into chunks.
"""

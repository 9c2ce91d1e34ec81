"""PDFs and notebooks for tests, written by hand so that it is known what is in them."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence

_LINE = 14
_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def pdf(pages: Sequence[str], *, titles: Sequence[tuple[str, int]] = ()) -> bytes:
    """Write a PDF whose pages have these texts, and whose bookmarks lead to pages from 1."""
    objects: list[bytes] = [b"", b"", _FONT]
    kids = []
    for text in pages:
        objects += [_stream(text), b""]
        kids.append(len(objects))
        objects[-1] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects) - 1} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        ).encode()
    listed = " ".join(f"{one} 0 R" for one in kids)
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{listed}] >>".encode()
    outline = ""
    if titles:
        first = len(objects) + 2
        outline = f"/Outlines {first - 1} 0 R"
        last = first + len(titles) - 1
        ends = f"/First {first} 0 R /Last {last} 0 R"
        objects.append(f"<< /Type /Outlines {ends} /Count {len(titles)} >>".encode())
        for at, (title, page) in enumerate(titles):
            after = f"/Next {first + at + 1} 0 R" if first + at < last else ""
            objects.append(
                f"<< /Title ({title}) /Parent {first - 1} 0 R {after}"
                f" /Dest [{kids[page - 1]} 0 R /Fit] >>".encode()
            )
    objects[0] = f"<< /Type /Catalog /Pages 2 0 R {outline} >>".encode()
    return _file(objects)


def _stream(text: str) -> bytes:
    shown = []
    for at, line in enumerate(text.split("\n")):
        safe = line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        for column, cell in enumerate(safe.split("\t")):
            place = f"1 0 0 1 {72 + 150 * column} {720 - _LINE * at} Tm"
            shown.append(f"{place} ({cell}) Tj")
    content = ("BT /F1 12 Tf " + "\n".join(shown) + " ET").encode()
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)


def _file(objects: Sequence[bytes]) -> bytes:
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, io.SEEK_END)
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    for place in places:
        out.write(b"%010d 00000 n \n" % place)
    out.write(b"trailer << /Size %d /Root 1 0 R >>\n" % (len(objects) + 1))
    out.write(b"startxref\n%d\n%%%%EOF\n" % start)
    return out.getvalue()


def encrypted(data: bytes, *, password: str) -> bytes:
    """Lock a PDF; with no password everybody may read it, as many manuals are."""
    from pypdf import PdfWriter

    writer = PdfWriter(io.BytesIO(data))
    writer.encrypt(password, owner_password="owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def notebook(*cells: tuple[str, str], output: str = "") -> str:
    """Write a notebook of (kind, text) cells; each cell of code has printed `output`."""
    listed = [
        {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True)}
        | ({"outputs": [{"output_type": "stream", "text": [output]}]} if kind == "code" else {})
        for kind, text in cells
    ]
    about = {"language_info": {"name": "python"}}
    return json.dumps({"cells": listed, "metadata": about, "nbformat": 4, "nbformat_minor": 5})

"""Read and parse all files again, and compare the result with the catalog (deep checks only)."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any

from codeindex.ingest.discover.files import discover
from codeindex.maintenance.checks.context import REPAIR, CheckContext
from codeindex.store.catalog.verification import prepared_columns, read_digests
from codeindex.text.truncate import name_some
from codeindex.types import PreparedFile
from codeindex.types.verdicts import Verdict, note, ok, problem


def check_reparse(context: CheckContext) -> Iterator[Verdict]:
    """In a deep check, read and parse every file again; compare the result with the catalog."""
    if not context.deep:
        return
    if context.generation.settings != context.sync_context.settings:
        text = "the settings have changed, so the next sync reads every file again"
        yield note("files", text, remedy="run `codeindex index`")
        return
    known = read_digests(context.connection)
    files = discover(context.repository.root, config=context.sync_context.config).files
    new = tuple(file.path for file in files if file.path not in known)
    if new:
        yield note(
            "files", f"{name_some(new)}: not indexed yet", remedy="run `codeindex index`", names=new
        )
    again = context.sync_context.worker_pool().prepare(
        [file for file in files if file.path in known]
    )
    read = [file for file in again if file.digest == known[file.path]]
    wrong = tuple(sorted(file.path for file in read if _differs(context, file)))
    if wrong:
        text = f"{name_some(wrong)}: parsed again, they differ from what is stored"
        yield problem("files", text, remedy=REPAIR, names=wrong)
    else:
        yield ok("files", f"{len(read):,} parsed again, with the same result")


def _differs(context: CheckContext, file: PreparedFile) -> bool:
    return prepared_columns(context.connection, file.path) != _as_stored(file)


def _as_stored(file: PreparedFile) -> list[Any]:
    """Return a newly prepared file in the form that `prepared_columns` returns for stored ones."""
    identifiers = struct.pack(f"<{len(file.identifiers)}I", *file.identifiers)
    chunks = [
        (
            *(chunk.start_line, chunk.end_line, chunk.kind, chunk.symbol, chunk.heading),
            *(int(chunk.has_secrets), chunk.page, chunk.text),
        )
        for chunk in (prepared.chunk for prepared in file.chunks)
    ]
    packed = [(prepared.chunk.context, prepared.tokens) for prepared in file.chunks]
    symbols = [
        (
            *(symbol.qualified, symbol.kind, symbol.line, symbol.start_line, symbol.end_line),
            *(symbol.signature, symbol.doc),
        )
        for symbol in file.symbols
    ]
    relations = file.relations
    findings = json.dumps(file.findings)
    values = [file.status, file.lines, file.language, identifiers, findings]
    related = (relations.declared, relations.used, relations.interface)
    return [*values, chunks, packed, symbols, [related]]

"""Write an index as a bundle: `codeindex export`."""

from __future__ import annotations

from dataclasses import asdict

import click

import codeindex
from codeindex.cli.options import json_option, path_argument
from codeindex.cli.output import format_megabytes, print_json, print_line
from codeindex.cli.scope import refuse_link_out
from codeindex.types.report import plural


@click.command()
@path_argument
@click.option("--to", "place", required=True, metavar="PLACE", help="A folder or URL.")
@json_option
def export_command(path: str, *, place: str, as_json: bool) -> None:
    """Write the index of PATH as a bundle, which colleagues import instead of indexing.

    PLACE is a folder, s3://bucket/path, or https://… for a server that takes PUT.

    A bundle has no source text, but names, signatures, documentation and vectors. An earlier bundle
    in the place is replaced. `codeindex index --from PLACE` uses it.
    """
    from codeindex.store.objects.open import local_folder  # no other command needs it

    with codeindex.Index.open(path) as index:
        if folder := local_folder(place):
            refuse_link_out(folder, index.root)
        summary = index.admin.export_bundle(place)
    manifest = summary.manifest
    if as_json:
        print_json({**asdict(summary), "total_bytes": summary.total_bytes})
        return
    vectors = sum(part.rows for part in manifest.vectors)
    print_line(
        f"{manifest.repository}: {plural(manifest.files, 'file')}, {plural(vectors, 'vector')} in"
        f" {summary.place} ({format_megabytes(summary.total_bytes)},"
        f" {format_megabytes(summary.new_bytes)} new)"
    )

"""Bring an index up to date and list what is in it: `python sync_and_status.py REPOSITORY`."""

import sys

from codeindex import Index


def main(root: str) -> None:
    with Index.open(root) as index:
        report = index.sync(structure_only=True)
        print(f"{report.added} added, {report.changed} changed, {report.removed} removed")
        for file in report.failed:
            print(f"failed: {file.path} ({file.reason})")

        status = index.status()
        print(f"version {status.version}: {status.files} files, {status.symbols} symbols")
        print(", ".join(f"{name} {count}" for name, count in sorted(status.languages.items())))
        for file in index.skipped():
            print(f"not indexed: {file.path} ({file.reason})")


if __name__ == "__main__":
    main(*sys.argv[1:])

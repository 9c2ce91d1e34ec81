"""List every line that matches, like grep: `python every_line.py REPOSITORY PATTERN`.

Lines are not ranked. A limit truncates the list of lines, but the counts are of all matches.
Secrets are replaced before the pattern is matched.
"""

import sys

from codeindex import Index


def main(root: str, pattern: str) -> None:
    with Index.open(root) as index:
        found = index.exact.grep(pattern, mode="regex", limit=5)
        for line in found.lines:
            print(f"{line.path}:{line.line}: {line.text.strip()}")
        print(f"{sum(found.counts.values())} lines in {len(found.counts)} files")


if __name__ == "__main__":
    main(*sys.argv[1:])

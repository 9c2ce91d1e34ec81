"""Questions for files of a project, such as settings: `project_questions.py TREES [--show]`.

A row of `golden/project.tsv` has a set of questions, owner/name and commit of a repository, a
subject, a question, and globs of the files that answer it. The set `made` was made from the files
that repositories have, by name and content; somebody wrote the others and chose their files before
any answer was seen. Those of `code` have similar words and are answered by code. TREES holds a work
tree for each repository, named as it is without its owner; what is not there is left out. Prints
for each set, and for each subject of `made`, how often the first of ten hits of `Index.search` is
of a right file, how often another one is, and how often nothing is shown. With --show the questions
whose first hit is wrong.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from fnmatch import fnmatchcase
from pathlib import Path

from places import parsed_arguments, print_figures
from searched import Level, indexed

_GOLDEN = Path(__file__).parent / "golden" / "project.tsv"
_HITS = 10


def judged(tree: Path, level: Level, home: Path, rows: list[list[str]]) -> list[dict[str, bool]]:
    """Ask the questions of one repository; return for each whether files of its hits are right."""
    found = []
    with indexed(tree, level, home) as index:
        for *_, question, globs in rows:
            files = dict.fromkeys(hit.path for hit in index.search(question, limit=_HITS).hits)
            right = [any(fnmatchcase(path, glob) for glob in globs.split()) for path in files]
            found.append({"first": any(right[:1]), "of ten": any(right), "nothing": not files})
    return found


def main() -> None:
    args = parsed_arguments(__doc__)
    by_repo: dict[str, list[list[str]]] = defaultdict(list)
    with _GOLDEN.open(encoding="utf-8", newline="") as lines:
        for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            by_repo[row[1]].append(row)
    figures: dict[str, list[dict[str, bool]]] = defaultdict(list)
    for repo, rows in by_repo.items():
        tree = args.trees / repo.partition("/")[2]
        if not tree.is_dir():
            print(f"{repo}: no work tree")
            continue
        for row, found in zip(rows, judged(tree, args.level, args.work, rows), strict=True):
            figures[" ".join(filter(None, (row[0], row[3])))].append(found)
            if args.show and not found["first"]:
                print(f"  {repo}: {row[4]}")
    for name in sorted(figures):
        print_figures(name, figures[name])


if __name__ == "__main__":
    main()

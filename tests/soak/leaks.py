"""Plant secrets of every kind, index with everything on, use everything, and look for them.

    python -m tests.soak.leaks [ROUNDS]

Prints what was planted and what was found, by shape; nothing is to be found. What is looked for is
said in `scanning.py`, what is planted in `planting.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from codeindex import Index
from tests.conftest import made_repository
from tests.soak.planting import TOKENS, Planted, planted
from tests.soak.scanning import dresses, kept
from tests.soak.sweeping import printed, told

_IDENTITY = ("-c", "user.name=T", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")
_IGNORED = "conf/ignored.env.txt"


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret, or what gives it away, and where it was found."""

    shape: str
    path: str
    place: str


def plant(folder: Path, *, rounds: int) -> tuple[Path, list[Planted]]:
    """Make a repository with secrets in files, commits, a branch's name and an ignored file."""
    import random

    files, secrets = planted(7, rounds=rounds)
    root = made_repository(folder / "planted", {"README.md": "# Planted\n", **files})
    chance = random.Random(8)
    message, branch, ignored = (TOKENS[one](chance) for one in ("github", "gitlab", "npm"))
    (root / ".gitignore").write_text(f"{_IGNORED}\n")
    (root / _IGNORED).write_text(f"{ignored}\n")
    (root / "app/a0.py").write_text(
        (root / "app/a0.py").read_text() + "\n\ndef later():\n    pass\n"
    )
    for words in (("checkout", "-qb", f"fix-{branch}"), ("add", "-A"), ("commit", "-qm", message)):
        subprocess.run(["git", *_IDENTITY, *words], cwd=root, check=True)
    return root, [
        *secrets,
        Planted("a commit's message", ".git", message),
        Planted("a branch's name", ".git", branch),
        Planted("an ignored file", _IGNORED, ignored),
    ]


def leaks(secrets: Iterable[Planted], places: Iterable[tuple[str, bytes]]) -> Iterator[Leak]:
    """Yield each secret that one of `places` gives away."""
    held = [(place, data.lower()) for place, data in places]
    whole = b"\0".join(data for _, data in held)
    for one in secrets:
        for look in dresses(one.secret):
            if look in whole:
                yield from (Leak(one.shape, one.path, at) for at, data in held if look in data)


def pasted_of(secrets: Sequence[Planted]) -> list[str]:
    """Return what people paste into queries: tokens as they are, passwords with their name."""
    tokens = [one.secret for one in secrets if " token " in one.shape][:6]
    passwords = [one.secret for one in secrets if one.shape == "password in Python"][:2]
    return [
        *tokens,
        *(f"who uses {one} here" for one in tokens[:2]),
        *(f'password = "{one}"' for one in passwords),
    ]


def said(root: Path, secrets: Sequence[Planted]) -> Iterator[tuple[str, bytes]]:
    """Use every command and tool; what they say is a place to look in."""
    pasted = pasted_of(secrets)
    for place, text in (*printed(pasted=pasted), *told(root, pasted=pasted)):
        yield place, text.encode()


def table(secrets: Sequence[Planted], found: Sequence[Leak]) -> Iterator[str]:
    count = Counter(one.shape for one in secrets)
    leaked: Mapping[str, int] = Counter(
        shape for shape, _ in {(one.shape, one.path) for one in found}
    )
    for shape in sorted(count, key=lambda one: (-leaked.get(one, 0), one)):
        yield f"{shape:40} planted {count[shape]:3}  found {leaked.get(shape, 0):3}"
    yield f"{'all':40} planted {sum(count.values()):3}  found {sum(leaked.values()):3}"
    for one in found[:40]:
        yield f"  {one.shape} of {one.path}: in {one.place}"


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home = Path(name) / "home"
        os.environ |= {"CODEINDEX_HOME": str(home), "CODEINDEX_CONFIG": str(folder / "config")}
        os.environ["HF_HUB_OFFLINE"] = "1"
        root, secrets = plant(folder, rounds=rounds)
        with Index.open(root) as index:
            report = index.sync()
        left_out = len(report.skipped)
        print(f"{report.added} files indexed, {left_out} left out, model {index.model_choice}")
        os.chdir(root)
        answers = list(said(root, secrets))
        places = list(kept(home))
        for what, these in (("answers", answers), ("files and tables", places)):
            size = sum(len(data) for _, data in these) / 1e6
            print(f"{len(these)} {what}, {size:.1f} MB, were looked through")
        found = list(dict.fromkeys((*leaks(secrets, answers), *leaks(secrets, places))))
        os.chdir("/")
        print(*table(secrets, found), sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

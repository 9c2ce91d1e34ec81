"""A repository that a report has something to say of, and names that would break a page."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from codeindex import Index
from tests.conftest import made_repository, own_data

HARD = "def hard(a, b):\n" + "".join(f"    if a == {n}:\n        b += {n}\n" for n in range(14))
HOSTILE = (
    "src/odd/<",
    "script><script>window.escaped=1<",
    "script><b onmouseover=x>.py",
)  # joined by slashes they end a script
FILES: dict[str, str | bytes] = {
    "src/shop/pay.py": f"from shop import cart\n\n\n{HARD}    return cart.total(b)\n",
    "src/shop/cart.py": 'def total(items):\n    """Add up."""\n    return items\n',
    "src/shop/free.py": "def gift():\n    return 0\n",
    "tests/test_pay.py": "from shop.pay import hard\n\n\ndef test_hard():\n    assert hard(1, 1)\n",
    "src/shop/keys.py": 'TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ0123"\n',
    "/".join(HOSTILE): "def odd():\n    pass\n",
    "src/odd/turn\u202eyp.py": "def turned():\n    pass\n",
    "src/odd/line\u2028end.py": "def ended():\n    pass\n",
    "logo.png": b"\x89PNG\0",
    ".env": "PASSWORD=hunter2hunter2\n",
    "README.md": "# Shop\n\nSells things.\n",
}


@contextmanager
def reported_shop(folder: Path) -> Iterator[Path]:
    """Index it, after `pay` and `free` have changed together four times."""
    with own_data(folder):
        root = made_repository(folder / "shop", FILES)
        for number in range(4):
            for name in ("pay", "free"):
                with (root / f"src/shop/{name}.py").open("a") as file:
                    file.write(f"# {number}\n")
            words = ("-c", "user.name=T", "-c", "user.email=t@t", "commit", "-qam", "more")
            subprocess.run(["git", *words], cwd=root, check=True)
        with Index.open(root) as index:
            index.sync()
            index.search("where is the total added up?")
            index.search("zyxwvut")
        yield root

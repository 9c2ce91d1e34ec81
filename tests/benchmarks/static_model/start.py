"""Write the token table of the offline model as a start for `train.py`: `start.py OUT.npy`."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from codeindex.embed.lock import OFFLINE_MODEL, load_lock
from codeindex.embed.token_table import token_table


def main() -> None:
    home = Path(sys.argv[1]).parent / "home"
    np.save(sys.argv[1], np.asarray(token_table(home, load_lock()[OFFLINE_MODEL])))


if __name__ == "__main__":
    main()

"""Make the text of one document in a process that can be ended: for whoever has no worker at hand.

`python -m codeindex.ingest.documents.apart LANGUAGE MEGABYTES` reads the bytes on standard input.
"""

from __future__ import annotations

import json
import subprocess
import sys

from codeindex.config import LimitsConfig, environment
from codeindex.ingest.decode import NotTextError
from codeindex.ingest.documents import made
from codeindex.ingest.limits import DOCUMENT, limit_memory, private_output
from codeindex.languages import LANGUAGES, Language


def made_apart(language: Language, data: bytes, limits: LimitsConfig) -> str:
    """Return the text of a document; NotTextError where none can be made, or not in time."""
    command = ("-P", "-m", __name__, language.name, str(limits.memory_mb))
    seconds = DOCUMENT * limits.parse_seconds
    try:
        done = subprocess.run(
            [sys.executable, *command],
            input=data,
            capture_output=True,
            check=True,
            env=environment(),
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as error:
        raise NotTextError(f"over {seconds:g} s") from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotTextError("its text cannot be made") from error
    answer = json.loads(done.stdout)
    if "reason" in answer:
        raise NotTextError(str(answer["reason"]))
    return str(answer["text"])


def main() -> None:
    """Answer with the text, or with the reason why there is none."""
    output = private_output()
    limit_memory(int(sys.argv[2]))
    try:
        answer = {"text": made(LANGUAGES[sys.argv[1]], sys.stdin.buffer.read()).text}
    except NotTextError as reason:
        answer = {"reason": str(reason)}
    output.write(json.dumps(answer).encode())
    output.flush()


if __name__ == "__main__":
    main()

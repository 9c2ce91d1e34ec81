"""Extract the text of one document in a killable child process.

Run with `python -m` and arguments LANGUAGE MEGABYTES; standard input holds the document's bytes.
"""

from __future__ import annotations

import json
import subprocess
import sys

from codeindex.child_process.limits import DOCUMENT_TIME_FACTOR, limit_memory, reserve_stdout
from codeindex.config import LimitsConfig, environment
from codeindex.ingest.read.decode import NotTextError
from codeindex.ingest.read.documents.extract import extract_text
from codeindex.languages import LANGUAGES, Language


def extract_in_subprocess(language: Language, data: bytes, limits: LimitsConfig) -> str:
    """Extract a document's text in a child process.

    Raise NotTextError if it has no text, or if extraction takes too long or fails.
    """
    command = ("-P", "-m", __name__, language.name, str(limits.memory_mb))
    seconds = DOCUMENT_TIME_FACTOR * limits.parse_seconds
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
        raise NotTextError("its text cannot be extracted") from error
    answer = json.loads(done.stdout)
    if "reason" in answer:
        raise NotTextError(str(answer["reason"]))
    return str(answer["text"])


def main() -> None:
    """Write JSON with the document's text, or with the reason why it has none."""
    output = reserve_stdout()
    limit_memory(int(sys.argv[2]))
    try:
        answer = {"text": extract_text(LANGUAGES[sys.argv[1]], sys.stdin.buffer.read()).text}
    except NotTextError as reason:
        answer = {"reason": str(reason)}
    output.write(json.dumps(answer).encode())
    output.flush()


if __name__ == "__main__":
    main()

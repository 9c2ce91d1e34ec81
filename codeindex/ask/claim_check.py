"""Check each sentence that a language model wrote against the evidence that it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from codeindex.ask.extract import Citation, Sentence
from codeindex.types import Hit

UNCITED = "cites nothing"
_CITATIONS = re.compile(r"\[\s*(E\d{1,3}(?::\d{1,7})?(?:\s*[,;]\s*E\d{1,3}(?::\d{1,7})?)*)\s*\]")
_CITATION = re.compile(r"E(\d+)(?::(\d+))?")
_SENTENCE = re.compile(
    r"\S.*?(?:[.!?][\"')]*(?:\s*\[\s*E\d[^\]]*\])*|(?:\s*\[\s*E\d[^\]]*\])+[.!?]?|$)(?=\s|$)"
)
_NAME = re.compile(r"`([^`\n]{2,80})`")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w+")
_REFUSING = re.compile(
    r"(?i)^\W*(?:i\W?m sorry|sorry,|i can(?:no|\W)t|i am (?:not able|unable)|as an ai)"
)


def check_claims(text: str, evidences: Sequence[Hit]) -> list[Sentence]:
    """Split a model's answer into sentences, each with the evidence that it cites.

    `evidences` are the numbered hits that the model was given. `doubt` of a sentence says why its
    evidence does not support it; "" if it does.
    """
    sentences = []
    for line in _lines(text):
        is_heading = line.lstrip().startswith("#") or (line.endswith(":") and "[" not in line)
        if is_heading:
            sentences.append(Sentence(line.strip(), (), "written"))
            continue
        sentences += [_claim(sentence, evidences) for sentence in _sentences(line)]
    return sentences


def is_refusal(text: str) -> bool:
    """Tell whether a model's text declines to answer: it says that it cannot, and cites nothing."""
    return bool(_REFUSING.match(text)) and not _CITATIONS.search(text)


def _lines(text: str) -> Iterator[str]:
    """Yield each paragraph, list item and heading of a text as one line.

    Lines that only open or close a code block are dropped.
    """
    paragraph: list[str] = []
    for line in (*text.split("\n"), ""):
        bare = line.strip()
        starts = bool(re.match(r"(?:[-*+]|\d+[.)]|#+)\s", bare))
        if (not bare or starts or bare.startswith(("```", "~~~"))) and paragraph:
            yield " ".join(paragraph)
            paragraph = []
        if bare and not bare.startswith(("```", "~~~")):
            paragraph.append(bare)


def _sentences(line: str) -> Iterator[str]:
    for match in _SENTENCE.finditer(line):
        if re.search(r"\w", match[0]):
            yield match[0].strip()


def _claim(text: str, evidences: Sequence[Hit]) -> Sentence:
    cited = [
        _CITATION.fullmatch(citation.strip())
        for group in _CITATIONS.findall(text)
        for citation in re.split("[,;]", group)
    ]
    places, wrong, cited_text = [], [], ""
    for match in cited:
        if match is None:
            continue
        number, line = int(match[1]), int(match[2] or 0)
        known = evidences[number - 1] if 0 < number <= len(evidences) else None
        if known is None or (line and not known.start_line <= line <= known.end_line):
            wrong.append(match[0])
            continue
        places.append(Citation(known.path, line or known.start_line, repo=known.repo))
        cited_text += f"{known.text}\n{known.symbol}\n{known.path}\n"
    shown = _CITATIONS.sub(lambda match: _shown(match[1], evidences), text)
    return Sentence(shown, tuple(places), "written", _doubt(text, places, wrong, cited_text))


def _doubt(text: str, places: Sequence[Citation], wrong: Sequence[str], cited_text: str) -> str:
    if wrong:
        return f"cites {', '.join(wrong)}, which is not among the evidence"
    if not places:
        return UNCITED
    names = [identifier for name in _NAME.findall(text) for identifier in _IDENTIFIER.findall(name)]
    if names and not any(identifier in cited_text for identifier in names):
        return f"what it cites does not name `{names[0]}`"
    return ""


def _shown(group: str, evidences: Sequence[Hit]) -> str:
    """Return a group of citations such as `E2:14; E3` as places: `(path:line, path:line)`.

    `E2` is the second of `evidences`. A citation of an unknown number is kept as it is.
    """
    places = []
    for match in _CITATION.finditer(group):
        number = int(match[1])
        if 0 < number <= len(evidences):
            known = evidences[number - 1]
            places.append(f"{known.path}:{match[2] or known.start_line}")
        else:
            places.append(match[0])
    return f"({', '.join(places)})"

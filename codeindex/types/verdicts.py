"""What was found of the things that were looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "note", "problem"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found of one thing; `remedy` says what to do, `names` what it is about.

    Names are of segments, or paths of files, in the order of their letters.
    """

    subject: str
    state: State
    text: str
    remedy: str = ""
    names: tuple[str, ...] = ()


def ok(subject: str, text: str) -> Verdict:
    return Verdict(subject, "ok", text)


def note(subject: str, text: str, *, remedy: str = "", names: tuple[str, ...] = ()) -> Verdict:
    return Verdict(subject, "note", text, remedy, names)


def problem(subject: str, text: str, *, remedy: str = "", names: tuple[str, ...] = ()) -> Verdict:
    return Verdict(subject, "problem", text, remedy, names)

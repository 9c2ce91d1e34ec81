"""Define the result of a check: ok, a note or a problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "note", "problem"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of one check; `subject` is what was checked, `remedy` says what to do.

    `names` are the segments, or the paths of files, that have the problem, in alphabetical order.
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

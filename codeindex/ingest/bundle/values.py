"""Check values that were read from a bundle; each function raises ValueError for a bad one."""

from __future__ import annotations

MOST_COUNT = 1_000_000_000


def checked_number(value: object, *, most: int = MOST_COUNT) -> int:
    """Return `value` if it is a whole number from 0 to `most`, else raise ValueError."""
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError("not a number in its bounds")
    return value


def checked_text(value: object) -> str:
    """Return `value` if it is a str, else raise ValueError."""
    if not isinstance(value, str):
        raise ValueError("not a text")  # noqa: TRY004 (as all that a bundle gets wrong)
    return value


def require(holds: bool) -> None:
    """Raise ValueError if `holds` is false: the bundle violates a condition of its format."""
    if not holds:
        raise ValueError("the line of the bundle does not fit the file")

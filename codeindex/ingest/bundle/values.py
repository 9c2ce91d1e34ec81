"""Check the values in the lines of a bundle; each function raises ValueError."""

from __future__ import annotations

MOST_COUNT = 1_000_000_000


def checked_number(value: object, *, most: int = MOST_COUNT) -> int:
    """Return a whole number from 0 to `most`."""
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError("not a number in its bounds")
    return value


def checked_text(value: object) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise ValueError("not a text")  # noqa: TRY004 (as all that a bundle gets wrong)
    return value


def require(holds: bool) -> None:
    """Raise ValueError unless the condition holds."""
    if not holds:
        raise ValueError("the line of the bundle does not fit the file")

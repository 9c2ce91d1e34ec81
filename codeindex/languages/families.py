"""Languages whose code can call each other's by name."""

_FAMILIES = (
    {"javascript", "typescript", "tsx"},
    {"java", "kotlin", "scala"},
    {"c", "cpp"},
)


def kin(language: str) -> frozenset[str]:
    """Return the languages in which a member of something in `language` can be called."""
    return frozenset(next((one for one in _FAMILIES if language in one), {language}))

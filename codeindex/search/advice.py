"""What to try where no word of the index is a better one."""

NO_MATCH_ADVICE = (
    "Try broader search terms",
    "Check if the repository is indexed: codeindex status",
)

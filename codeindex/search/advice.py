"""Give general advice for a query without results for which no better word is known."""

NO_MATCH_ADVICE = (
    "Try broader search terms",
    "Check if the repository is indexed: codeindex status",
)
